//! Converts a request's input to chat messages.

use llmjson::syntax::{Kind, ValueRef, json_object};

use super::request::STORED;
use super::tools::{Tools, arguments_of, called};
use crate::dialect::{Element, Part, content_of, message, moved_from};
use crate::{Rejection, json};

/// The item types with a chat equivalent.
const EXPECTED: &str = "expected message, function_call, function_call_output, custom_tool_call, \
    custom_tool_call_output, reasoning or additional_tools";

/// The messages while the items are read.
pub(super) struct Input<'t> {
    tools: &'t mut Tools,
    messages: Vec<String>,
    /// The leading system texts, which become one message: many models accept only one.
    system: Vec<String>,
    /// The model's message being read.
    turn: Turn,
    /// The parts of outputs that only a message of the user can have, which follows them.
    moved: Vec<Part>,
}

/// A message of the model, which is several items of a response.
#[derive(Default)]
struct Turn {
    reasoning: String,
    content: Option<String>,
    refusal: Option<String>,
    calls: Vec<String>,
}

impl<'t> Input<'t> {
    pub(super) fn new(tools: &'t mut Tools) -> Self {
        Self {
            tools,
            messages: Vec::new(),
            system: Vec::new(),
            turn: Turn::default(),
            moved: Vec::new(),
        }
    }

    /// Adds a system text.
    pub(super) fn system(&mut self, text: String) {
        self.end_turn();
        match self.messages.is_empty() {
            true => self.system.push(text),
            false => self.messages.push(message("system", &json::string(&text))),
        }
    }

    /// Returns the messages.
    pub(super) fn finish(mut self) -> Vec<String> {
        self.end_turn();
        self.end_outputs(Vec::new());
        if !self.system.is_empty() {
            let text = json::string(&self.system.join("\n\n"));
            self.messages.insert(0, message("system", &text));
        }
        self.messages
    }

    pub(super) fn read(&mut self, input: &Element<'_, '_>) -> Result<(), Rejection> {
        if input.is_string() {
            self.messages.push(message("user", &input.written()));
            return Ok(());
        }
        for item in input.items() {
            let kind = item.kind();
            if kind == "additional_tools" {
                if let Some(tools) = item.member("tools") {
                    self.tools.read(&tools)?;
                }
                continue;
            }
            // The client's own body is sent.
            if !item.is_sent() {
                continue;
            }
            match &*kind {
                "" | "message" => self.message(&item)?,
                "function_call" | "custom_tool_call" => {
                    self.call(item.value, kind == "custom_tool_call");
                }
                "function_call_output" | "custom_tool_call_output" => self.output(&item)?,
                "reasoning" => self.reasoning(&item),
                "item_reference" => item.place_of(&format!("type {kind:?}")).require(STORED)?,
                _ => item.refuse_type(EXPECTED)?,
            }
        }
        Ok(())
    }

    fn message(&mut self, item: &Element<'_, '_>) -> Result<(), Rejection> {
        let role = item.text("role");
        if role != "user" {
            self.end_outputs(Vec::new());
        }
        let place = item.place_of("content");
        let parts = parts_of(item, "content")?;
        match &*role {
            "user" => {
                self.end_turn();
                self.end_outputs(parts);
            }
            "system" | "developer" => self.system(texts_of(parts, "\n\n", &place)?),
            "assistant" => {
                self.end_begun_turn();
                let is_refusal = |part: &Part| matches!(part, Part::Refusal(_));
                let (refusals, texts): (Vec<Part>, Vec<Part>) =
                    parts.into_iter().partition(is_refusal);
                let refusals: Vec<String> = refusals.into_iter().map(into_text).collect();
                self.turn.refusal = (!refusals.is_empty()).then(|| refusals.concat());
                self.turn.content = Some(texts_of(texts, "", &place)?);
            }
            _ => {
                let place = item.place_of(&format!("role {role:?}"));
                place.require("expected user, assistant, system or developer")?;
            }
        }
        Ok(())
    }

    fn call(&mut self, item: ValueRef<'_>, is_custom: bool) {
        self.end_outputs(Vec::new());
        let arguments = match is_custom {
            true => arguments_of(&json::text(item, "input").unwrap_or_default()),
            false => json::text(item, "arguments").unwrap_or_default(),
        };
        self.turn.calls.push(json_object!({
            "id": json::text(item, "call_id").as_deref().unwrap_or_default(),
            "type": "function",
            "function": { "name": called(item), "arguments": arguments },
        }));
    }

    fn output(&mut self, item: &Element<'_, '_>) -> Result<(), Rejection> {
        self.end_turn();
        let is_text = |part: &Part| matches!(part, Part::Text(_));
        let parts = parts_of(item, "output")?;
        let (texts, others): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(is_text);
        let id = item.text("call_id");
        if !others.is_empty() {
            self.moved.push(Part::Text(moved_from(&id)));
            self.moved.extend(others);
        }
        let text = texts_of(texts, "\n", &item.place_of("output"))?;
        self.messages
            .push(json_object!("role": "tool", "tool_call_id": id, "content": text));
        Ok(())
    }

    /// Adds a message of the user: the parts of the outputs before it, and its own.
    fn end_outputs(&mut self, own: Vec<Part>) {
        let mut parts = std::mem::take(&mut self.moved);
        parts.extend(own);
        if !parts.is_empty() {
            let content = content_of(&parts);
            self.messages.push(message("user", &content));
        }
    }

    /// Reasoning is attached to the message that follows; encrypted reasoning is only for its own
    /// server.
    fn reasoning(&mut self, item: &Element<'_, '_>) {
        self.end_outputs(Vec::new());
        self.end_begun_turn();
        let texts = |name: &str| -> Vec<String> {
            let parts = json::items(item.value, name);
            parts.filter_map(|part| json::text(part, "text")).collect()
        };
        let content = texts("content");
        let texts = if content.is_empty() {
            texts("summary")
        } else {
            content
        };
        self.turn.reasoning.push_str(&texts.join("\n\n"));
        if item.member("encrypted_content").is_some() {
            item.drop("encrypted_content");
        }
    }

    /// Ends a message of the model that has more than reasoning.
    fn end_begun_turn(&mut self) {
        if self.turn.content.is_some() || !self.turn.calls.is_empty() {
            self.end_turn();
        }
    }

    fn end_turn(&mut self) {
        let turn = std::mem::take(&mut self.turn);
        if turn.content.is_none() && turn.calls.is_empty() {
            return;
        }
        let reasoning = Some(turn.reasoning).filter(|reasoning| !reasoning.is_empty());
        self.messages.push(json_object!({
            "role": "assistant",
            "reasoning_content"?: reasoning,
            "content": turn.content,
            "refusal"?: turn.refusal,
            "tool_calls"?: json::some(&turn.calls),
        }));
    }
}

fn into_text(part: Part) -> String {
    match part {
        Part::Text(text) | Part::Refusal(text) | Part::Other(text) => text,
    }
}

fn parts_of(item: &Element<'_, '_>, name: &str) -> Result<Vec<Part>, Rejection> {
    let Some(content) = item.value.get(name) else {
        return Ok(Vec::new());
    };
    if let Some(text) = content.as_str() {
        return Ok(vec![Part::Text(text.into_owned())]);
    }
    if content.kind() != Kind::Array {
        item.place_of(name)
            .refuse("expected a text or a list of parts")?;
    }
    let mut parts = Vec::new();
    for part in item.items_of(name) {
        parts.extend(part_of(&part)?);
    }
    Ok(parts)
}

fn part_of(part: &Element<'_, '_>) -> Result<Option<Part>, Rejection> {
    let refused = |expected| part.refuse(expected).map(|()| None);
    Ok(Some(match &*part.kind() {
        "input_text" | "output_text" | "text" => Part::Text(part.text("text")),
        "refusal" => Part::Refusal(part.text("refusal")),
        "input_image" if part.member("image_url").is_none() => {
            return refused("expected an image with an image_url");
        }
        "input_image" => {
            let names = [("image_url", "url"), ("detail", "detail")];
            Part::Other(part_in("image_url", part.value, &names))
        }
        "input_audio" => Part::Other(part.written()),
        "input_file" if part.member("file_url").is_some() => {
            return refused("expected a file with file_data or file_id");
        }
        "input_file" => {
            let names = ["file_data", "file_id", "filename"].map(|name| (name, name));
            Part::Other(part_in("file", part.value, &names))
        }
        _ => {
            let expected =
                "expected input_text, output_text, input_image, input_file, input_audio or refusal";
            part.refuse_type(expected)?;
            return Ok(None);
        }
    }))
}

/// Returns the parts of a value as one text.
fn texts_of(
    mut parts: Vec<Part>,
    between: &str,
    place: &Element<'_, '_>,
) -> Result<String, Rejection> {
    if parts.iter().any(|part| !matches!(part, Part::Text(_))) {
        place.refuse("expected nothing but texts in it")?;
        parts.retain(|part| matches!(part, Part::Text(_)));
    }
    let texts: Vec<String> = parts.into_iter().map(into_text).collect();
    Ok(texts.join(between))
}

/// Returns a part of one type with some members of another.
fn part_in(kind: &str, part: ValueRef<'_>, names: &[(&str, &str)]) -> String {
    let members = names.iter();
    let members = members.filter_map(|(name, in_chat)| Some((in_chat, json::raw(part, name)?)));
    json_object!({ "type": kind, kind: { ..members } })
}
