//! Reads replies in this dialect: converts them to chat.

use std::collections::HashMap;

use llmjson::policy::FinishReason;
use llmjson::syntax::{Document, Raw, ValueRef, json_object};
use serde_json::{Map, Value};

use super::reply::is_of_type;
use super::request::{call, input_text};
use crate::dialect::{Given, called, said};
use crate::json;

/// A reply being read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The number of calls so far.
    calls: usize,
    /// The call indices by the indices of their blocks.
    places: HashMap<u64, usize>,
    /// The usage so far, updated by the last event.
    usage: Map<String, Value>,
    /// Thinking blocks, which an upstream requires before the calls that followed them.
    pub(super) thoughts: Vec<String>,
    /// The open thinking block.
    thought: Map<String, Value>,
}

impl Reading {
    /// Writes a whole reply as a chat completion.
    pub(super) fn whole(&mut self, reply: ValueRef<'_>) -> String {
        let (mut text, mut thought) = (None::<String>, String::new());
        let mut calls = Vec::new();
        self.thoughts.clear();
        for block in json::items(reply, "content") {
            if is_of_type(block, "text") {
                let more = json::text(block, "text").unwrap_or_default();
                text.get_or_insert_default().push_str(&more);
            } else if is_of_type(block, "tool_use") {
                calls.push(call(block));
            } else if is_thought(block) {
                thought.push_str(&json::text(block, "thinking").unwrap_or_default());
                self.thoughts.push(json::written(block).to_owned());
            }
        }
        let finish = json::text(reply, "stop_reason").map(|finish| FinishReason::named(&finish));
        json_object!({
            "id": json::raw(reply, "id"),
            "choices": [{
                "message": {
                    "content": text,
                    "reasoning_content": thought,
                    "tool_calls"?: json::some(&calls),
                },
                "finish_reason": finish.as_ref().map(FinishReason::name),
            }],
            "usage": json::raw(reply, "usage"),
        })
    }

    /// Converts an event to chat.
    pub(super) fn event(&mut self, data: &str) -> Given {
        let document = json::read(data.as_bytes());
        let Some(root) = document.as_ref().and_then(Document::root) else {
            // The machine records that it cannot be read.
            return Given::Chunk("?".to_owned());
        };
        let index = root.get("index").and_then(ValueRef::as_u64);
        let index = index.unwrap_or_default();
        let chunk = match json::text(root, "type").as_deref() {
            Some("error") => return Given::Error,
            Some("message_stop") => return Given::Done,
            Some("message_start") => return self.start(root),
            Some("message_delta") => return self.finish(root),
            Some("content_block_start") => {
                json::member(root, "content_block").and_then(|block| self.block(block, index))
            }
            Some("content_block_delta") => {
                json::member(root, "delta").and_then(|delta| self.delta(delta, index))
            }
            Some("content_block_stop") => {
                if !self.thought.is_empty() {
                    let thought = Value::Object(std::mem::take(&mut self.thought));
                    self.thoughts.push(thought.to_string());
                }
                None
            }
            _ => None,
        };
        chunk.map_or_else(Given::nothing, Given::Chunk)
    }

    fn start(&mut self, root: ValueRef<'_>) -> Given {
        let message = json::member(root, "message");
        if let Some(usage) = message.and_then(|message| json::member(message, "usage")) {
            self.usage = serde_json::from_str(json::written(usage)).unwrap_or_default();
        }
        let id = message.map(|message| json::raw_text(message, "id"));
        Given::Chunk(json_object!({
            "id": id.unwrap_or(Raw(r#""""#)),
            "choices": [{ "index": 0_u32, "delta": { "role": "assistant" } }],
        }))
    }

    fn finish(&mut self, root: ValueRef<'_>) -> Given {
        let usage = json::member(root, "usage").map(json::written);
        let usage = usage.and_then(|usage| serde_json::from_str::<Map<String, Value>>(usage).ok());
        let changed = usage.into_iter().flatten();
        self.usage
            .extend(changed.filter(|(_, value)| !value.is_null()));
        let reason = json::member(root, "delta").and_then(|delta| json::text(delta, "stop_reason"));
        let Some(reason) = reason else {
            return Given::nothing();
        };
        let usage = match self.usage.is_empty() {
            true => Value::Null,
            false => Value::Object(self.usage.clone()),
        };
        Given::Chunk(json_object!({
            "choices": [{
                "index": 0_u32,
                "delta": {},
                "finish_reason": FinishReason::named(&reason).name(),
            }],
            "usage": Raw(&usage.to_string()),
        }))
    }

    /// The chunk for a block that begins.
    fn block(&mut self, block: ValueRef<'_>, index: u64) -> Option<String> {
        if is_of_type(block, "tool_use") {
            let number = self.calls;
            self.calls += 1;
            self.places.insert(index, number);
            // Most begin with an empty input, whose text follows.
            let arguments = match json::member(block, "input") {
                Some(input) if !input.is_empty() => input_text(block),
                _ => String::new(),
            };
            let text = |name| json::text(block, name).unwrap_or_default();
            let first = Some((text("id"), text("name")));
            return Some(called(number as u64, first, &arguments));
        }
        if is_thought(block) {
            self.thought = serde_json::from_str(json::written(block)).unwrap_or_default();
        }
        let text = json::text(block, "text").filter(|text| !text.is_empty())?;
        is_of_type(block, "text").then(|| said("content", &text))
    }

    fn delta(&mut self, delta: ValueRef<'_>, index: u64) -> Option<String> {
        let text = |name| json::text(delta, name);
        match text("type").as_deref()? {
            "text_delta" => Some(said("content", &text("text")?)),
            "input_json_delta" => {
                let number = *self.places.get(&index)? as u64;
                Some(called(number, None, &text("partial_json")?))
            }
            "thinking_delta" => {
                let text = text("thinking")?;
                self.think("thinking", &text);
                Some(said("reasoning_content", &text))
            }
            "signature_delta" => {
                self.think("signature", &text("signature")?);
                None
            }
            _ => None,
        }
    }

    fn think(&mut self, name: &str, more: &str) {
        if self.thought.is_empty() {
            return;
        }
        let before = self.thought.get(name).and_then(Value::as_str);
        let both = before.unwrap_or_default().to_owned() + more;
        self.thought.insert(name.to_owned(), both.into());
    }
}

fn is_thought(block: ValueRef<'_>) -> bool {
    is_of_type(block, "thinking") || is_of_type(block, "redacted_thinking")
}
