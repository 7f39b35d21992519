//! The truth: a value as a plain tree, made at random, and read back from a document to compare.

use llmjson::syntax::{Kind, ValueRef};

use crate::texts;
use llmjson_testutil::Rng;

pub(crate) use llmjson_testutil::Tree as Value;

/// Returns the value that a document holds.
pub(crate) fn read(value: ValueRef<'_>) -> Value {
    match value.kind() {
        Kind::Null => Value::Null,
        Kind::Bool => Value::Bool(value.as_bool() == Some(true)),
        Kind::Number => Value::Number(value.as_number().unwrap_or_default().to_owned()),
        Kind::String => Value::Text(value.as_str().unwrap_or_default().into_owned()),
        Kind::Array => Value::Array(value.items().map(read).collect()),
        Kind::Object => {
            let members = value.members();
            let members = members.map(|(name, value)| (name.into_owned(), read(value)));
            Value::Object(members.collect())
        }
    }
}

/// An object, or now and then a list of objects: what replies usually hold.
pub(crate) fn document(rng: &mut Rng) -> Value {
    let depth = rng.between(1, 4);
    if rng.chance(25) {
        let count = rng.between(2, 4);
        return records(rng, depth, count);
    }
    let count = rng.between(2, 7);
    object(rng, depth, count)
}

fn object(rng: &mut Rng, depth: usize, count: usize) -> Value {
    let mut names: Vec<String> = Vec::new();
    for _ in 0..count {
        let name = texts::name(rng, &names);
        names.push(name);
    }
    Value::Object(
        names
            .into_iter()
            .map(|name| (name, value(rng, depth)))
            .collect(),
    )
}

fn value(rng: &mut Rng, depth: usize) -> Value {
    if depth == 0 || rng.chance(65) {
        return scalar(rng);
    }
    match rng.below(10) {
        0..=3 => {
            let count = rng.below(5);
            object(rng, depth - 1, count)
        }
        4..=5 => {
            let count = rng.between(1, 3);
            records(rng, depth - 1, count)
        }
        6..=7 => Value::Array(
            (0..rng.below(6))
                .map(|_| Value::Text(texts::text(rng)))
                .collect(),
        ),
        _ => Value::Array((0..rng.below(6)).map(|_| value(rng, depth - 1)).collect()),
    }
}

/// Objects with the same names.
fn records(rng: &mut Rng, depth: usize, count: usize) -> Value {
    let width = rng.between(2, 4);
    let Value::Object(first) = object(rng, depth, width) else {
        unreachable!("an object was asked for");
    };
    let record = |rng: &mut Rng| {
        let members = first
            .iter()
            .map(|(name, _)| (name.clone(), value(rng, depth)));
        Value::Object(members.collect())
    };
    Value::Array((0..count).map(|_| record(rng)).collect())
}

fn scalar(rng: &mut Rng) -> Value {
    match rng.below(10) {
        0..=5 => Value::Text(texts::text(rng)),
        6..=7 => Value::Number(texts::number(rng)),
        8 => Value::Bool(rng.chance(50)),
        _ if rng.pick(&[true, false]) => Value::Bool(true),
        _ => Value::Null,
    }
}
