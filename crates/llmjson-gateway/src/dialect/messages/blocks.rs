//! Writes streams in this dialect: one block after another.
//!
//! A text block waits with its beginning until it has text, since servers reject empty blocks when
//! a client sends them back, and with its end until the next event, since more may be added. A call
//! whose input is not complete JSON also waits with its end, and so does everything that needs
//! another block.

use std::collections::VecDeque;

use llmjson::syntax::{Document, JsonOut as _, Raw, ValueRef};

use super::parts::{
    Event, Item, Kind, Part, Place, ending, parts_of, put, put_data, put_event, said_of,
};
use super::reply::{Stop, choice_of, is_of_type, message, usage_of};
use crate::dialect::Kept;
use crate::json::{self, Splice};

/// The blocks of a stream as the client has received them.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// `true` if the upstream supports the dialect, so that it also frames the reply.
    pub(super) is_native: bool,
    is_started: bool,
    is_ended: bool,
    /// The number of blocks that have begun.
    count: usize,
    open: Option<Open>,
    /// Parts of other blocks, which wait for the end of the open one.
    waiting: VecDeque<Item>,
    /// The number of pending bytes.
    held: usize,
    /// `true` if the open block must end even if it is incomplete.
    is_forced: bool,
    /// The finish reason, for a chat upstream.
    stop: Option<Stop>,
    usage: Option<String>,
}

/// The block that is open.
#[derive(Debug)]
struct Open {
    /// The original index of the block, if it was received.
    native: Option<u64>,
    kind: Kind,
    /// Its first event, until that is written.
    start: Option<Vec<u8>>,
    /// `true` if part of it was dropped.
    is_lost: bool,
    /// Its last event, once received.
    stop: Option<Vec<u8>>,
    /// Events that are not part of it and wait with it.
    behind: Vec<u8>,
    /// The input so far.
    input: String,
}

impl Blocks {
    /// Returns the number of pending bytes.
    pub(super) fn held(&self) -> usize {
        self.held + self.open.as_ref().map_or(0, |open| open.behind.len())
    }

    /// Writes a received event in its treated form.
    pub(super) fn take(&mut self, kept: Kept, chunk: Option<&str>, out: &mut Vec<u8>) {
        if self.is_ended {
            return out.extend_from_slice(&kept.bytes);
        }
        let document = json::read(kept.data.as_bytes());
        let root = document.as_ref().and_then(Document::root);
        let kind = root.and_then(|root| json::text(root, "type"));
        let place = match kind.as_deref() {
            Some("content_block_start") => Place::Start,
            Some("content_block_delta") => Place::Delta,
            Some("content_block_stop") => Place::Stop,
            Some("message_start") => {
                if !std::mem::replace(&mut self.is_started, true) {
                    out.extend_from_slice(&kept.bytes);
                }
                return;
            }
            Some("message_delta") => {
                self.close(out);
                let splices = root.map(|root| ending(root, &kept.given, chunk));
                let splices = splices.unwrap_or_default();
                return put(&kept, splices, out);
            }
            Some("message_stop" | "error") => {
                self.close(out);
                self.is_ended = true;
                return out.extend_from_slice(&kept.bytes);
            }
            _ => return self.pass(&kept.bytes, out),
        };
        let index = root.and_then(|root| root.get("index")?.as_u64());
        let index = index.unwrap_or_default();
        drop(document);
        let event = Event {
            chunk: chunk.map(str::to_owned),
            kept,
            place,
            index,
        };
        self.enter(Item::Event(Box::new(event)), out);
    }

    /// Writes bytes that no block needs.
    pub(super) fn pass(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.enter(Item::Plain(bytes.to_vec()), out);
    }

    /// Writes a chunk without a received event.
    pub(super) fn add(&mut self, chunk: &str, out: &mut Vec<u8>) {
        let document = json::read(chunk.as_bytes());
        let root = document.as_ref().and_then(Document::root);
        let Some(root) = root.filter(|_| !self.is_ended) else {
            return;
        };
        if !self.is_native {
            self.begin(root, out);
            if let Some(usage) = json::member(root, "usage") {
                self.usage = Some(usage_of(Some(usage)));
            }
        }
        let Some(choice) = choice_of(root) else {
            return;
        };
        for part in Part::of(choice) {
            self.enter(Item::Part(part), out);
        }
        if json::member(choice, "finish_reason").is_some() {
            self.stop = Some(Stop::of(Some(choice)));
        }
    }

    /// Writes the first event of a reply that was converted from chat.
    fn begin(&mut self, chunk: ValueRef<'_>, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.is_started, true) {
            return;
        }
        let message = message(chunk, &[], None, None);
        put_event("message_start", out, |json| {
            json.member("message", Raw(&message))
        });
    }

    /// Ends a reply that was converted from chat; a native reply ends with its own events.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) {
        if self.is_ended {
            return;
        }
        self.close(out);
        if self.is_native {
            return;
        }
        if !self.is_started {
            let error = r#"{"error":{"message":"The upstream ended the reply before it began."}}"#;
            return self.fail(&super::error(None, error.as_bytes()), out);
        }
        self.is_ended = true;
        let stop = self.stop.take().unwrap_or_else(|| Stop::of(None));
        let usage = self.usage.take().unwrap_or_else(|| usage_of(None));
        put_event("message_delta", out, |json| {
            json.object_in("delta", |json| stop.put(json));
            json.member("usage", Raw(&usage));
        });
        put_event("message_stop", out, |_| {});
    }

    /// Ends the stream with an error, without an invented end.
    pub(super) fn fail(&mut self, error: &str, out: &mut Vec<u8>) {
        self.release(true, out);
        if let Some(mut open) = self.open.take() {
            if !open.is_lost {
                out.extend(open.start.take().into_iter().flatten());
            }
            out.extend(
                open.stop
                    .filter(|_| open.start.is_none())
                    .into_iter()
                    .flatten(),
            );
            out.extend(open.behind);
        }
        put_data("error", error, out);
        self.is_ended = true;
    }

    /// Begins to take events of a further reply.
    pub(super) fn again(&mut self, out: &mut Vec<u8>) {
        self.close(out);
        (self.stop, self.usage) = (None, None);
    }

    /// Writes everything pending, and the end of the open block.
    fn close(&mut self, out: &mut Vec<u8>) {
        self.release(true, out);
        self.settle(out);
    }

    /// Takes an item, or queues it.
    fn enter(&mut self, item: Item, out: &mut Vec<u8>) {
        let is_plain = matches!(item, Item::Plain(_));
        let may_go = || self.waiting.is_empty() && (is_plain || self.may_end());
        if !self.is_of_open(&item) && !may_go() {
            self.held += item.bytes();
            return self.waiting.push_back(item);
        }
        self.put_item(item, out);
        self.release(false, out);
    }

    /// Takes pending items as far as possible, or all of them.
    fn release(&mut self, is_forced: bool, out: &mut Vec<u8>) {
        self.is_forced = is_forced;
        while let Some(front) = self.waiting.front() {
            if !self.may_end() && !self.is_of_open(front) {
                break;
            }
            if let Some(front) = self.waiting.pop_front() {
                self.held -= front.bytes();
                self.put_item(front, out);
            }
        }
        self.is_forced = false;
    }

    fn is_of_open(&self, item: &Item) -> bool {
        self.open.as_ref().is_some_and(|open| match item {
            Item::Event(event) => {
                event.place != Place::Start
                    && open.native == Some(event.index)
                    && open.stop.is_none()
            }
            Item::Part(part) => open.kind == part.kind(),
            Item::Plain(_) => false,
        })
    }

    /// Returns `true` if the open block cannot continue.
    fn may_end(&self) -> bool {
        let is_open_call = |open: &Open| {
            let input = serde_json::from_str::<serde::de::IgnoredAny>(&open.input);
            matches!(open.kind, Kind::Call(_)) && input.is_err()
        };
        self.is_forced || !self.open.as_ref().is_some_and(is_open_call)
    }

    fn put_item(&mut self, item: Item, out: &mut Vec<u8>) {
        let is_own = self.is_of_open(&item);
        match item {
            Item::Plain(bytes) => match &mut self.open {
                Some(open) if open.start.is_some() || open.stop.is_some() => {
                    open.behind.extend(bytes);
                }
                _ => out.extend(bytes),
            },
            Item::Part(part) => self.put_part(part, out),
            Item::Event(event) if is_own && event.place == Place::Delta => {
                self.put_delta(&event, out);
            }
            Item::Event(event) if is_own => self.put_stop(&event, out),
            Item::Event(event) => match event.place {
                Place::Start => self.put_start(&event, out),
                // The end of a block that was already ended, or that the client does not receive.
                Place::Stop => {}
                Place::Delta => {
                    for part in event.chunk.as_deref().map(parts_of).unwrap_or_default() {
                        self.put_part(part, out);
                    }
                }
            },
        }
    }

    fn put_start(&mut self, event: &Event, out: &mut Vec<u8>) {
        self.settle(out);
        let document = json::read(event.kept.data.as_bytes());
        let Some(root) = document.as_ref().and_then(Document::root) else {
            return;
        };
        let block = json::member(root, "content_block").unwrap_or(root);
        let parts = event.chunk.as_deref().map(parts_of).unwrap_or_default();
        let mut splices = self.moved(root, event.index);
        let (mut kind, mut input) = (Kind::Other, String::new());
        let mut more = None;
        let text = json::text(block, "text").unwrap_or_default();
        if is_of_type(block, "text") {
            kind = Kind::Text;
            let said = parts.into_iter().find_map(|part| match part {
                Part::Text(text) => Some(text),
                _ => None,
            });
            let said = said.unwrap_or_default();
            if said != text {
                splices.extend(json::set(block, "text", &json::string(&said)));
            }
        } else if is_of_type(block, "tool_use") {
            // A call that the client already has is not announced again.
            let call = parts.into_iter().find_map(|part| match part {
                Part::Call {
                    index,
                    first,
                    input,
                } => Some((index, first, input)),
                _ => None,
            });
            let Some((index, first, given)) = call else {
                return;
            };
            kind = Kind::Call(index);
            let name = first.map(|(_, name)| name);
            if name.is_some() && json::text(block, "name") != name {
                let name = json::string(&name.unwrap_or_default());
                splices.extend(json::set(block, "name", &name));
            }
            if Some(event.kept.given.as_str()) != event.chunk.as_deref() && !given.is_empty() {
                splices.extend(json::set(block, "input", "{}"));
                more = Some(given);
            } else {
                input = given;
            }
        }
        let is_empty = kind == Kind::Text && (text.is_empty() || !splices.is_empty());
        let mut start = Vec::new();
        put(&event.kept, splices, &mut start);
        self.open(Some(event.index), kind, start);
        if let Some(open) = &mut self.open {
            open.input = input;
            open.is_lost = !text.is_empty() && is_empty;
        }
        if !is_empty {
            self.begun(out);
        }
        if let (Some(input), Kind::Call(index)) = (more, kind) {
            let first = None;
            self.put_part(
                Part::Call {
                    index,
                    first,
                    input,
                },
                out,
            );
        }
    }

    fn put_delta(&mut self, event: &Event, out: &mut Vec<u8>) {
        let document = json::read(event.kept.data.as_bytes());
        let Some(root) = document.as_ref().and_then(Document::root) else {
            return;
        };
        let delta = json::member(root, "delta").unwrap_or(root);
        let mut splices = self.moved(root, event.index);
        let name = ["text", "partial_json"].into_iter().find_map(|name| {
            let text = json::text(delta, name)?;
            Some((name, text))
        });
        let mut now = String::new();
        if let Some((name, text)) = name {
            now = match event.chunk.as_deref() {
                Some(chunk) if chunk == event.kept.given => text.clone(),
                chunk => said_of(chunk),
            };
            if now != text && now.is_empty() {
                if let Some(open) = &mut self.open {
                    open.is_lost = true;
                }
                return;
            }
            if now != text {
                splices.extend(json::set(delta, name, &json::string(&now)));
            }
        }
        self.begun(out);
        if let Some(open) = &mut self.open {
            open.input.push_str(&now);
        }
        put(&event.kept, splices, out);
    }

    fn put_stop(&mut self, event: &Event, out: &mut Vec<u8>) {
        let document = json::read(event.kept.data.as_bytes());
        let root = document.as_ref().and_then(Document::root);
        let mut stop = Vec::new();
        let splices = root.map(|root| self.moved(root, event.index));
        put(&event.kept, splices.unwrap_or_default(), &mut stop);
        let may_end = self.may_end();
        let Some(open) = &mut self.open else {
            return;
        };
        if open.start.is_some() && open.is_lost {
            return self.settle(out);
        }
        open.stop = Some(stop);
        let is_text = open.kind == Kind::Text;
        self.begun(out);
        if may_end && !is_text {
            self.settle(out);
        }
    }

    fn put_part(&mut self, part: Part, out: &mut Vec<u8>) {
        let kind = part.kind();
        if self.open.as_ref().is_none_or(|open| open.kind != kind) {
            let Some(block) = part.block() else {
                // A piece of a call that has ended: nothing more to write.
                return;
            };
            // The addition replaces the text of a block that has none yet.
            if let Some(open) = &mut self.open {
                open.is_lost |= open.stop.is_none();
            }
            self.settle(out);
            let mut start = Vec::new();
            put_event("content_block_start", &mut start, |json| {
                json.member("index", self.count);
                json.member("content_block", Raw(&block));
            });
            self.open(None, kind, start);
        }
        self.begun(out);
        let (name, member, text) = match &part {
            Part::Text(text) => ("text_delta", "text", text),
            Part::Thought(text) => ("thinking_delta", "thinking", text),
            Part::Call { input, .. } => ("input_json_delta", "partial_json", input),
        };
        if text.is_empty() {
            return;
        }
        if let (Kind::Call(_), Some(open)) = (kind, &mut self.open) {
            open.input.push_str(text);
        }
        let index = self.count - 1;
        put_event("content_block_delta", out, |json| {
            json.member("index", index);
            json.object_in("delta", |json| {
                json.member("type", name);
                json.member(member, text);
            });
        });
    }

    fn open(&mut self, native: Option<u64>, kind: Kind, start: Vec<u8>) {
        self.open = Some(Open {
            native,
            kind,
            start: Some(start),
            is_lost: false,
            stop: None,
            behind: Vec::new(),
            input: String::new(),
        });
    }

    /// Writes the beginning of the open block, if not yet written.
    fn begun(&mut self, out: &mut Vec<u8>) {
        if let Some(open) = &mut self.open
            && let Some(start) = open.start.take()
        {
            self.count += 1;
            out.extend(start);
            out.append(&mut open.behind);
        }
    }

    /// Writes the end of the open block, if it has begun.
    fn settle(&mut self, out: &mut Vec<u8>) {
        if self.open.as_ref().is_some_and(|open| !open.is_lost) {
            self.begun(out);
        }
        let Some(open) = self.open.take() else {
            return;
        };
        if open.start.is_none() {
            match open.stop {
                Some(stop) => out.extend(stop),
                None => {
                    let index = self.count - 1;
                    put_event("content_block_stop", out, |json| {
                        json.member("index", index)
                    });
                }
            }
        }
        out.extend(open.behind);
    }

    /// Changes the index of an event, if the client knows its block by another one.
    fn moved(&self, root: ValueRef<'_>, index: u64) -> Vec<Splice> {
        let is_begun = self.open.as_ref().is_some_and(|open| open.start.is_none());
        let now = self.count - usize::from(is_begun);
        match now as u64 == index {
            true => Vec::new(),
            false => json::set(root, "index", &now.to_string())
                .into_iter()
                .collect(),
        }
    }
}
