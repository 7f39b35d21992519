//! Whole replies.

use llmjson::policy::FinishReason;
use llmjson::syntax::{Raw, ToJson, ValueRef, json_object};

use super::request::{block, input};
use crate::dialect::Own;
use crate::json::{self, Node};

pub(super) fn is_of_type(block: ValueRef<'_>, name: &str) -> bool {
    let kind = block.get("type").and_then(ValueRef::as_str);
    kind.is_some_and(|kind| kind == name)
}

/// Returns the name and the arguments of a call.
pub(super) fn called(call: ValueRef<'_>) -> (Option<String>, Option<String>) {
    let function = json::member(call, "function");
    let text = |name| function.and_then(|function| json::text(function, name));
    (text("name"), text("arguments"))
}

/// Returns the finish reason in Messages.
pub(super) fn stop_reason(finish: &str) -> &str {
    match FinishReason::named(finish) {
        FinishReason::Length => "max_tokens",
        FinishReason::ToolCalls => "tool_use",
        FinishReason::ContentFilter => "refusal",
        _ => "end_turn",
    }
}

/// Writes a treated chat completion: into the upstream's own reply, or into a new one.
pub(super) fn written(own: Option<Own<'_>>, treated: ValueRef<'_>) -> String {
    let mut reply = match own {
        Some(own) => Node::of(own.reply.document_text()),
        None => {
            let usage = json::member(treated, "usage");
            Node::of(message(treated, json::choice(treated), usage))
        }
    };
    if let Some(own) = own {
        set_end(&mut reply, None, own.given, treated);
    }
    let said = json::choice(treated).and_then(|choice| json::member(choice, "message"));
    if let Some((list, said)) = reply.get("content").zip(said) {
        set_blocks(list, own, said);
    }
    reply.written().into_owned()
}

/// Sets the finish reason, which may be in a member, and the usage, if they were changed.
pub(super) fn set_end(
    reply: &mut Node<'_>,
    stop_in: Option<&str>,
    given: ValueRef<'_>,
    treated: ValueRef<'_>,
) {
    let usage = |chat| json::member(chat, "usage").map(json::written);
    if let Some(usage) = usage(treated).filter(|sum| usage(given) != Some(sum)) {
        reply.set("usage", usage.to_owned());
    }
    let finish = |chat| json::choice(chat).and_then(|choice| json::text(choice, "finish_reason"));
    let finish = finish(treated).filter(|now| finish(given).as_ref() != Some(now));
    let owner = match stop_in {
        Some(name) => reply.get(name),
        None => Some(reply),
    };
    if let Some((owner, finish)) = owner.zip(finish) {
        owner.set_text("stop_reason", stop_reason(&finish));
    }
}

/// Sets the blocks of a treated message: the upstream's own blocks are changed, and others follow.
fn set_blocks(list: &mut Node<'_>, own: Option<Own<'_>>, treated: ValueRef<'_>) {
    let given = own.and_then(|own| json::choice(own.given)?.get("message"));
    let content = |message| json::text(message, "content").unwrap_or_default();
    let said = content(treated);
    let is_other = given.is_none_or(|given| content(given) != said);
    // The content left for the following texts.
    let mut rest = said.as_str();
    let before: Vec<ValueRef<'_>> = given.into_iter().flat_map(json::calls).collect();
    let mut calls = before.iter().zip(json::calls(treated));
    let own = own
        .into_iter()
        .flat_map(|own| json::items(own.reply, "content"));
    let own: Vec<ValueRef<'_>> = own.collect();
    let texts = own.iter().filter(|block| is_of_type(**block, "text"));
    let mut last_text = texts.count();
    let mut blocks = own.iter();
    list.retain(|node| {
        let Some(block) = blocks.next() else {
            return true;
        };
        if is_of_type(*block, "text") && is_other {
            last_text -= 1;
            let text = json::text(*block, "text").unwrap_or_default();
            let is_kept = rest.starts_with(&text) && last_text > 0;
            let length = if is_kept { text.len() } else { rest.len() };
            let (now, after) = rest.split_at(length);
            rest = after;
            if now != text {
                node.set_text("text", now);
            }
            // Clients send a reply back, and servers reject empty texts.
            return !now.is_empty() || text.is_empty();
        }
        if is_of_type(*block, "tool_use")
            && let Some((before, after)) = calls.next()
        {
            let ((name, arguments), (new_name, new)) = (called(*before), called(after));
            if let Some(name) = new_name.filter(|new| name.as_ref() != Some(new)) {
                node.set_text("name", &name);
            }
            if let Some(new) = new.filter(|new| arguments.as_ref() != Some(new)) {
                node.set("input", input(&new));
            }
        }
        true
    });
    let text = |name| json::text(treated, name).filter(|text| !text.is_empty() && given.is_none());
    if let Some(thought) = text("reasoning_content").or_else(|| text("reasoning")) {
        list.push(thought_block(&thought));
    }
    if !rest.is_empty() && is_other {
        list.push(text_block(rest));
    }
    if let Some(refusal) = text("refusal") {
        list.push(text_block(&refusal));
    }
    for added in json::calls(treated).skip(before.len()) {
        list.push(block(added));
    }
}

/// Writes a message without blocks, with the metadata of a completion or of its first chunk.
pub(super) fn message(
    chat: ValueRef<'_>,
    choice: Option<ValueRef<'_>>,
    usage: Option<ValueRef<'_>>,
) -> String {
    let stop = choice.map_or_else(Stop::default, |choice| Stop::of(Some(choice)));
    json_object!({
        "id": json::raw_text(chat, "id"),
        "type": "message",
        "role": "assistant",
        "model": json::raw_text(chat, "model"),
        "content": [],
        ..stop.members(),
        "usage": Raw(&usage_of(usage)),
    })
}

pub(super) fn text_block(text: &str) -> String {
    json_object!("type": "text", "text": text)
}

pub(super) fn thought_block(text: &str) -> String {
    json_object!("type": "thinking", "thinking": text, "signature": "")
}

/// A call's block; all arguments are JSON.
pub(super) fn tool_block(id: impl ToJson, name: impl ToJson, input: &str) -> String {
    json_object!({
        "type": "tool_use",
        "id": id,
        "name": name,
        "input": Raw(input),
    })
}

/// The finish reason, and the stop sequence, if the server reports it.
#[derive(Debug, Default)]
pub(super) struct Stop {
    reason: Option<String>,
    sequence: Option<String>,
}

impl Stop {
    /// The end of a choice, or of a reply that did not name its reason.
    pub(super) fn of(choice: Option<ValueRef<'_>>) -> Self {
        let text = |name| choice.and_then(|choice| json::text(choice, name));
        let finish = text("finish_reason").unwrap_or_default();
        let sequence = text("stop_reason").filter(|_| finish == "stop");
        let reason = match &sequence {
            Some(_) => "stop_sequence",
            None => stop_reason(&finish),
        };
        Self {
            reason: Some(reason.to_owned()),
            sequence,
        }
    }

    pub(super) fn members(&self) -> [(&'static str, Option<&str>); 2] {
        [
            ("stop_reason", self.reason.as_deref()),
            ("stop_sequence", self.sequence.as_deref()),
        ]
    }
}

/// Returns a chat completion's usage in the terms of Messages: cached tokens are counted
/// separately.
pub(super) fn usage_of(usage: Option<ValueRef<'_>>) -> String {
    let count = |object: Option<ValueRef<'_>>, name| {
        let value = object.and_then(|object| object.get(name));
        value.and_then(ValueRef::as_u64)
    };
    let details = usage.and_then(|usage| json::member(usage, "prompt_tokens_details"));
    let cached = count(details, "cached_tokens");
    let prompt = count(usage, "prompt_tokens").unwrap_or_default();
    let input = prompt.saturating_sub(cached.unwrap_or_default());
    let output = count(usage, "completion_tokens").unwrap_or_default();
    json_object!("input_tokens": input, "output_tokens": output, "cache_read_input_tokens"?: cached)
}
