//! Events of a stream that wait for what is undecided in them.

use std::collections::BTreeMap;
use std::ops::Range;

use llmjson::syntax::{JsonOut, JsonText, Raw};
use llmjson_wire::Accumulator;

use super::flow::Flow;
use super::splitter::Piece;
use super::whole::may_finish;
use crate::json::{self, Splice};

/// An event that came, as it goes out once all in it is decided.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// All of it, as it came.
    pub(super) bytes: Vec<u8>,
    pub(super) data: String,
    /// The place of the data in it, if it is one line.
    pub(super) place: Option<Range<usize>>,
    pub(super) slots: Vec<Slot>,
    /// The choices that end with it, and where their reasons stand.
    pub(super) finishes: Vec<(u32, Range<usize>, String)>,
    /// Changes that are known already.
    pub(super) splices: Vec<Splice>,
    /// `true` if there is nothing in it but one piece of a content.
    pub(super) is_plain: bool,
}

/// A piece of a text in an event.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) choice: u32,
    /// The content, or the arguments of the call at this place.
    pub(super) call: Option<usize>,
    pub(super) from: usize,
    pub(super) to: usize,
    /// The place of the JSON value in the data.
    pub(super) place: Option<Range<usize>>,
}

/// The choices of a reply while they come.
pub(super) type Flows = BTreeMap<u32, Flow>;

/// The members that all chunks of a reply have in common.
#[derive(Debug, Default)]
pub(super) struct Common {
    /// Names and values, as JSON.
    pub(super) members: Vec<(&'static str, String)>,
}

impl Common {
    pub(super) const NAMES: [&'static str; 5] =
        ["id", "object", "created", "model", "system_fingerprint"];

    /// Writes an event that adds to a choice.
    pub(super) fn event(&self, choice: u32, content: &str, calls: Vec<Piece>) -> String {
        let data = JsonText::object_of(|out| {
            for (name, value) in &self.members {
                out.member(name, Raw(value));
            }
            out.objects("choices", [()], |(), out| {
                out.name("index");
                out.number(&choice.to_string());
                out.object_in("delta", |out| {
                    if !content.is_empty() {
                        out.member("content", content);
                    }
                    if !calls.is_empty() {
                        out.objects("tool_calls", &calls, |call, out| call.put(out));
                    }
                });
                out.name("finish_reason");
                out.null();
            });
        });
        format!("data: {data}\n\n")
    }
}

impl Pending {
    /// Returns `true` if all in it is decided.
    pub(super) fn is_ready(&self, flows: &Flows) -> bool {
        self.slots.iter().all(|slot| {
            let flow = flows.get(&slot.choice);
            flow.is_none_or(|flow| match slot.call {
                None => flow.content.is_ready(slot.to),
                Some(call) => flow
                    .calls
                    .get(call)
                    .is_none_or(|part| part.is_ready(slot.to)),
            })
        })
    }

    /// Takes off the line feed with which it begins where the blank line before it ended with a carriage return at the
    /// end of a piece.
    pub(super) fn take_line_feed(&mut self) -> bool {
        let is_one = self.bytes.first() == Some(&b'\n');
        if is_one {
            self.bytes.remove(0);
            self.place = self
                .place
                .take()
                .map(|place| place.start - 1..place.end - 1);
        }
        is_one
    }

    /// Writes it as it is decided. Returns `false` if nothing of it is left.
    pub(super) fn write(
        mut self,
        flows: &mut Flows,
        reply: &Accumulator,
        common: &Common,
        out: &mut Vec<u8>,
    ) -> bool {
        let (mut had_text, mut has_text) = (false, false);
        for slot in std::mem::take(&mut self.slots) {
            let Some((flow, state)) = flows.get_mut(&slot.choice).zip(reply.choice(slot.choice))
            else {
                continue;
            };
            let (part, text) = match slot.call {
                None => (Some(&mut flow.content), Some(state.text())),
                Some(call) => {
                    let text = state.tool_calls().get(call).map(|call| call.arguments());
                    (flow.calls.get_mut(call), text)
                }
            };
            let (Some(part), Some(text)) = (part, text) else {
                continue;
            };
            let written = part.take(slot.from, slot.to, text);
            had_text |= slot.from < slot.to;
            has_text |= !written.is_empty();
            let is_same = text.get(slot.from..slot.to) == Some(&*written);
            if let Some(place) = slot.place.filter(|_| !is_same) {
                self.splices.push((place, json::string(&written)));
            }
        }
        for (choice, place, reason) in std::mem::take(&mut self.finishes) {
            let Some(flow) = flows.get_mut(&choice) else {
                continue;
            };
            let (content, calls) = flow.rest();
            if !content.is_empty() || !calls.is_empty() {
                out.extend_from_slice(common.event(choice, &content, calls).as_bytes());
            }
            if flow.lifted > 0 && may_finish(Some(&reason)) {
                self.splices.push((place, "\"tool_calls\"".to_owned()));
            }
        }
        if had_text && !has_text && self.is_plain {
            return false;
        }
        self.put(out);
        true
    }

    fn put(self, out: &mut Vec<u8>) {
        if self.splices.is_empty() {
            out.extend_from_slice(&self.bytes);
            return;
        }
        let data = json::spliced(&self.data, self.splices);
        match self.place {
            Some(place) => {
                out.extend_from_slice(&self.bytes[..place.start]);
                out.extend_from_slice(data.as_bytes());
                out.extend_from_slice(&self.bytes[place.end..]);
            }
            // Data of several lines becomes one.
            None => {
                let data = data.replace(['\n', '\r'], " ");
                out.extend_from_slice(format!("data: {data}\n\n").as_bytes());
            }
        }
    }
}
