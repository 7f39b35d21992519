//! Adds a tool's aliases, examples and required groups to its schema.

use llmjson_syntax::{Document, Kind};
use serde_json::Value;

use crate::checks::Subschemas;
use crate::tool::Tool;
use llmjson_reply::internal::{ALIASES, Insertions};

const EXAMPLES: &str = "examples";

/// Returns the text of the schema with the aliases, examples and groups of a tool inserted; `None` if
/// the tool has none. The rest of the text is unchanged.
pub(super) fn into_schema(tool: &Tool, schema: &Document<'_>) -> Option<String> {
    if tool.aliases.is_empty() && tool.examples.is_empty() && tool.groups.is_empty() {
        return None;
    }
    let root = schema.root().filter(|root| root.kind() == Kind::Object)?;
    let mut insertions = Insertions::default();
    let groups = tool
        .groups
        .iter()
        .map(|group| text_of(&Value::from(names(group))));
    insertions.add(root, &[(super::REQUIRED_ANY, groups.collect())]);
    let subschemas = Subschemas::of(root)?;
    for (name, property) in subschemas.members_at_root() {
        let of_name = |(member, _): &&(Box<str>, Value)| **member == *name;
        let examples = tool.examples.iter().filter(of_name);
        let examples = examples.map(|(_, value)| text_of(value)).collect();
        let aliases = tool.aliases.iter().filter(|(member, _)| **member == *name);
        let aliases = aliases.map(|(_, alias)| text_of(&(**alias).into()));
        insertions.add(
            property,
            &[(ALIASES, aliases.collect()), (EXAMPLES, examples)],
        );
    }
    insertions.apply(schema.text())
}

fn names(group: &[Box<str>]) -> Vec<String> {
    group.iter().map(|name| name.to_string()).collect()
}

fn text_of(value: &Value) -> String {
    value.to_string()
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
        let table = [
            (
                r#"{"z": 1.50, "properties": {"b": true, "a": {"examples": [2], "x": 1}}}"#,
                r#"{"z": 1.50, "properties": {"b": {"x-aliases":["bee"]}, "a": {"examples": [2,1], "x": 1}},"x-required-any":[["a","b"]]}"#,
            ),
            (
                r##"{"$ref": "#/$defs/t", "$defs": {"t": {"allOf": [{"properties": {"a": {}}}], "properties": {"b": {}}}}}"##,
                r##"{"$ref": "#/$defs/t", "$defs": {"t": {"allOf": [{"properties": {"a": {"examples":[1]}}}], "properties": {"b": {"x-aliases":["bee"]}}}},"x-required-any":[["a","b"]]}"##,
            ),
        ];
        for (schema, wanted) in table {
            let document = llmjson_syntax::parse(schema);
            assert_eq!(into_schema(&tool, &document).as_deref(), Some(wanted));
            assert_eq!(into_schema(&Tool::new("t", ""), &document), None);
        }
    }
}
