//! Tests of dropping nonconforming values.

use serde_json::{Value, json};

use crate::{Failure, Schema, Undeclared, drop_invalid, replace_invalid};

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
