//! Tags of unions: a member with a distinct value in every branch, declared by a discriminator or
//! inferred from constants.

use std::collections::{HashMap, HashSet};

use super::Compiler;
use super::fold::text_size;
use crate::ir::shape::{Shape, ShapeId, Tag, Types};
use crate::normal::reference::Mapped;
use crate::normal::tree::{NodeIx, Tree};

/// The members whose values tell branches apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Required,
    Any,
}

/// Number of members of the first branch that are tried as a tag.
const CANDIDATES_MAX: usize = 64;
/// Depth to which a branch is looked into for its tag, through unions and parts.
const LOOK_DEPTH: u32 = 8;

/// A discriminator next to a union.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    property: Box<str>,
    mapping: Vec<(Box<str>, Mapped)>,
}

impl Declared {
    /// The discriminator of a subschema, which OpenAPI calls `discriminator` and typia
    /// `x-discriminator`. Errors in one are skipped.
    pub(super) fn read(tree: &Tree, node: NodeIx) -> Option<Self> {
        ["x-discriminator", "discriminator"]
            .iter()
            .find_map(|keyword| {
                let declared = tree.member(node, keyword)?;
                let property = match tree.text(declared) {
                    Some(name) => name,
                    None => tree.text(tree.member(declared, "propertyName")?)?,
                };
                let mapping = tree.references.mapping(node).to_vec();
                Some(Self {
                    property: property.into(),
                    mapping,
                })
            })
    }
}

impl Compiler<'_> {
    pub(super) fn find_tags(&mut self) {
        for at in 0..self.shapes.len() {
            let id = ShapeId(u32::try_from(at).expect("shapes are counted in 32 bits"));
            let Some(union) = &self.get(id).union else {
                continue;
            };
            if union.tag.is_some() {
                continue;
            }
            let tag = match self.declared.get(&id) {
                Some(declared) => self.declared_tag(&union.branches, declared),
                None => self.inferred_tag(&union.branches),
            };
            if let Some(union) = &mut self.get_mut(id).union {
                union.tag = tag;
            }
        }
    }

    /// Tag values by the mapping, else by the branch's own constants, else by its name.
    fn declared_tag(&self, branches: &[ShapeId], declared: &Declared) -> Option<Tag> {
        let mapped = declared.mapping.iter().map(|(value, _)| text_size(value));
        if !self.affords(mapped.sum()) {
            return None;
        }
        let mut tagged: Vec<(Box<str>, u32)> = Vec::new();
        let mut mapped = HashSet::new();
        let mut places: HashMap<ShapeId, u32> = HashMap::new();
        let mut names: HashMap<&str, u32> = HashMap::new();
        for (at, &branch) in (0u32..).zip(branches) {
            places.entry(branch).or_insert(at);
            if let Some(name) = &self.get(branch).name {
                names.entry(name).or_insert(at);
            }
        }
        for (value, to) in &declared.mapping {
            let found = match to {
                Mapped::Schema(node) => {
                    let end = self.aliases[*node as usize].unwrap_or(*node);
                    self.known[end as usize].and_then(|shape| places.get(&shape))
                }
                Mapped::Name(name) => {
                    // Mappings of OpenAPI name a schema, or a file with it: `Cat`, `models/Cat.json`.
                    let file = name
                        .rsplit('/')
                        .next()
                        .and_then(|file| file.split('.').next());
                    names.get(&**name).or_else(|| names.get(file?))
                }
            };
            if let Some(&at) = found {
                tagged.push((value.clone(), at));
                mapped.insert(at);
            }
        }
        for (at, &branch) in (0u32..).zip(branches) {
            let shape = self.get(branch);
            if mapped.contains(&at) || !shape.types.meets(Types::OBJECT) {
                continue;
            }
            let mut values = Vec::new();
            if !self.tag_values(
                branch,
                &declared.property,
                Presence::Any,
                LOOK_DEPTH,
                &mut values,
            ) {
                values = shape.name.as_deref().into_iter().collect();
            }
            tagged.extend(values.into_iter().map(|value| (value.into(), at)));
        }
        // If two branches have the same value, the mapping's takes precedence, otherwise the first
        // in schema order.
        let mut seen = HashSet::new();
        tagged.retain(|(value, _)| seen.insert(value.clone()));
        let property = declared.property.clone();
        (!tagged.is_empty()).then(|| Tag::declared(property, tagged))
    }

    /// A member that every object branch requires, with strings that no other branch has.
    fn inferred_tag(&self, branches: &[ShapeId]) -> Option<Tag> {
        let objects: Vec<(u32, ShapeId)> = (0u32..)
            .zip(branches.iter().copied())
            .filter(|&(_, branch)| self.get(branch).types.meets(Types::OBJECT))
            .collect();
        // A single branch needs no tag: its type tells it.
        let &[(_, first), _, ..] = &objects[..] else {
            return None;
        };
        let mut candidates = Vec::new();
        self.required_names(first, LOOK_DEPTH, &mut candidates);
        candidates.iter().take(CANDIDATES_MAX).find_map(|property| {
            let mut tagged: Vec<(Box<str>, u32)> = Vec::new();
            let mut seen = HashSet::new();
            for &(at, branch) in &objects {
                let mut values = Vec::new();
                if !self.tag_values(
                    branch,
                    property,
                    Presence::Required,
                    LOOK_DEPTH,
                    &mut values,
                ) {
                    return None;
                }
                // A value may occur twice inside one branch, but not in two branches.
                let mut own = HashSet::new();
                values.retain(|value| own.insert(*value));
                if !values.iter().all(|value| seen.insert(*value)) {
                    return None;
                }
                tagged.extend(values.into_iter().map(|value| (value.into(), at)));
            }
            Some(Tag::inferred((*property).into(), tagged))
        })
    }

    fn required_names<'c>(&'c self, id: ShapeId, depth: u32, names: &mut Vec<&'c str>) {
        if names.len() >= CANDIDATES_MAX || depth == 0 || !self.affords(1) {
            return;
        }
        let shape = self.get(id);
        if let Some(rules) = &shape.object {
            let required = rules.lacks(|_| false).take(CANDIDATES_MAX);
            names.extend(required.map(|at| &*rules.properties[at].name));
        }
        for &inner in shape.also.iter().chain(shape.branches().first()) {
            self.required_names(inner, depth - 1, names);
        }
    }

    /// Collects the strings that a member may be in a shape. False if they are not all known.
    fn tag_values<'c>(
        &'c self,
        id: ShapeId,
        property: &str,
        presence: Presence,
        depth: u32,
        values: &mut Vec<&'c str>,
    ) -> bool {
        if depth == 0 || !self.affords(1) {
            return false;
        }
        let shape = self.get(id);
        if let Some(found) = own_tag_values(self, shape, property, presence) {
            let affords = self.affords(found.len());
            values.extend(found);
            return affords;
        }
        if shape
            .also
            .iter()
            .any(|&part| self.tag_values(part, property, presence, depth - 1, values))
        {
            return true;
        }
        let mut branches = shape.branches().iter();
        branches.len() > 0
            && branches.all(|&branch| {
                !self.get(branch).types.meets(Types::OBJECT)
                    || self.tag_values(branch, property, presence, depth - 1, values)
            })
    }
}

fn own_tag_values<'c>(
    compiler: &'c Compiler<'_>,
    shape: &'c Shape,
    property: &str,
    presence: Presence,
) -> Option<Vec<&'c str>> {
    let rules = shape.object.as_ref()?;
    let found = rules.property(property)?;
    if presence == Presence::Required && !rules.requires(property) {
        return None;
    }
    let literals = compiler.get(found.shape).literals.as_ref()?;
    let nodes = literals.nodes().iter();
    let texts: Option<Vec<&str>> = nodes.map(|&node| compiler.tree.text(node)).collect();
    texts.filter(|texts| !texts.is_empty())
}
