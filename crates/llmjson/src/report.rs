//! The report of a reply, for programs and logs: everything that [`Parsed`] tells, as one value that
//! can be serialized, the records that it consists of, and observers that are told of each reply.

mod observe;
mod places;

pub use llmjson_schema::{
    Coercion, CoercionKind, Found, JsonValue, Meant, NameMatch, Path, Refusal, SharedText, Step,
    Violation,
};
pub use llmjson_syntax::{Class, LineIndex, Note, NoteKind, Position, Repair, RepairKind, Span};
pub use observe::{Observation, Observer, Outcome, RetryEvent, RetryStep};

pub(crate) use observe::About;
#[cfg(feature = "tracing")]
pub(crate) use observe::{trace, trace_retry};

use llmjson_syntax::{Document, NodeId};
use serde::ser::{Serialize, Serializer};

use crate::reply::Parsed;
use places::{Place, Places};

/// Longer texts and numbers are not repeated in the record of a change.
const SHOWN_BYTES_MAX: usize = 1_000;

/// Everything that came of a reply, to be serialized: what `llmjson parse --report` prints, with the
/// same members in the same order.
///
/// | member | |
/// |---|---|
/// | `ok` | whether the value [conforms](Parsed::conforms) |
/// | `complete` | whether the text [was whole](Parsed::is_complete) |
/// | `certainty` | the name of the [certainty](Parsed::certainty); null without a value |
/// | `value` | the value; null without one |
/// | `repairs` | `kind`, `class`, `start`, `end`, `line`, `column`, `sentence` of each |
/// | `notes` | the same without `class` |
/// | `coercions` | `kind`, `class`, `path`, the types `from` and `to`, `before`, `after`, `sentence` of each |
/// | `violations` | `path`, `expected`, `found` (a type or `undefined`), `value`, `keyword`, `schema`, `description` of each |
/// | `refused` | what the policy does not allow, as notes; not there if it allows everything |
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
    parsed: &'p Parsed<'p>,
}

impl Parsed<'_> {
    /// Returns everything that came of the reply as a value to serialize.
    ///
    /// ```
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
        Report { parsed: self }
    }
}

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parsed = self.parsed;
        let document = parsed.document();
        let places = Places::of(document, parsed.refused());
        let value = parsed.value();
        let refused = parsed.refused();
        Members {
            ok: parsed.conforms(),
            complete: parsed.is_complete(),
            certainty: value.map(|_| parsed.certainty().name()),
            value: value.map(JsonValue::of),
            repairs: Records(parsed.repairs(), |repair: &Repair| {
                RepairRecord::of(repair, &places)
            }),
            notes: Records(parsed.notes(), |note: &Note| PlaceRecord {
                kind: note.kind.name(),
                place: places.place(note.span),
                sentence: note.kind.sentence(),
            }),
            coercions: Records(parsed.coercions(), |coercion: &Coercion| {
                CoercionRecord::of(coercion, document)
            }),
            violations: Records(parsed.violations(), |violation: &Violation| {
                ViolationRecord::of(violation, document)
            }),
            refused: (!refused.is_empty()).then_some(Records(refused, |refusal: &Refusal| {
                PlaceRecord {
                    kind: refusal.name(),
                    place: places.place(refusal.span()),
                    sentence: refusal.sentence(),
                }
            })),
        }
        .serialize(serializer)
    }
}

#[derive(serde::Serialize)]
struct Members<'p, Repairs, Notes, Coercions, Violations, Refused> {
    ok: bool,
    complete: bool,
    certainty: Option<&'static str>,
    value: Option<JsonValue<'p>>,
    repairs: Repairs,
    notes: Notes,
    coercions: Coercions,
    violations: Violations,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<Refused>,
}

/// Records that are made one by one while they are serialized.
struct Records<'p, T, F>(&'p [T], F);

impl<T, R: Serialize, F: Fn(&T) -> R> Serialize for Records<'_, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(&self.1))
    }
}

#[derive(serde::Serialize)]
struct RepairRecord {
    kind: &'static str,
    class: &'static str,
    start: u32,
    end: u32,
    line: usize,
    column: usize,
    sentence: &'static str,
}

impl RepairRecord {
    fn of(repair: &Repair, places: &Places) -> Self {
        let Place {
            start,
            end,
            line,
            column,
        } = places.place(repair.span);
        Self {
            kind: repair.kind.name(),
            class: repair.class.name(),
            start,
            end,
            line,
            column,
            sentence: repair.kind.sentence(),
        }
    }
}

/// A note or a refusal.
struct PlaceRecord {
    kind: &'static str,
    place: Place,
    sentence: &'static str,
}

impl Serialize for PlaceRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut record = serializer.serialize_struct("Note", 6)?;
        record.serialize_field("kind", self.kind)?;
        record.serialize_field("start", &self.place.start)?;
        record.serialize_field("end", &self.place.end)?;
        record.serialize_field("line", &self.place.line)?;
        record.serialize_field("column", &self.place.column)?;
        record.serialize_field("sentence", self.sentence)?;
        record.end()
    }
}

#[derive(serde::Serialize)]
struct CoercionRecord<'p> {
    kind: &'static str,
    class: &'static str,
    path: String,
    from: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<JsonValue<'p>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<JsonValue<'p>>,
    sentence: &'static str,
}

impl<'p> CoercionRecord<'p> {
    fn of(coercion: &Coercion, document: &'p Document<'_>) -> Self {
        let type_of = |value: NodeId| document.value(value).kind().name();
        Self {
            kind: coercion.kind.name(),
            class: coercion.class.name(),
            path: coercion.path.to_string(),
            from: type_of(coercion.before),
            to: coercion.after.map(type_of),
            before: scalar(document, coercion.before),
            after: coercion.after.and_then(|after| scalar(document, after)),
            sentence: coercion.kind.sentence(),
        }
    }
}

#[derive(serde::Serialize)]
struct ViolationRecord<'p> {
    path: String,
    expected: String,
    found: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<JsonValue<'p>>,
    keyword: &'static str,
    schema: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

impl<'p> ViolationRecord<'p> {
    fn of(violation: &Violation, document: &'p Document<'_>) -> Self {
        let (found, value) = match violation.found {
            Found::Value(found) => {
                let kind = document.value(found).kind();
                (kind.name(), scalar(document, found))
            }
            Found::Missing => ("undefined", None),
        };
        Self {
            path: violation.path.to_string(),
            expected: violation.expected.to_string(),
            found,
            value,
            keyword: violation.keyword,
            schema: violation.schema.to_string(),
            description: violation.description.as_ref().map(ToString::to_string),
        }
    }
}

/// Returns a short value that holds no others. Containers would be repeated for each change inside
/// them.
fn scalar<'p>(document: &'p Document<'_>, value: NodeId) -> Option<JsonValue<'p>> {
    let value = document.value(value);
    let length = value.as_str().map_or(0, |text| text.len());
    (value.is_empty() && length <= SHOWN_BYTES_MAX).then(|| JsonValue::of(value))
}

#[cfg(test)]
mod tests;
