//! Serialization of repairs and notes with serde: the members that reports have, except lines and
//! columns, which need the text.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use super::repair::{Class, Note, Repair};
use super::span::Span;

/// Writes the stable name.
impl Serialize for Class {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Writes `kind`, `class`, `start`, `end`, `detail` if there is one, and `sentence`.
impl Serialize for Repair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            kind,
            class,
            span,
            detail,
        } = *self;
        let mut members =
            serializer.serialize_struct("Repair", 5 + usize::from(detail.is_some()))?;
        put::<S>(&mut members, kind.name(), class, span)?;
        if let Some(detail) = detail {
            members.serialize_field("detail", detail.name())?;
        }
        members.serialize_field("sentence", kind.sentence())?;
        members.end()
    }
}

/// Writes `kind`, `class`, `start`, `end` and `sentence`.
impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { kind, class, span } = *self;
        let mut members = serializer.serialize_struct("Note", 5)?;
        put::<S>(&mut members, kind.name(), class, span)?;
        members.serialize_field("sentence", kind.sentence())?;
        members.end()
    }
}

fn put<S: Serializer>(
    members: &mut S::SerializeStruct,
    kind: &str,
    class: Class,
    span: Span,
) -> Result<(), S::Error> {
    members.serialize_field("kind", kind)?;
    members.serialize_field("class", &class)?;
    members.serialize_field("start", &span.start)?;
    members.serialize_field("end", &span.end)
}
