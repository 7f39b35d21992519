//! Random schemas with values that satisfy them, as people ask models for.

use llmjson_testutil::table::{Lines, lines};
use serde_json::{Map, Value, json};

use llmjson_testutil::Rng;

/// The rows of the tests.
const FILE: &str = include_str!("spec.txt");

/// A schema and a value of it.
pub(crate) struct Sample {
    pub(crate) schema: Value,
    pub(crate) value: Value,
}

/// The layout of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Members that are scalars or lists of some.
    Flat,
    /// Objects and lists of objects in it.
    Deep,
    /// A list of objects of scalars, or an object with one.
    Rows,
    /// A list of scalars.
    Items,
    /// A scalar that is no text.
    Scalar,
}

static NAMES: Lines = Lines::new(|| lines(FILE, "names"));

const LISTS: &[&str] = &[
    "tags",
    "skills",
    "keywords",
    "ingredients",
    "languages",
    "steps",
];

const OBJECTS: &[&str] = &["address", "contact", "manager", "shipping_details"];

const ROWS: &[&str] = &["items", "line_items", "employees", "orders"];

static TEXTS: Lines = Lines::new(|| lines(FILE, "texts"));

/// Texts that stand in lists whose items are parted by commas.
static WORDS: Lines = Lines::new(|| lines(FILE, "words"));

const CHOICES: &[&[&str]] = &[
    &["low", "medium", "high"],
    &["in_progress", "done", "on_hold"],
    &["positive", "negative", "neutral"],
];

fn scalar(rng: &mut Rng) -> (Value, Value) {
    match rng.below(10) {
        0..=4 => (json!({"type": "string"}), json!(rng.pick(&TEXTS))),
        5 | 6 => (
            json!({"type": "integer"}),
            json!(rng.pick(&[0, 7, 42, -3, 65536, 1234])),
        ),
        7 => (
            json!({"type": "number"}),
            json!(rng.pick(&[0.5, 19.99, -2.75, 1234.5])),
        ),
        8 => (json!({"type": "boolean"}), json!(rng.chance(50))),
        _ => {
            let all = rng.pick(CHOICES);
            (json!({"type": "string", "enum": all}), json!(rng.pick(all)))
        }
    }
}

fn list(rng: &mut Rng) -> (Value, Value) {
    let numbers = rng.chance(20);
    let items = (0..rng.between(1, 4)).map(|at| match numbers {
        true => json!(3 + at * 5),
        false => json!(WORDS[(at * 3 + rng.below(2)) % WORDS.len()]),
    });
    let kind = if numbers { "integer" } else { "string" };
    (
        json!({"type": "array", "items": {"type": kind}}),
        items.collect(),
    )
}

/// An object of scalars whose names begin at a random place.
fn record(
    rng: &mut Rng,
    least: usize,
    most: usize,
) -> (Map<String, Value>, Map<String, Value>, Vec<Value>) {
    let (mut properties, mut value, mut required) = (Map::new(), Map::new(), Vec::new());
    let (first, step) = (rng.below(NAMES.len()), rng.pick(&[1, 3, 7, 9]));
    for at in 0..rng.between(least, most) {
        let name = NAMES[(first + at * step) % NAMES.len()];
        let (schema, one) = scalar(rng);
        properties.insert(name.to_owned(), schema);
        if rng.chance(75) || at < 2 {
            required.push(json!(name));
            value.insert(name.to_owned(), one);
        } else if rng.chance(50) {
            value.insert(name.to_owned(), one);
        }
    }
    (properties, value, required)
}

fn object(properties: Map<String, Value>, required: Vec<Value>) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

/// Rows of one schema, of which each has all members.
fn rows(rng: &mut Rng) -> (Value, Value) {
    let (properties, _, _) = record(rng, 2, 5);
    let names: Vec<Value> = properties.keys().map(|name| json!(name)).collect();
    let items = (0..rng.between(1, 4)).map(|_| {
        let members = properties
            .iter()
            .map(|(name, schema)| (name.clone(), value_of(schema, rng)));
        Value::Object(members.collect())
    });
    let items: Value = items.collect();
    (
        json!({"type": "array", "items": object(properties, names)}),
        items,
    )
}

fn value_of(schema: &Value, rng: &mut Rng) -> Value {
    if let Some(all) = schema["enum"].as_array() {
        return all[rng.below(all.len())].clone();
    }
    match schema["type"].as_str() {
        Some("integer") => json!(rng.pick(&[1, 12, 300, -4])),
        Some("number") => json!(rng.pick(&[0.25, 3.5, 99.99])),
        Some("boolean") => json!(rng.chance(50)),
        _ => json!(rng.pick(&TEXTS)),
    }
}

pub(crate) fn sample(layout: Layout, rng: &mut Rng) -> Sample {
    let (schema, value) = match layout {
        Layout::Rows if rng.chance(50) => rows(rng),
        Layout::Items => list(rng),
        Layout::Scalar => loop {
            let (schema, value) = scalar(rng);
            if schema["type"] != "string" || schema["enum"].is_array() {
                break (schema, value);
            }
        },
        _ => {
            let (mut properties, mut value, mut required) = match layout {
                Layout::Rows => (Map::new(), Map::new(), Vec::new()),
                _ => record(rng, 2, 6),
            };
            let mut put = |name: &str, (schema, one): (Value, Value)| {
                properties.insert(name.to_owned(), schema);
                value.insert(name.to_owned(), one);
                required.push(json!(name));
            };
            if layout != Layout::Rows && rng.chance(60) {
                put(rng.pick(LISTS), list(rng));
            }
            if layout == Layout::Deep {
                if rng.chance(70) {
                    let (inner, one, names) = record(rng, 2, 4);
                    put(
                        rng.pick(OBJECTS),
                        (object(inner, names), Value::Object(one)),
                    );
                }
                if rng.chance(60) {
                    put(rng.pick(ROWS), rows(rng));
                }
            }
            if layout == Layout::Rows {
                put(rng.pick(ROWS), rows(rng));
            }
            (object(properties, required), Value::Object(value))
        }
    };
    Sample { schema, value }
}
