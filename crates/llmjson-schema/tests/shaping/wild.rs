//! Schemas of any keywords and values of any kind, and the laws for them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use llmjson_schema::{CoerceOptions, Schema, coerce, laws};
use llmjson_syntax::parse;

use llmjson_testutil::{Rng, Tree as Json};

/// What holds for any value and schema.
pub(crate) fn laws_hold(text: &str, schema: &Schema) {
    let document = parse(text);
    let root = document.root().expect("a value");
    laws::verdicts_agree(schema, root);
    laws::violations_say_why(schema, root);
    laws::quick_looks_are_right(text, schema);
    laws::fitting_is_both(text, schema);
    laws::coercion_is_idempotent(text, schema);
    let valid = schema.is_valid(root);
    let mut after = parse(text);
    coerce(&mut after, schema, &CoerceOptions::default());
    let root = after.root().expect("a value");
    let stays = !valid || schema.is_valid(root);
    assert!(stays, "{text} was valid before it became {root:?}");
}

/// A schema of any keywords. Some are contradictory, and some allow everything.
fn schema(rng: &mut Rng, depth: usize) -> Json {
    if rng.chance(5) {
        return Json::Bool(rng.chance(80));
    }
    let mut json = Json::object([]);
    let mut add = |name: &str, value: Json| {
        if let Json::Object(members) = &mut json
            && !members.iter().any(|(known, _)| known == name)
        {
            members.push((name.to_owned(), value));
        }
    };
    if rng.chance(60) {
        add("type", types(rng));
    }
    for _ in 0..rng.below(4) {
        let (name, value) = match rng.below(if depth == 0 { 12 } else { 24 }) {
            0 => ("minimum", number(rng)),
            1 => ("exclusiveMaximum", number(rng)),
            2 => ("multipleOf", Json::number(rng.pick(&["1", "2", "0.5"]))),
            3 => ("minLength", Json::number(rng.below(3))),
            4 => ("maxLength", Json::number(rng.below(4))),
            5 => (
                "pattern",
                Json::text(rng.pick(&["^a", "b$", "^\\d+$", "."])),
            ),
            6 => ("format", Json::text(rng.pick(&["date", "email", "other"]))),
            7 => ("minItems", Json::number(rng.below(3))),
            8 => ("maxProperties", Json::number(rng.below(3))),
            9 => ("uniqueItems", Json::Bool(true)),
            10 => ("enum", Json::Array((0..3).map(|_| value(rng, 1)).collect())),
            11 => ("const", value(rng, 1)),
            12 => ("items", schema(rng, depth - 1)),
            13 => ("prefixItems", schemas(rng, depth - 1)),
            14..=16 => ("properties", members(rng, depth - 1, NAMES)),
            17 => ("required", Json::texts([rng.pick(NAMES)])),
            18 => ("additionalProperties", schema(rng, depth - 1)),
            19 => ("patternProperties", members(rng, depth - 1, &["^a", "b$"])),
            20 => ("anyOf", schemas(rng, depth - 1)),
            21 => ("oneOf", schemas(rng, depth - 1)),
            22 => ("allOf", schemas(rng, depth - 1)),
            _ if rng.chance(50) => ("$ref", Json::text("#/$defs/node")),
            _ => match rng.below(4) {
                0 => ("not", schema(rng, depth - 1)),
                1 => ("contains", schema(rng, depth - 1)),
                2 => ("propertyNames", schema(rng, 0)),
                _ => ("if", schema(rng, depth - 1)),
            },
        };
        add(name, value);
    }
    json
}

const NAMES: &[&str] = &["a", "b", "first_name", "kind"];

/// Names that lead to those above and such that do not.
const OTHERS: &[&str] = &["A", "firstName", "Kind", "x", "arguments", "ab"];

const TYPES: &[&str] = &[
    "null", "boolean", "integer", "number", "string", "array", "object",
];

fn types(rng: &mut Rng) -> Json {
    if rng.chance(70) {
        return Json::text(rng.pick(TYPES));
    }
    let first = rng.below(TYPES.len());
    let second = (first + rng.between(1, TYPES.len() - 1)) % TYPES.len();
    Json::texts([TYPES[first], TYPES[second]])
}

fn schemas(rng: &mut Rng, depth: usize) -> Json {
    Json::Array((0..rng.between(1, 3)).map(|_| schema(rng, depth)).collect())
}

fn members(rng: &mut Rng, depth: usize, names: &[&str]) -> Json {
    let mut json = Json::object([]);
    for name in names {
        if rng.chance(60) {
            json.push(name, schema(rng, depth));
        }
    }
    json
}

fn number(rng: &mut Rng) -> Json {
    Json::number(rng.pick(&["0", "1", "2", "-1", "1.5", "3.0", "1e2"]))
}

/// Any value, of few names and texts so that it now and then fits.
fn value(rng: &mut Rng, depth: usize) -> Json {
    const TEXTS: &[&str] = &[
        "a",
        "ab",
        "",
        "A",
        "42",
        "1.0",
        "true",
        "yes",
        "null",
        "n",
        "1,234",
        "2024-01-02",
        "[1]",
        "{\"a\":1}",
        "[\"a\"",
        "\"a\"",
        "{\"arguments\":{\"a\":\"1\"}}",
    ];
    match rng.below(if depth == 0 { 7 } else { 12 }) {
        0 => Json::Null,
        1 => Json::Bool(rng.chance(50)),
        2..=3 => number(rng),
        4..=6 => Json::text(rng.pick(TEXTS)),
        7..=8 => Json::Array((0..rng.below(3)).map(|_| value(rng, depth - 1)).collect()),
        _ => {
            let mut json = Json::object([]);
            for name in NAMES.iter().chain(OTHERS) {
                if rng.chance(25) {
                    json.push(name, value(rng, depth - 1));
                }
            }
            json
        }
    }
}

/// A schema with a definition, which may lead back to itself.
fn whole(rng: &mut Rng) -> String {
    let mut json = match schema(rng, 3) {
        Json::Object(members) => Json::Object(members),
        truth => return truth.write(),
    };
    json.push("$defs", Json::object([("node", schema(rng, 2))]));
    json.write()
}

#[test]
fn laws_hold_for_any_schema_and_value() {
    let (mut used, mut broken) = (0, Vec::new());
    for seed in 0..llmjson_testutil::setting("LLMJSON_SHAPING_DOCS", 100) as u64 * 20 {
        let mut rng = Rng::new(seed + 4_000_000);
        let text = whole(&mut rng);
        // Some of them ask about the same value without end, which is refused.
        let Ok(schema) = Schema::from_text(&text) else {
            continue;
        };
        used += 1;
        for _ in 0..8 {
            let value = value(&mut rng, 3).write();
            let laws = AssertUnwindSafe(|| laws_hold(&value, &schema));
            if catch_unwind(laws).is_err() {
                broken.push(format!("{value} and {text}"));
            }
        }
    }
    broken.sort_by_key(String::len);
    broken.truncate(5);
    assert!(broken.is_empty(), "laws are broken for {broken:#?}");
    assert!(used > 500, "only {used} schemas could be used");
}
