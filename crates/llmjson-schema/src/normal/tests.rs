mod given;

use std::collections::HashMap;

use serde_json::{Value, json};

use super::tree::{NodeIx, Tree};
use super::{Forbidding, normalise};
use crate::Schema;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Returns the normalized schema, without the dialect's name.
fn normal(schema: &Value) -> Value {
    let schema = Schema::compile(schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
    let mut value = schema.compiled.tree.value().clone();
    if let Some(members) = value.as_object_mut() {
        assert_eq!(members.remove("$schema"), Some(json!(DIALECT)));
    }
    value
}

#[test]
fn dialects_become_one() {
    let cases = [
        (json!(true), json!(true)),
        (
            json!({"type": "STRING", "nullable": false}),
            json!({"type": "string"}),
        ),
        (
            json!({"type": ["STRING", "string", "null"]}),
            json!({"type": ["string", "null"]}),
        ),
        (
            json!({"$schema": "http://json-schema.org/draft-04/schema#", "id": "x",
                "minimum": 1, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false}),
            json!({"exclusiveMinimum": 1, "maximum": 9}),
        ),
        (json!({"exclusiveMinimum": true}), json!({})),
        (
            json!({"items": [{"type": "string"}], "additionalItems": false}),
            json!({"prefixItems": [{"type": "string"}], "items": false}),
        ),
        (
            json!({"items": [], "additionalItems": {"const": 1}}),
            json!({"items": {"const": 1}}),
        ),
        (json!({"items": [true]}), json!({"prefixItems": [true]})),
        (
            json!({"items": true, "additionalItems": false}),
            json!({"items": true, "additionalItems": false}),
        ),
        (
            json!({"dependencies": {"a": ["b", "b"], "c": {"required": ["d"]}}}),
            json!({"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}}}),
        ),
        (
            json!({"dependencies": {"a": ["b"]}, "dependentRequired": {"c": ["d"]}}),
            json!({"dependentRequired": {"c": ["d"]}, "allOf": [{"dependentRequired": {"a": ["b"]}}]}),
        ),
        (
            json!({"minItems": "2", "maxLength": 3.0}),
            json!({"minItems": 2, "maxLength": 3}),
        ),
        (
            json!({"required": ["a", "b", "a"], "allOf": []}),
            json!({"required": ["a", "b"]}),
        ),
        (
            json!({"title": null, "examples": {"a": 1}, "deprecated": "yes", "x-note": 1}),
            json!({"x-note": 1}),
        ),
        (
            json!({"$id": "https://example.com/a", "$anchor": "top", "$vocabulary": {}}),
            json!({}),
        ),
        (
            json!({"propertyOrdering": ["a"], "discriminator": {"propertyName": "t"}}),
            json!({"propertyOrdering": ["a"], "discriminator": {"propertyName": "t"}}),
        ),
    ];
    for (given, wanted) in cases {
        assert_eq!(normal(&given), wanted, "{given}");
    }
}

#[test]
fn nullable_allows_null() {
    let null = json!({"type": "null"});
    let cases = [
        (json!({"nullable": true}), json!({})),
        (
            json!({"type": "string", "nullable": true, "minLength": 1}),
            json!({"type": ["string", "null"], "minLength": 1}),
        ),
        (
            json!({"type": ["string", "null"], "nullable": true}),
            json!({"type": ["string", "null"]}),
        ),
        (
            json!({"type": "string", "enum": ["a"], "nullable": true}),
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        ),
        (
            json!({"enum": [null], "nullable": true}),
            json!({"enum": [null]}),
        ),
        (
            json!({"const": 1, "nullable": true}),
            json!({"enum": [1, null]}),
        ),
        (
            json!({"anyOf": [{"type": "string"}], "nullable": true}),
            json!({"anyOf": [{"type": "string"}, null]}),
        ),
        (
            json!({"oneOf": [{"type": "string"}], "nullable": true, "description": "d"}),
            json!({"description": "d", "anyOf": [{"oneOf": [{"type": "string"}]}, null]}),
        ),
        (
            json!({"$ref": "#/$defs/a", "nullable": true, "default": null, "$defs": {"a": true}}),
            json!({"default": null, "$defs": {"a": true}, "anyOf": [{"$ref": "#/$defs/a"}, null]}),
        ),
        (
            json!({"allOf": [{"type": "string"}], "nullable": true}),
            json!({"anyOf": [{"allOf": [{"type": "string"}]}, null]}),
        ),
    ];
    for (given, mut wanted) in cases {
        if let Some(branch) = wanted.pointer_mut("/anyOf/1") {
            *branch = null.clone();
        }
        assert_eq!(normal(&given), wanted, "{given}");
    }
}

#[test]
fn references_follow_what_moved() {
    let cases = [
        // An array in `items` moves to `prefixItems`, and references into it follow.
        (
            json!({"items": [{"type": "string"}], "additionalItems": {"$ref": "#/items/0"}}),
            "/items/$ref",
            "#/prefixItems/0",
        ),
        (
            json!({"$ref": "#/$defs/a~1b%20%25", "$defs": {"a/b %": {}}}),
            "/$ref",
            "#/$defs/a~1b%20%25",
        ),
        (
            json!({"$ref": "#/definitions/ä", "definitions": {"ä": {}}}),
            "/$ref",
            "#/definitions/%C3%A4",
        ),
        (
            json!({"items": {"$ref": "#/components/schemas/A"},
                "components": {"schemas": {"A": {"type": "STRING"}}}}),
            "/components/schemas/A/type",
            "string",
        ),
        (
            json!({"properties": {"a": {"$ref": "#"}}, "$id": "https://example.com/root"}),
            "/properties/a/$ref",
            "#",
        ),
        (
            json!({"$id": "https://example.com/dir/root", "items": {"$ref": "other"},
                "$defs": {"o": {"$id": "other", "type": "string"}}}),
            "/items/$ref",
            "#/$defs/o",
        ),
        // Pointers start at the nearest `$id`.
        (
            json!({"$defs": {"o": {"$id": "https://example.com/o",
                "items": {"$ref": "#/$defs/x"}, "$defs": {"x": {}}}}}),
            "/$defs/o/items/$ref",
            "#/$defs/o/$defs/x",
        ),
        (
            json!({"items": {"$ref": "#here"}, "$defs": {"a": {"$anchor": "here"}}}),
            "/items/$ref",
            "#/$defs/a",
        ),
        (
            json!({"items": {"$ref": "#here"}, "definitions": {"a": {"id": "#here"}}}),
            "/items/$ref",
            "#/definitions/a",
        ),
        (
            json!({"items": {"$recursiveRef": "#"}, "$recursiveAnchor": true}),
            "/items/$ref",
            "#",
        ),
        // A reference to a subschema that became a union points to the union.
        (
            json!({"properties": {"a": {"allOf": [{"type": "string"}], "nullable": true},
                "b": {"$ref": "#/properties/a/allOf/0"}, "c": {"$ref": "#/properties/a"}}}),
            "/properties/b/$ref",
            "#/properties/a/anyOf/0/allOf/0",
        ),
        (
            json!({"dependencies": {"a": {"required": ["b"]}}, "items": {"$ref": "#/dependencies/a"}}),
            "/items/$ref",
            "#/dependentSchemas/a",
        ),
    ];
    for (given, pointer, wanted) in cases {
        assert_eq!(
            normal(&given).pointer(pointer),
            Some(&json!(wanted)),
            "{given}"
        );
    }
}

#[test]
fn pointers_lead_back_to_the_source() {
    let schema = json!({
        "properties": {
            "a": {"items": [{"type": "string", "minLength": 2}], "additionalItems": {"type": "null"}},
            "b": {"$ref": "#/$defs/x", "nullable": true},
            "c": {"minimum": 1, "exclusiveMinimum": true},
            "d": {"dependencies": {"e": ["f"]}},
        },
        "$defs": {"x": {"type": "string"}},
    });
    let tree = normalise(Tree::from_value(&schema).unwrap(), Forbidding::Stays).unwrap();
    // A part that was removed from the schema has no position; its replacement comes first.
    let mut sources = HashMap::new();
    for ix in (0..tree.len()).map(|ix| NodeIx::try_from(ix).unwrap()) {
        let source = tree.source_pointer(ix);
        sources.entry(tree.normal_pointer(ix)).or_insert(source);
    }
    let cases = [
        ("", ""),
        ("/properties/a/prefixItems", "/properties/a/items"),
        (
            "/properties/a/prefixItems/0/minLength",
            "/properties/a/items/0/minLength",
        ),
        (
            "/properties/a/items/type",
            "/properties/a/additionalItems/type",
        ),
        ("/properties/b/anyOf/0/$ref", "/properties/b/$ref"),
        ("/properties/b/anyOf/1/type", "/properties/b"),
        ("/properties/c/exclusiveMinimum", "/properties/c/minimum"),
        (
            "/properties/d/dependentRequired/e",
            "/properties/d/dependencies/e",
        ),
        ("/$defs/x/type", "/$defs/x/type"),
    ];
    for (normal, source) in cases {
        assert_eq!(sources[normal], source, "{normal}");
    }
}

#[test]
fn definitions_that_nobody_uses_may_lead_in_a_circle() {
    let schema = json!({"type": "string", "$defs": {"a": {"$ref": "#/$defs/a"},
        "b": {"allOf": [{"$ref": "#/$defs/b"}]}}});
    let schema = Schema::compile(&schema).unwrap();
    let judge = jsonschema::draft202012::new(schema.compiled.tree.value()).unwrap();
    assert!(judge.is_valid(&json!("a")) && !judge.is_valid(&json!(1)));
}

#[test]
fn texts_have_to_be_strict_json() {
    for text in ["", "no", "{\"type\": \"string\",}", "{type: 'string'}"] {
        let error = Schema::from_text(text).expect_err(text);
        assert_eq!(error.pointer, "");
        assert!(
            error.message.starts_with("the text is not strict JSON"),
            "{}",
            error.message
        );
    }
    let error = Schema::from_text(r#"{"maximum": 1e999}"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "1e999 is out of range at /maximum of the schema"
    );
}

#[test]
fn beside_a_reference_of_drafts_4_to_7_nothing_counts() {
    let value = serde_json::json!("text");
    for (dialect, ignores) in [
        ("http://json-schema.org/draft-04/schema#", true),
        ("http://json-schema.org/draft-06/schema", true),
        ("https://json-schema.org/draft-07/schema#", true),
        ("https://json-schema.org/draft/2019-09/schema", false),
        ("https://json-schema.org/draft/2020-12/schema", false),
    ] {
        let schema = json!({
            "$schema": dialect,
            "$ref": "#/definitions/a",
            "maxLength": 1,
            "properties": 1,
            "definitions": {"a": {"type": "string"}},
        });
        assert_eq!(Schema::compile(&schema).is_ok(), ignores, "{dialect}");
        let mut schema = schema;
        schema["properties"] = json!({});
        let schema = Schema::compile(&schema).expect("a schema");
        assert_eq!(schema.validate(&value).is_ok(), ignores, "{dialect}");
    }
}

#[test]
fn dialects_that_are_not_known_are_refused() {
    for dialect in [
        "http://json-schema.org/draft-03/schema#",
        "https://example.com/own",
        "draft-07",
    ] {
        let error = Schema::compile(&json!({"$schema": dialect})).unwrap_err();
        assert_eq!(error.pointer, "/$schema");
        assert!(error.message.contains(dialect) && error.message.contains("2019-09"));
        // An annotation of the author's own within the schema.
        assert!(Schema::compile(&json!({"items": {"$schema": dialect}})).is_ok());
    }
}
