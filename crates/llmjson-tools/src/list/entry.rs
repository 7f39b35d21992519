//! Reads a tool declaration in any format.

use llmjson_syntax::{Kind, ValueRef};

use super::{ListReader, member, text, written};
use crate::tool::Tool;

/// The maximum nesting depth of lists.
const NESTING_MAX: usize = 8;

/// The schema of a tool without arguments.
const NO_ARGUMENTS: &str = r#"{"type":"object","properties":{}}"#;

/// The members that may hold the schema of the arguments.
const SCHEMAS: &[&str] = &[
    "parameters",
    "input_schema",
    "inputSchema",
    "parametersJsonSchema",
    "parameters_json_schema",
];

/// The members that may hold a list of tools.
const LISTS: &[&str] = &["tools", "functionDeclarations", "function_declarations"];

pub(super) fn read_all(value: ValueRef<'_>, pointer: String, reader: &mut ListReader) {
    read_within(value, pointer, reader, NESTING_MAX);
}

fn read_within(value: ValueRef<'_>, pointer: String, reader: &mut ListReader, nesting: usize) {
    if nesting == 0 {
        return reader.error("", pointer, "lists are nested too deeply");
    }
    match value.kind() {
        Kind::Array => {
            for (at, item) in value.items().enumerate() {
                read_within(item, format!("{pointer}/{at}"), reader, nesting - 1);
            }
        }
        Kind::Object => {
            let is_tool = value
                .get("name")
                .is_some_and(|name| name.kind() == Kind::String);
            let inner = LISTS.iter().chain(&["result", "toolSpec"]);
            let inner = inner.filter_map(|name| Some((*name, member(value, name)?)));
            let mut inner = inner.filter(|(_, inner)| is_container(*inner) && !is_tool);
            match inner.next() {
                Some((name, inner)) => {
                    read_within(inner, format!("{pointer}/{name}"), reader, nesting - 1);
                }
                None => read(value, pointer, reader),
            }
        }
        kind => {
            let message = format!("expected a tool object, found {kind}");
            reader.error("", pointer, message);
        }
    }
}

fn read(value: ValueRef<'_>, mut pointer: String, reader: &mut ListReader) {
    let function = value.get("function").filter(|inner| is_container(*inner));
    let tool = function.unwrap_or(value);
    if function.is_some() {
        pointer.push_str("/function");
    }
    let schema = SCHEMAS.iter();
    let schema = schema.filter_map(|name| Some((*name, member(tool, name)?)));
    let schema = schema.map(unwrapped).next();
    let name = text(tool, "name");
    if schema.is_none() && is_provider_defined(value) {
        let name = name.unwrap_or_default();
        let message = "the tool is defined by its provider and has no schema; it is skipped";
        return reader.warning(&name, pointer, message);
    }
    let Some(name) = name else {
        return reader.error("", pointer, "the tool has no name");
    };
    let description = text(tool, "description").or_else(|| text(tool, "title"));
    let schema = match schema {
        None => NO_ARGUMENTS.to_owned(),
        Some((_, schema)) if matches!(schema.kind(), Kind::Object | Kind::Bool) => written(schema),
        Some((word, schema)) => {
            let message = format!(
                "expected a schema (object or boolean), found {}",
                schema.kind()
            );
            return reader.error(&name, format!("{pointer}/{word}"), message);
        }
    };
    reader.push(Tool::new(name, description.unwrap_or_default()), schema);
}

/// Unwraps a schema from the member `json`, which Bedrock uses.
fn unwrapped<'n, 'd>((name, schema): (&'n str, ValueRef<'d>)) -> (&'n str, ValueRef<'d>) {
    match schema.get("json").filter(|inner| is_container(*inner)) {
        Some(inner) if schema.len() == 1 => (name, inner),
        _ => (name, schema),
    }
}

/// Returns `true` if a tool without a schema is defined by its provider: it has a `type`, or its
/// only member is its name.
fn is_provider_defined(value: ValueRef<'_>) -> bool {
    let is_schema = value.get("properties").is_some();
    let of_type = text(value, "type").is_some_and(|name| name != "function" && !is_schema);
    let mut members = value.members();
    let of_member = match (members.next(), members.next()) {
        (Some((name, inner)), None) => {
            inner.kind() == Kind::Object && !matches!(&*name, "function" | "name")
        }
        _ => false,
    };
    of_type || of_member
}

fn is_container(value: ValueRef<'_>) -> bool {
    matches!(value.kind(), Kind::Array | Kind::Object)
}
