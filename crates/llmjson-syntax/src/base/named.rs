//! Stable names of enumerations: one macro for all crates.

/// Gives an enumeration its stable names: an array of all values, `name`, `Display` and `FromStr`.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($choice:ident: $($name:literal => $variant:ident),+ $(,)?) => {
        impl $choice {
            /// All values, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the stable name, which [`FromStr`](core::str::FromStr) parses.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl ::core::fmt::Display for $choice {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::core::str::FromStr for $choice {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> ::core::result::Result<Self, Self::Err> {
                $crate::UnknownName::find(name, Self::ALL, Self::name)
            }
        }
    };
}

pub(crate) use named;
