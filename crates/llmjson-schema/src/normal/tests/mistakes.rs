use serde_json::json;

use crate::Schema;

#[test]
fn mistakes_are_named_where_they_are() {
    let schemas = "a schema has to be an object, or true or false";
    let cases = [
        (json!(1), "", schemas),
        (
            json!({"items": {"properties": []}}),
            "/items/properties",
            "`properties` has to be an object of schemas",
        ),
        (
            json!({"properties": {"a/b": 1}}),
            "/properties/a~1b",
            schemas,
        ),
        (
            json!({"required": true}),
            "/required",
            "`required` has to be a list of strings",
        ),
        (
            json!({"required": ["a", 1]}),
            "/required",
            "`required` has to be a list of strings",
        ),
        (
            json!({"type": "strng"}),
            "/type",
            "there is no type \"strng\"",
        ),
        (
            json!({"type": ["string", "Null"]}),
            "/type/1",
            "there is no type \"Null\"",
        ),
        (
            json!({"type": {}}),
            "/type",
            "`type` has to be the name of a type or a list of such names",
        ),
        (
            json!({"type": []}),
            "/type",
            "`type` has to be the name of a type or a list of such names",
        ),
        (json!({"enum": "a"}), "/enum", "`enum` has to be a list"),
        (
            json!({"minLength": -1}),
            "/minLength",
            "`minLength` has to be a whole number from 0 on",
        ),
        (
            json!({"maxItems": 1.5}),
            "/maxItems",
            "`maxItems` has to be a whole number from 0 on",
        ),
        (
            json!({"minimum": "1"}),
            "/minimum",
            "`minimum` has to be a number",
        ),
        (
            json!({"multipleOf": 0}),
            "/multipleOf",
            "`multipleOf` has to be a number above 0",
        ),
        (
            json!({"exclusiveMinimum": "1"}),
            "/exclusiveMinimum",
            "`exclusiveMinimum` has to be a number, or true or false",
        ),
        (
            json!({"anyOf": []}),
            "/anyOf",
            "`anyOf` has to be a list of schemas, at least one",
        ),
        (
            json!({"anyOf": {}}),
            "/anyOf",
            "`anyOf` has to be a list of schemas",
        ),
        (json!({"anyOf": [{}, "x"]}), "/anyOf/1", schemas),
        (
            json!({"items": "x"}),
            "/items",
            "`items` has to be a schema or a list of schemas",
        ),
        (json!({"not": null}), "/not", "`not` has to be a schema"),
        (
            json!({"nullable": "yes"}),
            "/nullable",
            "`nullable` has to be true or false",
        ),
        (
            json!({"dependencies": {"a": 1}}),
            "/dependencies",
            "`dependencies` has to be an object of schemas and lists of names",
        ),
        (
            json!({"dependentRequired": {"a": 1}}),
            "/dependentRequired",
            "`dependentRequired` has to be an object of lists of strings",
        ),
        (
            json!({"pattern": 1}),
            "/pattern",
            "`pattern` has to be a string",
        ),
        (
            json!({"items": [{"pattern": "("}]}),
            "/items/0/pattern",
            "\"(\" is not a regular expression",
        ),
        (
            json!({"patternProperties": {"[": true}}),
            "/patternProperties/[",
            "\"[\" is not a regular expression",
        ),
        (
            json!({"not": {"pattern": "("}}),
            "/not/pattern",
            "\"(\" is not a regular expression",
        ),
        (
            json!({"items": [true], "prefixItems": [true]}),
            "/items",
            "`items` is a list beside `prefixItems`",
        ),
        (json!({"$ref": 1}), "/$ref", "`$ref` has to be a string"),
        (
            json!({"$ref": "#/$defs/a"}),
            "/$ref",
            "`#/$defs/a` leads nowhere",
        ),
        (
            json!({"$ref": "#nowhere"}),
            "/$ref",
            "`#nowhere` leads nowhere",
        ),
        (json!({"$ref": "#/%zz"}), "/$ref", "`#/%zz` leads nowhere"),
        (
            json!({"$ref": "#/title", "title": "a"}),
            "/$ref",
            "`#/title` does not lead to a schema",
        ),
        (
            json!({"$defs": {"a": {"$ref": "https://example.com/a#/b"}}}),
            "/$defs/a/$ref",
            "remote references are not fetched, and the schema itself has no `$id` `https://example.com/a`",
        ),
        (
            json!({"$ref": "#"}),
            "/$ref",
            "this reference leads only to itself",
        ),
        (
            json!({"items": {"$ref": "#/$defs/a"},
                "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
            "/$defs/a/$ref",
            "this reference leads only to itself",
        ),
        (
            json!({"not": {"$ref": "#/$defs/a"}, "$defs": {"a": {"$ref": "#/$defs/a"}}}),
            "/$defs/a/$ref",
            "this reference leads only to itself",
        ),
        (
            json!({"items": {"not": {"$ref": "#/items"}}}),
            "/items",
            "this subschema asks about the same value again without end",
        ),
        (
            json!({"type": "object", "allOf": [{"$ref": "#"}]}),
            "",
            "this subschema asks about the same value again without end",
        ),
        (
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}}),
            "/$defs/a",
            "this subschema asks about the same value again without end",
        ),
    ];
    for (schema, pointer, message) in cases {
        let error = Schema::compile(&schema).expect_err(&schema.to_string());
        assert_eq!(
            (&*error.pointer, &*error.message),
            (pointer, message),
            "{schema}"
        );
        let again = Schema::from_text(&schema.to_string()).unwrap_err();
        assert_eq!(error, again);
    }
}
