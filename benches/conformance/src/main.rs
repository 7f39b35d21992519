//! Peers in Rust over the suite: `llmjson-conformance SUITE PEER START` prints a line for each case from a position on, with
//! the peer, the id, nanoseconds, and the value or the error. Without a peer, it prints their names. An adapter is at most
//! 20 lines.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use llmjson::{Schema, syntax::Class};
use serde_json::Value;

const ROUNDS: usize = 3;

/// The text of a value, whose numbers keep their digits, or an error.
type Answer = Result<String, String>;
type Read = fn(&str, Option<&Schema>) -> Answer;

const PEERS: &[(&str, Read)] = &[
    ("llmjson", |text, schema| ours(text, schema, Class::Guess)),
    ("llmjson, no guesses", |text, schema| {
        ours(text, schema, Class::Likely)
    }),
    ("llm_json", |text, _| {
        printed(llm_json::loads(text, &Default::default()))
    }),
    ("jsonrepair-rs", |text, _| {
        let fixed = jsonrepair_rs::jsonrepair(text).map_err(shown)?;
        printed(serde_json::from_str(&fixed))
    }),
    ("jsonrepair (Rust)", |text, _| {
        printed(jsonrepair::loads(text, &Default::default()))
    }),
    ("partial-json-fixer", |text, _| {
        printed(serde_json::from_str(&partial_json_fixer::fix_json(text)))
    }),
];

fn ours(text: &str, schema: Option<&Schema>, least: Class) -> Answer {
    let parsed = llmjson::parse(text, schema);
    let value = parsed.to_json().ok_or("no value")?;
    if schema.is_some() && !parsed.conforms() {
        return Err("the value does not conform".to_owned());
    }
    if parsed.certainty() > least {
        return Err("a guess".to_owned());
    }
    Ok(value)
}

/// Returns the text of a value.
fn printed<E: std::fmt::Display>(value: Result<Value, E>) -> Answer {
    value.map(|value| value.to_string()).map_err(shown)
}

fn shown(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, name, start] = &arguments[..] else {
        PEERS.iter().for_each(|(name, _)| println!("{name}"));
        return;
    };
    let peer = PEERS.iter().find(|(one, _)| one == name);
    let (peer, read) = peer.expect("the name of a peer");
    let start = start.parse().expect("a position");
    let suite = std::fs::read_to_string(path).expect("the suite");
    std::panic::set_hook(Box::new(|_| {}));
    for line in suite.lines().skip(start) {
        let case: Value = serde_json::from_str(line).expect("JSON");
        println!("{}", asked(peer, *read, &case));
    }
}

/// Returns the line of a peer's answer to a case.
fn asked(peer: &str, read: Read, case: &Value) -> String {
    let schema = case
        .get("schema")
        .map(|one| Schema::compile(one).expect("a schema"));
    let input = case["input"].as_str().expect("a reply");
    let (mut answer, mut least) = (Err(String::new()), u128::MAX);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let given = catch_unwind(AssertUnwindSafe(|| read(input, schema.as_ref())));
        least = least.min(start.elapsed().as_nanos());
        answer = given.unwrap_or_else(|_| Err("a panic".to_owned()));
    }
    let (member, answer) = match answer {
        Ok(value) => ("value", value),
        Err(error) => ("error", Value::from(error).to_string()),
    };
    let (peer, id) = (Value::from(peer), &case["id"]);
    format!(r#"{{"peer":{peer},"id":{id},"ns":{least},"{member}":{answer}}}"#)
}
