//! Replies that people wrote as models and people write them, of kinds that the readers were not made from; and texts of many
//! kinds under the same schemas that are none.

use std::collections::HashMap;

use llmjson::Schema;
use llmjson::syntax::Class;
use llmjson_testutil::{Tally, setting, tell};
use serde_json::Value;

use crate::{came, no_values, value_of};

/// Replies: a line `@@@ kind: schema`, the text, a line `@@@ =` and the value.
const TEXTS: &str = include_str!("written/texts.txt");
const MORE: &str = include_str!("written/more.txt");
const NEGATIVES: &str = include_str!("written/negatives.txt");
const SCHEMAS: &str = include_str!("written/schemas.txt");

fn schemas() -> HashMap<&'static str, Schema> {
    let lines = SCHEMAS.lines().filter_map(|line| line.split_once(' '));
    crate::schemas(lines.map(|(name, text)| [name, text]))
}

/// The heads and texts of a file.
fn cases(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let cases = ("\n".to_owned() + file).leak().split("\n@@@ ").skip(1);
    cases.map(|case| case.split_once('\n').expect("a head"))
}

/// The texts of all files.
pub(crate) fn texts() -> impl Iterator<Item = &'static str> {
    let texts = cases(TEXTS)
        .chain(cases(MORE))
        .filter(|(head, _)| *head != "=");
    texts.chain(cases(NEGATIVES)).map(|(_, text)| text)
}

/// Numbers of the same size are the same.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let same = |(name, value): (&String, &Value)| {
                other.get(name).is_some_and(|other| is_same(value, other))
            };
            one.len() == other.len() && one.iter().all(same)
        }
        _ => one == other,
    }
}

#[test]
fn written_replies_are_read() {
    let schemas = schemas();
    let all: Vec<_> = cases(TEXTS).chain(cases(MORE)).collect();
    let mut tally = Tally::default();
    for [(head, text), (_, truth)] in all.as_chunks().0 {
        let (_, name) = head.rsplit_once(": ").expect("a schema");
        let parsed = llmjson::parse(text, Some(&schemas[name]));
        let value = value_of(&parsed);
        let truth: Value = serde_json::from_str(truth).expect("a value");
        let is_right = value.as_ref().is_some_and(|value| is_same(value, &truth));
        let is_silent = value.is_some() && parsed.certainty() < Class::Guess;
        tally.add(is_right, is_silent, || {
            format!("--- {head}\n{text}\n  truth {truth}\n{}", came(&parsed))
        });
    }
    let failures = tally.shortest(setting("LLMJSON_NOTATIONS_SHOW", 0));
    let summary = tally.row("written replies") + &failures;
    tell(&summary);
    assert!(
        tally.is_right_in(900) && tally.is_silent_in(20),
        "{summary}"
    );
}

#[test]
fn written_texts_of_other_kinds_give_no_value() {
    let (schemas, texts): (_, Vec<_>) = (schemas(), cases(NEGATIVES).collect());
    no_values(schemas.iter().map(|(name, schema)| (*name, schema)), &texts);
}
