//! Cases for shapes, and a plain reader of shapes whose verdicts are compared with `jsonschema`'s.

use serde_json::{Value, json};

use crate::Schema;
use crate::ir::bounds::NumberKeyword;
use crate::ir::shape::{Additional, Shape, ShapeId, Shapes, Types};

mod hostile;
mod unions;
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
    let bound = |keyword| z.bound(keyword).map(|bound| &*bound.text);
    assert_eq!(
        bound(NumberKeyword::Minimum),
        Some("12345678901234567890123")
    );
    assert_eq!(bound(NumberKeyword::Maximum), Some("1.50e30"));
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
    assert_eq!(with.default.as_deref(), Some(&json!({})));
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
fn conditions_are_read_where_they_ask_for_something() {
    let conditions =
        |keyword: &str, value: bool| root(&compile(&json!({keyword: value}))).conditions.len();
    for keyword in ["not", "contains", "propertyNames"] {
        assert_eq!(conditions(keyword, true), 1, "{keyword}");
    }
    for keyword in ["unevaluatedItems", "unevaluatedProperties"] {
        assert_eq!(conditions(keyword, true), 0, "{keyword}");
        assert_eq!(conditions(keyword, false), 1, "{keyword}");
    }
    let json =
        compile(&json!({"type": "string", "contentMediaType": "application/json; charset=utf-8"}));
    assert!(root(&json).string.as_ref().unwrap().holds_json);
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
fn what_conditions_lead_to_is_no_expectation() {
    let schema = compile(&json!({
        "properties": {"kind": {}},
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"properties": {"inner": {"type": "array"}}, "$ref": "#/$defs/both"},
        "allOf": [{"$ref": "#/$defs/both"}],
        "$defs": {"both": {"properties": {"shared": {}}}},
    }));
    let names = schema.names();
    assert!(names.contains("kind") && names.contains("shared") && !names.contains("inner"));
}

#[test]
fn members_that_are_the_whole_again_stay_so_where_parts_meet() {
    for schema in [
        json!({"$ref": "#/$defs/a", "properties": {"a": {}},
            "$defs": {"a": {"type": "object", "properties": {"a": {"$ref": "#"}}}}}),
        json!({"allOf": [{"type": "object", "additionalProperties": {"$ref": "#"}},
            {"additionalProperties": {}, "minProperties": 0}]}),
    ] {
        let schema = compile(&schema);
        assert!(schema.validate(&json!({"a": {"a": {}}})).is_ok());
        assert!(schema.validate(&json!({"a": {"a": false}})).is_err());
    }
}
