//! Events of a stream that wait until all their parts are decided.

use std::collections::BTreeMap;
use std::ops::Range;

use llmjson::syntax::{Raw, json_object};
use llmjson_wire::Accumulator;

use super::flow::Flow;
use super::splitter::Piece;
use crate::json::{self, Node};
use crate::received::{Received, put_event};

/// A received event, sent once all its parts are decided.
#[derive(Debug, Default)]
pub(super) struct Pending {
    pub(super) event: Received,
    pub(super) slots: Vec<Slot>,
    /// The entries that add to each of several choices, and whether its role is set.
    pub(super) deltas: Vec<(u32, usize, bool)>,
    /// The choices that end with it, their entries, and their finish reasons.
    pub(super) finishes: Vec<(u32, usize, String)>,
    /// `true` if it holds only one piece of content.
    pub(super) is_plain: bool,
    /// `true` if it holds nothing for the client.
    pub(super) is_nothing: bool,
}

/// A piece of a text in an event.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) choice: u32,
    /// The entry of the choice in the event.
    pub(super) at: usize,
    /// The call at this index, and its entry in the event; `None` for the content.
    pub(super) call: Option<(usize, usize)>,
    pub(super) from: usize,
    pub(super) to: usize,
    /// The range of the JSON value in the data as read.
    pub(super) place: Option<Range<usize>>,
    /// `true` for the first entry of a call that has its name.
    pub(super) is_named: bool,
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
    ) -> Vec<u8> {
        let calls = calls.iter().map(|call| call.to_json(Some(call.index)));
        let calls: Vec<String> = calls.collect();
        event_of(&json_object!({
            ..self.shared(),
            "choices": [{
                "index": choice,
                "delta": {
                    "content"?: Some(content).filter(|content| !content.is_empty()),
                    "tool_calls"?: json::some(&calls),
                },
                "finish_reason": finish,
            }],
        }))
    }

    /// Writes an event with the usage.
    pub(super) fn usage(&self, usage: &str) -> Vec<u8> {
        event_of(&json_object!({ ..self.shared(), "choices": [], "usage": Raw(usage) }))
    }

    fn shared(&self) -> impl Iterator<Item = (&'static str, Raw<'_>)> {
        let members = self.members.iter();
        members.map(|(name, value)| (*name, Raw(value)))
    }
}

fn event_of(data: &str) -> Vec<u8> {
    let mut event = Vec::new();
    put_event(None, data, &mut event);
    event
}

impl From<Received> for Pending {
    fn from(event: Received) -> Self {
        Self {
            event,
            ..Self::default()
        }
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
                    Some((call, _)) => flow
                        .calls
                        .get(call)
                        .is_none_or(|call| call.is_ready(slot.to)),
                })
            })
    }

    /// Returns the entry of a choice in the event.
    pub(super) fn choice(&mut self, at: usize) -> Option<&mut Node<'static>> {
        self.event.data.get("choices")?.item(at)
    }

    /// Returns what the event adds to a choice.
    pub(super) fn delta(&mut self, at: usize) -> Option<&mut Node<'static>> {
        self.choice(at)?.get_any(&["delta", "message"])
    }

    /// Returns an entry of a call.
    pub(super) fn entry(&mut self, at: usize, entry: usize) -> Option<&mut Node<'static>> {
        self.delta(at)?.get("tool_calls")?.item(entry)
    }

    /// Returns the function of a piece of a call.
    fn function(&mut self, slot: &Slot) -> Option<&mut Node<'static>> {
        let (_, entry) = slot.call?;
        self.entry(slot.at, entry)?.get("function")
    }

    /// Sets the finish reason of a choice.
    fn finish(&mut self, at: usize, reason: &'static str) {
        if let Some(choice) = self.choice(at) {
            choice.set("finish_reason", reason);
        }
    }

    /// Gives the only choice of a further reply its index for the client.
    pub(super) fn renumber(&mut self, index: u32) {
        if let Some(choice) = self.choice(0) {
            choice.set("index", index.to_string());
        }
    }

    /// Removes the usage, which the client is sent later.
    pub(super) fn hide_usage(&mut self) {
        let data = &mut self.event.data;
        data.set("usage", "null");
        self.is_nothing = data
            .get("choices")
            .is_none_or(|list| list.item(0).is_none());
    }

    /// Removes the finish reasons of a choice that continues. Returns `true` if there was one.
    pub(super) fn go_on(&mut self, choice: u32) -> bool {
        let early = self.finishes.extract_if(.., |(ended, ..)| *ended == choice);
        let early: Vec<usize> = early.map(|(_, at, _)| at).collect();
        early.iter().for_each(|at| self.finish(*at, "null"));
        !early.is_empty()
    }

    /// Removes additions to abandoned choices. Returns `false` if nothing is left.
    fn leave(&mut self, flows: &mut Flows, reply: &Accumulator) -> bool {
        let mut is_nothing = !self.deltas.is_empty();
        for (choice, at, has_role) in std::mem::take(&mut self.deltas) {
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
            let delta = json_object!({
                "role"?: has_role.then_some("assistant"),
                "content"?: Some(&content).filter(|content| !content.is_empty()),
            });
            is_nothing &= content.is_empty() && !has_role;
            if let Some(own) = self.delta(at) {
                own.replace(delta);
            }
            self.go_on(choice);
        }
        !is_nothing && !self.is_nothing
    }

    /// Writes it as decided, if something of it is left.
    pub(super) fn write(
        mut self,
        flows: &mut Flows,
        reply: &Accumulator,
        common: &Common,
        out: &mut Vec<u8>,
    ) {
        if !self.leave(flows, reply) {
            return;
        }
        let (had_text, has_text) = self.write_slots(flows, reply);
        let mut after = self.write_finishes(flows, common, had_text, out);
        if had_text && !has_text && self.is_plain && after.is_empty() {
            return;
        }
        self.event.put(out);
        out.append(&mut after);
    }

    /// Writes the texts that are known by now in their places. Returns whether there was text in
    /// the event, and whether there still is.
    fn write_slots(&mut self, flows: &mut Flows, reply: &Accumulator) -> (bool, bool) {
        let (mut had_text, mut has_text) = (false, false);
        for slot in std::mem::take(&mut self.slots) {
            let Some((flow, state)) = flows.get_mut(&slot.choice).zip(reply.choice(slot.choice))
            else {
                continue;
            };
            let (part, text) = match slot.call {
                None => (&mut flow.content, state.text()),
                Some((place, _)) => {
                    let call = flow.calls.get_mut(place).zip(state.tool_calls().get(place));
                    let Some((part, call)) = call else {
                        continue;
                    };
                    if let Some(name) = part.name.as_deref().filter(|_| slot.is_named)
                        && let Some(function) = self.function(&slot)
                    {
                        function.set_text("name", name);
                    }
                    (&mut part.arguments, call.arguments())
                }
            };
            let written = part.take(slot.from, slot.to, text);
            had_text |= slot.from < slot.to;
            has_text |= !written.is_empty();
            let is_same = !slot.is_json && text.get(slot.from..slot.to) == Some(&*written);
            let Some(place) = slot.place.clone().filter(|_| !is_same) else {
                continue;
            };
            let is_set = self.event.data.set_text_at(place, &written);
            if slot.call.is_some() {
                if !is_set && let Some(function) = self.function(&slot) {
                    function.set_text("arguments", &written);
                }
                continue;
            }
            if !is_set && let Some(delta) = self.delta(slot.at) {
                delta.set_text("content", &written);
            }
            if !flow.extracted.is_empty()
                && let Some(choice) = self.choice(slot.at)
                && choice.get("logprobs").is_some()
            {
                choice.set("logprobs", "null");
            }
        }
        (had_text, has_text)
    }

    /// Writes the rest of each choice that ends: before the event, or, if the event has text, after
    /// it. Returns what follows the event.
    fn write_finishes(
        &mut self,
        flows: &mut Flows,
        common: &Common,
        had_text: bool,
        out: &mut Vec<u8>,
    ) -> Vec<u8> {
        let mut after = Vec::new();
        for (choice, at, reason) in std::mem::take(&mut self.finishes) {
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
                after.extend(common.event(choice, &content, &calls, Some(reason)));
                self.finish(at, "null");
                continue;
            }
            if has_rest {
                out.extend(common.event(choice, &content, &calls, None));
            }
            if flow.ends_with_calls {
                self.finish(at, "\"tool_calls\"");
            }
        }
        after
    }
}
