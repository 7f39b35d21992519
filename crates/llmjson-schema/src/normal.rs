//! Rewrites a schema of any dialect as one 2020-12 schema without identifiers: every reference
//! becomes a pointer from the root. Records the source position of each part.
//!
//! Accepts drafts 4 to 2020-12, OpenAPI 3.0 (`nullable`) and Gemini's subset (upper-case types,
//! counts as strings). Unknown keywords stay unchanged: `x-discriminator`, `x-alias`,
//! `propertyOrdering` and anything else.

mod dialect;
pub(crate) mod given;
pub(crate) mod keyword;
mod place;
pub(crate) mod reference;
#[cfg(test)]
mod tests;
pub(crate) mod tree;

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use serde_json::Value;
use smallvec::SmallVec;

use crate::base::error::SchemaError;
use crate::base::formats::FormatStrictness;
use keyword::{Holds, count, holds, type_name};
use reference::{Mapped, References};
use tree::{Json, NodeIx, ROOT, Tree};

/// The dialect in which every schema is written.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

impl Tree {
    /// The schema in the form for validators.
    pub(crate) fn value(&self) -> &Value {
        self.value.get_or_init(|| {
            let mut targets = HashMap::new();
            for &schema in self.references.schemas() {
                if let Some(target) = self.references.target(schema)
                    && let Some(reference) = self.member(schema, "$ref")
                {
                    targets.insert(reference, fragment(&self.normal_pointer(target)));
                }
            }
            let mut value = self.to_value(ROOT, &targets);
            if let Value::Object(members) = &mut value {
                members.insert("$schema".to_owned(), DIALECT.into());
            }
            value
        })
    }

    /// The schema as given, if it was not rewritten.
    pub(crate) fn as_given(&self) -> String {
        self.to_value(ROOT, &HashMap::new()).to_string()
    }

    /// Returns `true` if a subschema forbids undeclared members.
    pub(crate) fn forbids_others(&self, schema: NodeIx) -> bool {
        let mut members = self.members(schema);
        members.any(|(keyword, value)| forbids(self, keyword, value))
    }

    /// Returns `true` if a subschema requires a format with strict and lenient variants.
    pub(crate) fn has_free_format(&self, schema: NodeIx) -> bool {
        let format = self.member(schema, "format");
        let format = format.and_then(|format| self.text(format));
        format.is_some_and(FormatStrictness::matter_for)
    }
}

/// The treatment of the keywords by which a schema forbids undeclared members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forbidding {
    Stays,
    /// Removes them, so that the schema is silent about such members.
    Goes,
}

/// Rewrites the schema in one dialect.
pub(crate) fn normalise(mut tree: Tree, forbidding: Forbidding) -> Result<Tree, SchemaError> {
    tree.references = reference::find(&tree)?;
    given::check(&tree)?;
    // Inserted nodes are already rewritten.
    for at in 0..tree.references.schemas().len() {
        let schema = tree.references.schemas()[at];
        let tree = &mut tree;
        Rewriter { tree, forbidding }.rewrite(schema)?;
    }
    tree.settle();
    check_references(&tree)?;
    Ok(tree)
}

fn forbids(tree: &Tree, keyword: &str, value: NodeIx) -> bool {
    matches!(keyword, "additionalProperties" | "unevaluatedProperties")
        && *tree.get(value) == Json::Bool(false)
}

/// Keywords that may mean something else today, or nothing.
const OF_OLDER_DIALECTS: &[&str] = &[
    "$dynamicRef",
    "$recursiveRef",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "items",
    "dependencies",
    "nullable",
];

/// Rewrites one subschema after the other, in place.
struct Rewriter<'n> {
    tree: &'n mut Tree,
    forbidding: Forbidding,
}

impl Rewriter<'_> {
    fn rewrite(&mut self, schema: NodeIx) -> Result<(), SchemaError> {
        self.drop_idle(schema);
        self.rewrite_types(schema);
        self.rewrite_counts(schema);
        if !self.tree.has(schema, OF_OLDER_DIALECTS) {
            return Ok(());
        }
        // If the name has a single anchor, which `reference` has checked, a dynamic reference leads
        // to the same target as a plain one.
        self.tree.rename(schema, "$dynamicRef", "$ref");
        self.tree.rename(schema, "$recursiveRef", "$ref");
        self.rewrite_bounds(schema, "minimum", "exclusiveMinimum");
        self.rewrite_bounds(schema, "maximum", "exclusiveMaximum");
        self.rewrite_items(schema)?;
        self.split_dependencies(schema);
        // OpenAPI 3.0 has no type for null.
        let nullable = self.tree.take(schema, "nullable");
        if nullable.is_some_and(|ix| *self.tree.get(ix) == Json::Bool(true)) {
            self.allow_null(schema);
        }
        Ok(())
    }

    /// Removes keywords that have been processed (identifiers) or mean nothing (an empty `allOf`),
    /// and annotations of a type that the dialect does not allow there.
    fn drop_idle(&mut self, schema: NodeIx) {
        let tree = &*self.tree;
        let stands_alone = self.tree.references.lone.contains(&schema);
        let keeps = |keyword, value| {
            let json = tree.get(value);
            match keyword {
                "$schema" | "$id" | "$anchor" | "$dynamicAnchor" | "$recursiveAnchor"
                | "$vocabulary" => false,
                // In draft 4 it identifies the schema, if it is a string.
                "id" => !matches!(json, Json::String(_)),
                "title" | "description" | "$comment" => matches!(json, Json::String(_)),
                "deprecated" | "readOnly" | "writeOnly" => matches!(json, Json::Bool(_)),
                "examples" => matches!(json, Json::Array(_)),
                "$ref" | "$defs" | "definitions" => true,
                _ if stands_alone && holds(keyword).is_some() => false,
                "allOf" | "prefixItems" => !tree.items(value).is_empty(),
                _ => self.forbidding == Forbidding::Stays || !forbids(tree, keyword, value),
            }
        };
        let idle = tree.members(schema).filter(|one| !keeps(one.0, one.1));
        for idle in idle.map(|(_, value)| value).collect::<Vec<_>>() {
            self.tree.remove(schema, idle);
        }
        if let Some(names) = self.tree.member(schema, "required") {
            self.drop_repeated(names);
        }
    }

    fn drop_repeated(&mut self, list: NodeIx) {
        let mut items = self.tree.items(list).to_vec();
        if items.len() < 2 {
            return;
        }
        let mut seen = HashSet::new();
        items.retain(|&item| self.tree.text(item).is_none_or(|text| seen.insert(text)));
        if items.len() < self.tree.items(list).len() {
            self.tree.set(list, Json::Array(items));
        }
    }

    fn rewrite_types(&mut self, schema: NodeIx) {
        let Some(types) = self.tree.member(schema, "type") else {
            return;
        };
        let names = match self.tree.get(types) {
            Json::Array(items) => SmallVec::from_slice(items),
            _ => SmallVec::<[NodeIx; 4]>::from_slice(&[types]),
        };
        for name in names {
            if let Some(written) = self.tree.text(name)
                && let Some(known) = type_name(written)
                && known != written
            {
                let known = self.tree.put(known);
                self.tree.set(name, Json::String(known));
            }
        }
        if let Json::Array(_) = self.tree.get(types) {
            self.drop_repeated(types);
        }
    }

    fn rewrite_counts(&mut self, schema: NodeIx) {
        let members = self.tree.members(schema);
        let counts = members.filter_map(|(keyword, value)| {
            let count = count(self.tree, value)?.to_string();
            let is_usual = self.tree.number(value) == Some(&count);
            (!is_usual && holds(keyword) == Some(Holds::Count)).then_some((value, count))
        });
        for (value, count) in counts.collect::<Vec<_>>() {
            let count = self.tree.put(&count);
            self.tree.set(value, Json::Number(count));
        }
    }

    /// Rewrites draft 4's boolean that excludes a bound itself.
    fn rewrite_bounds(&mut self, schema: NodeIx, bound: &str, exclusive: &str) {
        let Some(flag) = self.tree.member(schema, exclusive) else {
            return;
        };
        if let Json::Bool(is_exclusive) = *self.tree.get(flag) {
            self.tree.take(schema, exclusive);
            if is_exclusive {
                self.tree.rename(schema, bound, exclusive);
            }
        }
    }

    /// Rewrites an array in `items`, which before 2020-12 had the meaning of today's `prefixItems`.
    fn rewrite_items(&mut self, schema: NodeIx) -> Result<(), SchemaError> {
        let Some(items) = self.tree.member(schema, "items") else {
            return Ok(());
        };
        let Json::Array(list) = self.tree.get(items) else {
            return Ok(());
        };
        if self.tree.member(schema, "prefixItems").is_some() {
            return Err(self
                .tree
                .error(items, "`items` is a list beside `prefixItems`"));
        }
        if list.is_empty() {
            self.tree.take(schema, "items");
        } else {
            self.tree.rename(schema, "items", "prefixItems");
        }
        self.tree.rename(schema, "additionalItems", "items");
        Ok(())
    }

    fn split_dependencies(&mut self, schema: NodeIx) {
        let Some(dependencies) = self.tree.take(schema, "dependencies") else {
            return;
        };
        let all = self.tree.take_members(dependencies);
        let (names, schemas): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|&(_, value)| matches!(self.tree.get(value), Json::Array(_)));
        for &(_, list) in &names {
            self.drop_repeated(list);
        }
        for (keyword, more) in [("dependentRequired", names), ("dependentSchemas", schemas)] {
            if more.is_empty() {
                continue;
            }
            let object = self.tree.insert_like(dependencies, Json::Object(more));
            if self.tree.member(schema, keyword).is_none() {
                self.tree.push(schema, keyword, object);
                continue;
            }
            // Stated in both ways: both must hold.
            let part = self.insert_object(schema, keyword, object);
            self.tree.references.add(part);
            match self.tree.member(schema, "allOf") {
                Some(list) => self.push_item(list, part),
                None => {
                    let list = self.tree.insert_like(schema, Json::Array(vec![part]));
                    self.tree.push(schema, "allOf", list);
                }
            }
        }
    }

    fn push_item(&mut self, list: NodeIx, item: NodeIx) {
        let mut items = self.tree.items(list).to_vec();
        items.push(item);
        self.tree.set(list, Json::Array(items));
    }

    /// `nullable: true`: null is allowed in addition to the rest.
    fn allow_null(&mut self, schema: NodeIx) {
        let has = |keyword: &str| self.tree.member(schema, keyword).is_some();
        let wraps = ["$ref", "allOf", "oneOf", "not", "if"].into_iter().any(has)
            || (has("anyOf") && ["enum", "const"].into_iter().any(has));
        if wraps {
            return self.wrap_in_union(schema);
        }
        if let Some(constant) = self.tree.take(schema, "const") {
            let list = self.tree.insert_like(constant, Json::Array(vec![constant]));
            self.tree.push(schema, "enum", list);
        }
        if let Some(types) = self.tree.member(schema, "type") {
            self.add_null_type(types);
        }
        if let Some(values) = self.tree.member(schema, "enum") {
            let mut items = self.tree.items(values).iter();
            if !items.any(|&item| *self.tree.get(item) == Json::Null) {
                let null = self.tree.insert_like(values, Json::Null);
                self.push_item(values, null);
            }
        }
        if let Some(branches) = self.tree.member(schema, "anyOf") {
            let null = self.insert_null_schema(schema);
            self.push_item(branches, null);
        }
    }

    fn add_null_type(&mut self, types: NodeIx) {
        if let single @ Json::String(_) = self.tree.get(types) {
            let single = single.clone();
            let single = self.tree.insert_like(types, single);
            self.tree.set(types, Json::Array(vec![single]));
        }
        let mut names = self.tree.items(types).iter();
        if !names.any(|&name| self.tree.text(name) == Some("null")) {
            let null = self.insert_text(types, "null");
            self.push_item(types, null);
        }
    }

    /// Makes the subschema the union of its previous content and null. Notes and the default stay
    /// outside.
    fn wrap_in_union(&mut self, schema: NodeIx) {
        let members = self.tree.take_members(schema);
        let (outside, inside): (Vec<_>, Vec<_>) = members.into_iter().partition(|&(keyword, _)| {
            let keyword = self.tree.at(keyword);
            is_annotation(keyword) || matches!(keyword, "$defs" | "definitions")
        });
        let inner = self.tree.insert_like(schema, Json::Object(inside));
        self.tree.references.add(inner);
        self.tree.references.move_target(schema, inner);
        if let Some(mapping) = self.tree.references.mappings.remove(&schema) {
            self.tree.references.mappings.insert(inner, mapping);
        }
        let null = self.insert_null_schema(schema);
        let branches = self
            .tree
            .insert_like(schema, Json::Array(vec![inner, null]));
        self.tree.set(schema, Json::Object(outside));
        self.tree.push(schema, "anyOf", branches);
    }

    fn insert_null_schema(&mut self, like: NodeIx) -> NodeIx {
        let name = self.insert_text(like, "null");
        self.insert_object(like, "type", name)
    }

    fn insert_text(&mut self, like: NodeIx, text: &str) -> NodeIx {
        let text = self.tree.put(text);
        self.tree.insert_like(like, Json::String(text))
    }

    fn insert_object(&mut self, like: NodeIx, name: &str, value: NodeIx) -> NodeIx {
        let name = self.tree.put(name);
        self.tree
            .insert_like(like, Json::Object(vec![(name, value)]))
    }
}

/// Returns `true` if a keyword only describes, so that a subschema with nothing else imposes no
/// requirement.
pub(crate) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "description"
            | "$comment"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "examples"
            | "example"
            | "default"
            | "externalDocs"
            | "xml"
            | "propertyOrdering"
    ) || (keyword.starts_with("x-") && keyword != "x-discriminator")
}

/// Checks that the targets of references still exist, and that writing the references takes a
/// bounded number of bytes.
fn check_references(tree: &Tree) -> Result<(), SchemaError> {
    let mut bytes = 0;
    for &schema in tree.references.schemas() {
        let Some(target) = tree.references.target(schema) else {
            continue;
        };
        if target != ROOT && tree.normal_parent(target).is_none() {
            let reference = tree.member(schema, "$ref").unwrap_or(schema);
            return Err(tree.error(reference, "this leads into something that is no schema"));
        }
        bytes += tree.pointer_bytes(target);
        if bytes > tree::POINTER_BYTES_MAX {
            return Err(pointers_too_long());
        }
    }
    Ok(())
}

pub(crate) fn pointers_too_long() -> SchemaError {
    SchemaError::of_whole(format!(
        "the pointers to the parts of the schema take more than {} bytes",
        tree::POINTER_BYTES_MAX
    ))
}

/// Returns a pointer as the fragment of a URI.
pub(crate) fn fragment(pointer: &str) -> String {
    let mut text = String::with_capacity(pointer.len() + 1);
    text.push('#');
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte) {
            text.push(char::from(byte));
        } else {
            write!(text, "%{byte:02X}").expect("writing to a string does not fail");
        }
    }
    text
}

impl References {
    /// Returns the name of the definition that a tag value represents, if its mapping has it.
    pub(crate) fn mapping(&self, schema: NodeIx) -> &[(Box<str>, Mapped)] {
        self.mappings.get(&schema).map_or(&[], Vec::as_slice)
    }
}
