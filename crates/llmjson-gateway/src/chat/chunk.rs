//! Reads the chunks of a stream.

use std::ops::Range;

use llmjson::syntax::{Document, Kind, ValueRef};
use llmjson_wire::{Addition, ChoiceState};

use super::event::{Common, Pending, Slot};
use super::flow::Flow;
use super::stream::Stream;
use crate::json;

impl Stream {
    /// Reads a chunk and its additions to texts. Returns `true` if it holds only an error.
    pub(super) fn read_chunk(&mut self, pending: &mut Pending) -> Result<bool, ()> {
        let data = pending.event.data.written();
        if let Some(place) = self.repeated.as_ref().and_then(|one| one.place_in(&data)) {
            self.reply.push_text(&data).map_err(drop)?;
            return self.read_repeated(place, pending);
        }
        let data = data.into_owned();
        self.repeated = None;
        let document = json::read(data.as_bytes());
        let root = document.as_ref().and_then(Document::root).ok_or(())?;
        let choices: Vec<ValueRef<'_>> = json::items(root, "choices").collect();
        if choices.is_empty() && json::member(root, "error").is_some() {
            return Ok(true);
        }
        self.reply.push_text(&data).map_err(drop)?;
        let (is_again, is_several) = (self.current.is_some(), self.is_several());
        self.common.read(root, is_again);
        let event = &mut pending.event.data;
        if let Some(id) = self
            .common
            .member("id")
            .filter(|_| is_again && root.get("id").is_some())
        {
            event.set("id", id.to_owned());
        }
        let usage = root.get("usage").map_or("null", json::written);
        if usage != "null"
            && let Some(usage) = self.exchange.again.usage(usage)
        {
            event.set("usage", usage);
        }
        let mut additions = self.reply.additions();
        for (place, choice) in choices.iter().enumerate() {
            let index = choice.get("index").and_then(ValueRef::as_u64);
            let index = u32::try_from(index.unwrap_or(place as u64)).unwrap_or(u32::MAX);
            let Some(state) = self.reply.choice(index) else {
                continue;
            };
            let (plan, is_mute) = (&self.exchange.plan, self.mute.contains(&index));
            let flow = self.flows.entry(index);
            let flow = flow.or_insert_with(|| Flow::new(plan, index, is_mute));
            let own = additions.partition_point(|one| one.choice <= place);
            let (added, rest) = additions.split_at(own);
            additions = rest;
            for addition in added {
                flow.push(plan, state, addition);
            }
            let delta = json::member(*choice, "delta").or(json::member(*choice, "message"));
            if let Some(delta) = delta.filter(|delta| delta.kind() == Kind::Object) {
                if read_delta((place, delta), state, flow, added, pending) {
                    self.report.reason("call_entries");
                }
                if is_several {
                    let has_role = json::member(delta, "role").is_some();
                    pending.deltas.push((index, place, has_role));
                }
                if is_again {
                    pending
                        .delta(place)
                        .into_iter()
                        .for_each(|delta| delta.remove(&["role"]));
                }
            }
            let finish = json::text(*choice, "finish_reason");
            if let Some(reason) = finish.filter(|reason| !reason.is_empty()) {
                pending.finishes.push((index, place, reason));
            }
        }
        let is_simple = usage == "null" && choices.len() == 1;
        pending.is_plain = is_simple && is_plain(choices[0]);
        let is_one = is_simple && !is_again && only_text(self.reply.additions()).is_some();
        self.repeated =
            Repeated::of(&data, pending, choices[..].first().copied()).filter(|_| is_one);
        Ok(false)
    }

    /// Reads a chunk that equals an earlier one except for a text, which is at this place.
    fn read_repeated(&mut self, place: Range<usize>, pending: &mut Pending) -> Result<bool, ()> {
        let addition = only_text(self.reply.additions());
        let (Some(repeated), Some(addition)) = (&self.repeated, addition) else {
            return Err(());
        };
        let slot = Slot {
            from: addition.new.start,
            to: addition.new.end,
            place: Some(place),
            ..repeated.slot.clone()
        };
        let flow = self.flows.get_mut(&slot.choice);
        if let Some((flow, state)) = flow.zip(self.reply.choice(slot.choice)) {
            flow.push(&self.exchange.plan, state, addition);
        }
        pending.is_plain = repeated.is_plain;
        pending.slots.push(slot);
        Ok(false)
    }

    /// Keeps the usage of a reply that the client does not see. Returns `true` if there is one.
    pub(super) fn count_usage(&mut self, data: &str) -> bool {
        let document = json::read(data.as_bytes());
        let root = document.as_ref().and_then(Document::root);
        let usage = root.and_then(|root| json::member(root, "usage"));
        let usage = usage.map(|usage| json::written(usage).to_owned());
        let is_one = usage.is_some();
        self.usage = usage.or(self.usage.take());
        is_one
    }
}

/// A chunk that adds to one text and does nothing else. Most chunks of a stream differ from the one
/// before only in that text, so they need not be parsed.
#[derive(Debug)]
pub(super) struct Repeated {
    before: String,
    after: String,
    slot: Slot,
    is_plain: bool,
}

impl Repeated {
    fn of(data: &str, pending: &Pending, choice: Option<ValueRef<'_>>) -> Option<Self> {
        let [slot] = &pending.slots[..] else {
            return None;
        };
        let place = slot.place.clone()?;
        let has_logprobs = choice.is_some_and(|choice| json::member(choice, "logprobs").is_some());
        let is_simple = !slot.is_named && !has_logprobs && !slot.is_json;
        let is_changed = pending.event.data.is_changed();
        let is_all = !is_changed && pending.finishes.is_empty() && pending.deltas.is_empty();
        (is_simple && is_all).then(|| Self {
            before: data[..place.start].to_owned(),
            after: data[place.end..].to_owned(),
            slot: slot.clone(),
            is_plain: pending.is_plain,
        })
    }

    /// Returns the place of the text, if another chunk differs only in it.
    fn place_in(&self, data: &str) -> Option<Range<usize>> {
        let rest = data.strip_prefix(&*self.before)?;
        let text = rest.strip_suffix(&*self.after)?;
        let inner = text.strip_prefix('"')?.strip_suffix('"')?;
        let start = self.before.len();
        let is_text = !inner.is_empty() && is_between_quotes(inner);
        is_text.then(|| start..start + text.len())
    }
}

/// Returns the only addition of a chunk that adds to one text.
fn only_text(additions: &[Addition]) -> Option<&Addition> {
    // An entry with a piece of a call also lists the content, which does not grow.
    let is_text = |one: &&Addition| one.call.is_some() || !one.new.is_empty();
    let mut texts = additions.iter().filter(is_text);
    texts.next().filter(|_| texts.next().is_none())
}

/// Returns `true` if a text between quotes is a JSON string without numeric escapes, which may be
/// halves of a pair.
fn is_between_quotes(text: &str) -> bool {
    let mut is_escaped = false;
    text.bytes().all(|byte| {
        let was_escaped = is_escaped;
        is_escaped = byte == b'\\' && !was_escaped;
        match was_escaped {
            true => b"\"\\/bfnrt".contains(&byte),
            false => byte >= b' ' && byte != b'"',
        }
    }) && !is_escaped
}

impl Common {
    /// Returns the id of the reply.
    pub(super) fn id(&self) -> String {
        let id = self.member("id");
        let id = id.and_then(|id| serde_json::from_str(id).ok());
        id.unwrap_or_default()
    }

    fn member(&self, name: &str) -> Option<&str> {
        let member = self.members.iter().find(|(known, _)| *known == name);
        member.map(|(_, value)| value.as_str())
    }

    /// Keeps the common members of all chunks; nothing is kept from further replies, since the
    /// client sees only one.
    fn read(&mut self, root: ValueRef<'_>, is_again: bool) {
        if is_again && !self.members.is_empty() {
            return;
        }
        if self.members.is_empty() {
            let members = Self::NAMES.into_iter();
            let members = members.filter_map(|name| Some((name, json::member(root, name)?)));
            self.members = members
                .map(|(name, value)| (name, json::written(value).to_owned()))
                .collect();
        }
    }
}

/// Records where a chunk adds to a choice's texts. Returns `true` if an entry was changed, since a
/// client concatenates strings by index.
fn read_delta(
    (at, delta): (usize, ValueRef<'_>),
    state: &ChoiceState,
    flow: &mut Flow,
    added: &[Addition],
    pending: &mut Pending,
) -> bool {
    let pieces: Vec<ValueRef<'_>> = json::calls(delta).collect();
    let mut is_changed = false;
    for addition in added {
        let mut slot = Slot {
            choice: flow.choice,
            at,
            call: addition.call.map(|(entry, place)| (place, entry)),
            from: addition.new.start,
            to: addition.new.end,
            place: None,
            is_named: false,
            is_json: false,
        };
        let Some((entry, place)) = addition.call else {
            let content = json::member(delta, "content").filter(|one| one.kind() == Kind::String);
            slot.place = content.and_then(json::place);
            if slot.place.is_some() || slot.from < slot.to {
                pending.slots.push(slot);
            }
            continue;
        };
        let (Some(piece), Some(call)) = (pieces.get(entry), state.tool_calls().get(place)) else {
            continue;
        };
        let index = call.index();
        if piece.get("index").and_then(ValueRef::as_u64) != Some(u64::from(index))
            && let Some(own) = pending.entry(at, entry)
        {
            own.set("index", index.to_string());
            is_changed = true;
        }
        if let Some(function) = json::member(*piece, "function") {
            let arguments = json::member(function, "arguments");
            slot.is_json =
                arguments.is_some_and(|one| !matches!(one.kind(), Kind::String | Kind::Null));
            if slot.is_json {
                flow.calls[place].hold(slot.from);
                is_changed = true;
            }
            slot.place = arguments.and_then(json::place);
            let name = json::text(function, "name").filter(|name| !name.is_empty());
            slot.is_named = name.is_some() && !flow.calls[place].is_named;
            if name.is_some()
                && !slot.is_named
                && let Some(function) = pending.entry(at, entry).and_then(|own| own.get("function"))
            {
                function.remove(&["name"]);
                is_changed = true;
            }
            flow.calls[place].is_named |= slot.is_named;
        }
        pending.slots.push(slot);
    }
    is_changed
}

/// Returns `true` if a choice holds only a piece of content.
fn is_plain(choice: ValueRef<'_>) -> bool {
    let is_known = |name: &str| matches!(name, "index" | "delta");
    let mut others = choice.members().filter(|(name, _)| !is_known(name));
    let delta = json::member(choice, "delta");
    let mut members = delta.into_iter().flat_map(ValueRef::members);
    others.all(|(_, value)| value.is_null())
        && members.all(|(name, value)| name == "content" || value.is_null())
}
