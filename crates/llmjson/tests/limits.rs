//! What happens just below a limit, at it, and just above.

use llmjson::{
    Parsed, Policy, Schema, parse_with,
    policy::{LimitReached, Limits},
    report::{NoteKind, RepairKind},
    stringify,
};
use serde_json::json;

fn under(limits: Limits) -> Policy {
    Policy::lenient().with_limits(limits)
}

fn keyword(parsed: &Parsed<'_>) -> Option<&'static str> {
    parsed.violations().first().map(|one| one.keyword)
}

#[test]
fn input_bytes() {
    let policy = under(Limits::DEFAULT.with_input_bytes(6));
    for (text, fits) in [("[1, 2]", true), ("[1,2]", true), ("[1, 2] ", false)] {
        let parsed = parse_with(text, None, &policy);
        assert_eq!(parsed.conforms(), fits, "{text:?}");
        let reached = matches!(
            parsed.document().limit(),
            Some(LimitReached::InputBytes { size: 7, limit: 6 })
        );
        assert_eq!(reached, !fits, "{text:?}");
    }
}

#[test]
fn depth() {
    let policy = under(Limits::DEFAULT.with_depth(3));
    for (text, fits) in [("[[1]]", true), ("[[[1]]]", true), ("[[[[1]]]]", false)] {
        let parsed = parse_with(text, None, &policy);
        assert_eq!(parsed.conforms(), fits, "{text}");
        let limit = parsed.document().limit();
        let reached = matches!(limit, Some(LimitReached::Depth { limit: 3, .. }));
        assert_eq!(reached, !fits, "{text}");
    }
}

#[test]
fn candidates() {
    let policy = under(Limits::DEFAULT.with_candidates(3));
    let schema = Schema::compile(&json!({"required": ["wanted"]})).unwrap();
    for (before, fits) in [(1, true), (2, true), (3, false)] {
        let text = format!("{}{{\"wanted\": 1}}", "so {\"a\": 1} and ".repeat(before));
        let parsed = parse_with(&text, Some(&schema), &policy);
        assert_eq!(parsed.conforms(), fits, "{text}");
    }
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
        let policy = under(Limits::DEFAULT.with_look_ahead(u32::try_from(bytes).unwrap()));
        let parsed = parse_with(&text, None, &policy);
        let args = parsed.value().and_then(|root| root.get("args"));
        let args = args.and_then(|args| args.as_str().map(String::from));
        let whole = args.as_deref() == Some(r#"{"city": "Paris"}"#);
        assert_eq!(whole, fits, "{bytes}: {parsed:?}");
    }
}

#[test]
fn records() {
    let policy = under(Limits::DEFAULT.with_records(3));
    for (count, capped) in [(2, false), (3, false), (4, true)] {
        let text = format!("[{}]", vec!["'x'"; count].join(","));
        let parsed = parse_with(&text, None, &policy);
        let kinds = parsed.repairs().iter().map(|repair| repair.kind);
        let last = kinds.clone().next_back();
        assert_eq!(last == Some(RepairKind::RecordsCapped), capped, "{text}");
        assert_eq!(kinds.count(), count.min(3) + usize::from(capped));

        let text = format!("{{{}}}", vec!["\"a\":1"; count + 1].join(","));
        let parsed = parse_with(&text, None, &policy);
        let notes = parsed.notes().iter();
        let notes = notes.filter(|note| note.kind == NoteKind::DuplicateKey);
        assert_eq!(notes.count(), count.min(3), "{text}");
    }
}

#[test]
fn digits() {
    let policy = under(Limits::DEFAULT.with_digits(50));
    let schema = |json| Schema::compile(&json).unwrap();
    let bound = schema(json!({"type": "number", "minimum": 0, "maximum": 2}));
    let multiple = schema(json!({"type": "number", "multipleOf": 0.5}));
    let whole = schema(json!({"type": "integer"}));
    let any = schema(json!({"type": "number"}));
    for (count, fits) in [(49, true), (50, true), (51, false)] {
        // A one, and noughts behind the point; a sign and an exponent count what digits they have.
        let numbers = [
            format!("1.{}", "0".repeat(count - 1)),
            format!("0.1{}e1", "0".repeat(count - 3)),
        ];
        for number in numbers {
            assert_eq!(number.bytes().filter(u8::is_ascii_digit).count(), count);
            for schema in [&bound, &multiple, &whole] {
                // Where integers are asked for, the fraction goes, so what is given is validated.
                let document = llmjson::syntax::Parser::new()
                    .with_limits(policy.limits())
                    .parse(&number);
                let root = document.root().unwrap();
                let violations = schema.violations(root, llmjson::policy::Undeclared::Allow);
                let keyword = violations.first().map(|one| one.keyword);
                assert_eq!(keyword, (!fits).then_some("digits"), "{number}");
                assert_eq!(violations.len(), usize::from(!fits));
                assert_eq!(schema.is_valid(root), fits);
            }
            assert!(parse_with(&number, Some(&any), &policy).conforms());
            let quoted = format!("\"{number}\"");
            let parsed = parse_with(&quoted, Some(&any), &policy);
            assert_eq!(parsed.conforms(), fits, "{quoted}");
        }
    }
    // The default allows 4,096, and what is written stays.
    for (count, fits) in [(4_096, true), (4_097, false)] {
        let number = format!("0.{}", "1".repeat(count - 1));
        let parsed = parse_with(&number, Some(&bound), &Policy::lenient());
        assert_eq!(keyword(&parsed), (!fits).then_some("digits"));
        assert_eq!(parsed.to_json(), Some(number));
    }
    let number = "1".repeat(51);
    let failure = parse_with(&number, Some(&bound), &policy).into_result();
    let feedback = stringify(&failure.unwrap_err());
    assert!(
        feedback.contains("The number has more than 50 digits."),
        "{feedback}"
    );
}

#[test]
fn feedback_bytes() {
    let schema = Schema::compile(&json!({"items": {"type": "boolean"}})).unwrap();
    let text = format!("[{}]", vec!["1"; 50].join(","));
    let feedback = |limits| {
        let parsed = parse_with(&text, Some(&schema), &under(limits));
        stringify(&parsed.into_result().unwrap_err())
    };
    let whole = feedback(Limits::DEFAULT);
    let length = u32::try_from(whole.len()).unwrap();
    for (limit, fits) in [(length + 1, true), (length, true), (length - 1, false)] {
        let cut = feedback(Limits::DEFAULT.with_feedback_bytes(limit));
        assert!(cut.len() <= limit as usize);
        assert_eq!(cut == whole, fits, "{limit}");
        let shown = cut.matches("\"path\":").count();
        let counted = format!("**{} more validation error", 50 - shown);
        assert_eq!(cut.contains(&counted), !fits, "{cut}");
    }
    // Who names a length gets that.
    let parsed = parse_with(
        &text,
        Some(&schema),
        &under(Limits::DEFAULT.with_feedback_bytes(300)),
    );
    let failure = parsed.into_result().unwrap_err();
    assert!(failure.feedback(None).len() <= 300);
    assert_eq!(failure.feedback(Some(usize::MAX)), whole);
}
