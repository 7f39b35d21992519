//! Chunks that borrow from their text, or from a chunk that the caller holds.
//!
//! The accumulator reads these: a chunk of a stream is mostly names that it has seen before, which
//! need not be copied.

use std::borrow::Cow;

use serde::de::MapAccess;
use serde_json::Number;
use serde_json::value::RawValue;

use crate::arguments::{Arguments, ArgumentsForm};
use crate::content::Content;
use crate::extras::{Extras, ExtrasView};
use crate::field::Field;
use crate::message::{Function, Message, ToolCall};
use crate::object::wire;
use crate::response::{Choice, StreamChunk, Usage};

wire! {
    /// A view of a `StreamChunk`.
    view struct ChunkView<'a> {
        id: Option<Cow<'a, str>> = "id",
        object: Option<Cow<'a, str>> = "object",
        created: Option<Number> = "created",
        model: Option<Cow<'a, str>> = "model",
        choices: Vec<ChoiceView<'a>> = "choices",
        usage: Option<Usage> = "usage",
        system_fingerprint: Option<Cow<'a, str>> = "system_fingerprint",
    }
}

wire! {
    /// A view of a `Choice`.
    view struct ChoiceView<'a> {
        index: Option<u32> = "index",
        // Rare in a stream, and large.
        message: Option<Box<DeltaView<'a>>> = "message",
        delta: Option<DeltaView<'a>> = "delta",
        finish_reason: Option<Cow<'a, str>> = "finish_reason",
        logprobs: Option<&'a RawValue> = "logprobs",
    }
}

wire! {
    /// A view of a `Message`.
    view struct DeltaView<'a> {
        role: Option<Cow<'a, str>> = "role",
        content: JsonText<'a> = "content",
        name: Option<Cow<'a, str>> = "name",
        reasoning_content: JsonText<'a> = "reasoning_content",
        reasoning: JsonText<'a> = "reasoning",
        tool_calls: Option<Vec<CallView<'a>>> = "tool_calls",
        tool_call_id: Option<Cow<'a, str>> = "tool_call_id",
        refusal: Option<Cow<'a, str>> = "refusal",
    }
}

wire! {
    /// A view of a `ToolCall`.
    view struct CallView<'a> {
        index: Option<u32> = "index",
        id: Option<Cow<'a, str>> = "id",
        kind: Option<Cow<'a, str>> = "type",
        function: Option<FunctionView<'a>> = "function",
    }
}

wire! {
    /// A view of a `Function`.
    view struct FunctionView<'a> {
        name: Option<Cow<'a, str>> = "name",
        arguments: JsonText<'a> = "arguments",
    }
}

wire! {
    /// An object without known members.
    view struct ObjectView<'a> {
    }
}

/// A string, or JSON where a string is usual.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum JsonText<'a> {
    #[default]
    None,
    /// A string without escapes.
    Text(&'a str),
    /// JSON, which may be a string.
    Json(&'a str),
}

impl<'a> JsonText<'a> {
    /// Returns the string, or the inside of a JSON string.
    pub(crate) fn text(&self) -> &'a str {
        match self {
            Self::None => "",
            Self::Text(text) => text,
            Self::Json(json) => json.trim_matches('"'),
        }
    }
}

impl<'de> Field<'de> for JsonText<'de> {
    fn read<A: MapAccess<'de>>(&mut self, map: &mut A) -> Result<(), A::Error> {
        let json = map.next_value::<&RawValue>()?.get();
        *self = match json {
            "null" => Self::None,
            json => Self::Json(json),
        };
        Ok(())
    }
}

impl<'a> From<&'a Content> for JsonText<'a> {
    fn from(content: &'a Content) -> Self {
        match content {
            Content::Absent | Content::Null => Self::None,
            Content::Text(text) => Self::Text(text),
            Content::Json(raw) => Self::Json(raw.as_str()),
        }
    }
}

impl<'a> From<&'a Arguments> for JsonText<'a> {
    fn from(arguments: &'a Arguments) -> Self {
        match arguments.form() {
            ArgumentsForm::Text => Self::Text(arguments.as_str()),
            ArgumentsForm::Json => Self::Json(arguments.as_str()),
        }
    }
}

impl<'a> From<&'a StreamChunk> for ChunkView<'a> {
    fn from(chunk: &'a StreamChunk) -> Self {
        Self {
            id: text(&chunk.id),
            object: text(&chunk.object),
            created: chunk.created.clone(),
            model: text(&chunk.model),
            choices: chunk.choices.iter().map(ChoiceView::from).collect(),
            usage: chunk.usage.clone(),
            system_fingerprint: text(&chunk.system_fingerprint),
            extras: extras(&chunk.extras),
        }
    }
}

impl<'a> From<&'a Choice> for ChoiceView<'a> {
    fn from(choice: &'a Choice) -> Self {
        Self {
            index: choice.index,
            message: choice
                .message
                .as_ref()
                .map(|message| Box::new(message.into())),
            delta: choice.delta.as_ref().map(DeltaView::from),
            finish_reason: text(&choice.finish_reason),
            logprobs: choice.logprobs.as_ref().map(|raw| raw.as_raw()),
            extras: extras(&choice.extras),
        }
    }
}

impl<'a> From<&'a Message> for DeltaView<'a> {
    fn from(message: &'a Message) -> Self {
        let calls = message.tool_calls.as_ref();
        Self {
            role: text(&message.role),
            content: JsonText::from(&message.content),
            name: text(&message.name),
            reasoning_content: JsonText::from(&message.reasoning_content),
            reasoning: JsonText::from(&message.reasoning),
            tool_calls: calls.map(|calls| calls.iter().map(CallView::from).collect()),
            tool_call_id: text(&message.tool_call_id),
            refusal: text(&message.refusal),
            extras: extras(&message.extras),
        }
    }
}

impl<'a> From<&'a ToolCall> for CallView<'a> {
    fn from(call: &'a ToolCall) -> Self {
        Self {
            index: call.index,
            id: text(&call.id),
            kind: text(&call.kind),
            function: call.function.as_ref().map(FunctionView::from),
            extras: extras(&call.extras),
        }
    }
}

impl<'a> From<&'a Function> for FunctionView<'a> {
    fn from(function: &'a Function) -> Self {
        let arguments = function.arguments.as_ref();
        Self {
            name: text(&function.name),
            arguments: arguments.map_or(JsonText::None, JsonText::from),
            extras: extras(&function.extras),
        }
    }
}

fn text(text: &Option<String>) -> Option<Cow<'_, str>> {
    text.as_deref().map(Cow::Borrowed)
}

fn extras(extras: &Extras) -> ExtrasView<'_> {
    extras
        .iter()
        .map(|(name, value)| (Cow::Borrowed(name), value.as_raw()))
        .collect()
}
