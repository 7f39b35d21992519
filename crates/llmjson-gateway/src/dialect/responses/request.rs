//! Converts Responses requests to chat.

use llmjson::syntax::{JsonOut, JsonText, Raw, ValueRef};

use super::input::Input;
use super::kind_of;
use super::tools::Tools;
use super::writer::Writer;
use crate::dialect::{Asked, Wording, message};
use crate::json::{self, Node};
use crate::{Rejection, Unknown};

/// Members without a chat equivalent that do not affect the reply.
const HARMLESS: &[&str] = &[
    // Echoed in the reply.
    "metadata",
    // Identification of the client.
    "client_metadata",
    "safety_identifier",
    // Hints for caching prompts and images, and for how long.
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "prompt_cache_breakpoint",
    "image",
    // The upstream truncates or rejects long input by its own rule.
    "truncation",
    // For tools and background requests, which are rejected.
    "max_tool_calls",
    "background_options",
    // Padding of streams.
    "stream_options",
    // Options for reasoning: everything the upstream reports is passed on.
    "summary",
    "generate_summary",
    "context",
    "encrypted_content",
    // Whether a tool is shown at once, its output, and its allowed callers.
    "defer_loading",
    "output_schema",
    "allowed_callers",
];

/// Members with the same or another name in chat.
const SAID: &[(&str, &str)] = &[
    ("model", "model"),
    ("stream", "stream"),
    ("temperature", "temperature"),
    ("top_p", "top_p"),
    ("parallel_tool_calls", "parallel_tool_calls"),
    ("user", "user"),
    ("service_tier", "service_tier"),
    ("max_output_tokens", "max_tokens"),
];

/// Members that have no effect with this value.
const ONLY: &[(&str, &str)] = &[
    ("store", "false"),
    ("background", "false"),
    ("top_logprobs", "0"),
];

/// Request members with their own code.
const READ: &[&str] = &[
    "input",
    "instructions",
    "tools",
    "tool_choice",
    "text",
    "reasoning",
    "include",
    "previous_response_id",
];

/// The advice for a client that expects the server to store its conversation.
pub(super) const STORED: &str = "expected the whole conversation as input, which clients send if \
    their setting `store` is false (AI SDK: providerOptions.openai.store)";

/// The members of a response that echo the request, with their defaults.
const ECHO: &[(&str, &str)] = &[
    ("instructions", "null"),
    ("max_output_tokens", "null"),
    ("metadata", "{}"),
    ("parallel_tool_calls", "true"),
    ("previous_response_id", "null"),
    ("reasoning", "null"),
    ("store", "false"),
    ("temperature", "null"),
    ("text", r#"{"format":{"type":"text"}}"#),
    ("tool_choice", r#""auto""#),
    ("tools", "[]"),
    ("top_p", "null"),
    ("truncation", r#""disabled""#),
];

/// Converts a request to chat, and initializes the writer of the reply.
pub(super) fn asked(
    root: ValueRef<'_>,
    unknown: Option<Unknown>,
    writer: &mut Writer,
) -> Result<Asked, Rejection> {
    let mut wording = Wording {
        harmless: HARMLESS,
        dropped: Vec::new(),
        unknown,
    };
    let mut members = members_of(root, &mut wording)?;
    if let Some(text) = json::member(root, "text") {
        read_text(text, &mut wording, &mut members)?;
    }
    writer.has_format = members.iter().any(|(name, _)| *name == "response_format");
    let mut tools = Tools::default();
    if let Some(list) = json::member(root, "tools") {
        tools.read(list, "tools", &mut wording)?;
    }
    // The input may contain further tools.
    let mut input = Input::new(&mut tools, &mut wording);
    if let Some(instructions) = json::text(root, "instructions") {
        input.system(instructions);
    }
    if let Some(given) = json::member(root, "input") {
        input.read(given)?;
    }
    let messages = match unknown {
        Some(_) => input.finish(),
        None => Vec::new(),
    };
    if let Some(choice) = json::member(root, "tool_choice") {
        let choice = tools.choice(choice, &mut wording)?;
        members.extend(choice.map(|choice| ("tool_choice", choice)));
    }
    let chat = JsonText::object_of(|out| {
        for (name, value) in &members {
            out.member(name, Raw(value));
        }
        out.list("messages", &messages, |message, out| out.json(message));
        if !tools.written.is_empty() {
            out.list("tools", &tools.written, |tool, out| out.json(tool));
        }
    });
    writer.tools = tools;
    let echo = ECHO.iter().map(|(name, absent)| {
        let written = json::member(root, name).map_or(*absent, json::written);
        (*name, written.to_owned())
    });
    writer.echo = echo.collect();
    Ok(Asked {
        chat,
        dropped: wording.dropped,
    })
}

/// The members that chat also has.
fn members_of(
    root: ValueRef<'_>,
    wording: &mut Wording,
) -> Result<Vec<(&'static str, String)>, Rejection> {
    for name in ["previous_response_id", "conversation", "prompt"] {
        if json::member(root, name).is_some() {
            wording.require(name, STORED)?;
        }
    }
    for (name, value) in ONLY {
        match json::member(root, name) {
            Some(given) if json::written(given) != *value => {
                wording.refuse(name, &format!("expected {value} or nothing"))?;
            }
            Some(_) => wording.drop(name),
            None => {}
        }
    }
    let said = SAID.iter().map(|(name, _)| *name);
    let known = said.chain(ONLY.iter().map(|(name, _)| *name));
    let known: Vec<&str> = known.chain(READ.iter().copied()).collect();
    wording.only(root, "", &known)?;
    let mut members = Vec::new();
    for (name, in_chat) in SAID {
        if let Some(value) = json::member(root, name) {
            members.push((*in_chat, json::written(value).to_owned()));
        }
    }
    if let Some(reasoning) = json::member(root, "reasoning") {
        wording.only(reasoning, "reasoning", &["effort"])?;
        if let Some(effort) = json::member(reasoning, "effort") {
            members.push(("reasoning_effort", json::written(effort).to_owned()));
        }
    }
    for (at, one) in json::items(root, "include").enumerate() {
        match one.as_str().is_some_and(|name| name.ends_with("logprobs")) {
            true => wording.refuse(&format!("include[{at}]"), "expected no probabilities")?,
            // Parts of items without a chat equivalent.
            false => wording.drop("include"),
        }
    }
    if wording.is_sent() && root.get("stream").and_then(ValueRef::as_bool) == Some(true) {
        members.push(("stream_options", r#"{"include_usage":true}"#.to_owned()));
    }
    Ok(members)
}

/// Reads the requested text format.
fn read_text(
    text: ValueRef<'_>,
    wording: &mut Wording,
    members: &mut Vec<(&'static str, String)>,
) -> Result<(), Rejection> {
    wording.only(text, "text", &["format", "verbosity"])?;
    if let Some(verbosity) = json::member(text, "verbosity") {
        members.push(("verbosity", json::written(verbosity).to_owned()));
    }
    let Some(format) = json::member(text, "format") else {
        return Ok(());
    };
    let written = match &*kind_of(format) {
        "text" => return Ok(()),
        "json_object" => r#"{"type":"json_object"}"#.to_owned(),
        "json_schema" => JsonText::object_of(|out| {
            out.member("type", "json_schema");
            out.object_in("json_schema", |out| {
                for name in ["name", "description", "schema", "strict"] {
                    if let Some(value) = json::member(format, name) {
                        out.member(name, Raw(json::written(value)));
                    }
                }
            });
        }),
        _ => {
            let expected = "expected text, json_object or json_schema";
            return wording.refuse_type(format, "text.format", expected);
        }
    };
    members.push(("response_format", written));
    Ok(())
}

/// Adds chat messages to the client's own body.
pub(super) fn further(body: &mut Node<'_>, messages: &[ValueRef<'_>], tools: &Tools) {
    let input = body.get("input").map(|input| input.written().into_owned());
    if input.as_deref().is_none_or(|input| !input.starts_with('[')) {
        let first = input.map(|input| message("user", &input));
        body.set("input", json::list(&Vec::from_iter(first)));
    }
    let Some(input) = body.get("input") else {
        return;
    };
    for message in messages {
        let role = json::text(*message, "role").unwrap_or_default();
        let content = json::text(*message, "content");
        if role == "tool" {
            let id = json::text(*message, "tool_call_id").unwrap_or_default();
            input.push(tools.output(&id, &content.unwrap_or_default(), messages));
            continue;
        }
        if let Some(content) = content.filter(|content| !content.is_empty()) {
            input.push(JsonText::object_of(|out| {
                out.member("role", role.as_str());
                out.member("content", content);
            }));
        }
        json::calls(*message).for_each(|call| input.push(tools.item(call)));
    }
}
