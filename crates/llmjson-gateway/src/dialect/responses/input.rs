//! Converts a request's input to chat messages.

use llmjson::syntax::{JsonOut, JsonText, Kind, Raw, ValueRef};

use super::kind_of;
use super::request::STORED;
use super::tools::{Tools, arguments_of, called};
use crate::dialect::{Part, Wording, content_of, message, moved_from};
use crate::{Rejection, json};

/// The item types with a chat equivalent.
const EXPECTED: &str = "expected message, function_call, function_call_output, custom_tool_call, \
    custom_tool_call_output, reasoning or additional_tools";

/// The messages while the items are read.
pub(super) struct Input<'t> {
    tools: &'t mut Tools,
    wording: &'t mut Wording,
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
    pub(super) fn new(tools: &'t mut Tools, wording: &'t mut Wording) -> Self {
        Self {
            tools,
            wording,
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

    pub(super) fn read(&mut self, input: ValueRef<'_>) -> Result<(), Rejection> {
        if let Some(text) = input.as_str() {
            self.messages.push(message("user", &json::string(&text)));
            return Ok(());
        }
        for (at, item) in input.items().enumerate() {
            let path = format!("input[{at}]");
            let kind = kind_of(item);
            if kind == "additional_tools" {
                if let Some(tools) = item.get("tools") {
                    self.tools
                        .read(tools, &format!("{path}.tools"), self.wording)?;
                }
                continue;
            }
            // The client's own body is sent.
            if !self.wording.is_sent() {
                continue;
            }
            match &*kind {
                "" | "message" => self.message(item, &path)?,
                "function_call" | "custom_tool_call" => self.call(item, kind == "custom_tool_call"),
                "function_call_output" | "custom_tool_call_output" => self.output(item, &path)?,
                "reasoning" => self.reasoning(item),
                "item_reference" => self
                    .wording
                    .require(&format!("{path}.type {kind:?}"), STORED)?,
                _ => self.wording.refuse_type(item, &path, EXPECTED)?,
            }
        }
        Ok(())
    }

    fn message(&mut self, item: ValueRef<'_>, path: &str) -> Result<(), Rejection> {
        let role = json::text(item, "role").unwrap_or_default();
        if role != "user" {
            self.end_outputs(Vec::new());
        }
        let parts = self.parts_of(item.get("content"), &format!("{path}.content"))?;
        match &*role {
            "user" => {
                self.end_turn();
                self.end_outputs(parts);
            }
            "system" | "developer" => {
                let text = self.texts_of(parts, "\n\n", &format!("{path}.content"))?;
                self.system(text);
            }
            "assistant" => {
                if self.turn.content.is_some() || !self.turn.calls.is_empty() {
                    self.end_turn();
                }
                let (refusals, texts): (Vec<Part>, Vec<Part>) = parts
                    .into_iter()
                    .partition(|part| matches!(part, Part::Refusal(_)));
                let refusals: Vec<String> = refusals.into_iter().map(into_text).collect();
                self.turn.refusal = (!refusals.is_empty()).then(|| refusals.concat());
                self.turn.content = Some(self.texts_of(texts, "", &format!("{path}.content"))?);
            }
            _ => {
                let expected = "expected user, assistant, system or developer";
                self.wording
                    .require(&format!("{path}.role {role:?}"), expected)?;
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
        self.turn.calls.push(JsonText::object_of(|out| {
            out.member(
                "id",
                json::text(item, "call_id").as_deref().unwrap_or_default(),
            );
            out.member("type", "function");
            out.object_in("function", |out| {
                out.member("name", called(item));
                out.member("arguments", arguments);
            });
        }));
    }

    fn output(&mut self, item: ValueRef<'_>, path: &str) -> Result<(), Rejection> {
        self.end_turn();
        let parts = self.parts_of(item.get("output"), &format!("{path}.output"))?;
        let (texts, others): (Vec<Part>, Vec<Part>) = parts
            .into_iter()
            .partition(|part| matches!(part, Part::Text(_)));
        let id = json::text(item, "call_id").unwrap_or_default();
        if !others.is_empty() {
            self.moved.push(Part::Text(moved_from(&id)));
            self.moved.extend(others);
        }
        let text = self.texts_of(texts, "\n", &format!("{path}.output"))?;
        self.messages.push(JsonText::object_of(|out| {
            out.member("role", "tool");
            out.member("tool_call_id", id);
            out.member("content", text);
        }));
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
    fn reasoning(&mut self, item: ValueRef<'_>) {
        self.end_outputs(Vec::new());
        if self.turn.content.is_some() || !self.turn.calls.is_empty() {
            self.end_turn();
        }
        let texts = |name: &str| -> Vec<String> {
            let parts = json::items(item, name);
            parts.filter_map(|part| json::text(part, "text")).collect()
        };
        let content = texts("content");
        let texts = if content.is_empty() {
            texts("summary")
        } else {
            content
        };
        self.turn.reasoning.push_str(&texts.join("\n\n"));
        if json::member(item, "encrypted_content").is_some() {
            self.wording.drop("encrypted_content");
        }
    }

    fn end_turn(&mut self) {
        let turn = std::mem::take(&mut self.turn);
        if turn.content.is_none() && turn.calls.is_empty() {
            return;
        }
        self.messages.push(JsonText::object_of(|out| {
            out.member("role", "assistant");
            if !turn.reasoning.is_empty() {
                out.member("reasoning_content", turn.reasoning);
            }
            out.member("content", turn.content);
            if let Some(refusal) = turn.refusal {
                out.member("refusal", refusal);
            }
            if !turn.calls.is_empty() {
                out.list("tool_calls", &turn.calls, |call, out| out.json(call));
            }
        }));
    }
}

fn into_text(part: Part) -> String {
    match part {
        Part::Text(text) | Part::Refusal(text) | Part::Other(text) => text,
    }
}

impl Input<'_> {
    fn parts_of(
        &mut self,
        content: Option<ValueRef<'_>>,
        path: &str,
    ) -> Result<Vec<Part>, Rejection> {
        let Some(content) = content else {
            return Ok(Vec::new());
        };
        if let Some(text) = content.as_str() {
            return Ok(vec![Part::Text(text.into_owned())]);
        }
        if content.kind() != Kind::Array {
            self.wording
                .refuse(path, "expected a text or a list of parts")?;
        }
        let mut parts = Vec::new();
        for (at, part) in content.items().enumerate() {
            parts.extend(self.part_of(part, &format!("{path}[{at}]"))?);
        }
        Ok(parts)
    }

    fn part_of(&mut self, part: ValueRef<'_>, path: &str) -> Result<Option<Part>, Rejection> {
        let text = |name: &str| json::text(part, name).unwrap_or_default();
        Ok(Some(match &*kind_of(part) {
            "input_text" | "output_text" | "text" => Part::Text(text("text")),
            "refusal" => Part::Refusal(text("refusal")),
            "input_image" => {
                if json::member(part, "image_url").is_none() {
                    self.wording
                        .refuse(path, "expected an image with an image_url")?;
                    return Ok(None);
                }
                Part::Other(part_in(
                    "image_url",
                    part,
                    &[("image_url", "url"), ("detail", "detail")],
                ))
            }
            "input_audio" => Part::Other(json::written(part).to_owned()),
            "input_file" => {
                if json::member(part, "file_url").is_some() {
                    self.wording
                        .refuse(path, "expected a file with file_data or file_id")?;
                    return Ok(None);
                }
                let names = ["file_data", "file_id", "filename"].map(|name| (name, name));
                Part::Other(part_in("file", part, &names))
            }
            _ => {
                let expected = "expected input_text, output_text, input_image, input_file, input_audio or refusal";
                self.wording.refuse_type(part, path, expected)?;
                return Ok(None);
            }
        }))
    }

    /// Returns parts as one text.
    fn texts_of(
        &mut self,
        mut parts: Vec<Part>,
        between: &str,
        path: &str,
    ) -> Result<String, Rejection> {
        if parts.iter().any(|part| !matches!(part, Part::Text(_))) {
            self.wording
                .refuse(path, "expected nothing but texts in it")?;
            parts.retain(|part| matches!(part, Part::Text(_)));
        }
        let texts: Vec<String> = parts.into_iter().map(into_text).collect();
        Ok(texts.join(between))
    }
}

/// Returns a part of one type with some members of another.
fn part_in(kind: &str, part: ValueRef<'_>, names: &[(&str, &str)]) -> String {
    JsonText::object_of(|out| {
        out.member("type", kind);
        out.object_in(kind, |out| {
            for (name, in_chat) in names {
                if let Some(value) = json::member(part, name) {
                    out.member(in_chat, Raw(json::written(value)));
                }
            }
        });
    })
}
