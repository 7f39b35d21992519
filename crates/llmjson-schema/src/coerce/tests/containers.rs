use serde_json::json;

use super::{check, member};

#[test]
fn text_is_read_as_the_container_it_holds() {
    let schema = member(json!({
        "type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]
    }));
    check(
        &schema,
        &[
            (
                r#"{"v":"{\"x\":1}"}"#,
                r#"{"v":{"x":1}}"#,
                &["text_to_container"],
            ),
            (
                r#"{"v":" {\"x\":\"1\"} "}"#,
                r#"{"v":{"x":1}}"#,
                &["text_to_container", "text_to_number"],
            ),
            (
                r#"{"v":"\"{\\\"x\\\":1}\""}"#,
                r#"{"v":{"x":1}}"#,
                &["text_to_container"],
            ),
            (
                r#"{"v":"{x:1"}"#,
                r#"{"v":{"x":1}}"#,
                &["damaged_text_to_container"],
            ),
            (
                r#"{"v":"{'x': 1}"}"#,
                r#"{"v":{"x":1}}"#,
                &["damaged_text_to_container"],
            ),
            (
                r#"{"v":"```json\n{\"x\":1}\n```"}"#,
                r#"{"v":{"x":1}}"#,
                &["damaged_text_to_container"],
            ),
            (
                r#"{"v":"Here: {\"x\":1}"}"#,
                r#"{"v":"Here: {\"x\":1}"}"#,
                &[],
            ),
            (r#"{"v":"[1]"}"#, r#"{"v":"[1]"}"#, &[]),
            (r#"{"v":"x"}"#, r#"{"v":"x"}"#, &[]),
            (r#"{"v":"null"}"#, r#"{"v":"null"}"#, &[]),
            (r#"{"v":5}"#, r#"{"v":{"x":5}}"#, &["other_layout"]),
            (r#"{"v":true}"#, r#"{"v":true}"#, &[]),
        ],
    );
}

#[test]
fn a_text_at_the_root_is_read_like_a_reply() {
    let schema = member(json!({"type": "number"}));
    check(
        &schema,
        &[
            (
                r#""{\"v\":\"1\"}""#,
                r#"{"v":1}"#,
                &["text_to_container", "text_to_number"],
            ),
            (
                r#""Sure: {\"v\":1} Bye.""#,
                r#"{"v":1}"#,
                &["damaged_text_to_container"],
            ),
            (r#""I cannot do that.""#, r#""I cannot do that.""#, &[]),
        ],
    );
}

#[test]
fn eight_levels_of_texts_within_texts_are_read() {
    let schema = super::compile(&member(
        json!({"type": "array", "items": {"type": "number"}}),
    ));
    let mut text = "[1]".to_owned();
    for level in 1..=9 {
        text = serde_json::to_string(&text).expect("a string");
        let mut document = llmjson_syntax::parse("{}");
        let whole = format!("{{\"v\":{text}}}");
        document.clone_from(&llmjson_syntax::parse(&whole).into_owned());
        crate::coerce(&mut document, &schema, &crate::CoerceOptions::default());
        let read = document.to_json().as_deref() == Some(r#"{"v":[1]}"#);
        assert_eq!(read, level <= 8, "level {level}");
    }
}

#[test]
fn a_text_that_could_be_an_item_has_to_be_a_list_for_certain() {
    let schema = member(json!({"type": "array", "items": {"type": "string"}}));
    check(
        &schema,
        &[
            (
                r#"{"v":"[\"a\",\"b\"]"}"#,
                r#"{"v":["a","b"]}"#,
                &["text_to_container"],
            ),
            (
                r#"{"v":"['a', 'b']"}"#,
                r#"{"v":["a","b"]}"#,
                &["damaged_text_to_container"],
            ),
            (r#"{"v":"[]"}"#, r#"{"v":[]}"#, &["text_to_container"]),
            (
                r#"{"v":"[Name.esp"}"#,
                r#"{"v":["[Name.esp"]}"#,
                &["wrap_in_array"],
            ),
            (
                r#"{"v":"[draft] a note"}"#,
                r#"{"v":["[draft] a note"]}"#,
                &["wrap_in_array"],
            ),
            (r#"{"v":"a"}"#, r#"{"v":["a"]}"#, &["wrap_in_array"]),
            (
                r#"{"v":5}"#,
                r#"{"v":["5"]}"#,
                &["wrap_in_array", "number_to_text"],
            ),
            (
                r#"{"v":{"path":"a"}}"#,
                r#"{"v":["a"]}"#,
                &["unwrap_placeholder"],
            ),
            (r#"{"v":{"n":1}}"#, r#"{"v":{"n":1}}"#, &[]),
            (
                r#"{"v":{"a":"b","c":"d"}}"#,
                r#"{"v":{"a":"b","c":"d"}}"#,
                &[],
            ),
            (r#"{"v":{}}"#, r#"{"v":{}}"#, &[]),
            (r#"{"v":null}"#, r#"{"v":null}"#, &[]),
        ],
    );
}

#[test]
fn a_single_item_becomes_a_list() {
    let schema = member(json!({"type": "array", "items": {
        "type": "object", "properties": {"op": {"type": "string"}, "n": {"type": "integer"}},
        "required": ["op"]
    }}));
    check(
        &schema,
        &[
            (
                r#"{"v":{"op":"a"}}"#,
                r#"{"v":[{"op":"a"}]}"#,
                &["wrap_in_array"],
            ),
            (
                r#"{"v":{"op":"a","n":"1"}}"#,
                r#"{"v":[{"op":"a","n":1}]}"#,
                &["wrap_in_array", "text_to_number"],
            ),
            (
                r#"{"v":"{\"op\":\"a\"}"}"#,
                r#"{"v":[{"op":"a"}]}"#,
                &["wrap_in_array", "text_to_container"],
            ),
            (r#"{"v":"a"}"#, r#"{"v":"a"}"#, &[]),
        ],
    );
    check(
        &member(json!({"type": "array", "items": {"type": "array", "items": {"type": "number"}}})),
        &[
            (
                r#"{"v":[1,2]}"#,
                r#"{"v":[[1],[2]]}"#,
                &["wrap_in_array", "wrap_in_array"],
            ),
            (r#"{"v":1}"#, r#"{"v":1}"#, &[]),
        ],
    );
}

#[test]
fn a_single_item_comes_out_of_its_list() {
    check(
        &member(json!({"type": "string"})),
        &[
            (r#"{"v":["a"]}"#, r#"{"v":"a"}"#, &["unwrap_array"]),
            (r#"{"v":["a","b"]}"#, r#"{"v":["a","b"]}"#, &[]),
            (r#"{"v":[]}"#, r#"{"v":[]}"#, &[]),
            (r#"{"v":[1]}"#, r#"{"v":[1]}"#, &[]),
        ],
    );
    check(
        &member(json!({"type": "integer"})),
        &[
            (r#"[{"v":1}]"#, r#"{"v":1}"#, &["unwrap_array"]),
            (
                r#"[{"v":"1"}]"#,
                r#"{"v":1}"#,
                &["unwrap_array", "text_to_number"],
            ),
            (r#"[{"v":"x"}]"#, r#"[{"v":"x"}]"#, &[]),
            (r#"[{"v":1},{"v":1}]"#, r#"[{"v":1},{"v":1}]"#, &[]),
        ],
    );
}

#[test]
fn items_are_put_right_by_place() {
    let schema = json!({
        "type": "array",
        "prefixItems": [{"type": "string"}, {"type": "number"}],
        "items": {"type": "boolean"}
    });
    check(
        &schema,
        &[
            (
                r#"["a","1","yes",true]"#,
                r#"["a",1,true,true]"#,
                &["text_to_number", "word_to_boolean"],
            ),
            (r#"["a",1,true]"#, r#"["a",1,true]"#, &[]),
            ("[]", "[]", &[]),
        ],
    );
    check(
        &json!({"type": "array", "items": {"type": "number"}}),
        &[(
            r#"["1","x",null,2]"#,
            r#"[1,"x",null,2]"#,
            &["text_to_number"],
        )],
    );
}

#[test]
fn what_does_not_change_is_only_referred_to() {
    let schema = super::compile(
        &json!({"type": "array", "items": {"type": "object", "properties": {
            "a": {"type": "number"}
        }}}),
    );
    let mut document = llmjson_syntax::parse(r#"[{"a":1,"deep":[[[]]]},{"a":"2"}]"#);
    let first = document
        .root()
        .and_then(|root| root.item(0))
        .map(|item| item.id());
    crate::coerce(&mut document, &schema, &crate::CoerceOptions::default());
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
