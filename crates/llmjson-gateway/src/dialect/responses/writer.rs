//! A response's output as the client has received it, and the events that add to it.

use llmjson::syntax::{JsonOut, JsonText, Raw, ValueRef, json_members};

use super::items::{Item, ItemKind, part_json};
use super::tools::{Tools, input_of};
use crate::error::message_of;
use crate::json;
use crate::received::put_event;

/// A response on its way to the client.
#[derive(Clone, Debug, Default)]
pub(super) struct Writer {
    pub(super) tools: Tools,
    /// The members of a response that echo the request.
    pub(super) echo: Vec<(&'static str, String)>,
    pub(super) has_format: bool,
    /// The id, the time and the model, as JSON, once it has begun.
    pub(super) head: Option<[String; 3]>,
    pub(super) items: Vec<Item>,
    /// The items of the calls, by their chat index.
    pub(super) calls: Vec<(u64, usize)>,
    pub(super) sequence: u64,
    /// The id of the next item, if the upstream set one.
    pub(super) next_id: Option<String>,
    pub(super) finish: Option<String>,
    pub(super) usage: Option<String>,
    pub(super) is_ended: bool,
    /// `true` if the upstream supports the dialect.
    pub(super) is_native: bool,
    /// `true` while the upstream's own events are sent: their content is recorded, but nothing is
    /// written.
    pub(super) is_silent: bool,
}

impl Writer {
    /// Writes an event.
    fn event(&mut self, kind: &str, out: &mut Vec<u8>, write: impl FnOnce(&mut JsonText<'_>)) {
        if self.is_silent {
            return;
        }
        let data = JsonText::object_of(|json| {
            json_members!(json, "type": kind, "sequence_number": self.sequence);
            write(json);
        });
        self.sequence = self.sequence.saturating_add(1);
        put_event(Some(kind.as_bytes()), &data, out);
    }

    /// Returns the position of the last item with an index in the upstream's own output.
    pub(super) fn place_of(&self, native: Option<u64>) -> Option<usize> {
        let is_it = |item: &Item| native.is_some() && item.native == native;
        self.items.iter().rposition(is_it)
    }

    /// Adds a chat chunk.
    pub(super) fn chunk(&mut self, root: ValueRef<'_>, out: &mut Vec<u8>) {
        self.begin(root, out);
        if let Some(usage) = json::member(root, "usage") {
            self.usage = Some(json::written(usage).to_owned());
        }
        let Some(choice) = json::choice(root) else {
            return;
        };
        if let Some(delta) = json::member(choice, "delta").or(json::member(choice, "message")) {
            self.delta(delta, out);
        }
        if let Some(finish) =
            json::text(choice, "finish_reason").filter(|finish| !finish.is_empty())
        {
            self.finish = Some(finish);
            if !self.is_silent {
                self.close_all(out);
            }
        }
    }

    fn begin(&mut self, root: ValueRef<'_>, out: &mut Vec<u8>) {
        if self.head.is_some() || self.is_native {
            return;
        }
        let id = json::text(root, "id").unwrap_or_default();
        let id = id.strip_prefix("chatcmpl-").unwrap_or(&id);
        let written = |name: &str, absent: &str| {
            json::member(root, name)
                .map_or_else(|| absent.to_owned(), |one| json::written(one).to_owned())
        };
        self.head = Some([
            json::string(&format!("resp_{id}")),
            written("created", "0"),
            written("model", "\"\""),
        ]);
        for kind in ["response.created", "response.in_progress"] {
            let response = self.response("in_progress");
            self.event(kind, out, |json| json.member("response", Raw(&response)));
        }
    }

    fn delta(&mut self, delta: ValueRef<'_>, out: &mut Vec<u8>) {
        let texts = [
            ("reasoning_content", ItemKind::Reasoning),
            ("reasoning", ItemKind::Reasoning),
            ("content", ItemKind::Message),
            ("refusal", ItemKind::Refusal),
        ];
        let mut has_reasoning = false;
        for (name, kind) in texts {
            let text = json::text(delta, name).filter(|text| !text.is_empty());
            let is_again = kind == ItemKind::Reasoning && has_reasoning;
            if let Some(text) = text.filter(|_| !is_again) {
                has_reasoning |= kind == ItemKind::Reasoning;
                self.text(kind, &text, out);
            }
        }
        for (place, call) in json::calls(delta).enumerate() {
            let index = call
                .get("index")
                .and_then(ValueRef::as_u64)
                .unwrap_or(place as u64);
            let Some(function) = json::member(call, "function") else {
                continue;
            };
            let known = self.calls.iter().find(|(known, _)| *known == index);
            let item = match known.map(|(_, item)| *item) {
                Some(item) => item,
                None => self.open_call(index, call, function, out),
            };
            let arguments = json::text(function, "arguments").unwrap_or_default();
            self.add(item, &arguments, out);
        }
    }

    /// Adds a text of a kind to the open item.
    fn text(&mut self, kind: ItemKind, text: &str, out: &mut Vec<u8>) {
        let open = self
            .items
            .iter()
            .rposition(|item| item.is_open && item.kind == kind);
        let item = match open {
            Some(item) => item,
            None => self.open(kind, out),
        };
        self.add(item, text, out);
    }

    fn open_call(
        &mut self,
        index: u64,
        call: ValueRef<'_>,
        function: ValueRef<'_>,
        out: &mut Vec<u8>,
    ) -> usize {
        let call_id = json::text(call, "id").unwrap_or_default();
        let in_chat = json::text(function, "name").unwrap_or_default();
        let item = self.open(ItemKind::Call { call_id, in_chat }, out);
        self.calls.push((index, item));
        item
    }

    /// Opens an item after the open ones, of which the complete ones are closed.
    fn open(&mut self, kind: ItemKind, out: &mut Vec<u8>) -> usize {
        for place in 0..self.items.len() {
            if !self.is_silent && self.is_final(place) {
                self.close(place, out);
            }
        }
        let place = self.items.len();
        let next = self.next_id.take();
        let id = next.filter(|id| self.items.iter().all(|item| item.id != *id));
        let item = Item {
            id: id.unwrap_or_else(|| self.new_id(&kind)),
            kind,
            parts: Vec::new(),
            is_open: true,
            native: None,
            own: None,
        };
        let json = self.item_json(&item, "in_progress");
        self.event("response.output_item.added", out, |out| {
            json_members!(out, "output_index": place, "item": Raw(&json));
        });
        self.items.push(item);
        place
    }

    /// Adds to the text of an item.
    fn add(&mut self, place: usize, text: &str, out: &mut Vec<u8>) {
        let item = &mut self.items[place];
        let (id, kind) = (item.id.clone(), item.kind.clone());
        if item.parts.is_empty() {
            item.parts.push(String::new());
            if !matches!(kind, ItemKind::Call { .. }) {
                let part = part_json(&kind, "");
                self.event("response.content_part.added", out, |out| {
                    put_place(&id, place, Some(0), out);
                    out.member("part", Raw(&part));
                });
            }
        }
        let item = &mut self.items[place];
        let part = item.parts.len() - 1;
        item.parts[part].push_str(text);
        let name = match &kind {
            ItemKind::Message => "response.output_text.delta",
            ItemKind::Refusal => "response.refusal.delta",
            ItemKind::Reasoning => "response.reasoning_text.delta",
            // The input is a string in the arguments, and is sent once complete.
            ItemKind::Call { in_chat, .. } if self.is_custom(in_chat) => return,
            ItemKind::Call { .. } => "response.function_call_arguments.delta",
            ItemKind::Other => return,
        };
        if text.is_empty() {
            return;
        }
        let is_call = matches!(kind, ItemKind::Call { .. });
        self.event(name, out, |out| {
            put_place(&id, place, (!is_call).then_some(part), out);
            out.member("delta", text);
            if kind == ItemKind::Message {
                out.list("logprobs", [(); 0], |(), _| {});
            }
        });
    }

    /// Returns `true` if nothing can be added to an open item: text that need not be JSON, or
    /// complete JSON.
    pub(super) fn is_final(&self, place: usize) -> bool {
        let item = &self.items[place];
        let is_json = || json::is_json(&item.parts.concat());
        item.is_open
            && match &item.kind {
                ItemKind::Message => !self.has_format || is_json(),
                ItemKind::Call { .. } => is_json(),
                _ => true,
            }
    }

    pub(super) fn close_all(&mut self, out: &mut Vec<u8>) {
        for place in 0..self.items.len() {
            self.close(place, out);
        }
    }

    /// Ends an item.
    pub(super) fn close(&mut self, place: usize, out: &mut Vec<u8>) {
        if !self.items[place].is_open || self.items[place].kind == ItemKind::Other {
            return;
        }
        if self.items[place].parts.is_empty() {
            self.add(place, "", out);
        }
        self.items[place].is_open = false;
        let item = self.items[place].clone();
        let id = item.id.as_str();
        if let ItemKind::Call { in_chat, .. } = &item.kind {
            self.close_call(place, id, in_chat, &item.parts.concat(), out);
        } else {
            let last = item.parts.len() - 1;
            let text = &item.parts[last];
            let (kind, name) = match item.kind {
                ItemKind::Refusal => ("response.refusal.done", "refusal"),
                ItemKind::Reasoning => ("response.reasoning_text.done", "text"),
                _ => ("response.output_text.done", "text"),
            };
            self.event(kind, out, |out| {
                put_place(id, place, Some(last), out);
                out.member(name, text);
                if item.kind == ItemKind::Message {
                    out.list("logprobs", [(); 0], |(), _| {});
                }
            });
            let part = part_json(&item.kind, text);
            self.event("response.content_part.done", out, |out| {
                put_place(id, place, Some(last), out);
                out.member("part", Raw(&part));
            });
        }
        let json = self.item_json(&item, self.status_of(place));
        self.event("response.output_item.done", out, |out| {
            json_members!(out, "output_index": place, "item": Raw(&json));
        });
    }

    fn close_call(
        &mut self,
        place: usize,
        id: &str,
        in_chat: &str,
        arguments: &str,
        out: &mut Vec<u8>,
    ) {
        if !self.is_custom(in_chat) {
            let name = self
                .tools
                .in_chat(in_chat)
                .map_or(in_chat, |tool| &tool.name)
                .to_owned();
            return self.event("response.function_call_arguments.done", out, |out| {
                put_place(id, place, None, out);
                json_members!(out, "name": name, "arguments": arguments);
            });
        }
        let input = input_of(arguments);
        for (kind, name) in [
            ("response.custom_tool_call_input.delta", "delta"),
            ("response.custom_tool_call_input.done", "input"),
        ] {
            self.event(kind, out, |out| {
                put_place(id, place, None, out);
                out.member(name, input.as_str());
            });
        }
    }

    /// Ends a response that was converted from chat.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) {
        if self.is_ended || self.is_native || self.head.is_none() {
            return;
        }
        self.is_ended = true;
        self.close_all(out);
        let status = self.status();
        let response = self.response(status);
        self.event(&format!("response.{status}"), out, |out| {
            out.member("response", Raw(&response));
        });
    }

    /// Converts a whole chat reply to a response.
    pub(super) fn whole(mut self, reply: ValueRef<'_>) -> String {
        self.is_silent = true;
        self.chunk(reply, &mut Vec::new());
        self.close_all(&mut Vec::new());
        let status = self.status();
        self.response(status)
    }

    /// Begins to read a further reply: the client keeps what it has received.
    pub(super) fn again(&mut self) {
        self.calls.clear();
        self.items.iter_mut().for_each(|item| item.native = None);
        self.finish = None;
    }

    /// Writes a chat error as an event.
    pub(super) fn fail(&mut self, given: &str, out: &mut Vec<u8>) {
        self.is_ended = true;
        let document = json::read(given.as_bytes());
        let root = document.as_ref().and_then(llmjson::syntax::Document::root);
        let error = root.and_then(|root| json::member(root, "error"));
        let text = |name: &str| error.and_then(|error| json::text(error, name));
        let message = message_of(given.as_bytes());
        let code = text("code").or_else(|| text("type"));
        let message = message.unwrap_or_default();
        self.event("error", out, |out| {
            json_members!(out, "code": code, "message": message, "param": text("param"));
        });
    }
}

/// Writes the position of a text.
fn put_place(id: &str, item: usize, part: Option<usize>, out: &mut JsonText<'_>) {
    json_members!(out, "item_id": id, "output_index": item, "content_index"?: part);
}
