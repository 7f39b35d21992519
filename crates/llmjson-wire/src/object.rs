//! Reading and writing of objects: known members, and extras.
//!
//! The macro [`wire!`] generates these types. This module also has arrays of them, and the paths in
//! errors.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::extras::Extras;

/// A type that is read from an object, in place.
pub(crate) trait Object<'de>: Default {
    fn read_members<A: MapAccess<'de>>(&mut self, map: A) -> Result<(), A::Error>;
}

/// Reads an object into an empty place.
pub(crate) struct Into<'p, T>(pub(crate) &'p mut T);

impl<'de, T: Object<'de>> DeserializeSeed<'de> for Into<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de, T: Object<'de>> Visitor<'de> for Into<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        self.0.read_members(map)
    }
}

/// Reads an object, or `null`, which means none.
pub(crate) struct IntoOption<'p, T>(pub(crate) &'p mut Option<T>);

impl<'de, T: Object<'de>> DeserializeSeed<'de> for IntoOption<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_option(self)
    }
}

impl<'de, T: Object<'de>> Visitor<'de> for IntoOption<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_none<E>(self) -> Result<(), E> {
        *self.0 = None;
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        Into(self.0.insert(T::default())).deserialize(from)
    }
}

/// Reads an array of objects, or `null`, which means none.
pub(crate) struct IntoList<'p, T>(pub(crate) &'p mut Option<Vec<T>>);

impl<'de, T: Object<'de>> DeserializeSeed<'de> for IntoList<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_option(self)
    }
}

impl<'de, T: Object<'de>> Visitor<'de> for IntoList<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_none<E>(self) -> Result<(), E> {
        *self.0 = None;
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let items = self.0.insert(Vec::new());
        loop {
            let index = items.len();
            let item = seq.next_element_seed(NextItem(items));
            if item.map_err(|error| at_index(index, &error))?.is_none() {
                return Ok(());
            }
        }
    }
}

/// Appends an object to an array.
struct NextItem<'p, T>(&'p mut Vec<T>);

impl<'de, T: Object<'de>> DeserializeSeed<'de> for NextItem<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        let items = self.0;
        // Most arrays in a stream have one item, and items are large.
        if items.is_empty() {
            items.reserve_exact(1);
        }
        Into(items.push_mut(T::default())).deserialize(from)
    }
}

/// An array of objects by itself.
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<'de, T: Object<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut list = None;
        IntoList(&mut list).deserialize(from)?;
        Ok(Self(list.unwrap_or_default()))
    }
}

/// The prefix of a message with a path; no message of serde or serde_json begins like this.
const PATH: &str = "at `";

/// Prefixes an error with a member's name: ``at `choices[0].index`: invalid type …``.
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

/// Writes the members that a type does not know, and fails if one has the name of a known member:
/// the text would then have a duplicate key, and a reader would choose one.
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

/// Makes a type from its known members, in the order in which they are written, and extras.
///
/// `field: Type = "name"` declares one member. With `view` before it, the type borrows from the
/// text and can only be read.
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
            /// Members that this type does not know, as received.
            pub extras: $crate::extras::Extras,
        }

        $crate::object::wire!(@read $name, $name, $( $field = $wire, )*);

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap as _;

                $crate::object::check_extras(&self.extras, stringify!($name), &[$( $wire ),*])?;
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

        $crate::object::wire!(@read $name, $name<'de>, $( $field = $wire, )*);
    };
    (@read $name:ident, $whole:ty, $( $field:ident = $wire:literal, )*) => {
        impl<'de> $crate::object::Object<'de> for $whole {
            fn read_members<A: serde::de::MapAccess<'de>>(
                &mut self,
                mut map: A,
            ) -> Result<(), A::Error> {
                while let Some(name) = map.next_key::<$crate::field::Text<'de>>()? {
                    match &*name.0 {
                        $( $wire => $crate::field::Field::read(&mut self.$field, &mut map)
                            .map_err(|error| $crate::object::at($wire, &error))?, )*
                        _ => {
                            let value = map
                                .next_value()
                                .map_err(|error| $crate::object::at(&name.0, &error))?;
                            $crate::extras::Collect::collect(&mut self.extras, name.0, value);
                        }
                    }
                }
                Ok(())
            }
        }

        impl<'de> $crate::field::Field<'de> for Option<$whole> {
            fn read<A: serde::de::MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error> {
                map.next_value_seed($crate::object::IntoOption(self))
            }
        }

        impl<'de> serde::Deserialize<'de> for $whole {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let mut whole = Self::default();
                let seed = $crate::object::Into(&mut whole);
                serde::de::DeserializeSeed::deserialize(seed, from)?;
                Ok(whole)
            }
        }
    };
}
pub(crate) use wire;
