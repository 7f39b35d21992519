//! Calls as many families write them, where such data is at hand: `formats.jsonl` in the folder that
//! `LLMJSON_VECTORS` names.

use llmjson_testutil::table::{Lines, lines};
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use llmjson::syntax::Class;
use llmjson::tools::{Registry, TextCalls, calls_in};
use serde_json::Value;

/// The rows of the tests.
const FILE: &str = include_str!("text_calls_vectors.txt");

/// How many of the rows of named families have to come out right.
const NAMED_MIN: f64 = 0.92;

/// The same of all rows.
const ALL_MIN: f64 = 0.80;

/// In how many of the texts without calls none may be missing.
const NONE_MIN: f64 = 0.99;

/// How many may be wrong where every call is certain.
const WRONG_MAX: f64 = 0.02;

/// Rows whose expectation rests on tools that the row does not name.
const OF_OTHER_TOOLS: &[&str] = &["fmt-636"];

/// Parts of the names of families that have to be found.
static NAMED: Lines = Lines::new(|| lines(FILE, "named"));

#[derive(Default)]
struct Score {
    right: usize,
    all: usize,
}

impl Score {
    fn add(&mut self, right: bool) {
        self.all += 1;
        self.right += usize::from(right);
    }

    fn share(&self) -> f64 {
        self.right as f64 / self.all.max(1) as f64
    }
}

#[test]
fn rows_come_out_as_their_makers_expect() {
    let Some(rows) = rows() else {
        tell("skipped: there is no formats.jsonl; LLMJSON_VECTORS may name its folder");
        return;
    };
    let registry = Registry::builder().build().unwrap();
    let (mut all, mut named) = (Score::default(), Score::default());
    let (mut none, mut certain) = (Score::default(), Score::default());
    let mut wrong = Vec::new();
    for row in &rows {
        let (family, text) = (
            row["family"].as_str().unwrap(),
            row["input"].as_str().unwrap(),
        );
        let found = calls_in(text, &registry);
        if row["n_calls"] == 0 {
            // A note says that a call may be found all the same.
            let is_of_others = OF_OTHER_TOOLS.iter().any(|id| row["id"] == *id);
            if !row["note"].is_null() || is_of_others {
                continue;
            }
            none.add(whole(&found).is_empty());
        }
        if row["full"] != true {
            continue;
        }
        let is_right = whole(&found) == expected(row);
        all.add(is_right);
        if NAMED.iter().any(|name| family.contains(name)) {
            named.add(is_right);
        }
        let calls = found.calls();
        let is_sure = calls.iter().all(|call| call.certainty() == Class::Certain);
        certain.add(is_right || calls.is_empty() || !is_sure);
        if !is_right {
            wrong.push(row["id"].as_str().unwrap_or_default().to_owned());
        }
    }
    let shares = [&named, &all, &none, &certain].map(Score::share);
    tell(&format!(
        "named families, all, none where there is none, not wrong and certain: {shares:.3?}; \
         not as expected: {wrong:?}"
    ));
    let wanted = [NAMED_MIN, ALL_MIN, NONE_MIN, 1.0 - WRONG_MAX];
    let held = shares
        .iter()
        .zip(wanted)
        .all(|(share, wanted)| *share >= wanted);
    assert!(held, "{shares:?} instead of {wanted:?}");
}

/// The names and arguments of the calls that are whole.
fn whole(found: &TextCalls) -> Vec<(Value, Value)> {
    let calls = found.calls().iter().filter(|call| call.is_complete());
    let call = |call: &llmjson::tools::TextCall| {
        let arguments = serde_json::from_str(call.arguments());
        (
            call.name().into(),
            arguments.unwrap_or(call.arguments().into()),
        )
    };
    calls.map(call).collect()
}

fn expected(row: &Value) -> Vec<(Value, Value)> {
    let calls = row["expected_calls"].as_array().into_iter().flatten();
    let call = |call: &Value| (call["name"].clone(), call["arguments"].clone());
    calls.map(call).collect()
}

fn rows() -> Option<Vec<Value>> {
    let folder = PathBuf::from(std::env::var_os("LLMJSON_VECTORS")?);
    let lines = fs::read_to_string(folder.join("formats.jsonl")).ok()?;
    let rows = lines.lines().filter(|line| !line.trim().is_empty());
    let rows = rows.map(|line| serde_json::from_str(line).unwrap());
    Some(rows.collect())
}

/// Says something that is seen though the test passes.
fn tell(what: &str) {
    let line = format!("{what}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}
