//! Reading a document into Rust types, by serde alone.
//!
//! This file decides what a type may ask of a value. It changes nothing: a string is not taken for
//! a number here, and what the text does not say is an error with its place.

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

/// Reads whatever a language model wrote into a Rust type.
///
/// Damaged JSON is repaired on the way, and prose around it is skipped. A truncated reply is an error; a
/// [`Policy`] that [allows](Policy::allow_truncated) it reads what is there, and [`DeserializeExt`] reads
/// whatever was parsed. Types have to fit as they are; `"42"` is not a number. What is valid JSON is read by `serde_json`, at its speed, and two things more are
/// accepted: `3.0`, `3e0` and `-0` are whole numbers, and of members with the same name the last counts.
///
/// Strings that stand in the text without escapes can be borrowed from it.
///
/// # Errors
///
/// Where the text holds no value, where it is truncated, where the value does not fit the type, where a number does not
/// fit (it never becomes infinite), and where containers nest deeper than 128.
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
    // What is valid needs no document. An error here is none yet, and its place would be another.
    if text.len() <= Limits::DEFAULT.input_bytes as usize
        && is_closed(text)
        && let Ok(value) = serde_json::from_str(text)
    {
        return Ok(value);
    }
    from_damaged(text)
}

/// Returns `true` if a text that opens with a bracket ends with the closing one. A text that was
/// cut off does not, and need not be read to its end to see that it is not JSON.
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
    /// Reads whatever a language model wrote into a Rust type as [`from_str`] does, as far as a policy
    /// allows.
    ///
    /// # Errors
    ///
    /// As [`from_str`], and where the policy does not allow the way in which the text has to be read:
    /// then with the place of the first thing that it refuses.
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

/// Reads what was parsed into Rust types, by serde alone: a [`Document`], or a part of its value.
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
    /// As [`from_str`].
    fn deserialize<T: Deserialize<'d>>(self) -> Result<T, Error>;

    /// Returns the value as a [`serde_json::Value`]. Integers that fit 64 bits stay exact; any other number
    /// becomes the nearest double. Members keep their order where the feature `preserve_order` of serde_json is on,
    /// and are sorted by name where it is not.
    ///
    /// # Errors
    ///
    /// Where there is no value, a number has no double near to it (`1e999`), or containers nest deeper
    /// than 512.
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
