//! What happens just below a limit of reading, at it, and just above.

use std::sync::atomic::{AtomicBool, Ordering};

use llmjson_syntax::{Document, Limits, NoteKind, Parser, RepairKind, Stop};

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

#[test]
fn a_stopped_text_is_not_searched_for_values() {
    static IS_STOPPED: AtomicBool = AtomicBool::new(false);
    let text = "One is {a: 1}. ".repeat(10);
    for is_stopped in [false, true] {
        IS_STOPPED.store(is_stopped, Ordering::Relaxed);
        let limits = Limits::DEFAULT.with_stop(Stop::new(&IS_STOPPED));
        assert_eq!(under(limits, &text).root().is_none(), is_stopped);
    }
}
