//! What happens just below a limit, at it, and just above.

use llmjson::{
    Parsed, Policy, Schema, stringify,
    syntax::{LimitReached, Limits},
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
        let parsed = policy.parse(text, None);
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
        let parsed = policy.parse(text, None);
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
    let other = "so {\"a\": 1} and ";
    let wanted = "{\"wanted\": 1}";
    // The last part of a reply is always searched.
    for (before, behind, fits) in [(2, 0, true), (3, 0, true), (30, 0, true), (1, 30, false)] {
        let text = format!("{}{wanted} {}", other.repeat(before), other.repeat(behind));
        let parsed = policy.parse(&text, Some(&schema));
        assert_eq!(parsed.conforms(), fits, "{text}");
        let reached = parsed.limits_reached();
        let is_reached = reached.iter().any(|one| one.name == "candidates");
        assert_eq!(is_reached, before + behind >= 3, "{text}");
        assert!(!parsed.is_certain(), "{text}");
    }
    // Values in reasoning and quotations take the place of no other one.
    for aside in ["I see {\"a\": 1}. ", "\n> I see {\"a\": 1}.\n"] {
        let text = format!("<think>{}</think>\n{wanted}", aside.repeat(200));
        let parsed = policy.parse(&text, Some(&schema));
        assert!(
            parsed.conforms() && parsed.limits_reached().is_empty(),
            "{text}"
        );
        let quoted = policy.parse(&text[7..], Some(&schema));
        assert!(quoted.conforms(), "{text}");
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
                let violations = schema.violations(root, llmjson::policy::Undeclared::Keep);
                let keyword = violations.first().map(|one| one.keyword);
                assert_eq!(keyword, (!fits).then_some("digits"), "{number}");
                assert_eq!(violations.len(), usize::from(!fits));
                assert_eq!(schema.is_valid(root), fits);
            }
            assert!(policy.parse(&number, Some(&any)).conforms());
            let quoted = format!("\"{number}\"");
            let parsed = policy.parse(&quoted, Some(&any));
            assert_eq!(parsed.conforms(), fits, "{quoted}");
        }
    }
    // The default allows 4,096, and what is written stays.
    for (count, fits) in [(4_096, true), (4_097, false)] {
        let number = format!("0.{}", "1".repeat(count - 1));
        let parsed = Policy::lenient().parse(&number, Some(&bound));
        assert_eq!(keyword(&parsed), (!fits).then_some("digits"));
        assert_eq!(parsed.to_json(), Some(number));
    }
    let number = "1".repeat(51);
    let failure = policy.parse(&number, Some(&bound)).into_result();
    let feedback = stringify(&failure.unwrap_err());
    assert!(
        feedback.contains("The number has more than 50 digits."),
        "{feedback}"
    );
}

#[test]
fn feedback_bytes() {
    let schema = Schema::compile(&json!({"items": {"type": "boolean"}})).unwrap();
    let text = format!("[{}]", vec!["2"; 50].join(","));
    let feedback = |limits| {
        let parsed = under(limits).parse(&text, Some(&schema));
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
    // A length that is given to `feedback` replaces the limit of the policy.
    let parsed = under(Limits::DEFAULT.with_feedback_bytes(300)).parse(&text, Some(&schema));
    let failure = parsed.into_result().unwrap_err();
    assert!(failure.feedback(None).len() <= 300);
    assert_eq!(failure.feedback(Some(usize::MAX)), whole);
}
