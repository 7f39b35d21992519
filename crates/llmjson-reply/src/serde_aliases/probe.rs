//! A deserializer that extracts the field names of one struct from a derived `Deserialize`.

use std::cell::RefCell;
use std::fmt;
use std::iter::{once, repeat};

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, Deserialize, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::filler::Filler;

/// The maximum nesting depth of values.
const DEPTH_MAX: usize = 64;

/// The fact about the struct at a path that a probe finds out.
#[derive(Clone, Copy)]
pub(super) enum Question {
    /// All names of its fields, aliases included.
    Fields,
    /// The name of the field with an alias. The text is used for every string in its value.
    FieldName {
        name: &'static str,
        text: &'static str,
    },
}

pub(super) enum ProbeResult {
    /// The names, and the arrays and maps around the struct.
    Fields(&'static [&'static str], Vec<Step>),
    FieldName(&'static str),
}

/// A container around the struct in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// An array.
    Items,
    /// A map.
    Values,
}

pub(super) fn ask<T: Deserialize<'static>>(
    path: &[String],
    question: Question,
) -> Option<ProbeResult> {
    let seen = RefCell::new(Seen::default());
    let probe = Probe {
        path,
        question,
        seen: &seen,
        depth: DEPTH_MAX,
    };
    let error = T::deserialize(probe).err()?;
    let Seen { fields, steps } = seen.into_inner();
    match (question, error, fields) {
        (Question::Fields, _, Some(fields)) => Some(ProbeResult::Fields(fields, steps)),
        (Question::FieldName { .. }, Stop::Duplicate(proper), _) => {
            Some(ProbeResult::FieldName(proper))
        }
        _ => None,
    }
}

/// The reason why deserialization ended, which it always does before there is a value.
#[derive(Debug)]
pub(super) enum Stop {
    /// A duplicate field, with its name.
    Duplicate(&'static str),
    /// Another reason.
    Done,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the probe is done")
    }
}

impl std::error::Error for Stop {}

impl de::Error for Stop {
    fn custom<M: fmt::Display>(_: M) -> Self {
        Self::Done
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::Duplicate(field)
    }
}

#[derive(Default)]
struct Seen {
    fields: Option<&'static [&'static str]>,
    steps: Vec<Step>,
}

/// A value with only the fields on a path.
struct Probe<'p> {
    /// The rest of the path.
    path: &'p [String],
    question: Question,
    seen: &'p RefCell<Seen>,
    depth: usize,
}

impl Probe<'_> {
    fn deeper(mut self) -> Result<Self, Stop> {
        self.depth = self.depth.checked_sub(1).ok_or(Stop::Done)?;
        Ok(self)
    }

    /// Records a container at the end of the path.
    fn through(self, step: Step) -> Result<Self, Stop> {
        if self.path.is_empty() {
            self.seen.borrow_mut().steps.push(step);
        }
        self.deeper()
    }
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = Stop;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Stop> {
        Err(Stop::Done)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        if let [name, path @ ..] = self.path {
            let value = Probe { path, ..self }.deeper()?;
            return visitor.visit_map(MapDeserializer::new(once((name.as_str(), value))));
        }
        match self.question {
            Question::Fields => {
                self.seen.borrow_mut().fields = Some(fields);
                Err(Stop::Done)
            }
            Question::FieldName { name, text } => {
                visitor.visit_map(MapDeserializer::new(repeat((name, Filler::of(text)))))
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_some(self.deeper()?)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        visitor.visit_newtype_struct(self.deeper()?)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_seq(SeqDeserializer::new(once(self.through(Step::Items)?)))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        let entry = (Filler::of(""), self.through(Step::Values)?);
        visitor.visit_map(MapDeserializer::new(once(entry)))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct tuple tuple_struct enum identifier ignored_any
    }
}

impl IntoDeserializer<'_, Stop> for Probe<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
