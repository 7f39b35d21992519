//! Whole responses.

use llmjson::syntax::{JsonOut, JsonText, Kind, Raw, ValueRef};

use super::kind_of;
use super::reading::finish_of;
use super::tools::{arguments_of, called, input_of};
use super::writer::Writer;
use crate::json::{self, Splice};

/// Converts a response to a chat completion.
pub(super) fn given(reply: ValueRef<'_>) -> String {
    let texts = texts_of(reply);
    let refusals = parts_of(reply, "content", "refusal");
    let reasoning = ["content", "summary"].map(|name| parts_of(reply, name, "text"));
    let reasoning = reasoning.into_iter().flatten();
    let reasoning = reasoning.filter(|(item, _)| kind_of(*item) == "reasoning");
    let reasoning: Vec<String> = reasoning.map(|(_, text)| text).collect();
    let content: String = texts.iter().filter_map(|(_, text)| text.as_str()).collect();
    let calls: Vec<ValueRef<'_>> = calls_of(reply).collect();
    JsonText::object_of(|out| {
        out.member("id", json::text(reply, "id"));
        out.objects("choices", [()], |(), out| {
            out.member("index", 0_u32);
            out.object_in("message", |out| {
                out.member("role", "assistant");
                out.member("content", (!texts.is_empty()).then_some(content.as_str()));
                if !reasoning.is_empty() {
                    out.member("reasoning_content", reasoning.join("\n\n"));
                }
                if let Some((_, refusal)) = refusals.first() {
                    out.member("refusal", refusal);
                }
                if !calls.is_empty() {
                    out.objects("tool_calls", &calls, |call, out| {
                        out.member("id", json::text(*call, "call_id"));
                        out.member("type", "function");
                        out.object_in("function", |out| {
                            out.member("name", called(*call));
                            out.member("arguments", given_to(*call));
                        });
                    });
                }
            });
            out.member("finish_reason", finish_of(reply, !calls.is_empty()));
        });
        let usage = json::member(reply, "usage");
        out.member("usage", Raw(usage.map_or("null", json::written)));
    })
}

/// Returns the changes to a response from its chat form and the treated form.
pub(super) fn changes(
    reply: ValueRef<'_>,
    given: ValueRef<'_>,
    treated: ValueRef<'_>,
    writer: &Writer,
) -> Vec<Splice> {
    let (Some(before), Some(after)) = (message_of(given), message_of(treated)) else {
        return Vec::new();
    };
    let mut splices = Vec::new();
    let calls = |message: ValueRef<'_>| -> Vec<String> {
        let calls = json::member(message, "tool_calls").into_iter();
        calls
            .flat_map(ValueRef::items)
            .map(|call| json::written(call).to_owned())
            .collect()
    };
    let (known, all) = (calls(before), calls(after));
    for (item, (one, other)) in calls_of(reply).zip(known.iter().zip(&all)) {
        if one != other {
            splices.extend(call_changes(item, other, writer));
        }
    }
    let mut added = writer.clone();
    let added = added.items_of(&all[known.len().min(all.len())..], json::text(reply, "id"));
    let content = |message: ValueRef<'_>| json::text(message, "content").unwrap_or_default();
    let (said, now) = (content(before), content(after));
    let emptied = match said == now {
        true => None,
        false => text_changes(reply, &said, &now, &mut splices),
    };
    if !added.is_empty() {
        splices.extend(with_items(reply, emptied, &added));
    }
    let usage = |root: ValueRef<'_>| root.get("usage").map_or("null", json::written).to_owned();
    if usage(given) != usage(treated) {
        splices.extend(json::set(reply, "usage", &usage(treated)));
    }
    splices
}

fn call_changes(item: ValueRef<'_>, call: &str, writer: &Writer) -> Vec<Splice> {
    let mut splices = Vec::new();
    let document = json::read(call.as_bytes());
    let root = document.as_ref().and_then(llmjson::syntax::Document::root);
    let Some(function) = root.and_then(|root| json::member(root, "function")) else {
        return splices;
    };
    let name = json::text(function, "name").unwrap_or_default();
    let arguments = json::text(function, "arguments").unwrap_or_default();
    if name != called(item) {
        let tool = writer.tools.in_chat(&name);
        let own = tool.map_or(&name, |tool| &tool.name);
        let namespace = tool.and_then(|tool| tool.namespace.as_deref());
        let own = json::string(own);
        match (namespace, item.get("namespace")) {
            // Two adjacent members are one change.
            (Some(namespace), None) => {
                let both = format!("{own},\"namespace\":{}", json::string(namespace));
                splices.extend(json::set(item, "name", &both));
            }
            (namespace, known) => {
                splices.extend(json::set(item, "name", &own));
                let namespace = namespace.map_or_else(|| "null".to_owned(), json::string);
                splices.extend(known.and_then(|_| json::set(item, "namespace", &namespace)));
            }
        }
    }
    if arguments != given_to(item) {
        let (member, text) = match kind_of(item) == "custom_tool_call" {
            true => ("input", input_of(&arguments)),
            false => ("arguments", arguments),
        };
        splices.extend(json::set(item, member, &json::string(&text)));
    }
    splices
}

/// Replaces the texts of messages from the first difference. Returns the first message that becomes
/// empty.
fn text_changes<'r>(
    reply: ValueRef<'r>,
    said: &str,
    now: &str,
    splices: &mut Vec<Splice>,
) -> Option<ValueRef<'r>> {
    let same = said
        .bytes()
        .zip(now.bytes())
        .take_while(|(one, other)| one == other)
        .count();
    let mut same = now.floor_char_boundary(same);
    let mut rest = now;
    let mut has_rest = true;
    for (part, text) in texts_of(reply) {
        let own = text.as_str().unwrap_or_default();
        if own.len() <= same && has_rest {
            same -= own.len();
            rest = &rest[own.len()..];
            continue;
        }
        let text_now = if has_rest { rest } else { "" };
        has_rest = false;
        splices.extend(json::place(text).map(|place| (place, json::string(text_now))));
        let logprobs = json::member(part, "logprobs").and_then(json::place);
        splices.extend(logprobs.map(|place| (place, "[]".to_owned())));
    }
    let messages = items_of(reply).filter(|item| kind_of(*item) == "message");
    let mut emptied = messages.filter(|_| now.is_empty());
    emptied.next()
}

/// Adds items to the output, in place of a message that is now empty, or after all others.
fn with_items(
    reply: ValueRef<'_>,
    emptied: Option<ValueRef<'_>>,
    added: &[String],
) -> Option<Splice> {
    let added = added.join(",");
    if let Some(place) = emptied.and_then(json::place) {
        return Some((place, added));
    }
    let output = reply
        .get("output")
        .filter(|output| output.kind() == Kind::Array);
    let Some(output) = output else {
        return json::set(reply, "output", &format!("[{added}]"));
    };
    let end = json::place(output)?.end - 1;
    let comma = if output.is_empty() { "" } else { "," };
    Some((end..end, format!("{comma}{added}")))
}

fn message_of(chat: ValueRef<'_>) -> Option<ValueRef<'_>> {
    json::member(chat.get("choices")?.items().next()?, "message")
}

fn items_of(reply: ValueRef<'_>) -> impl Iterator<Item = ValueRef<'_>> {
    let output = reply
        .get("output")
        .filter(|output| output.kind() == Kind::Array);
    output.into_iter().flat_map(ValueRef::items)
}

fn calls_of(reply: ValueRef<'_>) -> impl Iterator<Item = ValueRef<'_>> {
    items_of(reply).filter(|item| matches!(&*kind_of(*item), "function_call" | "custom_tool_call"))
}

/// Returns a call's arguments in chat format.
fn given_to(item: ValueRef<'_>) -> String {
    match kind_of(item) == "custom_tool_call" {
        true => arguments_of(&json::text(item, "input").unwrap_or_default()),
        false => json::text(item, "arguments").unwrap_or_default(),
    }
}

/// The texts of the messages, with their parts.
fn texts_of(reply: ValueRef<'_>) -> Vec<(ValueRef<'_>, ValueRef<'_>)> {
    let messages = items_of(reply).filter(|item| kind_of(*item) == "message");
    let parts = messages.filter_map(|item| json::member(item, "content"));
    let parts = parts.flat_map(ValueRef::items);
    let texts = parts.filter(|part| kind_of(*part) == "output_text");
    texts
        .filter_map(|part| {
            let text = part.get("text").filter(|text| text.kind() == Kind::String);
            Some((part, text?))
        })
        .collect()
}

/// The text parts of all items, with their items.
fn parts_of<'r>(reply: ValueRef<'r>, list: &str, name: &str) -> Vec<(ValueRef<'r>, String)> {
    let mut parts = Vec::new();
    for item in items_of(reply) {
        let list = json::member(item, list).filter(|list| list.kind() == Kind::Array);
        for part in list.into_iter().flat_map(ValueRef::items) {
            parts.extend(json::text(part, name).map(|text| (item, text)));
        }
    }
    parts
}
