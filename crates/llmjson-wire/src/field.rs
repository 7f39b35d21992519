//! How one member of an object is read and written.
//!
//! Two rules hold for every member and stand only here: `null` is the same as no member, and an
//! error says the path to where it is. The macro [`wire!`] makes types of such members.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap};
use serde_json::Number;
use serde_json::value::RawValue;

use crate::extras::Extras;
use crate::raw::Raw;

/// What can stand in an object as a member that a type knows.
pub(crate) trait Field<'de>: Default {
    fn read<A: MapAccess<'de>>(map: &mut A) -> Result<Self, A::Error>;
}

/// How such a member is written; nothing is, where there is none.
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

/// Members that serde reads without help.
macro_rules! plain {
    ($($type:ty),+ $(,)?) => {$(
        impl<'de> $crate::field::Field<'de> for Option<$type> {
            fn read<A: serde::de::MapAccess<'de>>(map: &mut A) -> Result<Self, A::Error> {
                map.next_value()
            }
        }
    )+};
}
pub(crate) use plain;

plain!(String, bool, f64, i64, u64, u32, Number);

impl<'de> Field<'de> for String {
    fn read<A: MapAccess<'de>>(map: &mut A) -> Result<Self, A::Error> {
        Ok(map.next_value::<Option<Self>>()?.unwrap_or_default())
    }
}

/// Through `Option`, serde would take `null` for no value before it comes to the text.
impl<'de> Field<'de> for Option<Raw> {
    fn read<A: MapAccess<'de>>(map: &mut A) -> Result<Self, A::Error> {
        let raw: Raw = map.next_value()?;
        Ok((!raw.is_null()).then_some(raw))
    }
}

impl<'de> Field<'de> for Option<&'de RawValue> {
    fn read<A: MapAccess<'de>>(map: &mut A) -> Result<Self, A::Error> {
        let raw: &RawValue = map.next_value()?;
        Ok((raw.get() != "null").then_some(raw))
    }
}

impl<'de> Field<'de> for Option<Cow<'de, str>> {
    fn read<A: MapAccess<'de>>(map: &mut A) -> Result<Self, A::Error> {
        let text: Option<Text<'de>> = map.next_value()?;
        Ok(text.map(|text| text.0))
    }
}

impl<'de, T: Deserialize<'de>> Field<'de> for Option<Box<T>> {
    fn read<A: MapAccess<'de>>(map: &mut A) -> Result<Self, A::Error> {
        map.next_value()
    }
}

impl<'de, T: Deserialize<'de>> Field<'de> for Option<Vec<T>> {
    fn read<A: MapAccess<'de>>(map: &mut A) -> Result<Self, A::Error> {
        let list: Option<List<T>> = map.next_value()?;
        Ok(list.map(|list| list.0))
    }
}

impl<'de, T: Deserialize<'de>> Field<'de> for Vec<T> {
    fn read<A: MapAccess<'de>>(map: &mut A) -> Result<Self, A::Error> {
        Ok(Option::<Self>::read(map)?.unwrap_or_default())
    }
}

/// A list whose errors name the item.
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        loop {
            let item = seq.next_element();
            match item.map_err(|error| at_index(items.len(), &error))? {
                Some(item) => {
                    // Most lists of a stream have one item, and items are large.
                    if items.is_empty() {
                        items.reserve_exact(1);
                    }
                    items.push(item);
                }
                None => return Ok(List(items)),
            }
        }
    }
}

/// A text, borrowed where it has no escapes.
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

/// How a message with a path begins; nothing that serde or serde_json says begins so.
const PATH: &str = "at `";

/// Puts a member's name before what went wrong in it: ``at `choices[0].index`: invalid type …``.
#[cold]
pub(crate) fn at<E: Error>(name: &str, error: &E) -> E {
    let what = error.to_string();
    E::custom(match what.strip_prefix(PATH) {
        Some(rest) if rest.starts_with('[') => format!("{PATH}{name}{rest}"),
        Some(rest) => format!("{PATH}{name}.{rest}"),
        None => format!("{PATH}{name}`: {what}"),
    })
}

#[cold]
fn at_index<E: Error>(index: usize, error: &E) -> E {
    let what = error.to_string();
    E::custom(match what.strip_prefix(PATH) {
        Some(rest) if rest.starts_with('[') => format!("{PATH}[{index}]{rest}"),
        Some(rest) => format!("{PATH}[{index}].{rest}"),
        None => format!("{PATH}[{index}]`: {what}"),
    })
}

/// Writes the members that a type does not know, unless one has the name of a member that it does
/// know: the text would then have two of that name, and who reads it would choose one.
pub(crate) fn check_extras<E: serde::ser::Error>(
    extras: &Extras,
    type_name: &str,
    known: &[&str],
) -> Result<(), E> {
    match extras.iter().find(|(name, _)| known.contains(name)) {
        Some((name, _)) => Err(E::custom(format_args!(
            "extras key {name} collides with {type_name}"
        ))),
        None => Ok(()),
    }
}

/// Makes a type of members that are known, in the order in which they are written, and extras.
///
/// `field: Type = "name"` is one member. With `view` before it, the type borrows from the text and
/// can only be read.
macro_rules! wire {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[$field_meta:meta])* $field:ident: $type:ty = $wire:literal, )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $( $(#[$field_meta])* pub $field: $type, )*
            /// Members that this type does not know, as they came.
            pub extras: $crate::extras::Extras,
        }

        $crate::field::wire!(@read $name, $name, $( $field = $wire, )*);

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap as _;

                $crate::field::check_extras(&self.extras, stringify!($name), &[$( $wire ),*])?;
                #[allow(unused_mut)] // A type may know no member at all.
                let mut map = serializer.serialize_map(None)?;
                $( $crate::field::Write::write(&self.$field, $wire, &mut map)?; )*
                for (name, value) in self.extras.iter() {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    };
    (
        $(#[$meta:meta])*
        view struct $name:ident<$life:lifetime> {
            $( $(#[$field_meta:meta])* $field:ident: $type:ty = $wire:literal, )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Default)]
        pub(crate) struct $name<$life> {
            $( $(#[$field_meta])* pub(crate) $field: $type, )*
            pub(crate) extras: $crate::extras::ExtrasView<$life>,
        }

        $crate::field::wire!(@read $name, $name<'de>, $( $field = $wire, )*);
    };
    (@read $name:ident, $whole:ty, $( $field:ident = $wire:literal, )*) => {
        impl<'de> $crate::field::Field<'de> for Option<$whole> {
            fn read<A: serde::de::MapAccess<'de>>(map: &mut A) -> Result<Self, A::Error> {
                map.next_value()
            }
        }

        impl<'de> serde::Deserialize<'de> for $whole {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                struct Reader;

                impl<'de> serde::de::Visitor<'de> for Reader {
                    type Value = $whole;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(
                        self,
                        mut map: A,
                    ) -> Result<$whole, A::Error> {
                        let mut whole = <$whole>::default();
                        while let Some(name) = map.next_key::<$crate::field::Text<'de>>()? {
                            match &*name.0 {
                                $( $wire => {
                                    whole.$field = $crate::field::Field::read(&mut map)
                                        .map_err(|error| $crate::field::at($wire, &error))?;
                                } )*
                                _ => {
                                    let value = map
                                        .next_value()
                                        .map_err(|error| $crate::field::at(&name.0, &error))?;
                                    $crate::extras::Collect::collect(
                                        &mut whole.extras, name.0, value,
                                    );
                                }
                            }
                        }
                        Ok(whole)
                    }
                }

                from.deserialize_map(Reader)
            }
        }
    };
}
pub(crate) use wire;
