//! Tests of opt-in changes.

use serde_json::json;

use super::{check, check_with};
use crate::base::report::CoercionKind;
use crate::coerce::CoerceOptions;

fn asking_for(kind: CoercionKind) -> CoerceOptions {
    CoerceOptions::default().with(kind)
}

#[test]
fn nobody_asked() {
    let schema = json!({
        "type": "object",
        "properties": {
            "phoneNumber": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "days": {"type": "integer", "default": 3}
        }
    });
    check(
        &schema,
        &[
            (
                r#"{"phone":"1","tags":["a"]}"#,
                r#"{"phone":"1","tags":["a"]}"#,
                &[],
            ),
            (
                r#"{"tags":"a, b"}"#,
                r#"{"tags":["a, b"]}"#,
                &["wrap_in_array"],
            ),
        ],
    );
}

#[test]
fn a_text_with_commas_is_a_list() {
    let options = asking_for(CoercionKind::CommaListToArray);
    let schema = json!({
        "type": "object",
        "properties": {
            "tags": {"type": "array", "items": {"type": "string"}},
            "days": {"type": "array", "items": {"type": "integer"}, "maxItems": 3}
        }
    });
    check_with(
        &options,
        &schema,
        &[
            (
                r#"{"tags":"a, b c,d"}"#,
                r#"{"tags":["a","b c","d"]}"#,
                &["comma_list_to_array"],
            ),
            (
                r#"{"days":"1, 2"}"#,
                r#"{"days":[1,2]}"#,
                &["comma_list_to_array", "text_to_number", "text_to_number"],
            ),
            (r#"{"tags":"a"}"#, r#"{"tags":["a"]}"#, &["wrap_in_array"]),
            (
                r#"{"tags":"a,,b"}"#,
                r#"{"tags":["a,,b"]}"#,
                &["wrap_in_array"],
            ),
            (
                r#"{"tags":"[\"a, b\"]"}"#,
                r#"{"tags":["a, b"]}"#,
                &["text_to_container"],
            ),
            (r#"{"days":"1, x"}"#, r#"{"days":"1, x"}"#, &[]),
            (r#"{"tags":["a, b"]}"#, r#"{"tags":["a, b"]}"#, &[]),
        ],
    );
}

#[test]
fn a_part_of_a_name_is_the_name() {
    let options = asking_for(CoercionKind::DerivedKey);
    let schema = json!({
        "type": "object",
        "properties": {
            "phoneNumber": {"type": "string"},
            "file_path": {"type": "string"},
            "userId": {"type": "integer"},
            "limit": {"type": "integer"}
        },
        "additionalProperties": false
    });
    check_with(
        &options,
        &schema,
        &[
            (
                r#"{"phone":"1"}"#,
                r#"{"phoneNumber":"1"}"#,
                &["derived_key"],
            ),
            (r#"{"path":"a"}"#, r#"{"file_path":"a"}"#, &["derived_key"]),
            (r#"{"Path":"a"}"#, r#"{"file_path":"a"}"#, &["derived_key"]),
            (r#"{"valueLimit":3}"#, r#"{"limit":3}"#, &["derived_key"]),
            (
                r#"{"valueLimit":"3"}"#,
                r#"{"limit":3}"#,
                &["derived_key", "text_to_number"],
            ),
            // A word that is not neutral.
            (r#"{"rowLimit":3}"#, r#"{"rowLimit":3}"#, &[]),
            // A word in the middle, half a word, and meaningless words.
            (r#"{"number":"1"}"#, r#"{"number":"1"}"#, &[]),
            (r#"{"ph":"1"}"#, r#"{"ph":"1"}"#, &[]),
            (r#"{"id":1}"#, r#"{"id":1}"#, &[]),
            (r#"{"limitMax":3}"#, r#"{"limitMax":3}"#, &[]),
            // A bound, and a direction.
            (r#"{"maxLimit":3}"#, r#"{"maxLimit":3}"#, &[]),
            (r#"{"old_path":"a"}"#, r#"{"old_path":"a"}"#, &[]),
            // The value does not fit that member.
            (r#"{"user":"Ada"}"#, r#"{"user":"Ada"}"#, &[]),
            // The member has a value, or two keys claim it.
            (
                r#"{"phoneNumber":"2","phone":"1"}"#,
                r#"{"phoneNumber":"2","phone":"1"}"#,
                &[],
            ),
            (
                r#"{"maxLimit":1,"minLimit":2}"#,
                r#"{"maxLimit":1,"minLimit":2}"#,
                &[],
            ),
            // The nearer key wins.
            (
                r#"{"phone":"1","phone_number":"2"}"#,
                r#"{"phone":"1","phoneNumber":"2"}"#,
                &["key_spelling"],
            ),
        ],
    );
}

#[test]
fn a_part_of_two_names_is_neither() {
    let options = asking_for(CoercionKind::DerivedKey);
    let schema = json!({
        "type": "object",
        "properties": {
            "phoneNumber": {"type": "string"},
            "phoneNum": {"type": "string"},
            "nested": {"type": "object", "properties": {"zipCode": {"type": "string"}}}
        }
    });
    check_with(
        &options,
        &schema,
        &[
            (r#"{"phone":"1"}"#, r#"{"phone":"1"}"#, &[]),
            (
                r#"{"phoneNum":"1","phone":"2"}"#,
                r#"{"phoneNum":"1","phoneNumber":"2"}"#,
                &["derived_key"],
            ),
            (
                r#"{"nested":{"zip":12345}}"#,
                r#"{"nested":{"zipCode":"12345"}}"#,
                &["derived_key", "number_to_text"],
            ),
        ],
    );
}

#[test]
fn undeclared_members_are_dropped() {
    let options = asking_for(CoercionKind::DropUndeclared);
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"type": "integer"},
            "list": {"type": "array", "items": {
                "anyOf": [
                    {"type": "object", "properties": {"kind": {"const": "x"}, "n": {"type": "integer"}}, "required": ["kind"]},
                    {"type": "object", "properties": {"kind": {"const": "y"}}, "required": ["kind"], "additionalProperties": false}
                ]
            }},
            "open": {"type": "object", "properties": {}, "additionalProperties": true}
        },
        "required": ["extra"]
    });
    check_with(
        &options,
        &schema,
        &[
            (
                r#"{"b":1,"a":2,"c":{"a":1},"extra":0}"#,
                r#"{"a":2,"extra":0}"#,
                &["drop_undeclared", "drop_undeclared"],
            ),
            (
                r#"{"list":[{"kind":"x","n":1,"m":2},{"kind":"y","n":1},{"kind":"x"}],"extra":0}"#,
                r#"{"list":[{"kind":"x","n":1},{"kind":"y"},{"kind":"x"}],"extra":0}"#,
                &["drop_undeclared", "drop_undeclared"],
            ),
            (
                r#"{"open":{"x":1},"extra":0}"#,
                r#"{"open":{"x":1},"extra":0}"#,
                &[],
            ),
            (
                r#"{"A":"2","b":[],"extra":0}"#,
                r#"{"a":2,"extra":0}"#,
                &["key_spelling", "text_to_number", "drop_undeclared"],
            ),
        ],
    );
}

#[test]
fn what_has_to_be_there_is_not_dropped() {
    let options = asking_for(CoercionKind::DropUndeclared);
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "minProperties": 2
    });
    check_with(
        &options,
        &schema,
        &[(r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2}"#, &[])],
    );
}

#[test]
fn defaults_are_put_in() {
    let options = asking_for(CoercionKind::Default);
    let schema = json!({
        "type": "object",
        "properties": {
            "days": {"type": "integer", "default": 3},
            "tags": {"type": "array", "items": {"type": "string"}, "default": []},
            "wrong": {"type": "integer", "default": "many"},
            "inner": {
                "anyOf": [
                    {"type": "object", "properties": {"kind": {"const": "x"}, "n": {"type": "integer", "default": 1}}, "required": ["kind"]},
                    {"type": "object", "properties": {"kind": {"const": "y"}, "m": {"type": "integer", "default": 2}}, "required": ["kind"]},
                    {"type": "null"}
                ]
            }
        },
        "required": ["days"]
    });
    check_with(
        &options,
        &schema,
        &[
            (r#"{}"#, r#"{"days":3,"tags":[]}"#, &["default", "default"]),
            (
                r#"{"tags":["a"],"Days":"4"}"#,
                r#"{"tags":["a"],"days":4}"#,
                &["key_spelling", "text_to_number"],
            ),
            (
                r#"{"days":1,"tags":null}"#,
                r#"{"days":1,"tags":[]}"#,
                &["drop_null", "default"],
            ),
            (
                r#"{"days":1,"tags":[],"inner":{"kind":"y"}}"#,
                r#"{"days":1,"tags":[],"inner":{"kind":"y","m":2}}"#,
                &["default"],
            ),
            (
                r#"{"days":1,"tags":[],"inner":{"kind":"x"}}"#,
                r#"{"days":1,"tags":[],"inner":{"kind":"x","n":1}}"#,
                &["default"],
            ),
            (
                r#"{"days":1,"tags":[],"inner":null}"#,
                r#"{"days":1,"tags":[],"inner":null}"#,
                &[],
            ),
        ],
    );
}
