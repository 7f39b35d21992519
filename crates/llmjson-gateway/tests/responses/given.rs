//! Requests, replies and streams of Responses, and what a client makes of them.

#![allow(unreachable_pub)]

use llmjson_gateway::chat::{Finished, Step};
use llmjson_gateway::dialect::{Dialect, Exchange};
use llmjson_gateway::{Cache, Report, Treatment};
use llmjson_wire::sse::FrameDecoder;
use serde_json::{Value, json};

use crate::support;

/// A tool as the client has it, of the name and with the parameters `city` and `days`.
pub fn weather() -> Value {
    json!({"type": "function", "name": "weather", "parameters": {"type": "object", "properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}})
}

pub fn request(more: Value) -> Vec<u8> {
    let mut request = json!({"model": "small", "input": "Oslo?"});
    let members = more.as_object().expect("members").clone();
    request.as_object_mut().expect("an object").extend(members);
    serde_json::to_vec_pretty(&request).expect("JSON")
}

pub fn begin(speaks_chat: bool, request: &[u8], treatment: &Treatment) -> Exchange {
    let cache = Cache::new(8);
    match Exchange::begin(Dialect::Responses, speaks_chat, request, treatment, &cache) {
        Ok(exchange) => exchange,
        Err(refused) => panic!("{}", String::from_utf8_lossy(&refused.body)),
    }
}

/// The request in chat.
pub fn in_chat(more: Value) -> Value {
    let exchange = begin(true, &request(more), &Treatment::default().with_seed(1));
    serde_json::from_slice(exchange.request()).expect("JSON")
}

/// The message with which a request is refused, and the member.
pub fn refusal(more: Value) -> (String, String) {
    let cache = Cache::new(8);
    let begun = Exchange::begin(
        Dialect::Responses,
        true,
        &request(more),
        &Treatment::default().with_seed(1),
        &cache,
    );
    let refused = begun.expect_err("a request that chat cannot say");
    assert_eq!(refused.status, 400);
    let body: Value = serde_json::from_slice(&refused.body).expect("JSON");
    let text = |name: &str| body["error"][name].as_str().expect(name).to_owned();
    (text("message"), text("param"))
}

pub fn whole(speaks_chat: bool, request: &[u8], reply: &[u8]) -> (Vec<u8>, Report) {
    let mut exchange = begin(speaks_chat, request, &Treatment::default().with_seed(1));
    match exchange.reply(reply) {
        Step::Answer { body, report } => (body, report),
        Step::Refuse { rejection, report } => (rejection.body, report),
        Step::Ask { .. } => panic!("asks again"),
    }
}

pub fn streamed(speaks_chat: bool, request: &[u8], reply: &[u8]) -> (Vec<u8>, Report) {
    let of_length = |length: usize| {
        let mut stream = begin(speaks_chat, request, &Treatment::default().with_seed(1)).stream();
        let mut out = Vec::new();
        for piece in reply.chunks(length) {
            stream.push(piece, &mut out);
        }
        match stream.finish(true, &mut out) {
            Finished::Done(report) => (out, report),
            Finished::Ask(_) => panic!("asks again"),
        }
    };
    let first = of_length(1);
    for length in [7, 100, 1_000_000] {
        let other = of_length(length);
        assert!(
            first.0 == other.0 && first.1 == other.1,
            "pieces of {length}"
        );
    }
    first
}

/// The events of a stream.
pub fn events(stream: &[u8]) -> Vec<Value> {
    let mut decoder = FrameDecoder::new();
    decoder.push(stream);
    decoder.finish();
    let mut events = Vec::new();
    while let Some(frame) = decoder.next_frame() {
        let frame = frame.expect("a frame");
        let event: Value = serde_json::from_slice(frame.data).expect("events are JSON");
        assert_eq!(
            frame.event,
            event["type"].as_str().map(str::as_bytes),
            "{event}"
        );
        events.push(event);
    }
    events
}

/// The response that a client makes of the events, which keep their order: numbers follow one another, each text is
/// what its pieces say, and the last event has the items as they came.
pub fn accumulated(stream: &[u8]) -> Value {
    let (mut items, mut texts): (Vec<Value>, Vec<String>) = (Vec::new(), Vec::new());
    let mut done = Vec::new();
    for (at, event) in events(stream).into_iter().enumerate() {
        assert_eq!(event["sequence_number"], at, "{event}");
        let kind = event["type"].as_str().expect("a type");
        let place = event["output_index"].as_u64().unwrap_or_default() as usize;
        match kind {
            "response.output_item.added" => {
                assert_eq!(place, items.len(), "items come in their order: {event}");
                items.push(event["item"].clone());
                texts.push(String::new());
                done.push(false);
            }
            "response.output_item.done" => {
                assert!(
                    !std::mem::replace(&mut done[place], true),
                    "an item ends once: {event}"
                );
                let item = &event["item"];
                assert_eq!(item["id"], items[place]["id"]);
                let text = ["arguments", "input"]
                    .into_iter()
                    .find_map(|name| item[name].as_str());
                let text = text.or(item["content"][0]["text"].as_str());
                let text = text.or(item["content"][0]["refusal"].as_str());
                assert_eq!(text.unwrap_or_default(), texts[place], "{event}");
                items[place] = item.clone();
            }
            "response.completed" | "response.incomplete" => {
                assert!(done.iter().all(|done| *done), "{done:?} {items:#?}");
                assert_eq!(event["response"]["output"], json!(items));
                return event["response"].clone();
            }
            _ if kind.ends_with(".delta") => {
                assert!(!done[place], "{event}");
                assert_eq!(event["item_id"], items[place]["id"]);
                texts[place].push_str(event["delta"].as_str().expect("a piece"));
            }
            _ if kind.ends_with(".done") => {
                assert_eq!(event["item_id"], items[place]["id"]);
                let names = ["text", "arguments", "input", "refusal"];
                let text = names.into_iter().find_map(|name| event[name].as_str());
                let text = text
                    .or(event["part"]["text"].as_str())
                    .or(event["part"]["refusal"].as_str());
                assert_eq!(text, Some(&*texts[place]), "{event}");
            }
            _ => {}
        }
    }
    panic!("no end: {}", String::from_utf8_lossy(stream));
}

/// The messages and calls of a reply, however it came.
pub fn said(response: &Value) -> Vec<Value> {
    let items = response["output"].as_array().expect("items");
    let said =
        items
            .iter()
            .filter(|item| item["type"] != "reasoning")
            .map(|item| match &item["type"] {
                kind if kind == "message" => item["content"][0]["text"].clone(),
                _ => json!([
                    item["namespace"],
                    item["name"],
                    item["arguments"],
                    item["input"]
                ]),
            });
    said.collect()
}

/// A native reply with items.
pub fn native(items: &[Value]) -> Vec<u8> {
    json!({"id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": "small",
        "output": items, "usage": {"input_tokens": 5, "output_tokens": 6, "total_tokens": 11}})
    .to_string()
    .into_bytes()
}

pub fn message(text: &str) -> Value {
    json!({"id": "msg_1", "type": "message", "status": "completed", "role": "assistant",
        "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

pub fn call(name: &str, arguments: &str) -> Value {
    json!({"id": "fc_1", "type": "function_call", "status": "completed", "call_id": "call_1", "name": name,
        "arguments": arguments})
}

/// The stream of a native reply with items, in pieces of some bytes.
pub fn native_stream(items: &[Value]) -> Vec<u8> {
    let mut out = String::new();
    let mut sequence = 0;
    let mut event = |kind: &str, more: Value| {
        let mut event = json!({"type": kind, "sequence_number": sequence});
        sequence += 1;
        event
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("members").clone());
        out.push_str(&format!("event: {kind}\ndata: {event}\n\n"));
    };
    let response: Value = serde_json::from_slice(&native(&[])).expect("JSON");
    let mut begun = response.clone();
    begun["status"] = "in_progress".into();
    event("response.created", json!({"response": begun}));
    event("response.in_progress", json!({"response": begun}));
    for (place, item) in items.iter().enumerate() {
        let place = json!({"output_index": place, "item_id": item["id"]});
        let with = |more: Value| {
            let mut all = place.clone();
            all.as_object_mut()
                .expect("an object")
                .extend(more.as_object().expect("members").clone());
            all
        };
        let kind = item["type"].as_str().expect("a type");
        let (name, text) = match kind {
            "message" => ("output_text", item["content"][0]["text"].as_str()),
            "function_call" => ("function_call_arguments", item["arguments"].as_str()),
            "custom_tool_call" => ("custom_tool_call_input", item["input"].as_str()),
            _ => ("reasoning_text", item["content"][0]["text"].as_str()),
        };
        let mut empty = item.clone();
        for name in ["arguments", "input"] {
            if let Some(text) = empty.get_mut(name) {
                *text = "".into();
            }
        }
        if let Some(content) = empty.get_mut("content") {
            *content = json!([]);
        }
        event(
            "response.output_item.added",
            json!({"output_index": place["output_index"], "item": empty}),
        );
        let is_part = !kind.ends_with("call");
        let mut part = item["content"][0].clone();
        part["text"] = "".into();
        if is_part {
            event(
                "response.content_part.added",
                with(json!({"content_index": 0, "part": part})),
            );
        }
        for piece in support::pieces(text.expect("a text"), 7) {
            let index = if is_part {
                json!({"content_index": 0, "delta": piece})
            } else {
                json!({"delta": piece})
            };
            event(&format!("response.{name}.delta"), with(index));
        }
        let member = match kind {
            "function_call" => "arguments",
            "custom_tool_call" => "input",
            _ => "text",
        };
        event(
            &format!("response.{name}.done"),
            with(json!({"content_index": 0, member: text})),
        );
        if is_part {
            event(
                "response.content_part.done",
                with(json!({"content_index": 0, "part": item["content"][0]})),
            );
        }
        event(
            "response.output_item.done",
            json!({"output_index": place["output_index"], "item": item}),
        );
    }
    let ended: Value = serde_json::from_slice(&native(items)).expect("JSON");
    event("response.completed", json!({"response": ended}));
    out.into_bytes()
}

pub const TEXT_CALL: &str = "Let me see.\n<tool_call>\n{\"name\": \"weather\", \"arguments\": {city: 'Oslo', \"days\": \"3\"}}\n</tool_call>";
pub const ARGUMENTS: &str = r#"{"city":"Oslo","days":3}"#;

pub fn with_tools() -> Vec<u8> {
    request(json!({"tools": [weather()], "stream": true}))
}
