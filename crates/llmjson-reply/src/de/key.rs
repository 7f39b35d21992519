//! Map keys read from member names: strings, and numbers, booleans and enums spelled as strings.

use llmjson_syntax::cursor::Entry;
use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeSeed, EnumAccess, Unexpected, VariantAccess, Visitor};

use super::error::Error;
use super::lend::Lend;

/// Passes a key to serde.
pub(super) struct KeyReader<'s, 'd, L> {
    pub(super) member: Entry<'s, 'd>,
    pub(super) lender: L,
}

/// Implements the methods for numbers in their usual spelling.
macro_rules! numbers {
    ($($method:ident $visit:ident $number:ty,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            let text = self.member.name();
            match text.parse::<$number>() {
                // `+1`, `01` and `infinity` are not JSON numbers.
                Ok(number) if number.to_string() == *text => visitor.$visit(number),
                _ => Err(de::Error::invalid_type(Unexpected::Str(&text), &visitor)),
            }
        }
    )*};
}

impl<'s, 'd, 'de, L: Lend<'d, 'de>> de::Deserializer<'de> for KeyReader<'s, 'd, L> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.lender.name(&self.member).visit(visitor)
    }

    numbers! {
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32, deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128, deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64, deserialize_u128 visit_u128 u128,
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let text = self.member.name();
        match serde_json::from_str::<f64>(&text) {
            Ok(number) => visitor.visit_f64(number),
            Err(_) => Err(de::Error::invalid_type(Unexpected::Str(&text), &visitor)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &*self.member.name() {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            text => Err(de::Error::invalid_type(Unexpected::Str(text), &visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

impl<'s, 'd, 'de, L: Lend<'d, 'de>> EnumAccess<'de> for KeyReader<'s, 'd, L> {
    type Error = Error;
    type Variant = NoContent;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, NoContent), Error> {
        let name = self.member.name();
        Ok((seed.deserialize(StrDeserializer::new(&name))?, NoContent))
    }
}

/// The content of a variant that is a key: none.
pub(super) struct NoContent;

impl NoContent {
    fn missing<T>(expected: &str) -> Result<T, Error> {
        Err(de::Error::invalid_type(Unexpected::UnitVariant, &expected))
    }
}

impl<'de> VariantAccess<'de> for NoContent {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Error> {
        Self::missing("a variant without content")
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Self::missing("a variant without content")
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        Self::missing("a variant without content")
    }
}
