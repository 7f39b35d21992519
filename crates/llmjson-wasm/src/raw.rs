//! Reading and repairing without a schema.

use llmjson_syntax::{
    Document, Edit, LineIndex, ObjectWriter, Span, Unfinished, parse, write_string,
};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer;

/// Reads a text: see `answer`.
#[wasm_bindgen]
#[must_use]
pub fn raw_read(text: &str) -> String {
    let document = parse(text);
    let root = document.root();
    let complete = document.is_complete();
    let json = root.map(|root| root.to_json());
    answer(json.is_some(), complete, document.certainty(), json)
}

fn unfinished(complete: bool) -> Unfinished {
    match complete {
        true => Unfinished::Complete,
        false => Unfinished::Drop,
    }
}

/// Returns the text as strict JSON behind a `+`; without a value, an offset and why behind a `-`. A text
/// without JSON in it is a string where that is asked for.
#[wasm_bindgen]
#[must_use]
pub fn raw_repair(text: &str, complete: bool, verbatim: bool) -> String {
    let mut document = parse(text);
    if verbatim && document.root().is_none() && !text.trim().is_empty() {
        document = Document::verbatim(text);
    }
    match document.repaired_text_with(unfinished(complete)) {
        Ok(repaired) => format!("+{repaired}"),
        Err(error) => format!("-{}:{error}", error.offset),
    }
}

/// Returns the repairs of a text as changes of it.
#[wasm_bindgen]
#[must_use]
pub fn raw_edits(text: &str, complete: bool) -> String {
    let document = parse(text);
    let edits = document.edits_with(unfinished(complete));
    list(&edits, |edit: &Edit, out| {
        let mut object = ObjectWriter::open(out);
        object.number("start", edit.span.start);
        object.number("end", edit.span.end);
        object.text("replacement", &edit.replacement);
        object.text("kind", edit.kind.name());
        object.text("class", edit.class.name());
        object.close();
    })
}

/// Returns the repairs and notes of a text.
#[wasm_bindgen]
#[must_use]
pub fn raw_report(text: &str) -> String {
    let document = parse(text);
    let lines = LineIndex::new(text);
    let mut out = String::new();
    let mut object = ObjectWriter::open(&mut out);
    let place = |object: &mut ObjectWriter<'_>, span: Span| {
        let position = lines.position(span.start);
        object.number("start", span.start);
        object.number("end", span.end);
        object.number("line", position.line as u64);
        object.number("column", position.column as u64);
    };
    object.boolean("ok", document.root().is_some());
    object.list("repairs", document.repairs(), |repair, out| {
        let mut object = ObjectWriter::open(out);
        object.text("kind", repair.kind.name());
        object.text("class", repair.class.name());
        place(&mut object, repair.span);
        object.text("sentence", repair.kind.sentence());
        object.close();
    });
    object.list("notes", document.notes(), |note, out| {
        let mut object = ObjectWriter::open(out);
        object.text("kind", note.kind.name());
        place(&mut object, note.span);
        object.text("sentence", note.kind.sentence());
        object.close();
    });
    for empty in ["coercions", "violations", "refused"] {
        object.member(empty).push_str("[]");
    }
    object.close();
    out
}

/// Writes a list.
pub(crate) fn list<T>(items: &[T], mut write: impl FnMut(&T, &mut String)) -> String {
    let mut out = String::from("[");
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(item, &mut out);
    }
    out.push(']');
    out
}

/// Writes a string behind a comma.
pub(crate) fn behind_comma(text: &str, out: &mut String) {
    out.push(',');
    write_string(text, out);
}
