use serde_json::json;

use super::check;
use crate::coerce::CoerceOptions;

#[test]
fn other_spellings_of_names_find_their_place() {
    let schema = json!({
        "type": "object",
        "properties": {"phoneNumber": {"type": "string"}, "größe": {"type": "number"}, "id": {}}
    });
    check(
        &schema,
        &[
            (
                r#"{"phone_number":"1"}"#,
                r#"{"phoneNumber":"1"}"#,
                &["key_spelling"],
            ),
            (
                r#"{"x":0,"Phone Number":1,"id":2}"#,
                r#"{"x":0,"phoneNumber":"1","id":2}"#,
                &["key_spelling", "number_to_text"],
            ),
            (
                r#"{"GROSSE":"1"}"#,
                r#"{"größe":1}"#,
                &["key_spelling", "text_to_number"],
            ),
            (
                r#"{"phone_number":"1","phoneNumber":"2"}"#,
                r#"{"phone_number":"1","phoneNumber":"2"}"#,
                &[],
            ),
            (
                r#"{"phone_number":"1","PhoneNumber":"2"}"#,
                r#"{"phone_number":"1","PhoneNumber":"2"}"#,
                &[],
            ),
            (r#"{"phone":"1"}"#, r#"{"phone":"1"}"#, &[]),
            (r#"{"-":"1"}"#, r#"{"-":"1"}"#, &[]),
        ],
    );
    let twins = json!({"type": "object", "properties": {"a_b": {}, "aB": {}}});
    check(&twins, &[(r#"{"A-B":1}"#, r#"{"A-B":1}"#, &[])]);
}

#[test]
fn names_stay_where_any_name_is_welcome() {
    let schema = json!({
        "type": "object",
        "properties": {"userId": {"type": "string"}, "maxSize": {"type": "number"}},
        "required": ["userId"],
        "additionalProperties": {"type": "number"}
    });
    check(
        &schema,
        &[
            (
                r#"{"userId":"a","max_size":1}"#,
                r#"{"userId":"a","max_size":1}"#,
                &[],
            ),
            (
                r#"{"user_id":"a","max_size":"1"}"#,
                r#"{"userId":"a","max_size":1}"#,
                &["key_spelling", "text_to_number"],
            ),
        ],
    );
}

#[test]
fn aliases_lead_to_the_name() {
    let schema = json!({"type": "object", "properties": {
        "path": {"type": "string", "x-aliases": ["file", "filename"]},
        "file_name": {"type": "string"}
    }});
    check(
        &schema,
        &[
            (r#"{"file":"a"}"#, r#"{"path":"a"}"#, &["key_alias"]),
            (r#"{"filename":"a"}"#, r#"{"path":"a"}"#, &["key_alias"]),
            (
                r#"{"file":"a","path":"b"}"#,
                r#"{"file":"a","path":"b"}"#,
                &[],
            ),
            (
                r#"{"file":"a","filename":"b"}"#,
                r#"{"file":"a","filename":"b"}"#,
                &[],
            ),
            (
                r#"{"PATH":"a","file":"b"}"#,
                r#"{"PATH":"a","path":"b"}"#,
                &["key_alias"],
            ),
        ],
    );
}

#[test]
fn undeclared_members_stay_as_they_are() {
    check(
        &json!({"type": "object", "properties": {"a": {"type": "number"}}}),
        &[(
            r#"{"z":"5","a":"1","y":"{}"}"#,
            r#"{"z":"5","a":1,"y":"{}"}"#,
            &["text_to_number"],
        )],
    );
    check(
        &json!({"type": "object", "additionalProperties": {"type": "number"}}),
        &[(
            r#"{"z":"5","y":"x"}"#,
            r#"{"z":5,"y":"x"}"#,
            &["text_to_number"],
        )],
    );
    check(
        &json!({"type": "object", "patternProperties": {"^n_": {"type": "number"}}}),
        &[(
            r#"{"n_1":"5","m":"5"}"#,
            r#"{"n_1":5,"m":"5"}"#,
            &["text_to_number"],
        )],
    );
    check(
        &json!({"type": "object", "additionalProperties": false}),
        &[(r#"{"a":"1"}"#, r#"{"a":"1"}"#, &[])],
    );
}

#[test]
fn a_null_for_an_optional_member_goes() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"type": "string"}, "b": {"type": ["string", "null"]}, "c": {"type": "string"},
            "d": {"anyOf": [{"type": "object", "properties": {}}, {"type": "null"}]}, "e": {},
            "f": {"type": "array", "items": {"type": "number"}}
        },
        "required": ["c"]
    });
    check(
        &schema,
        &[
            (r#"{"a":null,"c":"x"}"#, r#"{"c":"x"}"#, &["drop_null"]),
            (
                r#"{"A":null,"f":null,"c":"x"}"#,
                r#"{"c":"x"}"#,
                &["drop_null", "drop_null"],
            ),
            (
                r#"{"b":null,"c":null,"d":null,"e":null}"#,
                r#"{"b":null,"c":null,"d":null,"e":null}"#,
                &[],
            ),
            (
                r#"{"c":"x","other":null}"#,
                r#"{"c":"x","other":null}"#,
                &[],
            ),
        ],
    );
}

#[test]
fn an_envelope_is_opened_once() {
    let schema = json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["path"],
        "additionalProperties": false
    });
    check(
        &schema,
        &[
            (
                r#"{"arguments":{"path":"a"}}"#,
                r#"{"path":"a"}"#,
                &["envelope"],
            ),
            (
                r#"{"name":"read","arguments":"{\"path\":\"a\"}"}"#,
                r#"{"path":"a"}"#,
                &["text_to_container", "envelope"],
            ),
            (
                r#"{"limit":"5","input":{"Path":"a"}}"#,
                r#"{"limit":5,"path":"a"}"#,
                &["envelope", "text_to_number", "key_spelling"],
            ),
            (
                r#"{"properties":{"path":"a"}}"#,
                r#"{"path":"a"}"#,
                &["envelope"],
            ),
            (
                r#"{"path":"a","arguments":{"path":"b"}}"#,
                r#"{"path":"a","arguments":{"path":"b"}}"#,
                &[],
            ),
            (
                r#"{"arguments":{"other":1}}"#,
                r#"{"arguments":{"other":1}}"#,
                &[],
            ),
            (r#"{"arguments":"cd /x"}"#, r#"{"arguments":"cd /x"}"#, &[]),
            (
                r#"{"arguments":{"arguments":{"path":"a"}}}"#,
                r#"{"arguments":{"arguments":{"path":"a"}}}"#,
                &[],
            ),
            (
                r#"{"arguments":{"path":"a"},"input":{"limit":1}}"#,
                r#"{"arguments":{"path":"a"},"input":{"limit":1}}"#,
                &[],
            ),
            (
                r#"{"type":"object","properties":{"path":{"type":"string"}}}"#,
                r#"{"type":"object","properties":{"path":{"type":"string"}}}"#,
                &[],
            ),
            (r#"{"read":{"path":"a"}}"#, r#"{"path":"a"}"#, &["envelope"]),
            (
                r#"{"read":{"path":"a","more":1}}"#,
                r#"{"read":{"path":"a","more":1}}"#,
                &[],
            ),
        ],
    );
    let named = json!({"type": "object", "properties": {"name": {"type": "string"}, "size": {}}});
    check(
        &named,
        &[
            (
                r#"{"name":"f","arguments":{"size":1}}"#,
                r#"{"name":"f","arguments":{"size":1}}"#,
                &[],
            ),
            (
                r#"{"arguments":{"name":"f","size":1}}"#,
                r#"{"name":"f","size":1}"#,
                &["envelope"],
            ),
        ],
    );
    let declares =
        json!({"type": "object", "properties": {"input": {"type": "object"}, "path": {}}});
    check(
        &declares,
        &[(
            r#"{"input":{"path":"a"}}"#,
            r#"{"input":{"path":"a"}}"#,
            &[],
        )],
    );
}

#[test]
fn a_named_envelope_is_opened() {
    let schema = super::compile(&json!({"type": "object", "properties": {"path": {}}}));
    let mut document = llmjson_syntax::parse(r#"{"read_file":{"path":"a"},"note":1}"#);
    let options = CoerceOptions::default().with_wrapper("read_file");
    let made = crate::coerce(&mut document, &schema, &options);
    assert_eq!(
        (made.len(), document.to_json().as_deref()),
        (1, Some(r#"{"path":"a","note":1}"#))
    );
}

#[test]
fn all_parts_declare_together() {
    let schema = json!({"allOf": [
        {"type": "object", "properties": {"userId": {"type": "integer"}}},
        {"type": "object", "properties": {"user_id": {"type": "string"}}},
        {"anyOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "n": {"type": "number"}}, "required": ["kind"]},
            {"type": "object", "properties": {"kind": {"const": "b"}, "N": {"type": "boolean"}}, "required": ["kind"]}
        ]}
    ]});
    check(
        &schema,
        &[
            (
                r#"{"user_id":"1","kind":"a"}"#,
                r#"{"user_id":"1","kind":"a"}"#,
                &[],
            ),
            (
                r#"{"userId":"1","kind":"a","n":"2"}"#,
                r#"{"userId":1,"kind":"a","n":2}"#,
                &["text_to_number", "text_to_number"],
            ),
        ],
    );
}
