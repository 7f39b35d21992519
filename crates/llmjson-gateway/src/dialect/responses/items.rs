//! The items of a response, and the response built from them, as JSON.

use llmjson::syntax::{Document, Raw, ValueRef, json_object};

use super::tools::{called, input_of};
use super::writer::Writer;
use crate::chat::number_of;
use crate::json;

/// An item of the output.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    pub(super) id: String,
    /// The texts of its parts, or its arguments.
    pub(super) parts: Vec<String>,
    pub(super) is_open: bool,
    /// The index in the upstream's own output.
    pub(super) native: Option<u64>,
    /// The item as the upstream ended it, if that was sent.
    pub(super) own: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    Message,
    Refusal,
    Reasoning,
    /// A call, with its id and its tool's chat name.
    Call {
        call_id: String,
        in_chat: String,
    },
    /// An item that is not examined.
    Other,
}

impl Writer {
    /// Returns a new id for an item.
    pub(super) fn new_id(&self, kind: &ItemKind) -> String {
        let prefix = match kind {
            ItemKind::Message | ItemKind::Refusal => "msg",
            ItemKind::Reasoning | ItemKind::Other => "rs",
            ItemKind::Call { in_chat, .. } if self.is_custom(in_chat) => "ctc",
            ItemKind::Call { .. } => "fc",
        };
        let response = self.head.as_ref().map_or("", |[id, ..]| id);
        let hash = number_of(response, 0, self.items.len());
        format!("{prefix}_{hash:016x}")
    }

    pub(super) fn is_custom(&self, in_chat: &str) -> bool {
        let tool = self.tools.in_chat(in_chat);
        tool.is_some_and(|tool| tool.is_custom)
    }

    /// Returns the status with which the response ends.
    pub(super) fn status(&self) -> &'static str {
        match incomplete(self.finish.as_deref()) {
            Some(_) => "incomplete",
            None => "completed",
        }
    }

    /// A limit truncates the last item.
    pub(super) fn status_of(&self, place: usize) -> &'static str {
        match place + 1 == self.items.len() {
            true => self.status(),
            false => "completed",
        }
    }

    /// Returns an item as JSON.
    pub(super) fn item_json(&self, item: &Item, status: &str) -> String {
        let parts: Vec<String> = item
            .parts
            .iter()
            .map(|part| part_json(&item.kind, part))
            .collect();
        match &item.kind {
            ItemKind::Call { call_id, in_chat } => json_object!({
                "id": &item.id,
                "type": self.tools.kind_of_call(in_chat),
                "status": status,
                "call_id": call_id,
                ..self.tools.call_members(in_chat, &item.parts.concat()),
            }),
            ItemKind::Reasoning => json_object!({
                "id": &item.id,
                "type": "reasoning",
                "summary": [],
                "content": json::Texts(&parts),
            }),
            _ => json_object!({
                "id": &item.id,
                "type": "message",
                "status": status,
                "role": "assistant",
                "content": json::Texts(&parts),
            }),
        }
    }

    /// Converts chat calls to items of a response with an id.
    pub(super) fn items_of(&mut self, calls: &[String], id: Option<String>) -> Vec<String> {
        self.is_silent = true;
        self.head = id.map(|id| [json::string(&id), String::new(), String::new()]);
        let calls =
            json_object!({ "choices": [{ "delta": { "tool_calls": json::Texts(calls) } }] });
        let document = json::read(calls.as_bytes());
        if let Some(root) = document.as_ref().and_then(Document::root) {
            self.chunk(root, &mut Vec::new());
        }
        let items = self.items.iter();
        items
            .map(|item| self.item_json(item, "completed"))
            .collect()
    }

    /// Returns `true` if an upstream's item has the same content as the client's.
    pub(super) fn is_like(&self, item: &Item, own: ValueRef<'_>) -> bool {
        let text = item.parts.concat();
        match &item.kind {
            ItemKind::Call { in_chat, .. } => {
                let is_same =
                    |name, text: &str| json::text(own, name).is_some_and(|own| own == text);
                *in_chat == called(own)
                    && (is_same("arguments", &text) || is_same("input", &input_of(&text)))
            }
            _ => {
                let is_refusal = item.kind == ItemKind::Refusal;
                let name = if is_refusal { "refusal" } else { "text" };
                let parts = json::items(own, "content");
                let own: String = parts.filter_map(|part| json::text(part, name)).collect();
                own == text
            }
        }
    }

    /// Returns the response in its current state.
    pub(super) fn response(&self, status: &str) -> String {
        let member = |place: usize| Raw(self.head.as_ref().map_or("null", |head| &head[place]));
        let is_over = status != "in_progress";
        let reason = incomplete(self.finish.as_deref()).filter(|_| is_over);
        let reason = reason.map(|reason| json_object!("reason": reason));
        let items = self.items.iter().enumerate();
        let items = items.filter(|(_, item)| !item.is_open);
        let items = items.map(|(place, item)| self.item_json(item, self.status_of(place)));
        let usage = self.usage.as_deref().filter(|_| is_over).map(usage_of);
        json_object!({
            "id": member(0),
            "object": "response",
            "created_at": member(1),
            "status": status,
            "background": false,
            "error": None::<&str>,
            "incomplete_details": reason.as_deref().map(Raw),
            "model": member(2),
            ..self.echo.iter().map(|(name, value)| (name, Raw(value))),
            "output": json::Texts(&items.collect::<Vec<_>>()),
            "usage": usage.as_deref().map(Raw),
        })
    }
}

/// The reason why a reply is incomplete.
fn incomplete(finish: Option<&str>) -> Option<&'static str> {
    match finish? {
        "length" => Some("max_output_tokens"),
        "content_filter" => Some("content_filter"),
        _ => None,
    }
}

/// Returns a part of an item.
pub(super) fn part_json(kind: &ItemKind, text: &str) -> String {
    match kind {
        ItemKind::Reasoning => json_object!("type": "reasoning_text", "text": text),
        ItemKind::Refusal => json_object!("type": "refusal", "refusal": text),
        _ => {
            json_object!("type": "output_text", "text": text, "annotations": [], "logprobs": [])
        }
    }
}

/// Converts the usage from chat to Responses.
fn usage_of(usage: &str) -> String {
    let document = json::read(usage.as_bytes());
    let root = document.as_ref().and_then(Document::root);
    let number = |name| {
        root.and_then(|root| json::raw(root, name))
            .unwrap_or(Raw("0"))
    };
    let inner = |owner, name| {
        let owner = root.and_then(|root| json::member(root, owner));
        owner
            .and_then(|owner| json::raw(owner, name))
            .unwrap_or(Raw("0"))
    };
    json_object!({
        "input_tokens": number("prompt_tokens"),
        "input_tokens_details": {
            "cached_tokens": inner("prompt_tokens_details", "cached_tokens"),
        },
        "output_tokens": number("completion_tokens"),
        "output_tokens_details": {
            "reasoning_tokens": inner("completion_tokens_details", "reasoning_tokens"),
        },
        "total_tokens": number("total_tokens"),
    })
}
