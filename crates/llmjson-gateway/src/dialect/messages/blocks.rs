//! Writes streams in this dialect: one block after another.
//!
//! A text block waits with its beginning until it has text, since servers reject empty blocks when
//! a client sends them back, and with its end until the next event, since more may be added. A call
//! whose input is not complete JSON also waits with its end, and so does everything that needs
//! another block.

use std::collections::VecDeque;

use llmjson::syntax::{Document, Raw, json_object};

use super::parts::{Item, Kind, Part, Place, put_own};
use super::reply::{Stop, message, set_end, usage_of};
use crate::dialect::Kept;
use crate::json;
use crate::received::{Received, put_event};

/// The blocks of a stream as the client has received them.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// `true` if the upstream supports the dialect, so that it also frames the reply.
    pub(super) is_native: bool,
    phase: Phase,
    /// The number of blocks that have begun.
    count: usize,
    open: Option<Open>,
    /// Parts of other blocks, which wait for the end of the open one.
    waiting: VecDeque<Item>,
    /// The number of pending bytes.
    held: usize,
    /// The finish reason, for a chat upstream.
    stop: Option<Stop>,
    usage: Option<String>,
}

/// The part of a reply that the client has received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Nothing,
    /// The first event.
    Begun,
    /// The last event, or an error.
    Ended,
}

/// The block that is open.
#[derive(Debug)]
struct Open {
    /// The original index of the block, if it was received.
    native: Option<u64>,
    kind: Kind,
    stage: Stage,
    /// Events that are not part of it and wait with it.
    behind: Vec<u8>,
    /// The input so far.
    input: String,
}

/// The events of the open block that the client has received.
#[derive(Debug)]
enum Stage {
    /// None: the first event, given here, waits for a text.
    Waiting(Vec<u8>),
    /// None: the first event, given here, is dropped unless a text follows, since the block's own text
    /// was dropped.
    Emptied(Vec<u8>),
    /// The beginning.
    Sent,
    /// All except the last event, given here, since more may be added.
    Ending(Vec<u8>),
}

impl Blocks {
    /// Returns the number of pending bytes.
    pub(super) fn held(&self) -> usize {
        self.held + self.open.as_ref().map_or(0, |open| open.behind.len())
    }

    /// Writes a received event in its treated form.
    pub(super) fn take(&mut self, mut kept: Kept, chunk: Option<&str>, out: &mut Vec<u8>) {
        if self.phase == Phase::Ended {
            return kept.event.put(out);
        }
        let data = kept.event.data.written().into_owned();
        let document = json::read(data.as_bytes());
        let root = document.as_ref().and_then(Document::root);
        let kind = root.and_then(|root| json::text(root, "type"));
        let kind = kind.as_deref().unwrap_or_default();
        if let Some((root, place)) = root.zip(Place::named(kind)) {
            if let Some(part) = Part::received(kept, root, chunk, place) {
                self.enter(Item::Part(Box::new(part)), out);
            }
            return;
        }
        match kind {
            "message_start" if self.phase == Phase::Begun => return,
            "message_start" => self.phase = Phase::Begun,
            "message_delta" => {
                self.close(out);
                let chunks = [Some(&*kept.given), chunk].map(|one| json::read(one?.as_bytes()));
                if let [Some(given), Some(treated)] = &chunks
                    && let Some((given, treated)) = given.root().zip(treated.root())
                {
                    set_end(&mut kept.event.data, Some("delta"), given, treated);
                }
            }
            "message_stop" | "error" => {
                self.close(out);
                self.phase = Phase::Ended;
            }
            _ => return self.pass(&kept.event.bytes, out),
        }
        kept.event.put(out);
    }

    /// Writes bytes that no block needs.
    pub(super) fn pass(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.enter(Item::Plain(bytes.to_vec()), out);
    }

    /// Writes a chunk without a received event.
    pub(super) fn add(&mut self, chunk: &str, out: &mut Vec<u8>) {
        let document = json::read(chunk.as_bytes());
        let root = document.as_ref().and_then(Document::root);
        let Some(root) = root.filter(|_| self.phase != Phase::Ended) else {
            return;
        };
        if !self.is_native {
            if self.phase == Phase::Nothing {
                self.phase = Phase::Begun;
                let message = message(root, None, None);
                let event = json_object!("type": "message_start", "message": Raw(&message));
                put_own("message_start", &event, out);
            }
            if let Some(usage) = json::member(root, "usage") {
                self.usage = Some(usage_of(Some(usage)));
            }
        }
        let Some(choice) = json::choice(root) else {
            return;
        };
        for part in Part::of(choice) {
            self.enter(Item::Part(Box::new(part)), out);
        }
        if json::member(choice, "finish_reason").is_some() {
            self.stop = Some(Stop::of(Some(choice)));
        }
    }

    /// Ends a reply that was converted from chat; a native reply ends with its own events.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) {
        if self.phase == Phase::Ended {
            return;
        }
        self.close(out);
        if self.is_native {
            return;
        }
        if self.phase == Phase::Nothing {
            let error = b"The upstream ended the reply before it began.";
            return self.fail(&super::error(None, error), out);
        }
        self.phase = Phase::Ended;
        let stop = self.stop.take().unwrap_or_else(|| Stop::of(None));
        let usage = self.usage.take().unwrap_or_else(|| usage_of(None));
        let event = json_object!({
            "type": "message_delta",
            "delta": { ..stop.members() },
            "usage": Raw(&usage),
        });
        put_own("message_delta", &event, out);
        put_own("message_stop", &json_object!("type": "message_stop"), out);
    }

    /// Ends the stream with an error, without an invented end.
    pub(super) fn fail(&mut self, error: &str, out: &mut Vec<u8>) {
        self.release(true, out);
        if let Some(open) = self.open.take() {
            if let Stage::Waiting(event) | Stage::Ending(event) = open.stage {
                out.extend(event);
            }
            out.extend(open.behind);
        }
        put_event(Some(b"error"), error, out);
        self.phase = Phase::Ended;
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
        while let Some(front) = self.waiting.front() {
            if !is_forced && !self.may_end() && !self.is_of_open(front) {
                break;
            }
            if let Some(front) = self.waiting.pop_front() {
                self.held -= front.bytes();
                self.put_item(front, out);
            }
        }
    }

    fn is_of_open(&self, item: &Item) -> bool {
        match (&self.open, item) {
            (Some(open), Item::Part(part)) => match &part.own {
                Some(own) => {
                    part.place != Place::Start
                        && open.native == Some(own.index)
                        && !matches!(open.stage, Stage::Ending(_))
                }
                None => open.kind == part.kind,
            },
            _ => false,
        }
    }

    /// Returns `true` if the open block cannot continue.
    fn may_end(&self) -> bool {
        let is_open_call =
            |open: &Open| matches!(open.kind, Kind::Call(_)) && !json::is_json(&open.input);
        !self.open.as_ref().is_some_and(is_open_call)
    }

    fn put_item(&mut self, item: Item, out: &mut Vec<u8>) {
        let is_own = self.is_of_open(&item);
        match (item, &mut self.open) {
            (Item::Plain(bytes), Some(open)) if !matches!(open.stage, Stage::Sent) => {
                open.behind.extend(bytes);
            }
            (Item::Plain(bytes), _) => out.extend(bytes),
            (Item::Part(part), _) => match part.place {
                Place::Start => self.start(*part, out),
                Place::Delta if is_own => self.put_delta(*part, out),
                Place::Delta => self.put_added(*part, out),
                Place::Stop if is_own => self.put_stop(*part, out),
                // The end of a block that was already ended, or that the client does not receive.
                Place::Stop => {}
            },
        }
    }

    /// Opens a block.
    fn start(&mut self, mut part: Part, out: &mut Vec<u8>) {
        self.settle(out);
        let own = part
            .own
            .as_ref()
            .map(|own| (own.index, own.is_same, own.text_in.is_some()));
        let mut event = self.event_of(&mut part);
        let (mut text, mut more) = (part.text, String::new());
        if let Some(block) = event.data.get("content_block")
            && let Some((_, false, _)) = own
        {
            match part.kind {
                Kind::Text => block.set_text("text", &text),
                Kind::Call(_) => {
                    if let Some((_, name)) = &part.first {
                        block.set_text("name", name);
                    }
                    if !text.is_empty() {
                        block.set("input", "{}");
                        more = std::mem::take(&mut text);
                    }
                }
                _ => {}
            }
        }
        let is_waiting = own.is_none() || part.kind == Kind::Text && text.is_empty();
        let mut start = Vec::new();
        event.put(&mut start);
        self.open = Some(Open {
            native: own.map(|(index, ..)| index),
            kind: part.kind,
            stage: match own {
                Some((_, false, true)) if is_waiting => Stage::Emptied(start),
                _ => Stage::Waiting(start),
            },
            behind: Vec::new(),
            input: text,
        });
        if !is_waiting {
            self.begin(out);
        }
        if !more.is_empty() {
            self.put_delta(Part::new(part.kind, more), out);
        }
    }

    /// Adds to the open block.
    fn put_delta(&mut self, mut part: Part, out: &mut Vec<u8>) {
        let is_made = part.own.is_none();
        let text_in = match &part.own {
            Some(own) => own.text_in.filter(|_| !own.is_same),
            None => Some(part.kind.delta().1),
        };
        if !is_made && text_in.is_some() && part.text.is_empty() {
            return self.empty();
        }
        self.begin(out);
        if is_made && part.text.is_empty() {
            return;
        }
        let mut event = self.event_of(&mut part);
        if let Some((delta, name)) = event.data.get("delta").zip(text_in) {
            delta.set_text(name, &part.text);
        }
        event.put(out);
        if let Some(open) = &mut self.open
            && matches!(open.kind, Kind::Call(_))
        {
            open.input.push_str(&part.text);
        }
    }

    /// Adds a text to the open block if it is of its kind, or to a new one.
    fn put_added(&mut self, mut part: Part, out: &mut Vec<u8>) {
        part.own = None;
        if self.open.as_ref().is_none_or(|open| open.kind != part.kind) {
            let Some(start) = part.start() else {
                // A piece of a call that has ended: nothing more to write.
                return;
            };
            self.empty();
            self.start(start, out);
        }
        self.put_delta(part, out);
    }

    /// Keeps the end of the open block until the next event, if more may be added.
    fn put_stop(&mut self, mut part: Part, out: &mut Vec<u8>) {
        let mut stop = Vec::new();
        self.event_of(&mut part).put(&mut stop);
        let may_end = self.may_end();
        self.begin_unless_empty(out);
        if let Some(open) = &mut self.open
            && matches!(open.stage, Stage::Sent)
        {
            open.stage = Stage::Ending(stop);
            if !may_end || open.kind == Kind::Text {
                return;
            }
        }
        self.settle(out);
    }

    /// Drops the beginning of the open block, if that was not sent, unless a text follows.
    fn empty(&mut self) {
        if let Some(open) = &mut self.open
            && let Stage::Waiting(start) = &mut open.stage
        {
            open.stage = Stage::Emptied(std::mem::take(start));
        }
    }

    /// Writes the beginning of the open block, if not yet written.
    fn begin(&mut self, out: &mut Vec<u8>) {
        if let Some(open) = &mut self.open
            && let Stage::Waiting(start) | Stage::Emptied(start) = &mut open.stage
        {
            self.count += 1;
            out.append(start);
            out.append(&mut open.behind);
            open.stage = Stage::Sent;
        }
    }

    fn begin_unless_empty(&mut self, out: &mut Vec<u8>) {
        let stage = self.open.as_ref().map(|open| &open.stage);
        if matches!(stage, Some(Stage::Waiting(_))) {
            self.begin(out);
        }
    }

    /// Writes the end of the open block, if it has begun.
    fn settle(&mut self, out: &mut Vec<u8>) {
        self.begin_unless_empty(out);
        let Some(open) = self.open.take() else {
            return;
        };
        match open.stage {
            Stage::Waiting(_) | Stage::Emptied(_) => {}
            Stage::Sent => {
                let index = self.count - 1;
                let name = Place::Stop.name();
                put_own(name, &json_object!("type": name, "index": index), out);
            }
            Stage::Ending(stop) => out.extend(stop),
        }
        out.extend(open.behind);
    }

    /// Takes the event of a part, with the index by which the client knows its block.
    fn event_of(&self, part: &mut Part) -> Received {
        let stage = self.open.as_ref().map(|open| &open.stage);
        let is_begun = matches!(stage, Some(Stage::Sent | Stage::Ending(_)));
        let index = self.count - usize::from(is_begun);
        let native = part.own.as_ref().map(|own| own.index);
        let mut event = part.take_event();
        if native != Some(index as u64) {
            event.data.set("index", index.to_string());
        }
        event
    }
}
