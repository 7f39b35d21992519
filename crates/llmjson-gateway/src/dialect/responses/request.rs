//! Converts Responses requests to chat.

use llmjson::syntax::{Raw, ValueRef, json_object};

use super::input::Input;
use super::tools::Tools;
use super::writer::Writer;
use crate::dialect::{Asked, Element, Members, Wording, message};
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
    let wording = Wording::new(HARMLESS, unknown);
    let root = Element::root(root, &wording);
    let mut members = members_of(&root)?;
    if let Some(text) = root.member("text") {
        read_text(&text, &mut members)?;
    }
    writer.has_format = members.iter().any(|(name, _)| *name == "response_format");
    let mut tools = Tools::default();
    if let Some(list) = root.member("tools") {
        tools.read(&list)?;
    }
    // The input may contain further tools.
    let mut input = Input::new(&mut tools);
    if let Some(instructions) = json::text(root.value, "instructions") {
        input.system(instructions);
    }
    if let Some(given) = root.member("input") {
        input.read(&given)?;
    }
    let messages = match unknown {
        Some(_) => input.finish(),
        None => Vec::new(),
    };
    if let Some(choice) = root.member("tool_choice") {
        let choice = tools.choice(&choice)?;
        members.extend(choice.map(|choice| ("tool_choice", choice)));
    }
    let chat = json_object!({
        ..members.iter().map(|(name, value)| (name, Raw(value))),
        "messages": json::Texts(&messages),
        "tools"?: json::some(&tools.written),
    });
    writer.tools = tools;
    let echo = ECHO.iter().map(|(name, absent)| {
        let written = root.member(name).map(|given| given.written());
        (*name, written.unwrap_or_else(|| (*absent).to_owned()))
    });
    writer.echo = echo.collect();
    Ok(wording.asked(chat))
}

/// The members that chat also has.
fn members_of(root: &Element<'_, '_>) -> Result<Members, Rejection> {
    for name in ["previous_response_id", "conversation", "prompt"] {
        if let Some(given) = root.member(name) {
            given.require(STORED)?;
        }
    }
    for (name, value) in ONLY {
        match root.member(name) {
            Some(given) if given.written() != *value => {
                given.refuse(&format!("expected {value} or nothing"))?;
            }
            Some(_) => root.drop(name),
            None => {}
        }
    }
    let said = SAID.iter().map(|(name, _)| *name);
    let known = said.chain(ONLY.iter().map(|(name, _)| *name));
    root.only(&known.chain(READ.iter().copied()).collect::<Vec<_>>())?;
    let mut members = root.shared(SAID);
    if let Some(reasoning) = root.member("reasoning") {
        reasoning.only(&["effort"])?;
        let effort = reasoning.member("effort");
        members.extend(effort.map(|effort| ("reasoning_effort", effort.written())));
    }
    members.extend(root.usage_of_stream());
    for one in root.items_of("include") {
        let name = one.value.as_str();
        match name.is_some_and(|name| name.ends_with("logprobs")) {
            true => one.refuse("expected no probabilities")?,
            // Parts of items without a chat equivalent.
            false => one.drop("include"),
        }
    }
    Ok(members)
}

/// Reads the requested text format.
fn read_text(text: &Element<'_, '_>, members: &mut Members) -> Result<(), Rejection> {
    text.only(&["format", "verbosity"])?;
    let verbosity = text.member("verbosity");
    members.extend(verbosity.map(|verbosity| ("verbosity", verbosity.written())));
    let Some(format) = text.member("format") else {
        return Ok(());
    };
    let written = match &*format.kind() {
        "text" => return Ok(()),
        "json_object" => r#"{"type":"json_object"}"#.to_owned(),
        "json_schema" => json_object!({
            "type": "json_schema",
            "json_schema": {
                ..json::raws(format.value, &["name", "description", "schema", "strict"]),
            },
        }),
        _ => return format.refuse_type("expected text, json_object or json_schema"),
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
            input.push(json_object!("role": role.as_str(), "content": content));
        }
        json::calls(*message).for_each(|call| input.push(tools.item(call)));
    }
}
