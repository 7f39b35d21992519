//! Every place of a schema at which a schema stands, and how one comes there.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use llmjson_syntax::{Kind, NodeId, ValueRef};

/// Containers with more parts than this are looked up by a table.
const TABLE_FROM: usize = 16;

/// The schemas within a schema, each once, a schema before those within it.
pub(crate) struct Places<'s> {
    root: ValueRef<'s>,
    places: Vec<Place<'s>>,
    by_node: HashMap<NodeId, usize>,
    pointers: Pointers<'s>,
    /// Places with references.
    references: Vec<usize>,
    /// Where they lead, if that is a pointer within this schema.
    targets: HashMap<usize, NodeId>,
}

/// A place at which a schema stands.
pub(super) struct Place<'s> {
    pub(super) schema: ValueRef<'s>,
    parent: usize,
    keyword: Cow<'s, str>,
    name: Option<Cow<'s, str>>,
    /// What it says something about.
    pub(super) about: About,
    /// The first of the schemas that say something about the same value.
    pub(super) head: usize,
    /// Whether it says what must not be, or what only may be asked.
    pub(super) is_conditional: bool,
}

/// What a schema within another one says something about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// The same value: `allOf` and the like.
    Same,
    /// The same value, unless it is not so: `not`, `if`.
    Condition,
    /// A part of the value: `properties`, `items`.
    Part,
    /// Whatever refers to it: `$defs`.
    Definition,
}

/// Where schemas stand within the value of a keyword.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The value itself, or its items.
    Schemas,
    /// Its members.
    Map,
}

const fn keyword(name: &str) -> Option<(Form, About)> {
    // `match` on a `str` is no constant expression.
    Some(match name.as_bytes() {
        b"properties" | b"patternProperties" => (Form::Map, About::Part),
        b"$defs" | b"definitions" => (Form::Map, About::Definition),
        b"dependentSchemas" | b"dependencies" => (Form::Map, About::Same),
        b"allOf" | b"anyOf" | b"oneOf" | b"then" | b"else" => (Form::Schemas, About::Same),
        b"not" | b"if" => (Form::Schemas, About::Condition),
        b"items" | b"prefixItems" | b"additionalItems" | b"additionalProperties" => {
            (Form::Schemas, About::Part)
        }
        b"propertyNames" | b"contains" | b"contentSchema" => (Form::Schemas, About::Part),
        b"unevaluatedItems" | b"unevaluatedProperties" => (Form::Schemas, About::Part),
        _ => return None,
    })
}

impl<'s> Places<'s> {
    /// Goes through a whole schema once.
    pub(crate) fn of(root: ValueRef<'s>) -> Self {
        let mut places = Self {
            root,
            places: Vec::new(),
            by_node: HashMap::new(),
            pointers: Pointers::default(),
            references: Vec::new(),
            targets: HashMap::new(),
        };
        let first = Place {
            schema: root,
            parent: 0,
            keyword: Cow::Borrowed(""),
            name: None,
            about: About::Part,
            head: 0,
            is_conditional: false,
        };
        places.walk(first);
        let mut followed = 0;
        // A reference may lead to a place to which no keyword leads.
        while let Some(&at) = places.references.get(followed) {
            if let Some(target) = places.follow(at) {
                places.targets.insert(at, target.schema.id());
                places.walk(target);
            }
            followed += 1;
        }
        places
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &Place<'s>)> {
        self.places.iter().enumerate()
    }

    pub(super) fn get(&self, at: usize) -> &Place<'s> {
        &self.places[at]
    }

    /// The places with references.
    pub(super) fn references(&self) -> impl Iterator<Item = usize> {
        self.references.iter().copied()
    }

    /// Where the reference of a place leads, if that is a pointer within the schema.
    pub(super) fn target(&self, at: usize) -> Option<usize> {
        self.at_node(*self.targets.get(&at)?)
    }

    /// Where a schema stands.
    pub(super) fn at_node(&self, node: NodeId) -> Option<usize> {
        self.by_node.get(&node).copied()
    }

    /// JSON Pointer to a place.
    pub(super) fn pointer(&self, mut at: usize) -> String {
        let mut steps = Vec::new();
        while at != 0 {
            let place = &self.places[at];
            steps.extend(place.name.as_deref());
            match &*place.keyword {
                // It was reached by a reference, and this is its whole pointer.
                whole if whole.starts_with('/') => {
                    let steps = steps.iter().rev().map(|step| escaped(step));
                    return whole.to_owned() + &steps.collect::<String>();
                }
                keyword => steps.push(keyword),
            }
            at = place.parent;
        }
        steps.iter().rev().map(|step| escaped(step)).collect()
    }

    /// The members that the schemas about the root declare, also behind references.
    pub(crate) fn members_at_root(&self) -> Vec<(Cow<'s, str>, ValueRef<'s>)> {
        let mut members = Vec::new();
        let mut seen = HashSet::new();
        let mut heads = vec![0];
        let mut by_head: HashMap<usize, Vec<usize>> = HashMap::new();
        for (at, place) in self.iter() {
            by_head.entry(place.head).or_default().push(at);
        }
        while let Some(head) = heads.pop() {
            if !seen.insert(head) {
                continue;
            }
            for at in by_head.get(&head).into_iter().flatten() {
                let place = &self.places[*at];
                if place.is_conditional {
                    continue;
                }
                let properties = place.schema.get("properties");
                members.extend(properties.into_iter().flat_map(ValueRef::members));
                heads.extend(self.target(*at).map(|target| self.places[target].head));
            }
        }
        members
    }

    fn walk(&mut self, first: Place<'s>) {
        let mut open = vec![first];
        while let Some(mut place) = open.pop() {
            let at = self.places.len();
            if self.by_node.contains_key(&place.schema.id()) {
                continue;
            }
            if matches!(place.about, About::Part | About::Definition) {
                place.head = at;
            }
            self.by_node.insert(place.schema.id(), at);
            let (schema, head) = (place.schema, place.head);
            let is_conditional = place.is_conditional;
            self.places.push(place);
            let begin = open.len();
            for (name, value) in schema.members() {
                if name == "$ref" {
                    self.references.push(at);
                }
                let Some((form, about)) = keyword(&name) else {
                    continue;
                };
                let mut push = |schema: ValueRef<'s>, step: Option<Cow<'s, str>>| {
                    if matches!(schema.kind(), Kind::Object | Kind::Bool) {
                        let of_condition = about == About::Condition;
                        open.push(Place {
                            schema,
                            parent: at,
                            keyword: name.clone(),
                            name: step,
                            about,
                            head,
                            is_conditional: of_condition
                                || is_conditional && about != About::Definition,
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
            // The last one is taken first; reading order is wanted.
            open[begin..].reverse();
        }
    }

    /// The place to which the reference of another one leads, as far as it stays within the schema
    /// and is a pointer.
    fn follow(&mut self, at: usize) -> Option<Place<'s>> {
        let reference = self.places[at].schema.get("$ref")?.as_str()?;
        let pointer = decoded(reference.strip_prefix('#')?);
        let schema = self.resolve(&pointer)?;
        Some(Place {
            schema,
            parent: 0,
            keyword: pointer.into(),
            name: None,
            about: About::Definition,
            head: 0,
            is_conditional: false,
        })
    }

    fn resolve(&mut self, pointer: &str) -> Option<ValueRef<'s>> {
        self.pointers.find(self.root, pointer)
    }
}

/// Looks up JSON Pointers, in time that does not grow with what lies beside the way.
#[derive(Default)]
pub(crate) struct Pointers<'s> {
    tables: HashMap<NodeId, HashMap<Cow<'s, str>, ValueRef<'s>>>,
}

impl<'s> Pointers<'s> {
    pub(crate) fn find(&mut self, root: ValueRef<'s>, pointer: &str) -> Option<ValueRef<'s>> {
        if pointer.is_empty() {
            return Some(root);
        }
        let mut value = root;
        for step in pointer.strip_prefix('/')?.split('/') {
            let step = step.replace("~1", "/").replace("~0", "~");
            value = if value.len() > TABLE_FROM {
                let table = self.tables.entry(value.id());
                *table.or_insert_with(|| parts(value)).get(step.as_str())?
            } else if value.kind() == Kind::Array {
                value.item(step.parse().ok()?)?
            } else {
                value.get(&step)?
            };
        }
        Some(value)
    }
}

fn parts<'s>(value: ValueRef<'s>) -> HashMap<Cow<'s, str>, ValueRef<'s>> {
    let items = (0u32..).zip(value.items());
    let items = items.map(|(at, item)| (Cow::Owned(at.to_string()), item));
    items.chain(value.members()).collect()
}

/// A step of a JSON Pointer.
pub(super) fn escaped(step: &str) -> String {
    format!("/{}", step.replace('~', "~0").replace('/', "~1"))
}

/// A fragment of a URI as its text; what cannot be decoded stays.
fn decoded(fragment: &str) -> String {
    if !fragment.contains('%') {
        return fragment.to_owned();
    }
    let mut out = Vec::new();
    let mut rest = fragment.as_bytes();
    while let [first, others @ ..] = rest {
        let digits = others.get(..2).filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                rest = &others[2..];
            }
            None => {
                out.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| fragment.to_owned())
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
        let places = Places::of(document.root().expect("there is a value"));
        let pointers: Vec<_> = places.iter().map(|(at, _)| places.pointer(at)).collect();
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
        let heads: Vec<_> = places.iter().map(|(_, place)| place.head).collect();
        assert_eq!(heads, [0, 1, 2, 3, 3, 3, 3, 7, 8, 9]);
    }
}
