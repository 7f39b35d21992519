//! A schema's subschemas, and how they apply to values.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use llmjson_schema::internal::source::{Applies, NodeIx, Source, applies};
use llmjson_syntax::{NodeId, ValueRef};

/// A schema and its subschemas, each once, parents first.
pub(crate) struct Subschemas<'s> {
    source: Source,
    subschemas: Vec<Subschema<'s>>,
    by_node: HashMap<NodeId, usize>,
    /// The indices of subschemas, by their nodes.
    places: HashMap<NodeIx, usize>,
}

/// A subschema with its context.
pub(super) struct Subschema<'s> {
    pub(super) schema: ValueRef<'s>,
    node: NodeIx,
    /// The value to which the enclosing keyword applies it.
    pub(super) applies: Applies,
    /// The first of the subschemas that apply to the same value.
    pub(super) head: usize,
    /// `true` if it is within `not` or `if`.
    pub(super) is_conditional: bool,
}

impl<'s> Subschemas<'s> {
    /// Returns the subschemas of a schema; `None` if it is not a schema or exceeds the schema
    /// limits, both of which compiling reports.
    pub(crate) fn of(root: ValueRef<'s>) -> Option<Self> {
        let (source, values) = Source::with_values(root).ok()?;
        let mut subschemas = Self {
            source,
            subschemas: Vec::new(),
            by_node: HashMap::new(),
            places: HashMap::new(),
        };
        for at in 0..subschemas.source.subschemas().len() {
            let node = subschemas.source.subschemas()[at];
            let schema = values[node as usize];
            let subschema = subschemas.placed(at, node, schema);
            subschemas.by_node.insert(schema.id(), at);
            subschemas.places.insert(node, at);
            subschemas.subschemas.push(subschema);
        }
        (!subschemas.subschemas.is_empty()).then_some(subschemas)
    }

    /// Returns a subschema with the properties of its parent, which precedes it.
    fn placed(&self, at: usize, node: NodeIx, schema: ValueRef<'s>) -> Subschema<'s> {
        let holder = self.source.holder(node);
        let holder = holder.and_then(|(holder, keyword)| {
            let holder = &self.subschemas[*self.places.get(&holder)?];
            Some((holder, applies(keyword)?))
        });
        let (applies, around) = match holder {
            Some((holder, applies)) => (applies, Some(holder)),
            None => (Applies::Definition, None),
        };
        let is_in_place = matches!(applies, Applies::InPlace | Applies::Condition);
        Subschema {
            schema,
            node,
            applies,
            head: around.filter(|_| is_in_place).map_or(at, |one| one.head),
            is_conditional: applies == Applies::Condition
                || applies != Applies::Definition && around.is_some_and(|one| one.is_conditional),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &Subschema<'s>)> {
        self.subschemas.iter().enumerate()
    }

    pub(super) fn get(&self, at: usize) -> &Subschema<'s> {
        &self.subschemas[at]
    }

    /// Returns the subschemas with a reference.
    pub(super) fn references(&self) -> impl Iterator<Item = usize> {
        let all = self.iter();
        let references = all.filter(|(_, one)| one.schema.get("$ref").is_some());
        references.map(|(at, _)| at)
    }

    /// Returns the target of the reference in a subschema, if it is within the schema.
    pub(super) fn target(&self, at: usize) -> Option<usize> {
        let target = self.source.target(self.subschemas[at].node)?;
        self.places.get(&target).copied()
    }

    pub(super) fn at_node(&self, node: NodeId) -> Option<usize> {
        self.by_node.get(&node).copied()
    }

    pub(super) fn pointer(&self, at: usize) -> String {
        self.source.pointer(self.subschemas[at].node)
    }

    /// Returns the properties of the root, including those in `allOf`, unions and references.
    pub(crate) fn members_at_root(&self) -> Vec<(Cow<'s, str>, ValueRef<'s>)> {
        let mut members = Vec::new();
        let mut seen = HashSet::new();
        let mut heads = vec![0];
        let mut by_head: HashMap<usize, Vec<usize>> = HashMap::new();
        for (at, subschema) in self.iter() {
            by_head.entry(subschema.head).or_default().push(at);
        }
        while let Some(head) = heads.pop() {
            if !seen.insert(head) {
                continue;
            }
            for at in by_head.get(&head).into_iter().flatten() {
                let subschema = &self.subschemas[*at];
                if subschema.is_conditional {
                    continue;
                }
                let properties = subschema.schema.get("properties");
                members.extend(properties.into_iter().flat_map(ValueRef::members));
                heads.extend(self.target(*at).map(|target| self.subschemas[target].head));
            }
        }
        members
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subschemas_for_one_value_have_one_head() {
        let text = r##"{
            "properties": {"a/b": {"items": {"$ref": "#/x/0"}}, "c": {"anyOf": [true, {"not": {}}]}},
            "x": [{"properties": {"d": {}}}],
            "enum": [{"properties": {"no": {}}}],
            "$defs": {"e": {}}
        }"##;
        let document = llmjson_syntax::parse(text);
        let root = document.root().expect("there is a value");
        let subschemas = Subschemas::of(root).expect("a small schema");
        let heads: Vec<_> = subschemas
            .iter()
            .map(|(_, subschema)| subschema.head)
            .collect();
        assert_eq!(heads, [0, 1, 2, 3, 3, 3, 3, 7, 8, 9]);
        let conditional = subschemas.iter().filter(|(_, one)| one.is_conditional);
        let pointers: Vec<_> = conditional.map(|(at, _)| subschemas.pointer(at)).collect();
        assert_eq!(pointers, ["/properties/c/anyOf/1/not"]);
        assert_eq!(subschemas.target(2), Some(8));
    }
}
