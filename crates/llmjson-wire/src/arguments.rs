//! The arguments of a tool call: JSON inside a string, or plain JSON.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::field::plain;
use crate::raw::Raw;

/// The arguments of a tool call, as text.
///
/// They should be a string that holds JSON, but may be anything: nothing is parsed here. Some
/// servers write the object itself; its text is then the arguments, [`form`](Self::form) says so,
/// and it is written back in the same form.
///
/// ```
/// use llmjson_wire::{ArgumentsForm, Function};
///
/// let usual: Function = serde_json::from_str(r#"{"name":"f","arguments":"{\"a\":1}"}"#)?;
/// let bare: Function = serde_json::from_str(r#"{"name":"f","arguments":{"a":1}}"#)?;
/// let (usual, mut bare) = (usual.arguments.unwrap(), bare.arguments.unwrap());
/// assert_eq!(usual.as_str(), bare.as_str());
/// assert_eq!(bare.form(), ArgumentsForm::Json);
///
/// bare.set_form(ArgumentsForm::Text);
/// assert_eq!(bare, usual);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    text: String,
    form: ArgumentsForm,
}

/// The form of arguments in the surrounding JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArgumentsForm {
    /// A string, as specified.
    #[default]
    Text,
    /// The JSON itself: an object, or any other value that is not a string.
    Json,
}

impl Arguments {
    /// Creates arguments in the usual form.
    #[must_use]
    pub fn from_text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            form: ArgumentsForm::Text,
        }
    }

    /// Creates arguments in the form of JSON.
    #[must_use]
    pub fn from_json(json: &Raw) -> Self {
        Self {
            text: json.as_str().to_owned(),
            form: ArgumentsForm::Json,
        }
    }

    /// Returns the text of the arguments, whatever the form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the form in which they were received and are written.
    #[must_use]
    pub fn form(&self) -> ArgumentsForm {
        self.form
    }

    /// Sets the form in which they are written.
    ///
    /// Text that is not JSON cannot be written as [`ArgumentsForm::Json`]: writing then fails.
    pub fn set_form(&mut self, form: ArgumentsForm) {
        self.form = form;
    }

    /// Returns the text of the arguments.
    #[must_use]
    pub fn into_string(self) -> String {
        self.text
    }
}

impl From<&str> for Arguments {
    fn from(text: &str) -> Self {
        Self::from_text(text)
    }
}

impl From<String> for Arguments {
    fn from(text: String) -> Self {
        Self::from_text(text)
    }
}

plain!(Arguments);

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Raw::deserialize(deserializer)?;
        Ok(match raw.as_string() {
            Some(text) => Self::from_text(text),
            // Also a string with half of a surrogate pair: only its escaped form can represent it.
            None => Self::from_json(&raw),
        })
    }
}

impl Serialize for Arguments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.form {
            ArgumentsForm::Text => serializer.serialize_str(&self.text),
            ArgumentsForm::Json => {
                let raw = Raw::from_text(&self.text).map_err(|error| {
                    serde::ser::Error::custom(format_args!("arguments are not JSON: {error}"))
                })?;
                raw.serialize(serializer)
            }
        }
    }
}
