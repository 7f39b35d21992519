//! Reading and repairing without a schema.

use llmjson_syntax::{Document, JsonOut, JsonText, LineIndex, Raw, Span, Unfinished, parse};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer;

/// Reads a text: see `answer`.
#[wasm_bindgen]
#[must_use]
pub fn raw_read(text: &str) -> String {
    let document = parse(text);
    let root = document.root();
    let json = root.map(|root| root.to_json());
    answer(json.is_some(), document.cut(), document.certainty(), json)
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
    JsonText::written(|out| {
        out.array(edits, |edit, out| {
            out.object(|out| {
                out.member("start", edit.span.start);
                out.member("end", edit.span.end);
                out.member("replacement", &edit.replacement);
                out.member("kind", edit.kind.name());
                out.member("class", edit.class.name());
            });
        })
    })
}

/// Returns the repairs and notes of a text.
#[wasm_bindgen]
#[must_use]
pub fn raw_report(text: &str) -> String {
    let document = parse(text);
    let lines = LineIndex::new(text);
    JsonText::object_of(|out| {
        let place = |out: &mut JsonText<'_>, span: Span| {
            let position = lines.position(span.start);
            out.member("start", span.start);
            out.member("end", span.end);
            out.member("line", position.line);
            out.member("column", position.column);
        };
        out.member("ok", document.root().is_some());
        out.objects("repairs", document.repairs(), |repair, out| {
            out.member("kind", repair.kind.name());
            out.member("class", repair.class.name());
            place(out, repair.span);
            out.member("sentence", repair.kind.sentence());
        });
        out.objects("notes", document.notes(), |note, out| {
            out.member("kind", note.kind.name());
            place(out, note.span);
            out.member("sentence", note.kind.sentence());
        });
        for empty in ["coercions", "violations", "refused"] {
            out.member(empty, Raw("[]"));
        }
    })
}
