//! Tests of values as people write them, and of values that only look like that.

use llmjson_syntax::{Class, parse};
use serde_json::{Value, json};

use super::{check, compile, member};
use crate::coerce::{CoerceOptions, coerce};

/// Returns the value that resulted from the string `v`, with the least certain class.
pub(super) fn read(schema: &Value, text: &str) -> (String, Option<Class>) {
    let schema = compile(&member(schema.clone()));
    let json = json!({ "v": text }).to_string();
    let mut document = parse(&json);
    let coercions = coerce(&mut document, &schema, &CoerceOptions::default());
    let root = document.root().and_then(|root| root.get("v"));
    let shown = root.map(|value| value.to_json()).unwrap_or_default();
    (shown, coercions.iter().map(|made| made.class).max())
}

#[track_caller]
pub(super) fn all(schema: Value, class: Class, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let found = read(&schema, text);
        assert_eq!(
            found,
            ((*expected).to_owned(), Some(class)),
            "{text} for {schema}"
        );
    }
}

/// Strings that stay unchanged.
#[track_caller]
pub(super) fn none(schema: Value, texts: &[&str]) {
    for text in texts {
        let stays = (json!(text).to_string(), None);
        assert_eq!(read(&schema, text), stays, "{text} for {schema}");
    }
}

#[test]
fn numbers_with_units_are_likely_where_the_schema_says_the_unit() {
    let number = json!({"type": "number"});
    let guesses = [
        ("75kg", "75"),
        ("$4.75", "4.75"),
        ("44%", "44"),
        ("~3", "3"),
        ("3k", "3000"),
    ];
    all(number.clone(), Class::Guess, &guesses);
    let likely = [
        ("6.979.309,46 €", "6979309.46"),
        ("12,34,567", "1234567"),
        ("٤٢", "42"),
    ];
    all(number.clone(), Class::Likely, &likely);
    let in_kg = json!({"type": "number", "description": "Weight in kg"});
    all(in_kg.clone(), Class::Likely, &[("75kg", "75")]);
    none(in_kg, &["75 lbs", "5 apples"]);
    all(
        json!({"type": "number", "x-unit": "€"}),
        Class::Likely,
        &[("4.75 EUR", "4.75")],
    );
    none(
        number,
        &[
            "5 apples",
            "3 of 5",
            "10-20",
            "2024-01-02",
            "1.2.3",
            "AB-12",
            "+1 555 123 4567",
            "May",
        ],
    );
    none(json!({"type": "number", "maximum": 1}), &["44%", "0.5%"]);
    none(json!({"type": "integer"}), &["2.5 kg", "1/2", "1.82 m"]);
    all(
        json!({"type": "integer"}),
        Class::Guess,
        &[("2.5M", "2500000"), ("twelve", "12")],
    );
}

#[test]
fn times_are_written_as_their_format_has_them() {
    let format = |name: &str| json!({"type": "string", "format": name});
    all(
        format("date"),
        Class::Likely,
        &[
            ("March 5th, 2026", "\"2026-03-05\""),
            ("13/03/2026", "\"2026-03-13\""),
            ("20260305", "\"2026-03-05\""),
        ],
    );
    all(
        format("date-time"),
        Class::Likely,
        &[("Thu, 05 Mar 2026 10:30:00 GMT", "\"2026-03-05T10:30:00Z\"")],
    );
    all(
        format("time"),
        Class::Likely,
        &[("3:30 PM", "\"15:30:00\"")],
    );
    none(
        format("date"),
        &["May", "03/05/2026", "tomorrow", "2026-03-05"],
    );
    none(
        format("date-time"),
        &["2026-03-05T10:30:00", "2026-03-05T10:30:00Z"],
    );
    none(json!({"type": "string"}), &["March 5th, 2026"]);
    let schema = member(format("date-time"));
    check(
        &schema,
        &[(
            r#"{"v":"March 5, 2026, 3 PM UTC"}"#,
            r#"{"v":"2026-03-05T15:00:00Z"}"#,
            &["written_time"],
        )],
    );
}

#[test]
fn an_ambiguous_date_is_said_to_be_one() {
    let schema = compile(&json!({"format": "date"}));
    let document = parse(r#""03/05/2026""#);
    let root = document.root().expect("a text");
    let violations = schema.violations(root, crate::Undeclared::Keep);
    let said = violations[0].description.as_deref().expect("a reason");
    assert!(said.contains("either way round"), "{said}");
}

#[test]
fn words_for_nothing_are_null_where_no_text_may_stand() {
    let words = [
        ("N/A", "null"),
        ("unknown", "null"),
        ("-", "null"),
        ("", "null"),
        ("null.", "null"),
    ];
    for schema in [
        json!({"type": ["number", "null"]}),
        json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        json!({"enum": ["low", "high", null]}),
        json!({"anyOf": [{"enum": ["low", "high"]}, {"type": "null"}]}),
        json!({"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}),
        json!({"type": ["string", "null"], "format": "date-time"}),
    ] {
        all(schema, Class::Likely, &words);
    }
    let texts = ["N/A", "unknown", "-", ""];
    none(json!({"type": ["string", "null"]}), &texts);
    none(
        json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        &texts,
    );
    none(
        json!({"anyOf": [{"type": "string", "minLength": 20}, {"type": "null"}]}),
        &texts,
    );
    none(json!({"type": "number"}), &texts);
    let known = json!({"anyOf": [{"enum": ["Unknown", "N/A"]}, {"type": "null"}]});
    all(
        known.clone(),
        Class::Likely,
        &[("unknown", "\"Unknown\""), ("-", "null")],
    );
    none(known, &["N/A"]);
}

#[test]
fn yes_and_no_may_be_stressed() {
    let boolean = json!({"type": "boolean"});
    all(
        boolean.clone(),
        Class::Guess,
        &[
            ("Yes, definitely.", "true"),
            ("✅", "true"),
            ("TRUE.", "true"),
            ("No, not at all", "false"),
        ],
    );
    none(
        boolean,
        &[
            "not true",
            "maybe",
            "yes and no",
            "yes, but only on Mondays",
            "true story",
        ],
    );
}

#[test]
fn one_allowed_value_among_decoration_is_meant() {
    let levels = json!({"enum": ["low", "medium", "high", "urgent"]});
    all(
        levels.clone(),
        Class::Likely,
        &[("P1 - High", "\"high\""), ("**high**", "\"high\"")],
    );
    all(
        levels.clone(),
        Class::Guess,
        &[("high priority", "\"high\"")],
    );
    none(
        levels,
        &[
            "not high",
            "non-urgent",
            "low to high",
            "higher",
            "high or low",
            "high?",
        ],
    );
}

#[test]
fn lists_are_named_in_a_sentence() {
    let levels =
        json!({"type": "array", "items": {"enum": ["low", "medium", "high", "text/plain"]}});
    all(
        levels.clone(),
        Class::Guess,
        &[
            ("low, medium and high", r#"["low","medium","high"]"#),
            ("low/high", r#"["low","high"]"#),
            ("low, text/plain", r#"["low","text/plain"]"#),
            ("Low and High", r#"["low","high"]"#),
        ],
    );
    none(levels, &["low, never", "low or high", "from low to high"]);
    let numbers = json!({"type": "array", "items": {"type": "integer"}});
    all(
        numbers.clone(),
        Class::Guess,
        &[
            ("1, 2 and 3", "[1,2,3]"),
            ("100,200", "[100,200]"),
            ("100,200,300", "[100,200,300]"),
            ("1; 2", "[1,2]"),
            ("1,234", "[1234]"),
        ],
    );
    none(
        numbers,
        &["1, 2 or 3", "1/2", "10-20", "1, two", "2024-01-02, 5"],
    );
}
