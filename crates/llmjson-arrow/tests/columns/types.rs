//! The type of the values of a schema.

use llmjson::Schema;
use llmjson_arrow::{Output, fields};

/// Schemas, and the type of the column of their values.
const TYPES: &[(&str, &str)] = &[
    ("{}", "Utf8"),
    ("true", "Utf8"),
    (r#"{"type": "string"}"#, "Utf8"),
    (r#"{"type": "string", "format": "date-time"}"#, "Utf8"),
    (r#"{"enum": ["a", "b", null]}"#, "Utf8"),
    (r#"{"type": "integer"}"#, "Int64"),
    (r#"{"type": "INTEGER", "nullable": true}"#, "Int64"),
    (r#"{"type": "integer", "format": "uint64"}"#, "Int64"),
    (r#"{"enum": [1, 2]}"#, "Int64"),
    (r#"{"enum": [1, 2.5]}"#, "Float64"),
    (r#"{"type": "number"}"#, "Float64"),
    (r#"{"type": ["integer", "number", "null"]}"#, "Float64"),
    (
        r#"{"anyOf": [{"type": "integer"}, {"type": "number"}]}"#,
        "Float64",
    ),
    (r#"{"type": "number", "format": "decimal"}"#, "Utf8"),
    (
        r#"{"anyOf": [{"type": "number"}, {"type": "string", "pattern": "^[0-9.]+$"}]}"#,
        "Utf8",
    ),
    (r#"{"type": "boolean"}"#, "Boolean"),
    (r#"{"const": true}"#, "Boolean"),
    (r#"{"type": "null"}"#, "Utf8"),
    (
        r#"{"anyOf": [{"type": "boolean"}, {"type": "null"}]}"#,
        "Boolean",
    ),
    (r#"{"type": ["boolean", "string"]}"#, "Utf8"),
    // Lists.
    (r#"{"type": "array"}"#, "List(Utf8)"),
    (r#"{"items": {"type": "integer"}}"#, "List(Int64)"),
    (
        r#"{"type": "array", "items": {"type": ["integer", "null"]}}"#,
        "List(Int64)",
    ),
    (
        r#"{"type": "array", "items": {"type": "array", "items": {"type": "number"}}}"#,
        "List(List(Float64))",
    ),
    (
        r#"{"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "items": false}"#,
        "List(Float64)",
    ),
    (
        r#"{"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]}"#,
        "Utf8",
    ),
    (
        r#"{"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "integer"}}]}"#,
        "List(Utf8)",
    ),
    (
        r#"{"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]}"#,
        "Utf8",
    ),
    // Objects.
    (r#"{"type": "object"}"#, "Utf8"),
    (
        r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#,
        "Utf8",
    ),
    (
        r#"{"type": "object", "properties": {"b": {"type": "integer"}, "a": {}}}"#,
        "Struct(b: Int64, a: Utf8)",
    ),
    (
        r#"{"properties": {"a": {"type": "boolean"}}}"#,
        "Struct(a: Boolean)",
    ),
    (
        r##"{"$ref": "#/$defs/P", "$defs": {"P": {"type": "object", "properties": {"q": {"$ref": "#/$defs/Q"}}}, "Q": {"type": "integer"}}}"##,
        "Struct(q: Int64)",
    ),
    (
        r##"{"type": "object", "properties": {"value": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#"}}}}"##,
        "Struct(value: Int64, children: List(Utf8))",
    ),
    (
        r#"{"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"properties": {"b": {"type": "number"}}}]}"#,
        "Struct(a: Utf8, b: Float64)",
    ),
    (
        r#"{"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
        "Struct(a: Utf8, b: Utf8)",
    ),
    (
        r#"{"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}},
            {"type": "object", "properties": {"kind": {"const": "b"}, "n": {"type": "number"}, "x": {"type": "boolean"}}},
            {"type": "null"}
        ]}"#,
        "Struct(kind: Utf8, n: Float64, x: Boolean)",
    ),
    (
        r#"{"anyOf": [{"type": "object", "properties": {"a": {}}}, {"type": "object"}]}"#,
        "Utf8",
    ),
    (
        r#"{"anyOf": [{"type": "object", "properties": {"a": {}}}, {"type": "string"}]}"#,
        "Utf8",
    ),
];

#[test]
fn types_follow_from_the_schema() {
    for (schema, wanted) in TYPES {
        let compiled = Schema::from_text(schema).expect(schema);
        let fields = fields(Some(&compiled), Output::Struct);
        let found = fields[0].data_type().to_string().replace('"', "");
        assert_eq!(found, *wanted, "{schema}");
        let json = &llmjson_arrow::fields(Some(&compiled), Output::Json)[0];
        assert_eq!(json.data_type().to_string(), "Utf8");
    }
}

#[test]
fn the_columns_have_names_and_types() {
    let shown: Vec<_> = fields(None, Output::Struct)
        .iter()
        .map(|field| format!("{}: {}", field.name(), field.data_type()).replace('"', ""))
        .collect();
    let wanted = [
        "value: Utf8",
        "ok: Boolean",
        "complete: Boolean",
        "certainty: Utf8",
        "repairs: List(Struct(kind: Utf8, certainty: Utf8, start: Int64, end: Int64))",
        "coercions: List(Struct(kind: Utf8, certainty: Utf8, path: Utf8))",
        "violations: List(Struct(path: Utf8, expected: Utf8, found: Utf8))",
        "feedback: Utf8",
    ];
    assert_eq!(shown, wanted);
}

/// A schema in which each definition has two members of the next one.
fn doubling(definitions: usize) -> String {
    let definition = |at| {
        let next = format!(r##"{{"$ref": "#/$defs/D{}"}}"##, at + 1);
        format!(r#""D{at}": {{"type": "object", "properties": {{"a": {next}, "b": {next}}}}}"#)
    };
    let mut all: Vec<_> = (0..definitions).map(definition).collect();
    all.push(format!(r#""D{definitions}": {{"type": "integer"}}"#));
    format!(
        r##"{{"$ref": "#/$defs/D0", "$defs": {{{}}}}}"##,
        all.join(",")
    )
}

#[test]
fn types_of_few_definitions_stay_bounded() {
    let count = |schema: &str| {
        let schema = Schema::from_text(schema).expect("a schema");
        let shown = fields(Some(&schema), Output::Struct)[0]
            .data_type()
            .to_string();
        shown.matches("Int64").count()
    };
    assert_eq!(count(&doubling(5)), 32);
    assert!(count(&doubling(40)) < 20_000);
}
