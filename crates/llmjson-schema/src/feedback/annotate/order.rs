//! The order of members that are missing from an object.
//!
//! Follows the schema along with the value. It knows nothing of what is valid: where several
//! branches of a union are possible it keeps them all, up to a limit, and takes the one that
//! declares most of the members in question.

use smallvec::SmallVec;

use crate::ir::shape::{Additional, ObjectRules, ShapeId};
use crate::schema::Schema;

/// Maximum number of subschemas that are followed at the same time; further ones are passed over.
const SHAPES_MAX: usize = 16;

/// The subschemas that a value may be meant to fit.
#[derive(Clone, Default)]
pub(super) struct Shapes {
    ids: SmallVec<[ShapeId; 1]>,
}

impl Shapes {
    pub(super) fn root(schema: &Schema) -> Self {
        Self {
            ids: SmallVec::from_slice(&[schema.compiled.shapes.root]),
        }
        .spread(schema)
    }

    /// The shapes together with the branches of unions and the parts of `allOf` they consist of.
    fn spread(mut self, schema: &Schema) -> Self {
        let mut at = 0;
        while let Some(&id) = self.ids.get(at) {
            at += 1;
            let shape = schema.compiled.shapes.get(id);
            let branches = shape.union.iter().flat_map(|union| &union.branches);
            for &part in branches.chain(&shape.also) {
                if self.ids.len() >= SHAPES_MAX {
                    return self;
                }
                if !self.ids.contains(&part) {
                    self.ids.push(part);
                }
            }
        }
        self
    }

    pub(super) fn member(&self, schema: &Schema, name: &str) -> Self {
        let mut ids = SmallVec::new();
        for rules in self.objects(schema) {
            let declared = rules.property(name).map(|property| property.shape);
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
                ids.extend(rules.item(index));
            }
        }
        Self { ids }.spread(schema)
    }

    fn objects<'s>(&self, schema: &'s Schema) -> impl Iterator<Item = &'s ObjectRules> {
        self.ids
            .iter()
            .filter_map(|&id| schema.compiled.shapes.get(id).object.as_deref())
    }

    /// Returns for each missing name before which of the present members it belongs, in the order
    /// of showing: places in `missing` and places in `present`.
    pub(super) fn arrange(
        &self,
        schema: Option<&Schema>,
        present: &[&str],
        missing: &[&str],
    ) -> Vec<(usize, usize)> {
        let rules = schema.and_then(|schema| self.declaring(schema, present, missing));
        arrange(rules, present, missing)
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
                |names: &[&str]| names.iter().filter(|name| rules.declares(name)).count();
            let score = (declares(missing), declares(present));
            if best.is_none_or(|(least, _)| score > least) {
                best = Some((score, rules));
            }
        }
        best.map(|(_, rules)| rules)
    }
}

/// A missing member belongs behind the nearest present one that is declared before it. Names that
/// are not declared come last, in their own order.
fn arrange(rules: Option<&ObjectRules>, present: &[&str], missing: &[&str]) -> Vec<(usize, usize)> {
    let rank = |name: &str| rules.and_then(|rules| rules.find(name));
    let mut declared: Vec<(usize, usize)> = (0..)
        .zip(present)
        .filter_map(|(at, name)| Some((rank(name)?, at)))
        .collect();
    declared.sort_unstable();
    let place = |(at, name): (usize, &&str)| match rank(name) {
        Some(rank) => {
            let before = declared.partition_point(|&(other, _)| other < rank);
            let behind = before.checked_sub(1).map(|last| declared[last].1 + 1);
            (behind.unwrap_or(0), rank, at)
        }
        None => (present.len(), usize::MAX, at),
    };
    let mut placed: Vec<(usize, usize, usize)> = (0..).zip(missing).map(place).collect();
    placed.sort_unstable();
    placed
        .into_iter()
        .map(|(before, _, at)| (at, before))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::shape::Property;

    fn declaring(names: &[&str]) -> ObjectRules {
        let mut rules = ObjectRules::default();
        for &name in names {
            let (aliases, shape, required) = (Vec::new(), ShapeId(0), true);
            rules.push(Property {
                name: name.into(),
                aliases,
                shape,
                required,
            });
        }
        rules
    }

    #[test]
    fn missing_members_stand_where_the_schema_has_them() {
        let rules = declaring(&["a", "b", "c", "d", "e"]);
        // Present, missing, and both in the order of showing.
        let cases: &[(&str, &str, &str)] = &[
            ("bd", "ace", "abcde"),
            ("", "ca", "ac"),
            ("db", "c", "dbc"),
            ("edcba", "", "edcba"),
            ("c", "xba", "abcx"),
            ("xc", "d", "xcd"),
            ("cx", "ye", "cexy"),
        ];
        for (present, missing, wanted) in cases {
            let split = |names: &'static str| -> Vec<&str> {
                names.split("").filter(|name| !name.is_empty()).collect()
            };
            let (present, missing) = (split(present), split(missing));
            let mut shown = String::new();
            let mut arranged = arrange(Some(&rules), &present, &missing)
                .into_iter()
                .peekable();
            for at in 0..=present.len() {
                while let Some((name, _)) = arranged.next_if(|(_, before)| *before == at) {
                    shown.push_str(missing[name]);
                }
                shown.push_str(present.get(at).unwrap_or(&""));
            }
            assert_eq!(shown, *wanted);
        }
        assert_eq!(arrange(None, &["b"], &["c", "a"]), [(0, 1), (1, 1)]);
    }
}
