use std::time::{Duration, Instant};

use llmjson_syntax::{Limits, parse};
use serde_json::{Value, json};

use super::compile;
use crate::base::report::CoercionKind;
use crate::base::undeclared::Undeclared;
use crate::coerce::{CoerceOptions, coerce};
use crate::fit::fit;
use crate::schema::Schema;

/// A time limit far above linear work in a debug build, and far below anything else.
const PATIENCE: Duration = Duration::from_secs(20);

#[track_caller]
fn run(schema: &Value, text: &str) -> (usize, String) {
    let schema = compile(schema);
    let mut document = parse(text);
    let start = Instant::now();
    let made = coerce(&mut document, &schema, &CoerceOptions::default());
    assert!(start.elapsed() < PATIENCE, "took {:?}", start.elapsed());
    (made.len(), document.to_json().unwrap_or_default())
}

#[test]
fn depth_takes_no_call_stack() {
    let list = json!({
        "type": "object",
        "properties": {"n": {"type": "number"}, "next": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
        "required": ["n", "next"]
    });
    let mut text = "null".to_owned();
    for _ in 0..511 {
        text = format!(r#"{{"n":"1","next":{text}}}"#);
    }
    let (made, json) = run(&list, &text);
    assert_eq!(made, 511);
    assert_eq!(json, text.replace("\"1\"", "1"));
    let arrays = json!({"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"type": "number"}]});
    let deep = format!("{}\"1\"{}", "[".repeat(511), "]".repeat(511));
    assert_eq!(run(&arrays, &deep).0, 1);
}

/// An object where an array is expected may be its only item or the envelope around it.
#[test]
fn envelopes_within_envelopes_do_not_multiply() {
    let lists = json!({
        "type": "array",
        "items": {"type": "object", "properties": {"a": {"$ref": "#"}, "n": {"type": "number"}}, "required": ["n"]}
    });
    let mut text = "[]".to_owned();
    for _ in 0..120 {
        text = format!(r#"{{"a":[{{"a":{text},"n":"?"}}]}}"#);
    }
    run(&lists, &text);
    let nested = json!({"type": "array", "items": {"anyOf": [{"$ref": "#"}, {"type": "number"}]}});
    let mut text = "\"?\"".to_owned();
    for _ in 0..240 {
        text = format!(r#"{{"a":[{text}]}}"#);
    }
    run(&nested, &text);
    let objects = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#"}, "n": {"type": "number"}},
        "required": ["n"]
    });
    let mut text = "{}".to_owned();
    for _ in 0..240 {
        text = format!(r#"{{"b":{{"a":{text},"n":"?"}}}}"#);
    }
    run(&objects, &text);
}

#[test]
fn failing_unions_within_unions_do_not_multiply() {
    let tree = json!({
        "anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, {"$ref": "#/$defs/c"}],
        "$defs": {
            "a": {"type": "object", "properties": {"t": {"$ref": "#"}, "x": {"type": "number"}}, "required": ["t"]},
            "b": {"type": "object", "properties": {"t": {"$ref": "#"}, "x": {"type": "boolean"}}, "required": ["t"]},
            "c": {"type": "array", "items": {"$ref": "#"}}
        }
    });
    let mut text = "\"leaf\"".to_owned();
    for _ in 0..500 {
        text = format!(r#"{{"t":{text},"x":"?"}}"#);
    }
    assert_eq!(run(&tree, &text).0, 0);
    let text = text.replace("\"?\"", "\"1\"").replace("\"leaf\"", "[]");
    assert_eq!(run(&tree, &text).0, 500);
}

/// Reads a value of `levels` levels and returns the number of steps.
fn steps(schema: &Schema, open: &str, core: &str, levels: usize) -> usize {
    let text = format!("{}{core}{}", open.repeat(levels), "}".repeat(levels));
    let mut document = parse(&text);
    let options = CoerceOptions::default();
    crate::steps::of(|| {
        let (coercions, violations) = fit(&mut document, schema, &options, Undeclared::Keep);
        let found = coercions.len() + violations.len();
        assert_eq!(found, 1, "{coercions:?} {violations:?}");
        let path = match coercions.first() {
            Some(coercion) => &coercion.path,
            None => &violations[0].path,
        };
        assert!(path.steps().len() >= levels, "it is at the leaf: {path}");
    })
}

#[test]
fn one_wrong_leaf_costs_in_proportion_to_the_value() {
    let list = compile(&json!({"$ref": "#/$defs/node", "$defs": {"node": {
        "type": "object",
        "properties": {"value": {"type": "integer"}, "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}},
        "required": ["value", "next"]
    }}}));
    let operation = |name: &str| {
        json!({"type": "object", "properties": {
        "op": {"const": name}, "left": {"$ref": "#/$defs/node"}, "right": {"$ref": "#/$defs/node"}
    }, "required": ["op", "left", "right"]})
    };
    let tree = compile(&json!({"$ref": "#/$defs/node", "$defs": {
        "node": {"anyOf": [{"$ref": "#/$defs/add"}, {"$ref": "#/$defs/mul"}, {"$ref": "#/$defs/leaf"}]},
        "add": operation("add"), "mul": operation("mul"),
        "leaf": {"type": "object", "properties": {"op": {"const": "leaf"}, "value": {"type": "number"}}, "required": ["op", "value"]}
    }}));
    let branch = r#"{"op":"mul","left":{"op":"leaf","value":1},"right":"#;
    let cases = [
        (
            &list,
            r#"{"value":1,"next":"#,
            r#"{"value":"x","next":null}"#,
            499,
        ),
        (
            &list,
            r#"{"value":1,"next":"#,
            r#"{"value":"7","next":null}"#,
            499,
        ),
        (&tree, branch, r#"{"op":"leaf","value":"x"}"#, 200),
        (&tree, branch, r#"{"op":"leaf","value":"7"}"#, 200),
        (&tree, branch, r#"{"op":"lief","value":7}"#, 200),
    ];
    for (schema, open, core, levels) in cases {
        let (half, whole) = (
            steps(schema, open, core, levels / 2),
            steps(schema, open, core, levels),
        );
        // Twice the levels need at most twice the questions, and few per level.
        assert!(whole <= 2 * half + 100, "{half} and {whole} for {core}");
        assert!(
            whole <= 40 * levels,
            "{whole} for {levels} levels and {core}"
        );
    }
}

#[test]
fn a_schema_that_leads_back_to_itself_ends() {
    let schema = json!({"anyOf": [
        {"type": "array", "items": {"$ref": "#"}}, {"type": "array", "items": {"type": "array", "items": {"$ref": "#"}}}
    ]});
    for text in ["1", "\"a\"", "{}", "[1]", "[[[]]]", "{\"a\":{\"a\":1}}"] {
        run(&schema, text);
    }
}

#[test]
fn many_members_and_items_are_walked_once() {
    let numbers: Vec<String> = (0..100_000)
        .map(|at| format!("\"k{at}\":\"{at}\""))
        .collect();
    let map = json!({"type": "object", "additionalProperties": {"type": "number"}});
    let (made, json) = run(&map, &format!("{{{}}}", numbers.join(",")));
    // The limit on records, and one record for the rest.
    assert_eq!(made, 10_001);
    assert!(json.ends_with("\"k99999\":99999}"));
    let silent = json!({"type": "object", "properties": {"K_1": {}, "k-2": {}}});
    let (made, _) = run(&silent, &format!("{{{}}}", numbers.join(",")));
    assert_eq!(made, 2);
    let items = format!("[{}]", vec!["\"1\""; 200_000].join(","));
    assert_eq!(
        run(
            &json!({"type": "array", "items": {"type": "integer"}}),
            &items
        )
        .0,
        10_001
    );
}

#[test]
fn a_text_is_parsed_once_for_all_branches() {
    let branches: Vec<Value> = (0..50)
        .map(|at| json!({"type": "object", "properties": {format!("p{at}"): {"type": "number"}}, "required": [format!("p{at}")]}))
        .collect();
    let inner = format!("{{\"p7\":\"1\",\"x\":[{}]}}", vec!["1"; 100_000].join(","));
    let text = serde_json::to_string(&inner).expect("a string");
    assert_eq!(run(&json!({"anyOf": branches}), &text).0, 2);
    let broken = serde_json::to_string(&"{\"a\":[1,".repeat(200)).expect("a string");
    run(&json!({"anyOf": branches}), &broken);
}

#[test]
fn limits_are_kept() {
    let schema = compile(&json!({"type": "array", "items": {"type": "number"}}));
    let limits = Limits::DEFAULT.with_records(2).with_depth(3);
    let options = CoerceOptions::default().with_limits(limits);
    let mut document = parse(r#"["1","2","3","4"]"#);
    let made = coerce(&mut document, &schema, &options);
    let kinds: Vec<_> = made.iter().map(|made| made.kind).collect();
    let number = CoercionKind::TextToNumber;
    assert_eq!(kinds, [number, number, CoercionKind::RecordsCapped]);
    assert_eq!(document.to_json().as_deref(), Some("[1,2,3,4]"));
    let any = compile(&json!({"type": "array"}));
    let mut document = parse(r#""[[[[1]]]]""#);
    assert!(coerce(&mut document, &any, &options).is_empty());
}
