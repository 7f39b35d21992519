//! The stable names of enumerations.

/// Gives an enumeration its stable names.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($choice:ident: $($name:literal => $variant:ident),+ $(,)?) => {
        impl $choice {
            /// All values, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the stable name, which [`FromStr`](std::str::FromStr) reads.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl ::std::fmt::Display for $choice {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $choice {
            type Err = ::llmjson_syntax::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                ::llmjson_syntax::UnknownName::find(name, Self::ALL, Self::name)
            }
        }
    };
}

pub use named;
