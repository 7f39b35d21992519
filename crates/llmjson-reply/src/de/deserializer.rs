//! A deserializer for one value of a document.

use std::borrow::Cow;

use llmjson_syntax::Kind;
use llmjson_syntax::cursor::{Entry, EntryKind};
use serde::de::{self, Unexpected, Visitor};

use super::access::{EnumReader, MapReader, SeqReader};
use super::error::Error;
use super::lend::{Lend, Lent};

/// Containers that nest deeper are not entered. Serde takes stack for every level, and how much
/// depends on the types: 128 levels are what `serde_json` allows, too.
const DEPTH_MAX: u32 = 128;

/// Passes a value to serde.
#[derive(Clone, Copy)]
pub(super) struct EntryDeserializer<'s, 'd, L> {
    pub(super) value: Entry<'s, 'd>,
    pub(super) lender: L,
    /// The number of containers around the value.
    pub(super) depth: u32,
}

impl<'s, 'd, L> EntryDeserializer<'s, 'd, L> {
    /// Returns the error that the value is not of the type that the visitor expects.
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

    /// Adds the place to an error that has none yet.
    #[inline(always)]
    fn here<T>(self, mut result: Result<T, Error>) -> Result<T, Error> {
        if let Err(error) = &mut result {
            error.within(self.value.span());
        }
        result
    }

    /// The depth of this container's children.
    fn deeper(self) -> Result<u32, Error> {
        if self.depth == DEPTH_MAX {
            let message = format!("containers nest deeper than {DEPTH_MAX}");
            return self.here(Err(Error::limit(message)));
        }
        Ok(self.depth + 1)
    }
}

impl<'s, 'd, L> EntryDeserializer<'s, 'd, L> {
    fn string<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error>
    where
        L: Lend<'d, 'de>,
    {
        if self.value.kind() != EntryKind::String {
            return self.mismatch(&visitor);
        }
        self.here(self.lender.text(&self.value).visit(visitor))
    }

    pub(super) fn array<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error>
    where
        L: Lend<'d, 'de>,
    {
        if self.value.kind() != EntryKind::Array {
            return self.mismatch(&visitor);
        }
        let mut items = SeqReader::new(&self.value, self.lender, self.deeper()?);
        // Returned directly: moving a large value is expensive.
        let mut result = visitor.visit_seq(&mut items);
        if result.is_ok()
            && let Err(error) = items.end()
        {
            result = Err(error);
        }
        if let Err(error) = &mut result {
            error.within(self.value.span());
        }
        result
    }

    pub(super) fn object<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error>
    where
        L: Lend<'d, 'de>,
    {
        if self.value.kind() != EntryKind::Object {
            return self.mismatch(&visitor);
        }
        let mut members = MapReader::new(&self.value, self.lender, self.deeper()?);
        let mut result = visitor.visit_map(&mut members);
        if result.is_ok()
            && let Err(error) = members.end()
        {
            result = Err(error);
        }
        if let Err(error) = &mut result {
            error.within(self.value.span());
        }
        result
    }

    /// A whole number, in any spelling.
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

    /// Passes a number to a visitor of any type: exactly if it is written as an integer that fits
    /// 64 bits, otherwise as the nearest double, like `serde_json`.
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

/// Implements methods that read their value in the same way, such as all integer types.
macro_rules! alike {
    ($($read:ident: $($method:ident)*;)*) => {$($(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.$read(visitor)
        }
    )*)*};
}

impl<'s, 'd, 'de, L: Lend<'d, 'de>> de::Deserializer<'de> for EntryDeserializer<'s, 'd, L> {
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

    alike! {
        integer: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64;
        string: deserialize_char deserialize_str deserialize_string deserialize_identifier;
        array: deserialize_seq;
        object: deserialize_map;
        deserialize_bytes: deserialize_byte_buf;
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
        // Read as the target type, since rounding twice can give an adjacent value.
        match (self.value.value())
            .as_number()
            .and_then(|text| text.parse::<f32>().ok())
        {
            Some(number) if number.is_finite() => self.here(visitor.visit_f32(number)),
            _ => self.mismatch(&visitor),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value.as_f64() {
            Some(number) => self.here(visitor.visit_f64(number)),
            None => self.mismatch(&visitor),
        }
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
