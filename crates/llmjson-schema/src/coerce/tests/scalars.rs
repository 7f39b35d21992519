use serde_json::json;

use super::{check, check_with, member};
use crate::coerce::CoerceOptions;

#[test]
fn whole_texts_become_numbers() {
    check(
        &member(json!({"type": "number"})),
        &[
            (r#"{"v":"42"}"#, r#"{"v":42}"#, &["text_to_number"]),
            (r#"{"v":" -4.20\n"}"#, r#"{"v":-4.20}"#, &["text_to_number"]),
            (r#"{"v":"1e3"}"#, r#"{"v":1e3}"#, &["text_to_number"]),
            (r#"{"v":"+5"}"#, r#"{"v":5}"#, &["text_to_number"]),
            (r#"{"v":"\"7\""}"#, r#"{"v":7}"#, &["text_to_number"]),
            (r#"{"v":"007"}"#, r#"{"v":7}"#, &["text_to_number"]),
            (
                r#"{"v":"12345678901234567890"}"#,
                r#"{"v":12345678901234567890}"#,
                &["text_to_number"],
            ),
            (r#"{"v":"5 apples"}"#, r#"{"v":"5 apples"}"#, &[]),
            (r#"{"v":"2024-01-02"}"#, r#"{"v":"2024-01-02"}"#, &[]),
            (r#"{"v":"50%"}"#, r#"{"v":50}"#, &["unit_number"]),
            (r#"{"v":"5k"}"#, r#"{"v":5000}"#, &["written_number"]),
            (r#"{"v":"0x10"}"#, r#"{"v":"0x10"}"#, &[]),
            (r#"{"v":"1e999"}"#, r#"{"v":"1e999"}"#, &[]),
            (r#"{"v":""}"#, r#"{"v":""}"#, &[]),
            (r#"{"v":"[1]"}"#, r#"{"v":"[1]"}"#, &[]),
            (r#"{"v":true}"#, r#"{"v":true}"#, &[]),
            (r#"{"v":null}"#, r#"{"v":null}"#, &[]),
        ],
    );
}

#[test]
fn grouped_digits_become_numbers() {
    check(
        &member(json!({"type": "number"})),
        &[
            (
                r#"{"v":"$1,234.50"}"#,
                r#"{"v":1234.50}"#,
                &["grouped_number"],
            ),
            (
                r#"{"v":"1,234,567"}"#,
                r#"{"v":1234567}"#,
                &["grouped_number"],
            ),
            (
                r#"{"v":"1,234"}"#,
                r#"{"v":1234}"#,
                &["grouped_number_guess"],
            ),
            (r#"{"v":"$5"}"#, r#"{"v":5}"#, &["unit_number"]),
            (r#"{"v":"1,2"}"#, r#"{"v":1.2}"#, &["written_number"]),
            (
                r#"{"v":"1.234,50"}"#,
                r#"{"v":1234.50}"#,
                &["grouped_number"],
            ),
        ],
    );
}

#[test]
fn integers_have_no_fraction() {
    check(
        &member(json!({"type": "integer"})),
        &[
            (r#"{"v":3.0}"#, r#"{"v":3}"#, &["integral_float"]),
            (r#"{"v":1e3}"#, r#"{"v":1000}"#, &["integral_float"]),
            (r#"{"v":"4.0"}"#, r#"{"v":4}"#, &["text_to_number"]),
            (
                r#"{"v":100000000000000000000.0}"#,
                r#"{"v":100000000000000000000}"#,
                &["integral_float"],
            ),
            (r#"{"v":3.5}"#, r#"{"v":3.5}"#, &[]),
            (r#"{"v":"1.5"}"#, r#"{"v":"1.5"}"#, &[]),
            (r#"{"v":1e50}"#, r#"{"v":1e50}"#, &[]),
        ],
    );
    check(
        &member(json!({"type": "number"})),
        &[(r#"{"v":3.0}"#, r#"{"v":3.0}"#, &[])],
    );
}

#[test]
fn texts_and_words_become_booleans() {
    check(
        &member(json!({"type": "boolean"})),
        &[
            (r#"{"v":"true"}"#, r#"{"v":true}"#, &["text_to_boolean"]),
            (r#"{"v":" False "}"#, r#"{"v":false}"#, &["text_to_boolean"]),
            (r#"{"v":"\"true\""}"#, r#"{"v":true}"#, &["text_to_boolean"]),
            (r#"{"v":"yes"}"#, r#"{"v":true}"#, &["word_to_boolean"]),
            (r#"{"v":"OFF"}"#, r#"{"v":false}"#, &["word_to_boolean"]),
            (r#"{"v":"n"}"#, r#"{"v":false}"#, &["word_to_boolean"]),
            (r#"{"v":"1"}"#, r#"{"v":true}"#, &["word_to_boolean"]),
            (r#"{"v":"2"}"#, r#"{"v":"2"}"#, &[]),
            (r#"{"v":0}"#, r#"{"v":false}"#, &["word_to_boolean"]),
            (r#"{"v":2}"#, r#"{"v":2}"#, &[]),
            (r#"{"v":"t"}"#, r#"{"v":"t"}"#, &[]),
            (r#"{"v":"true!"}"#, r#"{"v":true}"#, &["word_to_boolean"]),
            (r#"{"v":"none"}"#, r#"{"v":"none"}"#, &[]),
        ],
    );
}

#[test]
fn texts_and_words_become_null() {
    check(
        &member(json!({"type": ["number", "null"]})),
        &[
            (r#"{"v":"null"}"#, r#"{"v":null}"#, &["text_to_null"]),
            (r#"{"v":"None"}"#, r#"{"v":null}"#, &["word_to_null"]),
            (r#"{"v":"nil"}"#, r#"{"v":null}"#, &["word_to_null"]),
            (r#"{"v":"N"}"#, r#"{"v":null}"#, &["word_to_null"]),
            (r#"{"v":"no"}"#, r#"{"v":"no"}"#, &[]),
            (r#"{"v":""}"#, r#"{"v":null}"#, &["word_to_null"]),
        ],
    );
    check(
        &member(json!({"type": ["boolean", "null"]})),
        &[
            (r#"{"v":"n"}"#, r#"{"v":"n"}"#, &[]),
            (r#"{"v":"y"}"#, r#"{"v":true}"#, &["word_to_boolean"]),
        ],
    );
    check(
        &member(json!({"type": ["string", "null"]})),
        &[
            (r#"{"v":"null"}"#, r#"{"v":"null"}"#, &[]),
            (r#"{"v":"None"}"#, r#"{"v":"None"}"#, &[]),
        ],
    );
}

#[test]
fn numbers_and_booleans_become_text_digit_for_digit() {
    check(
        &member(json!({"type": "string"})),
        &[
            (
                r#"{"v":13120057004}"#,
                r#"{"v":"13120057004"}"#,
                &["number_to_text"],
            ),
            (r#"{"v":1.50}"#, r#"{"v":"1.50"}"#, &["number_to_text"]),
            (
                r#"{"v":12345678901234567890123}"#,
                r#"{"v":"12345678901234567890123"}"#,
                &["number_to_text"],
            ),
            (r#"{"v":true}"#, r#"{"v":"true"}"#, &["boolean_to_text"]),
            (r#"{"v":"007"}"#, r#"{"v":"007"}"#, &[]),
            (r#"{"v":"\"a\""}"#, r#"{"v":"\"a\""}"#, &[]),
            (r#"{"v":null}"#, r#"{"v":null}"#, &[]),
            (r#"{"v":{"a":1}}"#, r#"{"v":{"a":1}}"#, &[]),
            (r#"{"v":[1]}"#, r#"{"v":[1]}"#, &[]),
        ],
    );
}

#[test]
fn containers_become_text_where_text_holds_json() {
    let schema = member(json!({"type": "string", "contentMediaType": "application/json"}));
    check(
        &schema,
        &[(
            r#"{"v":{"a": 1.0}}"#,
            r#"{"v":"{\"a\":1.0}"}"#,
            &["container_to_text"],
        )],
    );
    let options = CoerceOptions::default().with_containers_as_text();
    let schema = member(json!({"type": "string"}));
    let mut document = llmjson_syntax::parse(r#"{"v":[1]}"#);
    let made = crate::coerce(&mut document, &super::compile(&schema), &options);
    assert_eq!(
        (made.len(), document.to_json().as_deref()),
        (1, Some(r#"{"v":"[1]"}"#))
    );
    check_with(
        &CoerceOptions::default(),
        &schema,
        &[(r#"{"v":[1]}"#, r#"{"v":[1]}"#, &[])],
    );
}

#[test]
fn constants_are_found_in_other_types_and_spellings() {
    let schema = member(json!({"enum": ["in_progress", "Done", "café", "C#", "-1", 5, 10]}));
    check(
        &schema,
        &[
            (
                r#"{"v":"IN PROGRESS"}"#,
                r#"{"v":"in_progress"}"#,
                &["enum_spelling"],
            ),
            (
                r#"{"v":" in-progress"}"#,
                r#"{"v":"in_progress"}"#,
                &["enum_spelling"],
            ),
            (
                r#"{"v":"inProgress"}"#,
                r#"{"v":"in_progress"}"#,
                &["enum_spelling"],
            ),
            (r#"{"v":"done"}"#, r#"{"v":"Done"}"#, &["enum_spelling"]),
            (r#"{"v":"CAFE"}"#, r#"{"v":"café"}"#, &["enum_spelling"]),
            (r#"{"v":"5"}"#, r#"{"v":5}"#, &["text_to_number"]),
            (r#"{"v":"C"}"#, r#"{"v":"C"}"#, &[]),
            (r#"{"v":"progress"}"#, r#"{"v":"progress"}"#, &[]),
            (r#"{"v":"done!"}"#, r#"{"v":"Done"}"#, &["decorated_choice"]),
            (r#"{"v":"7"}"#, r#"{"v":"7"}"#, &[]),
            (r#"{"v":7}"#, r#"{"v":7}"#, &[]),
            (r#"{"v":null}"#, r#"{"v":null}"#, &[]),
        ],
    );
    check(
        &member(json!({"enum": ["a_b", "a-b"]})),
        &[
            (r#"{"v":"a b"}"#, r#"{"v":"a b"}"#, &[]),
            (r#"{"v":"a-b"}"#, r#"{"v":"a-b"}"#, &[]),
        ],
    );
    check(
        &member(json!({"const": 5})),
        &[(r#"{"v":"5"}"#, r#"{"v":5}"#, &["text_to_number"])],
    );
    check(
        &member(json!({"type": "string", "enum": ["1", "2"]})),
        &[
            (r#"{"v":1}"#, r#"{"v":"1"}"#, &["number_to_text"]),
            (r#"{"v":3}"#, r#"{"v":3}"#, &[]),
        ],
    );
}

#[test]
fn enumerated_values_are_found_by_their_aliases() {
    let listed = json!({"enum": ["ONE", "TWO", "two"], "x-aliases": {
        "ONE": ["k1", "first one"], "TWO": "deux", "two": ["deux", "zwei"], "FOUR": ["four"]
    }});
    let documented = json!({"oneOf": [
        {"const": "HIGH", "x-alias": "élevé"}, {"const": "LOW", "x-aliases": ["bas", "faible"]}
    ]});
    check(
        &member(listed),
        &[
            (r#"{"v":"k1"}"#, r#"{"v":"ONE"}"#, &["enum_alias"]),
            (r#"{"v":"First-One"}"#, r#"{"v":"ONE"}"#, &["enum_spelling"]),
            (r#"{"v":" zwei "}"#, r#"{"v":"two"}"#, &["enum_alias"]),
            (r#"{"v":"ONE"}"#, r#"{"v":"ONE"}"#, &[]),
            // An alias of two, an alias of none, one among words, and a part of one.
            (r#"{"v":"deux"}"#, r#"{"v":"deux"}"#, &[]),
            (r#"{"v":"four"}"#, r#"{"v":"four"}"#, &[]),
            (
                r#"{"v":"option k1"}"#,
                r#"{"v":"ONE"}"#,
                &["decorated_choice"],
            ),
            (r#"{"v":"ak1"}"#, r#"{"v":"ak1"}"#, &[]),
        ],
    );
    check(
        &member(documented),
        &[
            (r#"{"v":"élevé"}"#, r#"{"v":"HIGH"}"#, &["enum_alias"]),
            (r#"{"v":"ELEVE"}"#, r#"{"v":"HIGH"}"#, &["enum_spelling"]),
            (r#"{"v":"faible"}"#, r#"{"v":"LOW"}"#, &["enum_alias"]),
        ],
    );
    // A constant that is a member has a name, and the alias is one of that.
    check(
        &member(json!({"const": "dog", "x-alias": "kind"})),
        &[
            (r#"{"v":"kind"}"#, r#"{"v":"kind"}"#, &[]),
            (r#"{"kind":"dog"}"#, r#"{"v":"dog"}"#, &["key_alias"]),
        ],
    );
}

#[test]
fn bounds_never_decide() {
    check(
        &member(json!({"type": "integer", "maximum": 3})),
        &[(r#"{"v":"42"}"#, r#"{"v":42}"#, &["text_to_number"])],
    );
    check(
        &member(json!({"type": "string", "pattern": "^a", "minLength": 9})),
        &[(r#"{"v":5}"#, r#"{"v":"5"}"#, &["number_to_text"])],
    );
}

#[test]
fn a_schema_that_says_nothing_changes_nothing() {
    check(
        &member(json!({})),
        &[(
            r#"{"v":"42","w":"{\"a\":1}"}"#,
            r#"{"v":"42","w":"{\"a\":1}"}"#,
            &[],
        )],
    );
    check(
        &json!(true),
        &[(r#""42""#, r#""42""#, &[]), ("null", "null", &[])],
    );
    check(&json!(false), &[(r#""42""#, r#""42""#, &[])]);
}
