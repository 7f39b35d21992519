//! Recorded texts served as chat completions: the same calls and values as the library finds in them, whole and streamed.
//!
//! They lie in the directory that `LLMJSON_VECTORS` names; without them the tests say so and pass.

mod support;

use std::collections::BTreeSet;
use std::path::PathBuf;

use llmjson::tools::{CallReader, Registry, ToolList};
use llmjson::{Policy, Schema};
use llmjson_gateway::{Outcome, Report, Treatment};
use llmjson_wire::Response;
use serde_json::{Value, json};
use support::{
    accumulated, calls_of, content_of, is_same, pieces, reply_of, stream_of, streamed, tell, whole,
};

/// Bytes of the pieces in which texts are streamed.
const LENGTHS: [usize; 3] = [1, 7, 100];

fn rows(file: &str) -> Vec<Value> {
    let root = std::env::var_os("LLMJSON_VECTORS").map(PathBuf::from);
    let text = root.and_then(|root| std::fs::read_to_string(root.join(file)).ok());
    let Some(text) = text else {
        tell(&format!(
            "skipped: LLMJSON_VECTORS names no directory with {file}"
        ));
        return Vec::new();
    };
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// The functions that a row names.
fn names_of(row: &Value) -> BTreeSet<String> {
    let calls = row["expected_calls"].as_array().into_iter().flatten();
    let called = calls.filter_map(|call| call["name"].as_str());
    let named = row["tools_named"].as_array().into_iter().flatten();
    let named = named.filter_map(Value::as_str);
    called
        .chain(named)
        .map(str::to_owned)
        .filter(|name| !name.is_empty())
        .collect()
}

/// Returns `true` if a stream ends with an error, since it contradicts the expected text or that is not JSON.
fn ends_with_error(report: &Report, expected: &str) -> bool {
    let is_open = || serde_json::from_str::<Value>(expected).is_err();
    match report.outcome() {
        Outcome::Superseded => true,
        Outcome::Failed => is_open(),
        _ => false,
    }
}

#[test]
fn calls_in_texts_are_those_of_the_library() {
    let (mut texts, mut calls, mut streams, mut superseded) = (0, 0, 0, 0);
    let (mut failed, mut began) = (Vec::new(), BTreeSet::new());
    for row in rows("formats.jsonl") {
        let (Some(text), names) = (row["input"].as_str(), names_of(&row)) else {
            continue;
        };
        if names.is_empty() {
            continue;
        }
        let tools: Vec<Value> = names
            .iter()
            .map(|name| json!({"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}))
            .collect();
        let list = ToolList::parse(&Value::from(tools.clone()).to_string()).unwrap();
        let list = list.with_each(|tool| tool.with_policy(Policy::tool()));
        let Ok(registry) = Registry::builder().register_tools(list).tolerant().build() else {
            continue;
        };
        let found = CallReader::new(&registry).read(text);
        let expected: Vec<(String, String)> = found
            .calls()
            .iter()
            .filter(|call| call.is_ok() && found.unsearched().is_none())
            .map(|call| (call.name().to_owned(), call.arguments().to_owned()))
            .collect();
        let request = json!({"model": "m", "messages": [], "tools": tools}).to_string();
        let treatment = Treatment::default();
        let reply = reply_of(json!({"role": "assistant", "content": text}), "stop");
        let (body, report) = whole(request.as_bytes(), &treatment, &reply);
        let response: Response = serde_json::from_slice(&body).unwrap();
        texts += 1;
        calls += expected.len();
        let id = row["id"].as_str().unwrap_or_default();
        if calls_of(&response) != expected {
            failed.push(format!(
                "{id} whole: {:?} for {expected:?}",
                calls_of(&response)
            ));
        }
        if expected.is_empty() && report.outcome() == Outcome::Unchanged && body != reply {
            failed.push(format!("{id} is not the same"));
        }
        for length in LENGTHS {
            let deltas = pieces(text, length)
                .into_iter()
                .map(|piece| json!({"content": piece}));
            let reply = stream_of(deltas, "stop");
            let (out, report) = streamed(request.as_bytes(), &treatment, &reply, 1000);
            let streamed = accumulated(&out);
            streams += 1;
            superseded += usize::from(report.outcome() == Outcome::Superseded);
            let got = calls_of(&streamed);
            let is_alike = got.len() == expected.len()
                && got
                    .iter()
                    .zip(&expected)
                    .all(|(got, one)| got.0 == one.0 && is_same(&got.1, &one.1));
            // The error of a stream that released a part of a call as text.
            if !is_alike && report.outcome() == Outcome::Superseded {
                began.insert(id.to_owned());
            } else if !is_alike {
                failed.push(format!(
                    "{id} in {length} ({:?}): {got:?} for {expected:?} in {text:?}",
                    report.outcome()
                ));
            } else if report.outcome() != Outcome::Superseded
                && content_of(&streamed).trim() != content_of(&response).trim()
            {
                let (one, other) = (content_of(&streamed), content_of(&response));
                failed.push(format!("{id} in {length}: content {one:?} for {other:?}"));
            }
        }
    }
    tell(&format!(
        "{texts} texts with {calls} calls, {streams} streams, {superseded} superseded, in which other calls began: {began:?}"
    ));
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn arguments_are_bound_as_the_library_does() {
    let (mut texts, mut kept, mut repaired, mut refused, mut superseded) = (0, 0, 0, 0, 0);
    let mut failed = Vec::new();
    for row in rows("cassette_args.jsonl") {
        let (Some(text), true) = (row["input"].as_str(), row["schema"].is_object()) else {
            continue;
        };
        let tools =
            json!([{"type": "function", "function": {"name": "f", "parameters": row["schema"]}}]);
        let list = ToolList::parse(&tools.to_string()).unwrap();
        let list = list.with_each(|tool| tool.with_policy(Policy::tool()));
        let registry = Registry::builder()
            .register_tools(list)
            .tolerant()
            .build()
            .unwrap();
        let request = json!({"model": "m", "messages": [], "tools": tools}).to_string();
        let treatment = Treatment::default();
        let call = json!([{"index": 0, "id": "c1", "type": "function", "function": {"name": "f", "arguments": text}}]);
        let reply = reply_of(
            json!({"role": "assistant", "content": null, "tool_calls": call}),
            "tool_calls",
        );
        let (body, report) = whole(request.as_bytes(), &treatment, &reply);
        let response: Response = serde_json::from_slice(&body).unwrap();
        let got = calls_of(&response);
        texts += 1;
        let id = row["id"].as_str().unwrap_or_default();
        let Ok(bound) = registry.report("f", text) else {
            assert_eq!(body, reply, "{id}: the schema cannot be used");
            continue;
        };
        let expected = match bound.is_ok() {
            true => bound.canonical_arguments(),
            false => text.to_owned(),
        };
        match report.outcome() {
            Outcome::Unchanged => {
                kept += 1;
                if body != reply {
                    failed.push(format!("{id} is not the same"));
                }
            }
            Outcome::Repaired => repaired += 1,
            _ => refused += 1,
        }
        if !is_same(&got[0].1, &expected) {
            failed.push(format!("{id} whole: {} for {expected}", got[0].1));
        }
        for length in LENGTHS {
            let name = json!({"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": {"name": "f", "arguments": ""}}]});
            let deltas = pieces(text, length).into_iter().map(
                |piece| json!({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}),
            );
            let reply = stream_of(std::iter::once(name).chain(deltas), "tool_calls");
            let (out, report) = streamed(request.as_bytes(), &treatment, &reply, 1000);
            let got = &calls_of(&accumulated(&out))[0].1;
            superseded += usize::from(report.outcome() == Outcome::Superseded);
            if report.outcome() == Outcome::Unchanged && out != reply {
                failed.push(format!("{id} in {length} is not the same"));
            }
            if !ends_with_error(&report, &expected) && !is_same(got, &expected) {
                failed.push(format!("{id} in {length}: {got} for {expected}"));
            }
        }
    }
    tell(&format!(
        "{texts} arguments: {kept} unchanged, {repaired} repaired, {refused} refused; {superseded} streams superseded"
    ));
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn structured_content_is_the_value_of_the_library() {
    let (mut texts, mut kept, mut repaired, mut refused, mut superseded) = (0, 0, 0, 0, 0);
    let mut failed = Vec::new();
    let rows = rows("cassette_text.jsonl")
        .into_iter()
        .chain(rows("model_replies.jsonl"));
    for row in rows {
        let (Some(text), Ok(schema)) = (row["input"].as_str(), Schema::compile(&row["schema"]))
        else {
            continue;
        };
        if !row["schema"].is_object() {
            continue;
        }
        let request = json!({"model": "m", "messages": [], "response_format":
            {"type": "json_schema", "json_schema": {"name": "x", "schema": row["schema"]}}});
        let request = request.to_string();
        let treatment = Treatment::default();
        let reply = reply_of(json!({"role": "assistant", "content": text}), "stop");
        let (body, report) = whole(request.as_bytes(), &treatment, &reply);
        let response: Response = serde_json::from_slice(&body).unwrap();
        let policy = Policy::tool().with_finish_reason(llmjson::policy::FinishReason::Stop);
        let parsed = policy.parse(text, Some(&schema));
        let expected = match parsed.conforms() && parsed.is_complete() {
            true => parsed.to_json().unwrap_or_default(),
            false => text.to_owned(),
        };
        texts += 1;
        let id = row["id"].as_str().unwrap_or_default();
        match report.outcome() {
            Outcome::Unchanged => kept += 1,
            Outcome::Repaired => repaired += 1,
            _ => refused += 1,
        }
        if report.outcome() == Outcome::Unchanged && body != reply {
            failed.push(format!("{id} is not the same"));
        }
        if !is_same(&content_of(&response), &expected) {
            failed.push(format!(
                "{id} whole: {} for {expected}",
                content_of(&response)
            ));
        }
        for length in LENGTHS {
            let deltas = pieces(text, length)
                .into_iter()
                .map(|piece| json!({"content": piece}));
            let reply = stream_of(deltas, "stop");
            let (out, report) = streamed(request.as_bytes(), &treatment, &reply, 1000);
            let got = content_of(&accumulated(&out));
            superseded += usize::from(report.outcome() == Outcome::Superseded);
            if report.outcome() == Outcome::Unchanged && out != reply {
                failed.push(format!("{id} in {length} is not the same"));
            }
            if !ends_with_error(&report, &expected) && !is_same(&got, &expected) {
                failed.push(format!(
                    "{id} in {length}: {got} for {expected} ({:?})",
                    report.outcome()
                ));
            }
        }
    }
    tell(&format!(
        "{texts} contents: {kept} unchanged, {repaired} repaired, {refused} refused; {superseded} streams superseded"
    ));
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn recorded_streams_keep_the_laws() {
    let root = std::env::var_os("LLMJSON_VECTORS").map(PathBuf::from);
    let entries = root.and_then(|root| std::fs::read_dir(root.join("sse")).ok());
    let Some(entries) = entries else {
        tell("skipped: LLMJSON_VECTORS names no directory with sse");
        return;
    };
    let request = json!({"model": "m", "messages": [], "tools":
        [{"type": "function", "function": {"name": "unheard_of", "parameters": {"type": "object"}}}]});
    let request = request.to_string();
    let (mut streams, mut kept) = (0, 0);
    for entry in entries.flatten() {
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        if !bytes.starts_with(b"data:") && !bytes.starts_with(b":") && !bytes.starts_with(b"event:")
        {
            continue;
        }
        for kind in 0..4 {
            llmjson_gateway::laws::a_stream_is_the_same_in_any_pieces(&bytes, &[13, 1, 250], kind);
        }
        let (out, report) = streamed(request.as_bytes(), &Treatment::default(), &bytes, 100);
        streams += 1;
        if report.outcome() == Outcome::Unchanged && report == llmjson_gateway::Report::default() {
            kept += 1;
            assert!(out == bytes, "{:?} is not the same", entry.path());
        }
    }
    tell(&format!("{streams} streams, {kept} of them need nothing"));
}
