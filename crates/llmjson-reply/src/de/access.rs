//! Access to containers and enums for serde.

use llmjson_schema::Step;
use llmjson_syntax::cursor::{Cursor, Entry, EntryKind};
use serde::de::{
    self, DeserializeSeed, EnumAccess, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};

use super::deserializer::EntryDeserializer;
use super::error::Error;
use super::key::KeyReader;
use super::lend::Lend;

/// The items of an array.
pub(super) struct SeqReader<'s, 'd, L> {
    items: Cursor<'s, 'd>,
    lender: L,
    depth: u32,
    read: usize,
    length: usize,
}

impl<'s, 'd, L: Copy> SeqReader<'s, 'd, L> {
    pub(super) fn new(array: &Entry<'s, 'd>, lender: L, depth: u32) -> Self {
        Self {
            items: array.children(),
            lender,
            depth,
            read: 0,
            length: array.len(),
        }
    }

    /// Fails if not all items were read.
    #[inline]
    pub(super) fn end(&self) -> Result<(), Error> {
        if self.read == self.length {
            return Ok(());
        }
        let expected = format!("{} items", self.read);
        Err(de::Error::invalid_length(self.length, &expected.as_str()))
    }
}

impl<'s, 'd, 'de, L: Lend<'d, 'de>> SeqAccess<'de> for SeqReader<'s, 'd, L> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some(value) = self.items.next() else {
            return Ok(None);
        };
        let index = self.read;
        self.read += 1;
        let reader = EntryDeserializer {
            value,
            lender: self.lender,
            depth: self.depth,
        };
        match seed.deserialize(reader) {
            Ok(value) => Ok(Some(value)),
            Err(mut error) => {
                error.under(Step::Index(u32::try_from(index).unwrap_or(u32::MAX)));
                Err(error)
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.length - self.read)
    }
}

/// The members of an object.
pub(super) struct MapReader<'s, 'd, L> {
    members: Cursor<'s, 'd>,
    lender: L,
    depth: u32,
    read: usize,
    length: usize,
    /// The last key read, until its value is read.
    at: Option<Entry<'s, 'd>>,
}

impl<'s, 'd, L> MapReader<'s, 'd, L> {
    pub(super) fn new(object: &Entry<'s, 'd>, lender: L, depth: u32) -> Self {
        Self {
            members: object.children(),
            lender,
            depth,
            read: 0,
            length: object.len(),
            at: None,
        }
    }

    /// Fails if not all members were read.
    #[inline]
    pub(super) fn end(&self) -> Result<(), Error> {
        if self.read == self.length {
            return Ok(());
        }
        let expected = format!("{} members", self.read);
        Err(de::Error::invalid_length(self.length, &expected.as_str()))
    }
}

#[cold]
fn step(member: &Entry<'_, '_>) -> Step {
    Step::Member(member.name().into())
}

impl<'s, 'd, 'de, L: Lend<'d, 'de>> MapAccess<'de> for MapReader<'s, 'd, L> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some(member) = self.members.next() else {
            return Ok(None);
        };
        self.read += 1;
        self.at = Some(member);
        let reader = KeyReader {
            member,
            lender: self.lender,
        };
        match seed.deserialize(reader) {
            Ok(name) => Ok(Some(name)),
            Err(mut error) => {
                error.within(member.name_span());
                error.under(step(&member));
                Err(error)
            }
        }
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let Some(member) = self.at.take() else {
            return Err(de::Error::custom("the value was requested before its key"));
        };
        let reader = EntryDeserializer {
            value: member,
            lender: self.lender,
            depth: self.depth,
        };
        // Returned directly: moving a large value is expensive.
        let mut result = seed.deserialize(reader);
        if let Err(error) = &mut result {
            error.under(step(&member));
        }
        result
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.length - self.read)
    }
}

/// A variant of an enum: a string, or a member with its name as the key and its content as the
/// value.
pub(super) struct EnumReader<'s, 'd, L> {
    value: Entry<'s, 'd>,
    is_member: bool,
    lender: L,
    depth: u32,
}

impl<'s, 'd, L: Copy> EnumReader<'s, 'd, L> {
    /// A variant without content, written as a string.
    pub(super) fn word(value: Entry<'s, 'd>, lender: L) -> Self {
        Self {
            value,
            is_member: false,
            lender,
            depth: 0,
        }
    }

    /// Returns a variant written as an object with its name as the only key, or nothing for any
    /// other value.
    pub(super) fn object(object: &Entry<'s, 'd>, lender: L, depth: u32) -> Option<Self> {
        let mut members = object.children();
        let value = members.next()?;
        members.next().is_none().then_some(Self {
            value,
            is_member: true,
            lender,
            depth,
        })
    }

    fn reader(&self) -> EntryDeserializer<'s, 'd, L> {
        EntryDeserializer {
            value: self.value,
            lender: self.lender,
            depth: self.depth,
        }
    }

    /// Reads the content; a variant that requires content and has none is an error.
    fn read<T>(
        self,
        expected: &str,
        read: impl FnOnce(EntryDeserializer<'s, 'd, L>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if !self.is_member {
            return Err(de::Error::invalid_type(Unexpected::UnitVariant, &expected));
        }
        read(self.reader()).map_err(|mut error| {
            error.under(step(&self.value));
            error
        })
    }
}

impl<'s, 'd, 'de, L: Lend<'d, 'de>> EnumAccess<'de> for EnumReader<'s, 'd, L> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        if !self.is_member {
            return Ok((seed.deserialize(self.reader())?, self));
        }
        let key = KeyReader {
            member: self.value,
            lender: self.lender,
        };
        let name = seed.deserialize(key).map_err(|mut error| {
            error.within(self.value.name_span());
            error
        })?;
        Ok((name, self))
    }
}

impl<'s, 'd, 'de, L: Lend<'d, 'de>> VariantAccess<'de> for EnumReader<'s, 'd, L> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        if !self.is_member {
            return Ok(());
        }
        self.read("null", <() as de::Deserialize<'de>>::deserialize)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        self.read("a variant with a value", |reader| seed.deserialize(reader))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.read("a variant with items", |reader| reader.array(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.read("a variant with members", |reader| {
            match reader.value.kind() {
                EntryKind::Array => reader.array(visitor),
                _ => reader.object(visitor),
            }
        })
    }
}
