//! Replies that people wrote as models and people write them, of kinds that the readers were not made from; and texts of many
//! kinds under the same schemas that are none.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;

use llmjson::syntax::{Class, RepairKind};
use llmjson::{Parsed, Schema};
use serde_json::Value;

/// Replies: a line `@@@ kind: schema`, the text, a line `@@@ =` and the value.
const TEXTS: &str = include_str!("written/texts.txt");
const MORE: &str = include_str!("written/more.txt");
const NEGATIVES: &str = include_str!("written/negatives.txt");
const SCHEMAS: &str = include_str!("written/schemas.txt");

fn schemas() -> HashMap<&'static str, Schema> {
    let lines = SCHEMAS.lines().filter_map(|line| line.split_once(' '));
    let compiled = lines.map(|(name, text)| {
        let schema = Schema::from_text(text);
        (
            name,
            schema.unwrap_or_else(|error| panic!("{name}: {error}")),
        )
    });
    compiled.collect()
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

fn value(parsed: &Parsed<'_>) -> Option<Value> {
    let json = parsed.to_json().filter(|_| parsed.conforms());
    json.and_then(|json| serde_json::from_str(&json).ok())
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
    let (mut right, mut silent, mut none, mut report) = (0, 0, 0, String::new());
    for [(head, text), (_, truth)] in all.as_chunks().0 {
        let (_, name) = head.rsplit_once(": ").expect("a schema");
        let schema = &schemas[name];
        let parsed = llmjson::parse(text, Some(schema));
        let came = value(&parsed);
        let truth: Value = serde_json::from_str(truth).expect("a value");
        if came.as_ref().is_some_and(|came| is_same(came, &truth)) {
            right += 1;
            continue;
        }
        let sure = came.is_some() && parsed.certainty() < Class::Guess;
        silent += usize::from(sure);
        none += usize::from(came.is_none());
        let records = parsed.repairs().iter().map(|one| one.kind.name());
        let records: Vec<_> = records.collect();
        let _ = writeln!(
            report,
            "--- {head}{}\n{text}\n  truth {truth}\n  came  {} {records:?} {:?}",
            if sure { " SILENT" } else { "" },
            parsed.to_json().unwrap_or_default(),
            parsed.certainty(),
        );
    }
    if std::env::var("LLMJSON_NOTATIONS_SHOW").is_ok() {
        std::io::stderr()
            .write_all(report.as_bytes())
            .expect("standard error can be written");
    }
    let count = all.len() / 2;
    let summary =
        format!("{right} of {count} right, {none} without a value, {silent} silently wrong");
    writeln!(std::io::stderr(), "{summary}").expect("standard error can be written");
    assert!(
        right * 100 >= count * 90 && silent * 50 <= count,
        "{report}\n{summary}"
    );
}

#[test]
fn written_texts_of_other_kinds_give_no_value() {
    let schemas = schemas();
    let (mut all, mut count, mut sure, mut report) = (0, 0, 0, String::new());
    for (kind, text) in cases(NEGATIVES) {
        for (name, schema) in &schemas {
            let parsed = llmjson::parse(text, Some(schema));
            all += 1;
            let records = parsed.repairs().iter();
            let mut records = records.filter(|one| one.kind == RepairKind::Notation);
            let Some(record) = records.next().filter(|_| parsed.conforms()) else {
                continue;
            };
            count += 1;
            sure += usize::from(record.class < Class::Guess);
            let json = parsed.to_json().unwrap_or_default();
            let _ = writeln!(report, "{kind}, {name}: {:?} {json}\n{text}", record.detail);
        }
    }
    assert!(
        count * 200 <= all && sure == 0,
        "{report}\n{count} of {all}, {sure} sure"
    );
}
