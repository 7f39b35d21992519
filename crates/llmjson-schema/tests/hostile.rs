//! Values and schemas that are made to cost time or stack.

use llmjson_testutil::table::lines;
use std::thread;
use std::time::{Duration, Instant};

use llmjson_schema::{Schema, Undeclared, laws};

/// The rows of the tests.
const FILE: &str = include_str!("hostile.txt");

/// Far more than any case takes, even unoptimised on a busy machine, and far less than anything
/// quadratic or worse would.
const PATIENCE: Duration = Duration::from_secs(60);

const LIST: &str = r##"{"$ref": "#/$defs/node", "$defs": {"node": {"type": "object",
    "properties": {"value": {"type": "integer"}, "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}},
    "required": ["value", "next"]}}}"##;

/// Branches share the names of their members; `op` tells them apart.
const TREE: &str = r##"{"$ref": "#/$defs/node", "$defs": {
    "node": {"anyOf": [{"$ref": "#/$defs/add"}, {"$ref": "#/$defs/mul"}, {"$ref": "#/$defs/leaf"}]},
    "add": {"type": "object", "properties": {"op": {"const": "add"}, "left": {"$ref": "#/$defs/node"},
            "right": {"$ref": "#/$defs/node"}}, "required": ["op", "left", "right"]},
    "mul": {"type": "object", "properties": {"op": {"const": "mul"}, "left": {"$ref": "#/$defs/node"},
            "right": {"$ref": "#/$defs/node"}}, "required": ["op", "left", "right"]},
    "leaf": {"type": "object", "properties": {"op": {"const": "leaf"}, "value": {"type": "number"}},
             "required": ["op", "value"]}}}"##;

/// No tag: every level has to try both branches.
const UNTAGGED: &str = r##"{"$ref": "#/$defs/node", "$defs": {
    "node": {"oneOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, {"type": "integer"}]},
    "a": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "x": {"type": "string"}},
          "required": ["next", "x"]},
    "b": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "x": {"type": "number"}},
          "required": ["next", "x"]}}}"##;

fn nested(open: &str, core: &str, close: &str, depth: usize) -> String {
    format!("{}{core}{}", open.repeat(depth), close.repeat(depth))
}

/// Paths and expectations, and the time they took, on a thread with little stack.
fn run(schema: &str, value: String) -> Vec<(usize, String)> {
    let schema = Schema::from_text(schema).unwrap_or_else(|error| panic!("{error}: {schema}"));
    let work = move || {
        let document = llmjson_syntax::parse(&value);
        let root = document.root().expect("a value");
        let start = Instant::now();
        let violations = schema.violations(root, Undeclared::Keep);
        assert_eq!(schema.is_valid(root), violations.is_empty());
        assert!(schema.violations(root, Undeclared::Reject).len() >= violations.len());
        assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
        violations
            .into_iter()
            .map(|v| (v.path.steps().len(), v.expected.into()))
            .collect()
    };
    let thread = thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(work)
        .expect("a thread");
    thread.join().expect("no panic")
}

#[test]
fn a_nullable_list_is_followed_to_its_end() {
    for depth in [1, 20, 500] {
        let open = r#"{"value":1,"next":"#;
        assert_eq!(run(LIST, nested(open, "null", "}", depth)), []);
        let wrong = r#"{"value":"x","next":null}"#;
        let found = run(LIST, nested(open, wrong, "}", depth - 1));
        assert_eq!(found, [(depth, "integer".to_owned())]);
    }
}

#[test]
fn a_wrong_leaf_of_a_tagged_tree_is_the_only_violation() {
    let open = r#"{"op":"add","left":{"op":"leaf","value":1},"right":"#;
    for depth in [2, 50, 500] {
        let found = run(
            TREE,
            nested(open, r#"{"op":"leaf","value":"x"}"#, "}", depth),
        );
        assert_eq!(found, [(depth + 1, "number".to_owned())]);
        let found = run(TREE, nested(open, r#"{"op":"sub"}"#, "}", depth));
        assert_eq!(found, [(depth + 1, r#""add" | "mul" | "leaf""#.to_owned())]);
    }
}

#[test]
fn unions_without_a_tag_stay_linear() {
    for depth in [3, 50, 500] {
        let open = r#"{"x":1,"next":"#;
        assert_eq!(run(UNTAGGED, nested(open, "1", "}", depth)), []);
        let found = run(UNTAGGED, nested(open, "true", "}", depth));
        assert!(!found.is_empty());
    }
}

#[test]
fn a_schema_of_itself_takes_any_depth() {
    let schema = r##"{"type": "array", "items": {"$ref": "#"}}"##;
    assert_eq!(run(schema, nested("[", "", "]", 511)), []);
    assert_eq!(run(schema, nested("[", "1", "]", 500))[0].0, 500);
}

#[test]
fn conditions_within_conditions_stay_linear() {
    let schema = r##"{"properties": {"next": {"$ref": "#"}}, "if": {"properties": {"next": {"$ref": "#"}}},
        "then": {"properties": {"next": {"$ref": "#"}}}, "else": {"not": {"properties": {"next": {"$ref": "#"}}}},
        "not": {"not": {"properties": {"next": {"$ref": "#"}, "x": {"type": "null"}}}}}"##;
    for depth in [3, 50, 500] {
        let open = r#"{"next":"#;
        assert_eq!(run(schema, nested(open, "1", "}", depth)), []);
        let found = run(schema, nested(open, r#"{"x":1}"#, "}", depth));
        assert!(!found.is_empty());
    }
}

#[test]
fn what_a_condition_cannot_decide_is_not_valid() {
    let schema = r#"{"not": {"minimum": 5}}"#;
    let digits = "9".repeat(5_000);
    assert!(!run(schema, digits).is_empty());
}

#[test]
fn what_is_left_over_is_judged_at_any_depth() {
    let schema = r##"{"type": "array", "items": {"$ref": "#"}, "not": {"minItems": 2}}"##;
    assert_eq!(run(schema, nested("[", "", "]", 500)), []);
    assert_eq!(run(schema, nested("[", "[],[]", "]", 500)).len(), 1);
    let schema =
        r##"{"type": "array", "prefixItems": [{"$ref": "#"}], "unevaluatedItems": false}"##;
    assert_eq!(run(schema, nested("[", "", "]", 500)), []);
    assert_eq!(run(schema, nested("[", "[],[]", "]", 500)).len(), 1);
    // What is left over depends on branches, which ask the same of what is in them.
    let schema = r##"{"$ref": "#/$defs/n", "$defs": {"n": {
        "anyOf": [
            {"properties": {"a": {"$ref": "#/$defs/n"}}},
            {"properties": {"b": {"$ref": "#/$defs/n"}}},
            {"properties": {"a": {"$ref": "#/$defs/n"}}, "patternProperties": {"^x": true}}
        ],
        "unevaluatedProperties": false
    }}}"##;
    assert_eq!(run(schema, nested(r#"{"a":"#, "{}", "}", 400)), []);
    assert_eq!(run(schema, nested(r#"{"x1":1,"a":"#, "{}", "}", 400)), []);
    let found = run(schema, nested(r#"{"a":"#, r#"{"c":1}"#, "}", 400));
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn every_one_of_many_violations_is_reported() {
    let value = format!("[{}]", vec![r#""x""#; 100_000].join(","));
    assert_eq!(
        run(r#"{"items": {"type": "integer"}}"#, value).len(),
        100_000
    );
    let members: Vec<String> = (0..50_000).map(|at| format!("\"m{at}\":1")).collect();
    let value = format!("{{{}}}", members.join(","));
    assert_eq!(
        run(r#"{"additionalProperties": false}"#, value).len(),
        50_000
    );
}

#[test]
fn patterns_take_bounded_time() {
    let text = format!("\"{}!\"", "a".repeat(100_000));
    assert_eq!(run(r#"{"pattern": "^(a+)+$"}"#, text.clone()).len(), 1);
    assert_eq!(run(r#"{"pattern": "^(?=a)(a+)+$"}"#, text).len(), 1);
}

/// Patterns with lookaround, each step of which may go over the whole text.
#[test]
fn patterns_that_run_out_of_steps_are_named() {
    for pattern in ["(?=(a+)+$)^", "(?=a*b)c"] {
        let schema = format!(r#"{{"items": {{"pattern": "{pattern}"}}}}"#);
        let schema = Schema::from_text(&schema).expect("a schema");
        for length in [5_000, 50_000] {
            let text = format!("[\"{}!\"]", "a".repeat(length));
            let document = llmjson_syntax::parse(&text);
            let root = document.root().expect("a value");
            let start = Instant::now();
            let violations = schema.violations(root, Undeclared::Keep);
            assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
            assert_eq!(violations.len(), 1);
            assert_eq!(violations[0].keyword, "pattern_steps", "{pattern}");
            let hint = violations[0].description.as_deref().unwrap_or_default();
            assert!(hint.contains("steps"), "{hint}");
        }
    }
    let schema = r#"{"pattern": "^(?=.*[0-9])(?!.*\\s).{4,}$"}"#;
    assert_eq!(run(schema, r#""secret1""#.to_owned()), []);
    let long = format!("\"{}1\"", "x".repeat(90_000));
    assert_eq!(run(schema, long), []);
}

#[test]
fn repetition_in_long_lists_is_found_quickly() {
    let mut items: Vec<String> = (0..100_000)
        .map(|at| format!("{{\"id\":[{at}]}}"))
        .collect();
    let schema = r#"{"uniqueItems": true}"#;
    assert_eq!(run(schema, format!("[{}]", items.join(","))), []);
    items.push(r#"{"id":[77.0]}"#.to_owned());
    assert_eq!(run(schema, format!("[{}]", items.join(","))).len(), 1);
}

#[test]
fn the_walker_agrees_with_jsonschema_on_small_values() {
    let schemas = [
        LIST,
        TREE,
        UNTAGGED,
        r#"{"oneOf": [{"type": "integer"}, {"minimum": 2}]}"#,
        r#"{"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {"a": {"type": "string"}}}"#,
        r#"{"allOf": [{"properties": {"a": {"minimum": 1}}}, {"required": ["b"]}], "additionalProperties": {"type": "null"}}"#,
        r#"{"enum": [1, "a", [1, {"b": 1.0}], null]}"#,
        r#"{"type": ["integer", "string"], "multipleOf": 0.5, "minLength": 1}"#,
        r#"{"patternProperties": {"^a": {"type": "string"}, "b$": {"minLength": 2}}, "additionalProperties": false}"#,
        r#"{"prefixItems": [{"type": "integer"}], "items": {"type": "string"}, "uniqueItems": true}"#,
        r#"{"if": {"type": "object"}, "then": {"required": ["a"]}, "else": {"not": {"const": 1}}}"#,
        "false",
        r#"{"properties": {"a": false}, "minProperties": 1, "maxProperties": 2}"#,
    ];

    for schema in schemas {
        let schema = Schema::from_text(schema).unwrap_or_else(|error| panic!("{error}: {schema}"));
        for value in lines(FILE, "the walker agrees with jsonschema on small values") {
            let document = llmjson_syntax::parse(value);
            let root = document.root().expect("a value");
            laws::verdicts_agree(&schema, root);
            laws::violations_say_why(&schema, root);
            laws::quick_looks_are_right(value, &schema);
        }
    }
}
