//! What came of a case, for people to read: the text of its outcome.

use std::fmt::{self, Write as _};

use llmjson::{
    Parsed,
    report::{Coercion, FormatNote, Found, Violation},
    syntax::Class,
};

use crate::case::Case;

/// Records beyond these are only counted.
const RECORDS_SHOWN: usize = 30;

/// Everything that a caller can see of a reply.
pub(crate) fn outcome(case: &Case) -> String {
    let parsed = case.parse();
    let text = |span: llmjson::syntax::Span| &case.text[span.range()];
    let mut out = String::new();
    let value = parsed.to_json().unwrap_or_else(|| "none".to_owned());
    writeln!(out, "value: {value}").unwrap();
    writeln!(out, "complete: {}", parsed.is_complete()).unwrap();
    if let Some(limit) = parsed.document().limit() {
        writeln!(out, "limit: {limit}").unwrap();
    }
    let repairs = parsed.repairs().iter().map(|repair| {
        let (at, kind) = (repair.span.start, repair.kind);
        let class = unusual(repair.class, kind.class());
        format!("{kind}{class} at {at} {:?}", text(repair.span))
    });
    list(&mut out, "repairs", repairs);
    let notes = parsed.notes().iter().map(|note| {
        let (at, kind) = (note.span.start, note.kind);
        let class = unusual(note.class, Class::Certain);
        format!("{}{class} at {at} {:?}", kind.name(), text(note.span))
    });
    let formats = parsed.format_notes().iter().map(|note| {
        let (name, at) = (FormatNote::NAME, note.span.start);
        let (path, expected) = (&note.path, &note.expected);
        format!("{name} at {at} {:?}, {path}: {expected}", text(note.span))
    });
    let notes: Vec<_> = notes.chain(formats).collect();
    list(&mut out, "notes", notes.into_iter());
    list(
        &mut out,
        "coercions",
        parsed.coercions().iter().map(|one| coercion(&parsed, one)),
    );
    list(
        &mut out,
        "violations",
        parsed
            .violations()
            .iter()
            .map(|one| violation(&parsed, one)),
    );
    let refused = parsed.refused().iter();
    list(
        &mut out,
        "refused",
        refused
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .into_iter(),
    );
    if !parsed.conforms() {
        let failure = parsed.into_failure();
        writeln!(
            out,
            "failure: {failure}\nfeedback:\n{}",
            failure.feedback(None)
        )
        .unwrap();
    }
    out
}

/// The class of a record, where it is not the usual one of its kind.
fn unusual(class: Class, usual: Class) -> String {
    if class == usual {
        String::new()
    } else {
        format!(" ({class})")
    }
}

fn coercion(parsed: &Parsed<'_>, coercion: &Coercion) -> String {
    let Coercion {
        kind,
        class,
        path,
        before,
        after,
        violations,
        ..
    } = coercion;
    let class = unusual(*class, kind.class());
    let json = |id| parsed.document().node(id).to_json();
    let after = after.map_or_else(|| "nothing".to_owned(), json);
    let mut shown = format!("{kind}{class} {path}: {} -> {after}", json(*before));
    for one in violations {
        write!(shown, "\n    for {}", violation(parsed, one)).unwrap();
    }
    shown
}

fn violation(parsed: &Parsed<'_>, violation: &Violation) -> String {
    let Violation {
        path,
        expected,
        found,
        keyword,
        schema,
        ..
    } = violation;
    let found = match found {
        Found::Value(id) => parsed.document().node(*id).to_json(),
        Found::Missing => "nothing".to_owned(),
    };
    format!("{keyword} {path}: {expected}, found {found}, by #{schema}")
}

fn list(out: &mut String, title: &str, records: impl ExactSizeIterator<Item: fmt::Display>) {
    let more = records.len().saturating_sub(RECORDS_SHOWN);
    if records.len() > 0 {
        writeln!(out, "{title}:").unwrap();
    }
    for record in records.take(RECORDS_SHOWN) {
        writeln!(out, "  {record}").unwrap();
    }
    if more > 0 {
        writeln!(out, "  and {more} more").unwrap();
    }
}
