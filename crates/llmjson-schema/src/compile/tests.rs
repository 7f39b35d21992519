//! Tests of compiled schemas, with verdicts compared to `jsonschema`.

use llmjson_syntax::Kind;
use serde_json::{Value, json};

use crate::Schema;
use crate::internal::Outline;

mod hostile;
mod unions;
mod verdicts;

fn compile(schema: &Value) -> Schema {
    Schema::compile(schema).unwrap_or_else(|error| panic!("{schema}: {error}"))
}

fn member<'s>(outline: Outline<'s>, name: &str) -> Outline<'s> {
    let found = outline.properties().find(|(property, _)| *property == name);
    found.unwrap_or_else(|| panic!("{name} is declared")).1
}

/// The kinds of values that a subschema takes by its own keywords, `all` of them, or `none`.
fn kinds(outline: Outline<'_>) -> String {
    let all = [
        (Kind::Null, "null"),
        (Kind::Bool, "boolean"),
        (Kind::Number, "number"),
        (Kind::String, "string"),
        (Kind::Array, "array"),
        (Kind::Object, "object"),
    ];
    let taken = all.iter().filter(|(kind, _)| outline.takes(*kind));
    let taken = taken.map(|(kind, name)| match kind {
        Kind::Number if !outline.takes_fractions() => "integer",
        _ => name,
    });
    match taken.collect::<Vec<_>>() {
        _ if outline.takes_all() => "all".to_owned(),
        taken if taken.is_empty() => "none".to_owned(),
        taken => taken.join(" "),
    }
}

/// Asserts that a schema takes some values and refuses others.
fn check(schema: &Value, takes: &[Value], refuses: &[Value]) {
    let compiled = compile(schema);
    for value in takes {
        assert!(compiled.validate(value).is_ok(), "{schema} and {value}");
    }
    for value in refuses {
        assert!(compiled.validate(value).is_err(), "{schema} and {value}");
    }
}

/// The property of a tag, its values with their branches, and whether it is declared.
type TagWords = (String, Vec<(String, u32)>, bool);

fn tag(outline: Outline<'_>) -> Option<TagWords> {
    let (property, branches, declared) = outline.tag()?;
    let branches = branches.map(|(value, at)| (value.to_owned(), at)).collect();
    Some((property.to_owned(), branches, declared))
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
        (json!(true), "all", None),
        (json!(false), "none", None),
        (json!({}), "all", None),
        (json!({"type": ["string", "null"]}), "null string", None),
        (
            json!({"enum": ["a", 1]}),
            "integer string",
            Some(r#""a" | 1"#),
        ),
        (
            json!({"type": "string", "enum": ["a", null]}),
            "string",
            Some(r#""a""#),
        ),
        (
            json!({"type": "integer", "enum": [1.0, 1.5]}),
            "integer",
            Some("1.0"),
        ),
        (
            json!({"type": "number", "enum": [1.5]}),
            "number",
            Some("1.5"),
        ),
        (
            json!({"enum": [1, 2], "const": 2.0}),
            "integer",
            Some("2.0"),
        ),
        (
            json!({"enum": [1, 2], "const": 3}),
            "none",
            Some("undefined"),
        ),
        (json!({"enum": []}), "none", Some("undefined")),
    ];
    for (schema, types, literals) in cases {
        let compiled = compile(&schema);
        assert_eq!(kinds(compiled.outline()), types, "{schema}");
        if let Some(literals) = literals {
            assert_eq!(compiled.expected(), literals, "{schema}");
        }
    }
}

#[test]
fn order_and_digits_of_a_text_are_kept() {
    let text = r#"{"type": "object", "required": ["z", "q"], "properties": {
        "z": {"type": "integer", "minimum": 12345678901234567890123, "maximum": 1.50e30},
        "a": {"type": "integer", "format": "uint8", "x-alias": "alpha", "x-aliases": ["al"]},
        "m": true}}"#;
    let schema = Schema::from_text(text).unwrap();
    assert_eq!(schema.members(), ["z", "a", "m"]);
    assert!(schema.knows_member("alpha") && schema.knows_member("al"));
    let said = |value: Value| {
        let failure = schema.validate(&value).expect_err("it does not fit");
        let violations = failure.violations().iter();
        let violations = violations.map(|one| format!("{} {}", one.path, one.expected));
        violations.collect::<Vec<_>>().join("; ")
    };
    assert_eq!(
        said(json!({"a": 256, "z": 5})),
        "$input.a integer & Type<\"uint8\">; $input.z integer & Minimum<12345678901234567890123>; $input.q any"
    );
    let large = Schema::from_text(text).unwrap();
    let document = llmjson_syntax::parse(r#"{"z": 1.6e30, "q": 1}"#);
    let root = document.root().expect("a value");
    let violations = large.violations(root, crate::Undeclared::Keep);
    assert_eq!(&*violations[0].expected, "integer & Maximum<1.50e30>");
    let given: Value = serde_json::from_str(text).unwrap();
    assert_eq!(compile(&given).as_json().len(), given.to_string().len());
}

#[test]
fn widths_belong_to_integers() {
    for (format, low, high) in [
        ("int8", json!(-128), json!(127)),
        ("uint16", json!(0), json!(65535)),
        ("int32", json!(-2_147_483_648_i64), json!(2_147_483_647)),
        ("uint", json!(0), json!(u64::MAX)),
        ("int64", json!(i64::MIN), json!(i64::MAX)),
    ] {
        let schema = json!({"type": ["integer", "null"], "format": format});
        let number = |text: String| serde_json::from_str(&text).expect("a number");
        let beyond = |value: &Value, by: i128| {
            let value = value.to_string().parse::<i128>().expect("an integer");
            number((value + by).to_string())
        };
        let outside = [beyond(&low, -1), beyond(&high, 1)];
        check(&schema, &[low, high, json!(null)], &outside);
    }
    for schema in [
        json!({"type": "number", "format": "int32"}),
        json!({"format": "int32"}),
    ] {
        check(&schema, &[json!(3e9), json!(0.5)], &[]);
    }
    let schema = compile(&json!({"type": "string", "format": "date"}));
    assert_eq!(schema.outline().format(), Some("date"));
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
    let top = schema.outline();
    assert_eq!(schema.expected(), "Node");
    assert_eq!(member(top, "next").id(), top.id());
    assert_eq!(member(top, "again").id(), top.id());
    let first = member(top, "some").branches().next();
    assert_eq!(first.map(Outline::id), Some(top.id()));
    let with = member(top, "with");
    assert_ne!(with.id(), top.id());
    assert_eq!((kinds(with), with.parts().len()), ("object".to_owned(), 0));
    assert_eq!(member(with, "next").id(), top.id());
    let failure = schema.validate(&json!({"with": 1})).expect_err("no object");
    assert_eq!(&*failure.violations()[0].expected, "Node");
}

#[test]
fn properties_called_like_keywords_are_no_definitions() {
    let schema =
        json!({"properties": {"definitions": {"items": {"type": "object", "minLength": 1}}}});
    let failure = compile(&schema).validate(&json!({"definitions": [1]}));
    let failure = failure.expect_err("no object");
    // A name would be shown.
    assert_eq!(&*failure.violations()[0].expected, "object");
}

#[test]
fn parts_are_folded_where_that_is_plain() {
    let schema = json!({
        "allOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b", "c"]},
            {"properties": {"b": {"type": "number"}, "a": {"minLength": 2}}, "minProperties": 1},
            {"required": ["a"], "minProperties": 2, "maxProperties": 5},
        ],
        "properties": {"z": true},
    });
    let compiled = compile(&schema);
    let top = compiled.outline();
    assert_eq!((kinds(top), top.parts().len()), ("object".to_owned(), 0));
    let names: Vec<_> = top.properties().map(|(name, _)| name).collect();
    assert_eq!(names, ["z", "a", "b"]);
    assert_eq!(kinds(member(top, "a")), "string");
    check(
        &schema,
        &[json!({"a": "xx", "b": 1, "c": 1, "d": 1, "e": 1})],
        &[
            json!({"a": "x", "b": 1, "c": 1}),
            json!({"a": "xx", "b": 1}),
            json!({"a": "xx", "c": 1}),
            json!({"b": 1, "c": 1}),
            json!({"a": "xx", "b": 1, "c": 1, "d": 1, "e": 1, "f": 1}),
        ],
    );
}

#[test]
fn parts_stay_apart_where_folding_would_change_something() {
    let cases = [
        // One part declares the member that the other forbids.
        json!({"properties": {"a": true}, "allOf": [{"properties": {"b": true}, "additionalProperties": false}]}),
        json!({"properties": {"a": true}, "allOf": [{"additionalProperties": {"type": "string"}}]}),
        json!({"prefixItems": [true], "allOf": [{"items": {"type": "string"}}]}),
        json!({"pattern": "a", "allOf": [{"pattern": "b"}]}),
        json!({"anyOf": [{"minLength": 1}, {"minimum": 1}], "oneOf": [{"maxLength": 1}, {"maximum": 1}]}),
        json!({"multipleOf": 2, "allOf": [{"multipleOf": 3}]}),
    ];
    for schema in cases {
        let compiled = compile(&schema);
        assert_eq!(compiled.outline().parts().len(), 1, "{schema}");
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
        assert_eq!(compiled.outline().parts().len(), 0, "{schema}");
    }
}

#[test]
fn conditions_are_read_where_they_ask_for_something() {
    // Parts without rules for the rest of a value can be judged separately.
    let asks = |keyword: &str, value: bool| !compile(&json!({keyword: value})).judges_parts_alone();
    for keyword in ["not", "contains", "propertyNames"] {
        assert!(asks(keyword, true), "{keyword}");
    }
    for keyword in ["unevaluatedItems", "unevaluatedProperties"] {
        assert!(!asks(keyword, true), "{keyword}");
        assert!(asks(keyword, false), "{keyword}");
    }
}

#[test]
fn a_text_that_holds_json_is_written_for_an_object() {
    let schema = json!({"type": "string", "contentMediaType": "application/json; charset=utf-8"});
    let mut document = llmjson_syntax::parse(r#"{"a": 1}"#);
    crate::coerce(
        &mut document,
        &compile(&schema),
        &crate::CoerceOptions::default(),
    );
    assert_eq!(document.to_json().as_deref(), Some(r#""{\"a\":1}""#));
}

#[test]
fn undeclared_members_are_silent_open_or_forbidden() {
    use crate::Undeclared::{Keep, Reject};
    let document = llmjson_syntax::parse(r#"{"x": "y"}"#);
    let root = document.root().expect("a value");
    for (schema, kept, rejected) in [
        (json!({"properties": {}}), 0, 1),
        (json!({"additionalProperties": false}), 1, 1),
        (json!({"additionalProperties": true}), 0, 0),
        (json!({"additionalProperties": {}}), 0, 0),
        (json!({"additionalProperties": {"type": "string"}}), 0, 0),
    ] {
        let compiled = compile(&schema);
        let count = |undeclared| compiled.violations(root, undeclared).len();
        assert_eq!((count(Keep), count(Reject)), (kept, rejected), "{schema}");
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
