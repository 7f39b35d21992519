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

const PETS: &str = r##"{"anyOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}], "$defs": {
    "Cat": {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}},
            "required": ["kind", "lives"]},
    "Dog": {"type": "object", "properties": {"kind": {"const": "dog"}, "bark": {"type": "boolean"}},
            "required": ["kind", "bark"]}}}"##;

#[test]
fn the_value_of_a_tag_is_suggested() {
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
