//! Values with items and members that do not conform, which are left out on request, and beside them
//! what has to stay because it is required.

use llmjson_schema::{CoerceOptions, Schema, Undeclared, coerce, drop_invalid};
use llmjson_syntax::parse;
use serde_json::{Value, json};

use llmjson_testutil::Rng;
use llmjson_testutil::setting;

fn schema() -> Value {
    let row = json!({
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "share": {"type": "number", "maximum": 1},
            "state": {"enum": ["open", "closed"]},
            "days": {"type": "array", "items": {"type": "string", "format": "date"}}
        },
        "required": ["id"]
    });
    json!({
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "count": {"type": "integer"},
            "rows": {"type": "array", "items": row}
        },
        "required": ["title", "count", "rows"]
    })
}

/// What no coercion makes fit.
fn no_number(rng: &mut Rng) -> Value {
    rng.pick(&[
        || json!("many"),
        || json!({"a": {}}),
        || json!([[1], [2]]),
        || json!("5 apples"),
    ])()
}

/// A row with what is to go, and the row without.
fn row(rng: &mut Rng) -> (Value, Value) {
    let id = rng.below(100);
    let mut whole = json!({"id": id});
    let mut left = whole.clone();
    let mut put = |name: &str, value: Value, rest: Option<Value>| {
        whole[name] = value;
        if let Some(rest) = rest {
            left[name] = rest;
        }
    };
    match rng.below(4) {
        0 => put("share", json!(7), None),
        1 => put("share", json!(0.5), Some(json!(0.5))),
        _ => {}
    }
    match rng.below(4) {
        0 => put("state", json!("not open"), None),
        1 => put("state", json!("closed"), Some(json!("closed"))),
        _ => {}
    }
    match rng.below(4) {
        0 => put(
            "days",
            json!(["2026-03-05", "May", "2026-03-06"]),
            Some(json!(["2026-03-05", "2026-03-06"])),
        ),
        1 => put("days", json!({"x": {}}), None),
        _ => {}
    }
    (whole, left)
}

/// What is left of a text's value, and how many violations.
fn left_of(text: &str, schema: &Schema) -> (Value, usize) {
    let mut document = parse(text);
    coerce(&mut document, schema, &CoerceOptions::default());
    let root = document.root().expect("a value");
    let violations = schema.violations(root, Undeclared::Keep);
    let (_, left) = drop_invalid(&mut document, schema, Undeclared::Keep, violations, 1000);
    let json = document.to_json().expect("a value");
    let value = serde_json::from_str(&json).expect("JSON");
    (value, left.len())
}

/// The text of a value, perhaps damaged in one other way.
fn written(value: &Value, rng: &mut Rng, damaged: bool) -> String {
    let text = value.to_string();
    let open = text.strip_suffix('}').expect("an object");
    match (damaged, rng.below(3)) {
        (false, _) => text,
        (_, 0) => format!("{open},}}"),
        (_, 1) => format!("```json\n{text}\n```"),
        _ => text.replacen("\"title\"", "title", 1),
    }
}

#[test]
fn what_does_not_conform_goes_and_nothing_else() {
    let compiled = Schema::compile(&schema()).expect("a schema");
    let documents = setting("LLMJSON_SHAPING_DOCS", 200);
    let (mut right, mut read, mut first) = ([0; 2], 0, String::new());
    for seed in 0..documents as u64 {
        let mut rng = Rng::new(seed + 6_000_000);
        let (mut rows, mut truth) = (Vec::new(), Vec::new());
        for _ in 0..rng.between(1, 6) {
            if rng.chance(25) {
                rows.push(json!({"id": no_number(&mut rng)}));
            }
            let (whole, left) = row(&mut rng);
            rows.push(whole);
            truth.push(left);
        }
        let mut value = json!({"title": "a", "count": 3, "rows": rows});
        let truth = json!({"title": "a", "count": 3, "rows": truth});
        for damaged in [false, true] {
            let text = written(&value, &mut rng, damaged);
            let (found, left) = left_of(&text, &compiled);
            let is_right = left == 0 && found == truth;
            right[usize::from(damaged)] += usize::from(is_right);
            if !is_right && first.len() < 2000 {
                first.push_str(&format!("{text}\n  became {found}\n  not {truth}\n"));
            }
        }
        // The counterpart: a required member that is wrong leaves the value as wrong as it was.
        match rng.chance(50) {
            true => value["count"] = no_number(&mut rng),
            false => {
                value.as_object_mut().expect("an object").remove("title");
            }
        }
        let (_, left) = left_of(&value.to_string(), &compiled);
        read += usize::from(left == 0);
    }
    let enough = |right: usize| right * 100 >= documents * 97;
    let good = right.into_iter().all(enough) && read * 1000 <= documents * 5;
    assert!(
        good,
        "{right:?} of {documents} right, {read} counterparts conform\n{first}"
    );
}
