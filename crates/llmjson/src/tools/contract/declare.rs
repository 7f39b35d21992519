//! What is declared beside a schema, written into it: other names, examples, groups.

use llmjson_syntax::{Kind, ValueRef, write_string};
use serde_json::Value;

use crate::tools::tool::Tool;

const ALIASES: &str = "x-aliases";
const EXAMPLES: &str = "examples";
const PROPERTIES: &str = "properties";

/// The schema with all that a tool declares beside it, as its text; nothing if the tool declares
/// nothing. Members and numbers stay as they are written.
pub(super) fn into_schema(tool: &Tool, schema: &str) -> Option<String> {
    if tool.aliases.is_empty() && tool.examples.is_empty() && tool.groups.is_empty() {
        return None;
    }
    let document = llmjson_syntax::parse(schema);
    let root = document.root()?;
    let mut out = String::with_capacity(schema.len() + 64);
    let groups = tool
        .groups
        .iter()
        .map(|group| text_of(&Value::from(names(group))));
    let added = [(super::REQUIRED_ANY, groups.collect())];
    write_object(root, &added, &mut out, |name, value, out| {
        match name == PROPERTIES && value.kind() == Kind::Object {
            true => write_object(value, &[], out, |name, property, out| {
                write_property(tool, name, property, out);
            }),
            false => value.write_json(out),
        }
    });
    Some(out)
}

fn names(group: &[Box<str>]) -> Vec<String> {
    group.iter().map(|name| name.to_string()).collect()
}

/// A property is an object, or `true`, which asks for nothing. `false` stays as it is.
fn write_property(tool: &Tool, name: &str, property: ValueRef<'_>, out: &mut String) {
    let of_name = |(member, _): &&(Box<str>, Value)| **member == *name;
    let examples = tool.examples.iter().filter(of_name);
    let examples: Vec<_> = examples.map(|(_, value)| text_of(value)).collect();
    let aliases = tool.aliases.iter().filter(|(member, _)| **member == *name);
    let aliases: Vec<_> = aliases
        .map(|(_, alias)| text_of(&(**alias).into()))
        .collect();
    if aliases.is_empty() && examples.is_empty() || property.as_bool() == Some(false) {
        return property.write_json(out);
    }
    let added = [(ALIASES, aliases), (EXAMPLES, examples)];
    write_object(property, &added, out, |_, value, out| value.write_json(out));
}

fn text_of(value: &Value) -> String {
    value.to_string()
}

/// Writes an object, with more items in some of its lists; lists that it has not come last.
fn write_object(
    object: ValueRef<'_>,
    added: &[(&str, Vec<String>)],
    out: &mut String,
    mut write: impl FnMut(&str, ValueRef<'_>, &mut String),
) {
    let mut separator = '{';
    let mut member = |name: &str, out: &mut String| {
        out.push(std::mem::replace(&mut separator, ','));
        write_string(name, out);
        out.push(':');
    };
    let more = |name: &str| {
        let mut lists = added.iter().filter(|(_, items)| !items.is_empty());
        lists.find(|(list, _)| *list == name)
    };
    for (name, value) in object.members() {
        member(&name, out);
        match more(&name) {
            Some((_, items)) => write_list(value, items, out),
            None => write(&name, value, out),
        }
    }
    for (name, items) in added {
        if !items.is_empty() && object.get(name).is_none() {
            member(name, out);
            out.push('[');
            out.push_str(&items.join(","));
            out.push(']');
        }
    }
    if separator == '{' {
        out.push('{');
    }
    out.push('}');
}

/// A list with more items; a single value counts as one item.
fn write_list(list: ValueRef<'_>, added: &[String], out: &mut String) {
    let own = match list.kind() {
        Kind::Array => list.items().map(ValueRef::to_json).collect(),
        _ => vec![list.to_json()],
    };
    out.push('[');
    out.push_str(&[&own[..], added].concat().join(","));
    out.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_digits_stay_as_they_are() {
        let tool = Tool::new("t", "")
            .with_alias("b", "bee")
            .with_example("a", 1)
            .with_required_any(["a", "b"]);
        let schema = r#"{"z": 1.50, "properties": {"b": true, "a": {"examples": [2], "x": 1}}}"#;
        assert_eq!(
            into_schema(&tool, schema).as_deref(),
            Some(
                r#"{"z":1.50,"properties":{"b":{"x-aliases":["bee"]},"a":{"examples":[2,1],"x":1}},"x-required-any":[["a","b"]]}"#
            )
        );
        assert_eq!(into_schema(&Tool::new("t", ""), schema), None);
    }
}
