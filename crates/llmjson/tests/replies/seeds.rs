//! Rows of data for the numbered requirements that the presets `shape` and `conservative` and the binding
//! of tools meet, where such data is at hand: in the folder that `LLMJSON_VECTORS` names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use llmjson::compat::conservative::{clean, recover, regions};
use llmjson::compat::shape::Kind;
use llmjson::tools::{BindReport, Contract, Layer, MatchingMode, Tool};
use llmjson::{
    Parsed, Policy, Schema,
    policy::{Handling, Undeclared},
    syntax::Limits,
};
use serde_json::Value;

#[test]
fn every_row_comes_out_as_asked() {
    let Some(rows) = rows() else {
        tell("skipped: there is no seeds.jsonl; LLMJSON_VECTORS may name its folder");
        return;
    };
    let mut failed = Vec::new();
    let mut passed = BTreeMap::new();
    for row in &rows {
        let outcome = match text(row, "profile") {
            "shape" => shape(row),
            "cleaner" => same(clean(text(row, "input")), text(row, "expected_text")),
            "extract" => extract(row),
            "scanner" => scanner(row),
            "conservative" => conservative(row),
            "bind" => bind(row),
            _ => continue,
        };
        match outcome {
            Ok(()) => *passed.entry(&text(row, "id")[..1]).or_insert(0) += 1,
            Err(why) => failed.push(format!("{}: {why}", text(row, "id"))),
        }
    }
    tell(&format!(
        "rows that came out as asked, by letter: {passed:?}"
    ));
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Says something that is seen though the test passes.
fn tell(what: &str) {
    let line = format!("{what}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

fn rows() -> Option<Vec<Value>> {
    let folder = PathBuf::from(std::env::var_os("LLMJSON_VECTORS")?);
    let lines = fs::read_to_string(folder.join("seeds.jsonl")).ok()?;
    let rows = lines.lines().filter(|line| !line.trim().is_empty());
    Some(
        rows.map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

fn shape(row: &Value) -> Result<(), String> {
    let depth = row["depth"].as_u64().unwrap_or(1) as u32;
    let policy = Policy::shape().with_reach(1, depth);
    let schema = schema(row);
    let parsed = policy.parse(text(row, "input"), Some(&schema));
    let repairs: Vec<_> = parsed
        .coercions()
        .iter()
        .map(|one| Kind::of(one.kind).map_or(one.kind.name(), Kind::as_str))
        .map(Value::from)
        .collect();
    if row.get("expected_error").is_some() {
        // The error is about what was written, not about what became of it.
        let refused = !parsed.conforms() && repairs.is_empty();
        return if refused {
            Ok(())
        } else {
            Err(format!("accepted: {parsed:?}"))
        };
    }
    same_value(&parsed, &row["expected"])?;
    same(&Value::Array(repairs), &row["repairs"])
}

fn extract(row: &Value) -> Result<(), String> {
    let input = text(row, "input");
    let offset = row["offset"].as_u64().unwrap() as usize;
    let found = regions(input).into_iter().find(|at| at.start >= offset);
    let start = found.as_ref().map(|at| at.start as u64);
    same(&start, &row["expected_start"].as_u64())?;
    same(&found.map(|at| &input[at]), &row["expected_text"].as_str())
}

fn scanner(row: &Value) -> Result<(), String> {
    match (recover(text(row, "input")), row.get("expected")) {
        (None, None) => Ok(()),
        (Some(document), Some(expected)) => {
            let json = document.to_json().unwrap();
            same(&serde_json::from_str::<Value>(&json).unwrap(), expected)
        }
        (found, _) => Err(format!("{found:?}")),
    }
}

fn conservative(row: &Value) -> Result<(), String> {
    let mut policy = Policy::conservative();
    if let Some(limit) = row.get("max_input_bytes").and_then(Value::as_u64) {
        policy = policy.with_limits(Limits::DEFAULT.with_input_bytes(limit as u32));
    }
    if row.get("recover_truncated_strings") == Some(&Value::Bool(true)) {
        policy = policy.with_recovered_strings(Handling::Accept);
    }
    let schema = schema(row);
    let parsed = policy.parse(text(row, "input"), Some(&schema));
    if let Some(error) = row.get("expected_error").and_then(Value::as_str) {
        let (code, place) = error.split_once(' ').unwrap_or((error, ""));
        let Err(failure) = parsed.into_result() else {
            return Err("accepted".to_owned());
        };
        same(&failure.code(), &code)?;
        let places = failure.violations().iter().map(|one| one.path.to_pointer());
        return if place.is_empty() || places.into_iter().any(|at| at == place) {
            Ok(())
        } else {
            Err(format!("nothing at {place}: {failure}"))
        };
    }
    if !parsed.conforms() {
        return Err(format!("refused: {parsed:?}"));
    }
    if let Some(repairs) = row.get("repairs") {
        let kinds = parsed.coercions().iter().map(|one| one.kind.name().into());
        same(&Value::Array(kinds.collect()), repairs)?;
    }
    same_value(&parsed, &row["expected"])
}

fn bind(row: &Value) -> Result<(), String> {
    let mut tool = Tool::new("tool", "A tool.");
    if row.get("mode").and_then(Value::as_str) == Some("exact") {
        tool = tool.with_matching(MatchingMode::Exact);
    }
    if row.get("unknown").and_then(Value::as_str) == Some("ignore") {
        tool = tool.with_undeclared(Undeclared::Drop);
    }
    let contract = Contract::new(tool, &row["schema"]).map_err(|error| error.to_string())?;
    let report = contract.report(text(row, "input"));
    match row.get("expected_error").and_then(Value::as_str) {
        Some(error) => has_issue(&report, error)?,
        None => {
            same(report.issues(), &[])?;
            let found: Value = serde_json::from_str(&report.canonical_arguments()).unwrap();
            same(&found, &row["expected"])?;
        }
    }
    let fields = report.fields();
    let members = row.get("layers").and_then(Value::as_object);
    for (name, layer) in members.into_iter().flatten() {
        let place = Some(format!("$input.{name}"));
        let entry = fields.iter().find(|one| shown(&one.field_path) == place);
        let found = entry.and_then(|entry| entry.layer).map(Layer::name);
        same(&found, &layer.as_str())?;
    }
    for name in row
        .get("ignored")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let place = name.as_str().map(|name| format!("$input.{name}"));
        let entry = fields.iter().find(|one| shown(&one.input_path) == place);
        let found = entry.and_then(|entry| entry.layer);
        same(&found, &Some(Layer::IgnoredField))?;
    }
    let number = |name: &str, found: usize| match row.get(name).and_then(Value::as_u64) {
        Some(wanted) => same(&(found as u64), &wanted),
        None => Ok(()),
    };
    number("issue_count", report.issues().len())?;
    number("entry_count", fields.len())?;
    match row.get("has_repairs").and_then(Value::as_bool) {
        Some(wanted) => same(&report.has_repairs(), &wanted),
        None => Ok(()),
    }
}

fn shown(path: &Option<llmjson::report::Path>) -> Option<String> {
    path.as_ref().map(ToString::to_string)
}

/// `code place`, the place a name, a pointer or several names, and then perhaps candidates in brackets or
/// `suggest` and a name.
fn has_issue(report: &BindReport, wanted: &str) -> Result<(), String> {
    let mut words = wanted.split(' ');
    let code = words.next().unwrap();
    let place = words.next().unwrap_or_default();
    let (place, mut candidates) = match place.contains('|') {
        true => ("", place.split('|').collect()),
        false => (place.trim_start_matches('/'), Vec::new()),
    };
    let last = words.next_back().unwrap_or_default();
    if !last.is_empty() {
        let names = last.trim_matches(['[', ']']);
        candidates = names.split(',').collect();
    }
    let found = report.issues().iter().any(|issue| {
        let pointer = issue.path.to_pointer();
        issue.code.name() == code
            && pointer.trim_start_matches('/') == place
            // A `Value` keeps no order of members.
            && (candidates.is_empty() || sorted(&issue.candidates) == sorted(&candidates))
    });
    if found {
        Ok(())
    } else {
        Err(format!("{:?} instead of {wanted}", report.issues()))
    }
}

fn sorted(names: &[impl AsRef<str>]) -> BTreeSet<&str> {
    names.iter().map(AsRef::as_ref).collect()
}

fn text<'r>(row: &'r Value, name: &str) -> &'r str {
    row[name].as_str().unwrap()
}

/// The schema of a row, with its table of aliases written into it.
fn schema(row: &Value) -> Schema {
    let mut schema = row["schema"].clone();
    for (name, aliases) in row
        .get("aliases")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        schema["properties"][name]["x-aliases"] = aliases.clone();
    }
    Schema::compile(&schema).unwrap()
}

fn same_value(parsed: &Parsed<'_>, expected: &Value) -> Result<(), String> {
    let json = parsed.to_json().ok_or("no value")?;
    let value: Value = serde_json::from_str(&json).unwrap();
    if parsed.conforms() {
        same(&value, expected)
    } else {
        Err(format!("refused: {parsed:?}"))
    }
}

fn same<T: PartialEq + std::fmt::Debug + ?Sized>(found: &T, expected: &T) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!("{found:?} instead of {expected:?}"))
    }
}
