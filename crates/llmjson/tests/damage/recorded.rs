//! Texts that models wrote and the values they stand for, where such data is at hand: in the folder
//! that `LLMJSON_VECTORS` names.

use std::fs;
use std::path::PathBuf;

use llmjson::Schema;
use serde_json::Value;

use crate::measure::Classes;

/// Suites of rows with an input and the value that is expected.
const SUITES: [&str; 7] = [
    "issues",
    "issue_reports",
    "jsonrepair",
    "json_repair",
    "baml",
    "cassette_text",
    "typia_parse",
];

/// How often each class is wrong over the rows of all suites, with the certain ones among the wrong.
pub(crate) fn measure() -> Option<(Classes, String)> {
    let folder = PathBuf::from(std::env::var_os("LLMJSON_VECTORS")?);
    let (mut classes, mut wrong) = (Classes::default(), String::new());
    for suite in SUITES {
        let lines = fs::read_to_string(folder.join(format!("{suite}.jsonl"))).ok()?;
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            let row: Value = serde_json::from_str(line).expect("a row is JSON");
            let (Some(input), Some(expected)) = (row["input"].as_str(), row.get("expected")) else {
                continue;
            };
            if row["opt_in"] == true {
                continue;
            }
            let schema = match &row["schema"] {
                Value::Null => None,
                schema => Some(Schema::compile(schema).expect("the schema of a row compiles")),
            };
            let parsed = llmjson::parse(input, schema.as_ref());
            let Some(text) = parsed.to_json().filter(|_| parsed.conforms()) else {
                continue;
            };
            let Ok(value) = serde_json::from_str(&text) else {
                continue;
            };
            let accepted = row["accept"].as_array().into_iter().flatten();
            let right = row["expect_fail"] != true
                && accepted.chain([expected]).any(|other| same(&value, other));
            if !right {
                let (class, id) = (parsed.certainty(), &row["id"]);
                wrong += &format!("{class} {id}\n  {input:?}\n  {expected}\n  {value}\n");
            }
            classes.add(parsed.certainty(), right);
        }
    }
    Some((classes, wrong))
}

/// The same value; `1` and `1.0` are, and texts with other white space around them, which some
/// projects take off.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) => one.trim() == other.trim(),
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let found = |(name, value)| other.get(name).is_some_and(|other| same(value, other));
            one.len() == other.len() && one.iter().all(found)
        }
        _ => one == other,
    }
}
