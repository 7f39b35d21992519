use serde_json::{Value, json};

use super::{check, member};

fn any_of(branches: Value) -> Value {
    member(json!({"anyOf": branches}))
}

#[test]
fn what_fits_a_branch_stays() {
    check(
        &any_of(json!([{"type": "integer", "minimum": 0}, {"type": "string"}])),
        &[
            (r#"{"v":"42"}"#, r#"{"v":"42"}"#, &[]),
            (r#"{"v":42}"#, r#"{"v":42}"#, &[]),
        ],
    );
    check(
        &any_of(json!([
            {"type": "array", "items": {"type": "number"}}, {"type": "array", "items": {"type": "string"}}
        ])),
        &[
            (r#"{"v":["1","2"]}"#, r#"{"v":["1","2"]}"#, &[]),
            (r#"{"v":[1,2]}"#, r#"{"v":[1,2]}"#, &[]),
            (r#"{"v":"[1,2]"}"#, r#"{"v":[1,2]}"#, &["text_to_container"]),
        ],
    );
}

#[test]
fn a_text_without_a_branch_for_texts_is_read() {
    check(
        &any_of(json!([{"type": "number", "minimum": 0}, {"type": "null"}])),
        &[
            (r#"{"v":"42"}"#, r#"{"v":42}"#, &["text_to_number"]),
            (r#"{"v":"null"}"#, r#"{"v":null}"#, &["text_to_null"]),
            (r#"{"v":"n"}"#, r#"{"v":null}"#, &["word_to_null"]),
            (r#"{"v":"yes"}"#, r#"{"v":"yes"}"#, &[]),
            (r#"{"v":"abc"}"#, r#"{"v":"abc"}"#, &[]),
            (r#"{"v":"[\"1\"]"}"#, r#"{"v":"[\"1\"]"}"#, &[]),
        ],
    );
    check(
        &any_of(json!([{"type": "boolean"}, {"type": "null"}, {"type": "number", "minimum": 0}])),
        &[
            (r#"{"v":"n"}"#, r#"{"v":"n"}"#, &[]),
            (r#"{"v":"off"}"#, r#"{"v":false}"#, &["word_to_boolean"]),
        ],
    );
    check(
        &any_of(json!([{"type": "array", "items": {"type": "string"}}, {"type": "null"}])),
        &[
            (r#"{"v":"null"}"#, r#"{"v":null}"#, &["text_to_null"]),
            (r#"{"v":"a"}"#, r#"{"v":["a"]}"#, &["wrap_in_array"]),
            (r#"{"v":"[Name"}"#, r#"{"v":["[Name"]}"#, &["wrap_in_array"]),
            (r#"{"v":null}"#, r#"{"v":null}"#, &[]),
        ],
    );
}

fn pets() -> Value {
    json!({
        "anyOf": [{"$ref": "#/$defs/Dog"}, {"$ref": "#/$defs/Cat"}],
        "$defs": {
            "Dog": {"type": "object", "properties": {
                "kind": {"const": "dog"}, "age": {"type": "number"}, "bark": {"type": "boolean"}
            }, "required": ["kind", "bark"]},
            "Cat": {"type": "object", "properties": {
                "kind": {"const": "cat"}, "age": {"type": "string"}, "friend": {"$ref": "#"}
            }, "required": ["kind"]}
        }
    })
}

#[test]
fn a_tag_says_which_branch_is_meant() {
    check(
        &pets(),
        &[
            (
                r#"{"kind":"dog","age":"5","bark":"true"}"#,
                r#"{"kind":"dog","age":5,"bark":true}"#,
                &["text_to_number", "text_to_boolean"],
            ),
            (
                r#"{"kind":"cat","age":5}"#,
                r#"{"kind":"cat","age":"5"}"#,
                &["number_to_text"],
            ),
            (
                r#"{"kind":"Dog","age":"5","bark":true}"#,
                r#"{"kind":"dog","age":5,"bark":true}"#,
                &["enum_spelling", "text_to_number"],
            ),
            (
                r#"{"kind":"dog","age":"5"}"#,
                r#"{"kind":"dog","age":5}"#,
                &["text_to_number"],
            ),
            (
                r#"{"kind":"dog","age":"old","bark":2}"#,
                r#"{"kind":"dog","age":"old","bark":2}"#,
                &[],
            ),
            (
                r#"{"kind":"cow","age":"5","bark":"true"}"#,
                r#"{"kind":"cow","age":"5","bark":"true"}"#,
                &[],
            ),
            (
                r#""{\"kind\":\"cat\",\"friend\":\"{\\\"kind\\\":\\\"dog\\\",\\\"bark\\\":\\\"yes\\\"}\"}""#,
                r#"{"kind":"cat","friend":{"kind":"dog","bark":true}}"#,
                &["text_to_container", "text_to_container", "word_to_boolean"],
            ),
        ],
    );
}

#[test]
fn a_declared_tag_counts_before_constants() {
    let schema = json!({
        "oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}],
        "discriminator": {"propertyName": "t", "mapping": {"one": "#/$defs/A", "two": "#/$defs/B"}},
        "$defs": {
            "A": {"type": "object", "properties": {"t": {"type": "string"}, "n": {"type": "number"}}, "required": ["t", "n"]},
            "B": {"type": "object", "properties": {"t": {"type": "string"}, "n": {"type": "boolean"}}, "required": ["t", "n"]}
        }
    });
    check(
        &schema,
        &[
            (
                r#"{"t":"one","n":"1"}"#,
                r#"{"t":"one","n":1}"#,
                &["text_to_number"],
            ),
            (
                r#"{"t":"two","n":"on"}"#,
                r#"{"t":"two","n":true}"#,
                &["word_to_boolean"],
            ),
            (r#"{"t":"two","n":"2"}"#, r#"{"t":"two","n":"2"}"#, &[]),
        ],
    );
}

#[test]
fn members_of_their_own_tell_branches_apart() {
    check(
        &json!({"anyOf": [
            {"type": "object", "properties": {"radius": {"type": "number"}}, "required": ["radius"]},
            {"type": "object", "properties": {"width": {"type": "number"}, "height": {"type": "number"}}, "required": ["width", "height"]}
        ]}),
        &[
            (r#"{"radius":"5"}"#, r#"{"radius":5}"#, &["text_to_number"]),
            (
                r#"{"width":"5","height":2}"#,
                r#"{"width":5,"height":2}"#,
                &["text_to_number"],
            ),
            (r#"{"width":"5"}"#, r#"{"width":5}"#, &["text_to_number"]),
            (r#"{"depth":"5"}"#, r#"{"depth":"5"}"#, &[]),
        ],
    );
}

#[test]
fn a_tie_between_different_results_changes_nothing() {
    check(
        &any_of(json!([
            {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]},
            {"type": "array", "items": {"type": "number"}, "minItems": 1},
        ])),
        &[(
            r#"{"v":"5"}"#,
            r#"{"v":[5]}"#,
            &["wrap_in_array", "text_to_number"],
        )],
    );
    check(
        &any_of(json!([
            {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
            {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]},
            {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}}
        ])),
        &[(
            r#"{"v":{"a":"1"}}"#,
            r#"{"v":{"a":1}}"#,
            &["text_to_number"],
        )],
    );
    check(
        &any_of(json!([
            {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "string"}}, "required": ["a", "b"]},
            {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "number"}}, "required": ["a", "b"]}
        ])),
        &[
            (
                r#"{"v":{"a":"1","b":"2"}}"#,
                r#"{"v":{"a":"1","b":"2"}}"#,
                &[],
            ),
            (
                r#"{"v":{"a":"1","b":"x"}}"#,
                r#"{"v":{"a":1,"b":"x"}}"#,
                &["text_to_number"],
            ),
            (r#"{"v":{"a":1,"b":2}}"#, r#"{"v":{"a":1,"b":2}}"#, &[]),
        ],
    );
}

#[test]
fn an_envelope_around_a_union_is_opened() {
    check(
        &pets(),
        &[(
            r#"{"arguments":{"kind":"cat","age":1}}"#,
            r#"{"kind":"cat","age":"1"}"#,
            &["envelope", "number_to_text"],
        )],
    );
}

#[test]
fn members_beside_a_union_count_for_every_branch() {
    let schema = json!({
        "type": "object",
        "properties": {"id": {"type": "integer"}},
        "oneOf": [
            {"properties": {"k": {"const": "a"}, "x": {"type": "number"}}, "required": ["k"]},
            {"properties": {"k": {"const": "b"}, "x": {"type": "boolean"}}, "required": ["k"]}
        ]
    });
    check(
        &schema,
        &[
            (
                r#"{"id":"1","k":"a","x":"2"}"#,
                r#"{"id":1,"k":"a","x":2}"#,
                &["text_to_number", "text_to_number"],
            ),
            (
                r#"{"id":"1","k":"b","x":"yes"}"#,
                r#"{"id":1,"k":"b","x":true}"#,
                &["text_to_number", "word_to_boolean"],
            ),
        ],
    );
}
