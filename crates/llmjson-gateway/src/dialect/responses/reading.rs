//! Converts the events of a response to chat.

use llmjson::syntax::{Document, ValueRef, json_object};

use super::{kind_of, number};
use crate::dialect::{Given, called, said};
use crate::json;

/// The texts of a response read so far.
#[derive(Debug, Default)]
pub(super) struct Reading {
    texts: Vec<Text>,
    calls: u64,
}

/// A text of a response: a part of a message, or a tool's input.
#[derive(Debug)]
struct Text {
    item: u64,
    part: u64,
    /// The number of bytes read.
    bytes: usize,
    call: Option<Call>,
}

/// A call, in chat.
#[derive(Clone, Copy, Debug)]
struct Call {
    index: u64,
    is_custom: bool,
    /// `true` if the arguments, which are JSON around a custom tool's input, have been closed.
    is_ended: bool,
}

impl Reading {
    /// Converts an event to chat.
    pub(super) fn event(&mut self, data: &str) -> Given {
        if data.trim() == "[DONE]" {
            return Given::Done;
        }
        let document = json::read(data.as_bytes());
        let Some(root) = document.as_ref().and_then(Document::root) else {
            return Given::nothing();
        };
        let kind = kind_of(root);
        if matches!(&*kind, "error" | "response.failed") {
            return Given::Error;
        }
        if let Some(response) = json::member(root, "response") {
            return Given::Chunk(chunk_of_response(&kind, response, self.calls > 0));
        }
        let chunk = match &*kind {
            "response.output_item.added" | "response.output_item.done" => {
                self.item(root, kind.ends_with("done"))
            }
            "response.output_text.delta" => self.delta(root, "content"),
            "response.output_text.done" => self.rest(root, "text", "content"),
            "response.refusal.delta" => self.delta(root, "refusal"),
            "response.refusal.done" => self.rest(root, "refusal", "refusal"),
            "response.reasoning_text.delta" | "response.reasoning_summary_text.delta" => {
                let delta = json::text(root, "delta");
                delta.map(|delta| said("reasoning_content", &delta))
            }
            "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" => {
                let delta = json::text(root, "delta").unwrap_or_default();
                let call = self.call(root, &delta, false);
                call.map(|(index, piece)| called(index, None, &piece))
            }
            "response.function_call_arguments.done" => self.end_call(root, root, "arguments"),
            "response.custom_tool_call_input.done" => self.end_call(root, root, "input"),
            _ => None,
        };
        chunk.map_or_else(Given::nothing, Given::Chunk)
    }

    fn text(&mut self, item: u64, part: u64) -> &mut Text {
        let known = self
            .texts
            .iter()
            .rposition(|one| one.item == item && one.part == part);
        let place = known.unwrap_or_else(|| {
            self.texts.push(Text {
                item,
                part,
                bytes: 0,
                call: None,
            });
            self.texts.len() - 1
        });
        &mut self.texts[place]
    }

    /// A piece of a message part.
    fn delta(&mut self, root: ValueRef<'_>, name: &str) -> Option<String> {
        let delta = json::text(root, "delta")?;
        let (item, part) = (number(root, "output_index")?, number(root, "content_index"));
        self.text(item, part.unwrap_or_default()).bytes += delta.len();
        Some(said(name, &delta))
    }

    /// The rest of a part that ends, if no piece contained it.
    fn rest(&mut self, root: ValueRef<'_>, member: &str, name: &str) -> Option<String> {
        let whole = json::text(root, member)?;
        let (item, part) = (number(root, "output_index")?, number(root, "content_index"));
        let rest = self.text(item, part.unwrap_or_default()).rest(&whole);
        (!rest.is_empty()).then(|| said(name, &rest))
    }

    /// An item that begins or ends; many servers send all of it with one of the two events.
    fn item(&mut self, root: ValueRef<'_>, is_done: bool) -> Option<String> {
        let item = json::member(root, "item")?;
        let place = number(root, "output_index")?;
        let kind = kind_of(item);
        let member = match &*kind {
            "message" => {
                let mut all = String::new();
                for (at, part) in json::items(item, "content").enumerate() {
                    let text = json::text(part, "text").unwrap_or_default();
                    all.push_str(&self.text(place, at as u64).rest(&text));
                }
                return (!all.is_empty()).then(|| said("content", &all));
            }
            "function_call" => "arguments",
            "custom_tool_call" => "input",
            _ => return None,
        };
        if self.text(place, 0).call.is_some() {
            return is_done.then(|| self.end_call(root, item, member)).flatten();
        }
        let is_custom = kind == "custom_tool_call";
        let call = Call {
            index: self.calls,
            is_custom,
            is_ended: false,
        };
        self.calls += 1;
        self.text(place, 0).call = Some(call);
        let text = json::text(item, member).unwrap_or_default();
        let (_, piece) = self.call(root, &text, is_done)?;
        let begin = if is_custom { r#"{"input":""# } else { "" };
        let id = json::text(item, "call_id").unwrap_or_default();
        let first = Some((id, super::tools::called(item)));
        Some(called(call.index, first, &format!("{begin}{piece}")))
    }

    /// A piece of a tool's input, as a piece of its arguments.
    fn call(&mut self, root: ValueRef<'_>, piece: &str, is_end: bool) -> Option<(u64, String)> {
        let text = self.text(number(root, "output_index")?, 0);
        text.bytes += piece.len();
        let call = text.call.as_mut().filter(|call| !call.is_ended)?;
        call.is_ended |= is_end;
        let piece = match call.is_custom {
            true => {
                let quoted = json::string(piece);
                let end = if is_end { "\"}" } else { "" };
                format!("{}{end}", &quoted[1..quoted.len() - 1])
            }
            false => piece.to_owned(),
        };
        Some((call.index, piece))
    }

    fn end_call(
        &mut self,
        root: ValueRef<'_>,
        owner: ValueRef<'_>,
        member: &str,
    ) -> Option<String> {
        let whole = json::text(owner, member).unwrap_or_default();
        let text = self.text(number(root, "output_index")?, 0);
        let before = text.bytes;
        let rest = text.rest(&whole);
        text.bytes = before;
        let (index, piece) = self.call(root, &rest, true)?;
        (!piece.is_empty()).then(|| called(index, None, &piece))
    }
}

impl Text {
    /// Returns the part of a whole text that was not read before, and marks it as read.
    fn rest(&mut self, whole: &str) -> String {
        let rest = whole.get(self.bytes..).unwrap_or_default().to_owned();
        self.bytes += rest.len();
        rest
    }
}

/// The beginning of a response, or its end.
fn chunk_of_response(kind: &str, response: ValueRef<'_>, has_calls: bool) -> String {
    let is_end = matches!(kind, "response.completed" | "response.incomplete");
    if !is_end {
        return json_object!("id"?: json::text(response, "id"), "choices": []);
    }
    json_object!({
        "id"?: json::text(response, "id"),
        "choices": [{
            "index": 0_u32,
            "delta": {},
            "finish_reason": finish_of(response, has_calls),
        }],
        "usage"?: json::raw(response, "usage"),
    })
}

/// Returns the chat finish reason for a response that has ended.
pub(super) fn finish_of(response: ValueRef<'_>, has_calls: bool) -> &'static str {
    let details = json::member(response, "incomplete_details");
    let reason = details.and_then(|details| json::text(details, "reason"));
    match reason.as_deref() {
        Some("content_filter") => "content_filter",
        Some(_) => "length",
        None if has_calls => "tool_calls",
        None => "stop",
    }
}
