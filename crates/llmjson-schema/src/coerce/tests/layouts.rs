//! Tests of the same data in other layouts.

use llmjson_syntax::{Class, parse};
use serde_json::json;

use super::{CoerceOptions, check, coerce, compile, member};
use crate::base::report::CoercionKind;

const LAID: &[&str] = &["other_layout"];

#[test]
fn objects_stand_for_lists() {
    let texts = member(json!({"type": "array", "items": {"type": "string"}}));
    check(
        &texts,
        &[
            (r#"{"v":{"1":"a","2":"b"}}"#, r#"{"v":["a","b"]}"#, LAID),
            (
                r#"{"v":{"item_1":"a","item_2":"b"}}"#,
                r#"{"v":["a","b"]}"#,
                LAID,
            ),
            (r#"{"v":{"0":"a","1":"b"}}"#, r#"{"v":["a","b"]}"#, LAID),
            (
                r#"{"v":{"1":"a","3":"b"}}"#,
                r#"{"v":{"1":"a","3":"b"}}"#,
                &[],
            ),
            (
                r#"{"v":{"2024":"a","2025":"b"}}"#,
                r#"{"v":{"2024":"a","2025":"b"}}"#,
                &[],
            ),
        ],
    );
    let rows = member(json!({"type": "array", "items": {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
        "required": ["id", "name"]
    }}));
    let table = r#"{"v":[{"id":1,"name":"a"},{"id":2,"name":"b"}]}"#;
    check(
        &rows,
        &[
            (
                r#"{"v":{"1":{"id":1,"name":"a"},"2":{"id":2,"name":"b"}}}"#,
                table,
                LAID,
            ),
            (
                r#"{"v":{"id":1,"name":"a"}}"#,
                r#"{"v":[{"id":1,"name":"a"}]}"#,
                &["wrap_in_array"],
            ),
        ],
    );
}

#[test]
fn pairs_stand_for_maps() {
    let map = member(json!({"type": "object", "additionalProperties": {"type": "integer"}}));
    let expected = r#"{"v":{"a":1,"b":2}}"#;
    check(
        &map,
        &[
            (
                r#"{"v":[{"key":"a","value":1},{"key":"b","value":2}]}"#,
                expected,
                LAID,
            ),
            (
                r#"{"v":[{"name":"a","value":1},{"name":"b","value":2}]}"#,
                expected,
                LAID,
            ),
            (r#"{"v":[["a",1],["b",2]]}"#, expected, LAID),
            (
                r#"{"v":[["a",1],["a",2]]}"#,
                r#"{"v":[["a",1],["a",2]]}"#,
                &[],
            ),
        ],
    );
}

#[test]
fn nested_members_have_one_name() {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "address": {
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
                "required": ["street", "city"]
            }
        },
        "required": ["name", "address"]
    });
    let expected = r#"{"name":"Ada","address":{"street":"a","city":"b"}}"#;
    check(
        &schema,
        &[
            (
                r#"{"name":"Ada","address.street":"a","address.city":"b"}"#,
                expected,
                LAID,
            ),
            (
                r#"{"name":"Ada","address_street":"a","address_city":"b"}"#,
                expected,
                LAID,
            ),
            (r#"{"name":"Ada","street":"a","city":"b"}"#, expected, LAID),
            (
                r#"{"name":"Ada","street":"a"}"#,
                r#"{"name":"Ada","street":"a"}"#,
                &[],
            ),
        ],
    );
    let deep = json!({
        "type": "object",
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["id", "name", "age"]
    });
    check(
        &deep,
        &[(
            r#"{"id":1,"person":{"name":"Ada","age":3}}"#,
            r#"{"id":1,"name":"Ada","age":3}"#,
            LAID,
        )],
    );
    let items = json!({
        "type": "object",
        "properties": {"items": {"type": "array", "items": {
            "type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]
        }}},
        "required": ["items"]
    });
    check(
        &items,
        &[
            (
                r#"{"items[0].sku":"a","items[1].sku":"b"}"#,
                r#"{"items":[{"sku":"a"},{"sku":"b"}]}"#,
                LAID,
            ),
            (r#"{"items[1].sku":"a"}"#, r#"{"items[1].sku":"a"}"#, &[]),
        ],
    );
}

#[test]
fn what_stands_alone_is_the_required_member() {
    let schema = json!({
        "type": "object",
        "properties": {"items": {"type": "array", "items": {"type": "integer"}}, "note": {"type": "string"}},
        "required": ["items"]
    });
    check(
        &schema,
        &[
            ("[1,2]", r#"{"items":[1,2]}"#, LAID),
            (r#"["a"]"#, r#"["a"]"#, &[]),
            (r#"[{"items":[1]}]"#, r#"{"items":[1]}"#, &["unwrap_array"]),
        ],
    );
    let count = json!({"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]});
    check(
        &count,
        &[
            ("42", r#"{"count":42}"#, LAID),
            ("true", "true", &[]),
            ("null", "null", &[]),
        ],
    );
    let city =
        json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    check(&city, &[(r#""Paris""#, r#"{"city":"Paris"}"#, LAID)]);
    let two = json!({
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"]
    });
    check(&two, &[("42", "42", &[])]);
}

#[test]
fn values_stand_in_objects_of_their_own() {
    check(
        &member(json!({"type": "integer"})),
        &[
            (r#"{"v":{"value":3}}"#, r#"{"v":3}"#, LAID),
            (
                r#"{"v":{"type":"integer","value":"3"}}"#,
                r#"{"v":3}"#,
                &["other_layout", "text_to_number"],
            ),
            (
                r#"{"v":{"value":3,"unit":"kg"}}"#,
                r#"{"v":{"value":3,"unit":"kg"}}"#,
                &[],
            ),
            (r#"{"v":{"value":"x"}}"#, r#"{"v":{"value":"x"}}"#, &[]),
        ],
    );
}

#[test]
fn a_list_of_texts_may_be_a_text() {
    let kinds: &[&str] = &["damaged_text_to_container"];
    check(
        &member(json!({"type": "array", "items": {"type": "string"}})),
        &[
            (r#"{"v":"[\"a\", \"b\""}"#, r#"{"v":["a","b"]}"#, kinds),
            (r#"{"v":"[a, b]"}"#, r#"{"v":["a","b"]}"#, kinds),
            (r#"{"v":"Here: [\"a\"]"}"#, r#"{"v":["a"]}"#, kinds),
            (r#"{"v":"garbage[\"task1\"]"}"#, r#"{"v":["task1"]}"#, kinds),
            (
                r#"{"v":"[draft]"}"#,
                r#"{"v":["[draft]"]}"#,
                &["wrap_in_array"],
            ),
            (
                r#"{"v":"[draft] notes"}"#,
                r#"{"v":["[draft] notes"]}"#,
                &["wrap_in_array"],
            ),
            (
                r#"{"v":"[Name.esp"}"#,
                r#"{"v":["[Name.esp"]}"#,
                &["wrap_in_array"],
            ),
            (
                r#"{"v":"[a], [b]"}"#,
                r#"{"v":["[a], [b]"]}"#,
                &["wrap_in_array"],
            ),
            (
                r#"{"v":"see [1, 2]"}"#,
                r#"{"v":["see [1, 2]"]}"#,
                &["wrap_in_array"],
            ),
        ],
    );
}

#[test]
fn replies_are_read_within_what_frameworks_put_around_them() {
    let schema = json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city", "days"]
    });
    let reply = "Sure:\n```json\n{\"city\": \"Oslo\", \"days\": 2}\n```";
    let text = serde_json::Value::from(reply).to_string();
    for envelope in [
        r#"{"id":"c1","choices":[{"index":0,"message":{"role":"assistant","content":TEXT}}]}"#,
        r#"{"output":[{"type":"reasoning","summary":[]},{"type":"message","content":[{"type":"output_text","text":TEXT}]}]}"#,
        r#"{"role":"assistant","content":[{"type":"text","text":TEXT}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":TEXT}],"role":"model"}}]}"#,
        r#"{"model":"m","message":{"role":"assistant","content":TEXT},"done":true}"#,
        r#"{"model":"m","response":TEXT,"done":true}"#,
        r#"{"lc":1,"type":"constructor","kwargs":{"content":TEXT}}"#,
    ] {
        let given = envelope.replace("TEXT", &text);
        check(
            &schema,
            &[(&*given.leak(), r#"{"city":"Oslo","days":2}"#, LAID)],
        );
    }
    let other = r#"{"model":"m","response":"I do not know.","done":true}"#;
    check(&schema, &[(other, other, &[])]);
}

#[test]
fn a_text_stands_for_an_object_if_it_is_no_prose() {
    let of = |one: serde_json::Value| {
        member(json!({"type": "object", "properties": {"x": one}, "required": ["x"]}))
    };
    check(
        &of(json!({"type": "string"})),
        &[
            (r#"{"v":"New York"}"#, r#"{"v":{"x":"New York"}}"#, LAID),
            (r#"{"v":"not json"}"#, r#"{"v":"not json"}"#, &[]),
            (r#"{"v":"N/A"}"#, r#"{"v":"N/A"}"#, &[]),
            (r#"{"v":"[1, 2]"}"#, r#"{"v":"[1, 2]"}"#, &[]),
            (
                r#"{"v":"I do not know."}"#,
                r#"{"v":"I do not know."}"#,
                &[],
            ),
        ],
    );
    check(
        &of(json!({"type": "integer"})),
        &[
            (
                r#"{"v":"16"}"#,
                r#"{"v":{"x":16}}"#,
                &["other_layout", "text_to_number"],
            ),
            (r#"{"v":"5 apples"}"#, r#"{"v":"5 apples"}"#, &[]),
        ],
    );
}

#[test]
fn a_note_that_takes_a_value_back_makes_it_a_guess() {
    let schema = compile(&json!({"properties": {"age": {"type": "integer"}}}));
    for (beside, class) in [
        (r#""note": "as stated on page 3""#, Class::Likely),
        (r#""source": "form", "confidence": 0.9"#, Class::Likely),
        (r#""note": "actually 35""#, Class::Guess),
        (r#""comment": "This should be 35.""#, Class::Guess),
    ] {
        let text = format!(r#"{{"age": {{"value": 34, {beside}}}}}"#);
        let mut document = parse(&text);
        let coercions = coerce(&mut document, &schema, &CoerceOptions::default());
        assert_eq!(
            document.to_json().as_deref(),
            Some(r#"{"age":34}"#),
            "{text}"
        );
        // A dropped value is in the record.
        let [made] = &coercions[..] else {
            panic!("{coercions:?}");
        };
        assert_eq!((made.kind, made.class), (CoercionKind::OtherLayout, class));
        let before = document.node(made.before).to_json();
        assert!(before.contains(&beside[..6]), "{before}");
    }
}

#[test]
fn tags_of_calls_split_strings() {
    const SPLIT: &[&str] = &["split_markup"];
    let file = json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "text": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["path", "text"]
    });
    let whole = r#"{"path":"a.txt","text":"Hi"}"#;
    check(
        &file,
        &[
            (
                r#"{"path":"a.txt</path>\n<parameter name=\"text\">Hi"}"#,
                whole,
                SPLIT,
            ),
            (r#"{"path":"a.txt</path><text>Hi</text>"}"#, whole, SPLIT),
            (
                r#"{"path":"a.txt\n</parameter>\n<parameter=text>\nHi\n</parameter>\n</function>"}"#,
                whole,
                SPLIT,
            ),
            (
                r#"{"path":"a.txt</x:parameter><x:parameter name='text'>Hi</x:parameter></x:invoke>"}"#,
                whole,
                SPLIT,
            ),
            (
                r#"{"path":"a.txt<parameter name=\"text\">Hi</parameter>"}"#,
                whole,
                SPLIT,
            ),
        ],
    );
    for text in [
        r#"{"path":"a.txt<parameter name=\"text\">Hi"}"#,
        r#"{"path":"a.txt</path><parameter name=\"body\">Hi"}"#,
        r#"{"path":"a.txt</path><parameter name=\"text\">Hi</parameter> and more"}"#,
        r#"{"path":"`a.txt</path><parameter name=\"text\">Hi`"}"#,
        r#"{"path":"<p>a</p><text>Hi"}"#,
    ] {
        check(&file, &[(text, text, &[])]);
    }
    let counted = member(json!({"type": "integer"}));
    check(
        &counted,
        &[
            (
                r#"{"v":"5</v>"}"#,
                r#"{"v":5}"#,
                &["split_markup", "text_to_number"],
            ),
            (
                r#"{"v":"5</parameter>"}"#,
                r#"{"v":5}"#,
                &["split_markup", "text_to_number"],
            ),
            (r#"{"v":"5</b>"}"#, r#"{"v":"5</b>"}"#, &[]),
        ],
    );
}
