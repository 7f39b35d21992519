//! Tests of compiled unions and their tags.

use super::*;

#[test]
fn unions_take_their_simplest_form() {
    // (schema, types, literals, number of branches)
    let cases = [
        (
            json!({"oneOf": [{"type": "string", "enum": ["a", "b"]}, {"const": "c", "description": "d"}]}),
            "string",
            Some(r#""a" | "b" | "c""#),
            0,
        ),
        (
            json!({"anyOf": [{"const": 1}, {"enum": [1.0, null]}]}),
            "null integer",
            Some("1 | null"),
            0,
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            "null string",
            None,
            0,
        ),
        (
            json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}),
            "all",
            None,
            2,
        ),
        (
            json!({"oneOf": [{"enum": ["a", "b"]}, {"enum": ["b"]}]}),
            "all",
            None,
            2,
        ),
        (
            json!({"anyOf": [{"enum": ["a"]}, {"type": "null"}]}),
            "all",
            None,
            2,
        ),
        (
            json!({"anyOf": [{"minLength": 1}, {"type": "null"}]}),
            "all",
            None,
            2,
        ),
        (
            json!({"anyOf": [{"type": "string", "minLength": 1}]}),
            "string",
            None,
            0,
        ),
        (
            json!({"anyOf": [{"type": "string"}], "type": ["string", "null"]}),
            "string",
            None,
            0,
        ),
        (
            json!({"anyOf": [{"anyOf": [{"minLength": 1}, {"minimum": 1}]}, {"anyOf": [{"type": "null"}, {"minItems": 1}]}]}),
            "all",
            None,
            4,
        ),
        (
            json!({"oneOf": [{"anyOf": [{"minLength": 1}, {"minimum": 1}]}, {"type": "null"}]}),
            "all",
            None,
            2,
        ),
        (
            json!({"anyOf": [false, {"minLength": 1}, {"minimum": 2}]}),
            "all",
            None,
            2,
        ),
    ];
    for (schema, types, literals, count) in cases {
        let compiled = compile(&schema);
        let outline = compiled.outline();
        let found = (kinds(outline), outline.branches().len());
        assert_eq!(found, (types.to_owned(), count), "{schema}");
        if let Some(literals) = literals {
            assert_eq!(compiled.expected(), literals, "{schema}");
        }
    }
    let nested = compile(
        &json!({"items": {"$ref": "#/$defs/u"}, "$defs": {"u": {"anyOf": [
        {"type": "string", "minLength": 1}, {"type": "array", "items": {"$ref": "#/$defs/u"}}]}}}),
    );
    let items = nested.outline().items().expect("a list");
    assert_eq!(items.branches().len(), 2);
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
        assert_eq!(tag(compiled.outline()), wanted, "{schema}");
    }
    // The tag may be in a part of a branch, and null is not a branch with a tag.
    let schema = compile(&json!({"$defs": pets, "anyOf": [
        {"allOf": [{"$ref": "#/$defs/Cat"}, {"properties": {"n": {"type": "integer"}}}]},
        {"$ref": "#/$defs/Dog"}, {"type": "null"}]}));
    assert_eq!(
        tag(schema.outline()),
        own(&[("cat", 0), ("dog", 1), ("hound", 1)], false)
    );
    // A nullable union with a discriminator keeps it.
    let schema = compile(&union(
        json!({"nullable": true, "discriminator": {"propertyName": "kind"}}),
        &["Cat", "Dog"],
    ));
    let inner = schema.outline().branches().next().expect("a branch");
    assert_eq!(
        tag(inner),
        own(&[("cat", 0), ("dog", 1), ("hound", 1)], true)
    );
}
