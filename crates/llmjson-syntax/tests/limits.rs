//! What happens just below a limit of reading, at it, and just above.

use llmjson_syntax::{Document, Limits, NoteKind, Parser, RepairKind};

fn under(limits: Limits, text: &str) -> Document<'_> {
    Parser::new().with_limits(limits).parse(text)
}

/// Where a section of character data ends nowhere, all the rest has been looked at in vain. A text
/// whose quotes are in doubt is looked at only if that was not too much.
#[test]
fn look_ahead() {
    let start = r#"{"k": <![CDATA["#;
    let text = format!(r#"{start}x, "args": "{{"city": "Paris"}}"}}"#);
    let looked_at = (text.len() - start.len()) / 16 * 16;
    for (bytes, fits) in [
        (looked_at - 1, false),
        (looked_at, true),
        (looked_at + 1, true),
    ] {
        let limits = Limits::DEFAULT.with_look_ahead(u32::try_from(bytes).unwrap());
        let document = under(limits, &text);
        let args = document.root().and_then(|root| root.get("args"));
        let args = args.and_then(|args| args.as_str().map(String::from));
        let whole = args.as_deref() == Some(r#"{"city": "Paris"}"#);
        assert_eq!(whole, fits, "{bytes}: {document:?}");
    }
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
