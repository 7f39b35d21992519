//! Requests, and the additions to them for a retry.

use llmjson::syntax::{JsonOut, JsonText, Kind, Raw, ValueRef};

use super::reply::{text_block, tool_block};
use crate::chat::POLICY;
use crate::dialect::{Asked, Part, Wording, content_of, message, moved_from};
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

/// Converts a request to chat.
pub(super) fn asked(root: ValueRef<'_>, unknown: Option<Unknown>) -> Result<Asked, Rejection> {
    let mut wording = Wording {
        harmless: HARMLESS,
        dropped: Vec::new(),
        unknown,
    };
    let mut members: Vec<(&str, String)> = Vec::new();
    let said = [
        ("model", "model"),
        ("max_tokens", "max_tokens"),
        ("temperature", "temperature"),
        ("top_p", "top_p"),
        // Chat servers of open models know it.
        ("top_k", "top_k"),
        ("stop_sequences", "stop"),
        ("stream", "stream"),
    ];
    for (name, in_chat) in said {
        if let Some(value) = json::member(root, name) {
            members.push((in_chat, json::written(value).to_owned()));
        }
    }
    let rest = [
        "messages",
        "system",
        "tools",
        "tool_choice",
        "output_config",
        "output_format",
    ];
    let known: Vec<&str> = said.iter().map(|(name, _)| *name).chain(rest).collect();
    wording.only(root, "", &known)?;
    if wording.is_sent() && root.get("stream").and_then(ValueRef::as_bool) == Some(true) {
        members.push(("stream_options", r#"{"include_usage":true}"#.to_owned()));
    }
    members.push(("messages", messages(root, &mut wording)?));
    if let Some(tools) = json::member(root, "tools").filter(|tools| !tools.is_empty()) {
        members.push(("tools", tools_of(tools, &mut wording)?));
    }
    if let Some(choice) = json::member(root, "tool_choice") {
        choice_of(choice, &mut wording, &mut members)?;
    }
    if let Some(format) = format_of(root, &mut wording)? {
        members.push(("response_format", format));
    }
    let chat = JsonText::object_of(|out| {
        for (name, value) in &members {
            out.member(name, Raw(value));
        }
    });
    Ok(Asked {
        chat,
        dropped: wording.dropped,
    })
}

fn tools_of(tools: ValueRef<'_>, wording: &mut Wording) -> Result<String, Rejection> {
    let mut written = Vec::new();
    for (at, tool) in tools.items().enumerate() {
        let path = format!("tools[{at}]");
        let kind = json::text(tool, "type");
        let is_own = kind.is_none_or(|kind| kind == "custom");
        if !is_own {
            wording.refuse_type(tool, &path, "expected custom, a tool with an input_schema")?;
            if wording.is_sent() {
                continue;
            }
        }
        let said = [
            "type",
            "name",
            "description",
            "input_schema",
            "strict",
            POLICY,
        ];
        wording.only(tool, &path, &said)?;
        written.push(JsonText::object_of(|out| {
            out.member("type", "function");
            out.object_in("function", |out| {
                let names = ["name", "description", "strict"];
                for name in names {
                    if let Some(value) = json::member(tool, name) {
                        out.member(name, Raw(json::written(value)));
                    }
                }
                // The input of a tool that the upstream knows by type is unchanged.
                let schema = json::member(tool, "input_schema").filter(|_| is_own);
                out.member("parameters", Raw(schema.map_or("{}", json::written)));
            });
            if let Some(policy) = tool.get(POLICY) {
                out.member(POLICY, Raw(json::written(policy)));
            }
        }));
    }
    Ok(json::list(&written))
}

fn choice_of(
    choice: ValueRef<'_>,
    wording: &mut Wording,
    members: &mut Vec<(&str, String)>,
) -> Result<(), Rejection> {
    let said = ["type", "name", "disable_parallel_tool_use"];
    wording.only(choice, "tool_choice", &said)?;
    let kind = json::text(choice, "type").unwrap_or_default();
    let in_chat = match &*kind {
        "auto" | "none" => json::string(&kind),
        "any" => r#""required""#.to_owned(),
        "tool" => JsonText::object_of(|out| {
            out.member("type", "function");
            out.object_in("function", |out| {
                out.member("name", json::text(choice, "name").unwrap_or_default());
            });
        }),
        _ => {
            let expected = "expected auto, any, tool or none";
            return wording.refuse_type(choice, "tool_choice", expected);
        }
    };
    members.push(("tool_choice", in_chat));
    let parallel = choice.get("disable_parallel_tool_use");
    if parallel.and_then(ValueRef::as_bool) == Some(true) {
        members.push(("parallel_tool_calls", "false".to_owned()));
    }
    Ok(())
}

/// The schema of the reply, from `output_config` or its former name `output_format`.
fn format_of(root: ValueRef<'_>, wording: &mut Wording) -> Result<Option<String>, Rejection> {
    let config = json::member(root, "output_config");
    if let Some(config) = config {
        wording.only(config, "output_config", &["format"])?;
    }
    let inner = config.and_then(|config| json::member(config, "format"));
    let (path, format) = match (inner, json::member(root, "output_format")) {
        (Some(format), _) => ("output_config.format", format),
        (None, Some(format)) => ("output_format", format),
        (None, None) => return Ok(None),
    };
    if json::text(format, "type").is_none_or(|kind| kind != "json_schema") {
        wording.refuse_type(format, path, "expected json_schema")?;
        return Ok(None);
    }
    wording.only(format, path, &["type", "schema", "name"])?;
    let schema = json::member(format, "schema").map_or("{}", json::written);
    let name = json::member(format, "name").map_or(r#""reply""#, json::written);
    Ok(Some(JsonText::object_of(|out| {
        out.member("type", "json_schema");
        out.object_in("json_schema", |out| {
            out.member("name", Raw(name));
            out.member("schema", Raw(schema));
        });
    })))
}

/// The chat messages; an empty array if chat is not sent.
fn messages(root: ValueRef<'_>, wording: &mut Wording) -> Result<String, Rejection> {
    if !wording.is_sent() {
        return Ok("[]".to_owned());
    }
    let mut written = Vec::new();
    if let Some(system) = json::member(root, "system") {
        written.push(message("system", &texts_of(system, "system", wording)?));
    }
    for (at, one) in json::items(root, "messages").enumerate() {
        let path = format!("messages[{at}]");
        wording.only(one, &path, &["role", "content"])?;
        let role = json::text(one, "role").unwrap_or_default();
        let path = format!("{path}.content");
        let Some(content) = json::member(one, "content") else {
            wording.refuse(&path, "expected a text or a list of blocks")?;
            continue;
        };
        match &*role {
            "user" => of_user(content, &path, wording, &mut written)?,
            "assistant" => written.push(of_assistant(content, &path, wording)?),
            "system" => written.push(message("system", &texts_of(content, &path, wording)?)),
            _ => wording.require(
                &format!("messages[{at}].role"),
                "expected user or assistant",
            )?,
        }
    }
    Ok(json::list(&written))
}

/// A string, or the texts of blocks, which must all be text: several stay several.
fn texts_of(content: ValueRef<'_>, path: &str, wording: &mut Wording) -> Result<String, Rejection> {
    if content.kind() == Kind::String {
        return Ok(json::written(content).to_owned());
    }
    let mut parts = Vec::new();
    for (at, block) in content.items().enumerate() {
        let path = format!("{path}[{at}]");
        match json::text(block, "type").as_deref() {
            Some("text") => parts.push(text_part(block, &path, wording)?),
            _ => wording.refuse_type(block, &path, "expected text")?,
        }
    }
    Ok(content_of(&parts))
}

fn text_part(block: ValueRef<'_>, path: &str, wording: &mut Wording) -> Result<Part, Rejection> {
    wording.only(block, path, &["type", "text"])?;
    Ok(Part::Text(json::text(block, "text").unwrap_or_default()))
}

/// The parts of a user's content or of a result; `of_result` takes results in it.
fn parts_of(
    content: ValueRef<'_>,
    path: &str,
    wording: &mut Wording,
    of_result: &mut dyn FnMut(ValueRef<'_>, &str, &mut Wording) -> Result<(), Rejection>,
) -> Result<Vec<Part>, Rejection> {
    if content.kind() == Kind::String {
        return Ok(json_text(content).map(Part::Text).into_iter().collect());
    }
    let mut parts = Vec::new();
    for (at, block) in content.items().enumerate() {
        let path = format!("{path}[{at}]");
        match json::text(block, "type").as_deref() {
            Some("text") => parts.push(text_part(block, &path, wording)?),
            Some("image") => parts.extend(image_part(block, &path, wording)?),
            Some("document") => parts.extend(document_parts(block, &path, wording)?),
            Some("tool_result") => of_result(block, &path, wording)?,
            _ => {
                let expected = "expected text, image, document or tool_result";
                wording.refuse_type(block, &path, expected)?;
            }
        }
    }
    Ok(parts)
}

fn json_text(value: ValueRef<'_>) -> Option<String> {
    value.as_str().map(std::borrow::Cow::into_owned)
}

/// A user message: tool results come first, each in a separate message. Parts of results that are
/// not text are moved to the user message, because results in chat are text.
fn of_user(
    content: ValueRef<'_>,
    path: &str,
    wording: &mut Wording,
    written: &mut Vec<String>,
) -> Result<(), Rejection> {
    let mut moved = Vec::new();
    let own = parts_of(content, path, wording, &mut |block, path, wording| {
        written.push(result(block, path, wording, &mut moved)?);
        Ok(())
    })?;
    moved.extend(own);
    if !moved.is_empty() {
        written.push(message("user", &content_of(&moved)));
    }
    Ok(())
}

fn image_part(
    block: ValueRef<'_>,
    path: &str,
    wording: &mut Wording,
) -> Result<Option<Part>, Rejection> {
    wording.only(block, path, &["type", "source"])?;
    let path = format!("{path}.source");
    let source = json::member(block, "source");
    let url = source.and_then(|source| match &*text_in(source, "type") {
        "base64" => Some(data_url(source)),
        "url" => Some(text_in(source, "url")),
        _ => None,
    });
    let Some(url) = url else {
        wording.refuse(&path, "expected one of type base64 or url")?;
        return Ok(None);
    };
    Ok(Some(Part::Other(JsonText::object_of(|out| {
        out.member("type", "image_url");
        out.object_in("image_url", |out| out.member("url", url));
    }))))
}

fn text_in(object: ValueRef<'_>, name: &str) -> String {
    json::text(object, name).unwrap_or_default()
}

fn data_url(source: ValueRef<'_>) -> String {
    let (media, data) = (text_in(source, "media_type"), text_in(source, "data"));
    format!("data:{media};base64,{data}")
}

/// A document: a file, or its text after its title and context.
fn document_parts(
    block: ValueRef<'_>,
    path: &str,
    wording: &mut Wording,
) -> Result<Vec<Part>, Rejection> {
    wording.only(block, path, &["type", "source", "title", "context"])?;
    let title = json::text(block, "title");
    let about = [title.clone(), json::text(block, "context")];
    let mut parts: Vec<Part> = about.into_iter().flatten().map(Part::Text).collect();
    let path = format!("{path}.source");
    let source = json::member(block, "source");
    match source.map(|source| (text_in(source, "type"), source)) {
        Some((kind, source)) if kind == "base64" => {
            parts.push(Part::Other(JsonText::object_of(|out| {
                out.member("type", "file");
                out.object_in("file", |out| {
                    out.member("filename", title.as_deref().unwrap_or("document"));
                    out.member("file_data", data_url(source));
                });
            })));
        }
        Some((kind, source)) if kind == "text" => parts.push(Part::Text(text_in(source, "data"))),
        Some((kind, source)) if kind == "content" => {
            let path = format!("{path}.content");
            if let Some(content) = json::member(source, "content") {
                let of_result = &mut |block: ValueRef<'_>, path: &str, wording: &mut Wording| {
                    wording.refuse_type(block, path, "expected text or image")
                };
                parts.extend(parts_of(content, &path, wording, of_result)?);
            }
        }
        _ => {
            wording.refuse(&path, "expected one of type base64, text or content")?;
            parts.clear();
        }
    }
    Ok(parts)
}

/// The message with a call's result. An error is marked in its text. Parts other than text are
/// added to `moved`.
fn result(
    block: ValueRef<'_>,
    path: &str,
    wording: &mut Wording,
    moved: &mut Vec<Part>,
) -> Result<String, Rejection> {
    let said = ["type", "tool_use_id", "content", "is_error"];
    wording.only(block, path, &said)?;
    let id = text_in(block, "tool_use_id");
    let parts = match json::member(block, "content") {
        Some(content) => {
            let of_result = &mut |block: ValueRef<'_>, path: &str, wording: &mut Wording| {
                wording.refuse_type(block, path, "expected text, image or document")
            };
            parts_of(content, &format!("{path}.content"), wording, of_result)?
        }
        None => Vec::new(),
    };
    let is_text = |part: &Part| matches!(part, Part::Text(_));
    let (mut texts, others): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(is_text);
    if block.get("is_error").and_then(ValueRef::as_bool) == Some(true) {
        match &mut texts[..] {
            [Part::Text(text)] => text.insert_str(0, "Error: "),
            _ => texts.insert(0, Part::Text("Error:".to_owned())),
        }
    }
    if !others.is_empty() {
        moved.push(Part::Text(moved_from(&id)));
        moved.extend(others);
    }
    Ok(JsonText::object_of(|out| {
        out.member("role", "tool");
        out.member("tool_call_id", id);
        out.member("content", Raw(&content_of(&texts)));
    }))
}

/// A message of the model. Its thinking is dropped, as chat servers drop it from earlier turns.
fn of_assistant(
    content: ValueRef<'_>,
    path: &str,
    wording: &mut Wording,
) -> Result<String, Rejection> {
    if content.kind() == Kind::String {
        return Ok(message("assistant", json::written(content)));
    }
    let (mut parts, mut calls) = (Vec::new(), Vec::new());
    for (at, block) in content.items().enumerate() {
        let path = format!("{path}[{at}]");
        match json::text(block, "type").as_deref() {
            Some("text") => parts.push(text_part(block, &path, wording)?),
            Some("thinking" | "redacted_thinking") => wording.drop("thoughts"),
            Some("tool_use") => {
                wording.only(block, &path, &["type", "id", "name", "input"])?;
                calls.push(call(block));
            }
            _ => wording.refuse_type(block, &path, "expected text, thinking or tool_use")?,
        }
    }
    Ok(JsonText::object_of(|out| {
        out.member("role", "assistant");
        match parts.is_empty() {
            true => out.member("content", Raw("null")),
            false => out.member("content", Raw(&content_of(&parts))),
        }
        if !calls.is_empty() {
            out.list("tool_calls", &calls, |call, out| out.json(call));
        }
    }))
}

/// A call in chat format.
pub(super) fn call(block: ValueRef<'_>) -> String {
    let member = |name| json::member(block, name).map_or(r#""""#, json::written);
    JsonText::object_of(|out| {
        out.member("id", Raw(member("id")));
        out.member("type", "function");
        out.object_in("function", |out| {
            out.member("name", Raw(member("name")));
            out.member("arguments", input_text(block));
        });
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
            results.push(JsonText::object_of(|out| {
                let id = json::member(*message, "tool_call_id").map_or(r#""""#, json::written);
                out.member("type", "tool_result");
                out.member("tool_use_id", Raw(id));
                out.member("is_error", true);
                out.member("content", content);
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
    let member = |object, name| json::member(object, name).map_or(r#""""#, json::written);
    let input = input(&json::text(function, "arguments").unwrap_or_default());
    tool_block(member(call, "id"), member(function, "name"), &input)
}

/// The input of a call: its arguments, or their text if that is not a JSON object.
pub(super) fn input(arguments: &str) -> String {
    match json::read(arguments.as_bytes()) {
        Some(_) => arguments.trim().to_owned(),
        None if arguments.trim().is_empty() => "{}".to_owned(),
        None => json::string(arguments),
    }
}
