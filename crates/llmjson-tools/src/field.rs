//! Fields of the arguments: the members that a schema declares.

use std::collections::BTreeMap;

use llmjson_schema::{Path, Step};
use serde_json::Value;

/// The maximum number of references and subschemas followed in a row.
const STEPS_MAX: usize = 16;

/// The maximum number of examples shown for a field.
const EXAMPLES_MAX: usize = 3;

/// The maximum number of subschemas searched for the members of a field.
const PARTS_MAX: usize = 256;

/// A member that the schema of a tool declares.
#[derive(Clone, Debug)]
pub struct Field<'c> {
    path: Path,
    schema: &'c Value,
    /// The subschema of the object that declares it.
    owner: Option<&'c Value>,
    source: &'c Value,
}

impl<'c> Field<'c> {
    /// Returns the field at a path, if the schema declares it. In a union, the first branch that
    /// declares it is used.
    pub(super) fn at(source: &'c Value, path: &Path) -> Option<Self> {
        let mut steps = path.steps().into_iter();
        steps.try_fold(Self::root(source), |field, step| field.below(step.clone()))
    }

    /// Returns the field for the arguments as a whole.
    pub(super) fn root(source: &'c Value) -> Self {
        Self {
            path: Path::root(),
            schema: source,
            owner: None,
            source,
        }
    }

    /// Returns the field one step below, if the schema declares it.
    pub(super) fn below(&self, step: Step) -> Option<Self> {
        let inner = resolve(self.source, self.schema)?;
        let (schema, owner) = child(self.source, inner, &step, STEPS_MAX)?;
        let mut path = self.path.clone();
        path.push(step);
        Some(Self {
            path,
            schema,
            owner,
            source: self.source,
        })
    }

    /// Returns the members of this field, from all branches of a union, sorted by name.
    pub(super) fn members(&self) -> Vec<Self> {
        let mut found: BTreeMap<&str, (&Value, &Value)> = BTreeMap::new();
        let mut parts = vec![self.schema];
        let mut at = 0;
        while let Some(part) = parts.get(at).and_then(|part| resolve(self.source, part)) {
            at += 1;
            let declared = part.get("properties").and_then(Value::as_object);
            for (name, schema) in declared.into_iter().flatten() {
                found.entry(name).or_insert((schema, part));
            }
            let branches = ["allOf", "anyOf", "oneOf"].into_iter();
            for branch in branches.flat_map(|word| list(part, word)) {
                let branch = resolve(self.source, branch).unwrap_or(branch);
                if parts.len() < PARTS_MAX && !parts.iter().any(|one| std::ptr::eq(*one, branch)) {
                    parts.push(branch);
                }
            }
        }
        let field = |(name, (schema, owner)): (&str, _)| Self {
            path: self.path.member(name),
            schema,
            owner: Some(owner),
            source: self.source,
        };
        found.into_iter().map(field).collect()
    }

    /// Returns the path of the field.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the name of the field; an item of an array has the name of the array.
    #[must_use]
    pub fn name(&self) -> String {
        let steps = self.path.steps();
        let names = steps.iter().rev().find_map(|step| match step {
            Step::Member(name) => Some(name.to_string()),
            Step::Index(_) => None,
        });
        names.unwrap_or_default()
    }

    /// Returns the schema of the field, with references resolved.
    #[must_use]
    pub fn schema(&self) -> &'c Value {
        resolve(self.source, self.schema).unwrap_or(self.schema)
    }

    /// Returns whether the field is required.
    #[must_use]
    pub fn is_required(&self) -> bool {
        match (self.path.steps().last(), self.owner) {
            (Some(Step::Member(name)), Some(owner)) => {
                list(owner, "required").any(|one| one.as_str() == Some(name))
            }
            (Some(Step::Member(_)), None) => false,
            (Some(Step::Index(_)) | None, _) => true,
        }
    }

    /// Returns the keyword `description`.
    #[must_use]
    pub fn description(&self) -> Option<&'c str> {
        self.keyword("description")?.as_str()
    }

    /// Returns the keyword `format`.
    #[must_use]
    pub fn format(&self) -> Option<&'c str> {
        self.keyword("format")?.as_str()
    }

    /// Returns the values of `examples` and `example`.
    #[must_use]
    pub fn examples(&self) -> Vec<&'c Value> {
        let several = self.keyword("examples").and_then(Value::as_array);
        let one = self.keyword("example");
        several.into_iter().flatten().chain(one).collect()
    }

    /// Returns the first examples, as JSON texts.
    pub(super) fn shown_examples(&self) -> Vec<String> {
        let examples = self.examples().into_iter().take(EXAMPLES_MAX);
        examples.map(Value::to_string).collect()
    }

    /// Returns a keyword next to the reference, else in its target, else in the first branch that has
    /// it.
    pub(super) fn keyword(&self, name: &str) -> Option<&'c Value> {
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

/// Resolves the references of a schema.
fn resolve<'c>(source: &'c Value, mut schema: &'c Value) -> Option<&'c Value> {
    for _ in 0..STEPS_MAX {
        let Some(reference) = schema.get("$ref").and_then(Value::as_str) else {
            return Some(schema);
        };
        schema = source.pointer(reference.strip_prefix('#')?)?;
    }
    None
}

/// Returns the schema of a member or item, and that of the object that declares the member.
fn child<'c>(
    source: &'c Value,
    schema: &'c Value,
    step: &Step,
    steps: usize,
) -> Option<(&'c Value, Option<&'c Value>)> {
    let own = match step {
        Step::Member(name) => member(schema, name),
        Step::Index(index) => item(schema, *index as usize).map(|item| (item, None)),
    };
    own.or_else(|| {
        let steps = steps.checked_sub(1)?;
        let branches = ["allOf", "anyOf", "oneOf"].into_iter();
        let mut branches = branches.flat_map(|word| list(schema, word));
        branches.find_map(|branch| child(source, resolve(source, branch)?, step, steps))
    })
}

fn member<'c>(schema: &'c Value, name: &str) -> Option<(&'c Value, Option<&'c Value>)> {
    let declared = schema.get("properties").and_then(|list| list.get(name));
    if let Some(declared) = declared {
        return Some((declared, Some(schema)));
    }
    let others = schema.get("additionalProperties")?;
    others.is_object().then_some((others, None))
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

    #[test]
    fn members_of_all_branches_are_declared() {
        let source = json!({
            "properties": {"b": {}, "kind": {"const": 1}},
            "allOf": [{"$ref": "#/$defs/more"}, {"$ref": "#"}],
            "$defs": {"more": {"properties": {"a": {}, "b": {"type": "null"}}, "required": ["a"]}}
        });
        let root = Field::at(&source, &Path::root()).expect("a field");
        let members = root.members();
        let shown: Vec<_> = members
            .iter()
            .map(|field| (field.name(), field.is_required()))
            .collect();
        let (a, b, kind) = ("a".to_owned(), "b".to_owned(), "kind".to_owned());
        assert_eq!(shown, [(a, true), (b, false), (kind, false)]);
        assert_eq!(members[1].schema(), &json!({}));
        let step = Step::Member("a".into());
        assert!(root.below(step).is_some_and(|field| field.is_required()));
    }
}
