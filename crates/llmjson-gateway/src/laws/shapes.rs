//! A stream has the same content as the whole reply, whatever the shape of its events.

use serde_json::{Value, json};

use super::{begin_with, message_in, passed_by, received, responses, spoken, way_of};
use crate::Outcome;
use crate::chat::Step;
use crate::dialect::Dialect;

/// Choices made by bytes; the first option once the bytes are exhausted.
struct Choices<'b>(&'b [u8]);

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        usize::from(*first) % bound.max(1)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Damages JSON in up to three ways.
    fn damaged(&mut self, sound: &str) -> String {
        let mut json = sound.to_owned();
        for _ in 0..self.below(4) {
            let at = json.floor_char_boundary(self.below(json.len() + 1));
            match self.below(9) {
                0 => json.truncate(at),
                1 => json = json.replace('"', "'"),
                2 => json = json.replacen('}', ",}", 1),
                3 => json = json.replacen("\": ", ": ", 1).replacen("{\"", "{", 1),
                4 => json = json.replace(", ", " "),
                5 => json = json.replace("days", "Days").replace("\"a\"", "\"A\""),
                6 => json.insert_str(at, self.of(&["\n", "\"", "{", "\\", " // x\n"])),
                7 => json = format!("```json\n{json}\n```"),
                _ => json.push_str(self.of(&["}", " Done.", "\n\n", "]", "{\"a\": 5}"])),
            }
        }
        json
    }

    /// Splits a text into pieces.
    fn pieces<'t>(&mut self, text: &'t str) -> Vec<&'t str> {
        let (mut parts, mut rest) = (Vec::new(), text);
        while !rest.is_empty() {
            let (part, after) = rest.split_at(rest.ceil_char_boundary(1 + self.below(24)));
            parts.push(part);
            rest = after;
        }
        parts
    }
}

/// A call in `tool_calls` or in the text.
struct Call {
    name: &'static str,
    arguments: String,
}

fn call_of(choices: &mut Choices<'_>) -> Call {
    let (name, sound) = choices.of(&[
        ("get_weather", r#"{"city": "Oslo", "days": 3}"#),
        (
            "get_weather",
            r#"{"location": "Sør \"x\" 🙂", "days": "12"}"#,
        ),
        ("add", r#"{"a": 1, "b": 2}"#),
        ("add", r#"{"b": 2}"#),
        ("add", r#"{"a": "1", "a": 2}"#),
        ("now", "{}"),
        ("functions.add", r#"{"a": 7}"#),
    ]);
    Call {
        name,
        arguments: choices.damaged(sound),
    }
}

/// A model's reply.
struct Said {
    text: String,
    calls: Vec<Call>,
    /// The finish reason, as in chat.
    finish: &'static str,
}

impl Said {
    fn of(choices: &mut Choices<'_>, kind: u8) -> Self {
        let has_tools = kind % 4 != 1;
        let mut said = Self {
            text: String::new(),
            calls: Vec::new(),
            finish: "stop",
        };
        if has_tools && choices.below(2) == 0 {
            said.text = choices.of(&["", "Let me see.", "See {x}: "]).to_owned();
            said.calls
                .extend((0..=choices.below(3)).map(|_| call_of(choices)));
            said.finish = choices.of(&["tool_calls", "stop", "length"]);
            return said;
        }
        said.finish = choices.of(&["stop", "stop", "length"]);
        if kind % 4 == 1 || kind % 4 == 2 && choices.below(2) == 0 {
            let lead = choices.of(&["", "", "Here: ", "```json\n"]);
            let sound = choices.of(&[
                r#"{"city": "Oslo", "days": "3"}"#,
                r#"{"city": "Os\u006co", "tags": ["a", "b"], "days": 3}"#,
            ]);
            said.text = format!("{lead}{}", choices.damaged(sound));
            return said;
        }
        for _ in 0..choices.below(4) {
            said.text += choices.of(&[
                "Let me see.\n",
                "a[0] < {x} ",
                "\n```py\nx = {1: [2]}\n",
                "\n```\n",
                "<b>so</b> ",
                "<think>\nf[1] ",
                "</think>\n",
                "```json\n",
            ]);
            let Call { name, arguments } = call_of(choices);
            said.text += &match choices.below(6) {
                0 => format!(
                    "<tool_call>\n{{\"name\": \"{name}\", \"arguments\": {arguments}}}\n</tool_call>"
                ),
                1 => format!("{{\"name\":\"{name}\",\"arguments\":{arguments}}}"),
                2 => format!("[TOOL_CALLS][{{\"name\": \"{name}\", \"arguments\": {arguments}}}]"),
                3 => format!("<tool_call>{{\"name\": \"{name}\", \"arguments\": {arguments}"),
                4 => format!("{name}\n{arguments}\n"),
                _ => String::new(),
            };
        }
        said
    }

    /// Returns `true` if the arguments of each call are an object.
    fn is_sound(&self) -> bool {
        let object = |call: &Call| serde_json::from_str::<Value>(&call.arguments);
        (self.calls.iter()).all(|call| object(call).is_ok_and(|value| value.is_object()))
    }

    /// The whole reply, in a dialect. Arguments may be plain JSON instead of a string.
    fn whole(&self, dialect: Dialect, is_json: bool) -> Value {
        let value = |call: &Call| serde_json::from_str::<Value>(&call.arguments);
        let calls = self.calls.iter().enumerate();
        match dialect {
            Dialect::Chat => {
                let calls = calls.map(|(at, call)| {
                    let mut one = json!({"id": format!("c{at}"), "type": "function",
                        "function": {"name": call.name, "arguments": call.arguments}});
                    if is_json {
                        one["function"]["arguments"] = value(call).unwrap_or_default();
                    }
                    one
                });
                let calls: Vec<Value> = calls.collect();
                let mut message = json!({"role": "assistant", "content": self.text});
                if !calls.is_empty() {
                    message["tool_calls"] = json!(calls);
                }
                json!({"id": "r", "choices": [
                    {"index": 0, "message": message, "finish_reason": self.finish}]})
            }
            Dialect::Messages => {
                let mut reply = super::reply_of(&self.text, dialect);
                let blocks = calls.map(|(at, call)| {
                    json!({"type": "tool_use", "id": format!("c{at}"), "name": call.name,
                        "input": value(call).unwrap_or_default()})
                });
                let content = reply["content"].as_array_mut().expect("a list");
                content.retain(|_| !self.text.is_empty());
                content.extend(blocks);
                reply["stop_reason"] = self.stop_reason().into();
                reply
            }
            Dialect::Responses => responses::whole_of(&self.text, &self.items(), self.finish),
        }
    }

    fn stop_reason(&self) -> &'static str {
        match self.finish {
            "length" => "max_tokens",
            "tool_calls" => "tool_use",
            _ => "end_turn",
        }
    }

    /// The calls as items of a response.
    fn items(&self) -> Vec<Value> {
        let calls = self.calls.iter().enumerate();
        let items = calls.map(|(at, call)| {
            json!({"id": format!("fc_{at}"), "type": "function_call", "status": "completed",
                "call_id": format!("c{at}"), "name": call.name, "arguments": call.arguments})
        });
        items.collect()
    }

    /// The events of the Messages dialect.
    fn messages(&self, choices: &mut Choices<'_>) -> String {
        let parts = match self.text.is_empty() {
            true => None,
            false => Some(choices.pieces(&self.text)),
        };
        self.messages_in(parts, choices)
    }

    /// Returns the events with the text in parts; without parts there is no text block.
    fn messages_in(&self, parts: Option<Vec<&str>>, choices: &mut Choices<'_>) -> String {
        let message = json!({"id": "r", "type": "message", "role": "assistant", "content": []});
        let mut events = vec![json!({"type": "message_start", "message": message})];
        let delta = |text: &&str| json!({"type": "text_delta", "text": text});
        let json = |text: &&str| json!({"type": "input_json_delta", "partial_json": text});
        let mut blocks: Vec<(Value, Vec<Value>)> = Vec::new();
        if let Some(parts) = parts {
            let parts = parts.iter().map(delta).collect();
            blocks.push((json!({"type": "text", "text": ""}), parts));
        }
        for (at, call) in self.calls.iter().enumerate() {
            let parts = choices.pieces(&call.arguments).iter().map(json).collect();
            let id = format!("c{at}");
            let begin = json!({"type": "tool_use", "id": id, "name": call.name, "input": {}});
            blocks.push((begin, parts));
        }
        for (index, (begin, deltas)) in blocks.into_iter().enumerate() {
            events.push(
                json!({"type": "content_block_start", "index": index, "content_block": begin}),
            );
            for delta in deltas {
                events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
                if choices.below(9) == 1 {
                    events.push(json!({"type": "ping"}));
                }
            }
            events.push(json!({"type": "content_block_stop", "index": index}));
        }
        let end = json!({"stop_reason": self.stop_reason()});
        events.push(json!({"type": "message_delta", "delta": end, "usage": {"output_tokens": 2}}));
        events.push(json!({"type": "message_stop"}));
        let mut out = String::new();
        for event in events {
            let name = event["type"].as_str().unwrap_or_default();
            out += &format!("event: {name}\ndata: {event}\n\n");
            out += choices.of(&["", "", "", ": on\n\n"]);
        }
        out
    }

    /// The chat events, in a shape that some server sends.
    fn chat(&self, is_json: bool, choices: &mut Choices<'_>) -> String {
        let mut deltas: Vec<Value> = Vec::new();
        for part in choices.pieces(&self.text) {
            deltas.push(json!({ "content": part }));
        }
        // Servers that give all calls the same index distinguish them by ids, or send each call at
        // once.
        let is_whole = |call: &Call| {
            call.arguments.starts_with('{') && call.arguments.trim_end().ends_with('}')
        };
        let shapes = [(0, 0), (0, 1), (0, 2), (2, 0), (1, 0), (1, 1)];
        let known = if self.calls.iter().all(is_whole) {
            6
        } else {
            4
        };
        let (index, id) = choices.of(&shapes[..known]);
        for (at, call) in self.calls.iter().enumerate() {
            let mut piece = |name: &str, arguments: Value, is_first: bool| {
                let mut piece = json!({"function": {"arguments": arguments}});
                if !name.is_empty() {
                    piece["function"]["name"] = name.into();
                }
                match index {
                    0 => piece["index"] = at.into(),
                    1 => piece["index"] = 0.into(),
                    _ => {}
                }
                match id {
                    0 if is_first || index > 0 => piece["id"] = format!("c{at}").into(),
                    1 => piece["id"] = "".into(),
                    _ => {}
                }
                deltas.push(json!({"tool_calls": [piece]}));
            };
            let is_once = is_json || index > 0 && id > 0;
            if is_json {
                let value = serde_json::from_str(&call.arguments).unwrap_or_default();
                piece(call.name, value, true);
                continue;
            }
            let parts = match is_once {
                true => vec![call.arguments.as_str()],
                false => choices.pieces(&call.arguments),
            };
            let mut parts = parts.into_iter();
            if is_once || choices.below(3) > 0 {
                piece(call.name, parts.next().unwrap_or_default().into(), true);
            } else {
                let (begin, end) = call.name.split_at(1 + choices.below(call.name.len() - 1));
                piece(begin, "".into(), true);
                piece(end, parts.next().unwrap_or_default().into(), false);
            }
            // Some servers repeat the name, with which an object begins another call.
            let again = choices.of(&["", "", call.name]);
            for part in parts {
                let again = if part.trim_start().starts_with('{') {
                    ""
                } else {
                    again
                };
                piece(again, part.into(), false);
            }
        }
        chunks(deltas, self.finish, choices)
    }
}

/// Returns a reply with text, in parts, as a chat or Messages stream.
pub(super) fn stream_of(parts: &[&str], dialect: Dialect) -> String {
    let said = Said {
        text: parts.concat(),
        calls: Vec::new(),
        finish: "stop",
    };
    let choices = &mut Choices(&[]);
    if dialect == Dialect::Messages {
        return said.messages_in(Some(parts.to_vec()), choices);
    }
    let deltas = parts.iter().map(|part| json!({"content": part}));
    chunks(deltas.collect(), said.finish, choices)
}

/// The chat events with these deltas, some of them joined.
fn chunks(deltas: Vec<Value>, finish: &str, choices: &mut Choices<'_>) -> String {
    // Several entries in one event, and text next to a call.
    let mut merged: Vec<Value> = Vec::new();
    for delta in deltas {
        let own = delta["tool_calls"].as_array();
        match merged.last_mut().zip(own) {
            Some((last, own)) if choices.below(4) == 1 => match &mut last["tool_calls"] {
                Value::Array(list) => list.extend(own.clone()),
                list => *list = json!(own),
            },
            _ => merged.push(delta),
        }
    }
    let mut out = String::new();
    for delta in merged {
        let early = match choices.below(9) {
            1 => json!(finish),
            _ => Value::Null,
        };
        let choice = json!({"index": 0, "delta": delta, "finish_reason": early});
        let mut chunk = json!({"id": "r", "choices": [choice]});
        if choices.below(9) == 1 {
            chunk["usage"] = json!({"total_tokens": 1});
        }
        out += &format!("data: {chunk}\n\n");
        let usage = "data: {\"choices\":[],\"usage\":{\"total_tokens\":2}}\n\n";
        out += choices.of(&["", "", "", ": on\n\n", usage]);
    }
    let choice = json!({"index": 0, "delta": {}, "finish_reason": finish});
    out + &format!(
        "data: {}\n\ndata: [DONE]\n\n",
        json!({"id": "r", "choices": [choice]})
    )
}

/// Names and arguments of the calls in a chat message: values, or text that is not JSON. Blank
/// arguments become `blank`.
pub(super) fn calls_of(message: &Value, blank: &Value) -> Vec<(Value, Value)> {
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    let of = |call: &Value| {
        let arguments = call["function"]["arguments"].clone();
        let value = match arguments.as_str().map(str::trim) {
            Some("") => blank.clone(),
            Some(text) => serde_json::from_str(text).unwrap_or(arguments),
            None => arguments,
        };
        (call["function"]["name"].clone(), value)
    };
    calls.map(of).collect()
}

pub(super) fn content_of(message: &Value) -> Value {
    let text = message["content"].as_str().unwrap_or_default().trim();
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

/// The finish reasons of a choice in a stream's chunks.
fn ends_of(stream: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(stream);
    let events = text.lines().filter_map(|line| line.strip_prefix("data: "));
    let events = events.filter_map(|event| serde_json::from_str::<Value>(event).ok());
    let ends = events.map(|event| match &event["delta"]["stop_reason"] {
        Value::Null => event["choices"][0]["finish_reason"].clone(),
        reason => reason.clone(),
    });
    ends.filter(|end| !end.is_null()).collect()
}

/// Returns a whole reply as the client receives it: all of it, its message, and its finish reason.
fn whole_of(kind: u8, is_exact: bool, reply: &str) -> (Value, Value, Value) {
    let Step::Answer { body, .. } = begin_with(kind, is_exact).reply(reply.as_bytes()) else {
        unreachable!("nothing is asked again")
    };
    let whole: Value = serde_json::from_slice(&body).expect("JSON");
    let (dialect, _) = way_of(kind);
    let end = match dialect {
        Dialect::Chat => &whole["choices"][0]["finish_reason"],
        Dialect::Messages => &whole["stop_reason"],
        Dialect::Responses => &whole["status"],
    };
    let (message, end) = (message_in(dialect, &whole), end.clone());
    (whole, message, end)
}

/// Checks that the joined deltas of a stream equal the whole reply: its calls, its text and its
/// finish reason, or that the stream ends with an error. The bytes choose the reply, its dialect,
/// the policy and the shape of its events. Returns the code of the error.
///
/// # Panics
///
/// If neither holds, or if the stream ends with an error although the whole reply has a value.
pub fn a_stream_says_what_the_whole_reply_says(choices: &[u8]) -> Option<&'static str> {
    let mut choices = Choices(choices);
    let kind = choices.below(20) as u8;
    let is_exact = choices.below(2) == 1;
    let (dialect, _) = way_of(kind);
    let said = Said::of(&mut choices, kind);
    let is_sound = said.is_sound();
    let is_json = is_sound && spoken(kind) == Dialect::Chat && choices.below(6) == 1;
    let stream = match spoken(kind) {
        Dialect::Chat => said.chat(is_json, &mut choices),
        Dialect::Messages => said.messages(&mut choices),
        Dialect::Responses => {
            let parts = choices.pieces(&said.text);
            let items = said.items().into_iter().zip(&said.calls);
            let items = items.map(|(item, call)| (item, choices.pieces(&call.arguments)));
            responses::events_of(&parts, &items.collect::<Vec<_>>(), said.finish)
        }
    };
    // A whole Messages reply cannot have damaged arguments, so the stream is compared with a chat
    // reply.
    let is_native = dialect != Dialect::Messages || spoken(kind) == Dialect::Chat || is_sound;
    let whole_kind = if is_native { kind } else { kind % 4 };
    let reply = said.whole(spoken(whole_kind), is_json).to_string();
    let (whole, message, end) = whole_of(whole_kind, is_exact, &reply);
    let blank = if is_native { json!("") } else { json!({}) };
    let (out, report) = passed_by(|| begin_with(kind, is_exact), kind, [stream.as_bytes()]);
    let told = || {
        format!(
            "{kind} {is_exact}\n{}\n{stream}\n{}\n{whole}",
            report.header(),
            String::from_utf8_lossy(&out)
        )
    };
    if matches!(report.outcome(), Outcome::Superseded | Outcome::Failed) {
        let is_superseded = report.outcome() == Outcome::Superseded;
        let is_open = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
        let is_refused = calls_of(&message, &blank)
            .iter()
            .any(|(_, value)| is_open(value))
            || is_open(&content_of(&message));
        assert!(is_superseded || is_refused, "an error for {}", told());
        assert!(
            !String::from_utf8_lossy(&out).contains("[DONE]"),
            "an error is the end of {}",
            told()
        );
        return Some(if is_superseded {
            "superseded"
        } else {
            "open_json"
        });
    }
    let streamed = received(dialect, &out, true);
    assert_eq!(
        calls_of(&streamed, &blank),
        calls_of(&message, &blank),
        "calls of {}",
        told()
    );
    assert_eq!(
        content_of(&streamed),
        content_of(&message),
        "text of {}",
        told()
    );
    match dialect {
        Dialect::Responses => assert_eq!(streamed["status"], end, "the end of {}", told()),
        _ if is_native => assert_eq!(
            ends_of(&out),
            std::slice::from_ref(&end),
            "the end of {}",
            told()
        ),
        _ => {}
    }
    None
}
