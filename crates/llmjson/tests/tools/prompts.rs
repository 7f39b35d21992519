//! Schemas as prompts.

use llmjson::Schema;
use llmjson::tools::schema_prompt;

#[track_caller]
fn check(schema: &str, expected: &str) {
    let schema = Schema::from_text(schema).expect("a schema");
    assert_eq!(schema_prompt(&schema), expected);
}

#[test]
fn values_are_types() {
    check("true", "any");
    check("{}", "any");
    check("false", "never");
    check(r#"{"type": "string"}"#, "string");
    check(r#"{"type": ["integer", "null"]}"#, "integer | null");
    check(r#"{"enum": ["a", 2, null]}"#, r#""a" | 2 | null"#);
    check(r#"{"type": "string", "const": "a"}"#, r#""a""#);
    check(r#"{"type": "array"}"#, "any[]");
    check(r#"{"items": {"type": "number"}}"#, "number[]");
    check(r#"{"items": {"enum": ["a", "b"]}}"#, r#"("a" | "b")[]"#);
    check(
        r#"{"prefixItems": [{"type": "string"}, {"type": "integer"}], "items": {"type": "null"}}"#,
        "[string, integer, ...null[]]",
    );
    check(
        r#"{"anyOf": [{"type": "string"}, {"items": {"type": "string"}}, {"type": "string"}]}"#,
        "string | string[]",
    );
    check(r#"{"type": "object"}"#, "object");
    check(
        r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#,
        "{\n  [name: string]: integer\n}",
    );
}

#[test]
fn what_a_type_does_not_say_is_a_comment() {
    check(
        r#"{"type": "string", "minLength": 2, "maxLength": 2, "description": "A country\n  in two letters"}"#,
        "string // A country in two letters. At least 2 characters, at most 2 characters.",
    );
    check(
        r#"{"properties": {"born on": {"type": "string", "format": "date"},
            "scores": {"items": {"type": "number", "minimum": 0}, "maxItems": 3},
            "from": {"description": "Whence.", "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
            "by": {"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "null"}], "default": "a"}}}"#,
        r#"{
  "born on"?: string // Format: date.
  scores?: number[] // At most 3 items. At least 0.
  // Whence.
  from?: {
    city: string
  }
  by?: string | null // Default: "a". Matches `^a`.
}"#,
    );
}

#[test]
fn what_is_used_twice_or_within_itself_has_a_name() {
    check(
        r##"{"type": "object", "properties": {"from": {"$ref": "#/$defs/Place"}, "to": {"$ref": "#/$defs/Place"},
            "by": {"$ref": "#/$defs/Once"}}, "required": ["from", "to"],
            "$defs": {"Place": {"type": "object", "description": "Where.", "properties": {"city": {"type": "string"}}, "required": ["city"]},
            "Once": {"enum": ["rail", "air"]}}}"##,
        r#"// Where.
type Place = {
  city: string
}

{
  from: Place
  to: Place
  by?: "rail" | "air"
}"#,
    );
    check(
        r##"{"title": "Tree", "type": "object", "properties": {"of": {"items": {"$ref": "#"}}}}"##,
        "type Tree = {\n  of?: Tree[]\n}\n\nTree",
    );
}

#[test]
fn deep_schemas_end() {
    let deep = format!("{}{{}}{}", r#"{"items":"#.repeat(100), "}".repeat(100));
    let schema = Schema::from_text(&deep).expect("a schema");
    assert!(schema_prompt(&schema).starts_with("any[][]"));
}
