//! Repairs and notes for serde: the members that reports have, but for lines and columns, which take
//! the text.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use super::repair::{Class, Note, Repair};
use super::span::Span;

/// Writes the stable name.
impl Serialize for Class {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Writes `kind`, `class`, `start`, `end` and `sentence`.
impl Serialize for Repair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { kind, class, span } = *self;
        record(
            "Repair",
            kind.name(),
            class,
            span,
            kind.sentence(),
            serializer,
        )
    }
}

/// Writes `kind`, `class`, `start`, `end` and `sentence`.
impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { kind, class, span } = *self;
        record(
            "Note",
            kind.name(),
            class,
            span,
            kind.sentence(),
            serializer,
        )
    }
}

fn record<S: Serializer>(
    name: &'static str,
    kind: &str,
    class: Class,
    span: Span,
    sentence: &str,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut members = serializer.serialize_struct(name, 5)?;
    members.serialize_field("kind", kind)?;
    members.serialize_field("class", &class)?;
    members.serialize_field("start", &span.start)?;
    members.serialize_field("end", &span.end)?;
    members.serialize_field("sentence", sentence)?;
    members.end()
}
