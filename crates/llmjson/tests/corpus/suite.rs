//! The conformance suite: `corpus/suite.jsonl` is exported from the cases, and the library agrees with it, except for the
//! failures that `corpus/known.txt` lists.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use llmjson::Schema;
use serde_json::{Value, json};

use crate::cases::{self, Case};

/// Longer replies test limits, not rules.
const REPLY_MAX: usize = 4_000;

/// The class and the rule of the cases in a file of a verdict's folder.
#[rustfmt::skip]
const RULES: &[(&str, &str, &str)] = &[
    ("truncation", "R6", "cut_escape unclosed_string code strings brackets_in_strings"),
    ("truncation", "R8", "cut_member"), ("truncation", "R9", "cut_number"), ("truncation", "R10", "cut_keyword"),
    ("truncation", "R11", "containers unclosed_array unclosed_object"),
    ("escapes", "R14", "control_character"), ("escapes", "R15", "invalid_escape escaped_space"),
    ("escapes", "R17", "raw_escape earlier_escape control_escape"), ("escapes", "R19", "lone_surrogate"),
    ("escapes", "R20", "escaped_document unescaped_json"),
    ("quotes", "R22", "inner_quote csv_quotes"), ("quotes", "R23", "other_quotes mismatched_quotes"),
    ("quotes", "R24", "missing_quote"), ("quotes", "R26", "unquoted_key unquoted_string"),
    ("quotes", "R27", "doubled_quote joined_strings"),
    ("separators", "R30", "extra_comma"), ("separators", "R31", "missing_comma"), ("separators", "R32", "missing_colon"),
    ("separators", "R33", "odd_separator odd_space"), ("separators", "R34", "missing_closer wrong_closer"),
    ("separators", "R28", "missing_opener missing_braces bracketed_members"), ("separators", "R29", "unbracketed_list"),
    ("separators", "R35", "extra_closer extra_opener"),
    ("separators", "R36", "comment"), ("separators", "R37", "ellipsis"), ("separators", "R38", "missing_value"),
    ("separators", "R39", "stray_text dropped_value"),
    ("literals", "R40", "other_keyword short_keyword"), ("literals", "R41", "tuple set"),
    ("literals", "R42", "not_a_number undefined"), ("literals", "R43", "other_number number_as_text"),
    ("literals", "R44", "grouped_digits"), ("literals", "R45", "wrapper"),
    ("surroundings", "R46", "surrounding_text"), ("surroundings", "R47", "code_fence"),
    ("surroundings", "R48", "reasoning_block thought_value thoughts"),
    ("surroundings", "R49", "chosen_value correction other_value"), ("surroundings", "R50", "several_values joined_parts"),
    ("surroundings", "R51", "brackets empty prose repeated_schema"), ("surroundings", "R52", "template_token"),
    ("surroundings", "R54", "line_prefixes html_entities transport_encoding"), ("surroundings", "R56", "notation"),
    ("valid", "R4", "duplicate_key"),
];

/// Returns the class and the rule of a case, or `None` if no rule is about it. A case that names its rule is about that
/// one, not about its file's.
fn rule_of(case: &Case) -> Option<(&str, &str)> {
    let (class, rule) = match case.verdict()[..] {
        ["field", class] => (class, case.get("rule").expect("a rule")),
        ["coerced", kind] if kind != "coercions_capped" => ("schema", "R91"),
        ["unchanged", "strings"] => ("valid", "R2"),
        ["unchanged", "numbers"] => ("valid", "R3"),
        ["unchanged", _] => ("valid", "R1"),
        ["no_value", "code"] => ("surroundings", "R51"),
        ["repaired" | "truncated" | "noted" | "no_value", file] => RULES
            .iter()
            .find(|(.., files)| files.split(' ').any(|one| one == file))
            .map(|(class, rule, _)| (*class, *rule))?,
        _ => return None,
    };
    Some((class, case.get("rule").unwrap_or(rule)))
}

/// Returns what the report of a case has to state, by its outcome.
fn reports(outcome: &str) -> Vec<&'static str> {
    let has = |line: &str| {
        outcome
            .lines()
            .any(|one| one.trim_start().starts_with(line))
    };
    [
        ("truncated", has("complete: false") && !has("value: none")),
        ("repaired", has("repairs:")),
        ("chosen", has("chosen_value")),
        ("converted", has("coercions:")),
    ]
    .into_iter()
    .filter_map(|(name, is_stated)| is_stated.then_some(name))
    .collect()
}

/// Returns the line of a case in the suite.
fn exported(case: &Case) -> Option<String> {
    let (class, rule) = rule_of(case)?;
    let reply = case.get("reply").expect("a reply");
    if reply.len() > REPLY_MAX || case.get("policy").is_some() {
        return None;
    }
    let text = |text: &str| Value::from(text).to_string();
    let mut line = format!(
        "{{\"id\":{},\"class\":{},\"rule\":{},\"input\":{}",
        text(&case.name()),
        text(class),
        text(rule),
        text(reply)
    );
    if let Some(schema) = case.get("schema") {
        line += &format!(
            ",\"schema\":{}",
            Schema::from_text(schema).ok().map(|_| compact(schema))?
        );
    }
    let outcome = case.get("outcome").unwrap_or_default();
    if case.get("schema").is_some() && outcome.contains("\nfailure: ") {
        // The best value of a reply without a conforming one is a matter of taste.
        return None;
    }
    let value = outcome
        .lines()
        .find_map(|line| line.strip_prefix("value: "));
    let expected = case.get("expected").or(value)?;
    if expected != "none" {
        line += &format!(",\"expected\":{}", compact(expected));
    }
    if let Some(accept) = case.get("accept") {
        line += &format!(",\"accept\":[{}]", accept.replace('\n', ","));
    }
    let reports = match case.get("reports") {
        Some(reports) => reports.split(' ').collect(),
        None => reports(outcome),
    };
    line += &format!(",\"reports\":{}}}\n", json!(reports));
    // The numbers of a few cases are out of range in most languages.
    serde_json::from_str::<Value>(&line).ok()?;
    // Some tools take these for the ends of lines.
    let separators = [
        '\u{85}', '\u{2028}', '\u{2029}', '\u{1c}', '\u{1d}', '\u{1e}',
    ];
    let escaped = |c: char| format!("\\u{:04x}", u32::from(c));
    Some(
        separators
            .iter()
            .fold(line, |line, &one| line.replace(one, &escaped(one))),
    )
}

/// Returns JSON in one line, with its numbers and members as written.
fn compact(text: &str) -> String {
    llmjson::parse(text, None).to_json().expect("JSON")
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

fn suite() -> Vec<Value> {
    let text = fs::read_to_string(corpus().join("suite.jsonl")).expect("the suite");
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    lines.collect()
}

#[test]
fn the_suite_is_exported() {
    let files = cases::read_all();
    let lines: String = files
        .iter()
        .flat_map(|file| &file.cases)
        .filter_map(exported)
        .collect();
    let path = corpus().join("suite.jsonl");
    let is_set = |name| std::env::var_os(name).is_some();
    if is_set("UPDATE_SNAPSHOTS") || is_set("INSTA_UPDATE") {
        fs::write(&path, &lines).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == lines,
        "corpus/export writes it"
    );
}

/// Returns why a case fails, or `None` if the library agrees with it.
fn failure(case: &Value) -> Option<String> {
    let schema = case
        .get("schema")
        .map(|schema| Schema::compile(schema).expect("a schema"));
    let parsed = llmjson::parse(case["input"].as_str().expect("a reply"), schema.as_ref());
    let value: Option<Value> = parsed
        .to_json()
        .map(|json| serde_json::from_str(&json).expect("JSON"));
    let accepted = case["accept"].as_array().into_iter().flatten();
    let is_right = match case.get("expected") {
        Some(expected) => accepted
            .chain([expected])
            .any(|one| Some(one) == value.as_ref()),
        None => value.is_none(),
    };
    if !is_right {
        return Some(format!("value {}", value.unwrap_or_default()));
    }
    let kinds = || parsed.repairs().iter().map(|one| one.kind.name());
    let is_stated = |report: &str| match report {
        "truncated" => !parsed.is_complete(),
        "repaired" => kinds().next().is_some(),
        "chosen" => kinds().any(|kind| kind == "chosen_value"),
        "converted" => !parsed.coercions().is_empty(),
        _ => panic!("there is no report {report}"),
    };
    let reports: Vec<_> = case["reports"]
        .as_array()
        .expect("reports")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let missing = reports.iter().find(|report| !is_stated(report));
    let truncated = value.is_some() && !parsed.is_complete() && !reports.contains(&"truncated");
    missing
        .map(|report| format!("not {report}"))
        .or(truncated.then(|| "truncated".to_owned()))
}

#[test]
fn the_library_conforms_to_the_suite() {
    let known = fs::read_to_string(corpus().join("known.txt")).expect("the known failures");
    let known: BTreeSet<_> = known
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(": "))
        .map(|(id, _)| id)
        .collect();
    let cases = suite();
    let failures: BTreeMap<_, _> = cases
        .iter()
        .filter_map(|case| Some((case["id"].as_str()?, failure(case)?)))
        .collect();
    let new: Vec<_> = failures
        .iter()
        .filter(|(id, _)| !known.contains(*id))
        .collect();
    assert!(new.is_empty(), "these fail: {new:#?}");
    let fixed: Vec<_> = known
        .iter()
        .filter(|id| !failures.contains_key(*id))
        .collect();
    assert!(fixed.is_empty(), "these no longer fail: {fixed:#?}");
}
