//! What is said about values that do not fit their schema.

use llmjson_schema::{Found, Schema, Undeclared, Violation, laws};

fn schema(text: &str) -> Schema {
    Schema::from_text(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn violations(schema_text: &str, value: &str, undeclared: Undeclared) -> Vec<Violation> {
    let schema = schema(schema_text);
    let document = llmjson_syntax::parse(value);
    let root = document.root().expect("a value");
    laws::verdicts_agree(&schema, root);
    laws::violations_say_why(&schema, root);
    laws::quick_looks_are_right(value, &schema);
    schema.violations(root, undeclared)
}

/// `path keyword: expected` of each violation.
fn said(schema: &str, value: &str, undeclared: Undeclared) -> Vec<String> {
    let violations = violations(schema, value, undeclared);
    let lines = violations.iter();
    lines
        .map(|v| format!("{} {}: {}", v.path, v.keyword, v.expected))
        .collect()
}

fn check(cases: &[(&str, &str, &[&str])], undeclared: Undeclared) {
    for (schema, value, expected) in cases {
        assert_eq!(
            said(schema, value, undeclared),
            *expected,
            "{value} against {schema}"
        );
    }
    let right = [
        (r#"{"minimum": 0}"#, "1e999"),
        (r#"{"maximum": 0}"#, "-1e999"),
        (r#"{"type": "integer"}"#, "1e999"),
        (r#"{"multipleOf": 0.5}"#, "1e999"),
    ];
    for (schema, value) in right {
        let said = said(schema, value, Undeclared::Keep);
        assert!(said.is_empty(), "{value} against {schema}: {said:?}");
    }
}

#[test]
fn missing_members_are_listed_up_to_a_limit() {
    let names: Vec<String> = (0..1_000).map(|at| format!("\"p{at}\"")).collect();
    let schema = format!(r#"{{"items": {{"required": [{}]}}}}"#, names.join(","));
    let schema = Schema::from_text(&schema).expect("a schema");
    let found = |items: usize| {
        let text = format!("[{}]", vec!["{}"; items].join(","));
        let document = llmjson_syntax::parse(&text);
        schema.violations(document.root().expect("a value"), Undeclared::Keep)
    };
    // Ten thousand, and one for each value; the object with which there are as many is finished.
    assert_eq!(found(10).len(), 10_000);
    for items in [11, 12, 100] {
        let violations = found(items);
        let (last, listed) = violations.split_last().expect("violations");
        assert_eq!(last.keyword, "violations_capped");
        let rest = items * 1_000 - listed.len();
        let hint = format!("{rest} more violations are not listed.");
        assert_eq!(last.description.as_deref(), Some(&*hint));
        assert_eq!(listed.len(), 10_000 + items + 1);
    }
}

#[test]
fn a_wrong_type_is_told_everything_that_is_asked() {
    check(
        &[
            (r#"{"type": "string"}"#, "1", &["$input type: string"]),
            (
                r#"{"type": "number", "minimum": 0}"#,
                r#""x""#,
                &["$input type: number & Minimum<0>"],
            ),
            (r#"{"type": "integer"}"#, "2.5", &["$input type: integer"]),
            (
                r#"{"type": "integer", "format": "uint32"}"#,
                r#""x""#,
                &[r#"$input type: integer & Type<"uint32">"#],
            ),
            (
                r#"{"type": ["string", "null"], "minLength": 2}"#,
                "7",
                &["$input type: null | (string & MinLength<2>)"],
            ),
            (
                r#"{"type": "array", "items": {"type": "string", "format": "email"}, "minItems": 1}"#,
                "{}",
                &[r#"$input type: Array<string & Format<"email">> & MinItems<1>"#],
            ),
            (
                r#"{"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
                    "required": ["name"]}"#,
                "[]",
                &["$input type: { name: string; age?: integer }"],
            ),
        ],
        Undeclared::Keep,
    );
}

#[test]
fn a_wrong_value_is_told_the_rule_it_breaks() {
    check(
        &[
            (
                r#"{"type": "number", "minimum": 0}"#,
                "-1",
                &["$input minimum: number & Minimum<0>"],
            ),
            (
                r#"{"type": "integer", "exclusiveMaximum": 5, "multipleOf": 2}"#,
                "7",
                &[
                    "$input exclusiveMaximum: integer & ExclusiveMaximum<5>",
                    "$input multipleOf: integer & MultipleOf<2>",
                ],
            ),
            (
                r#"{"type": "integer", "format": "uint8"}"#,
                "256",
                &[r#"$input format: integer & Type<"uint8">"#],
            ),
            (
                r#"{"type": "string", "minLength": 3, "pattern": "^z"}"#,
                r#""a""#,
                &[
                    "$input minLength: string & MinLength<3>",
                    r#"$input pattern: string & Pattern<"^z">"#,
                ],
            ),
            (
                r#"{"type": "string", "format": "date"}"#,
                r#""2024-02-30""#,
                &[r#"$input format: string & Format<"date">"#],
            ),
            (
                r#"{"type": "array", "maxItems": 1, "uniqueItems": true}"#,
                "[1, 1.0]",
                &[
                    "$input maxItems: Array<any> & MaxItems<1>",
                    "$input uniqueItems: Array<any> & UniqueItems",
                ],
            ),
            (
                r#"{"enum": ["a", 1, null]}"#,
                r#""b""#,
                &[r#"$input enum: "a" | 1 | null"#],
            ),
            (
                r#"{"const": {"a": 1}}"#,
                r#"{"a": 2}"#,
                &[r#"$input const: {"a":1}"#],
            ),
            (
                r#"{"minProperties": 1}"#,
                "{}",
                &["$input minProperties: object & MinProperties<1>"],
            ),
        ],
        Undeclared::Keep,
    );
}

#[test]
fn numbers_are_compared_exactly() {
    let big = r#"{"type": "integer", "maximum": 12345678901234567890123}"#;
    assert_eq!(
        said(big, "12345678901234567890123", Undeclared::Keep).len(),
        0
    );
    assert_eq!(
        said(big, "12345678901234567890124", Undeclared::Keep).len(),
        1
    );
    let cases = [
        (r#"{"minimum": 0}"#, "-1e999"),
        (r#"{"maximum": 0}"#, "1e999"),
        (r#"{"type": "integer"}"#, "1e-999"),
        (r#"{"multipleOf": 0.3}"#, "1e999"),
        (r#"{"const": 9007199254740993}"#, "9007199254740992"),
    ];
    for (schema, value) in cases {
        assert_eq!(
            said(schema, value, Undeclared::Keep).len(),
            1,
            "{value} against {schema}"
        );
    }
}

#[test]
fn missing_and_surplus_members_have_their_own_paths() {
    let person = r#"{"type": "object", "properties": {"name": {"type": "string"}, "x-y": {"type": "number"}},
        "required": ["name", "x-y", "other"], "additionalProperties": false}"#;
    let found = violations(person, r#"{"z": 1}"#, Undeclared::Keep);
    let lines: Vec<String> = found
        .iter()
        .map(|v| format!("{} {}: {}", v.path, v.keyword, v.expected))
        .collect();
    assert_eq!(
        lines,
        [
            "$input.z additionalProperties: undefined",
            "$input.name required: string",
            r#"$input["x-y"] required: number"#,
            "$input.other required: any",
        ]
    );
    assert_eq!(found[1].found, Found::Missing);
    assert_eq!(
        found[1].description.as_deref(),
        Some(
            "The value at this path is `undefined`.\n\nPlease fill the `string` typed value next time."
        )
    );
    assert_eq!(
        found[0].description.as_deref(),
        Some(
            "The property `z` is not defined in the object type.\n\nPlease remove the property next time."
        )
    );
}

#[test]
fn strict_mode_rejects_what_nobody_declares() {
    check(
        &[
            (
                r#"{"type": "object", "properties": {"a": {}}}"#,
                r#"{"a": 1, "b": 2}"#,
                &["$input.b additionalProperties: undefined"],
            ),
            (
                r#"{"type": "object", "properties": {"a": {}}, "additionalProperties": true}"#,
                r#"{"a": 1, "b": 2}"#,
                &[],
            ),
            (
                r#"{"allOf": [{"type": "object", "properties": {"a": {}}, "minProperties": 1},
                              {"type": "object", "properties": {"b": {}}, "not": {"required": ["q"]}}]}"#,
                r#"{"a": 1, "b": 2, "c": 3}"#,
                &["$input.c additionalProperties: undefined"],
            ),
            (
                r#"{"anyOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                              {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}]}"#,
                r#"{"a": "x", "z": 1}"#,
                &["$input.z additionalProperties: undefined"],
            ),
            (r#"{"type": "object"}"#, r#"{"free": 1}"#, &[]),
        ],
        Undeclared::Reject,
    );
}

const PETS: &str = r##"{"anyOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}], "$defs": {
    "Cat": {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}},
            "required": ["kind", "lives"]},
    "Dog": {"type": "object", "properties": {"kind": {"const": "dog"}, "bark": {"type": "boolean"}},
            "required": ["kind", "bark"]}}}"##;

#[test]
fn a_union_points_into_the_branch_that_was_meant() {
    let by_member = r##"{"oneOf": [{"$ref": "#/$defs/Card"}, {"$ref": "#/$defs/Bank"}, {"type": "null"}], "$defs": {
        "Card": {"type": "object", "properties": {"number": {"type": "string"}, "name": {"type": "string"}},
                 "required": ["number", "name"]},
        "Bank": {"type": "object", "properties": {"iban": {"type": "string"}, "name": {"type": "string"}},
                 "required": ["iban", "name"]}}}"##;
    check(
        &[
            (
                PETS,
                r#"{"kind": "dog", "bark": "loud"}"#,
                &["$input.bark type: boolean"],
            ),
            (
                PETS,
                r#"{"kind": "dgo"}"#,
                &[r#"$input.kind enum: "cat" | "dog""#],
            ),
            (
                PETS,
                r#"{"lives": 9}"#,
                &[r#"$input.kind required: "cat" | "dog""#],
            ),
            (
                PETS,
                r#"{"kind": 1, "lives": 9}"#,
                &[r#"$input.kind enum: "cat" | "dog""#],
            ),
            (PETS, "[]", &["$input anyOf: Cat | Dog"]),
            (
                by_member,
                r#"{"iban": 1, "name": "Ada"}"#,
                &["$input.iban type: string"],
            ),
            (
                by_member,
                r#"{"number": "1"}"#,
                &["$input.name required: string"],
            ),
            (by_member, "{}", &["$input oneOf: Card | Bank | null"]),
            (
                by_member,
                r#"{"number": "1", "iban": "2", "name": "3"}"#,
                &["$input oneOf: Card | Bank | null"],
            ),
            (
                r#"{"anyOf": [{"type": "array", "items": {"type": "number"}}, {"type": "array", "items": {"type": "string"}}]}"#,
                r#"["a", "b", 3]"#,
                &["$input[2] type: string"],
            ),
            (
                r#"{"anyOf": [{"type": "number", "minimum": 3}, {"type": "string", "minLength": 3}]}"#,
                "true",
                &["$input anyOf: (number & Minimum<3>) | (string & MinLength<3>)"],
            ),
        ],
        Undeclared::Keep,
    );
    let hint = &violations(PETS, r#"{"kind": "dgo"}"#, Undeclared::Keep)[0].description;
    assert!(
        hint.as_deref()
            .is_some_and(|hint| hint.contains(r#""dog""#)),
        "{hint:?}"
    );
}

#[test]
fn a_union_of_equally_near_branches_is_called_ambiguous() {
    let schema = r#"{"anyOf": [
        {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "string"}}, "required": ["a", "b"]},
        {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "number"}}, "required": ["a", "b"]}
    ]}"#;
    let found = violations(schema, r#"{"a": "1", "b": "2"}"#, Undeclared::Keep);
    assert_eq!((found.len(), found[0].keyword), (1, "anyOf"));
    let hint = found[0].description.as_deref().unwrap_or_default();
    assert!(hint.contains("ambiguous"), "{hint}");
    // Nothing at all in common is another thing.
    let found = violations(schema, r#"{"c": 1}"#, Undeclared::Keep);
    assert_eq!((found.len(), found[0].description.as_deref()), (1, None));
}

#[test]
fn unusual_keywords_are_named() {
    check(
        &[
            (
                r#"{"not": {"type": "string"}}"#,
                r#""x""#,
                &[r#"$input not: not {"type":"string"}"#],
            ),
            (
                r#"{"properties": {"a": {"contains": {"const": 1}}}}"#,
                r#"{"a": [2]}"#,
                &[r#"$input.a contains: Array<any> & Contains<{"const":1}>"#],
            ),
            (
                r#"{"propertyNames": {"pattern": "^[a-z]+$"}}"#,
                r#"{"ok": 1, "B d": 2}"#,
                &[r#"$input["B d"] propertyNames: a property named {"pattern":"^[a-z]+$"}"#],
            ),
            (
                r#"{"properties": {"b": {"type": "string"}}, "dependentRequired": {"a": ["b"]}}"#,
                r#"{"a": 1}"#,
                &["$input.b dependentRequired: string"],
            ),
            (
                r#"{"if": {"required": ["a"]}, "then": {"required": ["b"]}}"#,
                r#"{"a": 1}"#,
                &[r#"$input then: {"required":["b"]}"#],
            ),
            (
                r#"{"properties": {"a": {}}, "unevaluatedProperties": false}"#,
                r#"{"a": 1, "b": 2}"#,
                &["$input unevaluatedProperties: unevaluatedProperties false"],
            ),
        ],
        Undeclared::Keep,
    );
}

#[test]
fn values_that_fit_are_left_in_peace() {
    let cases = [
        ("true", "[1, {\"a\": null}]"),
        ("{}", "1e999"),
        (r#"{"type": "integer"}"#, "3.0"),
        (
            r#"{"type": "string", "minLength": 2, "maxLength": 2}"#,
            r#""\ud83d\ude00é""#,
        ),
        (
            r#"{"patternProperties": {"^x": {"type": "number"}}, "additionalProperties": false}"#,
            r#"{"x1": 1}"#,
        ),
        (
            r#"{"prefixItems": [{"type": "string"}], "items": {"type": "number"}}"#,
            r#"["a", 1, 2]"#,
        ),
        (r#"{"type": "string", "format": "phone"}"#, r#""anything""#),
        (
            r#"{"properties": {"a": {"type": "string"}}}"#,
            r#"{"a": 1, "a": "x"}"#,
        ),
        (PETS, r#"{"kind": "cat", "lives": 9, "more": true}"#),
        (r#"{"maxProperties": 1}"#, r#"{"a": 1, "a": 2}"#),
        (
            r##"{"properties": {"next": {"$ref": "#"}}, "not": {"required": ["stop"]}}"##,
            r#"{"next": {"next": {}}}"#,
        ),
    ];
    for (schema, value) in cases {
        assert_eq!(
            said(schema, value, Undeclared::Keep),
            [""; 0],
            "{value} against {schema}"
        );
    }
}

#[test]
fn what_is_out_of_range_is_said_once() {
    check(
        &[
            (
                r#"{"type": "integer", "format": "uint8", "maximum": 255}"#,
                "256",
                &["$input maximum: integer & Maximum<255>"],
            ),
            (
                r#"{"type": "integer", "format": "uint8", "minimum": 0, "maximum": 1000}"#,
                "2000",
                &[r#"$input format: integer & Type<"uint8">"#],
            ),
            (
                r#"{"type": "integer", "format": "uint8", "minimum": -5}"#,
                "-7",
                &[r#"$input format: integer & Type<"uint8">"#],
            ),
            (
                r#"{"minimum": 0, "exclusiveMinimum": -1}"#,
                "-1",
                &["$input minimum: number & Minimum<0>"],
            ),
            (
                r#"{"maximum": 10, "exclusiveMaximum": 10}"#,
                "11",
                &["$input exclusiveMaximum: number & ExclusiveMaximum<10>"],
            ),
            (
                r#"{"minimum": 0, "multipleOf": 2}"#,
                "-1",
                &[
                    "$input minimum: number & Minimum<0>",
                    "$input multipleOf: number & MultipleOf<2>",
                ],
            ),
        ],
        Undeclared::Keep,
    );
}

#[test]
fn repeated_items_are_named() {
    let schema = r#"{"type": "array", "items": {"type": "string"}, "uniqueItems": true}"#;
    let found = violations(schema, r#"["a", "b", "a"]"#, Undeclared::Keep);
    let hint = found[0].description.as_deref();
    assert_eq!(
        hint,
        Some(
            "The items at 0 and 2 of this array are the same.\n\n\
             Please give every item only once next time."
        )
    );
    assert!(violations(schema, r#"["a", "A"]"#, Undeclared::Keep).is_empty());
}

/// The only anchor of a name is where a dynamic reference leads, as `jsonschema` has it, too. Which
/// of several it is depends on the way to it.
#[test]
fn dynamic_references_are_followed_or_refused() {
    let tree = r##"{"$id": "https://example.com/tree", "$dynamicAnchor": "node", "type": "object",
        "properties": {"data": {"type": "string"},
                       "children": {"type": "array", "items": {"$dynamicRef": "#node"}}}}"##;
    let recursive = r##"{"$recursiveAnchor": true, "$schema": "https://json-schema.org/draft/2019-09/schema",
        "properties": {"data": {"type": "string"}, "children": {"items": {"$recursiveRef": "#"}}}}"##;
    for (value, fits) in [
        (r#"{"children": [{"data": "a", "children": []}]}"#, true),
        (r#"{"children": [{"data": 1}]}"#, false),
        (r#"{"children": [{"children": [{"data": 1}]}]}"#, false),
    ] {
        for text in [tree, recursive] {
            let own = violations(text, value, Undeclared::Keep).is_empty();
            assert_eq!(own, fits, "{value}");
            let [text, value]: [serde_json::Value; 2] =
                [text, value].map(|text| serde_json::from_str(text).unwrap());
            assert_eq!(jsonschema::is_valid(&text, &value), fits, "{value}");
        }
    }
    let strict = format!(
        r##"{{"$id": "https://example.com/strict", "$dynamicAnchor": "node", "$ref": "tree",
            "unevaluatedProperties": false, "$defs": {{"tree": {tree}}}}}"##
    );
    let error = Schema::from_text(&strict).unwrap_err();
    assert_eq!(
        error.to_string(),
        "several schemas have the `$dynamicAnchor` `node`, which is not supported at \
         /$defs/tree/properties/children/items/$dynamicRef of the schema"
    );
    let inner = recursive.replace(
        "\"$recursiveAnchor\"",
        r#""$id": "inner", "$recursiveAnchor""#,
    );
    let outer = format!(
        r##"{{"$id": "https://example.com/outer", "$recursiveAnchor": true, "$ref": "inner",
            "$defs": {{"inner": {inner}}}}}"##
    );
    let error = Schema::from_text(&outer).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("several schemas have `$recursiveAnchor`"),
        "{error}"
    );
    // Only by that name: a pointer leads where it says.
    let pointed = strict.replace("\"#node\"", "\"#/properties/data\"");
    assert!(Schema::from_text(&pointed).is_ok());
    let meta = r#"{"$ref": "https://json-schema.org/draft/2020-12/schema"}"#;
    let error = Schema::from_text(meta).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("remote references are not fetched"),
        "{error}"
    );
}
