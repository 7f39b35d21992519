//! HTTP headers that repeat parts of a message, as the protocol requires from 2026-07-28 on.

use llmjson_syntax::{Kind, Parser, ValueRef};

use super::call::VERSION;
use super::shared::Shared;

/// The member of a schema that names the header of an argument.
const ANNOTATION: &str = "x-mcp-header";
/// The depth to which arguments are searched.
const DEPTH_MAX: usize = 16;

/// Returns the headers of a message, with their values as text.
pub(super) fn headers(message: &[u8], shared: &Shared) -> Vec<(String, String)> {
    let document = Parser::new().parse(std::str::from_utf8(message).unwrap_or_default());
    let mut headers = Vec::new();
    let Some(root) = document.root() else {
        return headers;
    };
    let text = |value: Option<ValueRef<'_>>| Some(value?.as_str()?.into_owned());
    let params = root.get("params");
    let param = |name| params.and_then(|params| params.get(name));
    let method = text(root.get("method"));
    let name = match method.as_deref() {
        Some("tools/call" | "prompts/get") => text(param("name")),
        Some("resources/read") => text(param("uri")),
        _ => None,
    };
    let version = text(param("_meta").and_then(|meta| meta.get(VERSION)));
    let is_call = method.as_deref() == Some("tools/call");
    let tool = name.as_deref().filter(|_| is_call);
    let tool = tool.and_then(|name| Some(shared.lock().tool(name)?.source.clone()));
    for (header, value) in [
        ("mcp-protocol-version", version),
        ("mcp-method", method),
        ("mcp-name", name),
    ] {
        headers.extend(value.map(|value| (header.to_owned(), value)));
    }
    if let (Some(tool), Some(arguments)) = (tool, param("arguments")) {
        let tool = Parser::new().parse(&tool);
        let schema = tool.root().and_then(|tool| tool.get("inputSchema"));
        if let Some(schema) = schema {
            of_arguments(schema, arguments, 0, &mut headers);
        }
    }
    headers
}

/// Adds the headers of the arguments that a schema names, each at its place below `properties`.
fn of_arguments(
    schema: ValueRef<'_>,
    arguments: ValueRef<'_>,
    depth: usize,
    headers: &mut Vec<(String, String)>,
) {
    let properties = schema.get("properties").into_iter();
    for (name, property) in properties.flat_map(ValueRef::members) {
        let Some(value) = arguments.get(&name) else {
            continue;
        };
        let header = property.get(ANNOTATION).and_then(ValueRef::as_str);
        let header = header.filter(|header| is_token(header));
        if let (Some(header), Some(value)) = (header, text_of(value)) {
            headers.push((format!("mcp-param-{}", header.to_ascii_lowercase()), value));
        }
        if depth < DEPTH_MAX && value.kind() == Kind::Object {
            of_arguments(property, value, depth + 1, headers);
        }
    }
}

/// Returns the text of a string, an integer or a boolean.
fn text_of(value: ValueRef<'_>) -> Option<String> {
    match value.kind() {
        Kind::String => value.as_str().map(|text| text.into_owned()),
        _ => value
            .as_i64()
            .map(|number| number.to_string())
            .or_else(|| value.as_bool().map(|is| is.to_string())),
    }
}

/// Returns `true` if a text is valid in a header name.
fn is_token(text: &str) -> bool {
    let is_mark = |byte: u8| b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || is_mark(byte))
}
