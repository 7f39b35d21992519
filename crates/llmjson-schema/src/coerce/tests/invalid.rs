//! Tests of dropping nonconforming values.

use llmjson_syntax::Class;
use serde_json::{Value, json};

use crate::{CoercionKind, Failure, Schema, Undeclared, drop_invalid, replace_invalid};

/// Returns the rest of a value, the dropped places, and the number of remaining violations.
fn dropped(schema: &Value, text: &str) -> (String, Vec<String>, usize) {
    let schema = Schema::compile(schema).unwrap();
    let mut document = llmjson_syntax::parse(text);
    let violations = schema.violations(document.root().unwrap(), Undeclared::Keep);
    let (gone, left) = drop_invalid(&mut document, &schema, Undeclared::Keep, violations, 100);
    for one in &gone {
        assert_eq!(one.kind, CoercionKind::DropInvalid);
        assert_eq!((one.class, one.after), (Class::Guess, None));
        assert!(!one.violations.is_empty(), "{text}");
    }
    let places = gone.iter().map(|one| one.path.to_string());
    (document.to_json().unwrap(), places.collect(), left.len())
}

fn check(schema: &Value, cases: &[(&str, &str, &[&str], usize)]) {
    for (text, value, places, left) in cases {
        let (found, gone, violations) = dropped(schema, text);
        assert_eq!((&*found, violations), (*value, *left), "{text}");
        assert_eq!(gone, *places, "{text}");
    }
}

fn row() -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "note": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1}
        },
        "required": ["id"]
    })
}

#[test]
fn items_and_optional_members_go() {
    check(
        &json!({"type": "array", "items": row()}),
        &[
            (
                r#"[{"id":1},{"id":"x"},{"id":3}]"#,
                r#"[{"id":1},{"id":3}]"#,
                &["$input[1]"],
                0,
            ),
            (
                r#"[{"id":1},{"note":"b"},7]"#,
                r#"[{"id":1}]"#,
                &["$input[1]", "$input[2]"],
                0,
            ),
            (
                r#"[{"id":1,"note":5}]"#,
                r#"[{"id":1}]"#,
                &["$input[0].note"],
                0,
            ),
            (r#"[{"id":"x","note":5}]"#, "[]", &["$input[0]"], 0),
            (
                r#"[{"id":1,"tags":["a",2]}]"#,
                r#"[{"id":1,"tags":["a"]}]"#,
                &["$input[0].tags[1]"],
                0,
            ),
            // An array that would become too short is dropped as a whole.
            (
                r#"[{"id":1,"tags":[2]}]"#,
                r#"[{"id":1}]"#,
                &["$input[0].tags"],
                0,
            ),
        ],
    );
}

#[test]
fn what_is_required_stays() {
    check(
        &row(),
        &[
            (
                r#"{"id":"x","note":"b"}"#,
                r#"{"id":"x","note":"b"}"#,
                &[],
                1,
            ),
            (
                r#"{"id":"x","note":5}"#,
                r#"{"id":"x"}"#,
                &["$input.note"],
                1,
            ),
            (r#"{"note":"b"}"#, r#"{"note":"b"}"#, &[], 1),
            ("[1]", "[1]", &[], 1),
        ],
    );
    let least = json!({"type": "array", "items": {"type": "integer"}, "minItems": 2});
    check(
        &least,
        &[
            (r#"[1,2,"x"]"#, "[1,2]", &["$input[2]"], 0),
            (r#"[1,"x"]"#, r#"[1,"x"]"#, &[], 1),
        ],
    );
    let pair = json!({"type": "array", "items": {
        "type": "array",
        "prefixItems": [{"type": "string"}, {"type": "integer"}],
        "minItems": 2
    }});
    check(
        &pair,
        &[(r#"[["a",1],["b","x"]]"#, r#"[["a",1]]"#, &["$input[1]"], 0)],
    );
}

#[test]
fn a_member_that_any_branch_requires_stays() {
    let either = json!({"type": "array", "items": {"anyOf": [
        {"type": "object", "properties": {"t": {"const": "a"}, "n": {"type": "integer"}}, "required": ["t", "n"]},
        {"type": "object", "properties": {"t": {"const": "b"}}, "required": ["t"]}
    ]}});
    check(
        &either,
        &[(
            r#"[{"t":"a","n":"x"},{"t":"b"}]"#,
            r#"[{"t":"b"}]"#,
            &["$input[0]"],
            0,
        )],
    );
    let nested = json!({
        "$defs": {"row": row()},
        "properties": {"rows": {"type": "array", "items": {"$ref": "#/$defs/row"}}},
        "additionalProperties": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "required": ["rows"]
    });
    check(
        &nested,
        &[(
            r#"{"rows":[{"id":1},{}],"a":1,"b":"x"}"#,
            r#"{"rows":[{"id":1}],"a":1}"#,
            &["$input.rows[1]", "$input.b"],
            0,
        )],
    );
}

#[test]
fn what_conforms_is_kept_of_the_rest() {
    let part = |text: &str| {
        let schema = Schema::compile(&row()).unwrap();
        let document = llmjson_syntax::parse(text);
        let violations = schema.violations(document.root().unwrap(), Undeclared::Keep);
        let failure = Failure::new(document, Some(&schema), violations);
        failure.conforming_part().and_then(|part| part.to_json())
    };
    assert_eq!(
        part(r#"{"id":"x","note":"b"}"#).as_deref(),
        Some(r#"{"note":"b"}"#)
    );
    assert_eq!(part(r#"{"note":"b"}"#).as_deref(), Some(r#"{"note":"b"}"#));
    assert_eq!(
        part(r#"{"id":1,"tags":["a",2]}"#).as_deref(),
        Some(r#"{"id":1,"tags":["a"]}"#)
    );
    assert_eq!(part("[1]"), None);
}

#[test]
fn records_are_capped() {
    let schema = Schema::compile(&json!({"items": {"type": "integer"}})).unwrap();
    let mut document = llmjson_syntax::parse(r#"["a","b","c",4]"#);
    let violations = schema.violations(document.root().unwrap(), Undeclared::Keep);
    let (gone, left) = drop_invalid(&mut document, &schema, Undeclared::Keep, violations, 2);
    let kinds: Vec<_> = gone.iter().map(|one| one.kind.name()).collect();
    assert_eq!(kinds, ["drop_invalid", "drop_invalid", "coercions_capped"]);
    assert_eq!(
        (document.to_json().as_deref(), left.len()),
        (Some("[4]"), 0)
    );
}

#[test]
fn items_leave_null_in_their_places() {
    let replaced = |schema: serde_json::Value, text: &str| {
        let schema = Schema::compile(&schema).unwrap();
        let mut document = llmjson_syntax::parse(text);
        let violations = schema.violations(document.root().unwrap(), Undeclared::Keep);
        let (gone, left) = replace_invalid(&mut document, &schema, Undeclared::Keep, violations, 9);
        let records = gone
            .iter()
            .map(|one| format!("{} {}", one.kind.name(), one.path));
        (
            document.to_json().unwrap(),
            records.collect::<Vec<_>>(),
            left.len(),
        )
    };
    let rows = json!({"type": "array", "items": row(), "minItems": 2});
    assert_eq!(
        replaced(rows, r#"[{"id":1},{"id":"x"},{"id":2,"note":[]}]"#),
        (
            r#"[{"id":1},null,{"id":2}]"#.to_owned(),
            vec![
                "replace_invalid $input[1]".to_owned(),
                "drop_invalid $input[2].note".to_owned()
            ],
            0
        )
    );
    let lists = json!({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}});
    assert_eq!(
        replaced(lists, r#"[[1,"a"],"b",["c"]]"#).0,
        r#"[[1,null],null,[null]]"#
    );
    // The places of a pair and required members are kept, as where items are dropped.
    let pair = json!({"type": "array", "prefixItems": [{"type": "integer"}]});
    assert_eq!(
        replaced(pair, r#"["a"]"#),
        (r#"["a"]"#.to_owned(), Vec::new(), 1)
    );
    let object = json!({"properties": {"n": {"type": "integer"}}, "required": ["n"]});
    assert_eq!(replaced(object, r#"{"n":"a"}"#).2, 1);
}
