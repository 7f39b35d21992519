//! Recorded streams and error bodies of many providers, where they are at hand.
//!
//! They lie in the directory that `LLMJSON_VECTORS` names; without them the tests say so and pass.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use llmjson_wire::sse::{Applied, Decoder, FrameDecoder};
use llmjson_wire::{Accumulator, Message, Raw, decode_error};
use serde_json::{Value, json};

/// A file or directory of the recordings, if they are at hand.
fn recorded(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("LLMJSON_VECTORS");
    let path = root.map(|root| PathBuf::from(root).join(name));
    let path = path.filter(|path| path.exists());
    if path.is_none() {
        // Written past the test harness, which would keep it to itself.
        let _ = writeln!(
            std::io::stderr(),
            "skipped: LLMJSON_VECTORS names no directory with {name}"
        );
    }
    path
}

fn lines(path: &PathBuf) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Puts a stream together that comes in pieces of one length.
fn assemble(stream: &[u8], length: usize) -> (Accumulator, Vec<String>) {
    let mut reply = Accumulator::new();
    let mut errors = Vec::new();
    let mut decoder = Decoder::new();
    let pieces = stream.chunks(length).map(Some).chain([None]);
    for piece in pieces {
        match piece {
            Some(piece) => decoder.push(piece),
            None => decoder.finish(),
        }
        while let Some(applied) = decoder.next_into(&mut reply) {
            match applied.unwrap() {
                Applied::Chunk => {}
                Applied::Error(error) => errors.push(error.message),
                Applied::Skipped(skipped) => panic!("{skipped:?}"),
            }
        }
    }
    (reply, errors)
}

#[test]
fn recorded_streams_add_up_to_what_they_said() {
    let Some(directory) = recorded("sse") else {
        return;
    };
    let rows = lines(&directory.join("index.jsonl"));
    assert!(!rows.is_empty());
    for row in &rows {
        let file = row["file"].as_str().unwrap();
        let stream = fs::read(directory.join(file)).unwrap();
        let (whole, _) = assemble(&stream, stream.len());
        for length in 1..=17 {
            let (reply, errors) = assemble(&stream, length);
            assert_eq!(reply.response(), whole.response(), "{file} by {length}");
            assert_eq!(Value::from(reply.text()), row["text"], "{file}");
            assert_eq!(json!(reply.finish_reason()), row["finish"], "{file}");
            let calls = reply.tool_calls().iter();
            let calls =
                calls.map(|call| json!({"name": call.name(), "arguments": call.arguments()}));
            assert_eq!(Value::from_iter(calls), row["calls"], "{file}");
            let told = row["quirks"]
                .as_array()
                .unwrap()
                .contains(&json!("error_event"));
            assert_eq!(!errors.is_empty(), told, "{file}: {errors:?}");
        }
        llmjson_wire::laws::splitting_changes_nothing(&stream, &[13, 1, 250], 0);
    }
}

#[test]
fn recorded_error_bodies_lose_nothing() {
    let Some(directory) = recorded("errors") else {
        return;
    };
    let mut count = 0;
    for entry in fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        let row: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let body = match &row["body"] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let status = u16::try_from(row["status"].as_u64().unwrap()).unwrap();
        llmjson_wire::laws::errors_say_something(status, body.as_bytes());
        let error = decode_error(status, body.as_bytes());
        count += 1;
        // Only a body that is no JSON is quoted.
        let quoted = error.message.starts_with("HTTP ") && !body.is_empty();
        assert_eq!(
            quoted,
            row["body"].is_string() && !body.is_empty(),
            "{}",
            path.display()
        );
        if let Value::Object(members) = &row["body"]["error"] {
            // Each member is a text of the error or an extra.
            for (name, value) in members.iter().filter(|(_, value)| !value.is_null()) {
                let text = match name.as_str() {
                    "message" => &error.message,
                    "type" => &error.kind,
                    "code" => &error.code,
                    "param" => &error.param,
                    "status" => &error.api_status,
                    _ => {
                        let extra = error.extras.get(name).map(Raw::as_str);
                        let extra: Value = serde_json::from_str(extra.unwrap()).unwrap();
                        assert_eq!(extra, *value, "{}", path.display());
                        continue;
                    }
                };
                let wanted = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                assert_eq!(*text, wanted, "{}", path.display());
            }
        }
    }
    assert!(count > 0);
}

#[test]
fn rows_of_the_requirements_hold() {
    let Some(path) = recorded("seeds.jsonl") else {
        return;
    };
    let mut count = 0;
    for row in lines(&path).iter().filter(|row| row["profile"] == "wire") {
        let id = row["id"].as_str().unwrap();
        let wanted = &row["expected"];
        let input = &row["input"];
        let text = input.as_str().unwrap_or_default();
        match row["op"].as_str().unwrap() {
            "decode_error" => check_error(id, input, wanted),
            "accumulate" => check_reply(id, text, row),
            "frames" => {
                for length in 1..=17 {
                    assert_eq!(json!(frames(text.as_bytes(), length)), *wanted, "{id}");
                }
            }
            "write_message" => {
                let mut message = Message::new(input["role"].as_str().unwrap(), "");
                for (name, value) in input["extras"].as_object().unwrap() {
                    let raw = Raw::from_text(value.as_str().unwrap()).unwrap();
                    message.extras.insert(name.clone(), raw);
                }
                let error = serde_json::to_string(&message).unwrap_err().to_string();
                assert_eq!(json!(error), row["expected_error"], "{id}");
            }
            "content" => {
                let message: Message = serde_json::from_str(text).unwrap();
                match message.content.as_parts() {
                    Some(Err(_)) => assert!(wanted.is_null(), "{id}"),
                    parts => {
                        let parts = parts.map(|parts| parts.unwrap().len());
                        let found = json!({"text": message.content.as_text(), "parts": parts});
                        assert_eq!(found, *wanted, "{id}");
                    }
                }
            }
            "roundtrip_message" => {
                let message: Message = serde_json::from_str(text).unwrap();
                assert_eq!(
                    json!(serde_json::to_string(&message).unwrap()),
                    *wanted,
                    "{id}"
                );
            }
            other => panic!("{id}: {other}"),
        }
        count += 1;
    }
    assert!(count > 0);
}

fn frames(stream: &[u8], length: usize) -> Vec<String> {
    let mut decoder = FrameDecoder::new();
    let mut frames = Vec::new();
    for piece in stream.chunks(length).map(Some).chain([None]) {
        match piece {
            Some(piece) => decoder.push(piece),
            None => decoder.finish(),
        }
        while let Some(frame) = decoder.next_frame() {
            frames.push(String::from_utf8(frame.unwrap().data.to_vec()).unwrap());
        }
    }
    frames
}

fn check_error(id: &str, input: &Value, wanted: &Value) {
    let status = u16::try_from(input["status"].as_u64().unwrap()).unwrap();
    let error = decode_error(status, input["body"].as_str().unwrap().as_bytes());
    for (name, value) in wanted.as_object().unwrap() {
        let found = match name.as_str() {
            "status" => json!(error.status),
            "message" => json!(error.message),
            "type" => json!(error.kind),
            "code" => json!(error.code),
            "param" => json!(error.param),
            "api_status" => json!(error.api_status),
            other => panic!("{id}: {other}"),
        };
        assert_eq!(found, *value, "{id}: {name}");
    }
}

fn check_reply(id: &str, stream: &str, row: &Value) {
    let (sender, told) = std::sync::mpsc::channel();
    let mut reply = Accumulator::new().on_conflict(move |conflict| {
        sender
            .send(json!([conflict.scope.to_string(), conflict.key]))
            .unwrap();
    });
    let mut decoder = Decoder::new();
    decoder.push(stream.as_bytes());
    while let Some(applied) = decoder.next_into(&mut reply) {
        applied.unwrap();
    }
    let message = reply.message().unwrap();
    for (name, value) in row["expected"].as_object().unwrap() {
        let found = match name.as_str() {
            "role" => json!(message.role),
            "content" => json!(message.content.as_text()),
            "finish_reason" => json!(reply.finish_reason()),
            "tool_calls" => {
                let calls = message
                    .tool_calls
                    .iter()
                    .flatten()
                    .zip(value.as_array().unwrap());
                Value::from_iter(calls.map(|(call, wanted)| {
                    let function = call.function.as_ref().unwrap();
                    let arguments = function.arguments.as_ref().unwrap().as_str();
                    let mut found =
                        json!({"id": call.id, "name": function.name, "arguments": arguments});
                    if wanted.get("extras").is_some() {
                        let extras = serde_json::to_string(&call.extras).unwrap();
                        found["extras"] = serde_json::from_str(&extras).unwrap();
                    }
                    found
                }))
            }
            other => panic!("{id}: {other}"),
        };
        assert_eq!(found, *value, "{id}: {name}");
    }
    if let Some(conflicts) = row.get("conflicts") {
        assert_eq!(Value::from_iter(told.try_iter()), *conflicts, "{id}");
    }
}
