//! Tests of types as libraries declare them, and of marks on values, each with a near miss.

use llmjson_syntax::{Class, parse};
use serde_json::{Value, json};

use super::forms::{all, none, read};
use super::{compile, member};
use crate::base::formats::FormatStrictness;
use crate::coerce::{CoerceOptions, coerce};

fn format(name: &str) -> Value {
    json!({"type": "string", "format": name})
}

/// `Decimal` as pydantic declares it.
fn pydantic() -> Value {
    json!({"anyOf": [
        {"type": "number"},
        {"type": "string", "pattern": r"^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$"},
    ]})
}

/// `Decimal` as schemars declares it.
fn schemars() -> Value {
    json!({"type": ["string", "number"], "pattern": r"^-?\d+(\.\d+)?([eE]\d+)?$"})
}

#[test]
fn a_decimal_is_read_in_the_forms_of_numbers_and_keeps_its_digits() {
    let limited = json!({"anyOf": [
        {"type": "number"},
        {"type": "string", "pattern": r"^(?!^[-+.]*$)[+-]?0*(?:\d{0,4}|(?=[\d.]{1,7}0*$)\d{0,4}\.\d{0,2}0*$)"},
    ]});
    let text = json!({"type": "string", "pattern": r"^-?\d+(\.\d+)?$"});
    let declared = json!({"anyOf": [{"type": "number"}, format("decimal")]});
    let likely = [
        ("1,234.50", "\"1234.50\""),
        ("6.979.309,46 €", "\"6979309.46\""),
    ];
    for schema in [pydantic(), schemars(), text.clone(), declared] {
        all(schema.clone(), Class::Likely, &likely);
        all(
            schema.clone(),
            Class::Guess,
            &[("$39.90", "\"39.90\""), ("2.5k", "\"2500\"")],
        );
        none(schema, &["39.90", "0.10", "five apples", "3 of 5"]);
    }
    all(limited, Class::Guess, &[("$39.90", "\"39.90\"")]);
    let optional = json!({"anyOf": [{"type": "number"}, format("decimal"), {"type": "null"}]});
    all(optional.clone(), Class::Likely, &[("N/A", "null")]);
    all(optional.clone(), Class::Guess, &[("$39.90", "\"39.90\"")]);
    none(optional, &["39.90", "five apples"]);
    // Other patterns describe other strings.
    none(json!({"type": "string", "pattern": r"^\d+$"}), &["$39"]);
    none(json!({"type": "string"}), &["$39.90"]);
    all(pydantic(), Class::Certain, &[("1e3", "1e3")]);
}

#[test]
fn times_of_rust_are_read_in_words_and_written_out() {
    all(
        format("partial-date-time"),
        Class::Likely,
        &[
            ("March 5th, 2026 3:30 pm", "\"2026-03-05T15:30:00\""),
            ("2026-03-05 15:30", "\"2026-03-05T15:30:00\""),
        ],
    );
    all(
        format("partial-time"),
        Class::Likely,
        &[("3:30 PM", "\"15:30:00\""), ("15:30", "\"15:30:00\"")],
    );
    all(
        format("zoned-date-time"),
        Class::Likely,
        &[(
            "2026-03-05 15:30-05:00[America/New_York]",
            "\"2026-03-05T15:30:00-05:00[America/New_York]\"",
        )],
    );
    // An offset is neither added nor removed.
    none(
        format("partial-date-time"),
        &[
            "2026-03-05T15:30:00Z",
            "March 5th, 2026 3:30 pm EST",
            "soon",
        ],
    );
    none(format("partial-time"), &["3 PM EST", "15:30:00+02:00"]);
    none(
        format("zoned-date-time"),
        &["2026-03-05T15:30:00-05:00", "March 5th, 2026 3:30 pm"],
    );
}

#[test]
fn a_format_that_was_only_meant_is_written_out_unless_it_stays_as_written() {
    all(
        format("date-time"),
        Class::Likely,
        &[
            ("2021-06-05T04:36Z", "\"2021-06-05T04:36:00Z\""),
            ("2021-06-05 04:36", "\"2021-06-05T04:36:00\""),
            ("2021-06-05 04:36:07+0200", "\"2021-06-05T04:36:07+02:00\""),
        ],
    );
    all(
        format("date-time"),
        Class::Guess,
        &[("2026-03-05", "\"2026-03-05T00:00:00\"")],
    );
    all(
        json!({"anyOf": [format("date-time"), {"type": "null"}]}),
        Class::Likely,
        &[("2021-06-05 04:36", "\"2021-06-05T04:36:00\"")],
    );
    none(
        format("date-time"),
        &["2021-06-05T04:36:00", "2021-06-05t04:36:00z"],
    );
    none(format("uuid"), &["c12fefef1c1b4d6a9a0f7a1f2d3e4c5b"]);
    none(format("duration"), &["1:30:00"]);
    // A branch that accepts the string unchanged keeps it.
    none(
        json!({"anyOf": [format("date-time"), {"type": "string"}]}),
        &["2021-06-05 04:36"],
    );
    let shorter = json!({"type": "string", "format": "date-time", "maxLength": 17});
    none(shorter, &["2021-06-05 04:36"]);
    let schema = compile(&member(format("date-time")));
    let mut document = parse(r#"{"v": "2021-06-05 04:36"}"#);
    let as_written = schema.with_formats(FormatStrictness::AsWritten);
    let changes = coerce(&mut document, as_written, &CoerceOptions::default());
    assert!(changes.is_empty(), "{changes:?}");
}

#[test]
fn dots_say_which_number_is_the_day() {
    let guesses = [
        ("05.03.2026", "\"2026-03-05\""),
        ("5.3.2026", "\"2026-03-05\""),
    ];
    all(format("date"), Class::Guess, &guesses);
    none(format("date"), &["05/03/2026", "05.03.26", "5.13.2026.1"]);
}

#[test]
fn addresses_and_identifiers_come_out_of_their_marks() {
    let likely = [
        ("<https://x.org/a>", "\"https://x.org/a\""),
        ("[https://x.org](https://x.org)", "\"https://x.org\""),
        ("[x.org](https://x.org)", "\"https://x.org\""),
        ("`https://x.org`", "\"https://x.org\""),
    ];
    all(format("uri"), Class::Likely, &likely);
    all(
        format("uri"),
        Class::Guess,
        &[("[our page](https://x.org)", "\"https://x.org\"")],
    );
    none(
        format("uri"),
        &[
            "https://x.org/(a)",
            "see <https://x.org>",
            "x.org",
            "<x>",
            "[a](b) c",
        ],
    );
    let mail = [
        ("<ada@x.org>", "\"ada@x.org\""),
        ("mailto:ada@x.org", "\"ada@x.org\""),
        ("[ada@x.org](mailto:ada@x.org)", "\"ada@x.org\""),
    ];
    all(format("email"), Class::Likely, &mail);
    none(format("email"), &["ada at x.org", "<ada>"]);
    let id = "\"6f1c2d3e-1111-2222-3333-444455556666\"";
    let identifiers = [
        ("{6f1c2d3e-1111-2222-3333-444455556666}", id),
        ("6f1c2d3e–1111–2222–3333–444455556666", id),
        ("`6f1c2d3e-1111-2222-3333-444455556666`", id),
        ("URN:UUID:6f1c2d3e-1111-2222-3333-444455556666", id),
    ];
    all(format("uuid"), Class::Likely, &identifiers);
    none(
        format("uuid"),
        &["{6f1c2d3e-1111-2222-3333-44445555666}", "id 6f1c2d3e", "{}"],
    );
    none(json!({"type": "string"}), &["<https://x.org>", "{6f1c}"]);
}

#[test]
fn marks_at_numbers_and_dates_are_taken_off() {
    let number = json!({"type": "number"});
    let likely = [("–5", "-5"), ("‑2.5", "-2.5"), ("73【4†source】", "73")];
    all(number.clone(), Class::Likely, &likely);
    let guesses = [("73 [1]", "73"), ("75 kg[2]", "75")];
    all(number.clone(), Class::Guess, &guesses);
    none(
        number,
        &[
            "[1]",
            "73 [a]",
            "1. 85",
            "– 5",
            "5–7",
            "73 [1] of 80",
            "5[10000]",
        ],
    );
    all(
        format("date"),
        Class::Likely,
        &[
            ("2026–03–05", "\"2026-03-05\""),
            ("2026‑03‑05", "\"2026-03-05\""),
        ],
    );
    all(
        format("date"),
        Class::Guess,
        &[("March 5th, 2026 [3]", "\"2026-03-05\"")],
    );
}

#[test]
fn a_comma_without_brackets_is_the_decimal_sign_of_one_number() {
    let number = |text: &str, schema: Value| {
        let schema = compile(&member(schema));
        let mut document = parse(text);
        let changes = coerce(&mut document, &schema, &CoerceOptions::default());
        let value = document.root().and_then(|root| root.get("v"));
        let shown = value.map(|value| value.to_json()).unwrap_or_default();
        (shown, changes.iter().map(|made| made.class).max())
    };
    let guess = |value: &str| (value.to_owned(), Some(Class::Guess));
    let schema = || json!({"type": "number"});
    assert_eq!(number(r#"{"v": 73,2, "q": 1}"#, schema()), guess("73.2"));
    assert_eq!(number(r#"{"v": -0,25}"#, schema()), guess("-0.25"));
    for text in [r#"{"v": [73,2]}"#, r#"{"v": 1,2,3}"#, r#"{"v": 73, 2}"#] {
        assert_ne!(number(text, schema()).0, "73.2", "{text}");
    }
    let list = json!({"type": "array", "items": {"type": "number"}});
    assert_eq!(number(r#"{"v": 73,2, "q": 1}"#, list).0, "[73,2]");
    assert_eq!(read(&schema(), "73,2"), guess("73.2"));
}

#[test]
fn members_of_enumerations_are_known_by_their_names() {
    let level = json!({
        "title": "Level", "enum": [1, 2, 3], "x-enum-varnames": ["LOW", "MEDIUM", "HIGH_RISK"],
    });
    all(
        level.clone(),
        Class::Certain,
        &[("HIGH_RISK", "3"), ("2", "2")],
    );
    all(
        level.clone(),
        Class::Likely,
        &[
            ("high risk", "3"),
            ("Level.LOW", "1"),
            ("<Level.LOW: 1>", "1"),
            ("**MEDIUM**", "2"),
        ],
    );
    all(level.clone(), Class::Guess, &[("LOW level", "1")]);
    none(
        level.clone(),
        &[
            "not LOW",
            "LOW or MEDIUM",
            "LOW for now",
            "Other.LOW",
            "HIGHER",
            "LOW-RISK",
            "4x",
        ],
    );
    let color = json!({"enum": ["#f00", "#0f0"], "x-enum-varnames": ["RED", "GREEN"]});
    all(color.clone(), Class::Certain, &[("RED", "\"#f00\"")]);
    all(color.clone(), Class::Likely, &[("red", "\"#f00\"")]);
    none(color, &["#f00", "redder", "blue", "Color.RED"]);
    let mood = json!({"title": "Sentiment", "enum": ["pos", "neg"]});
    all(mood.clone(), Class::Likely, &[("Sentiment.NEG", "\"neg\"")]);
    none(mood, &["Sentiment.NEUTRAL", "Mood.neg"]);
    // For two arrays of different lengths, it is unknown which name belongs to which value.
    none(json!({"enum": [1, 2], "x-enum-varnames": ["A"]}), &["A"]);
    let schema = compile(&level);
    assert_eq!(
        schema.expected(),
        "1 /* LOW */ | 2 /* MEDIUM */ | 3 /* HIGH_RISK */"
    );
}

#[test]
fn words_for_nothing_and_truth_are_guessed_where_nothing_else_may_stand() {
    let number = json!({"type": ["number", "null"]});
    let nothing = [("NaN", "null"), ("?", "null"), ("TBD", "null")];
    all(number, Class::Guess, &nothing);
    none(json!({"type": ["string", "null"]}), &["NaN", "?", "TBD"]);
    none(json!({"type": "number"}), &["NaN", "?", "TBD"]);
    let made = |schema: Value, text: &str| {
        let schema = compile(&member(schema));
        let mut document = parse(text);
        coerce(&mut document, &schema, &CoerceOptions::default());
        document.to_json().unwrap_or_default()
    };
    for (schema, text, expected) in [
        (json!({"type": "boolean"}), r#"{"v":1}"#, r#"{"v":true}"#),
        (
            json!({"type": ["boolean", "null"]}),
            r#"{"v":0}"#,
            r#"{"v":false}"#,
        ),
        (
            json!({"type": ["boolean", "integer"]}),
            r#"{"v":0}"#,
            r#"{"v":0}"#,
        ),
        (json!({"type": "boolean"}), r#"{"v":2}"#, r#"{"v":2}"#),
        (json!({"const": true}), r#"{"v":1}"#, r#"{"v":1}"#),
    ] {
        assert_eq!(made(schema, text), expected, "{text}");
    }
}

/// Schemas as zod writes them, with patterns beside their formats.
#[test]
fn types_of_zod_are_read_within_their_patterns() {
    let day = r"(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))";
    let moment = json!({"type": "string", "format": "date-time",
        "pattern": format!(r"^{day}T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$")});
    let date = json!({"type": "string", "format": "date", "pattern": format!("^{day}$")});
    let id = json!({"type": "string", "format": "uuid", "pattern":
        "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12})$"});
    let mail = json!({"type": "string", "format": "email", "pattern":
        r"^(?:[A-Za-z0-9_'+\-]+\.)*[A-Za-z0-9_'+\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$"});
    let likely = [
        (
            moment.clone(),
            "2026-03-05 10:30Z",
            "\"2026-03-05T10:30:00Z\"",
        ),
        (date.clone(), "March 5th, 2026", "\"2026-03-05\""),
        (
            id.clone(),
            "{6f1c2d3e-1111-4222-8333-444455556666}",
            "\"6f1c2d3e-1111-4222-8333-444455556666\"",
        ),
        (mail.clone(), "<ada@a.org>", "\"ada@a.org\""),
        (format("uri"), "<https://a.org>", "\"https://a.org\""),
    ];
    for (schema, text, expected) in likely {
        all(schema, Class::Likely, &[(text, expected)]);
    }
    all(
        date.clone(),
        Class::Guess,
        &[("05.03.2026", "\"2026-03-05\"")],
    );
    // An offset that the pattern requires is not invented.
    none(moment, &["2026-03-05 10:30", "soon"]);
    none(date, &["05/03/2026"]);
    none(id, &["{6f1c2d3e-1111-9222-8333-444455556666}"]);
    none(mail, &["Ada <ada@a.org>"]);
}
