//! Texts that are made to hurt. Each has to end in a value or in a limit with a name, on a thread with the
//! two megabytes of stack that servers give one.

use std::thread;

use llmjson_syntax::{LimitReached, Limits, Parser, RepairKind, parse};

fn on_small_stack(work: fn()) {
    let handle = thread::Builder::new().stack_size(2 << 20).spawn(work);
    if let Err(panic) = handle.expect("a thread starts").join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn two_million_openers_name_the_limit() {
    on_small_stack(|| {
        let text = "[".repeat(2_000_000);
        let document = parse(&text);
        assert!(document.root().is_none());
        let sentence = document.limit().map(|limit| limit.to_string());
        assert_eq!(
            sentence.as_deref(),
            Some("containers nest deeper than 512 at byte 512")
        );
    });
}

#[test]
fn a_string_of_ten_megabytes() {
    on_small_stack(|| {
        let inside = "All work and no play \\\"makes\\\" Jack {a: 1} ".repeat(10_000_000 / 43 + 1);
        let text = format!("{{\"text\": \"{inside}\"}}");
        let too_long = parse(&text);
        let reached = matches!(too_long.limit(), Some(LimitReached::InputBytes { .. }));
        assert!(reached && too_long.root().is_none());

        let limits = Limits::DEFAULT.with_input_bytes(50_000_000);
        let document = Parser::new().with_limits(limits).parse(&text);
        assert_eq!(document.repairs(), []);
        let value = document
            .root()
            .and_then(|root| root.get("text"))
            .expect("a member");
        assert_eq!(
            value.as_str().map(|text| text.len()),
            Some(inside.replace('\\', "").len())
        );
    });
}

#[test]
fn a_hundred_thousand_errors() {
    on_small_stack(|| {
        let items = ["{a:'x' b:True,,}"; 100_000].join(" ");
        let list = format!("[{items}]");
        let document = parse(&list);
        assert_eq!(document.root().map(|root| root.len()), Some(100_000));
        let last = document.repairs().last().map(|repair| repair.kind);
        assert_eq!(last, Some(RepairKind::RecordsCapped));
        assert!(document.repairs().len() <= 10_001);
    });
}
