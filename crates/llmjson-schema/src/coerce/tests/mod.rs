//! Tests of every kind of change, with cases that it must not change.

mod containers;
mod forms;
mod hostile;
mod invalid;
mod layouts;
mod names;
mod on_request;
mod scalars;
mod types;
mod unions;

use llmjson_syntax::parse;
use serde_json::Value;

use super::{CoerceOptions, coerce, laws};
use crate::base::report::CoercionKind;
use crate::schema::Schema;

/// A value, its result, and the kinds of change in order.
type Case = (&'static str, &'static str, &'static [&'static str]);

fn compile(schema: &Value) -> Schema {
    Schema::compile(schema).unwrap_or_else(|error| panic!("{error}: {schema}"))
}

/// Checks cases against a schema, and the laws on each.
#[track_caller]
fn check(schema: &Value, cases: &[Case]) {
    check_with(&CoerceOptions::default(), schema, cases);
}

#[track_caller]
fn check_with(options: &CoerceOptions, schema: &Value, cases: &[Case]) {
    let compiled = compile(schema);
    for (input, expected, kinds) in cases {
        let mut document = parse(input);
        let before = document.root().map(|root| root.id());
        let coercions = coerce(&mut document, &compiled, options);
        let found: Vec<_> = coercions
            .iter()
            .map(|coercion| coercion.kind.name())
            .collect();
        let shown = document.to_json().unwrap_or_default();
        assert_eq!(
            (&*shown, &found[..]),
            (*expected, *kinds),
            "{input} for {schema}"
        );
        if kinds.is_empty() {
            assert_eq!(
                document.root().map(|root| root.id()),
                before,
                "{input} was written anew"
            );
        }
        laws::coercion_is_idempotent(input, &compiled);
        laws::coercion_is_deterministic(input, &compiled);
        crate::laws::quick_looks_are_right(input, &compiled);
        crate::laws::fitting_is_both(input, &compiled);
        crate::laws::quick_looks_are_right(&shown, &compiled);
    }
}

/// Returns the schema of an object with one required member `v`.
fn member(schema: Value) -> Value {
    serde_json::json!({"type": "object", "properties": {"v": schema}, "required": ["v"]})
}

#[test]
fn a_kind_that_is_not_allowed_is_not_made() {
    let schema = member(serde_json::json!({"type": "boolean"}));
    let careful = CoerceOptions::default().without(CoercionKind::WordToBoolean);
    check_with(
        &careful,
        &schema,
        &[
            (r#"{"v":"yes"}"#, r#"{"v":"yes"}"#, &[]),
            (r#"{"v":"true"}"#, r#"{"v":true}"#, &["text_to_boolean"]),
        ],
    );
    let nothing = CoerceOptions::none();
    check_with(
        &nothing,
        &schema,
        &[(r#"{"v":"true"}"#, r#"{"v":"true"}"#, &[])],
    );
}

#[test]
fn records_say_where_and_what() {
    let schema = compile(&serde_json::json!({
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
        &compile(&serde_json::json!({})),
        &CoerceOptions::default(),
    );
    assert!(coercions.is_empty() && document.root().is_none());
}
