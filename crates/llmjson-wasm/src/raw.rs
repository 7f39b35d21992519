//! Parsing and repairing without a schema.

use llmjson_syntax::{
    Comments, Document, EditOptions, JsonOut, JsonText, LineIndex, Raw, Span, Unfinished, parse,
};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer;

/// Parses a text: see `answer`.
#[wasm_bindgen]
#[must_use]
pub fn raw_read(text: &str) -> String {
    let document = parse(text);
    let root = document.root();
    let json = root.map(|root| root.to_json());
    answer(
        json.is_some(),
        document.truncation(),
        document.certainty(),
        json,
    )
}

fn options(complete: bool, keep: bool) -> EditOptions {
    let mut options = EditOptions::default();
    if complete {
        options.unfinished = Unfinished::Complete;
    }
    if keep {
        options.comments = Comments::Keep;
    }
    options
}

/// Parses a text under the policy with a number; without schemas there is only one, 0.
///
/// # Errors
///
/// The position of the first refusal and its reason, after a `-`.
fn read(text: &str, policy: u32) -> Result<Document<'_>, String> {
    #[cfg(feature = "schema")]
    if policy > 0 {
        let parsed = crate::policies::policy(policy, None).parse(text, None);
        let refused = parsed.value().and(parsed.refused().first());
        return match refused.map(|first| first.span().start) {
            Some(start) => Err(format!("-{start}:{}", parsed.into_failure())),
            None => Ok(parsed.into_document()),
        };
    }
    let _ = policy;
    Ok(parse(text))
}

/// Returns the repaired text as strict JSON after a `+`, or as JSON with comments if `keep`;
/// without a value that the policy allows, returns an offset and the reason after a `-`. If
/// `verbatim`, a text without JSON is a string.
#[wasm_bindgen]
#[must_use]
pub fn raw_repair(text: &str, policy: u32, complete: bool, keep: bool, verbatim: bool) -> String {
    let mut document = match read(text, policy) {
        Ok(document) => document,
        Err(refused) => return refused,
    };
    if verbatim && document.root().is_none() && !text.trim().is_empty() {
        document = Document::verbatim(text);
    }
    match document.repaired_text_with(options(complete, keep)) {
        Ok(repaired) => format!("+{repaired}"),
        Err(error) => format!("-{}:{error}", error.offset),
    }
}

/// Returns the edits that the repairs make to a text, or if the policy refuses its value, the
/// answer of `raw_repair`.
#[wasm_bindgen]
#[must_use]
pub fn raw_edits(text: &str, policy: u32, complete: bool, keep: bool) -> String {
    let document = match read(text, policy) {
        Ok(document) => document,
        Err(refused) => return refused,
    };
    let edits = document.edits_with(options(complete, keep));
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
