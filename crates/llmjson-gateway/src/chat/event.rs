//! Events of a stream that wait until all their parts are decided.

use std::collections::BTreeMap;
use std::ops::Range;

use llmjson::syntax::{Document, JsonOut, JsonText, Raw};
use llmjson_wire::Accumulator;

use super::flow::Flow;
use super::splitter::Piece;
use crate::json::{self, Splice};

/// A received event, sent once all its parts are decided.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// The whole event as received.
    pub(super) bytes: Vec<u8>,
    pub(super) data: String,
    /// The range of the data in it, if it is one line.
    pub(super) place: Option<Range<usize>>,
    pub(super) slots: Vec<Slot>,
    /// The ranges that add to each of several choices, and whether its role is set.
    pub(super) deltas: Vec<(u32, Range<usize>, bool)>,
    /// The choices that end with it, and the ranges of their finish reasons.
    pub(super) finishes: Vec<(u32, Range<usize>, String)>,
    /// Changes already determined.
    pub(super) splices: Vec<Splice>,
    /// `true` if it holds only one piece of content.
    pub(super) is_plain: bool,
    /// `true` if it holds nothing for the client.
    pub(super) is_nothing: bool,
}

/// A piece of a text in an event.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) choice: u32,
    /// The content, or the arguments of the call at this index.
    pub(super) call: Option<usize>,
    pub(super) from: usize,
    pub(super) to: usize,
    /// The range of the JSON value in the data.
    pub(super) place: Option<Range<usize>>,
    /// The range of the content's token probabilities.
    pub(super) logprobs: Option<Range<usize>>,
    /// The range of the call's name, in the first entry that has one.
    pub(super) name: Option<Range<usize>>,
    /// `true` for arguments that are not a string, although the client's must be.
    pub(super) is_json: bool,
}

/// The choices of a reply during streaming.
pub(super) type Flows = BTreeMap<u32, Flow>;

/// The members common to all chunks of a reply.
#[derive(Debug, Default)]
pub(super) struct Common {
    /// Names and values, as JSON.
    pub(super) members: Vec<(&'static str, String)>,
}

impl Common {
    pub(super) const NAMES: [&'static str; 5] =
        ["id", "object", "created", "model", "system_fingerprint"];

    /// Writes an event that adds to a choice or ends it.
    pub(super) fn event(
        &self,
        choice: u32,
        content: &str,
        calls: &[Piece],
        finish: Option<&str>,
    ) -> String {
        self.chunk(|out| {
            out.objects("choices", [()], |(), out| {
                out.name("index");
                out.number(&choice.to_string());
                out.object_in("delta", |out| {
                    if !content.is_empty() {
                        out.member("content", content);
                    }
                    if !calls.is_empty() {
                        out.objects("tool_calls", calls, |call, out| call.put_delta(out));
                    }
                });
                out.member("finish_reason", finish);
            });
        })
    }

    /// Writes an event with the usage.
    pub(super) fn usage(&self, usage: &str) -> String {
        self.chunk(|out| {
            out.list("choices", [(); 0], |(), _| {});
            out.member("usage", Raw(usage));
        })
    }

    fn chunk(&self, write: impl FnOnce(&mut JsonText<'_>)) -> String {
        let data = JsonText::object_of(|out| {
            for (name, value) in &self.members {
                out.member(name, Raw(value));
            }
            write(out);
        });
        format!("data: {data}\n\n")
    }
}

impl Pending {
    /// Returns `true` if all its parts are decided. More text may follow a finish reason until the
    /// whole reply has ended.
    pub(super) fn is_ready(&self, flows: &Flows) -> bool {
        let is_ended =
            |(choice, ..): &(u32, _, _)| flows.get(choice).is_none_or(|flow| flow.is_finished);
        self.finishes.iter().all(is_ended)
            && self.slots.iter().all(|slot| {
                let flow = flows.get(&slot.choice);
                flow.is_none_or(|flow| match slot.call {
                    None => flow.content.is_ready(slot.to),
                    Some(call) => flow
                        .calls
                        .get(call)
                        .is_none_or(|call| call.is_ready(slot.to)),
                })
            })
    }

    /// Removes the leading line feed, if the blank line before it ended with a carriage return at
    /// the end of a piece.
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

    /// Gives the only choice of a further reply its index for the client.
    pub(super) fn renumber(&mut self, index: u32) {
        let document = json::read(self.data.as_bytes());
        let root = document.as_ref().and_then(Document::root);
        let choice = root.and_then(|root| json::member(root, "choices")?.items().next());
        if let Some(splice) =
            choice.and_then(|choice| json::set(choice, "index", &index.to_string()))
            && self.data[splice.0.clone()] != splice.1
        {
            let data = json::spliced(&self.data, vec![splice]);
            self.replace(data);
        }
    }

    /// Removes the usage, which the client is sent later.
    pub(super) fn hide_usage(&mut self) {
        let document = json::read(self.data.as_bytes());
        let Some(root) = document.as_ref().and_then(Document::root) else {
            return;
        };
        if let Some((place, hidden)) = json::set(root, "usage", "null") {
            self.splices.retain(|splice| splice.0 != place);
            self.splices.push((place, hidden));
        }
        self.is_nothing = json::member(root, "choices").is_none_or(|list| list.is_empty());
    }

    /// Removes the finish reasons of a choice that continues. Returns `true` if there was one.
    pub(super) fn go_on(&mut self, choice: u32) -> bool {
        let early = self.finishes.extract_if(.., |(ended, ..)| *ended == choice);
        let early = early.map(|(_, place, _)| (place, "null".to_owned()));
        let before = self.splices.len();
        self.splices.extend(early);
        self.splices.len() > before
    }

    /// Removes additions to abandoned choices. Returns `false` if nothing is left.
    fn leave(&mut self, flows: &mut Flows, reply: &Accumulator) -> bool {
        let mut is_nothing = !self.deltas.is_empty();
        for (choice, place, has_role) in std::mem::take(&mut self.deltas) {
            let flow = flows.get_mut(&choice).filter(|flow| flow.is_left);
            let Some((flow, state)) = flow.zip(reply.choice(choice)) else {
                is_nothing = false;
                continue;
            };
            let slots = self.slots.extract_if(.., |slot| slot.choice == choice);
            let slots = slots.filter(|slot| slot.call.is_none());
            let content: String = slots
                .map(|slot| flow.content.take(slot.from, slot.to, state.text()))
                .collect();
            let delta = JsonText::object_of(|out| {
                if has_role {
                    out.member("role", "assistant");
                }
                if !content.is_empty() {
                    out.member("content", content.as_str());
                }
            });
            is_nothing &= content.is_empty() && !has_role;
            let is_in =
                |splice: &Splice| place.start <= splice.0.start && splice.0.end <= place.end;
            self.splices.retain(|splice| !is_in(splice));
            self.splices.push((place, delta));
            for (_, place, _) in self.finishes.extract_if(.., |(ended, ..)| *ended == choice) {
                self.splices.push((place, "null".to_owned()));
            }
        }
        !is_nothing && !self.is_nothing
    }

    /// Writes it as decided. Returns `false` if nothing of it is left.
    pub(super) fn write(
        mut self,
        flows: &mut Flows,
        reply: &Accumulator,
        common: &Common,
        out: &mut Vec<u8>,
    ) -> bool {
        let (mut had_text, mut has_text) = (false, false);
        if !self.leave(flows, reply) {
            return false;
        }
        for slot in std::mem::take(&mut self.slots) {
            let Some((flow, state)) = flows.get_mut(&slot.choice).zip(reply.choice(slot.choice))
            else {
                continue;
            };
            let (part, text) = match slot.call {
                None => (&mut flow.content, state.text()),
                Some(place) => {
                    let call = flow.calls.get_mut(place).zip(state.tool_calls().get(place));
                    let Some((part, call)) = call else {
                        continue;
                    };
                    let name = part.name.as_deref().map(json::string);
                    let named = slot.name.zip(name);
                    let is_other =
                        |(place, name): &(Range<usize>, String)| self.data[place.clone()] != **name;
                    self.splices.extend(named.filter(is_other));
                    (&mut part.arguments, call.arguments())
                }
            };
            let written = part.take(slot.from, slot.to, text);
            had_text |= slot.from < slot.to;
            has_text |= !written.is_empty();
            let is_same = !slot.is_json && text.get(slot.from..slot.to) == Some(&*written);
            if let Some(place) = slot
                .logprobs
                .filter(|_| !is_same && !flow.extracted.is_empty())
            {
                self.splices.push((place, "null".to_owned()));
            }
            if let Some(place) = slot.place.filter(|_| !is_same) {
                self.splices.push((place, json::string(&written)));
            }
        }
        let mut after = String::new();
        for (choice, place, reason) in std::mem::take(&mut self.finishes) {
            let Some(flow) = flows.get_mut(&choice) else {
                continue;
            };
            let (content, calls) = flow.rest();
            let has_rest = !content.is_empty() || !calls.is_empty();
            if has_rest && had_text {
                // The rest follows the event's text, and the end follows the rest.
                let reason = if flow.ends_with_calls {
                    "tool_calls"
                } else {
                    &reason
                };
                after += &common.event(choice, &content, &calls, Some(reason));
                self.splices.push((place, "null".to_owned()));
                continue;
            }
            if has_rest {
                out.extend_from_slice(common.event(choice, &content, &calls, None).as_bytes());
            }
            if flow.ends_with_calls {
                self.splices.push((place, "\"tool_calls\"".to_owned()));
            }
        }
        if had_text && !has_text && self.is_plain && after.is_empty() {
            return false;
        }
        self.put(out);
        out.extend_from_slice(after.as_bytes());
        true
    }

    fn put(mut self, out: &mut Vec<u8>) {
        if !self.splices.is_empty() {
            let data = json::spliced(&self.data, std::mem::take(&mut self.splices));
            self.replace(data);
        }
        out.extend_from_slice(&self.bytes);
    }

    /// Replaces its data.
    fn replace(&mut self, data: String) {
        match &mut self.place {
            Some(place) => {
                self.bytes.splice(place.clone(), data.bytes());
                place.end = place.start + data.len();
            }
            // Data on several lines becomes one line.
            None => {
                let data = data.replace(['\n', '\r'], " ");
                self.bytes = format!("data: {data}\n\n").into_bytes();
                self.place = Some(6..6 + data.len());
            }
        }
        self.data = data;
    }
}
