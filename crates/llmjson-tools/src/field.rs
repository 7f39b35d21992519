//! Fields of the arguments: members that a schema declares.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use llmjson_schema::internal::source::{NodeIx, ROOT, Source, Written};
use llmjson_schema::{Path, Schema, Step};
use serde_json::Value;

/// The maximum number of references and subschemas followed in a row.
const STEPS_MAX: usize = 16;

/// The maximum number of examples shown for a field.
const EXAMPLES_MAX: usize = 3;

/// The maximum number of subschemas searched for the members of a field.
const PARTS_MAX: usize = 256;

/// The keywords whose subschemas apply to the same value and may declare members.
const BRANCHES: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// A schema in which fields are looked up.
#[derive(Debug)]
pub(super) struct Declared {
    /// The values that fields return.
    value: Value,
    schema: Schema,
    /// Read on first use.
    source: OnceLock<Source>,
}

impl Declared {
    /// Reads the schema of a tool, which compiled.
    pub(super) fn new(schema: &Schema) -> Self {
        Self {
            value: serde_json::from_str(schema.as_json()).unwrap_or_default(),
            schema: schema.clone(),
            source: OnceLock::new(),
        }
    }

    fn source(&self) -> &Source {
        self.source.get_or_init(|| self.schema.source())
    }

    pub(super) fn value(&self) -> &Value {
        &self.value
    }

    /// Returns a value of the schema.
    fn at(&self, ix: NodeIx) -> &Value {
        let value = self.value.pointer(&self.source().pointer(ix));
        value.unwrap_or(&Value::Null)
    }

    /// Resolves the references of a schema.
    fn resolve(&self, mut schema: NodeIx) -> Option<NodeIx> {
        for _ in 0..STEPS_MAX {
            if self.source().member(schema, "$ref").is_none() {
                return Some(schema);
            }
            schema = self.source().target(schema)?;
        }
        None
    }

    /// Returns the subschemas in the arrays of some keywords.
    fn branches(&self, schema: NodeIx, words: [&'static str; 3]) -> impl Iterator<Item = NodeIx> {
        let lists = words.into_iter();
        lists.flat_map(move |word| self.source().items_in(schema, word).iter().copied())
    }

    /// Returns the schema of a member or item, and the schema of the object that declares the
    /// member.
    fn child(&self, schema: NodeIx, step: &Step, steps: usize) -> Option<(NodeIx, Option<NodeIx>)> {
        let own = match step {
            Step::Member(name) => self.member(schema, name),
            Step::Index(index) => self.item(schema, *index as usize).map(|item| (item, None)),
        };
        own.or_else(|| {
            let steps = steps.checked_sub(1)?;
            let mut branches = self.branches(schema, BRANCHES);
            branches.find_map(|branch| self.child(self.resolve(branch)?, step, steps))
        })
    }

    fn member(&self, schema: NodeIx, name: &str) -> Option<(NodeIx, Option<NodeIx>)> {
        let declared = self.source().member(schema, "properties");
        let declared = declared.and_then(|list| self.source().member(list, name));
        if let Some(declared) = declared {
            return Some((declared, Some(schema)));
        }
        let others = self.source().member(schema, "additionalProperties")?;
        (self.source().get(others) == Written::Object).then_some((others, None))
    }

    fn item(&self, schema: NodeIx, index: usize) -> Option<NodeIx> {
        let lists = ["prefixItems", "items"].into_iter();
        let mut lists = lists.filter_map(|word| self.source().items_in(schema, word).get(index));
        let rest = || {
            let items = self.source().member(schema, "items");
            items.filter(|items| self.source().get(*items) == Written::Object)
        };
        lists.next().copied().or_else(rest)
    }
}

/// A member declared by a tool's schema.
#[derive(Clone, Debug)]
pub struct Field<'c> {
    path: Path,
    schema: NodeIx,
    /// The subschema of the object that declares it.
    owner: Option<NodeIx>,
    declared: &'c Declared,
}

impl<'c> Field<'c> {
    /// Returns the field at a path, if the schema declares it. In a union, the first branch that
    /// declares it is used.
    pub(super) fn at(declared: &'c Declared, path: &Path) -> Option<Self> {
        let mut steps = path.steps().into_iter();
        steps.try_fold(Self::root(declared), |field, step| {
            field.below(step.clone())
        })
    }

    /// Returns the field for the arguments as a whole.
    pub(super) fn root(declared: &'c Declared) -> Self {
        Self {
            path: Path::root(),
            schema: ROOT,
            owner: None,
            declared,
        }
    }

    /// Returns the field one step below, if the schema declares it.
    pub(super) fn below(&self, step: Step) -> Option<Self> {
        let inner = self.declared.resolve(self.schema)?;
        let (schema, owner) = self.declared.child(inner, &step, STEPS_MAX)?;
        let mut path = self.path.clone();
        path.push(step);
        Some(Self {
            path,
            schema,
            owner,
            declared: self.declared,
        })
    }

    /// Returns the members of this field, from all branches of a union, sorted by name.
    pub(super) fn members(&self) -> Vec<Self> {
        let declared = self.declared;
        let mut found: BTreeMap<&str, (NodeIx, NodeIx)> = BTreeMap::new();
        let mut parts = vec![self.schema];
        let mut at = 0;
        while let Some(part) = parts.get(at).and_then(|part| declared.resolve(*part)) {
            at += 1;
            for (name, schema) in declared.source().members_in(part, "properties") {
                found.entry(name).or_insert((schema, part));
            }
            for branch in declared.branches(part, BRANCHES) {
                let branch = declared.resolve(branch).unwrap_or(branch);
                if parts.len() < PARTS_MAX && !parts.contains(&branch) {
                    parts.push(branch);
                }
            }
        }
        let field = |(name, (schema, owner)): (&str, _)| Self {
            path: self.path.member(name),
            schema,
            owner: Some(owner),
            declared,
        };
        found.into_iter().map(field).collect()
    }

    /// Returns the path of the field.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the name of the field. An array item has the name of its array.
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
        let resolved = self.declared.resolve(self.schema);
        self.declared.at(resolved.unwrap_or(self.schema))
    }

    /// Returns `true` if the field is required.
    #[must_use]
    pub fn is_required(&self) -> bool {
        match (self.path.steps().last(), self.owner) {
            (Some(Step::Member(name)), Some(owner)) => {
                let mut required = self.declared.source().texts_in(owner, "required");
                required.any(|one| one == &**name)
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

    /// Returns a keyword next to the reference, otherwise in its target, otherwise in the first
    /// branch that has it.
    pub(super) fn keyword(&self, name: &str) -> Option<&'c Value> {
        let declared = self.declared;
        let of = |schema| declared.source().member(schema, name);
        let found = of(self.schema).or_else(|| {
            let schema = declared.resolve(self.schema).unwrap_or(self.schema);
            let mut branches = declared.branches(schema, ["anyOf", "oneOf", "allOf"]);
            let of_branch = || branches.find_map(|branch| of(declared.resolve(branch)?));
            of(schema).or_else(of_branch)
        })?;
        Some(declared.at(found))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn declared(source: &Value) -> Declared {
        let schema = Source::from_text(&source.to_string()).expect("a small schema");
        Declared {
            value: source.clone(),
            schema: "true".parse().expect("a schema"),
            source: OnceLock::from(schema),
        }
    }

    #[test]
    fn references_are_those_of_validation() {
        let source = json!({
            "properties": {
                "space": {"$ref": "#/$defs/a%20b"},
                "anchor": {"$ref": "#named"},
                "id": {"$ref": "other.json#/$defs/inner"}
            },
            "$id": "https://example.com/root.json",
            "$defs": {
                "a b": {"description": "by pointer"},
                "x": {"$anchor": "named", "description": "by anchor", "format": "date"},
                "y": {"$id": "other.json", "$defs": {"inner": {"description": "by identifier"}}}
            }
        });
        let declared = declared(&source);
        let shown: Vec<_> = (Field::root(&declared).members().iter())
            .map(|field| (field.name(), field.description()))
            .collect();
        let expected = [
            ("anchor".to_owned(), Some("by anchor")),
            ("id".to_owned(), Some("by identifier")),
            ("space".to_owned(), Some("by pointer")),
        ];
        assert_eq!(shown, expected);
    }

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
        let declared = declared(&source);
        let at = |text: &str| Field::at(&declared, &Path::parse(text).expect("a path"));
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
        let declared = declared(&source);
        let root = Field::at(&declared, &Path::root()).expect("a field");
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
