//! Requests, replies and streams for the tests.

// Each test file uses some of it.
#![allow(dead_code, unreachable_pub)]

use std::io::Write as _;

use llmjson_gateway::chat::{Exchange, Finished, Step};
use llmjson_gateway::{Cache, Report, Treatment};
use llmjson_wire::{Accumulator, Response};
use serde_json::{Value, json};

/// Says something that is seen though the test passes.
pub fn tell(what: &str) {
    let line = format!("{what}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

pub fn begin(request: &[u8], treatment: &Treatment) -> Exchange {
    Exchange::begin(request, treatment, &Cache::new(8)).expect("a request that can be treated")
}

/// The reply that the client gets, and its report.
pub fn whole(request: &[u8], treatment: &Treatment, reply: &[u8]) -> (Vec<u8>, Report) {
    match begin(request, treatment).reply(reply) {
        Step::Answer { body, report } => (body, report),
        Step::Refuse { rejection, report } => (rejection.body, report),
        Step::Ask { body } => panic!("asks again: {}", String::from_utf8_lossy(&body)),
    }
}

/// The stream that the client gets of one that comes in pieces of a length, and its report.
pub fn streamed(
    request: &[u8],
    treatment: &Treatment,
    reply: &[u8],
    length: usize,
) -> (Vec<u8>, Report) {
    let mut stream = begin(request, treatment).stream();
    let mut out = Vec::new();
    for piece in reply.chunks(length) {
        stream.push(piece, &mut out);
    }
    match stream.finish(true, &mut out) {
        Finished::Done(report) => (out, report),
        Finished::Ask(body) => panic!("asks again: {}", String::from_utf8_lossy(&body)),
    }
}

/// The reply that a client makes of a stream.
pub fn accumulated(stream: &[u8]) -> Response {
    let mut reply = Accumulator::new();
    let mut decoder = llmjson_wire::sse::Decoder::new();
    decoder.push(stream);
    decoder.finish();
    while let Some(applied) = decoder.next_into(&mut reply) {
        applied.expect("a chunk");
    }
    reply.response()
}

/// The names and arguments of the calls of a message.
pub fn calls_of(response: &Response) -> Vec<(String, String)> {
    let message = response.message().expect("a message");
    let calls = message.tool_calls.iter().flatten();
    calls
        .map(|call| {
            let function = call.function.clone().unwrap_or_default();
            let arguments = function.arguments.unwrap_or_default().into_string();
            (function.name.unwrap_or_default(), arguments)
        })
        .collect()
}

pub fn content_of(response: &Response) -> String {
    let message = response.message().expect("a message");
    message.content.as_text().unwrap_or_default().to_owned()
}

/// A reply with one choice.
pub fn reply_of(message: Value, finish: &str) -> Vec<u8> {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "small",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    })
    .to_string()
    .into_bytes()
}

/// The same as a stream, whose deltas are given.
pub fn stream_of(deltas: impl IntoIterator<Item = Value>, finish: &str) -> Vec<u8> {
    let mut out = String::new();
    let mut event = |delta: Value, finish: Value| {
        let chunk = json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "small",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]
        });
        out.push_str(&format!("data: {chunk}\n\n"));
    };
    event(json!({"role": "assistant", "content": ""}), Value::Null);
    for delta in deltas {
        event(delta, Value::Null);
    }
    event(json!({}), json!(finish));
    out.push_str("data: [DONE]\n\n");
    out.into_bytes()
}

/// A text in pieces of about a number of bytes.
pub fn pieces(text: &str, length: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.ceil_char_boundary(length);
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Returns `true` if two JSON texts have the same value.
pub fn is_same(one: &str, other: &str) -> bool {
    let value = |text| serde_json::from_str::<Value>(text).ok();
    one == other || value(one).is_some_and(|one| Some(one) == value(other))
}
