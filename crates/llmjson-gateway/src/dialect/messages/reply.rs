//! Whole replies.

use llmjson::policy::FinishReason;
use llmjson::syntax::{JsonOut as _, JsonText, Kind, Raw, ValueRef};

use super::request::{block, input};
use crate::json::{self, Splice};

/// Returns the blocks of a reply.
pub(super) fn blocks_of(reply: ValueRef<'_>) -> impl Iterator<Item = ValueRef<'_>> {
    let list = json::member(reply, "content").filter(|list| list.kind() == Kind::Array);
    list.into_iter().flat_map(ValueRef::items)
}

pub(super) fn is_of_type(block: ValueRef<'_>, name: &str) -> bool {
    let kind = block.get("type").and_then(ValueRef::as_str);
    kind.is_some_and(|kind| kind == name)
}

/// The first choice of a completion, or of a chunk.
pub(super) fn choice_of(chat: ValueRef<'_>) -> Option<ValueRef<'_>> {
    json::member(chat, "choices")?.items().next()
}

/// The calls of a message, or of a delta.
pub(super) fn calls_of(message: ValueRef<'_>) -> impl Iterator<Item = ValueRef<'_>> {
    let calls = json::member(message, "tool_calls").filter(|list| list.kind() == Kind::Array);
    calls.into_iter().flat_map(ValueRef::items)
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

/// Returns the changes to a reply from its chat form and the treated form.
pub(super) fn changes(
    reply: ValueRef<'_>,
    given: ValueRef<'_>,
    treated: ValueRef<'_>,
) -> Vec<Splice> {
    let mut splices = Vec::new();
    let choices = choice_of(given).zip(choice_of(treated));
    if let Some((given, treated)) = choices {
        splices.extend(changed_blocks(reply, given, treated));
        let finish = |choice| json::text(choice, "finish_reason");
        if let Some(finish) =
            finish(treated).filter(|reason| finish(given).as_ref() != Some(reason))
        {
            let reason = json::string(stop_reason(&finish));
            splices.extend(json::set(reply, "stop_reason", &reason));
        }
    }
    let usage = |chat| json::member(chat, "usage").map(json::written);
    if let Some(usage) = usage(treated).filter(|sum| usage(given) != Some(sum)) {
        splices.extend(json::set(reply, "usage", usage));
    }
    splices
}

fn changed_blocks(reply: ValueRef<'_>, given: ValueRef<'_>, treated: ValueRef<'_>) -> Vec<Splice> {
    let (Some(given), Some(treated)) = (given.get("message"), treated.get("message")) else {
        return Vec::new();
    };
    let content = |message| json::text(message, "content").unwrap_or_default();
    let is_other = content(given) != content(treated);
    let said = content(treated);
    // The content left for the following texts.
    let mut rest = said.as_str();
    let mut calls = calls_of(given).zip(calls_of(treated));
    let mut last_text = blocks_of(reply)
        .filter(|block| is_of_type(*block, "text"))
        .count();
    let (mut blocks, mut splices, mut is_list_other) = (Vec::new(), Vec::new(), false);
    for block in blocks_of(reply) {
        let Some(place) = json::place(block) else {
            continue;
        };
        let mut own = Vec::new();
        if is_of_type(block, "text") && is_other {
            last_text -= 1;
            let text = json::text(block, "text").unwrap_or_default();
            let mut kept = rest.strip_prefix(&text[..]).map(|_| text.len());
            if last_text == 0 || kept.is_none() {
                kept = Some(rest.len());
            }
            let (now, after) = rest.split_at(kept.unwrap_or_default());
            rest = after;
            if now.is_empty() && !text.is_empty() {
                // Clients send a reply back, and servers reject empty texts.
                is_list_other = true;
                continue;
            }
            if now != text {
                own.extend(json::set(block, "text", &json::string(now)));
            }
        } else if is_of_type(block, "tool_use")
            && let Some((before, after)) = calls.next()
        {
            let ((name, arguments), (new_name, new)) = (called(before), called(after));
            if let Some(name) = new_name.filter(|new| name.as_ref() != Some(new)) {
                own.extend(json::set(block, "name", &json::string(&name)));
            }
            if let Some(new) = new.filter(|new| arguments.as_ref() != Some(new)) {
                own.extend(json::set(block, "input", &input(&new)));
            }
        }
        let moved = |(part, text): Splice| (part.start - place.start..part.end - place.start, text);
        let moved = own.iter().cloned().map(moved).collect();
        blocks.push(json::spliced(json::written(block), moved));
        splices.extend(own);
    }
    if !rest.is_empty() && is_other {
        is_list_other = true;
        blocks.push(text_block(rest));
    }
    for added in calls_of(treated).skip(calls_of(given).count()) {
        is_list_other = true;
        blocks.push(block(added));
    }
    match is_list_other {
        true => Vec::from_iter(json::set(
            reply,
            "content",
            &format!("[{}]", blocks.join(",")),
        )),
        false => splices,
    }
}

/// Writes a chat completion as a reply.
pub(super) fn written(chat: ValueRef<'_>) -> String {
    let choice = choice_of(chat);
    let said = choice.and_then(|choice| json::member(choice, "message"));
    let text = |name| said.and_then(|said| json::text(said, name));
    let text = |name| text(name).filter(|text| !text.is_empty());
    let mut blocks = Vec::new();
    if let Some(thought) = text("reasoning_content").or_else(|| text("reasoning")) {
        blocks.push(thought_block(&thought));
    }
    let texts = ["content", "refusal"].into_iter().filter_map(text);
    blocks.extend(texts.map(|said| text_block(&said)));
    blocks.extend(said.into_iter().flat_map(calls_of).map(block));
    message(chat, &blocks, choice, json::member(chat, "usage"))
}

/// Writes a message with the metadata of a completion, or of its first chunk.
pub(super) fn message(
    chat: ValueRef<'_>,
    blocks: &[String],
    choice: Option<ValueRef<'_>>,
    usage: Option<ValueRef<'_>>,
) -> String {
    let member = |name| json::member(chat, name).map_or(r#""""#, json::written);
    let stop = choice.map_or_else(Stop::default, |choice| Stop::of(Some(choice)));
    JsonText::object_of(|out| {
        out.member("id", Raw(member("id")));
        out.member("type", "message");
        out.member("role", "assistant");
        out.member("model", Raw(member("model")));
        out.list("content", blocks, |block, out| out.json(block));
        stop.put(out);
        out.member("usage", Raw(&usage_of(usage)));
    })
}

pub(super) fn text_block(text: &str) -> String {
    JsonText::object_of(|out| {
        out.member("type", "text");
        out.member("text", text);
    })
}

pub(super) fn thought_block(text: &str) -> String {
    JsonText::object_of(|out| {
        out.member("type", "thinking");
        out.member("thinking", text);
        out.member("signature", "");
    })
}

/// A call's block; all arguments are JSON.
pub(super) fn tool_block(id: &str, name: &str, input: &str) -> String {
    JsonText::object_of(|out| {
        out.member("type", "tool_use");
        out.member("id", Raw(id));
        out.member("name", Raw(name));
        out.member("input", Raw(input));
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

    pub(super) fn put(&self, out: &mut JsonText<'_>) {
        out.member("stop_reason", self.reason.as_deref());
        out.member("stop_sequence", self.sequence.as_deref());
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
    JsonText::object_of(|out| {
        out.member("input_tokens", input);
        out.member("output_tokens", output);
        if let Some(cached) = cached {
            out.member("cache_read_input_tokens", cached);
        }
    })
}
