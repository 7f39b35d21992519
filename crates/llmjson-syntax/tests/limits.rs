//! What happens just below a limit of reading, at it, and just above.

use llmjson_syntax::{Document, Limits, NoteKind, Parser, RepairKind};

fn under(limits: Limits, text: &str) -> Document<'_> {
    Parser::new().with_limits(limits).parse(text)
}

#[test]
fn records() {
    let limits = Limits::DEFAULT.with_records(3);
    for (count, capped) in [(2, false), (3, false), (4, true)] {
        let text = format!("[{}]", vec!["'x'"; count].join(","));
        let document = under(limits, &text);
        let kinds = document.repairs().iter().map(|repair| repair.kind);
        let last = kinds.clone().next_back();
        assert_eq!(last == Some(RepairKind::RecordsCapped), capped, "{text}");
        assert_eq!(kinds.count(), count.min(3) + usize::from(capped));

        let text = format!("{{{}}}", vec!["\"a\":1"; count + 1].join(","));
        let document = under(limits, &text);
        let notes = document.notes().iter();
        let notes = notes.filter(|note| note.kind == NoteKind::DuplicateKey);
        assert_eq!(notes.count(), count.min(3), "{text}");
    }
}
