//! The four repairs, and their established names.

use std::fmt;

use llmjson_schema::CoercionKind;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One of the four field repairs.
///
/// The names are stable; serde serializes a kind as its name.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::compat::shape::Kind;
///
/// assert_eq!(Kind::WrapInArray.as_str(), "wrap_in_array");
/// assert_eq!(serde_json::to_string(&Kind::DropNull).unwrap(), r#""drop_null""#);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// A null was dropped where a string, number or boolean is expected, or became the zero of its
    /// type if the field is required.
    DropNull,
    /// A string that holds a JSON array became that array.
    UnwrapStringArray,
    /// An object that holds one scalar became an array of that scalar.
    WrapObjectInArray,
    /// A scalar became the only item of an array.
    WrapInArray,
}

impl Kind {
    /// Every kind, in the order in which they are tried.
    pub const ALL: &'static [Self] = &[
        Self::DropNull,
        Self::UnwrapStringArray,
        Self::WrapObjectInArray,
        Self::WrapInArray,
    ];

    /// Returns the stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DropNull => "drop_null",
            Self::UnwrapStringArray => "unwrap_string_array",
            Self::WrapObjectInArray => "wrap_object_in_array",
            Self::WrapInArray => "wrap_in_array",
        }
    }

    /// Returns the kind of a coercion, or `None` if it is not one of the four repairs.
    #[must_use]
    pub const fn of(kind: CoercionKind) -> Option<Self> {
        match kind {
            CoercionKind::DropNull => Some(Self::DropNull),
            CoercionKind::TextToContainer => Some(Self::UnwrapStringArray),
            CoercionKind::UnwrapPlaceholder => Some(Self::WrapObjectInArray),
            CoercionKind::WrapInArray => Some(Self::WrapInArray),
            _ => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = Kind;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a repair")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Kind, E> {
                let mut kinds = Kind::ALL.iter().copied();
                kinds
                    .find(|kind| kind.as_str() == name)
                    .ok_or_else(|| E::invalid_value(de::Unexpected::Str(name), &self))
            }
        }

        deserializer.deserialize_str(Name)
    }
}
