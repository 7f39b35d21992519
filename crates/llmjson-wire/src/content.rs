//! The content of a message, in one of four forms.

use serde::de::MapAccess;
use serde::ser::SerializeMap;

use crate::field::{Field, Write};
use crate::object::{List, wire};
use crate::raw::Raw;

/// The content of a message: a string, an array of parts, `null`, or nothing.
///
/// `null` is kept, because servers require it in messages with tool calls. Any other value, and a
/// string with half of a surrogate pair, is kept as received.
///
/// ```
/// use llmjson_wire::{Content, Message};
///
/// let message: Message = serde_json::from_str(
///     r#"{"content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"https://x/y.png"}}]}"#,
/// )?;
/// assert_eq!(message.content.as_text(), None);
/// let parts = message.content.as_parts().expect("a list")?;
/// assert_eq!(parts.len(), 2);
/// assert_eq!(parts[0].text.as_deref(), Some("see"));
///
/// assert_eq!(Content::from("hello").as_text(), Some("hello"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Content {
    /// The member is absent.
    #[default]
    Absent,
    /// The member is `null`.
    Null,
    /// A string.
    Text(String),
    /// Another value, as received; [`as_parts`](Self::as_parts) reads an array of parts.
    Json(Raw),
}

impl Content {
    /// Returns the text, or `None` if the content is not a string.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Absent | Self::Null | Self::Json(_) => None,
        }
    }

    /// Returns the parts, or `None` if the content is not an array.
    ///
    /// # Errors
    ///
    /// If an item of the array is not a content part.
    #[must_use]
    pub fn as_parts(&self) -> Option<Result<Vec<ContentPart>, serde_json::Error>> {
        match self {
            Self::Json(raw) if raw.as_str().starts_with('[') => {
                let parts: Result<List<ContentPart>, _> = raw.to();
                Some(parts.map(|parts| parts.0))
            }
            Self::Absent | Self::Null | Self::Text(_) | Self::Json(_) => None,
        }
    }

    /// Sets the content to a string.
    pub fn set_text(&mut self, text: impl Into<String>) {
        *self = Self::Text(text.into());
    }

    /// Sets the content to an array of parts.
    ///
    /// # Errors
    ///
    /// If an extra has the name of a known member of parts.
    pub fn set_parts(&mut self, parts: &[ContentPart]) -> Result<(), serde_json::Error> {
        *self = Self::Json(Raw::of(parts)?);
        Ok(())
    }

    /// Returns `true` if there is no content: absent or `null`.
    #[must_use]
    pub fn is_none(&self) -> bool {
        matches!(self, Self::Absent | Self::Null)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<'de> Field<'de> for Content {
    fn read<A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error> {
        let raw: Raw = map.next_value()?;
        *self = match raw.as_string() {
            Some(text) => Self::Text(text),
            None if raw.is_null() => Self::Null,
            None => Self::Json(raw),
        };
        Ok(())
    }
}

impl Write for Content {
    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        match self {
            Self::Absent => Ok(()),
            Self::Null => map.serialize_entry(name, &()),
            Self::Text(text) => map.serialize_entry(name, text),
            Self::Json(raw) => map.serialize_entry(name, raw),
        }
    }
}

wire! {
    /// One part of a content array.
    ///
    /// ```
    /// use llmjson_wire::{Content, ContentPart};
    ///
    /// let mut content = Content::default();
    /// content.set_parts(&[
    ///     ContentPart::text("What is this?"),
    ///     ContentPart::image_url("https://example.org/cat.png"),
    /// ])?;
    /// # assert_eq!(content.as_parts().unwrap()?.len(), 2);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub struct ContentPart {
        /// `text`, `image_url`, or another type that the server knows.
        kind: Option<String> = "type",
        /// The text of a text part.
        text: Option<String> = "text",
        /// The image of an image part.
        image_url: Option<ImageUrl> = "image_url",
    }
}

impl ContentPart {
    /// Returns a text part.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            kind: Some("text".to_owned()),
            text: Some(text.into()),
            ..Self::default()
        }
    }

    /// Returns an image part, with a web address or a `data:` URL.
    #[must_use]
    pub fn image_url(url: impl Into<String>) -> Self {
        Self {
            kind: Some("image_url".to_owned()),
            image_url: Some(ImageUrl {
                url: Some(url.into()),
                ..ImageUrl::default()
            }),
            ..Self::default()
        }
    }
}

wire! {
    /// The address of an image.
    pub struct ImageUrl {
        /// The address of the image, or the image itself as a `data:` URL.
        url: Option<String> = "url",
        /// The level of detail for the model: `low`, `high`, `auto`.
        detail: Option<String> = "detail",
    }
}
