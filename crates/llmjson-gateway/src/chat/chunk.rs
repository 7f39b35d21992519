//! Reading the chunks of a stream.

use llmjson::syntax::{Document, Kind, ValueRef};

use super::event::{Common, Pending, Slot};
use super::flow::{Flow, News};
use super::request::Plan;
use super::stream::Stream;
use crate::json;

impl Stream {
    /// Reads a chunk: what it adds to which texts. Returns `true` if it tells an error and nothing else.
    pub(super) fn read_chunk(&mut self, pending: &mut Pending) -> Result<bool, ()> {
        let data = std::mem::take(&mut pending.data);
        let read = self.read_data(&data, pending);
        pending.data = data;
        read
    }

    fn read_data(&mut self, data: &str, pending: &mut Pending) -> Result<bool, ()> {
        let document = json::read(data.as_bytes());
        let root = document.as_ref().and_then(Document::root).ok_or(())?;
        let list = json::member(root, "choices").filter(|list| list.kind() == Kind::Array);
        let choices: Vec<ValueRef<'_>> = list.map_or_else(Vec::new, |list| list.items().collect());
        if choices.is_empty() && json::member(root, "error").is_some() {
            return Ok(true);
        }
        self.reply.push_text(data).map_err(drop)?;
        let (is_again, is_several) = (self.current.is_some(), self.is_several());
        self.common.read(root, is_again);
        if is_again {
            pending.splices.extend(self.common.same_id(root));
        }
        let usage = root.get("usage").map_or("null", json::written);
        if usage != "null"
            && let Some(usage) = self.exchange.again.usage(usage)
        {
            pending.splices.extend(json::set(root, "usage", &usage));
        }
        let id = self.common.id();
        for (place, choice) in choices.iter().enumerate() {
            let index = choice.get("index").and_then(ValueRef::as_u64);
            let index = u32::try_from(index.unwrap_or(place as u64)).unwrap_or(u32::MAX);
            let Some(state) = self.reply.choice(index) else {
                continue;
            };
            let (plan, is_mute) = (&self.exchange.plan, self.mute.contains(&index));
            let flow = self.flows.entry(index);
            let flow = flow.or_insert_with(|| Flow::new(plan, index, is_mute));
            let news = flow.push(plan, state, &id);
            let delta = json::member(*choice, "delta").or(json::member(*choice, "message"));
            if let Some(delta) = delta.filter(|delta| delta.kind() == Kind::Object) {
                read_delta((*choice, delta), plan, flow, &news, pending);
                if is_several && let Some(place) = json::place(delta) {
                    let has_role = json::member(delta, "role").is_some();
                    pending.deltas.push((index, place, has_role));
                }
                if is_again {
                    pending.splices.extend(json::without(delta, &["role"]));
                }
            }
            let finish = json::member(*choice, "finish_reason");
            if let Some((finish, reason)) = finish.and_then(|one| Some((one, one.as_str()?)))
                && !reason.is_empty()
                && let Some(place) = json::place(finish)
            {
                pending.finishes.push((index, place, reason.into_owned()));
            }
        }
        pending.is_plain = usage == "null" && choices.len() == 1 && is_plain(choices[0]);
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

impl Common {
    /// Returns the id of the reply.
    pub(super) fn id(&self) -> String {
        let id = self.members.iter().find(|(name, _)| *name == "id");
        let id = id.and_then(|(_, id)| serde_json::from_str(id).ok());
        id.unwrap_or_default()
    }

    /// Keeps what all chunks have in common; of further replies nothing is kept, since the client sees one.
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

    /// The change that gives a chunk of a further reply the id of the first.
    fn same_id(&self, root: ValueRef<'_>) -> Option<json::Splice> {
        let (_, id) = self.members.iter().find(|(name, _)| *name == "id")?;
        let own = root.get("id")?;
        (json::written(own) != id).then_some(())?;
        json::set(root, "id", id)
    }
}

/// Notes where the new parts of the texts of a choice stand in a chunk.
fn read_delta(
    (choice, delta): (ValueRef<'_>, ValueRef<'_>),
    plan: &Plan,
    flow: &mut Flow,
    news: &News,
    pending: &mut Pending,
) {
    let content = json::member(delta, "content").filter(|one| one.kind() == Kind::String);
    let (from, to) = news.content;
    if from < to || content.is_some() {
        pending.slots.push(Slot {
            choice: flow.choice,
            call: None,
            from,
            to,
            place: content.and_then(json::place),
            logprobs: json::member(choice, "logprobs").and_then(json::place),
        });
    }
    let calls = json::member(delta, "tool_calls").filter(|calls| calls.kind() == Kind::Array);
    let pieces: Vec<ValueRef<'_>> = calls.map_or_else(Vec::new, |calls| calls.items().collect());
    let mut grown = news.calls.iter();
    let mut known = pieces
        .iter()
        .map(|piece| flow.known.get(call_of(*piece, flow, None)) == Some(&true));
    if !pieces.is_empty() && known.all(|known| known) {
        pending
            .splices
            .extend(json::without(delta, &["tool_calls"]));
        return;
    }
    for piece in pieces {
        let function = json::member(piece, "function");
        let arguments = function.and_then(|function| json::member(function, "arguments"));
        let is_text = arguments.is_some_and(|one| one.kind() == Kind::String);
        let has_text =
            arguments.is_some_and(|one| !one.as_str().is_some_and(|text| text.is_empty()));
        let grown = if has_text { grown.next() } else { None };
        let index = piece.get("index").and_then(ValueRef::as_u64);
        let (from, to) = grown.map_or((0, 0), |(_, from, to)| (*from, *to));
        let call = call_of(piece, flow, grown.map(|(call, ..)| *call));
        if has_text && !is_text {
            flow.quote(call);
        }
        if let (Some(index), Some(own)) = (index, flow.indices.get_mut(call)) {
            *own = index as usize;
        }
        pending.slots.push(Slot {
            choice: flow.choice,
            call: Some(call),
            from,
            to,
            place: arguments.and_then(json::place),
            logprobs: None,
        });
        if let Some(function) = function {
            pending.splices.extend(renamed(plan, function));
        }
        if let Some(place) = piece.get("index").and_then(json::place)
            && flow.lifted > 0
        {
            let moved = flow.index_of(call);
            pending.splices.push((place, moved.to_string()));
        }
    }
}

/// Returns the place of the call that a piece belongs to.
fn call_of(piece: ValueRef<'_>, flow: &Flow, grown: Option<usize>) -> usize {
    let index = piece.get("index").and_then(ValueRef::as_u64);
    let last = flow.calls.len().saturating_sub(1);
    let by_index = || index.map_or(last, |index| index as usize).min(last);
    grown.unwrap_or_else(by_index)
}

/// The change of the name of a tool that is spelled otherwise.
fn renamed(plan: &Plan, function: ValueRef<'_>) -> Option<json::Splice> {
    let registry = &plan.tools.as_ref()?.registry;
    let name = json::text(function, "name").filter(|name| !name.is_empty())?;
    if registry.get(&name).is_some() {
        return None;
    }
    let report = registry.report(&name, "{}").ok()?;
    report.called()?;
    json::set(function, "name", &json::string(report.contract().name()))
}

/// Returns `true` if there is nothing in a choice but a piece of content.
fn is_plain(choice: ValueRef<'_>) -> bool {
    let is_known = |name: &str| matches!(name, "index" | "delta");
    let mut others = choice.members().filter(|(name, _)| !is_known(name));
    let delta = json::member(choice, "delta");
    let mut members = delta.into_iter().flat_map(ValueRef::members);
    others.all(|(_, value)| value.is_null())
        && members.all(|(name, value)| name == "content" || value.is_null())
}
