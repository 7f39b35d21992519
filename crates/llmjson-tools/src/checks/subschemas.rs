//! The subschemas of a schema, with their pointers and references.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use llmjson_syntax::{Kind, NodeId, ValueRef};

use llmjson_reply::pointer::{Pointers, decoded, escaped};

/// A schema and its subschemas, each once, parents first.
pub(crate) struct Subschemas<'s> {
    root: ValueRef<'s>,
    subschemas: Vec<Subschema<'s>>,
    by_node: HashMap<NodeId, usize>,
    pointers: Pointers<'s>,
    /// The subschemas with a reference.
    references: Vec<usize>,
    /// Their targets, if those are within this schema.
    targets: HashMap<usize, NodeId>,
}

/// A subschema, and where it is.
pub(super) struct Subschema<'s> {
    pub(super) schema: ValueRef<'s>,
    parent: usize,
    keyword: Cow<'s, str>,
    name: Option<Cow<'s, str>>,
    /// How the keyword that holds it applies it.
    pub(super) applicator: Applicator,
    /// The first of the subschemas that apply to the same value.
    pub(super) head: usize,
    /// Whether it is within `not` or `if`.
    pub(super) is_conditional: bool,
}

/// How a keyword applies its subschemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Applicator {
    /// To the same value: `allOf` and the like.
    InPlace,
    /// To the same value, which need not satisfy it: `not`, `if`.
    Condition,
    /// To a child of the value: `properties`, `items`.
    Child,
    /// Only by reference: `$defs`.
    Definition,
}

/// How the value of a keyword holds subschemas.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The value itself, or its items.
    Schemas,
    /// Its members.
    Map,
}

const fn keyword(name: &str) -> Option<(Form, Applicator)> {
    // A `const fn` cannot match on a `str`.
    Some(match name.as_bytes() {
        b"properties" | b"patternProperties" => (Form::Map, Applicator::Child),
        b"$defs" | b"definitions" => (Form::Map, Applicator::Definition),
        b"dependentSchemas" | b"dependencies" => (Form::Map, Applicator::InPlace),
        b"allOf" | b"anyOf" | b"oneOf" | b"then" | b"else" => (Form::Schemas, Applicator::InPlace),
        b"not" | b"if" => (Form::Schemas, Applicator::Condition),
        b"items" | b"prefixItems" | b"additionalItems" | b"additionalProperties" => {
            (Form::Schemas, Applicator::Child)
        }
        b"propertyNames" | b"contains" | b"contentSchema" => (Form::Schemas, Applicator::Child),
        b"unevaluatedItems" | b"unevaluatedProperties" => (Form::Schemas, Applicator::Child),
        _ => return None,
    })
}

impl<'s> Subschemas<'s> {
    pub(crate) fn of(root: ValueRef<'s>) -> Self {
        let mut subschemas = Self {
            root,
            subschemas: Vec::new(),
            by_node: HashMap::new(),
            pointers: Pointers::default(),
            references: Vec::new(),
            targets: HashMap::new(),
        };
        let first = Subschema {
            schema: root,
            parent: 0,
            keyword: Cow::Borrowed(""),
            name: None,
            applicator: Applicator::Child,
            head: 0,
            is_conditional: false,
        };
        subschemas.walk(first);
        let mut followed = 0;
        // The target of a reference may be within an unknown keyword.
        while let Some(&at) = subschemas.references.get(followed) {
            if let Some(target) = subschemas.follow(at) {
                subschemas.targets.insert(at, target.schema.id());
                subschemas.walk(target);
            }
            followed += 1;
        }
        subschemas
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &Subschema<'s>)> {
        self.subschemas.iter().enumerate()
    }

    pub(super) fn get(&self, at: usize) -> &Subschema<'s> {
        &self.subschemas[at]
    }

    /// Returns the subschemas with a reference.
    pub(super) fn references(&self) -> impl Iterator<Item = usize> {
        self.references.iter().copied()
    }

    /// Returns the target of the reference in a subschema, if it is within the schema.
    pub(super) fn target(&self, at: usize) -> Option<usize> {
        self.at_node(*self.targets.get(&at)?)
    }

    pub(super) fn at_node(&self, node: NodeId) -> Option<usize> {
        self.by_node.get(&node).copied()
    }

    pub(super) fn pointer(&self, mut at: usize) -> String {
        let mut steps = Vec::new();
        while at != 0 {
            let subschema = &self.subschemas[at];
            steps.extend(subschema.name.as_deref());
            match &*subschema.keyword {
                // It was found by a reference, and this is its whole pointer.
                whole if whole.starts_with('/') => {
                    let steps = steps.iter().rev().map(|step| escaped(step));
                    return whole.to_owned() + &steps.collect::<String>();
                }
                keyword => steps.push(keyword),
            }
            at = subschema.parent;
        }
        steps.iter().rev().map(|step| escaped(step)).collect()
    }

    /// Returns the properties of the root, including those behind `allOf`, unions and references.
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

    fn walk(&mut self, first: Subschema<'s>) {
        let mut open = vec![first];
        while let Some(mut subschema) = open.pop() {
            let at = self.subschemas.len();
            if self.by_node.contains_key(&subschema.schema.id()) {
                continue;
            }
            if matches!(
                subschema.applicator,
                Applicator::Child | Applicator::Definition
            ) {
                subschema.head = at;
            }
            self.by_node.insert(subschema.schema.id(), at);
            let (schema, head) = (subschema.schema, subschema.head);
            let is_conditional = subschema.is_conditional;
            self.subschemas.push(subschema);
            let begin = open.len();
            for (name, value) in schema.members() {
                if name == "$ref" {
                    self.references.push(at);
                }
                let Some((form, applicator)) = keyword(&name) else {
                    continue;
                };
                let mut push = |schema: ValueRef<'s>, step: Option<Cow<'s, str>>| {
                    if matches!(schema.kind(), Kind::Object | Kind::Bool) {
                        let of_condition = applicator == Applicator::Condition;
                        open.push(Subschema {
                            schema,
                            parent: at,
                            keyword: name.clone(),
                            name: step,
                            applicator,
                            head,
                            is_conditional: of_condition
                                || is_conditional && applicator != Applicator::Definition,
                        });
                    }
                };
                match (form, value.kind()) {
                    (Form::Map, _) => {
                        (value.members()).for_each(|(name, schema)| push(schema, Some(name)));
                    }
                    (Form::Schemas, Kind::Array) => {
                        let items = (0..).zip(value.items());
                        items.for_each(|(at, item): (u32, _)| {
                            push(item, Some(at.to_string().into()));
                        });
                    }
                    (Form::Schemas, _) => push(value, None),
                }
            }
            // The stack is popped from the end.
            open[begin..].reverse();
        }
    }

    /// Returns the target of the reference in a subschema, if it is a pointer within the schema.
    fn follow(&mut self, at: usize) -> Option<Subschema<'s>> {
        let reference = self.subschemas[at].schema.get("$ref")?.as_str()?;
        let pointer = decoded(reference.strip_prefix('#')?);
        let schema = self.resolve(&pointer)?;
        Some(Subschema {
            schema,
            parent: 0,
            keyword: pointer.into(),
            name: None,
            applicator: Applicator::Definition,
            head: 0,
            is_conditional: false,
        })
    }

    fn resolve(&mut self, pointer: &str) -> Option<ValueRef<'s>> {
        self.pointers.find(self.root, pointer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_has_a_pointer() {
        let text = r##"{
            "properties": {"a/b": {"items": {"$ref": "#/x/0"}}, "c": {"anyOf": [true, {"not": {}}]}},
            "x": [{"properties": {"d": {}}}],
            "enum": [{"properties": {"no": {}}}],
            "$defs": {"e": {}}
        }"##;
        let document = llmjson_syntax::parse(text);
        let subschemas = Subschemas::of(document.root().expect("there is a value"));
        let pointers: Vec<_> = subschemas
            .iter()
            .map(|(at, _)| subschemas.pointer(at))
            .collect();
        assert_eq!(
            pointers,
            [
                "",
                "/properties/a~1b",
                "/properties/a~1b/items",
                "/properties/c",
                "/properties/c/anyOf/0",
                "/properties/c/anyOf/1",
                "/properties/c/anyOf/1/not",
                "/$defs/e",
                "/x/0",
                "/x/0/properties/d",
            ]
        );
        let heads: Vec<_> = subschemas
            .iter()
            .map(|(_, subschema)| subschema.head)
            .collect();
        assert_eq!(heads, [0, 1, 2, 3, 3, 3, 3, 7, 8, 9]);
    }
}
