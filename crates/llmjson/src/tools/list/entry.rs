//! One tool, in whichever shape.

use llmjson_syntax::{Kind, ValueRef};

use super::{Reader, member, text, written};
use crate::tools::tool::Tool;

/// Lists stand that deep within each other, at most.
const NESTING_MAX: usize = 8;

/// The schema of a tool that has no arguments.
const NO_ARGUMENTS: &str = r#"{"type":"object","properties":{}}"#;

/// Where the schema of the arguments stands.
const SCHEMAS: &[&str] = &[
    "parameters",
    "input_schema",
    "inputSchema",
    "parametersJsonSchema",
    "parameters_json_schema",
];

/// Where there are lists within a list.
const LISTS: &[&str] = &["tools", "functionDeclarations", "function_declarations"];

/// Reads all tools of a value.
pub(super) fn read_all(value: ValueRef<'_>, pointer: String, reader: &mut Reader) {
    read_within(value, pointer, reader, NESTING_MAX);
}

fn read_within(value: ValueRef<'_>, pointer: String, reader: &mut Reader, nesting: usize) {
    if nesting == 0 {
        return reader.error("", pointer, "lists stand too deep within each other");
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
            let message = format!("a tool is an object, this is a {kind}");
            reader.error("", pointer, message);
        }
    }
}

fn read(value: ValueRef<'_>, mut pointer: String, reader: &mut Reader) {
    let function = value.get("function").filter(|inner| is_container(*inner));
    let tool = function.unwrap_or(value);
    if function.is_some() {
        pointer.push_str("/function");
    }
    let schema = SCHEMAS.iter();
    let schema = schema.filter_map(|name| Some((*name, member(tool, name)?)));
    let schema = schema.map(unwrapped).next();
    let name = text(tool, "name");
    if schema.is_none() && brings_its_own(value) {
        let name = name.unwrap_or_default();
        let message = "the tool does not say what its arguments are: it is left out";
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
            let message = format!("a schema is an object, this is a {}", schema.kind());
            return reader.error(&name, format!("{pointer}/{word}"), message);
        }
    };
    reader.push(Tool::new(name, description.unwrap_or_default()), schema);
}

/// A schema that stands alone under `json`, as Bedrock has it.
fn unwrapped<'n, 'd>((name, schema): (&'n str, ValueRef<'d>)) -> (&'n str, ValueRef<'d>) {
    match schema.get("json").filter(|inner| is_container(*inner)) {
        Some(inner) if schema.len() == 1 => (name, inner),
        _ => (name, schema),
    }
}

/// Whether the arguments of a tool are known to its provider: it has a type of its own, or is named
/// by its only member.
fn brings_its_own(value: ValueRef<'_>) -> bool {
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
