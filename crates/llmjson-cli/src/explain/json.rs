//! The output of `explain --json`.

use llmjson::syntax::LineIndex;
use llmjson::syntax::{JsonOut, JsonText, OffsetIndex, OffsetUnit};

use crate::findings::Findings;

/// One object with the edits of the text and the report.
pub(super) fn object(findings: &Findings<'_>, unit: OffsetUnit) -> String {
    let document = &findings.document;
    let text = document.text();
    let (offsets, lines) = (OffsetIndex::new(text, unit), LineIndex::new(text));
    JsonText::object_of(|out| {
        out.member("ok", findings.conforms());
        findings.write_certainty(out);
        out.objects("edits", document.edits(), |edit, out| {
            let place = lines.position(edit.span.start);
            out.member("start", offsets.offset(edit.span.start));
            out.member("end", offsets.offset(edit.span.end));
            out.member("replacement", &edit.replacement);
            out.member("kind", edit.kind.name());
            out.member("class", edit.class.name());
            out.member("sentence", edit.kind.sentence());
            out.member("line", place.line);
            out.member("column", place.column);
        });
        out.member("report", findings.report());
    })
}
