//! Cases for shapes, and a plain reader of shapes whose verdicts are compared with `jsonschema`'s.

use serde_json::{Value, json};

use crate::Schema;
use crate::shape::{Additional, Shape, ShapeId, Shapes, Types};

mod verdicts;

fn compile(schema: &Value) -> Schema {
    Schema::compile(schema).unwrap_or_else(|error| panic!("{schema}: {error}"))
}

fn shapes(schema: &Schema) -> &Shapes {
    &schema.compiled.shapes
}

fn root(schema: &Schema) -> &Shape {
    shapes(schema).get(shapes(schema).root)
}

fn member<'s>(schema: &'s Schema, shape: &'s Shape, name: &str) -> &'s Shape {
    let rules = shape.object.as_ref().expect("it has members");
    let at = rules.find(name).unwrap();
    assert_eq!(&*rules.properties[at].name, name);
    shapes(schema).get(rules.properties[at].shape)
}

fn branches<'s>(schema: &'s Schema, shape: &'s Shape) -> Vec<&'s Shape> {
    let union = shape.union.as_ref().expect("it has a union");
    union
        .branches
        .iter()
        .map(|&id| shapes(schema).get(id))
        .collect()
}

/// The property of a tag, its values with their branches, and whether it is declared.
type TagWords = (String, Vec<(String, u32)>, bool);

fn tag(shape: &Shape) -> Option<TagWords> {
    let tag = shape.union.as_ref()?.tag.as_ref()?;
    let branches = tag
        .branches
        .iter()
        .map(|(value, at)| (value.to_string(), *at))
        .collect();
    Some((tag.property.to_string(), branches, tag.declared))
}

#[test]
fn schemas_are_shared_between_threads() {
    fn check<T: Send + Sync + Clone + std::fmt::Debug>(_: &T) {}
    let schema = compile(&json!({"type": "string"}));
    check(&schema);
    let shown = format!("{schema:?}");
    assert!(
        shown.starts_with("Schema({") && shown.contains(r#""type":"string""#),
        "{shown}"
    );
}

#[test]
fn types_and_constants_narrow_each_other() {
    let cases = [
        (json!(true), Types::ALL, None),
        (json!(false), Types::NONE, None),
        (json!({}), Types::ALL, None),
        (
            json!({"type": ["string", "null"]}),
            Types::STRING.or(Types::NULL),
            None,
        ),
        (
            json!({"enum": ["a", 1]}),
            Types::STRING.or(Types::INTEGER),
            Some(json!(["a", 1])),
        ),
        (
            json!({"type": "string", "enum": ["a", null]}),
            Types::STRING,
            Some(json!(["a"])),
        ),
        (
            json!({"type": "integer", "enum": [1.0, 1.5]}),
            Types::INTEGER,
            Some(json!([1.0])),
        ),
        (
            json!({"type": "number", "enum": [1.5]}),
            Types::NUMBER,
            Some(json!([1.5])),
        ),
        (
            json!({"enum": [1, 2], "const": 2.0}),
            Types::INTEGER,
            Some(json!([2.0])),
        ),
        (
            json!({"enum": [1, 2], "const": 3}),
            Types::NONE,
            Some(json!([])),
        ),
        (json!({"enum": []}), Types::NONE, Some(json!([]))),
    ];
    for (schema, types, literals) in cases {
        let compiled = compile(&schema);
        let shape = root(&compiled);
        let found = shape
            .literals
            .as_ref()
            .map(|values| Value::from(values.to_vec()));
        assert_eq!((shape.types, found), (types, literals), "{schema}");
    }
}

#[test]
fn order_and_digits_of_a_text_are_kept() {
    let text = r#"{"type": "object", "required": ["z", "q"], "properties": {
        "z": {"type": "integer", "minimum": 12345678901234567890123, "maximum": 1.50e30},
        "a": {"type": "integer", "format": "uint8", "x-alias": "alpha", "x-aliases": ["al"]},
        "m": true}}"#;
    let schema = Schema::from_text(text).unwrap();
    let rules = root(&schema).object.as_ref().unwrap();
    let names: Vec<_> = rules
        .properties
        .iter()
        .map(|p| (&*p.name, p.required))
        .collect();
    assert_eq!(names, [("z", true), ("a", false), ("m", false)]);
    assert_eq!(rules.required_undeclared, ["q".into()]);
    assert_eq!(rules.properties[1].aliases, ["alpha".into(), "al".into()]);
    let z = member(&schema, root(&schema), "z").number.as_ref().unwrap();
    assert_eq!(z.minimum.as_deref(), Some("12345678901234567890123"));
    assert_eq!(z.maximum.as_deref(), Some("1.50e30"));
    let a = member(&schema, root(&schema), "a").number.as_ref().unwrap();
    assert_eq!(a.width, Some(("uint8".into(), 0, 255)));
    let given: Value = serde_json::from_str(text).unwrap();
    assert_eq!(
        compile(&given).compiled.normal.value(),
        schema.compiled.normal.value()
    );
}

#[test]
fn widths_belong_to_integers() {
    for (format, low, high) in [
        ("int8", -128, 127),
        ("uint16", 0, 65535),
        ("int32", -2_147_483_648, 2_147_483_647),
        ("uint", 0, i128::from(u64::MAX)),
        ("int64", i128::from(i64::MIN), i128::from(i64::MAX)),
    ] {
        let schema = compile(&json!({"type": ["integer", "null"], "format": format}));
        let width = root(&schema)
            .number
            .as_ref()
            .and_then(|rules| rules.width.clone());
        assert_eq!(width, Some((format.into(), low, high)));
    }
    for schema in [
        json!({"type": "number", "format": "int32"}),
        json!({"format": "int32"}),
    ] {
        assert!(root(&compile(&schema)).number.is_none(), "{schema}");
    }
    let schema = compile(&json!({"type": "string", "format": "date"}));
    assert_eq!(
        root(&schema).string.as_ref().unwrap().format.as_deref(),
        Some("date")
    );
}

#[test]
fn references_lead_to_one_shape_with_a_name() {
    let schema = compile(&json!({
        "$ref": "#/$defs/Node",
        "$defs": {"Node": {
            "type": "object",
            "properties": {
                "next": {"$ref": "#/$defs/Node", "description": "the next one"},
                "again": {"allOf": [{"$ref": "#/$defs/Node"}]},
                "some": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]},
                "with": {"$ref": "#/$defs/Node", "default": {}},
            },
            "required": ["with"],
        }},
    }));
    let top = root(&schema);
    assert_eq!(top.name.as_deref(), Some("Node"));
    let tree = &schema.compiled.normal.tree;
    assert_eq!(tree.source_pointer(top.node), "/$defs/Node");
    assert_eq!(tree.normal_pointer(top.node), "/$defs/Node");
    assert!(std::ptr::eq(top, member(&schema, top, "next")));
    assert!(std::ptr::eq(top, member(&schema, top, "again")));
    assert!(std::ptr::eq(
        top,
        branches(&schema, member(&schema, top, "some"))[0]
    ));
    let with = member(&schema, top, "with");
    assert_eq!(with.default, Some(json!({})));
    assert_eq!(with.name.as_deref(), Some("Node"));
    assert_eq!(
        tree.source_pointer(with.node),
        "/$defs/Node/properties/with"
    );
    assert!(with.also.is_empty() && with.object.is_some() && with.types == Types::OBJECT);
    assert!(std::ptr::eq(top, member(&schema, with, "next")));
}

#[test]
fn properties_called_like_keywords_are_no_definitions() {
    let schema = compile(&json!({"properties": {"definitions": {"items": {"minLength": 1}}}}));
    let list = member(&schema, root(&schema), "definitions")
        .array
        .as_ref()
        .unwrap();
    assert_eq!(shapes(&schema).get(list.items.unwrap()).name, None);
}

#[test]
fn parts_are_folded_where_that_is_plain() {
    let schema = compile(&json!({
        "allOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b", "c"]},
            {"properties": {"b": {"type": "number"}, "a": {"minLength": 2}}, "minProperties": 1},
            {"required": ["a"], "minProperties": 2, "maxProperties": 5},
        ],
        "properties": {"z": true},
    }));
    let top = root(&schema);
    assert!(top.also.is_empty() && top.types == Types::OBJECT);
    let rules = top.object.as_ref().unwrap();
    let names: Vec<_> = rules
        .properties
        .iter()
        .map(|p| (&*p.name, p.required))
        .collect();
    assert_eq!(names, [("z", false), ("a", true), ("b", true)]);
    assert_eq!(rules.required_undeclared, ["c".into()]);
    assert_eq!(
        (rules.min_properties, rules.max_properties),
        (Some(2), Some(5))
    );
    let a = member(&schema, top, "a");
    assert_eq!(a.types, Types::STRING);
    assert_eq!(a.string.as_ref().unwrap().min_length, Some(2));
}

#[test]
fn parts_stay_apart_where_folding_would_change_something() {
    let cases = [
        // What one part forbids, the other declares.
        json!({"properties": {"a": true}, "allOf": [{"properties": {"b": true}, "additionalProperties": false}]}),
        json!({"properties": {"a": true}, "allOf": [{"additionalProperties": {"type": "string"}}]}),
        json!({"prefixItems": [true], "allOf": [{"items": {"type": "string"}}]}),
        json!({"pattern": "a", "allOf": [{"pattern": "b"}]}),
        json!({"anyOf": [{"minLength": 1}, {"minimum": 1}], "oneOf": [{"maxLength": 1}, {"maximum": 1}]}),
        json!({"multipleOf": 2, "allOf": [{"multipleOf": 3}]}),
    ];
    for schema in cases {
        let compiled = compile(&schema);
        assert_eq!(root(&compiled).also.len(), 1, "{schema}");
    }
    let folded = [
        json!({"required": ["a"], "allOf": [{"properties": {"a": true}, "additionalProperties": false}]}),
        json!({"properties": {"a": true}, "allOf": [{"additionalProperties": true}]}),
        json!({"minimum": 1, "allOf": [{"minimum": 1, "maximum": 3}, {"exclusiveMinimum": 0}]}),
        json!({"minItems": 1, "allOf": [{"items": {"type": "string"}, "uniqueItems": true}]}),
        json!({"enum": ["a", "b"], "allOf": [{"enum": ["b", "c"]}, {"type": "string"}]}),
    ];
    for schema in folded {
        let compiled = compile(&schema);
        assert_eq!(root(&compiled).also, [], "{schema}");
    }
}

#[test]
fn unions_take_their_simplest_form() {
    // (schema, types, literals, number of branches)
    let cases = [
        (
            json!({"oneOf": [{"type": "string", "enum": ["a", "b"]}, {"const": "c", "description": "d"}]}),
            Types::STRING,
            Some(json!(["a", "b", "c"])),
            0,
        ),
        (
            json!({"anyOf": [{"const": 1}, {"enum": [1.0, null]}]}),
            Types::INTEGER.or(Types::NULL),
            Some(json!([1, null])),
            0,
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            Types::STRING.or(Types::NULL),
            None,
            0,
        ),
        (
            json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}),
            Types::ALL,
            None,
            2,
        ),
        (
            json!({"oneOf": [{"enum": ["a", "b"]}, {"enum": ["b"]}]}),
            Types::ALL,
            None,
            2,
        ),
        (
            json!({"anyOf": [{"enum": ["a"]}, {"type": "null"}]}),
            Types::ALL,
            None,
            2,
        ),
        (
            json!({"anyOf": [{"minLength": 1}, {"type": "null"}]}),
            Types::ALL,
            None,
            2,
        ),
        (
            json!({"anyOf": [{"type": "string", "minLength": 1}]}),
            Types::STRING,
            None,
            0,
        ),
        (
            json!({"anyOf": [{"type": "string"}], "type": ["string", "null"]}),
            Types::STRING,
            None,
            0,
        ),
        (
            json!({"anyOf": [{"anyOf": [{"minLength": 1}, {"minimum": 1}]}, {"anyOf": [{"type": "null"}, {"minItems": 1}]}]}),
            Types::ALL,
            None,
            4,
        ),
        (
            json!({"oneOf": [{"anyOf": [{"minLength": 1}, {"minimum": 1}]}, {"type": "null"}]}),
            Types::ALL,
            None,
            2,
        ),
        (
            json!({"anyOf": [false, {"minLength": 1}, {"minimum": 2}]}),
            Types::ALL,
            None,
            2,
        ),
    ];
    for (schema, types, literals, count) in cases {
        let compiled = compile(&schema);
        let shape = root(&compiled);
        let found = shape
            .literals
            .as_ref()
            .map(|values| Value::from(values.to_vec()));
        let branches = shape.union.as_ref().map_or(0, |union| union.branches.len());
        assert_eq!(
            (shape.types, found, branches),
            (types, literals, count),
            "{schema}"
        );
    }
    let nested = compile(
        &json!({"items": {"$ref": "#/$defs/u"}, "$defs": {"u": {"anyOf": [
        {"type": "string", "minLength": 1}, {"type": "array", "items": {"$ref": "#/$defs/u"}}]}}}),
    );
    let items = root(&nested).array.as_ref().unwrap().items.unwrap();
    assert_eq!(branches(&nested, shapes(&nested).get(items)).len(), 2);
}

#[test]
fn tags_are_declared_or_inferred() {
    let branch = |tag: &str, value: Value| {
        json!({"type": "object", "properties": {"id": {"type": "string"}, tag: value},
            "required": ["id", tag]})
    };
    let pets = json!({
        "Cat": branch("kind", json!({"const": "cat"})),
        "Dog": branch("kind", json!({"enum": ["dog", "hound"]})),
        "Fish": branch("swims", json!({"type": "boolean"})),
    });
    let union = |extra: Value, list: &[&str]| {
        let refs: Vec<_> = list
            .iter()
            .map(|name| json!({"$ref": format!("#/$defs/{name}")}))
            .collect();
        let mut schema = json!({"$defs": pets, "oneOf": refs});
        schema
            .as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        schema
    };
    let own = |list: &[(&str, u32)], declared: bool| {
        let list = list
            .iter()
            .map(|&(value, at)| (value.to_owned(), at))
            .collect::<Vec<_>>();
        Some(("kind".to_owned(), list, declared))
    };
    let inferred = own(&[("cat", 0), ("dog", 1), ("hound", 1)], false);
    let cases = [
        (union(json!({}), &["Cat", "Dog"]), inferred),
        (union(json!({}), &["Cat", "Fish"]), None),
        (union(json!({}), &["Cat"]), None),
        (
            union(
                json!({"discriminator": {"propertyName": "kind"}}),
                &["Cat", "Fish"],
            ),
            own(&[("cat", 0), ("Fish", 1)], true),
        ),
        (
            union(
                json!({"x-discriminator": {"propertyName": "kind",
                    "mapping": {"f": "#/$defs/Fish", "c": "Cat", "?": "Nobody", "!": 1}}}),
                &["Cat", "Dog", "Fish"],
            ),
            own(&[("c", 0), ("f", 2), ("dog", 1), ("hound", 1)], true),
        ),
        (union(json!({"discriminator": 1}), &["Fish", "Fish"]), None),
        (
            union(json!({"discriminator": "kind"}), &["Fish", "Cat"]),
            own(&[("Fish", 0), ("cat", 1)], true),
        ),
    ];
    for (schema, wanted) in cases {
        let compiled = compile(&schema);
        assert_eq!(tag(root(&compiled)), wanted, "{schema}");
    }
    // The tag may stand in a part of a branch, and null is no branch with a tag.
    let schema = compile(&json!({"$defs": pets, "anyOf": [
        {"allOf": [{"$ref": "#/$defs/Cat"}, {"properties": {"n": {"type": "integer"}}}]},
        {"$ref": "#/$defs/Dog"}, {"type": "null"}]}));
    assert_eq!(
        tag(root(&schema)),
        own(&[("cat", 0), ("dog", 1), ("hound", 1)], false)
    );
    // A nullable union with a discriminator keeps it.
    let schema = compile(&union(
        json!({"nullable": true, "discriminator": {"propertyName": "kind"}}),
        &["Cat", "Dog"],
    ));
    let inner = branches(&schema, root(&schema))[0];
    assert_eq!(
        tag(inner),
        own(&[("cat", 0), ("dog", 1), ("hound", 1)], true)
    );
}

#[test]
fn unusual_keywords_are_seen_from_above() {
    let schema = compile(&json!({
        "properties": {
            "plain": {"type": "string"},
            "odd": {"items": {"$ref": "#/$defs/odd"}},
            "loop": {"$ref": "#/$defs/loop"},
            "fine": {"$ref": "#/$defs/fine"},
        },
        "$defs": {
            "odd": {"not": {"type": "null"}},
            "loop": {"properties": {"back": {"$ref": "#/$defs/loop"}, "odd": {"$ref": "#/$defs/odd"}}},
            "fine": {"properties": {"back": {"$ref": "#/$defs/fine"}}},
        },
    }));
    let top = root(&schema);
    let marks = |name: &str| {
        let shape = member(&schema, top, name);
        (shape.unusual, shape.unusual_below)
    };
    assert_eq!((top.unusual, top.unusual_below), (false, true));
    assert_eq!(marks("plain"), (false, false));
    assert_eq!(marks("odd"), (false, true));
    assert_eq!(marks("loop"), (false, true));
    assert_eq!(marks("fine"), (false, false));
    for keyword in [
        "if",
        "contains",
        "propertyNames",
        "unevaluatedItems",
        "unevaluatedProperties",
    ] {
        assert!(root(&compile(&json!({keyword: true}))).unusual, "{keyword}");
    }
    let json =
        compile(&json!({"type": "string", "contentMediaType": "application/json; charset=utf-8"}));
    assert!(root(&json).string.as_ref().unwrap().holds_json && !root(&json).unusual);
}

#[test]
fn undeclared_members_are_silent_open_or_forbidden() {
    let additional = |schema: Value| root(&compile(&schema)).object.as_ref().unwrap().additional;
    assert_eq!(additional(json!({"properties": {}})), Additional::Silent);
    assert_eq!(
        additional(json!({"additionalProperties": false})),
        Additional::Forbidden
    );
    for open in [json!(true), json!({}), json!({"type": "string"})] {
        assert!(matches!(
            additional(json!({"additionalProperties": open})),
            Additional::Open(_)
        ));
    }
}

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
    assert_eq!(
        root(&compile(&constants)).literals.as_ref().unwrap().len(),
        100_000
    );

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

    // Parts that declare the same members of themselves come to an end.
    let schema = compile(&json!({
        "allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, {"$ref": "#/$defs/c"}],
        "$defs": {
            "a": {"properties": {"next": {"$ref": "#/$defs/b"}, "s": {"minLength": 1}}},
            "b": {"properties": {"next": {"$ref": "#/$defs/c"}, "s": {"maxLength": 3}}},
            "c": {"properties": {"next": {"$ref": "#/$defs/a"}, "s": {"type": "string"}}},
        },
    }));
    let mut shape = root(&schema);
    for _ in 0..10 {
        assert!(shape.also.is_empty());
        assert_eq!(member(&schema, shape, "s").types, Types::STRING);
        shape = member(&schema, shape, "next");
    }
}
