//! The report of one reply as JSON, for programs: everything, with places as people count them.

use llmjson::{
    report::{Coercion, Found, Position, Span, Violation},
    syntax::{Document, NodeId},
};

use crate::findings::Findings;
use crate::json::Object;

/// Longer texts and numbers are not repeated in the record of a change.
const SHOWN_BYTES_MAX: usize = 1_000;

/// Writes `{"ok", "complete", "certainty", "value", "repairs", "notes", "coercions", "violations"}`, and `refused`
/// where the policy does not allow something.
pub(crate) fn report(findings: &Findings<'_>) -> String {
    let document = &findings.document;
    let places = Places::of(document);
    let mut out = String::new();
    let mut object = Object::open(&mut out);
    object.boolean("ok", findings.conforms());
    object.boolean("complete", findings.complete);
    write_certainty(findings, &mut object);
    write_value(document, object.member("value"));
    write_repairs(document, &places, &mut object);
    object.list("notes", document.notes(), |note, out| {
        let mut object = Object::open(out);
        object.text("kind", note.kind.name());
        places.write(note.span, &mut object);
        object.text("sentence", note.kind.sentence());
        object.close();
    });
    object.list("coercions", &findings.coercions, |coercion, out| {
        write_coercion(coercion, document, out);
    });
    object.list("violations", &findings.violations, |violation, out| {
        write_violation(violation, document, out);
    });
    if !findings.refused.is_empty() {
        object.list("refused", &findings.refused, |refusal, out| {
            let mut object = Object::open(out);
            object.text("kind", refusal.name());
            places.write(refusal.span(), &mut object);
            object.text("sentence", refusal.sentence());
            object.close();
        });
    }
    object.close();
    out
}

/// Writes how sure the value is, `null` if there is none.
pub(crate) fn write_certainty(findings: &Findings<'_>, object: &mut Object<'_>) {
    match findings.value() {
        Some(_) => object.text("certainty", findings.certainty().name()),
        None => object.member("certainty").push_str("null"),
    }
}

/// Writes the value, `null` if there is none.
pub(crate) fn write_value(document: &Document<'_>, out: &mut String) {
    match document.root() {
        Some(root) => root.write_json(out),
        None => out.push_str("null"),
    }
}

/// Writes all that was done to read the text.
pub(crate) fn write_repairs(document: &Document<'_>, places: &Places, object: &mut Object<'_>) {
    object.list("repairs", document.repairs(), |repair, out| {
        let mut object = Object::open(out);
        object.text("kind", repair.kind.name());
        object.text("class", repair.class.name());
        places.write(repair.span, &mut object);
        object.text("sentence", repair.kind.sentence());
        object.close();
    });
}

fn write_coercion(coercion: &Coercion, document: &Document<'_>, out: &mut String) {
    let mut object = Object::open(out);
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
    object.close();
}

fn write_violation(violation: &Violation, document: &Document<'_>, out: &mut String) {
    let mut object = Object::open(out);
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

/// Writes a short value that holds no others. Containers would be written once for each change
/// inside them.
fn write_scalar(
    name: &str,
    value: Option<NodeId>,
    document: &Document<'_>,
    object: &mut Object<'_>,
) {
    let Some(value) = value.map(|id| document.value(id)) else {
        return;
    };
    let length = value.as_str().map_or(0, |text| text.len());
    if value.is_empty() && length <= SHOWN_BYTES_MAX {
        value.write_json(object.member(name));
    }
}

/// Lines and columns of all places of a document, found in one sweep over the text.
pub(crate) struct Places {
    /// In ascending order.
    known: Vec<(u32, Position)>,
}

impl Places {
    pub(crate) fn of(document: &Document<'_>) -> Self {
        let repairs = document.repairs().iter().map(|repair| repair.span.start);
        let notes = document.notes().iter().map(|note| note.span.start);
        let end = u32::try_from(document.text().len()).ok();
        let mut offsets: Vec<u32> = repairs.chain(notes).chain(end).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let mut known = Vec::with_capacity(offsets.len());
        let mut place = Position { line: 1, column: 1 };
        let mut from = 0;
        for offset in offsets {
            let text = document.text();
            let mut end = (offset as usize).min(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            for character in text.get(from..end).unwrap_or_default().chars() {
                if character == '\n' {
                    place = Position {
                        line: place.line + 1,
                        column: 1,
                    };
                } else {
                    place.column += 1;
                }
            }
            from = from.max(end);
            known.push((offset, place));
        }
        Self { known }
    }

    /// The line and column of a place that has a record.
    pub(crate) fn position(&self, offset: u32) -> Position {
        let found = self
            .known
            .binary_search_by_key(&offset, |(known, _)| *known);
        found.map_or(Position { line: 1, column: 1 }, |index| self.known[index].1)
    }

    fn write(&self, span: Span, object: &mut Object<'_>) {
        let place = self.position(span.start);
        object.number("start", span.start);
        object.number("end", span.end);
        object.number("line", place.line as u64);
        object.number("column", place.column as u64);
    }
}
