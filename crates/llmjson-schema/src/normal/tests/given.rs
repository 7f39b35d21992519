use serde_json::{Value, json};

use crate::{Schema, SchemaNoteKind};

fn inner() -> Value {
    json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]})
}

#[test]
fn wrappers_are_opened() {
    let wrappers = [
        json!({"name": "f", "input_schema": inner(), "cache_control": {"type": "ephemeral"}}),
        json!({"name": "f", "title": "F", "inputSchema": inner(), "outputSchema": {"type": "object"}}),
        json!({"name": "f", "description": "d", "parameters": inner()}),
        json!({"name": "f", "strict": true, "schema": inner()}),
        json!({"type": "json_schema", "json_schema": {"name": "f", "schema": inner()}}),
        json!({"type": "json_schema", "name": "f", "schema": inner()}),
        json!({"type": "function", "function": {"name": "f", "parameters": inner()}}),
        json!({"type": "function", "name": "f", "parameters": inner(), "strict": true}),
        json!({"response_format": {"type": "json_schema", "json_schema": {"schema": inner()}}}),
        json!({"toolSpec": {"name": "f", "inputSchema": {"json": inner()}}}),
    ];
    for given in wrappers {
        for schema in [
            Schema::compile(&given),
            Schema::from_text(&given.to_string()),
        ] {
            let schema = schema.expect("a wrapped schema");
            assert_eq!(
                serde_json::from_str(schema.as_json()).ok(),
                Some(inner()),
                "{given}"
            );
            assert!(schema.validate(&json!({"a": 1})).is_ok(), "{given}");
            assert!(schema.validate(&json!({"a": "x"})).is_err(), "{given}");
            let notes = schema.notes();
            assert!(
                notes
                    .iter()
                    .all(|note| note.kind == SchemaNoteKind::Wrapper),
                "{given}"
            );
            let pointer = &notes.last().expect("a note").pointer;
            assert_eq!(given.pointer(pointer), Some(&inner()), "{given}");
            assert_eq!(schema.unshared().notes(), notes);
        }
    }
    let wrong = json!({"name": "f", "parameters": {"properties": {"a": {"type": "int"}}}});
    let error = Schema::compile(&wrong).expect_err("no such type");
    assert_eq!(error.pointer, "/parameters/properties/a/type");
}

#[test]
fn what_says_nothing_is_no_schema() {
    for (given, pointer, wanted) in [
        (
            json!({"type": "object", "proprties": {"a": {}}, "requird": ["a"]}),
            "/proprties",
            "did you mean `properties`?",
        ),
        (
            json!({"type": "object", "Properties": {"a": {}}}),
            "/Properties",
            "`properties`",
        ),
        (json!({"typ": "object"}), "/typ", "`type`"),
        (
            json!({"any_of": [{"type": "string"}]}),
            "/any_of",
            "`anyOf`",
        ),
        (
            json!({"items": {"type": "object", "proprties": {}}}),
            "/items/proprties",
            "`properties`",
        ),
        (
            json!({"a": {"type": "integer"}, "b": {}}),
            "",
            "found `a`, `b`, and",
        ),
        (
            json!({"name": "f", "parameters": {"a": {"type": "integer"}}}),
            "",
            "found `parameters`",
        ),
        (json!({"policy": "tool"}), "", "found `policy`, and"),
        (json!({"m": 1, "n": 2}), "", "found `m`, `n`, and"),
        (
            json!({"type": "object", "n": {"type": "integer"}}),
            "/n",
            "`properties`",
        ),
        (json!({"_def": {"typeName": "ZodObject"}}), "", "Zod"),
        (
            json!({"def": {"type": "object", "shape": {}}, "type": "object"}),
            "",
            "Zod",
        ),
    ] {
        let error = Schema::compile(&given).expect_err("it says nothing");
        assert_eq!(error.pointer, pointer, "{given}");
        assert!(error.message.contains(wanted), "{given}: {error}");
    }
}

#[test]
fn what_is_empty_or_only_describes_stays() {
    let stays = [
        json!({}),
        json!(true),
        json!({"title": "x", "description": "d", "default": 1, "examples": []}),
        json!({"$id": "urn:x", "$comment": "c", "$defs": {"a": {"type": "string"}}}),
        json!({"definitions": {"a": {}}}),
        json!({"nullable": true}),
        json!({"x-order": {"a": 1}}),
        json!({"title": "x", "tsType": "any"}),
        json!({"type": "object", "fields": {"a": {}}}),
        json!({"type": "number", "min": 1, "note": true, "cost": 5}),
        json!({"properties": {"a": {}}, "requird": ["a"]}),
        json!({"properties": {"a": {"type": "object", "n": {"type": "integer"}}}}),
        json!({"properties": {"schema": {}, "parameters": {}}}),
        json!({"required": ["a"], "schema": {"type": "string"}}),
        json!({"properties": {"a": {"any_of": [{"type": "string"}]}}}),
    ];
    for given in stays {
        let schema = Schema::compile(&given).expect("it stays");
        let unknown = |name: &&str| schema.notes().iter().any(|note| note.keyword == **name);
        let names = ["tsType", "fields", "min", "requird", "schema"];
        let noted = names.iter().filter(|name| given.get(**name).is_some());
        assert!(noted.clone().all(unknown), "{given}");
    }
}
