//! Where a schema has a member that is missing from an object.
//!
//! Follows the schema along with the value. It knows nothing of what is valid: where several
//! branches of a union are possible it keeps them all, up to a limit, and takes the one that
//! declares most of the members in question.

use smallvec::SmallVec;

use crate::schema::Schema;
use crate::shape::{Additional, ObjectRules, ShapeId};

/// How many subschemas are followed at the same time; further ones are passed over.
const SHAPES_MAX: usize = 16;

/// The subschemas that a value may be meant to fit.
#[derive(Clone, Default)]
pub(super) struct Shapes {
    ids: SmallVec<[ShapeId; 1]>,
}

impl Shapes {
    pub(super) fn root(schema: &Schema) -> Self {
        Self { ids: SmallVec::from_slice(&[schema.compiled.shapes.root]) }.spread(schema)
    }

    /// The shapes together with the branches of unions and the parts of `allOf` they consist of.
    fn spread(mut self, schema: &Schema) -> Self {
        let mut at = 0;
        while let Some(&id) = self.ids.get(at) {
            at += 1;
            let shape = schema.compiled.shapes.get(id);
            let branches = shape.union.iter().flat_map(|union| &union.branches);
            for &part in branches.chain(&shape.also) {
                if self.ids.len() < SHAPES_MAX && !self.ids.contains(&part) {
                    self.ids.push(part);
                }
            }
        }
        self
    }

    pub(super) fn member(&self, schema: &Schema, name: &str) -> Self {
        let mut ids = SmallVec::new();
        for rules in self.objects(schema) {
            let declared = rules.table.get(name).map(|&at| rules.properties[at as usize].shape);
            match (declared, rules.additional) {
                (Some(id), _) | (None, Additional::Open(id)) => ids.push(id),
                (None, Additional::Silent | Additional::Forbidden) => {}
            }
        }
        Self { ids }.spread(schema)
    }

    pub(super) fn item(&self, schema: &Schema, index: usize) -> Self {
        let mut ids = SmallVec::new();
        for &id in &self.ids {
            if let Some(rules) = &schema.compiled.shapes.get(id).array {
                ids.extend(rules.prefix.get(index).copied().or(rules.items));
            }
        }
        Self { ids }.spread(schema)
    }

    fn objects<'s>(&self, schema: &'s Schema) -> impl Iterator<Item = &'s ObjectRules> {
        self.ids.iter().filter_map(|&id| schema.compiled.shapes.get(id).object.as_deref())
    }

    /// For each missing name before which of the present members it belongs: behind the nearest
    /// present member that the schema declares before it. Names that no schema declares come last.
    ///
    /// The result has places in `missing` and places in `present`, in the order of showing.
    pub(super) fn arrange(
        &self,
        schema: Option<&Schema>,
        present: &[&str],
        missing: &[&str],
    ) -> Vec<(usize, usize)> {
        let rules = schema.and_then(|schema| self.declaring(schema, present, missing));
        let rank = |name: &&str| rules.and_then(|rules| rules.table.get(*name).copied());
        let mut declared: Vec<(u32, usize)> =
            (0..).zip(present).filter_map(|(at, name)| Some((rank(name)?, at))).collect();
        declared.sort_unstable();
        let mut placed: Vec<(usize, u32, usize)> = (0..)
            .zip(missing)
            .map(|(at, name)| match rank(name) {
                Some(rank) => {
                    let before = declared.partition_point(|&(other, _)| other < rank);
                    let behind = before.checked_sub(1).map(|last| declared[last].1 + 1);
                    (behind.unwrap_or(0), rank, at)
                }
                None => (present.len(), u32::MAX, at),
            })
            .collect();
        placed.sort_unstable();
        placed.into_iter().map(|(before, _, at)| (at, before)).collect()
    }

    /// The object schema that declares most of the missing members, then most of the present.
    fn declaring<'s>(
        &self,
        schema: &'s Schema,
        present: &[&str],
        missing: &[&str],
    ) -> Option<&'s ObjectRules> {
        let mut best = None;
        for rules in self.objects(schema) {
            let declares =
                |names: &[&str]| names.iter().filter(|name| rules.table.contains_key(**name)).count();
            let score = (declares(missing), declares(present));
            if best.is_none_or(|(least, _)| score > least) {
                best = Some((score, rules));
            }
        }
        best.map(|(_, rules)| rules)
    }
}
