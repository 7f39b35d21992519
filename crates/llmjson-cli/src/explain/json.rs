//! The output of `explain --json`.

use llmjson::report::LineIndex;
use llmjson::syntax::{ObjectWriter, OffsetIndex, OffsetUnit};

use crate::findings::Findings;

/// One object with the edits of the text and the report.
pub(super) fn object(findings: &Findings<'_>, unit: OffsetUnit) -> String {
    let document = &findings.document;
    let text = document.text();
    let (offsets, lines) = (OffsetIndex::new(text, unit), LineIndex::new(text));
    let mut out = String::new();
    let mut object = ObjectWriter::open(&mut out);
    object.boolean("ok", findings.conforms());
    findings.write_certainty(&mut object);
    object.list("edits", document.edits(), |edit, out| {
        let place = lines.position(edit.span.start);
        let mut object = ObjectWriter::open(out);
        object.number("start", offsets.offset(edit.span.start));
        object.number("end", offsets.offset(edit.span.end));
        object.text("replacement", &edit.replacement);
        object.text("kind", edit.kind.name());
        object.text("class", edit.class.name());
        object.text("sentence", edit.kind.sentence());
        object.number("line", place.line as u64);
        object.number("column", place.column as u64);
        object.close();
    });
    object
        .member("report")
        .push_str(&findings.report().to_json());
    object.close();
    out
}
