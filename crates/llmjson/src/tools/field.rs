//! What a schema says about the member at a place of the arguments.

use llmjson_schema::{Path, Step};
use serde_json::Value;

/// References and parts of schemas are followed that far.
const STEPS_MAX: usize = 16;

/// So many examples of a field are shown.
const EXAMPLES_MAX: usize = 3;

/// A member that the schema of a tool declares, and what it says about it.
#[derive(Clone, Debug)]
pub struct Field<'c> {
    path: Path,
    schema: &'c Value,
    required: bool,
    source: &'c Value,
}

impl<'c> Field<'c> {
    /// The field at a place of the arguments, if the schema says something about it. Of a union it is
    /// that of the first branch that declares it.
    pub(super) fn at(source: &'c Value, path: &Path) -> Option<Self> {
        let (mut schema, mut required) = (source, true);
        for step in path.steps() {
            let inner = resolve(source, schema)?;
            (schema, required) = child(source, inner, step, STEPS_MAX)?;
        }
        Some(Self {
            path: path.clone(),
            schema,
            required,
            source,
        })
    }

    /// Where it stands.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its name; that of an item of a list is its list's.
    #[must_use]
    pub fn name(&self) -> String {
        let steps = self.path.steps();
        let names = steps.iter().rev().find_map(|step| match step {
            Step::Member(name) => Some(name.to_string()),
            Step::Index(_) => None,
        });
        names.unwrap_or_default()
    }

    /// What the schema says about it, with references followed.
    #[must_use]
    pub fn schema(&self) -> &'c Value {
        resolve(self.source, self.schema).unwrap_or(self.schema)
    }

    /// Whether it has to be there.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.required
    }

    /// The keyword `description`.
    #[must_use]
    pub fn description(&self) -> Option<&'c str> {
        self.keyword("description")?.as_str()
    }

    /// The keyword `format`.
    #[must_use]
    pub fn format(&self) -> Option<&'c str> {
        self.keyword("format")?.as_str()
    }

    /// The values under `examples` and `example`.
    #[must_use]
    pub fn examples(&self) -> Vec<&'c Value> {
        let several = self.keyword("examples").and_then(Value::as_array);
        let one = self.keyword("example");
        several.into_iter().flatten().chain(one).collect()
    }

    /// The first examples, as JSON texts.
    pub(super) fn shown_examples(&self) -> Vec<String> {
        let examples = self.examples().into_iter().take(EXAMPLES_MAX);
        examples.map(Value::to_string).collect()
    }

    /// A keyword beside the reference, else of what it leads to, else of the branch of a union with
    /// null.
    fn keyword(&self, name: &str) -> Option<&'c Value> {
        let own = self.schema.get(name);
        own.or_else(|| {
            let schema = self.schema();
            let branches = ["anyOf", "oneOf", "allOf"].into_iter();
            let mut branches = branches.flat_map(|word| list(schema, word));
            let of_branch = || branches.find_map(|branch| resolve(self.source, branch)?.get(name));
            schema.get(name).or_else(of_branch)
        })
    }
}

/// What a schema stands for once its references are followed.
fn resolve<'c>(source: &'c Value, mut schema: &'c Value) -> Option<&'c Value> {
    for _ in 0..STEPS_MAX {
        let Some(reference) = schema.get("$ref").and_then(Value::as_str) else {
            return Some(schema);
        };
        schema = source.pointer(reference.strip_prefix('#')?)?;
    }
    None
}

/// The schema of a member or item, and whether it has to be there.
fn child<'c>(
    source: &'c Value,
    schema: &'c Value,
    step: &Step,
    steps: usize,
) -> Option<(&'c Value, bool)> {
    let own = match step {
        Step::Member(name) => member(schema, name),
        Step::Index(index) => item(schema, *index as usize).map(|item| (item, true)),
    };
    own.or_else(|| {
        let steps = steps.checked_sub(1)?;
        let branches = ["allOf", "anyOf", "oneOf"].into_iter();
        let mut branches = branches.flat_map(|word| list(schema, word));
        branches.find_map(|branch| child(source, resolve(source, branch)?, step, steps))
    })
}

fn member<'c>(schema: &'c Value, name: &str) -> Option<(&'c Value, bool)> {
    let declared = schema.get("properties").and_then(|list| list.get(name));
    let required = || list(schema, "required").any(|one| one.as_str() == Some(name));
    if let Some(declared) = declared {
        return Some((declared, required()));
    }
    let others = schema.get("additionalProperties")?;
    others.is_object().then_some((others, false))
}

fn item(schema: &Value, index: usize) -> Option<&Value> {
    let tuple = ["prefixItems", "items"].into_iter();
    let mut tuple = tuple.filter_map(|word| schema.get(word)?.get(index));
    let rest = || schema.get("items").filter(|items| items.is_object());
    tuple.next().or_else(rest)
}

fn list<'c>(schema: &'c Value, word: &str) -> impl Iterator<Item = &'c Value> {
    let list = schema.get(word).and_then(Value::as_array);
    list.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_found_through_references_and_branches() {
        let source = json!({
            "properties": {
                "to": {"$ref": "#/$defs/address", "description": "where to"},
                "tags": {"type": "array", "items": {"type": "string", "examples": ["a"]}},
                "pair": {"prefixItems": [{"format": "date"}]},
                "maybe": {"anyOf": [{"$ref": "#/$defs/address"}, {"type": "null"}]},
                "map": {"additionalProperties": {"example": 3}}
            },
            "required": ["to"],
            "$defs": {"address": {
                "description": "an address",
                "properties": {"zip": {"format": "zip"}},
                "required": ["zip"]
            }}
        });
        let at = |text: &str| Field::at(&source, &Path::parse(text).expect("a path"));
        let to = at("$input.to").expect("a field");
        assert_eq!(
            (to.description(), to.is_required()),
            (Some("where to"), true)
        );
        let zip = at("$input.maybe.zip").expect("a field");
        assert_eq!((zip.format(), zip.is_required()), (Some("zip"), true));
        assert_eq!(zip.name(), "zip");
        let maybe = at("$input.maybe").and_then(|field| field.description());
        assert_eq!(maybe, Some("an address"));
        let tag = at("$input.tags[4]").expect("a field");
        assert_eq!(
            (tag.shown_examples(), tag.name()),
            (vec!["\"a\"".into()], "tags".into())
        );
        assert_eq!(
            at("$input.pair[0]").and_then(|field| field.format()),
            Some("date")
        );
        assert_eq!(
            at("$input.map.any").map(|field| field.examples().len()),
            Some(1)
        );
        assert!(at("$input.none").is_none());
    }
}
