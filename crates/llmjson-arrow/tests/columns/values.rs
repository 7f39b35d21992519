//! Single replies and their rows.

use std::sync::Arc;

use arrow_array::StringArray;
use llmjson::policy::Invalid;
use llmjson::{Policy, Schema};
use llmjson_arrow::{Options, Output, parse};

use crate::show;

const TRIP: &str = r#"{"type": "object", "properties": {
    "city": {"type": "string"}, "days": {"type": "integer"}, "price": {"type": "number"},
    "tags": {"type": "array", "items": {"type": "string"}},
    "hotel": {"type": "object", "properties": {"name": {"type": "string"}, "stars": {"type": "integer"}}},
    "extra": {}, "night": {"type": "boolean"}
}, "required": ["city"]}"#;

const DECIMAL: &str = r#"{"properties": {"d": {"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "null"}]}}}"#;

/// Schemas, replies, and their values.
const VALUES: &[(&str, &str, &str)] = &[
    (
        TRIP,
        r#"{"city": "Oslo", "days": 3, "price": 1.5, "tags": ["a", "b\n"], "hotel": {"name": "X", "stars": 5}, "extra": {"k": [1, "2"]}, "night": true}"#,
        r#"{"city":"Oslo","days":3,"price":1.5,"tags":["a","b\n"],"hotel":{"name":"X","stars":5},"extra":"{\"k\":[1,\"2\"]}","night":true}"#,
    ),
    (
        TRIP,
        r#"{"night": false, "city": "Oslo", "other": 1, "extra": "text"}"#,
        r#"{"city":"Oslo","days":null,"price":null,"tags":null,"hotel":null,"extra":"\"text\"","night":false}"#,
    ),
    (
        TRIP,
        "Sure:\n```json\n{'city': 'Oslo', days: \"3\", tags: 'one', night: yes, hotel: {stars: 4.0,}\n```",
        r#"{"city":"Oslo","days":3,"price":null,"tags":["one"],"hotel":{"name":null,"stars":4},"extra":null,"night":true}"#,
    ),
    (TRIP, r#"{"days": 3}"#, "null"),
    (TRIP, "I cannot do that.", "null"),
    (
        r#"{"type": "integer"}"#,
        "9223372036854775807",
        "9223372036854775807",
    ),
    (r#"{"type": "integer"}"#, "1e3", "1000"),
    (r#"{"type": "integer"}"#, "9223372036854775808", "null"),
    (
        r#"{"type": "integer", "format": "uint64"}"#,
        "18446744073709551615",
        "null",
    ),
    (r#"{"type": "number"}"#, "12", "12.0"),
    (
        r#"{"type": "number", "format": "decimal"}"#,
        "1.10",
        r#""1.10""#,
    ),
    (
        DECIMAL,
        r#"{"d": 0.10000000000000000001}"#,
        r#"{"d":"0.10000000000000000001"}"#,
    ),
    (DECIMAL, r#"{"d": "12.50"}"#, r#"{"d":"12.50"}"#),
    (DECIMAL, r#"{"d": null}"#, r#"{"d":null}"#),
    (r#"{"type": ["string", "boolean"]}"#, "\"a\"", r#""\"a\"""#),
    (r#"{"type": ["string", "null"]}"#, "null", "null"),
    ("{}", "null", r#""null""#),
    ("{}", r#"{"a": 1}"#, r#""{\"a\":1}""#),
    (
        r#"{"type": "array", "items": {"type": "array", "items": {"type": ["integer", "null"]}}}"#,
        "[[1, null], [], [2]]",
        "[[1,null],[],[2]]",
    ),
    (
        r##"{"type": "object", "properties": {"v": {"type": "integer"}, "next": {"$ref": "#"}}}"##,
        r#"{"v": 1, "next": {"v": 2}}"#,
        r#"{"v":1,"next":"{\"v\":2}"}"#,
    ),
    (
        r#"{"properties": {"a\"b": {"type": "integer"}}}"#,
        r#"{"a\u0022b": 1}"#,
        r#"{"a"b":1}"#,
    ),
    (
        r#"{"properties": {"a": {"type": "integer"}}}"#,
        r#"{"a": 1, "a": 2}"#,
        r#"{"a":2}"#,
    ),
];

#[test]
fn values_are_typed() {
    for (schema, reply, wanted) in VALUES {
        let compiled = Schema::from_text(schema).expect(schema);
        let replies = StringArray::from(vec![*reply]);
        let rows = parse(&replies, Some(&compiled), &Options::default()).expect("rows");
        assert_eq!(show::column(&rows, "value"), [*wanted], "{schema}\n{reply}");
    }
}

/// A reply that fits its schema and not its column is a row that says so, beside rows that fit.
#[test]
fn what_no_column_holds_is_a_violation() {
    let table = [
        (
            r#"{"properties": {"n": {"type": "array", "items": {"type": "integer"}}, "m": {"type": "integer"}}}"#,
            r#"{"n": [1, 99999999999999999999], "m": 99999999999999999999}"#,
            r#"{"n":[1,2],"m":3}"#,
            r#"[{"path":"$input.n[1]","expected":"number & Type<\"int64\">","found":"number"},{"path":"$input.m","expected":"number & Type<\"int64\">","found":"number"}]"#,
        ),
        (
            r#"{"properties": {"a": {"properties": {"b": {"type": "string"}}}}}"#,
            r#"{"a": [1]}"#,
            r#"{"a":{"b":"x"}}"#,
            r#"[{"path":"$input.a","expected":"object","found":"array"}]"#,
        ),
    ];
    for (schema, misfit, fitting, violations) in table {
        let compiled = Schema::from_text(schema).expect(schema);
        assert!(
            llmjson::parse(misfit, Some(&compiled)).conforms(),
            "{misfit}"
        );
        let replies = StringArray::from(vec![fitting, misfit, fitting]);
        let rows = parse(&replies, Some(&compiled), &Options::default()).expect("rows");
        assert_eq!(show::column(&rows, "value"), [fitting, "null", fitting]);
        assert_eq!(show::column(&rows, "ok"), ["true", "false", "true"]);
        assert_eq!(show::column(&rows, "violations"), ["[]", violations, "[]"]);
        let feedback = &show::column(&rows, "feedback")[1];
        assert!(feedback.contains("❌"), "{feedback}");
        let json = Options::default().with_output(Output::Json);
        let rows = parse(&replies, Some(&compiled), &json).expect("rows");
        assert_eq!(show::column(&rows, "ok"), ["true"; 3]);
    }
}

#[test]
fn the_other_columns_tell_how_a_reply_was_read() {
    let schema = Schema::from_text(TRIP).expect("a schema");
    let replies = StringArray::from(vec![
        Some(r#"{"city": "Rome"}"#),
        Some(r#"{'city': 'Rome', "days": "2""#),
        Some(r#"{"days": "x"}"#),
        Some("No."),
        None,
    ]);
    let options = Options::default().with_output(Output::Json);
    let rows = parse(&replies, Some(&schema), &options).expect("rows");
    let table: &[(&str, [&str; 5])] = &[
        (
            "value",
            [
                r#""{\"city\":\"Rome\"}""#,
                r#""{\"city\":\"Rome\",\"days\":2}""#,
                r#""{\"days\":\"x\"}""#,
                "null",
                "null",
            ],
        ),
        ("ok", ["true", "true", "false", "false", "false"]),
        ("complete", ["true", "false", "true", "true", "null"]),
        (
            "certainty",
            [
                r#""certain""#,
                r#""likely""#,
                r#""certain""#,
                "null",
                "null",
            ],
        ),
        (
            "repairs",
            [
                "[]",
                concat!(
                    r#"[{"kind":"other_quotes","certainty":"certain","start":1,"end":7},"#,
                    r#"{"kind":"other_quotes","certainty":"certain","start":9,"end":15},"#,
                    r#"{"kind":"unclosed_object","certainty":"certain","start":28,"end":28}]"#
                ),
                "[]",
                "[]",
                "[]",
            ],
        ),
        (
            "coercions",
            [
                "[]",
                r#"[{"kind":"text_to_number","certainty":"certain","path":"$input.days"}]"#,
                "[]",
                "[]",
                "[]",
            ],
        ),
        (
            "violations",
            [
                "[]",
                "[]",
                concat!(
                    r#"[{"path":"$input.days","expected":"integer | undefined","found":"string"},"#,
                    r#"{"path":"$input.city","expected":"string","found":"undefined"}]"#
                ),
                "[]",
                "[]",
            ],
        ),
    ];
    for (name, wanted) in table {
        assert_eq!(show::column(&rows, name), *wanted, "{name}");
    }
    let feedback = show::column(&rows, "feedback");
    assert_eq!(
        (&*feedback[0], &*feedback[1], &*feedback[4]),
        ("null", "null", "null")
    );
    assert!(feedback[2].contains("$input.city") && feedback[3].contains("❌"));
}

#[test]
fn a_policy_refuses_rows() {
    let schema = Schema::from_text(TRIP).expect("a schema");
    let replies = StringArray::from(vec![r#"{"city": "Rome""#, r#"{"city": "Rome"}"#]);
    let options = Options::default().with_policy(Policy::tool());
    let rows = parse(&replies, Some(&schema), &options).expect("rows");
    assert_eq!(show::column(&rows, "ok"), ["false", "true"]);
    let feedback = &show::column(&rows, "feedback")[0];
    assert!(feedback.contains("broke off"), "{feedback}");
    let _: Arc<dyn arrow_array::Array> = Arc::new(rows);
}

#[test]
fn rows_keep_what_conforms_on_request() {
    let schema = Schema::from_text(TRIP).expect("a schema");
    let replies = StringArray::from(vec![
        r#"{"city": "Oslo", "days": "many", "tags": ["a", {"b": 1}]}"#,
        r#"{"days": 3, "hotel": {"stars": 5}}"#,
        r#"{"city": {"no": 1}, "price": 2, "days": 99999999999999999999}"#,
        r#"{"city": "Oslo", "days": 99999999999999999999}"#,
        r#"{"hotel": {"name": "X", "sta"#,
        "[1]",
        "I cannot do that.",
    ]);
    let read = |policy: Policy| {
        let options = Options::default().with_policy(policy);
        parse(&replies, Some(&schema), &options).expect("rows")
    };
    let rows = read(Policy::lenient().with_invalid(Invalid::Drop));
    let row = |known: &str| {
        let names = ["city", "days", "price", "tags", "hotel", "extra", "night"];
        let all = names.map(|name| {
            let member = known
                .split(';')
                .find(|one| one.starts_with(&format!("\"{name}\":")));
            member.map_or_else(|| format!("\"{name}\":null"), str::to_owned)
        });
        format!("{{{}}}", all.join(","))
    };
    assert_eq!(
        show::column(&rows, "value"),
        [
            row(r#""city":"Oslo";"tags":["a"]"#),
            row(r#""days":3;"hotel":{"name":null,"stars":5}"#),
            row(r#""price":2.0"#),
            row(r#""city":"Oslo""#),
            row(r#""hotel":{"name":"X","stars":null}"#),
            "null".to_owned(),
            "null".to_owned(),
        ]
    );
    let ok = ["true", "false", "false", "false", "false", "false", "false"];
    assert_eq!(show::column(&rows, "ok"), ok);
    let violations = show::column(&rows, "violations");
    assert_eq!(violations[0], "[]");
    assert!(violations[1].contains("$input.city") && violations[3].contains("$input.days"));
    let kinds = &show::column(&rows, "coercions")[0];
    assert_eq!(kinds.matches("drop_invalid").count(), 2);
    // Without the request a row that does not conform has no value.
    let values = show::column(&read(Policy::lenient()), "value");
    assert!(values.iter().all(|value| value == "null"), "{values:?}");
}
