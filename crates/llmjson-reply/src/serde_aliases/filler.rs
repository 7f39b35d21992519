//! A deserializer that provides a minimal value for most types.

use std::iter::{RepeatN, empty, repeat_n};

use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::probe::Stop;

/// The maximum nesting depth of values.
const DEPTH_MAX: usize = 32;

/// Provides a value of any type.
#[derive(Clone, Copy)]
pub(super) struct Filler {
    text: &'static str,
    depth: usize,
}

impl Filler {
    /// Creates a deserializer with the given text as every string.
    pub(super) fn of(text: &'static str) -> Self {
        Self {
            text,
            depth: DEPTH_MAX,
        }
    }

    fn deeper(self) -> Result<Self, Stop> {
        let depth = self.depth.checked_sub(1).ok_or(Stop::Done)?;
        Ok(Self { depth, ..self })
    }

    fn parts(self, len: usize) -> Result<SeqDeserializer<RepeatN<Self>, Stop>, Stop> {
        Ok(SeqDeserializer::new(repeat_n(self.deeper()?, len)))
    }
}

impl IntoDeserializer<'_, Stop> for Filler {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Every number is 1, which is valid for types such as `NonZeroU8`.
macro_rules! numbers {
    ($($method:ident $visit:ident $number:expr,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
            visitor.$visit($number)
        }
    )*};
}

impl<'de> Deserializer<'de> for Filler {
    type Error = Stop;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_str(self.text)
    }

    numbers! {
        deserialize_bool visit_bool true,
        deserialize_i8 visit_i8 1,
        deserialize_i16 visit_i16 1,
        deserialize_i32 visit_i32 1,
        deserialize_i64 visit_i64 1,
        deserialize_i128 visit_i128 1,
        deserialize_u8 visit_u8 1,
        deserialize_u16 visit_u16 1,
        deserialize_u32 visit_u32 1,
        deserialize_u64 visit_u64 1,
        deserialize_u128 visit_u128 1,
        deserialize_f32 visit_f32 1.0,
        deserialize_f64 visit_f64 1.0,
        deserialize_char visit_char '1',
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_none()
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        visitor.visit_newtype_struct(self.deeper()?)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_seq(self.parts(0)?)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_seq(self.parts(len)?)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        visitor.visit_seq(self.parts(len)?)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        self.deeper()?;
        visitor.visit_map(MapDeserializer::new(empty::<(Self, Self)>()))
    }

    /// Provides a sequence, as the names of `fields` may be aliases.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        visitor.visit_seq(self.parts(fields.len())?)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        let name = variants.first().ok_or(Stop::Done)?;
        let inner = self.deeper()?;
        visitor.visit_enum(Variant { name, inner })
    }

    forward_to_deserialize_any! {
        str string bytes byte_buf identifier ignored_any
    }
}

/// The first variant of an enum.
struct Variant {
    name: &'static str,
    inner: Filler,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Stop;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Stop> {
        let variant = seed.deserialize(StrDeserializer::new(self.name))?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Variant {
    type Error = Stop;

    fn unit_variant(self) -> Result<(), Stop> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Stop> {
        seed.deserialize(self.inner)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_seq(self.inner.parts(len)?)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        visitor.visit_seq(self.inner.parts(fields.len())?)
    }
}
