//! Streams: single steps, and the events of calls.

mod calls;
mod steps;
#[path = "../support/mod.rs"]
mod support;

use llmjson_gateway::chat::Stream;
use serde_json::{Value, json};

fn request(more: Value) -> Vec<u8> {
    let mut request =
        json!({"model": "m", "stream": true, "messages": [{"role": "user", "content": "Go."}]});
    for (name, value) in more.as_object().expect("members") {
        request[name] = value.clone();
    }
    request.to_string().into_bytes()
}

fn weather() -> Value {
    json!({"tools": [{"type": "function", "function": {"name": "get_weather", "parameters":
        {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}}}]})
}

fn event(delta: Value) -> Vec<u8> {
    let chunk =
        json!({"id": "r", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]});
    format!("data: {chunk}\n\n").into_bytes()
}

/// The bytes for the client in the step in which a delta arrives.
fn step(stream: &mut Stream, delta: Value) -> String {
    let mut out = Vec::new();
    stream.push(&event(delta), &mut out);
    String::from_utf8(out).expect("UTF-8")
}
