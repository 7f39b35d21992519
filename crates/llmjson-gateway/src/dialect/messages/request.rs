//! Requests, and the additions to them for a retry.

use llmjson::syntax::{JsonOut, JsonText, Kind, Raw, ValueRef};

use crate::Rejection;
use crate::dialect::{Asked, Wording};
use crate::json::{self, Splice};

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

/// The member of a tool that names its policy.
const POLICY: &str = "x-llmjson-policy";

/// Converts a request to chat.
pub(super) fn asked(root: ValueRef<'_>, is_sent: bool) -> Result<Asked, Rejection> {
    let mut wording = Wording {
        harmless: HARMLESS,
        dropped: Vec::new(),
        is_sent,
    };
    let mut members: Vec<(&str, String)> = Vec::new();
    let mut splices = Vec::new();
    let said = [
        ("model", "model"),
        ("max_tokens", "max_tokens"),
        ("temperature", "temperature"),
        ("top_p", "top_p"),
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
    if is_sent && root.get("stream").and_then(ValueRef::as_bool) == Some(true) {
        members.push(("stream_options", r#"{"include_usage":true}"#.to_owned()));
    }
    members.push(("messages", messages(root, &mut wording)?));
    if let Some(tools) = json::member(root, "tools").filter(|tools| !tools.is_empty()) {
        members.push(("tools", tools_of(tools, &mut wording, &mut splices)?));
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
        splices,
        dropped: wording.dropped,
    })
}

fn tools_of(
    tools: ValueRef<'_>,
    wording: &mut Wording,
    splices: &mut Vec<Splice>,
) -> Result<String, Rejection> {
    let mut written = Vec::new();
    for (at, tool) in tools.items().enumerate() {
        let path = format!("tools[{at}]");
        let kind = json::text(tool, "type");
        let is_own = kind.is_none_or(|kind| kind == "custom");
        if !is_own {
            wording.refuse_type(tool, &path, "expected custom, a tool with an input_schema")?;
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
        splices.extend(json::without(tool, &[POLICY]));
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
    Ok(format!("[{}]", written.join(",")))
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
        "tool" => {
            let name = json::text(choice, "name").unwrap_or_default();
            let name = json::string(&name);
            format!(r#"{{"type":"function","function":{{"name":{name}}}}}"#)
        }
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
    Ok(Some(format!(
        r#"{{"type":"json_schema","json_schema":{{"name":{name},"schema":{schema}}}}}"#
    )))
}

/// The chat messages; an empty array if chat is not sent.
fn messages(root: ValueRef<'_>, wording: &mut Wording) -> Result<String, Rejection> {
    if !wording.is_sent {
        return Ok("[]".to_owned());
    }
    let mut written = Vec::new();
    if let Some(system) = json::member(root, "system") {
        let content = texts_of(system, "system", wording)?;
        written.push(format!(r#"{{"role":"system","content":{content}}}"#));
    }
    let list = json::member(root, "messages").into_iter();
    for (at, message) in list.flat_map(ValueRef::items).enumerate() {
        let path = format!("messages[{at}]");
        wording.only(message, &path, &["role", "content"])?;
        let role = json::text(message, "role").unwrap_or_default();
        let path = format!("{path}.content");
        let Some(content) = json::member(message, "content") else {
            wording.refuse(&path, "expected a text or a list of blocks")?;
            continue;
        };
        match &*role {
            "user" => of_user(content, &path, wording, &mut written)?,
            "assistant" => written.push(of_assistant(content, &path, wording)?),
            "system" => {
                let content = texts_of(content, &path, wording)?;
                written.push(format!(r#"{{"role":"system","content":{content}}}"#));
            }
            _ => wording.refuse(
                &format!("messages[{at}].role"),
                "expected user or assistant",
            )?,
        }
    }
    Ok(format!("[{}]", written.join(",")))
}

/// A string, or the texts of blocks, which must all be text: several stay several.
fn texts_of(content: ValueRef<'_>, path: &str, wording: &mut Wording) -> Result<String, Rejection> {
    if content.kind() == Kind::String {
        return Ok(json::written(content).to_owned());
    }
    let mut parts = Vec::new();
    for (at, block) in content.items().enumerate() {
        let path = format!("{path}[{at}]");
        if json::text(block, "type").is_none_or(|kind| kind != "text") {
            wording.refuse_type(block, &path, "expected text")?;
        }
        parts.push(text_part(block, &path, wording)?);
    }
    Ok(joined(&parts))
}

/// Joins message parts: a single text becomes a string.
fn joined(parts: &[String]) -> String {
    const TEXT: &str = r#"{"type":"text","text":"#;
    match parts {
        [] => r#""""#.to_owned(),
        [one] if one.starts_with(TEXT) => one[TEXT.len()..one.len() - 1].to_owned(),
        parts => format!("[{}]", parts.join(",")),
    }
}

fn text_part(block: ValueRef<'_>, path: &str, wording: &mut Wording) -> Result<String, Rejection> {
    wording.only(block, path, &["type", "text"])?;
    let text = json::member(block, "text").map_or(r#""""#, json::written);
    Ok(format!(r#"{{"type":"text","text":{text}}}"#))
}

/// A user message: tool results come first, each in a separate message.
fn of_user(
    content: ValueRef<'_>,
    path: &str,
    wording: &mut Wording,
    written: &mut Vec<String>,
) -> Result<(), Rejection> {
    if content.kind() == Kind::String {
        let content = json::written(content);
        written.push(format!(r#"{{"role":"user","content":{content}}}"#));
        return Ok(());
    }
    let mut parts = Vec::new();
    for (at, block) in content.items().enumerate() {
        let path = format!("{path}[{at}]");
        match json::text(block, "type").as_deref() {
            Some("text") => parts.push(text_part(block, &path, wording)?),
            Some("image") => parts.push(image_part(block, &path, wording)?),
            Some("tool_result") => written.push(result(block, &path, wording)?),
            _ => wording.refuse_type(block, &path, "expected text, image or tool_result")?,
        }
    }
    if !parts.is_empty() {
        let content = joined(&parts);
        written.push(format!(r#"{{"role":"user","content":{content}}}"#));
    }
    Ok(())
}

fn image_part(block: ValueRef<'_>, path: &str, wording: &mut Wording) -> Result<String, Rejection> {
    wording.only(block, path, &["type", "source"])?;
    let path = format!("{path}.source");
    let text = |source, name| json::text(source, name).unwrap_or_default();
    let url = json::member(block, "source").and_then(|source| match &*text(source, "type") {
        "base64" => {
            let (media, data) = (text(source, "media_type"), text(source, "data"));
            Some(format!("data:{media};base64,{data}"))
        }
        "url" => Some(text(source, "url")),
        _ => None,
    });
    if url.is_none() {
        wording.refuse(&path, "expected one of type base64 or url")?;
    }
    let url = json::string(&url.unwrap_or_default());
    Ok(format!(
        r#"{{"type":"image_url","image_url":{{"url":{url}}}}}"#
    ))
}

/// The message with a call's result. An error is marked in its text.
fn result(block: ValueRef<'_>, path: &str, wording: &mut Wording) -> Result<String, Rejection> {
    let said = ["type", "tool_use_id", "content", "is_error"];
    wording.only(block, path, &said)?;
    let content = json::member(block, "content");
    let content = content.map(|content| texts_of(content, &format!("{path}.content"), wording));
    let mut content = content.transpose()?.unwrap_or_else(|| r#""""#.to_owned());
    if block.get("is_error").and_then(ValueRef::as_bool) == Some(true) {
        let (text, list) = (content.strip_prefix('"'), content.strip_prefix('['));
        content = match (text, list) {
            (Some(text), _) => format!("\"Error: {text}"),
            (None, list) => format!(
                r#"[{{"type":"text","text":"Error:"}},{}"#,
                list.unwrap_or("]")
            ),
        };
    }
    let id = json::member(block, "tool_use_id").map_or(r#""""#, json::written);
    Ok(format!(
        r#"{{"role":"tool","tool_call_id":{id},"content":{content}}}"#
    ))
}

/// A message of the model. Its thinking is dropped, as chat servers drop it from earlier turns.
fn of_assistant(
    content: ValueRef<'_>,
    path: &str,
    wording: &mut Wording,
) -> Result<String, Rejection> {
    if content.kind() == Kind::String {
        let content = json::written(content);
        return Ok(format!(r#"{{"role":"assistant","content":{content}}}"#));
    }
    let (mut parts, mut calls) = (Vec::new(), Vec::new());
    for (at, block) in content.items().enumerate() {
        let path = format!("{path}[{at}]");
        match json::text(block, "type").as_deref() {
            Some("text") => parts.push(text_part(block, &path, wording)?),
            Some("thinking" | "redacted_thinking") => wording.drop("thoughts"),
            Some("tool_use") => {
                wording.only(block, &path, &["type", "id", "name", "input"])?;
                calls.push(call(block, "", &input_text(block)));
            }
            _ => wording.refuse_type(block, &path, "expected text, thinking or tool_use")?,
        }
    }
    Ok(JsonText::object_of(|out| {
        out.member("role", "assistant");
        match parts.is_empty() {
            true => out.member("content", Raw("null")),
            false => out.member("content", Raw(&joined(&parts))),
        }
        if !calls.is_empty() {
            out.member("tool_calls", Raw(&format!("[{}]", calls.join(","))));
        }
    }))
}

/// A call in chat format, with additional members in front.
pub(super) fn call(block: ValueRef<'_>, front: &str, arguments: &str) -> String {
    let member = |name| json::member(block, name).map_or(r#""""#, json::written);
    let (id, name, arguments) = (member("id"), member("name"), json::string(arguments));
    format!(
        r#"{{{front}"id":{id},"type":"function","function":{{"name":{name},"arguments":{arguments}}}}}"#
    )
}

/// The text of a call's input, which may be a string if it is not JSON.
pub(super) fn input_text(block: ValueRef<'_>) -> String {
    let Some(input) = json::member(block, "input") else {
        return String::new();
    };
    let text = input.as_str().map(std::borrow::Cow::into_owned);
    text.unwrap_or_else(|| json::written(input).to_owned())
}

/// The changes that add chat messages to a request: a call and its feedback, or a text and its
/// feedback. `thoughts` are the model's thinking blocks before its calls.
pub(super) fn further(
    root: ValueRef<'_>,
    messages: &[ValueRef<'_>],
    thoughts: &[String],
) -> Vec<Splice> {
    let mut written: Vec<String> = Vec::new();
    let mut results: Vec<String> = Vec::new();
    let add_results = |results: &mut Vec<String>, written: &mut Vec<String>| {
        if !results.is_empty() {
            let blocks = std::mem::take(results).join(",");
            written.push(format!(r#"{{"role":"user","content":[{blocks}]}}"#));
        }
    };
    let last = messages
        .iter()
        .rposition(|message| json::text(*message, "role").is_some_and(|role| role == "assistant"));
    for (at, message) in messages.iter().enumerate() {
        let role = json::text(*message, "role").unwrap_or_default();
        let content = json::member(*message, "content").map(json::written);
        if role == "tool" {
            let id = json::member(*message, "tool_call_id").map_or(r#""""#, json::written);
            let content = content.unwrap_or(r#""""#);
            results.push(format!(
                r#"{{"type":"tool_result","tool_use_id":{id},"is_error":true,"content":{content}}}"#
            ));
            continue;
        }
        add_results(&mut results, &mut written);
        let mut blocks = match Some(at) == last {
            true => thoughts.to_vec(),
            false => Vec::new(),
        };
        // Servers reject empty texts.
        if let Some(content) = content.filter(|content| *content != r#""""#) {
            blocks.push(format!(r#"{{"type":"text","text":{content}}}"#));
        }
        let calls = json::member(*message, "tool_calls").into_iter();
        blocks.extend(calls.flat_map(ValueRef::items).map(block));
        if !blocks.is_empty() {
            let blocks = blocks.join(",");
            written.push(format!(r#"{{"role":"{role}","content":[{blocks}]}}"#));
        }
    }
    add_results(&mut results, &mut written);
    let list = root
        .get("messages")
        .filter(|list| list.kind() == Kind::Array);
    let Some((list, place)) = list.and_then(|list| Some((list, json::place(list)?))) else {
        return Vec::new();
    };
    let comma = if list.is_empty() { "" } else { "," };
    let end = place.end - 1;
    vec![(end..end, format!("{comma}{}", written.join(",")))]
}

/// Converts a chat call to a block.
pub(super) fn block(call: ValueRef<'_>) -> String {
    let function = json::member(call, "function").unwrap_or(call);
    let member = |object, name| json::member(object, name).map_or(r#""""#, json::written);
    let input = input(&json::text(function, "arguments").unwrap_or_default());
    let (id, name) = (member(call, "id"), member(function, "name"));
    format!(r#"{{"type":"tool_use","id":{id},"name":{name},"input":{input}}}"#)
}

/// The input of a call: its arguments, or their text if that is not a JSON object.
pub(super) fn input(arguments: &str) -> String {
    match json::read(arguments.as_bytes()) {
        Some(_) => arguments.trim().to_owned(),
        None if arguments.trim().is_empty() => "{}".to_owned(),
        None => json::string(arguments),
    }
}
