//! Reading a document into Rust types, by serde alone.
//!
//! This file decides what a type may ask of a value. It changes nothing: a string is not taken for
//! a number here, and what the text does not say is an error with its place.

mod access;
mod error;
mod key;

use std::borrow::Cow;

use llmjson_syntax::cursor::{Entry, EntryKind, Source};
use llmjson_syntax::{Document, Kind, Limits, Parser, Span, ValueRef};
use serde::de::{self, Deserialize, Unexpected, Visitor};

use crate::policy::Policy;

pub use error::{Error, ErrorKind};

use access::{EnumReader, MapReader, SeqReader};

/// Containers that nest deeper are not entered. Serde takes stack for every level, and how much
/// depends on the types: 128 levels are what `serde_json` allows, too.
const DEPTH_MAX: u32 = 128;

/// Reads whatever a language model wrote into a Rust type.
///
/// Damaged JSON is repaired on the way, prose around it is skipped, and a reply that breaks off is
/// read as far as it goes: use [`from_document`] to look at the repairs and at
/// [`is_complete`](Document::is_complete) first. Types have to fit as they are; `"42"` is no
/// number. What is valid JSON comes out as `serde_json` reads it, and two things more are
/// accepted: `3.0`, `3e0` and `-0` are whole numbers, and of members with the same name the last counts.
///
/// Strings that stand in the text without escapes can be borrowed from it.
///
/// # Errors
///
/// Where the text holds no value, where the value does not fit the type, where a number does not
/// fit (it never becomes infinite), and where containers nest deeper than 128.
///
/// ```
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
/// # Ok::<(), llmjson::Error>(())
/// ```
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Error> {
    let document = Parser::new().with_limits(Limits::DEFAULT).parse(text);
    let root = root(&document)?;
    T::deserialize(Reader {
        value: Source::of(root).entry(),
        lender: Text(text),
        depth: 0,
    })
    .map_err(|error| error.located(text))
}

/// Reads whatever a language model wrote into a Rust type as [`from_str`] does, as far as a policy
/// allows.
///
/// # Errors
///
/// As [`from_str`], and where the policy does not allow the way in which the text has to be read:
/// then with the place of the first thing that it refuses.
///
/// ```
/// use llmjson::Policy;
///
/// let error = llmjson::from_str_with::<Vec<u8>>("[1, 2,]", &Policy::strict()).err();
/// assert_eq!(
///     error.map(|error| error.to_string()).as_deref(),
///     Some("not allowed: dropped a comma with no value to part (extra_comma) at $input, line 1 column 7"),
/// );
/// ```
pub fn from_str_with<'de, T: Deserialize<'de>>(
    text: &'de str,
    policy: &Policy,
) -> Result<T, Error> {
    let parsed = crate::parse_with(text, None, policy);
    let root = root(parsed.document())?;
    if let Some(first) = parsed.refused().first() {
        return Err(Error::refused(*first).located(text));
    }
    T::deserialize(Reader {
        value: Source::of(root).entry(),
        lender: Text(text),
        depth: 0,
    })
    .map_err(|error| error.located(text))
}

/// Reads a document's value into a Rust type that may borrow from the document.
///
/// # Errors
///
/// As [`from_str`].
///
/// ```
/// let document = llmjson_syntax::parse("[1, 2, 3");
/// assert!(!document.is_complete());
/// assert_eq!(llmjson::from_document::<Vec<u8>>(&document)?, [1, 2, 3]);
/// # Ok::<(), llmjson::Error>(())
/// ```
pub fn from_document<'d, T: Deserialize<'d>>(document: &'d Document<'_>) -> Result<T, Error> {
    from_value(root(document)?).map_err(|error| error.located(document.text()))
}

/// Reads a value of a document into a Rust type that may borrow from the document.
///
/// # Errors
///
/// As [`from_str`], but without line and column, since a value does not know its text. Paths begin
/// at the value.
pub fn from_value<'d, T: Deserialize<'d>>(value: ValueRef<'d>) -> Result<T, Error> {
    T::deserialize(Reader {
        value: Source::of(value).entry(),
        lender: InDocument,
        depth: 0,
    })
}

fn root<'d>(document: &'d Document<'_>) -> Result<ValueRef<'d>, Error> {
    document.root().ok_or_else(|| match document.limit() {
        Some(limit) => Error::limit(limit.to_string()),
        None => Error::no_value(document.text()),
    })
}

/// What strings can be borrowed from for as long as `'de`.
pub(crate) trait Lend<'d, 'de>: Copy {
    /// The text of a string.
    fn text(self, entry: &Entry<'_, 'd>) -> Lent<'d, 'de>;

    /// The name of a member.
    fn name(self, entry: &Entry<'_, 'd>) -> Lent<'d, 'de>;
}

/// A text, borrowed for as long as possible.
pub(crate) enum Lent<'d, 'de> {
    Long(&'de str),
    Short(Cow<'d, str>),
}

impl<'de> Lent<'_, 'de> {
    #[inline(always)]
    fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Long(text) => visitor.visit_borrowed_str(text),
            Self::Short(Cow::Borrowed(text)) => visitor.visit_str(text),
            Self::Short(Cow::Owned(text)) => visitor.visit_string(text),
        }
    }
}

/// The text that was read, which outlives the document.
#[derive(Clone, Copy)]
struct Text<'de>(&'de str);

impl<'de> Text<'de> {
    /// What stands there: a string without escapes is its own text.
    #[inline]
    fn at(self, span: Option<Span>, escaped: bool) -> Option<&'de str> {
        if escaped {
            return None;
        }
        self.0.get(span?.range())
    }
}

impl<'d, 'de> Lend<'d, 'de> for Text<'de> {
    #[inline]
    fn text(self, entry: &Entry<'_, 'd>) -> Lent<'d, 'de> {
        match self.at(entry.span(), entry.is_escaped()) {
            Some(text) => Lent::Long(text),
            None => Lent::Short(entry.decoded()),
        }
    }

    #[inline]
    fn name(self, entry: &Entry<'_, 'd>) -> Lent<'d, 'de> {
        match self.at(entry.name_span(), entry.has_escaped_name()) {
            Some(text) => Lent::Long(text),
            None => Lent::Short(entry.name()),
        }
    }
}

/// The document itself, with its text and what was put right.
#[derive(Clone, Copy)]
struct InDocument;

impl<'d> Lend<'d, 'd> for InDocument {
    #[inline]
    fn text(self, entry: &Entry<'_, 'd>) -> Lent<'d, 'd> {
        match entry.decoded() {
            Cow::Borrowed(text) => Lent::Long(text),
            owned => Lent::Short(owned),
        }
    }

    #[inline]
    fn name(self, entry: &Entry<'_, 'd>) -> Lent<'d, 'd> {
        match entry.name() {
            Cow::Borrowed(text) => Lent::Long(text),
            owned => Lent::Short(owned),
        }
    }
}

/// Hands a value to serde.
#[derive(Clone, Copy)]
struct Reader<'s, 'd, L> {
    value: Entry<'s, 'd>,
    lender: L,
    /// How many containers are around the value.
    depth: u32,
}

impl<'s, 'd, L> Reader<'s, 'd, L> {
    /// Fails because the value is something else than the visitor wants.
    #[cold]
    fn mismatch<'de, T>(self, visitor: &impl Visitor<'de>) -> Result<T, Error> {
        let value = self.value.value();
        let found = match value.kind() {
            Kind::Null => Unexpected::Unit,
            Kind::Bool => Unexpected::Bool(value.as_bool().unwrap_or_default()),
            Kind::Array => Unexpected::Seq,
            Kind::Object => Unexpected::Map,
            Kind::String => {
                let text = value.as_str().unwrap_or_default();
                return self.here(Err(de::Error::invalid_type(
                    Unexpected::Str(&text),
                    visitor,
                )));
            }
            Kind::Number => {
                let text = value.as_number().unwrap_or_default();
                return self.here(Err(Error::number(text, visitor)));
            }
        };
        self.here(Err(de::Error::invalid_type(found, visitor)))
    }

    /// Says where an error came up, if it does not know yet.
    #[inline]
    fn here<T>(self, result: Result<T, Error>) -> Result<T, Error> {
        result.map_err(|error| error.within(self.value.span()))
    }

    /// The depth of what is in this container.
    fn deeper(self) -> Result<u32, Error> {
        if self.depth == DEPTH_MAX {
            let message = format!("containers nest deeper than {DEPTH_MAX}");
            return self.here(Err(Error::limit(message)));
        }
        Ok(self.depth + 1)
    }
}

impl<'s, 'd, L> Reader<'s, 'd, L> {
    fn string<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error>
    where
        L: Lend<'d, 'de>,
    {
        if self.value.kind() != EntryKind::String {
            return self.mismatch(&visitor);
        }
        self.here(self.lender.text(&self.value).visit(visitor))
    }

    fn array<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error>
    where
        L: Lend<'d, 'de>,
    {
        if self.value.kind() != EntryKind::Array {
            return self.mismatch(&visitor);
        }
        let mut items = SeqReader::new(&self.value, self.lender, self.deeper()?);
        let result = visitor
            .visit_seq(&mut items)
            .and_then(|value| items.end(value));
        self.here(result)
    }

    fn object<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error>
    where
        L: Lend<'d, 'de>,
    {
        if self.value.kind() != EntryKind::Object {
            return self.mismatch(&visitor);
        }
        let mut members = MapReader::new(&self.value, self.lender, self.deeper()?);
        let result = visitor
            .visit_map(&mut members)
            .and_then(|value| members.end(value));
        self.here(result)
    }

    /// A whole number, however it is written.
    #[inline]
    fn integer<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let result = match self.short_integer() {
            Some(number) if number < 0 => visitor.visit_i64(number),
            Some(number) => visitor.visit_u64(number.unsigned_abs()),
            None => return self.long_integer(visitor),
        };
        self.here(result)
    }

    fn long_integer<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.value.value();
        let result = if let Some(number) = value.as_u64() {
            visitor.visit_u64(number)
        } else if let Some(number) = value.as_i64() {
            visitor.visit_i64(number)
        } else {
            return self.mismatch(&visitor);
        };
        self.here(result)
    }

    /// A number written with up to 18 digits, as nearly all whole ones are; `-0` is none.
    #[inline]
    fn short_integer(&self) -> Option<i64> {
        if self.value.kind() != EntryKind::Integer {
            return None;
        }
        let (negative, digits) = match self.value.bytes() {
            [b'-', rest @ ..] => (true, rest),
            all => (false, all),
        };
        if digits.is_empty() || digits.len() > 18 || (negative && digits == b"0") {
            return None;
        }
        let number = digits
            .iter()
            .fold(0i64, |sum, digit| sum * 10 + i64::from(digit & 0xF));
        Some(if negative { -number } else { number })
    }

    /// A number for who takes any: exact if it is written as an integer that fits 64 bits, else
    /// the nearest double, as `serde_json` reads it.
    fn number<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if let Some(number) = self.short_integer() {
            return self.here(if number < 0 {
                visitor.visit_i64(number)
            } else {
                visitor.visit_u64(number.unsigned_abs())
            });
        }
        let value = self.value.value();
        let integral = value.is_integer_text() && value.as_number() != Some("-0");
        let result = if let Some(number) = value.as_u64().filter(|_| integral) {
            visitor.visit_u64(number)
        } else if let Some(number) = value.as_i64().filter(|_| integral) {
            visitor.visit_i64(number)
        } else if let Some(number) = value.as_f64() {
            visitor.visit_f64(number)
        } else {
            return self.mismatch(&visitor);
        };
        self.here(result)
    }
}

/// Whole numbers, however they are written.
macro_rules! integers {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.integer(visitor)
        }
    )*};
}

impl<'s, 'd, 'de, L: Lend<'d, 'de>> de::Deserializer<'de> for Reader<'s, 'd, L> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value.kind() {
            EntryKind::Null => self.deserialize_unit(visitor),
            EntryKind::False | EntryKind::True => self.deserialize_bool(visitor),
            EntryKind::Integer | EntryKind::Float => self.number(visitor),
            EntryKind::String => self.string(visitor),
            EntryKind::Array => self.array(visitor),
            EntryKind::Object => self.object(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value.kind() {
            EntryKind::False => self.here(visitor.visit_bool(false)),
            EntryKind::True => self.here(visitor.visit_bool(true)),
            _ => self.mismatch(&visitor),
        }
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.value.value();
        let text = value.as_number().unwrap_or_default();
        match value.as_i128().or_else(|| text.parse().ok()) {
            Some(number) => self.here(visitor.visit_i128(number)),
            None => self.mismatch(&visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.value.value();
        let text = value.as_number().unwrap_or_default();
        let small = value
            .as_i128()
            .and_then(|number| u128::try_from(number).ok());
        match small.or_else(|| text.parse().ok()) {
            Some(number) => self.here(visitor.visit_u128(number)),
            None => self.mismatch(&visitor),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        // Read as what it becomes, since rounding twice can give a neighbour.
        match (self.value.value())
            .as_number()
            .and_then(|text| text.parse::<f32>().ok())
        {
            Some(number) if number.is_finite() => self.here(visitor.visit_f32(number)),
            _ => self.mismatch(&visitor),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value.value().as_f64() {
            Some(number) => self.here(visitor.visit_f64(number)),
            None => self.mismatch(&visitor),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.string(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.string(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.string(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.kind() != EntryKind::String {
            return self.array(visitor);
        }
        self.here(match self.lender.text(&self.value) {
            Lent::Long(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            Lent::Short(Cow::Borrowed(text)) => visitor.visit_bytes(text.as_bytes()),
            Lent::Short(Cow::Owned(text)) => visitor.visit_byte_buf(text.into_bytes()),
        })
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.kind() == EntryKind::Null {
            self.here(visitor.visit_none())
        } else {
            self.here(visitor.visit_some(self))
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.kind() == EntryKind::Null {
            self.here(visitor.visit_unit())
        } else {
            self.mismatch(&visitor)
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.here(visitor.visit_newtype_struct(self))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.array(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.array(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.array(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.object(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.value.kind() {
            EntryKind::Array => self.array(visitor),
            _ => self.object(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let reader = match self.value.kind() {
            EntryKind::String => EnumReader::word(self.value, self.lender),
            EntryKind::Object => match EnumReader::object(&self.value, self.lender, self.deeper()?)
            {
                Some(reader) => reader,
                None => {
                    let found = Unexpected::Map;
                    let expected = &"an object with the variant as its only member";
                    return self.here(Err(de::Error::invalid_value(found, expected)));
                }
            },
            _ => return self.mismatch(&visitor),
        };
        self.here(visitor.visit_enum(reader))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }
}
