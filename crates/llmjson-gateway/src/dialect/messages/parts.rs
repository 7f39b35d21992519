//! Parts of a stream in this dialect: received events, and parts to write without one.

use llmjson::syntax::{Document, JsonOut as _, JsonText, ValueRef};

use super::reply::{
    called, calls_of, choice_of, stop_reason, text_block, thought_block, tool_block,
};
use crate::dialect::Kept;
use crate::json::{self, Splice};

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Thought,
    /// The call with this index in chat.
    Call(u64),
    Other,
}

/// An event, or a part without an event.
#[derive(Debug)]
pub(super) enum Item {
    Event(Box<Event>),
    Part(Part),
    /// A comment, or an event that no block needs.
    Plain(Vec<u8>),
}

/// A block's event, with its treated form.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) kept: Kept,
    pub(super) chunk: Option<String>,
    pub(super) place: Place,
    /// The original index of its block.
    pub(super) index: u64,
}

/// The position of an event in its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Start,
    Delta,
    Stop,
}

/// A part of a block.
#[derive(Debug)]
pub(super) enum Part {
    Text(String),
    Thought(String),
    Call {
        index: u64,
        /// The id and the name, for a call that begins.
        first: Option<(String, String)>,
        input: String,
    },
}

impl Part {
    pub(super) const fn kind(&self) -> Kind {
        match self {
            Self::Text(_) => Kind::Text,
            Self::Thought(_) => Kind::Thought,
            Self::Call { index, .. } => Kind::Call(*index),
        }
    }

    /// The block that begins with it; `None` for a further piece of a call.
    pub(super) fn block(&self) -> Option<String> {
        Some(match self {
            Self::Text(_) => text_block(""),
            Self::Thought(_) => thought_block(""),
            Self::Call { first, .. } => {
                let (id, name) = first.as_ref()?;
                tool_block(&json::string(id), &json::string(name), "{}")
            }
        })
    }

    /// The parts of a chunk.
    pub(super) fn of(choice: ValueRef<'_>) -> Vec<Self> {
        let Some(delta) = json::member(choice, "delta") else {
            return Vec::new();
        };
        let text = |name| json::text(delta, name).filter(|text| !text.is_empty());
        let thought = text("reasoning_content").or_else(|| text("reasoning"));
        let mut parts: Vec<Self> = thought.map(Self::Thought).into_iter().collect();
        let said = ["content", "refusal"].into_iter().filter_map(text);
        parts.extend(said.map(Self::Text));
        parts.extend(calls_of(delta).map(|call| {
            let (name, input) = called(call);
            let index = call.get("index").and_then(ValueRef::as_u64);
            let id = json::text(call, "id").unwrap_or_default();
            Self::Call {
                index: index.unwrap_or_default(),
                first: name.filter(|name| !name.is_empty()).map(|name| (id, name)),
                input: input.unwrap_or_default(),
            }
        }));
        parts
    }
}

impl Item {
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Event(event) => event.kept.bytes.len(),
            Self::Part(Part::Text(text) | Part::Thought(text)) => text.len(),
            Self::Part(Part::Call { input, .. }) => input.len(),
            Self::Plain(bytes) => bytes.len(),
        }
    }
}

pub(super) fn parts_of(chunk: &str) -> Vec<Part> {
    let document = json::read(chunk.as_bytes());
    let root = document.as_ref().and_then(Document::root);
    root.and_then(choice_of).map(Part::of).unwrap_or_default()
}

/// The text, or the piece of an input, of a chunk that has one.
pub(super) fn said_of(chunk: Option<&str>) -> String {
    let parts = chunk.map(parts_of).unwrap_or_default().into_iter();
    let said = parts.filter_map(|part| match part {
        Part::Text(text) | Part::Call { input: text, .. } => Some(text),
        Part::Thought(_) => None,
    });
    said.collect()
}

/// The changes to the event with the finish reason.
pub(super) fn ending(root: ValueRef<'_>, given: &str, chunk: Option<&str>) -> Vec<Splice> {
    let mut splices = Vec::new();
    let chunk = chunk.filter(|chunk| *chunk != given);
    let (given, chunk) = (
        json::read(given.as_bytes()),
        chunk.and_then(|chunk| json::read(chunk.as_bytes())),
    );
    let given = given.as_ref().and_then(Document::root);
    let Some((given, chunk)) = given.zip(chunk.as_ref().and_then(Document::root)) else {
        return splices;
    };
    let finish = |chunk| choice_of(chunk).and_then(|choice| json::text(choice, "finish_reason"));
    if let (Some(finish), Some(delta)) = (
        finish(chunk).filter(|reason| finish(given).as_ref() != Some(reason)),
        json::member(root, "delta"),
    ) {
        let reason = json::string(stop_reason(&finish));
        splices.extend(json::set(delta, "stop_reason", &reason));
    }
    let usage = |chunk| json::member(chunk, "usage").map(json::written);
    if let Some(sum) = usage(chunk).filter(|sum| usage(given) != Some(sum)) {
        splices.extend(json::set(root, "usage", sum));
    }
    splices
}

pub(super) fn put(kept: &Kept, splices: Vec<Splice>, out: &mut Vec<u8>) {
    match splices.is_empty() {
        true => out.extend_from_slice(&kept.bytes),
        false => kept.put_with(&json::spliced(&kept.data, splices), out),
    }
}

/// Writes an event, whose data has its name and some members.
pub(super) fn put_event(name: &str, out: &mut Vec<u8>, members: impl FnOnce(&mut JsonText<'_>)) {
    let data = JsonText::object_of(|json| {
        json.member("type", name);
        members(json);
    });
    put_data(name, &data, out);
}

/// Writes an event with its data.
pub(super) fn put_data(name: &str, data: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("event: {name}\ndata: {data}\n\n").as_bytes());
}
