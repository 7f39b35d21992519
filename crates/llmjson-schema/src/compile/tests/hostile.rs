//! Tests with schemas built to be expensive.

use super::*;

#[test]
fn hostile_schemas_meet_a_limit() {
    let mut deep = json!({});
    for _ in 0..5_000 {
        deep = Value::Object([("items".to_owned(), deep)].into_iter().collect());
    }
    assert_eq!(
        Schema::compile(&deep).unwrap_err().message,
        "the schema nests deeper than 256"
    );
    let text = format!("{}{{}}{}", "{\"not\":".repeat(400), "}".repeat(400));
    assert_eq!(
        Schema::from_text(&text).unwrap_err().message,
        "the schema nests deeper than 256"
    );
    // Dropping so deep a value would recurse.
    std::mem::forget(deep);

    let branch = |at: usize| json!({"minLength": at});
    let wide = json!({"anyOf": (0..100_000).map(branch).collect::<Vec<_>>()});
    let error = Schema::compile(&wide).unwrap_err();
    assert_eq!(
        error.message,
        "more than 10000 subschemas apply to one value"
    );
    let constants = json!({"anyOf": (0..100_000).map(|at| json!({"const": at.to_string()})).collect::<Vec<_>>()});
    let constants = compile(&constants);
    let texts = constants.outline().texts().expect("constants");
    assert_eq!(texts.count(), 100_000);

    let large = json!({"enum": vec![0; 1_000_001]});
    let error = Schema::compile(&large).unwrap_err();
    assert_eq!(error.message, "the schema holds more than 1000000 values");
    let long = json!({"description": "x".repeat(5_000_001)});
    let error = Schema::compile(&long).unwrap_err();
    assert_eq!(error.message, "the schema is longer than 5000000 bytes");
    assert_eq!(Schema::from_text(&long.to_string()).unwrap_err(), error);

    // Every definition names the next one twice: two to the power of forty shapes for one value.
    let define = |at: usize| {
        let next = json!({"$ref": format!("#/$defs/{}", at + 1)});
        json!({"anyOf": [{"minLength": at, "allOf": [next]}, {"maxLength": at, "oneOf": [next, {"minimum": 1}]}]})
    };
    let mut chain: serde_json::Map<String, Value> =
        (0..40).map(|at| (at.to_string(), define(at))).collect();
    chain.insert("40".to_owned(), json!({"type": "string"}));
    let error = Schema::compile(&json!({"$ref": "#/$defs/0", "$defs": chain})).unwrap_err();
    assert_eq!(
        error.message,
        "more than 1000000 subschemas apply to one value"
    );

    // A long name above many subschemas: their pointers would take gigabytes.
    let many: serde_json::Map<String, Value> = (0..1_000)
        .map(|at| (at.to_string(), json!({"type": "string"})))
        .collect();
    let error =
        Schema::compile(&json!({"properties": {"x".repeat(4_000_000): {"properties": many}}}))
            .unwrap_err();
    assert_eq!(
        error.message,
        "the pointers to the parts of the schema take more than 64000000 bytes"
    );
}

#[test]
fn many_references_take_linear_time() {
    let define = |at: usize| {
        (
            at.to_string(),
            json!({"$ref": format!("#/$defs/{}", at + 1)}),
        )
    };
    let mut chain: serde_json::Map<String, Value> = (0..50_000).map(define).collect();
    chain.insert("50000".to_owned(), json!({"type": "string"}));
    let schema = json!({"properties": {"a": {"$ref": "#/$defs/49800"}}, "$defs": chain});
    let error = Schema::compile(&schema).unwrap_err();
    assert_eq!(
        error.message,
        "subschemas for one value nest deeper than 128"
    );
    let step = |at: usize| json!({"items": {"$ref": format!("#/$defs/{}", at + 1)}});
    let mut chain: serde_json::Map<String, Value> =
        (0..50_000).map(|at| (at.to_string(), step(at))).collect();
    chain.insert("50000".to_owned(), json!({"type": "string"}));
    compile(&json!({"$ref": "#/$defs/0", "$defs": chain}));

    // Parts that declare the same members recursively terminate.
    let schema = compile(&json!({
        "allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, {"$ref": "#/$defs/c"}],
        "$defs": {
            "a": {"properties": {"next": {"$ref": "#/$defs/b"}, "s": {"minLength": 1}}},
            "b": {"properties": {"next": {"$ref": "#/$defs/c"}, "s": {"maxLength": 3}}},
            "c": {"properties": {"next": {"$ref": "#/$defs/a"}, "s": {"type": "string"}}},
        },
    }));
    let mut outline = schema.outline();
    for _ in 0..10 {
        assert_eq!(outline.parts().len(), 0);
        assert_eq!(kinds(member(outline, "s")), "string");
        outline = member(outline, "next");
    }
}
