use serde_json::json;

use llmjson_syntax::Limits;

use crate::{Policy, Schema};

fn schema() -> Schema {
    Schema::from_text(
        r#"{"properties": {"b": {"type": "integer"}, "a": {"type": "string", "description": "A name."}},
            "required": ["a"]}"#,
    )
    .expect("a schema")
}

#[test]
fn members_stand_in_the_order_of_the_command_line() {
    let text = "é\n{b: \"3\", 'c': [1, 1], \"c\": 2.5,";
    let parsed = Policy::tool().parse(text, Some(&schema()));
    insta::assert_snapshot!(serde_json::to_string_pretty(&parsed.report()).expect("it is JSON"));
}

#[test]
fn without_a_value_there_is_null() {
    let report = serde_json::to_string(&crate::parse("", None).report()).expect("it is JSON");
    assert_eq!(
        report,
        r#"{"ok":false,"complete":true,"truncation":null,"certainty":null,"value":null,"repairs":[],"notes":[],"coercions":[],"violations":[]}"#,
    );
}

#[test]
fn values_are_those_that_serde_json_reads() {
    let text = r#"{"z": [0, -0, -1, 1.0, 1e2, 18446744073709551615, 123456789012345678901234567890],
        "a": {"b": null, "c": "\u00e9\n", "d": true}, "a": false, "e": {}, "f": []}"#;
    let parsed = crate::parse(text, None);
    let report = serde_json::to_value(parsed.report()).expect("it is JSON");
    let wanted: serde_json::Value = serde_json::from_str(text).expect("it is JSON");
    assert_eq!(report["value"], wanted);
    // Members keep their order, and each key occurs once.
    let report = serde_json::to_string(&parsed.report()).expect("it is JSON");
    assert!(
        report.contains(r#"],"a":false,"e":{},"f":[]},"repairs""#),
        "{report}"
    );
}

#[test]
fn what_no_double_holds_is_text_and_depth_is_bounded() {
    let parsed = crate::parse("[1e999]", None);
    let report = serde_json::to_value(parsed.report()).expect("it is JSON");
    assert_eq!(report["value"], json!(["1e999"]));

    let policy = Policy::lenient().with_limits(Limits::DEFAULT.with_depth(100_000));
    for (depth, is_shown) in [(512, true), (513, true), (514, false), (50_000, false)] {
        let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let parsed = policy.parse(&text, None);
        assert_eq!(serde_json::to_string(&parsed.report()).is_ok(), is_shown);
    }
}

#[test]
fn lines_and_columns_are_those_of_the_text() {
    let text = "{a: 1,\n é: [1 2],\n\n\"x\": tru";
    let parsed = crate::parse(text, None);
    let report = serde_json::to_value(parsed.report()).expect("it is JSON");
    let lines = llmjson_syntax::LineIndex::new(text);
    assert!(parsed.repairs().len() > 3);
    for (index, repair) in parsed.repairs().iter().enumerate() {
        let wanted = lines.position(repair.span.start);
        let found = &report["repairs"][index];
        assert_eq!(found["line"], wanted.line, "{found}");
        assert_eq!(found["column"], wanted.column, "{found}");
    }
}

#[test]
fn every_limit_that_is_reached_is_reported() {
    let integers = Schema::from_text(r#"{"items": {"type": "integer", "pattern": "(a)\\1"}}"#);
    let integers = integers.expect("a schema");
    let digits = format!("[{}]", "1".repeat(50));
    let repairs = "[a, b, c, d, e]";
    let numbers = r#"["1", "2", "3", "4", "5"]"#;
    let limits = Limits::DEFAULT;
    let table = [
        ("[[[1]]]", limits.with_depth(2), "depth"),
        ("[1, 2, 3]", limits.with_input_bytes(5), "input_bytes"),
        (digits.as_str(), limits.with_digits(40), "digits"),
        (repairs, limits.with_records(3), "records"),
        (numbers, limits.with_records(3), "records"),
        ("[1, 2, 3]", limits, ""),
    ];
    for (text, limits, name) in table {
        let policy = Policy::lenient().with_limits(limits);
        let parsed = policy.parse(text, Some(&integers));
        let reached = parsed.limits_reached();
        let names: Vec<_> = reached.iter().map(|limit| limit.name).collect();
        assert_eq!(names.join(" "), name, "{text}");
        let report = parsed.report().to_string();
        let is_shown = report.contains(&format!(r#""limits":[{{"name":"{name}","#));
        assert_eq!(is_shown, !name.is_empty(), "{report}");
    }
}

#[test]
fn text_that_takes_too_much_work_is_reported() {
    let text = format!("[{}", r#"{"a": "b "c" d, "#.repeat(300));
    let policy = Policy::lenient().with_limits(Limits::DEFAULT.with_work(0));
    let parsed = policy.parse(&text, None);
    let reached = parsed.limits_reached();
    assert!(
        reached.iter().any(|limit| limit.name == "work"),
        "{reached:?}"
    );
}
