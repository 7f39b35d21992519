//! Members that a type does not know, kept as received.
//!
//! This module knows order and names. The names that a type itself knows, and that an extra must
//! not have one of them, are checked when the type is written.

use std::borrow::Cow;
use std::fmt;

use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::raw::Raw;

/// The members of an object that its type does not know: raw text, in order of arrival.
///
/// A duplicate key is kept, and [`get`](Self::get) returns the last value.
///
/// ```
/// use llmjson_wire::ToolCall;
///
/// let text = r#"{"id":"c1","extra_content":{"google":{"thought_signature":"abc"}},"weight":1.0}"#;
/// let call: ToolCall = serde_json::from_str(text)?;
/// assert_eq!(call.extras.get("weight").map(|raw| raw.as_str()), Some("1.0"));
/// assert_eq!(serde_json::to_string(&call)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Extras {
    members: Vec<(String, Raw)>,
}

impl Extras {
    /// Returns the value of a member, the last one if the key is duplicated.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Raw> {
        let last = self.members.iter().rev().find(|member| member.0 == name);
        last.map(|(_, value)| value)
    }

    /// Sets a member, in place if the key exists, and otherwise at the end. Returns the replaced
    /// value.
    ///
    /// You can set a key that the type itself knows, but the type then cannot be written.
    pub fn insert(&mut self, name: impl Into<String>, value: Raw) -> Option<Raw> {
        let name = name.into();
        let place = self.members.iter().rposition(|member| member.0 == name);
        match place {
            Some(place) => Some(std::mem::replace(&mut self.members[place].1, value)),
            None => {
                self.members.push((name, value));
                None
            }
        }
    }

    /// Serializes a value and sets it as a member, as [`insert`](Self::insert) does.
    ///
    /// ```
    /// use llmjson_wire::Request;
    ///
    /// let mut request = Request::new("small", []);
    /// request.extras.set("top_k", &40)?;
    /// assert_eq!(serde_json::to_string(&request)?, r#"{"model":"small","messages":[],"top_k":40}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the value cannot be serialized as JSON.
    pub fn set<T: Serialize + ?Sized>(
        &mut self,
        name: impl Into<String>,
        value: &T,
    ) -> Result<Option<Raw>, serde_json::Error> {
        Ok(self.insert(name, Raw::of(value)?))
    }

    /// Removes all members with a key, and returns the last of them.
    pub fn remove(&mut self, name: &str) -> Option<Raw> {
        let place = self.members.iter().rposition(|member| member.0 == name)?;
        let (_, value) = self.members.remove(place);
        self.members.retain(|member| member.0 != name);
        Some(value)
    }

    /// Returns all members in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Raw)> {
        self.members
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }

    /// Appends a member, whether or not the name exists.
    pub(crate) fn push(&mut self, name: String, value: Raw) {
        self.members.push((name, value));
    }

    /// Returns the number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns `true` if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

impl fmt::Debug for Extras {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Writes a separate object.
impl Serialize for Extras {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// Collects the members that a type does not know during reading.
pub(crate) trait Collect<'de> {
    /// The form in which a value is stored.
    type Value: serde::Deserialize<'de>;

    fn collect(&mut self, name: Cow<'de, str>, value: Self::Value);
}

impl<'de> Collect<'de> for Extras {
    type Value = Raw;

    fn collect(&mut self, name: Cow<'de, str>, value: Raw) {
        self.push(name.into_owned(), value);
    }
}

/// A value borrowed from the text.
pub(crate) type ExtrasView<'de> = Vec<(Cow<'de, str>, &'de RawValue)>;

impl<'de> Collect<'de> for ExtrasView<'de> {
    type Value = &'de RawValue;

    fn collect(&mut self, name: Cow<'de, str>, value: &'de RawValue) {
        self.push((name, value));
    }
}
