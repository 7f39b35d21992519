//! A schema as written: its values, its subschemas, and the targets of its references.
//!
//! All code that reads a schema for purposes other than validation uses this: rewriting for
//! providers, tool checks, field descriptions. Reference targets and keywords with subschemas are
//! therefore determined once, in `normal`, for that code and for validation.

use std::sync::OnceLock;

use llmjson_syntax::{Limits, Parser, ValueRef};

use crate::base::error::SchemaError;
use crate::base::schema_note::SchemaNote;
use crate::normal::given;
use crate::normal::reference::find_valid;
use crate::normal::tree::{Json, Tree};

pub use crate::normal::keyword::{Applies, Holds, applies, holds};
pub use crate::normal::tree::{NodeIx, ROOT};

/// A schema as written, which need not compile.
#[derive(Debug)]
pub struct Source {
    tree: Tree,
    sizes: OnceLock<Vec<u32>>,
}

/// A JSON value of a schema, whose children are given by their indices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Written<'s> {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number's text.
    Number(&'s str),
    /// A string.
    Text(&'s str),
    /// The items of an array.
    List(&'s [NodeIx]),
    /// An object; see [`Source::members`].
    Object,
}

/// Number of bytes of text that count as one value.
const BYTES_COUNTED: usize = 64;

impl Source {
    /// Reads a schema from JSON text. Text without a value is read as `null`.
    ///
    /// # Errors
    ///
    /// If the schema exceeds the limits of [`Schema::compile`](crate::Schema::compile).
    pub fn from_text(text: &str) -> Result<Self, SchemaError> {
        let limits = Limits::DEFAULT.with_input_bytes(u32::MAX - 1);
        let document = Parser::new().with_limits(limits).parse(text);
        match document.root() {
            Some(root) => Self::new(root),
            None => Ok(Self::of(Tree::from_value(&serde_json::Value::Null)?)),
        }
    }

    /// Reads a schema from a document.
    ///
    /// # Errors
    ///
    /// See [`from_text`](Self::from_text).
    pub fn new(root: ValueRef<'_>) -> Result<Self, SchemaError> {
        Tree::from_document(root).map(Self::of)
    }

    /// Reads a schema from a document, and also returns the value of each node.
    ///
    /// # Errors
    ///
    /// See [`from_text`](Self::from_text).
    pub fn with_values(root: ValueRef<'_>) -> Result<(Self, Vec<ValueRef<'_>>), SchemaError> {
        let source = Self::new(root)?;
        let mut values = vec![root; source.tree.len()];
        let mut open = vec![(ROOT, root)];
        while let Some((ix, value)) = open.pop() {
            values[ix as usize] = value;
            let items = source.items(ix).iter().copied().zip(value.items());
            open.extend(items);
            let members = source.members(ix).map(|(_, ix)| ix);
            open.extend(members.zip(value.members().map(|(_, value)| value)));
        }
        Ok((source, values))
    }

    fn of(mut tree: Tree) -> Self {
        tree.references = find_valid(&tree);
        Self {
            tree,
            sizes: OnceLock::new(),
        }
    }

    /// Returns all subschemas reached by keywords or references, each once: in text order, parents
    /// first, then those reached only by references.
    pub fn subschemas(&self) -> &[NodeIx] {
        self.tree.references.schemas()
    }

    /// Returns a note for each unknown keyword in a subschema.
    pub(crate) fn unknown_keywords(&self) -> Vec<SchemaNote> {
        given::unknown_keywords(&self.tree)
    }

    /// Returns the target of the reference in a subschema.
    pub fn target(&self, schema: NodeIx) -> Option<NodeIx> {
        self.tree.references.target(schema)
    }

    /// Returns the subschema that contains a subschema, and the keyword that holds it; `None` for
    /// the root and for subschemas reached only by references.
    pub fn holder(&self, schema: NodeIx) -> Option<(NodeIx, &str)> {
        let (parent, name) = self.tree.source_parent(schema)?;
        if let Some(keyword) = name
            && matches!(
                holds(keyword),
                Some(Holds::Schema | Holds::SchemaOrSchemas | Holds::Schemas)
            )
            && self.tree.references.is_schema(parent)
        {
            return Some((parent, keyword));
        }
        let (holder, keyword) = self.tree.source_parent(parent)?;
        let keyword = keyword.filter(|keyword| {
            let holds = holds(keyword);
            let is_list = matches!(holds, Some(Holds::Schemas | Holds::SchemaOrSchemas));
            let is_map = matches!(holds, Some(Holds::SchemaMap | Holds::Dependencies));
            if name.is_some() { is_map } else { is_list }
        })?;
        let is_schema = self.tree.references.is_schema(holder);
        is_schema.then_some((holder, keyword))
    }

    /// Returns the number of values.
    pub fn node_count(&self) -> usize {
        self.tree.len()
    }

    /// Returns a value.
    pub fn get(&self, ix: NodeIx) -> Written<'_> {
        match self.tree.get(ix) {
            Json::Null => Written::Null,
            Json::Bool(value) => Written::Bool(*value),
            Json::Number(text) => Written::Number(self.tree.at(*text)),
            Json::String(text) => Written::Text(self.tree.at(*text)),
            Json::Array(items) => Written::List(items),
            Json::Object(_) => Written::Object,
        }
    }

    /// Returns an object's members in order; empty for other values.
    pub fn members(&self, ix: NodeIx) -> impl ExactSizeIterator<Item = (&str, NodeIx)> + Clone {
        self.tree.members(ix)
    }

    /// Returns the first member with a key, by linear search.
    pub fn member(&self, ix: NodeIx, name: &str) -> Option<NodeIx> {
        self.tree.member(ix, name)
    }

    /// Returns the members of the object in a schema's keyword.
    pub fn members_in(
        &self,
        schema: NodeIx,
        keyword: &str,
    ) -> impl Iterator<Item = (&str, NodeIx)> + Clone {
        let value = self.member(schema, keyword).into_iter();
        value.flat_map(|value| self.members(value))
    }

    /// Returns the items of the array in a schema's keyword.
    pub fn items_in(&self, schema: NodeIx, keyword: &str) -> &[NodeIx] {
        let value = self.member(schema, keyword);
        value.map_or(&[], |value| self.items(value))
    }

    /// Returns the strings of the array in a schema's keyword.
    pub fn texts_in(&self, schema: NodeIx, keyword: &str) -> impl Iterator<Item = &str> {
        self.texts(self.items_in(schema, keyword))
    }

    /// Returns the strings among some values.
    pub fn texts(&self, values: &[NodeIx]) -> impl Iterator<Item = &str> {
        values.iter().filter_map(|value| self.text(*value))
    }

    /// Returns `true` if a schema's keyword is `true`.
    pub fn has_flag(&self, schema: NodeIx, keyword: &str) -> bool {
        let flag = self.member(schema, keyword);
        flag.is_some_and(|flag| self.is_true(flag))
    }

    /// Returns the items of an array; empty for other values.
    pub fn items(&self, ix: NodeIx) -> &[NodeIx] {
        self.tree.items(ix)
    }

    /// Returns a string's text.
    pub fn text(&self, ix: NodeIx) -> Option<&str> {
        self.tree.text(ix)
    }

    /// Returns a number's text.
    pub fn number(&self, ix: NodeIx) -> Option<&str> {
        self.tree.number(ix)
    }

    /// Returns `true` if a value is `true`.
    pub fn is_true(&self, ix: NodeIx) -> bool {
        *self.tree.get(ix) == Json::Bool(true)
    }

    /// Returns `true` if a value is `false`.
    pub fn is_false(&self, ix: NodeIx) -> bool {
        *self.tree.get(ix) == Json::Bool(false)
    }

    /// Returns the value that contains a value, or `None` for the root.
    pub fn parent(&self, ix: NodeIx) -> Option<NodeIx> {
        self.tree.source_parent(ix).map(|(parent, _)| parent)
    }

    /// Returns the JSON Pointer to a value.
    pub fn pointer(&self, ix: NodeIx) -> String {
        self.tree.source_pointer(ix)
    }

    /// Returns an upper bound on the length of a value's JSON Pointer, in bytes.
    pub fn pointer_bytes(&self, ix: NodeIx) -> usize {
        self.tree.pointer_bytes(ix)
    }

    /// Returns the approximate size of a value: one, plus one for every 64 bytes of its text, plus
    /// the sizes of its children.
    pub fn size(&self, ix: NodeIx) -> usize {
        self.sizes.get_or_init(|| self.measured())[ix as usize] as usize
    }

    /// Returns the sizes of all values. Children have higher indices than their parents.
    fn measured(&self) -> Vec<u32> {
        let mut sizes = vec![1u32; self.tree.len()];
        for ix in (0..self.tree.len()).rev() {
            let node = ix as NodeIx;
            let own = match self.get(node) {
                Written::Number(text) | Written::Text(text) => text.len() / BYTES_COUNTED,
                Written::Object => {
                    let names = self.members(node);
                    names.map(|(name, _)| name.len() / BYTES_COUNTED).sum()
                }
                _ => 0,
            };
            sizes[ix] = sizes[ix].saturating_add(own as u32);
            if let Some(parent) = self.parent(node) {
                let size = sizes[ix];
                let sum = &mut sizes[parent as usize];
                *sum = sum.saturating_add(size);
            }
        }
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointers(source: &Source) -> Vec<String> {
        let schemas = source.subschemas().iter();
        schemas.map(|schema| source.pointer(*schema)).collect()
    }

    #[test]
    fn subschemas_are_found_in_the_order_of_the_text() {
        let source = Source::from_text(
            r##"{"properties": {"a/b": {"items": {"$ref": "#/x/0"}}, "items": {"anyOf": [true, {"not": {}}]}},
                "x": [{"properties": {"d": {}}}], "enum": [{"properties": {"no": {}}}], "$defs": {"e": {}}}"##,
        )
        .expect("a schema");
        let found = pointers(&source);
        assert_eq!(
            found,
            [
                "",
                "/properties/a~1b",
                "/properties/a~1b/items",
                "/properties/items",
                "/properties/items/anyOf/0",
                "/properties/items/anyOf/1",
                "/properties/items/anyOf/1/not",
                "/$defs/e",
                "/x/0",
                "/x/0/properties/d",
            ]
        );
        let holders: Vec<_> = (source.subschemas().iter())
            .map(|schema| source.holder(*schema))
            .map(|holder| holder.map_or("".to_owned(), |(at, by)| source.pointer(at) + " by " + by))
            .collect();
        assert_eq!(
            holders,
            [
                "",
                " by properties",
                "/properties/a~1b by items",
                " by properties",
                "/properties/items by anyOf",
                "/properties/items by anyOf",
                "/properties/items/anyOf/1 by not",
                " by $defs",
                "",
                "/x/0 by properties",
            ]
        );
    }

    #[test]
    fn references_lead_where_validation_follows_them() {
        let text = r##"{"properties": {
                "a": {"$ref": "#/$defs/a%20b"}, "b": {"$ref": "#anchor"}, "c": {"$ref": "other"},
                "d": {"$dynamicRef": "#d"}, "e": {"contentSchema": {"$ref": "#"}}},
            "$id": "https://example.com/root",
            "$defs": {"a b": {"type": "null"}, "x": {"$anchor": "anchor"}, "y": {"$id": "other"},
                "z": {"$dynamicAnchor": "d"}}}"##;
        assert!(crate::Schema::from_text(text).is_ok());
        let source = Source::from_text(text).expect("a schema");
        let targets: Vec<_> = (source.subschemas().iter())
            .filter_map(|schema| source.target(*schema))
            .map(|target| source.pointer(target))
            .collect();
        assert_eq!(
            targets,
            ["/$defs/a b", "/$defs/x", "/$defs/y", "/$defs/z", ""]
        );
    }

    #[test]
    fn what_does_not_compile_is_passed_over() {
        let text = r##"{"$schema": "none", "properties": {"a": 3, "b": {"items": [1, {}]}, "c": {"$ref": "#/no"},
            "d": {"$ref": 1, "$dynamicRef": "#"}}, "anyOf": {"not": []}, "required": 4}"##;
        assert!(crate::Schema::from_text(text).is_err());
        let source = Source::from_text(text).expect("a schema");
        let expected = [
            "",
            "/properties/b",
            "/properties/b/items/1",
            "/properties/c",
            "/properties/d",
            "/anyOf",
        ];
        assert_eq!(pointers(&source), expected);
        assert!(Source::from_text("").is_ok());
    }
}
