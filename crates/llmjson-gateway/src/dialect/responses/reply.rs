//! Whole responses.

use llmjson::syntax::{ValueRef, json_object};

use super::kind_of;
use super::reading::finish_of;
use super::tools::{arguments_of, called, input_of};
use super::writer::Writer;
use crate::dialect::Own;
use crate::json::{self, Node};

/// Converts a response to a chat completion.
pub(super) fn given(reply: ValueRef<'_>) -> String {
    let (mut content, mut refusal, mut reasoning) = (None::<String>, None, Vec::new());
    for item in items_of(reply) {
        let lists = ["content", "summary"].map(|name| json::items(item, name));
        for part in lists.into_iter().flatten() {
            let text = |name| json::text(part, name);
            match (&*kind_of(item), &*kind_of(part)) {
                ("reasoning", _) => reasoning.extend(text("text")),
                ("message", "output_text") => {
                    let text = text("text").unwrap_or_default();
                    content.get_or_insert_default().push_str(&text);
                }
                _ => refusal = refusal.or_else(|| text("refusal")),
            }
        }
    }
    let calls = calls_of(reply).map(|call| {
        json_object!({
            "id": json::text(call, "call_id"),
            "type": "function",
            "function": { "name": called(call), "arguments": given_to(call) },
        })
    });
    let calls: Vec<String> = calls.collect();
    json_object!({
        "id": json::text(reply, "id"),
        "choices": [{
            "index": 0_u32,
            "message": {
                "role": "assistant",
                "content": content,
                "reasoning_content"?: (!reasoning.is_empty()).then(|| reasoning.join("\n\n")),
                "refusal"?: &refusal,
                "tool_calls"?: json::some(&calls),
            },
            "finish_reason": finish_of(reply, !calls.is_empty()),
        }],
        "usage": json::raw(reply, "usage"),
    })
}

/// Writes a treated chat completion into the upstream's own response.
pub(super) fn changed(own: Own<'_>, treated: ValueRef<'_>, writer: &Writer) -> String {
    let mut reply = Node::of(own.reply.document_text());
    let usage = |root: ValueRef<'_>| root.get("usage").map_or("null", json::written).to_owned();
    if usage(own.given) != usage(treated) {
        reply.set("usage", usage(treated));
    }
    if let (Some(before), Some(after)) = (message_of(own.given), message_of(treated)) {
        if reply.get("output").is_none_or(|output| !output.is_array()) {
            reply.set("output", "[]");
        }
        if let Some(output) = reply.get("output") {
            change_items(output, own.reply, (before, after), writer);
        }
    }
    reply.written().into_owned()
}

/// Changes the items of an output, and adds others: in place of a message that is now empty, or
/// after all others.
fn change_items(
    output: &mut Node<'_>,
    reply: ValueRef<'_>,
    (before, after): (ValueRef<'_>, ValueRef<'_>),
    writer: &Writer,
) {
    let calls = |message: ValueRef<'_>| -> Vec<String> {
        let calls = json::calls(message);
        calls.map(|call| json::written(call).to_owned()).collect()
    };
    let (known, all) = (calls(before), calls(after));
    let content = |message: ValueRef<'_>| json::text(message, "content").unwrap_or_default();
    let (said, now) = (content(before), content(after));
    let mut texts = Texts::new(&said, &now);
    let mut changes = known.iter().zip(&all);
    let added = &all[known.len().min(all.len())..];
    let mut added = writer.clone().items_of(added, json::text(reply, "id"));
    for (item, node) in items_of(reply).zip(output.items()) {
        match &*kind_of(item) {
            "function_call" | "custom_tool_call" => {
                if let Some((_, call)) = changes.next().filter(|(one, other)| one != other) {
                    change_call(item, node, call, writer);
                }
            }
            "message" if said != now => {
                texts.change(item, node);
                if now.is_empty() && !added.is_empty() {
                    node.replace(std::mem::take(&mut added).join(","));
                }
            }
            _ => {}
        }
    }
    added.into_iter().for_each(|item| output.push(item));
}

fn change_call(item: ValueRef<'_>, node: &mut Node<'_>, call: &str, writer: &Writer) {
    let document = json::read(call.as_bytes());
    let root = document.as_ref().and_then(llmjson::syntax::Document::root);
    let Some(function) = root.and_then(|root| json::member(root, "function")) else {
        return;
    };
    let name = json::text(function, "name").unwrap_or_default();
    let arguments = json::text(function, "arguments").unwrap_or_default();
    if name != called(item) {
        let tool = writer.tools.in_chat(&name);
        let namespace = tool.and_then(|tool| tool.namespace.as_deref());
        node.set_text("name", tool.map_or(&name, |tool| &tool.name));
        match namespace {
            Some(namespace) => node.set_text("namespace", namespace),
            None if item.get("namespace").is_some() => node.set("namespace", "null"),
            None => {}
        }
    }
    if arguments != given_to(item) {
        match kind_of(item) == "custom_tool_call" {
            true => node.set_text("input", &input_of(&arguments)),
            false => node.set_text("arguments", &arguments),
        }
    }
}

/// The texts of a response, which are replaced from the first difference on.
struct Texts<'t> {
    /// The number of bytes that are the same.
    same: usize,
    rest: &'t str,
    has_rest: bool,
}

impl<'t> Texts<'t> {
    fn new(said: &str, now: &'t str) -> Self {
        let both = said.bytes().zip(now.bytes());
        let same = both.take_while(|(one, other)| one == other).count();
        Self {
            same: now.floor_char_boundary(same),
            rest: now,
            has_rest: true,
        }
    }

    /// Replaces the texts of a message.
    fn change(&mut self, item: ValueRef<'_>, node: &mut Node<'_>) {
        let parts = json::items(item, "content");
        let nodes = node.get("content").into_iter().flat_map(Node::items);
        for (part, node) in parts.zip(nodes) {
            let text = json::text(part, "text").filter(|_| kind_of(part) == "output_text");
            let Some(own) = text else {
                continue;
            };
            if own.len() <= self.same && self.has_rest {
                self.same -= own.len();
                self.rest = &self.rest[own.len()..];
                continue;
            }
            let now = if self.has_rest { self.rest } else { "" };
            self.has_rest = false;
            node.set_text("text", now);
            if node.get("logprobs").is_some() {
                node.set("logprobs", "[]");
            }
        }
    }
}

fn message_of(chat: ValueRef<'_>) -> Option<ValueRef<'_>> {
    json::member(json::choice(chat)?, "message")
}

fn items_of(reply: ValueRef<'_>) -> impl Iterator<Item = ValueRef<'_>> {
    json::items(reply, "output")
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
