//! Reading and writing of one object member: `null` is the same as an absent member.
//!
//! A member is read in place. The objects of a stream are large and mostly empty, so moving them
//! would cost more than reading them.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap};
use serde_json::Number;
use serde_json::value::RawValue;

use crate::object::{IntoList, IntoOption, Object};
use crate::raw::Raw;

/// A type that can be a known member of an object.
pub(crate) trait Field<'de>: Default {
    /// Reads the value of the last name.
    fn read<A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error>;
}

/// A member that can be written; an absent one writes nothing.
pub(crate) trait Write {
    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error>;
}

impl<T: Serialize> Write for Option<T> {
    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        match self {
            Some(value) => map.serialize_entry(name, value),
            None => Ok(()),
        }
    }
}

impl<T: Serialize> Write for Vec<T> {
    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry(name, self)
    }
}

impl Write for String {
    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry(name, self)
    }
}

/// Implements [`Field`] for members that serde reads directly.
macro_rules! plain {
    ($($type:ty),+ $(,)?) => {$(
        impl<'de> $crate::field::Field<'de> for Option<$type> {
            fn read<A: serde::de::MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error> {
                *self = map.next_value()?;
                Ok(())
            }
        }
    )+};
}
pub(crate) use plain;

plain!(String, bool, f64, i64, u64, u32, Number);

impl<'de> Field<'de> for String {
    fn read<A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error> {
        *self = map.next_value::<Option<Self>>()?.unwrap_or_default();
        Ok(())
    }
}

/// Reads the text itself: through `Option`, serde would read `null` as `None` before the text is
/// seen.
impl<'de> Field<'de> for Option<Raw> {
    fn read<A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error> {
        let raw: Raw = map.next_value()?;
        *self = (!raw.is_null()).then_some(raw);
        Ok(())
    }
}

impl<'de> Field<'de> for Option<&'de RawValue> {
    fn read<A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error> {
        let raw: &RawValue = map.next_value()?;
        *self = (raw.get() != "null").then_some(raw);
        Ok(())
    }
}

impl<'de> Field<'de> for Option<Cow<'de, str>> {
    fn read<A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error> {
        let text: Option<Text<'de>> = map.next_value()?;
        *self = text.map(|text| text.0);
        Ok(())
    }
}

impl<'de, T: Object<'de>> Field<'de> for Option<Box<T>> {
    fn read<A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error> {
        let mut object = None;
        map.next_value_seed(IntoOption(&mut object))?;
        *self = object.map(Box::new);
        Ok(())
    }
}

impl<'de, T: Object<'de>> Field<'de> for Option<Vec<T>> {
    fn read<A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error> {
        map.next_value_seed(IntoList(self))
    }
}

impl<'de, T: Object<'de>> Field<'de> for Vec<T> {
    fn read<A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error> {
        let mut list = None;
        map.next_value_seed(IntoList(&mut list))?;
        *self = list.unwrap_or_default();
        Ok(())
    }
}

/// A string, borrowed if it has no escapes.
pub(crate) struct Text<'de>(pub(crate) Cow<'de, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text)))
    }
}
