//! Tests of coercion that a row of a table can't hold. `tests/tables/coerced` has the others.

mod hostile;
mod invalid;

use llmjson_syntax::parse;
use serde_json::{Value, json};

use super::{CoerceOptions, coerce};
use crate::base::formats::FormatStrictness;
use crate::schema::Schema;

fn compile(schema: &Value) -> Schema {
    Schema::compile(schema).unwrap_or_else(|error| panic!("{error}: {schema}"))
}

#[test]
fn records_say_where_and_what() {
    let schema = compile(&json!({
        "type": "object",
        "properties": {"items": {"type": "array", "items": {
            "type": "object", "properties": {"unitPrice": {"type": "number"}, "note": {"type": "string"}}
        }}}
    }));
    let mut document = parse(r#"{"items": [{}, {"unit_price": "1.50", "note": null}]}"#);
    let coercions = coerce(&mut document, &schema, &CoerceOptions::default());
    let show = |node| document.node(node).to_json();
    let shown: Vec<_> = coercions
        .iter()
        .map(|made| {
            (
                made.path.to_string(),
                show(made.before),
                made.after.map(show),
            )
        })
        .collect();
    let path = |name: &str| format!("$input.items[1].{name}");
    assert_eq!(
        shown,
        [
            (
                path("unitPrice"),
                r#""1.50""#.to_owned(),
                Some(r#""1.50""#.to_owned())
            ),
            (
                path("unitPrice"),
                r#""1.50""#.to_owned(),
                Some("1.50".to_owned())
            ),
            (path("note"), "null".to_owned(), None),
        ]
    );
}

#[test]
fn a_document_without_a_value_stays_without() {
    let mut document = parse("");
    let coercions = coerce(
        &mut document,
        &compile(&json!({})),
        &CoerceOptions::default(),
    );
    assert!(coercions.is_empty() && document.root().is_none());
}

#[test]
fn eight_levels_of_texts_within_texts_are_read() {
    let schema =
        compile(&json!({"properties": {"v": {"type": "array", "items": {"type": "number"}}}}));
    let mut text = "[1]".to_owned();
    for level in 1..=9 {
        text = serde_json::to_string(&text).expect("a string");
        let whole = format!("{{\"v\":{text}}}");
        let mut document = parse(&whole);
        coerce(&mut document, &schema, &CoerceOptions::default());
        let read = document.to_json().as_deref() == Some(r#"{"v":[1]}"#);
        assert_eq!(read, level <= 8, "level {level}");
    }
}

#[test]
fn what_does_not_change_is_only_referred_to() {
    let schema = compile(
        &json!({"type": "array", "items": {"type": "object", "properties": {
            "a": {"type": "number"}
        }}}),
    );
    let mut document = parse(r#"[{"a":1,"deep":[[[]]]},{"a":"2"}]"#);
    let first = document
        .root()
        .and_then(|root| root.item(0))
        .map(|item| item.id());
    coerce(&mut document, &schema, &CoerceOptions::default());
    assert_eq!(
        document
            .root()
            .and_then(|root| root.item(0))
            .map(|item| item.id()),
        first
    );
    assert_eq!(
        document.to_json().as_deref(),
        Some(r#"[{"a":1,"deep":[[[]]]},{"a":2}]"#)
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
fn a_format_as_written_is_left_alone() {
    let schema = compile(&json!({"properties": {"v": {"type": "string", "format": "date-time"}}}));
    let mut document = parse(r#"{"v": "2021-06-05 04:36"}"#);
    let as_written = schema.with_formats(FormatStrictness::AsWritten);
    let changes = coerce(&mut document, as_written, &CoerceOptions::default());
    assert!(changes.is_empty(), "{changes:?}");
}

#[test]
fn members_of_enumerations_are_shown_with_their_names() {
    let schema = compile(&json!({"enum": [1, 2], "x-enum-varnames": ["LOW", "HIGH"]}));
    assert_eq!(schema.expected(), "1 /* LOW */ | 2 /* HIGH */");
}
