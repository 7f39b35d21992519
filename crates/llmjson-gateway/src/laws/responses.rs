//! Requests, replies and streams of the Responses dialect, for the laws.

use llmjson_wire::sse::FrameDecoder;
use serde_json::{Value, json};

/// A whole reply that is plain text.
pub(super) fn reply_of(text: &str) -> Value {
    json!({"id": "r", "object": "response", "status": "completed", "output": [item_of(text)]})
}

/// A whole reply with a text, unless it is empty, and calls, which ends with a chat finish reason.
pub(super) fn whole_of(text: &str, calls: &[Value], finish: &str) -> Value {
    let mut reply = reply_of(text);
    if finish == "length" {
        reply["status"] = "incomplete".into();
        reply["incomplete_details"] = json!({"reason": "max_output_tokens"});
    }
    let output = reply["output"].as_array_mut().expect("a list");
    output.retain(|_| !text.is_empty());
    output.extend_from_slice(calls);
    reply
}

fn item_of(text: &str) -> Value {
    json!({"id": "msg_1", "type": "message", "status": "completed", "role": "assistant",
        "content": [part_of(text)]})
}

fn part_of(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []})
}

/// A text reply as a stream, with the text in parts.
pub(super) fn stream_of(parts: &[&str]) -> String {
    let mut events = vec![created()];
    events.extend(message(parts));
    events.push((
        "response.completed",
        json!({"response": reply_of(&parts.concat())}),
    ));
    written(events)
}

/// A whole reply as a stream, with its text and arguments in parts.
pub(super) fn events_of(parts: &[&str], calls: &[(Value, Vec<&str>)], finish: &str) -> String {
    let mut events = vec![created()];
    if !parts.is_empty() {
        events.extend(message(parts));
    }
    let first = usize::from(!parts.is_empty());
    for (place, (item, parts)) in (first..).zip(calls) {
        let mut empty = item.clone();
        empty["arguments"] = "".into();
        let at_place = |name: &str, value: Value| {
            let mut event = json!({"output_index": place, "item_id": item["id"]});
            event[name] = value;
            event
        };
        let added = json!({"output_index": place, "item": empty});
        events.push(("response.output_item.added", added));
        let deltas = parts.iter().map(|part| at_place("delta", (*part).into()));
        events.extend(deltas.map(|delta| ("response.function_call_arguments.delta", delta)));
        events.extend([
            (
                "response.function_call_arguments.done",
                at_place("arguments", item["arguments"].clone()),
            ),
            (
                "response.output_item.done",
                json!({"output_index": place, "item": item}),
            ),
        ]);
    }
    let calls: Vec<Value> = calls.iter().map(|(item, _)| item.clone()).collect();
    let whole = whole_of(&parts.concat(), &calls, finish);
    let end = match finish {
        "length" => "response.incomplete",
        _ => "response.completed",
    };
    events.push((end, json!({"response": whole})));
    written(events)
}

fn created() -> (&'static str, Value) {
    let begun = json!({"id": "r", "object": "response", "status": "in_progress", "output": []});
    ("response.created", json!({"response": begun}))
}

/// The events of a message, which is the first item.
fn message(parts: &[&str]) -> Vec<(&'static str, Value)> {
    let (place, text) = (
        json!({"output_index": 0, "item_id": "msg_1", "content_index": 0}),
        parts.concat(),
    );
    let at_place = |more: Value| {
        let members = [place.clone(), more];
        let members = members.iter().filter_map(Value::as_object).flatten();
        let members = members.map(|(name, value)| (name.clone(), value.clone()));
        Value::Object(members.collect())
    };
    let mut empty = item_of("");
    empty["content"] = json!([]);
    let mut events = vec![
        (
            "response.output_item.added",
            json!({"output_index": 0, "item": empty}),
        ),
        (
            "response.content_part.added",
            at_place(json!({"part": part_of("")})),
        ),
    ];
    let deltas = parts.iter().map(|part| at_place(json!({"delta": part})));
    events.extend(deltas.map(|delta| ("response.output_text.delta", delta)));
    events.extend([
        ("response.output_text.done", at_place(json!({"text": text}))),
        (
            "response.content_part.done",
            at_place(json!({"part": part_of(&text)})),
        ),
        (
            "response.output_item.done",
            json!({"output_index": 0, "item": item_of(&text)}),
        ),
    ]);
    events
}

fn written(events: Vec<(&str, Value)>) -> String {
    let mut out = String::new();
    for (number, (kind, mut event)) in events.into_iter().enumerate() {
        event["type"] = kind.into();
        event["sequence_number"] = number.into();
        out.push_str(&format!("event: {kind}\ndata: {event}\n\n"));
    }
    out
}

/// The chat message that corresponds to a whole reply.
pub(super) fn message_of(reply: &Value) -> Value {
    let (mut content, mut calls) = (String::new(), Vec::new());
    for item in reply["output"].as_array().into_iter().flatten() {
        match item["type"].as_str() {
            Some("message") => {
                for part in item["content"].as_array().into_iter().flatten() {
                    content.push_str(part["text"].as_str().unwrap_or_default());
                }
            }
            Some("function_call") => {
                assert!(item["call_id"].is_string(), "a call has an id");
                let function = json!({"name": item["name"], "arguments": item["arguments"]});
                calls.push(json!({ "function": function }));
            }
            _ => {}
        }
    }
    json!({"content": content, "tool_calls": calls})
}

fn without_status(items: &Value) -> Value {
    let mut items = items.clone();
    for item in items.as_array_mut().into_iter().flatten() {
        item.as_object_mut().map(|item| item.remove("status"));
    }
    items
}

/// The message that a client assembles from a stream. Checks that events are numbered, that items
/// appear in order and end once, and that their texts equal the concatenated pieces.
pub(super) fn accumulated(stream: &[u8], is_empty: bool) -> Value {
    let mut decoder = FrameDecoder::new();
    decoder.push(stream);
    decoder.finish();
    let mut items: Vec<(Value, String, bool)> = Vec::new();
    let (mut numbers, mut end) = (0_u64, None);
    while let Some(frame) = decoder.next_frame() {
        let frame = frame.expect("a frame");
        let event: Value = serde_json::from_slice(frame.data).expect("events are JSON");
        let kind = event["type"].as_str().expect("a type").to_owned();
        assert_eq!(frame.event, Some(kind.as_bytes()));
        assert_eq!(event["sequence_number"], numbers, "events in order");
        assert!(end.is_none(), "nothing behind the end");
        numbers += 1;
        let place = event["output_index"].as_u64().unwrap_or_default() as usize;
        match &*kind {
            "response.output_item.added" => {
                assert_eq!(place, items.len(), "items in order");
                items.push((event["item"].clone(), String::new(), false));
            }
            "response.output_item.done" => {
                let (item, text, is_done) = &mut items[place];
                assert!(!std::mem::replace(is_done, true), "an item ends once");
                assert_eq!(item["id"], event["item"]["id"]);
                *item = event["item"].clone();
                assert!(
                    is_empty || item["content"][0]["text"] != "",
                    "no message is empty"
                );
                let own = item["arguments"]
                    .as_str()
                    .or(item["content"][0]["text"].as_str());
                assert_eq!(own.unwrap_or_default(), text, "the text of its pieces");
            }
            "response.completed" | "response.incomplete" => end = Some(event["response"].clone()),
            _ if kind.ends_with(".delta") => {
                let (item, text, is_done) = &mut items[place];
                assert!(
                    !*is_done && item["id"] == event["item_id"],
                    "a delta of an open item"
                );
                text.push_str(event["delta"].as_str().expect("a text"));
            }
            _ => {}
        }
    }
    let end = end.expect("an end");
    assert!(items.iter().all(|(.., is_done)| *is_done), "items end");
    let items: Vec<Value> = items.into_iter().map(|(item, ..)| item).collect();
    assert_eq!(
        without_status(&end["output"]),
        without_status(&json!(items)),
        "the response has its items"
    );
    let mut message = message_of(&end);
    message["status"] = end["status"].clone();
    message
}
