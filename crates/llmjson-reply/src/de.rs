//! Deserialization of documents into Rust types, only by serde.
//!
//! This module decides which values a type accepts. It converts nothing: a string is not read as a
//! number here, and anything missing is an error with its position.

mod access;
mod deserializer;
mod error;
mod key;
mod lend;

use llmjson_schema::AllowedRepairs;
use llmjson_syntax::cursor::Source;
use llmjson_syntax::{Document, Limits, Parser, ValueRef};
use serde::de::Deserialize;
use serde_json::Value;

use crate::policy::Policy;

pub use error::{Error, ErrorKind};

use deserializer::EntryDeserializer;
use lend::{InDocument, LentText};

/// Parses a model's reply into a Rust type.
///
/// Damaged JSON is repaired, and surrounding prose is skipped. A truncated reply is an error,
/// unless you use a [`Policy`] that [allows](Policy::allow_truncated) it; [`DeserializeExt`]
/// deserializes any parsed value. Types must match without coercion: `"42"` is not a number. Valid
/// JSON is read by `serde_json`, at its speed, with two relaxations: `3.0`, `3e0` and `-0` are
/// integers, and the last duplicate key wins.
///
/// Strings without escapes can be borrowed from the text.
///
/// # Errors
///
/// If the reply holds no value or is truncated, if the value does not fit the type, if a number is
/// out of range (it never becomes infinite), or if containers nest deeper than 128.
///
/// ```
/// # use llmjson_reply as llmjson;
/// #[derive(serde::Deserialize)]
/// struct Booking<'a> {
///     guest: &'a str,
///     nights: u32,
/// }
///
/// let reply = "Sure!\n```json\n{guest: 'Ada', \"nights\": 3,}\n```";
/// let booking: Booking<'_> = llmjson::from_str(reply)?;
/// assert_eq!((booking.guest, booking.nights), ("Ada", 3));
///
/// let error = llmjson::from_str::<Booking<'_>>(r#"{"guest": "Ada", "nights": -3}"#).err();
/// assert_eq!(
///     error.map(|error| error.to_string()).as_deref(),
///     Some("expected u32, found integer `-3` at $input.nights, line 1 column 28"),
/// );
/// let error = llmjson::from_str::<Vec<u32>>("[1, 2, 3").unwrap_err();
/// assert!(error.to_string().contains("the text ended before its value did (truncated)"));
/// # Ok::<(), llmjson::Error>(())
/// ```
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Error> {
    // Valid JSON needs no document. An error here is not final, and its position would differ.
    if text.len() <= Limits::DEFAULT.input_bytes as usize
        && is_closed(text)
        && let Ok(value) = serde_json::from_str(text)
    {
        return Ok(value);
    }
    from_damaged(text)
}

/// Returns `true` if a text that opens with a bracket ends with the matching one. A truncated text
/// does not, and need not be read to its end to see that it is not JSON.
#[inline]
fn is_closed(text: &str) -> bool {
    let space = |byte: &&u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    let last = text.as_bytes().iter().rev().find(|byte| !space(byte));
    match text.as_bytes().iter().find(|byte| !space(byte)) {
        Some(b'{') => last == Some(&b'}'),
        Some(b'[') => last == Some(&b']'),
        _ => true,
    }
}

/// Reads a text that is not valid JSON, or that serde_json cannot read into the type.
#[cold]
fn from_damaged<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Error> {
    let document = Parser::new().with_limits(Limits::DEFAULT).parse(text);
    let root = root(&document)?;
    if let Some(first) = AllowedRepairs::ALL
        .without_truncated()
        .refusals(&document)
        .first()
    {
        return Err(Error::refused(*first).located(text));
    }
    lent(root, text)
}

/// Reads a value into a type, which may borrow from the text.
fn lent<'de, T: Deserialize<'de>>(root: ValueRef<'_>, text: &'de str) -> Result<T, Error> {
    T::deserialize(EntryDeserializer {
        value: Source::of(root).entry(),
        lender: LentText(text),
        depth: 0,
    })
    .map_err(|error| error.located(text))
}

impl Policy {
    /// Parses a model's reply into a Rust type as [`from_str`] does, with the changes that the
    /// policy allows.
    ///
    /// # Errors
    ///
    /// See [`from_str`]. Also if the policy refuses a change that reading the text requires: the
    /// error then has the position of the first one.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::Policy;
    ///
    /// let error = Policy::strict().from_str::<Vec<u8>>("[1, 2,]").err();
    /// assert_eq!(
    ///     error.map(|error| error.to_string()).as_deref(),
    ///     Some("not allowed: removed a stray comma (extra_comma) at $input, line 1 column 6"),
    /// );
    /// ```
    pub fn from_str<'de, T: Deserialize<'de>>(&self, text: &'de str) -> Result<T, Error> {
        let mut parsed = self.parse(text, None);
        if parsed.conforms() {
            parsed.refuse_truncated();
        }
        let root = root(parsed.document())?;
        if let Some(first) = parsed.refused().first() {
            return Err(Error::refused(*first).located(text));
        }
        lent(root, text)
    }
}

/// Deserializes parsed values into Rust types, only by serde: a [`Document`], or a part of its
/// value.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::{DeserializeExt, syntax};
///
/// let document = syntax::parse("{sizes: [1, 2, 3], name: 'x'");
/// assert!(!document.is_complete());
/// let sizes = document.root().and_then(|root| root.get("sizes")).expect("it is there");
/// assert_eq!(sizes.deserialize::<Vec<u8>>()?, [1, 2, 3]);
/// assert_eq!(document.to_value()?, serde_json::json!({"sizes": [1, 2, 3], "name": "x"}));
/// # Ok::<(), llmjson::Error>(())
/// ```
pub trait DeserializeExt<'d>: Sized {
    /// Reads the value into a Rust type, which may borrow from the document.
    ///
    /// # Errors
    ///
    /// See [`from_str`].
    fn deserialize<T: Deserialize<'d>>(self) -> Result<T, Error>;

    /// Returns the value as a [`serde_json::Value`]. Integers that fit 64 bits stay exact; any
    /// other number becomes the nearest double. Members keep their order with serde_json's feature
    /// `preserve_order`, and are sorted by key without it.
    ///
    /// # Errors
    ///
    /// If there is no value, a number is too large for a double (`1e999`), or containers nest
    /// deeper than 512.
    fn to_value(self) -> Result<Value, Error>;
}

impl<'d> DeserializeExt<'d> for ValueRef<'d> {
    fn deserialize<T: Deserialize<'d>>(self) -> Result<T, Error> {
        T::deserialize(EntryDeserializer {
            value: Source::of(self).entry(),
            lender: InDocument,
            depth: 0,
        })
    }

    fn to_value(self) -> Result<Value, Error> {
        llmjson_schema::to_value(self).map_err(|error| Error::convert(&error))
    }
}

impl<'d> DeserializeExt<'d> for &'d Document<'_> {
    fn deserialize<T: Deserialize<'d>>(self) -> Result<T, Error> {
        let value = root(self)?.deserialize();
        value.map_err(|error: Error| error.located(self.text()))
    }

    fn to_value(self) -> Result<Value, Error> {
        root(self)?.to_value()
    }
}

pub(crate) fn root<'d>(document: &'d Document<'_>) -> Result<ValueRef<'d>, Error> {
    document.root().ok_or_else(|| match document.limit() {
        Some(limit) => Error::limit(limit.to_string()),
        None => Error::no_value(document.text()),
    })
}
