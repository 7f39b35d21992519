//! Parts of a stream in this dialect: events, received or made from chat.

use llmjson::syntax::{Document, Raw, ValueRef, json_object};

use super::reply::{called, is_of_type, text_block, thought_block, tool_block};
use crate::dialect::Kept;
use crate::json;
use crate::received::{Received, put_event};

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Thought,
    /// The call with this index in chat.
    Call(u64),
    Other,
}

/// An event of a block, or bytes that no block needs.
#[derive(Debug)]
pub(super) enum Item {
    Part(Box<Part>),
    /// A comment, or an event of no block.
    Plain(Vec<u8>),
}

/// The position of an event in its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Start,
    Delta,
    Stop,
}

/// An event of a block.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) place: Place,
    pub(super) kind: Kind,
    /// The id and the name of a call that begins.
    pub(super) first: Option<(String, String)>,
    /// The text, or the piece of an input, for the client.
    pub(super) text: String,
    /// The received event; `None` for a part made from chat.
    pub(super) own: Option<Own>,
}

/// A received event of a block.
#[derive(Debug)]
pub(super) struct Own {
    pub(super) event: Received,
    /// The original index of its block.
    pub(super) index: u64,
    /// `true` if its text is unchanged.
    pub(super) is_same: bool,
    /// The member with its text; `None` if it has none.
    pub(super) text_in: Option<&'static str>,
}

impl Part {
    /// Returns a received event in its treated form; `None` if nothing of it is left.
    pub(super) fn received(
        kept: Kept,
        root: ValueRef<'_>,
        chunk: Option<&str>,
        place: Place,
    ) -> Option<Self> {
        let mut parts = chunk.map(parts_of).unwrap_or_default().into_iter();
        let mut part = parts
            .next()
            .unwrap_or_else(|| Self::new(Kind::Other, String::new()));
        part.place = place;
        let inner = match place {
            Place::Start => json::member(root, "content_block"),
            _ => json::member(root, "delta"),
        };
        let inner = inner.unwrap_or(root);
        if place == Place::Start {
            part.kind = match part.kind {
                _ if is_of_type(inner, "text") => Kind::Text,
                Kind::Call(index) => Kind::Call(index),
                // A call that the client already has is not announced again.
                _ if is_of_type(inner, "tool_use") => return None,
                _ => Kind::Other,
            };
        }
        let has_text = |name: &&str| {
            json::text(inner, name).is_some_and(|text| place == Place::Delta || !text.is_empty())
        };
        let index = root.get("index").and_then(ValueRef::as_u64);
        part.own = Some(Own {
            is_same: chunk == Some(&kept.given),
            event: kept.event,
            index: index.unwrap_or_default(),
            text_in: ["text", "partial_json"].into_iter().find(has_text),
        });
        Some(part)
    }

    pub(super) fn new(kind: Kind, text: String) -> Self {
        Self {
            place: Place::Delta,
            kind,
            first: None,
            text,
            own: None,
        }
    }

    /// The parts of a chunk.
    pub(super) fn of(choice: ValueRef<'_>) -> Vec<Self> {
        let Some(delta) = json::member(choice, "delta") else {
            return Vec::new();
        };
        let text = |name| json::text(delta, name).filter(|text| !text.is_empty());
        let thought = text("reasoning_content").or_else(|| text("reasoning"));
        let thought = thought.map(|text| Self::new(Kind::Thought, text));
        let said = ["content", "refusal"].into_iter().filter_map(text);
        let said = said.map(|text| Self::new(Kind::Text, text));
        let calls = json::calls(delta).map(|call| {
            let (name, input) = called(call);
            let index = call.get("index").and_then(ValueRef::as_u64);
            let id = json::text(call, "id").unwrap_or_default();
            let kind = Kind::Call(index.unwrap_or_default());
            Self {
                first: name.filter(|name| !name.is_empty()).map(|name| (id, name)),
                ..Self::new(kind, input.unwrap_or_default())
            }
        });
        thought.into_iter().chain(said).chain(calls).collect()
    }

    /// Returns the event that begins its block; `None` if it cannot begin one.
    pub(super) fn start(&mut self) -> Option<Self> {
        let first = self.first.take();
        let can_begin = match self.kind {
            Kind::Text | Kind::Thought => true,
            Kind::Call(_) => first.is_some(),
            Kind::Other => false,
        };
        can_begin.then(|| Self {
            place: Place::Start,
            first,
            ..Self::new(self.kind, String::new())
        })
    }

    /// Takes its event: as received, or a new one.
    pub(super) fn take_event(&mut self) -> Received {
        if let Some(own) = self.own.take() {
            return own.event;
        }
        let name = self.place.name();
        let data = match self.place {
            Place::Start => {
                json_object!("type": name, "index": 0_u32, "content_block": Raw(&self.block()))
            }
            Place::Delta => {
                json_object!("type": name, "index": 0_u32, "delta": { "type": self.kind.delta().0 })
            }
            Place::Stop => json_object!("type": name, "index": 0_u32),
        };
        Received::new(name, data)
    }

    fn block(&self) -> String {
        match (self.kind, &self.first) {
            (Kind::Thought, _) => thought_block(""),
            (Kind::Call(_), Some((id, name))) => tool_block(id, name, "{}"),
            _ => text_block(""),
        }
    }

    fn bytes(&self) -> usize {
        let own = self.own.as_ref();
        own.map_or(self.text.len(), |own| own.event.bytes.len())
    }
}

impl Place {
    /// Returns the place of events of a type.
    pub(super) fn named(name: &str) -> Option<Self> {
        let mut all = [Self::Start, Self::Delta, Self::Stop].into_iter();
        all.find(|place| place.name() == name)
    }

    /// The type of the event.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Start => "content_block_start",
            Self::Delta => "content_block_delta",
            Self::Stop => "content_block_stop",
        }
    }
}

impl Kind {
    /// The type of a delta, and the member with its text.
    pub(super) const fn delta(self) -> (&'static str, &'static str) {
        match self {
            Self::Text | Self::Other => ("text_delta", "text"),
            Self::Thought => ("thinking_delta", "thinking"),
            Self::Call(_) => ("input_json_delta", "partial_json"),
        }
    }
}

impl Item {
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Part(part) => part.bytes(),
            Self::Plain(bytes) => bytes.len(),
        }
    }
}

fn parts_of(chunk: &str) -> Vec<Part> {
    let document = json::read(chunk.as_bytes());
    let root = document.as_ref().and_then(Document::root);
    root.and_then(json::choice)
        .map(Part::of)
        .unwrap_or_default()
}

/// Writes an event that was not received.
pub(super) fn put_own(name: &str, data: &str, out: &mut Vec<u8>) {
    put_event(Some(name.as_bytes()), data, out);
}
