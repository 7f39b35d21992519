//! Writes a schema, whatever dialect it came in, as one 2020-12 schema without identifiers: every
//! reference becomes a pointer from the root. Knows where each part stood in the source.
//!
//! Read are drafts 4 to 2020-12, OpenAPI 3.0 (`nullable`) and Gemini's subset (upper-case types,
//! counts as strings). What is no keyword stays as it is: `x-discriminator`, `x-alias`,
//! `propertyOrdering` and whatever else people put in.

pub(crate) mod keyword;
mod place;
pub(crate) mod reference;
#[cfg(test)]
mod tests;
pub(crate) mod tree;
mod usual;
pub(crate) mod word;

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::base::error::SchemaError;
use keyword::{Holds, count, type_name};
use reference::{Mapped, References};
use tree::{Json, NodeIx, ROOT, Tree};
use word::{About, Word};

/// The dialect that every schema is written in.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// A schema in one dialect.
#[derive(Debug)]
pub(crate) struct Normal {
    pub(crate) tree: Arc<Tree>,
    /// Every subschema, and the mapping of its discriminator.
    pub(crate) references: References,
    /// What any of the subschemas is about.
    pub(crate) about: About,
    /// Whether anything had to be written in another way than it was given.
    pub(crate) is_rewritten: bool,
    /// Whether a node is a subschema.
    schemas: Vec<bool>,
    value: OnceLock<Value>,
}

impl Normal {
    pub(crate) fn is_schema(&self, ix: NodeIx) -> bool {
        self.schemas[ix as usize]
    }

    /// The schema as validators take it, written when it is first needed.
    pub(crate) fn value(&self) -> &Value {
        self.value.get_or_init(|| {
            let mut targets = HashMap::new();
            for schema in &self.references.schemas {
                if let Some(target) = self.references.target(*schema)
                    && let Some(reference) = self.tree.member(*schema, "$ref")
                {
                    targets.insert(reference, fragment(&self.tree.normal_pointer(target)));
                }
            }
            let mut value = self.tree.to_value(ROOT, &targets);
            if let Value::Object(members) = &mut value {
                members.insert("$schema".to_owned(), DIALECT.into());
            }
            value
        })
    }

    /// The schema as it was given, if it was not rewritten.
    pub(crate) fn unchanged(&self) -> Value {
        self.tree.to_value(ROOT, &HashMap::new())
    }

    /// JSON Pointer to a subschema in [`value`](Self::value).
    pub(crate) fn pointer(&self, schema: NodeIx) -> String {
        self.tree.normal_pointer(schema)
    }
}

/// What becomes of the words by which a schema forbids members that it does not declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forbidding {
    Stays,
    /// They are taken out, so that the schema is silent about such members.
    Goes,
}

/// Writes the schema in one dialect.
pub(crate) fn normalise(mut tree: Tree, forbidding: Forbidding) -> Result<Normal, SchemaError> {
    let mut references = reference::find(&tree)?;
    let abouts = std::mem::take(&mut references.abouts);
    let mut about = About::NOTHING;
    let mut is_rewritten = false;
    for at in 0..references.schemas.len() {
        about = about.or(match abouts.get(at) {
            Some(&known) => known,
            None => tree.about(references.schemas[at]),
        });
        let schema = references.schemas[at];
        let opens = forbidding == Forbidding::Goes && forbids_others(&tree, schema);
        if !opens && usual::is_normal(&tree, schema) {
            continue;
        }
        is_rewritten = true;
        tree.note_source();
        Rewriter {
            tree: &mut tree,
            references: &mut references,
            forbidding,
        }
        .rewrite(at)?;
    }
    tree.settle();
    check_references(&tree, &references)?;
    let mut schemas = vec![false; tree.len()];
    for &schema in &references.schemas {
        schemas[schema as usize] = true;
    }
    Ok(Normal {
        tree: Arc::new(tree),
        references,
        about,
        is_rewritten,
        schemas,
        value: OnceLock::new(),
    })
}

/// Whether a subschema forbids members that it does not declare.
pub(crate) fn forbids_others(tree: &Tree, schema: NodeIx) -> bool {
    let mut members = tree.members(schema).iter();
    members.any(|(keyword, value)| forbids(tree, keyword, *value))
}

fn forbids(tree: &Tree, keyword: &str, value: NodeIx) -> bool {
    matches!(keyword, "additionalProperties" | "unevaluatedProperties")
        && *tree.get(value) == Json::Bool(false)
}

type Members = Vec<(Word, NodeIx)>;

/// Rewrites one subschema after the other, in place.
struct Rewriter<'n> {
    tree: &'n mut Tree,
    references: &'n mut References,
    forbidding: Forbidding,
}

impl Rewriter<'_> {
    fn rewrite(&mut self, at: usize) -> Result<(), SchemaError> {
        let schema = self.references.schemas[at];
        let Some(members) = self.tree.members_mut(schema) else {
            return Ok(());
        };
        let mut members = std::mem::take(members);
        self.drop_idle(&mut members);
        if self.forbidding == Forbidding::Goes {
            members.retain(|(keyword, value)| !forbids(self.tree, keyword, *value));
        }
        for (keyword, _) in &mut members {
            if matches!(&**keyword, "$dynamicRef" | "$recursiveRef") {
                *keyword = "$ref".into();
            }
        }
        self.rewrite_types(&members);
        self.rewrite_counts(&members);
        self.rewrite_bounds(&mut members, "minimum", "exclusiveMinimum");
        self.rewrite_bounds(&mut members, "maximum", "exclusiveMaximum");
        self.rewrite_items(&mut members)?;
        self.split_dependencies(schema, &mut members);
        let nullable = take(&mut members, "nullable");
        if nullable.is_some_and(|ix| *self.tree.get(ix) == Json::Bool(true)) {
            self.allow_null(schema, &mut members);
        }
        self.tree.set(schema, Json::Object(members));
        Ok(())
    }

    /// Takes out what has done its work (identifiers), what says nothing (an empty `allOf`), and
    /// notes of a type that the dialect does not allow there.
    fn drop_idle(&mut self, members: &mut Members) {
        let tree = &*self.tree;
        members.retain(|(keyword, value)| {
            let json = tree.get(*value);
            match &**keyword {
                "$schema" | "$id" | "$anchor" | "$dynamicAnchor" | "$recursiveAnchor"
                | "$vocabulary" => false,
                "id" => !matches!(json, Json::String(_)),
                "title" | "description" | "$comment" => matches!(json, Json::String(_)),
                "deprecated" | "readOnly" | "writeOnly" => matches!(json, Json::Bool(_)),
                "examples" => matches!(json, Json::Array(_)),
                "allOf" | "prefixItems" => !tree.items(*value).is_empty(),
                _ => true,
            }
        });
        for (keyword, value) in members {
            if keyword.is("required") {
                self.drop_repeated(*value);
            }
        }
    }

    fn drop_repeated(&mut self, list: NodeIx) {
        let mut items = self.tree.items(list).to_vec();
        let mut seen = HashSet::new();
        items.retain(|&item| self.tree.text(item).is_none_or(|text| seen.insert(text)));
        self.tree.set(list, Json::Array(items));
    }

    fn rewrite_types(&mut self, members: &Members) {
        let Some(types) = find(members, "type") else {
            return;
        };
        let names = match self.tree.get(types) {
            Json::Array(items) => items.clone(),
            _ => vec![types],
        };
        for name in names {
            if let Some(known) = self.tree.text(name).and_then(type_name) {
                self.tree.set(name, Json::String(known.into()));
            }
        }
        if let Json::Array(_) = self.tree.get(types) {
            self.drop_repeated(types);
        }
    }

    fn rewrite_counts(&mut self, members: &Members) {
        for (keyword, value) in members {
            if keyword.holds() == Some(Holds::Count)
                && let Some(count) = count(self.tree.get(*value))
            {
                let count = Word::number(&count.to_string());
                self.tree.set(*value, Json::Number(count));
            }
        }
    }

    /// Draft 4 says with a boolean that a bound is not itself allowed.
    fn rewrite_bounds(&mut self, members: &mut Members, bound: &str, exclusive: &str) {
        let Some(flag) = find(members, exclusive) else {
            return;
        };
        let Json::Bool(is_exclusive) = *self.tree.get(flag) else {
            return;
        };
        take(members, exclusive);
        if is_exclusive {
            rename(members, bound, exclusive);
        }
    }

    /// Before 2020-12 a list in `items` was what is `prefixItems` now.
    fn rewrite_items(&mut self, members: &mut Members) -> Result<(), SchemaError> {
        let Some(items) = find(members, "items") else {
            return Ok(());
        };
        let Json::Array(list) = self.tree.get(items) else {
            return Ok(());
        };
        if find(members, "prefixItems").is_some() {
            return Err(self
                .tree
                .error(items, "`items` is a list beside `prefixItems`"));
        }
        if list.is_empty() {
            take(members, "items");
        } else {
            rename(members, "items", "prefixItems");
        }
        rename(members, "additionalItems", "items");
        Ok(())
    }

    fn split_dependencies(&mut self, schema: NodeIx, members: &mut Members) {
        let Some(dependencies) = take(members, "dependencies") else {
            return;
        };
        let all = self.tree.members(dependencies).to_vec();
        let (names, schemas): (Members, Members) = all
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
            if find(members, keyword).is_none() {
                members.push((keyword.into(), object));
                continue;
            }
            // Said in both ways: both have to hold.
            let part = Json::Object(vec![(keyword.into(), object)]);
            let part = self.tree.insert_like(schema, part);
            self.references.schemas.push(part);
            self.push_to_list(schema, members, "allOf", part);
        }
    }

    fn push_to_list(&mut self, schema: NodeIx, members: &mut Members, key: &str, part: NodeIx) {
        match find(members, key) {
            Some(list) => {
                let mut items = self.tree.items(list).to_vec();
                items.push(part);
                self.tree.set(list, Json::Array(items));
            }
            None => {
                let list = self.tree.insert_like(schema, Json::Array(vec![part]));
                members.push((key.into(), list));
            }
        }
    }

    /// `nullable: true`: null is allowed beside what the rest allows.
    fn allow_null(&mut self, schema: NodeIx, members: &mut Members) {
        let has = |keyword: &str| find(members, keyword).is_some();
        let wraps = ["$ref", "allOf", "oneOf", "not", "if"].into_iter().any(has)
            || (has("anyOf") && ["enum", "const"].into_iter().any(has));
        if wraps {
            return self.wrap_in_union(schema, members);
        }
        if let Some(constant) = take(members, "const") {
            let list = self.tree.insert_like(constant, Json::Array(vec![constant]));
            members.push(("enum".into(), list));
        }
        if let Some(types) = find(members, "type") {
            self.add_null_type(types);
        }
        if let Some(values) = find(members, "enum") {
            let mut items = self.tree.items(values).to_vec();
            if !items.iter().any(|&item| *self.tree.get(item) == Json::Null) {
                items.push(self.tree.insert_like(values, Json::Null));
                self.tree.set(values, Json::Array(items));
            }
        }
        if let Some(branches) = find(members, "anyOf") {
            let null = self.insert_null_schema(schema);
            let mut items = self.tree.items(branches).to_vec();
            items.push(null);
            self.tree.set(branches, Json::Array(items));
        }
    }

    fn add_null_type(&mut self, types: NodeIx) {
        let mut names = match self.tree.get(types) {
            Json::Array(items) => items.clone(),
            single => {
                let single = single.clone();
                vec![self.tree.insert_like(types, single)]
            }
        };
        if !names
            .iter()
            .any(|&name| self.tree.text(name) == Some("null"))
        {
            names.push(self.tree.insert_like(types, Json::String("null".into())));
        }
        self.tree.set(types, Json::Array(names));
    }

    /// Makes the subschema the union of what it was and null. Notes and the default stay outside.
    fn wrap_in_union(&mut self, schema: NodeIx, members: &mut Members) {
        let (outside, inside): (Members, Members) =
            std::mem::take(members)
                .into_iter()
                .partition(|(keyword, _)| {
                    is_annotation(keyword) || matches!(&**keyword, "$defs" | "definitions")
                });
        let inner = self.tree.insert_like(schema, Json::Object(inside));
        self.references.schemas.push(inner);
        self.references.move_target(schema, inner);
        if let Some(mapping) = self.references.mappings.remove(&schema) {
            self.references.mappings.insert(inner, mapping);
        }
        let null = self.insert_null_schema(schema);
        let branches = self
            .tree
            .insert_like(schema, Json::Array(vec![inner, null]));
        *members = outside;
        members.push(("anyOf".into(), branches));
    }

    fn insert_null_schema(&mut self, like: NodeIx) -> NodeIx {
        let name = self.tree.insert_like(like, Json::String("null".into()));
        self.tree
            .insert_like(like, Json::Object(vec![("type".into(), name)]))
    }
}

/// Whether a keyword only describes, so that a subschema with nothing else asks for nothing.
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

pub(crate) fn find(members: &Members, keyword: &str) -> Option<NodeIx> {
    members
        .iter()
        .find(|(key, _)| key.is(keyword))
        .map(|&(_, value)| value)
}

fn take(members: &mut Members, keyword: &str) -> Option<NodeIx> {
    let at = members.iter().position(|(key, _)| key.is(keyword))?;
    Some(members.remove(at).1)
}

fn rename(members: &mut Members, from: &str, to: &str) {
    if members.iter().any(|(key, _)| key.is(from)) {
        take(members, to);
        if let Some((key, _)) = members.iter_mut().find(|(key, _)| key.is(from)) {
            *key = to.into();
        }
    }
}

/// Checks that what references lead to is still there, and that writing the references down takes
/// a bounded number of bytes.
fn check_references(tree: &Tree, references: &References) -> Result<(), SchemaError> {
    let mut bytes = 0;
    for &schema in &references.schemas {
        let Some(target) = references.target(schema) else {
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
    let message = format!(
        "the pointers to the parts of the schema take more than {} bytes",
        tree::POINTER_BYTES_MAX
    );
    SchemaError {
        pointer: String::new(),
        message,
    }
}

/// A pointer as the fragment of a URI.
fn fragment(pointer: &str) -> String {
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
    /// The name of a definition that a tag value stands for, if its mapping says so.
    pub(crate) fn mapping(&self, schema: NodeIx) -> &[(Box<str>, Mapped)] {
        self.mappings.get(&schema).map_or(&[], Vec::as_slice)
    }
}
