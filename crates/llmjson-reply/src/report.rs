//! The report of a reply, for programs and logs: everything that [`Parsed`] tells, as one value that
//! can be serialized, and the records that it consists of.

mod limits;
mod positions;

pub use limits::ReachedLimit;
pub use llmjson_schema::{
    Coercion, CoercionKind, FormatNote, Found, JsonValue, Meant, NameMatch, Path, Refusal,
    SharedText, Step, Violation,
};
pub use llmjson_syntax::{Class, LineIndex, Note, NoteKind, Position, Repair, RepairKind, Span};

use std::fmt;

use llmjson_syntax::{Document, Limits, NodeId, ObjectWriter, Parser};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::reply::Parsed;
use positions::Positions;

/// Length beyond which texts and numbers are not repeated in the record of a change.
const SHOWN_BYTES_MAX: usize = 1_000;

/// The report of a reply, for serialization: what `llmjson parse --report` prints, with the same
/// members in the same order.
///
/// | member | |
/// |---|---|
/// | `ok` | whether the value [conforms](Parsed::conforms) |
/// | `complete` | whether the text [was whole](Parsed::is_complete) |
/// | `certainty` | the name of the [certainty](Parsed::certainty); null without a value |
/// | `value` | the value; null without one |
/// | `repairs` | `kind`, `class`, `start`, `end`, `line`, `column`, `sentence` of each |
/// | `notes` | the same; of [formats](Parsed::format_notes) also `path` and `expected` |
/// | `coercions` | `kind`, `class`, `path`, the types `from` and `to`, `before`, `after`, `sentence` of each; `violations` where a value was left out for them |
/// | `violations` | `path`, `expected`, `found` (a type or `undefined`), `value`, `keyword`, `schema`, `description` of each |
/// | `refused` | what the policy does not allow, as notes without `class`; not there if it allows everything |
/// | `limits` | `name` and `sentence` of each [limit that was reached](Parsed::limits_reached); not there if none was |
///
/// `start` and `end` count bytes of the text from 0, `line` and `column` characters from 1. `to`,
/// `before`, `after`, `value` of a violation and `description` are there where they are known;
/// containers and texts longer than 1,000 bytes are not repeated.
///
/// Integers that fit 64 bits are serialized as such, and other numbers as the nearest double; the text of
/// a number that no double is near to is serialized as a string. Of members with the same name the last
/// counts. A value that nests deeper than 512 levels is an error of the serializer.
#[derive(Clone, Copy, Debug)]
pub struct Report<'p> {
    document: &'p Document<'p>,
    coercions: &'p [Coercion],
    violations: &'p [Violation],
    refused: &'p [Refusal],
    format_notes: &'p [FormatNote],
    complete: bool,
}

impl Parsed<'_> {
    /// Returns every limit that was reached, each once: one that left no value, one beyond which reading
    /// or checking went on without looking closely, or one on what is recorded.
    #[must_use]
    pub fn limits_reached(&self) -> Vec<ReachedLimit> {
        limits::reached(self.document(), self.coercions(), self.violations())
    }

    /// Returns the report of the reply, as a value to serialize.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// let parsed = llmjson::parse("{city: 'Oslo'", None);
    /// let report = serde_json::to_value(parsed.report())?;
    /// assert_eq!(report["value"]["city"], "Oslo");
    /// assert_eq!(report["complete"], false);
    /// assert_eq!(report["repairs"][0]["kind"], "unquoted_key");
    /// assert_eq!(report["repairs"][0]["column"], 2);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn report(&self) -> Report<'_> {
        Report {
            document: self.document(),
            coercions: self.coercions(),
            violations: self.violations(),
            refused: self.refused(),
            format_notes: self.format_notes(),
            complete: self.is_complete(),
        }
    }
}

impl<'p> Report<'p> {
    /// Returns the report of a document that is complete with these records.
    #[doc(hidden)]
    #[must_use]
    pub fn of(
        document: &'p Document<'p>,
        coercions: &'p [Coercion],
        violations: &'p [Violation],
        refused: &'p [Refusal],
    ) -> Self {
        Self {
            document,
            coercions,
            violations,
            refused,
            format_notes: &[],
            complete: true,
        }
    }

    /// Sets whether the text of the value was whole.
    #[doc(hidden)]
    #[must_use]
    pub fn with_complete(self, complete: bool) -> Self {
        Self { complete, ..self }
    }

    /// Adds notes about formats.
    #[doc(hidden)]
    #[must_use]
    pub fn with_format_notes(self, format_notes: &'p [FormatNote]) -> Self {
        Self {
            format_notes,
            ..self
        }
    }

    /// Returns the report as JSON, with every digit of its numbers.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// let parsed = llmjson::parse("12.50", None);
    /// assert!(parsed.report().to_json().contains(r#""certainty":"certain","value":12.50,"#));
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let document = self.document;
        let places = Positions::of(document, self.refused, self.format_notes);
        let has_value = document.root().is_some();
        let conforms = has_value && self.violations.is_empty() && self.refused.is_empty();
        let mut out = String::new();
        let mut object = ObjectWriter::open(&mut out);
        object.boolean("ok", conforms);
        object.boolean("complete", self.complete);
        match document.root() {
            Some(root) => {
                object.text("certainty", self.certainty().name());
                root.write_json(object.member("value"));
            }
            None => {
                object.member("certainty").push_str("null");
                object.member("value").push_str("null");
            }
        }
        places.write_repairs(document.repairs(), &mut object);
        places.write_notes(document.notes(), self.format_notes, &mut object);
        object.list("coercions", self.coercions, |coercion, out| {
            write_coercion(coercion, document, out);
        });
        object.list("violations", self.violations, |violation, out| {
            write_violation(violation, document, out);
        });
        if !self.refused.is_empty() {
            places.write_list("refused", self.refused, &mut object, |refusal| {
                (refusal.name(), refusal.span(), refusal.sentence())
            });
        }
        let limits = limits::reached(document, self.coercions, self.violations);
        if !limits.is_empty() {
            object.list("limits", &limits, |limit, out| {
                let mut object = ObjectWriter::open(out);
                object.text("name", limit.name);
                object.text("sentence", &limit.sentence);
                object.close();
            });
        }
        object.close();
        out
    }

    /// Writes the member `repairs` alone.
    #[doc(hidden)]
    pub fn write_repairs(&self, object: &mut ObjectWriter<'_>) {
        Positions::of(self.document, self.refused, &[])
            .write_repairs(self.document.repairs(), object);
    }

    /// Returns how sure the value is: the least sure of its repairs, notes and coercions.
    #[must_use]
    pub fn certainty(&self) -> Class {
        let formats = self.format_notes.iter().map(|_| FormatNote::CLASS);
        let coercions = self.coercions.iter().map(|coercion| coercion.class);
        formats
            .chain(coercions)
            .fold(self.document.certainty(), Class::max)
    }
}

/// Writes the report as JSON.
impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json())
    }
}

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_json(&self.to_json(), serializer)
    }
}

/// Serializes the text of an object, member by member.
#[doc(hidden)]
pub fn serialize_json<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
    let written = Parser::new().with_limits(UNLIMITED).parse(text);
    let Some(members) = written.root().map(|root| root.members()) else {
        return Err(S::Error::custom("the report is too long"));
    };
    to.collect_map(members.map(|(name, member)| (name, JsonValue::of(member))))
}

/// Limits for reading JSON that was written here, however long or deep.
const UNLIMITED: Limits = Limits::DEFAULT
    .with_input_bytes(u32::MAX - 1)
    .with_depth(u32::MAX);

fn write_coercion(coercion: &Coercion, document: &Document<'_>, out: &mut String) {
    let mut object = ObjectWriter::open(out);
    object.text("kind", coercion.kind.name());
    object.text("class", coercion.class.name());
    object.text("path", &coercion.path.to_string());
    object.text("from", document.value(coercion.before).kind().name());
    if let Some(after) = coercion.after {
        object.text("to", document.value(after).kind().name());
    }
    write_scalar("before", Some(coercion.before), document, &mut object);
    write_scalar("after", coercion.after, document, &mut object);
    object.text("sentence", coercion.kind.sentence());
    if !coercion.violations.is_empty() {
        object.list("violations", &coercion.violations, |violation, out| {
            write_violation(violation, document, out);
        });
    }
    object.close();
}

fn write_violation(violation: &Violation, document: &Document<'_>, out: &mut String) {
    let mut object = ObjectWriter::open(out);
    object.text("path", &violation.path.to_string());
    object.text("expected", &violation.expected);
    match violation.found {
        Found::Value(found) => {
            object.text("found", document.value(found).kind().name());
            write_scalar("value", Some(found), document, &mut object);
        }
        Found::Missing => object.text("found", "undefined"),
    }
    object.text("keyword", violation.keyword);
    object.text("schema", &violation.schema);
    if let Some(description) = &violation.description {
        object.text("description", description);
    }
    object.close();
}

/// Writes a short value that holds no others. Containers would be repeated for each change inside
/// them.
fn write_scalar(
    name: &str,
    value: Option<NodeId>,
    document: &Document<'_>,
    object: &mut ObjectWriter<'_>,
) {
    let Some(value) = value.map(|id| document.value(id)) else {
        return;
    };
    let length = value.as_str().map_or(0, |text| text.len());
    if value.is_empty() && length <= SHOWN_BYTES_MAX {
        value.write_json(object.member(name));
    }
}

#[cfg(test)]
mod tests;
