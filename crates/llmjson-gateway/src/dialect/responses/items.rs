//! The items of a response, and the response built from them, as JSON.

use llmjson::syntax::{Document, JsonOut, JsonText, Raw, ValueRef};

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
        JsonText::object_of(|out| {
            out.member("id", item.id.as_str());
            match &item.kind {
                ItemKind::Call { call_id, in_chat } => {
                    out.member("type", self.tools.kind_of_call(in_chat));
                    out.member("status", status);
                    out.member("call_id", call_id);
                    return self.tools.put_call(in_chat, &item.parts.concat(), out);
                }
                ItemKind::Reasoning => {
                    out.member("type", "reasoning");
                    out.list("summary", [(); 0], |(), _| {});
                }
                _ => {
                    out.member("type", "message");
                    out.member("status", status);
                    out.member("role", "assistant");
                }
            }
            out.list("content", &item.parts, |part, out| {
                out.json(&part_json(&item.kind, part))
            });
        })
    }

    /// Converts chat calls to items of a response with an id.
    pub(super) fn items_of(&mut self, calls: &[String], id: Option<String>) -> Vec<String> {
        self.is_silent = true;
        self.head = id.map(|id| [json::string(&id), String::new(), String::new()]);
        let calls = JsonText::object_of(|out| {
            out.objects("choices", [()], |(), out| {
                out.object_in("delta", |out| {
                    out.list("tool_calls", calls, |call, out| out.json(call));
                });
            });
        });
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
        JsonText::object_of(|out| {
            let head = self.head.as_ref();
            let member = |place: usize| head.map_or("null", |head| &head[place]);
            out.member("id", Raw(member(0)));
            out.member("object", "response");
            out.member("created_at", Raw(member(1)));
            out.member("status", status);
            for name in ["background", "error", "incomplete_details"] {
                let reason = incomplete(self.finish.as_deref());
                match (name, reason) {
                    ("background", _) => out.member(name, false),
                    ("incomplete_details", Some(reason)) if status != "in_progress" => {
                        out.object_in(name, |out| out.member("reason", reason));
                    }
                    _ => out.member(name, None::<&str>),
                }
            }
            out.member("model", Raw(member(2)));
            for (name, value) in &self.echo {
                out.member(name, Raw(value));
            }
            let items = self
                .items
                .iter()
                .enumerate()
                .filter(|(_, item)| !item.is_open);
            out.list("output", items, |(place, item), out| {
                out.json(&self.item_json(item, self.status_of(place)));
            });
            match self.usage.as_deref().filter(|_| status != "in_progress") {
                Some(usage) => out.member("usage", Raw(&usage_of(usage))),
                None => out.member("usage", None::<&str>),
            }
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
    JsonText::object_of(|out| {
        let (kind, name) = match kind {
            ItemKind::Reasoning => ("reasoning_text", "text"),
            ItemKind::Refusal => ("refusal", "refusal"),
            _ => ("output_text", "text"),
        };
        out.member("type", kind);
        out.member(name, text);
        if kind == "output_text" {
            out.list("annotations", [(); 0], |(), _| {});
            out.list("logprobs", [(); 0], |(), _| {});
        }
    })
}

/// Converts the usage from chat to Responses.
fn usage_of(usage: &str) -> String {
    let document = json::read(usage.as_bytes());
    let root = document.as_ref().and_then(Document::root);
    let number = |path: [&str; 2]| {
        let mut value = root;
        for name in path.into_iter().filter(|name| !name.is_empty()) {
            value = value.and_then(|value| json::member(value, name));
        }
        value.map_or("0", json::written).to_owned()
    };
    JsonText::object_of(|out| {
        out.member("input_tokens", Raw(&number(["prompt_tokens", ""])));
        out.object_in("input_tokens_details", |out| {
            out.member(
                "cached_tokens",
                Raw(&number(["prompt_tokens_details", "cached_tokens"])),
            );
        });
        out.member("output_tokens", Raw(&number(["completion_tokens", ""])));
        out.object_in("output_tokens_details", |out| {
            let reasoning = number(["completion_tokens_details", "reasoning_tokens"]);
            out.member("reasoning_tokens", Raw(&reasoning));
        });
        out.member("total_tokens", Raw(&number(["total_tokens", ""])));
    })
}
