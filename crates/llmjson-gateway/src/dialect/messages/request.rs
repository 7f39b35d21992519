//! Requests, and the additions to them for a retry.

use llmjson::syntax::{Raw, ValueRef, json_object};

use super::reply::{text_block, tool_block};
use crate::chat::POLICY;
use crate::dialect::{Asked, Element, Members, Part, Wording, content_of, message, moved_from};
use crate::json::{self, Node};
use crate::{Rejection, Unknown};

/// Members without a chat equivalent that do not affect the reply.
const HARMLESS: &[&str] = &[
    // Caching of the prompt, and its duration.
    "cache_control",
    // Removing parts of a long conversation: chat has no equivalent.
    "context_management",
    // Whether the model or its code called a tool: the convertible calls are all the model's.
    "caller",
    // The source of a text, which the model does not see.
    "citations",
    // How a tool's input is split into events.
    "eager_input_streaming",
    // The amount of thinking, which chat servers set themselves.
    "effort",
    "thinking",
    // The billing account and the service tier.
    "metadata",
    "service_tier",
];

/// The members that chat also has.
const SAID: &[(&str, &str)] = &[
    ("model", "model"),
    ("max_tokens", "max_tokens"),
    ("temperature", "temperature"),
    ("top_p", "top_p"),
    // Chat servers of open models know it.
    ("top_k", "top_k"),
    ("stop_sequences", "stop"),
    ("stream", "stream"),
];

/// Members that are converted one by one.
const READ: &[&str] = &[
    "messages",
    "system",
    "tools",
    "tool_choice",
    "output_config",
    "output_format",
];

/// Converts a request to chat.
pub(super) fn asked(root: ValueRef<'_>, unknown: Option<Unknown>) -> Result<Asked, Rejection> {
    let wording = Wording::new(HARMLESS, unknown);
    let root = Element::root(root, &wording);
    let known = SAID.iter().map(|(name, _)| *name);
    root.only(&known.chain(READ.iter().copied()).collect::<Vec<_>>())?;
    let mut members = root.shared(SAID);
    members.extend(root.usage_of_stream());
    members.push(("messages", messages(&root)?));
    if let Some(tools) = root.member("tools").filter(|tools| !tools.value.is_empty()) {
        members.push(("tools", tools_of(&tools)?));
    }
    if let Some(choice) = root.member("tool_choice") {
        choice_of(&choice, &mut members)?;
    }
    if let Some(format) = format_of(&root)? {
        members.push(("response_format", format));
    }
    let members = members.iter().map(|(name, value)| (name, Raw(value)));
    let chat = json_object!({ ..members });
    Ok(wording.asked(chat))
}

fn tools_of(tools: &Element<'_, '_>) -> Result<String, Rejection> {
    let mut written = Vec::new();
    for tool in tools.items() {
        let kind = json::text(tool.value, "type");
        let is_own = kind.is_none_or(|kind| kind == "custom");
        if !is_own {
            tool.refuse_type("expected custom, a tool with an input_schema")?;
            if tool.is_sent() {
                continue;
            }
        }
        tool.only(&[
            "type",
            "name",
            "description",
            "input_schema",
            "strict",
            POLICY,
        ])?;
        // The input of a tool that the upstream knows by type is unchanged.
        let schema = json::raw(tool.value, "input_schema").filter(|_| is_own);
        written.push(json_object!({
            "type": "function",
            "function": {
                ..json::raws(tool.value, &["name", "description", "strict"]),
                "parameters": schema.unwrap_or(Raw("{}")),
            },
            POLICY?: tool.value.get(POLICY).map(|policy| Raw(json::written(policy))),
        }));
    }
    Ok(json::list(&written))
}

fn choice_of(choice: &Element<'_, '_>, members: &mut Members) -> Result<(), Rejection> {
    choice.only(&["type", "name", "disable_parallel_tool_use"])?;
    let kind = choice.kind();
    let in_chat = match &*kind {
        "auto" | "none" => json::string(&kind),
        "any" => r#""required""#.to_owned(),
        "tool" => {
            json_object!({ "type": "function", "function": { "name": choice.text("name") } })
        }
        _ => return choice.refuse_type("expected auto, any, tool or none"),
    };
    members.push(("tool_choice", in_chat));
    let parallel = choice.value.get("disable_parallel_tool_use");
    if parallel.and_then(ValueRef::as_bool) == Some(true) {
        members.push(("parallel_tool_calls", "false".to_owned()));
    }
    Ok(())
}

/// The schema of the reply, from `output_config` or its former name `output_format`.
fn format_of(root: &Element<'_, '_>) -> Result<Option<String>, Rejection> {
    let config = root.member("output_config");
    if let Some(config) = &config {
        config.only(&["format"])?;
    }
    let format = config.and_then(|config| config.member("format"));
    let Some(format) = format.or_else(|| root.member("output_format")) else {
        return Ok(None);
    };
    if format.kind() != "json_schema" {
        format.refuse_type("expected json_schema")?;
        return Ok(None);
    }
    format.only(&["type", "schema", "name"])?;
    Ok(Some(json_object!({
        "type": "json_schema",
        "json_schema": {
            "name": json::raw(format.value, "name").unwrap_or(Raw(r#""reply""#)),
            "schema": json::raw(format.value, "schema").unwrap_or(Raw("{}")),
        },
    })))
}

/// The chat messages; an empty array if chat is not sent.
fn messages(root: &Element<'_, '_>) -> Result<String, Rejection> {
    if !root.is_sent() {
        return Ok("[]".to_owned());
    }
    let mut written = Vec::new();
    if let Some(system) = root.member("system") {
        written.push(message("system", &texts_of(&system)?));
    }
    for one in root.items_of("messages") {
        one.only(&["role", "content"])?;
        let Some(content) = one.member("content") else {
            one.place_of("content")
                .refuse("expected a text or a list of blocks")?;
            continue;
        };
        match &*one.text("role") {
            "user" => of_user(&content, &mut written)?,
            "assistant" => written.push(of_assistant(&content)?),
            "system" => written.push(message("system", &texts_of(&content)?)),
            _ => one.place_of("role").require("expected user or assistant")?,
        }
    }
    Ok(json::list(&written))
}

/// A string, or the texts of blocks, which must all be text: several stay several.
fn texts_of(content: &Element<'_, '_>) -> Result<String, Rejection> {
    if content.is_string() {
        return Ok(content.written());
    }
    let mut parts = Vec::new();
    for block in content.items() {
        match &*block.kind() {
            "text" => parts.push(text_part(&block)?),
            _ => block.refuse_type("expected text")?,
        }
    }
    Ok(content_of(&parts))
}

fn text_part(block: &Element<'_, '_>) -> Result<Part, Rejection> {
    block.only(&["type", "text"])?;
    Ok(Part::Text(block.text("text")))
}

/// The parts of a document or of a result.
fn parts_of(content: &Element<'_, '_>, expected: &str) -> Result<Vec<Part>, Rejection> {
    if let Some(text) = json_text(content.value) {
        return Ok(vec![Part::Text(text)]);
    }
    let mut parts = Vec::new();
    for block in content.items() {
        parts.extend(parts_of_block(&block, expected)?);
    }
    Ok(parts)
}

fn parts_of_block(block: &Element<'_, '_>, expected: &str) -> Result<Vec<Part>, Rejection> {
    Ok(match &*block.kind() {
        "text" => vec![text_part(block)?],
        "image" => image_part(block)?.into_iter().collect(),
        "document" => document_parts(block)?,
        _ => {
            block.refuse_type(expected)?;
            Vec::new()
        }
    })
}

fn json_text(value: ValueRef<'_>) -> Option<String> {
    value.as_str().map(std::borrow::Cow::into_owned)
}

/// A user message: tool results come first, each in a separate message. Parts of results that are
/// not text are moved to the user message, because results in chat are text.
fn of_user(content: &Element<'_, '_>, written: &mut Vec<String>) -> Result<(), Rejection> {
    let (mut moved, mut own) = (Vec::new(), Vec::new());
    own.extend(json_text(content.value).map(Part::Text));
    for block in content.items() {
        match &*block.kind() {
            "tool_result" => written.push(result(&block, &mut moved)?),
            _ => {
                let expected = "expected text, image, document or tool_result";
                own.extend(parts_of_block(&block, expected)?);
            }
        }
    }
    moved.extend(own);
    if !moved.is_empty() {
        written.push(message("user", &content_of(&moved)));
    }
    Ok(())
}

fn image_part(block: &Element<'_, '_>) -> Result<Option<Part>, Rejection> {
    block.only(&["type", "source"])?;
    let url = block
        .member("source")
        .and_then(|source| match &*source.kind() {
            "base64" => Some(data_url(&source)),
            "url" => Some(source.text("url")),
            _ => None,
        });
    let Some(url) = url else {
        block
            .place_of("source")
            .refuse("expected one of type base64 or url")?;
        return Ok(None);
    };
    let part = json_object!({ "type": "image_url", "image_url": { "url": url } });
    Ok(Some(Part::Other(part)))
}

fn data_url(source: &Element<'_, '_>) -> String {
    let (media, data) = (source.text("media_type"), source.text("data"));
    format!("data:{media};base64,{data}")
}

/// A document: a file, or its text after its title and context.
fn document_parts(block: &Element<'_, '_>) -> Result<Vec<Part>, Rejection> {
    block.only(&["type", "source", "title", "context"])?;
    let title = json::text(block.value, "title");
    let about = [title.clone(), json::text(block.value, "context")];
    let mut parts: Vec<Part> = about.into_iter().flatten().map(Part::Text).collect();
    let source = block.member("source");
    match source.map(|source| (source.kind(), source)) {
        Some((kind, source)) if kind == "base64" => parts.push(Part::Other(json_object!({
            "type": "file",
            "file": {
                "filename": title.as_deref().unwrap_or("document"),
                "file_data": data_url(&source),
            },
        }))),
        Some((kind, source)) if kind == "text" => parts.push(Part::Text(source.text("data"))),
        Some((kind, source)) if kind == "content" => {
            if let Some(content) = source.member("content") {
                parts.extend(parts_of(&content, "expected text or image")?);
            }
        }
        _ => {
            let source = block.place_of("source");
            source.refuse("expected one of type base64, text or content")?;
            parts.clear();
        }
    }
    Ok(parts)
}

/// The message with a call's result. An error is marked in its text. Parts other than text are
/// added to `moved`.
fn result(block: &Element<'_, '_>, moved: &mut Vec<Part>) -> Result<String, Rejection> {
    block.only(&["type", "tool_use_id", "content", "is_error"])?;
    let id = block.text("tool_use_id");
    let parts = match block.member("content") {
        Some(content) => parts_of(&content, "expected text, image or document")?,
        None => Vec::new(),
    };
    let is_text = |part: &Part| matches!(part, Part::Text(_));
    let (mut texts, others): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(is_text);
    if block.value.get("is_error").and_then(ValueRef::as_bool) == Some(true) {
        match &mut texts[..] {
            [Part::Text(text)] => text.insert_str(0, "Error: "),
            _ => texts.insert(0, Part::Text("Error:".to_owned())),
        }
    }
    if !others.is_empty() {
        moved.push(Part::Text(moved_from(&id)));
        moved.extend(others);
    }
    Ok(json_object!("role": "tool", "tool_call_id": id, "content": Raw(&content_of(&texts))))
}

/// A message of the model. Its thinking is dropped, as chat servers drop it from earlier turns.
fn of_assistant(content: &Element<'_, '_>) -> Result<String, Rejection> {
    if content.is_string() {
        return Ok(message("assistant", &content.written()));
    }
    let (mut parts, mut calls) = (Vec::new(), Vec::new());
    for block in content.items() {
        match &*block.kind() {
            "text" => parts.push(text_part(&block)?),
            "thinking" | "redacted_thinking" => block.drop("thoughts"),
            "tool_use" => {
                block.only(&["type", "id", "name", "input"])?;
                calls.push(call(block.value));
            }
            _ => block.refuse_type("expected text, thinking or tool_use")?,
        }
    }
    let content = (!parts.is_empty()).then(|| content_of(&parts));
    Ok(json_object!({
        "role": "assistant",
        "content": content.as_deref().map(Raw),
        "tool_calls"?: json::some(&calls),
    }))
}

/// A call in chat format.
pub(super) fn call(block: ValueRef<'_>) -> String {
    json_object!({
        "id": json::raw_text(block, "id"),
        "type": "function",
        "function": {
            "name": json::raw_text(block, "name"),
            "arguments": input_text(block),
        },
    })
}

/// The text of a call's input, which may be a string if it is not JSON.
pub(super) fn input_text(block: ValueRef<'_>) -> String {
    let Some(input) = json::member(block, "input") else {
        return String::new();
    };
    json_text(input).unwrap_or_else(|| json::written(input).to_owned())
}

/// Adds chat messages to a request: a call and its feedback, or a text and its feedback. `thoughts`
/// are the model's thinking blocks before its calls.
pub(super) fn further(body: &mut Node<'_>, messages: &[ValueRef<'_>], thoughts: &[String]) {
    let mut written: Vec<String> = Vec::new();
    let mut results: Vec<String> = Vec::new();
    let add = |role: &str, blocks: &mut Vec<String>, written: &mut Vec<String>| {
        if !blocks.is_empty() {
            written.push(message(role, &json::list(&std::mem::take(blocks))));
        }
    };
    let last = messages
        .iter()
        .rposition(|message| json::text(*message, "role").is_some_and(|role| role == "assistant"));
    for (at, message) in messages.iter().enumerate() {
        let role = json::text(*message, "role").unwrap_or_default();
        let content = json::text(*message, "content").unwrap_or_default();
        if role == "tool" {
            results.push(json_object!({
                "type": "tool_result",
                "tool_use_id": json::raw_text(*message, "tool_call_id"),
                "is_error": true,
                "content": content,
            }));
            continue;
        }
        add("user", &mut results, &mut written);
        let mut blocks = match Some(at) == last {
            true => thoughts.to_vec(),
            false => Vec::new(),
        };
        // Servers reject empty texts.
        if !content.is_empty() {
            blocks.push(text_block(&content));
        }
        blocks.extend(json::calls(*message).map(block));
        add(&role, &mut blocks, &mut written);
    }
    add("user", &mut results, &mut written);
    if let Some(list) = body.get("messages").filter(|list| list.is_array()) {
        written.into_iter().for_each(|message| list.push(message));
    }
}

/// Converts a chat call to a block.
pub(super) fn block(call: ValueRef<'_>) -> String {
    let function = json::member(call, "function").unwrap_or(call);
    let input = input(&json::text(function, "arguments").unwrap_or_default());
    tool_block(
        json::raw_text(call, "id"),
        json::raw_text(function, "name"),
        &input,
    )
}

/// The input of a call: its arguments, or their text if that is not a JSON object.
pub(super) fn input(arguments: &str) -> String {
    match json::read(arguments.as_bytes()) {
        Some(_) => arguments.trim().to_owned(),
        None if arguments.trim().is_empty() => "{}".to_owned(),
        None => json::string(arguments),
    }
}
