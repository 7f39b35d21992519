//! A JSON value kept as its original text.
//!
//! This module passes a value through serde without parsing it. Numbers keep every digit, members
//! their order, strings their escapes.

use std::fmt;

use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

/// A JSON value as text, written back byte for byte.
///
/// Values are equal if their texts are. Surrounding white space is not part of the text.
///
/// Only serde_json can read and write it, because it passes the text through; other formats fail.
///
/// ```
/// use llmjson_wire::Raw;
///
/// let raw = Raw::from_text(r#" {"b": 1.0, "a": 12345678901234567890} "#)?;
/// assert_eq!(raw.as_str(), r#"{"b": 1.0, "a": 12345678901234567890}"#);
/// assert_eq!(serde_json::to_string(&raw)?, raw.as_str());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone)]
pub struct Raw(Box<RawValue>);

impl Raw {
    /// Takes text that is a single JSON value.
    ///
    /// # Errors
    ///
    /// If the text is not JSON, or more than one value.
    pub fn from_text(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Serializes a value.
    ///
    /// # Errors
    ///
    /// If the value cannot be serialized as JSON: for example, a map whose keys are not strings.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::value::to_raw_value(value).map(Self)
    }

    /// Returns the text of the value.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// Reads the value into a type.
    ///
    /// ```
    /// # use llmjson_wire::Raw;
    /// let names: Vec<String> = Raw::from_text(r#"["a", "b"]"#)?.to()?;
    /// assert_eq!(names, ["a", "b"]);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the type does not accept the value.
    pub fn to<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.as_str())
    }

    /// Returns `true` if the value is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.as_str() == "null"
    }

    /// The text of the value if it is a string.
    pub(crate) fn as_string(&self) -> Option<String> {
        self.as_str()
            .starts_with('"')
            .then(|| self.to().ok())
            .flatten()
    }

    pub(crate) fn as_raw(&self) -> &RawValue {
        &self.0
    }

    pub(crate) fn from_raw(raw: &RawValue) -> Self {
        Self(raw.to_owned())
    }
}

impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq for Raw {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Raw {}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self)
    }
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
