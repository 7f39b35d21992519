//! The report on a reply, for programs and logs: all information of [`Parsed`] as one serializable
//! value, and the records in it.

mod limits;
mod positions;

pub use crate::issue::{Issue, IssueCode};
pub use crate::issues::Issues;
pub use limits::ReachedLimit;
pub use llmjson_schema::{
    Coercion, CoercionKind, FormatNote, Found, Meant, NameMatch, Path, Refusal, Step, Violation,
};

use std::fmt;

use llmjson_syntax::{Class, Document, JsonOut, JsonText, NodeId, ToJson, Truncation};
use serde::ser::{Serialize, Serializer};

use crate::record::serialize_record;
use crate::reply::Parsed;
use positions::Positions;

/// Length beyond which strings and numbers are not repeated in the record of a change.
const SHOWN_BYTES_MAX: usize = 1_000;

/// The serializable report on a reply. `llmjson parse --report` prints it with the same members in
/// the same order.
///
/// | member | |
/// |---|---|
/// | `ok` | whether the value [conforms](Parsed::conforms) |
/// | `complete` | whether the text [was whole](Parsed::is_complete) |
/// | `certainty` | the name of the [certainty](Parsed::certainty); null without a value |
/// | `value` | the value; null without one |
/// | `repairs` | `kind`, `class`, `start`, `end`, `line`, `column`, `sentence` of each; `detail`, the name of a notation that was read |
/// | `notes` | the same without `detail`; of [formats](Parsed::format_notes) also `path` and `expected` |
/// | `coercions` | `kind`, `class`, `path`, the types `from` and `to`, `before`, `after`, `sentence` of each; `violations` where a value was left out for them |
/// | `violations` | `path`, `expected`, `found` (a type or `undefined`), `value`, `keyword`, `schema`, `description` of each |
/// | `refused` | what the policy does not allow, as notes without `class`; not there if it allows everything |
/// | `limits` | `name` and `sentence` of each [limit that was reached](Parsed::limits_reached); not there if none was |
///
/// `start` and `end` are byte offsets from 0; `line` and `column` count characters from 1. `to`,
/// `before`, `after`, `description` and a violation's `value` are present if known; containers and
/// strings longer than 1,000 bytes are left out.
///
/// Integers that fit 64 bits are serialized as integers, other numbers as the nearest double, and
/// numbers too large for a double as strings. The last duplicate key wins. A value nested deeper
/// than 512 levels makes the serializer fail.
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
    /// Returns every limit that was reached, each once: a limit that left no value, one after which
    /// parsing or checking was less thorough, or one on the number of records.
    #[must_use]
    pub fn limits_reached(&self) -> Vec<ReachedLimit> {
        limits::reached(self.document(), self.coercions(), self.violations())
    }

    /// Returns the report on the reply, as a serializable value.
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
    /// Returns the report on a complete document with these records.
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

    /// Sets whether the text of the value was complete.
    #[must_use]
    pub fn with_complete(self, complete: bool) -> Self {
        Self { complete, ..self }
    }

    /// Adds notes about formats.
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
        JsonText::of(self)
    }

    /// Writes only the member `repairs`.
    pub fn write_repairs(&self, out: &mut impl JsonOut) {
        Positions::of(self.document, self.refused, &[]).write_repairs(self.document.repairs(), out);
    }

    /// Returns which part of a truncated value is missing, or `None` if the value is complete.
    #[must_use]
    pub fn truncation(&self) -> Option<Truncation> {
        let cut = || self.document.truncation().unwrap_or(Truncation::Value);
        (!self.complete).then(cut)
    }

    /// Returns how certain the value is: the least certain class of its repairs, notes and
    /// coercions.
    #[must_use]
    pub fn certainty(&self) -> Class {
        let formats = self.format_notes.iter().map(|_| FormatNote::CLASS);
        let coercions = self.coercions.iter().map(|coercion| coercion.class);
        formats
            .chain(coercions)
            .fold(self.document.certainty(), Class::max)
    }
}

impl ToJson for Report<'_> {
    fn put<O: JsonOut>(&self, out: &mut O) {
        let (document, root) = (self.document, self.document.root());
        let places = Positions::of(document, self.refused, self.format_notes);
        let conforms = root.is_some() && self.violations.is_empty() && self.refused.is_empty();
        out.object(|out| {
            out.member("ok", conforms);
            out.member("complete", self.complete);
            out.member("truncation", self.truncation().map(Truncation::name));
            out.member("certainty", root.map(|_| self.certainty().name()));
            out.member("value", root);
            places.write_repairs(document.repairs(), out);
            places.write_notes(document.notes(), self.format_notes, out);
            out.objects("coercions", self.coercions, |coercion, out| {
                write_coercion(coercion, document, out);
            });
            write_violations(self.violations, document, out);
            if !self.refused.is_empty() {
                places.write_list("refused", self.refused, out, |refusal| {
                    (refusal.name(), refusal.span(), refusal.sentence())
                });
            }
            let limits = limits::reached(document, self.coercions, self.violations);
            if !limits.is_empty() {
                out.objects("limits", &limits, |limit, out| {
                    out.member("name", limit.name);
                    out.member("sentence", &limit.sentence);
                });
            }
        });
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
        serialize_record(self, serializer)
    }
}

fn write_coercion(coercion: &Coercion, document: &Document<'_>, out: &mut impl JsonOut) {
    out.member("kind", coercion.kind.name());
    out.member("class", coercion.class.name());
    out.member("path", coercion.path.to_string());
    out.member("from", document.node(coercion.before).kind().name());
    if let Some(after) = coercion.after {
        out.member("to", document.node(after).kind().name());
    }
    write_scalar("before", Some(coercion.before), document, out);
    write_scalar("after", coercion.after, document, out);
    out.member("sentence", coercion.kind.sentence());
    if !coercion.violations.is_empty() {
        write_violations(&coercion.violations, document, out);
    }
}

fn write_violations(violations: &[Violation], document: &Document<'_>, out: &mut impl JsonOut) {
    out.objects("violations", violations, |violation, out| {
        out.member("path", violation.path.to_string());
        out.member("expected", &*violation.expected);
        match violation.found {
            Found::Value(found) => {
                out.member("found", document.node(found).kind().name());
                write_scalar("value", Some(found), document, out);
            }
            Found::Missing => out.member("found", "undefined"),
        }
        out.member("keyword", violation.keyword);
        out.member("schema", &*violation.schema);
        if let Some(description) = &violation.description {
            out.member("description", &**description);
        }
    });
}

/// Writes a short value without children. Containers would be repeated for each change inside them.
fn write_scalar(
    name: &str,
    value: Option<NodeId>,
    document: &Document<'_>,
    out: &mut impl JsonOut,
) {
    let Some(value) = value.map(|id| document.node(id)) else {
        return;
    };
    let length = value.as_str().map_or(0, |text| text.len());
    if value.is_empty() && length <= SHOWN_BYTES_MAX {
        out.member(name, value);
    }
}

#[cfg(test)]
mod tests;
