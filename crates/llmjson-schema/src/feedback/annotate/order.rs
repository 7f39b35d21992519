//! The order of an object's missing members.
//!
//! Follows the schema along with the value, without validating. If several branches of a union are
//! possible, it keeps them all, up to a limit, and takes the branch with most of the missing
//! members.

use crate::ir::parts::MeantShapes;
use crate::ir::shape::ObjectRules;
use crate::schema::Schema;

/// Maximum number of subschemas that are followed in parallel; further ones are skipped. A
/// misplaced member only affects readability.
pub(super) const SHAPES_MAX: usize = 16;

/// Returns, for each missing key, the present member before which it belongs, in display order:
/// indices in `missing` and in `present`.
pub(super) fn arranged(
    schema: Option<&Schema>,
    shapes: &MeantShapes,
    present: &[&str],
    missing: &[&str],
) -> Vec<(usize, usize)> {
    let rules = schema.and_then(|schema| declaring(schema, shapes, present, missing));
    arrange(rules, present, missing)
}

/// Returns the object schema that declares most of the missing members, then most of the present
/// ones.
fn declaring<'s>(
    schema: &'s Schema,
    shapes: &MeantShapes,
    present: &[&str],
    missing: &[&str],
) -> Option<&'s ObjectRules> {
    let mut best = None;
    for rules in shapes.objects(&schema.compiled.shapes) {
        let declares = |names: &[&str]| names.iter().filter(|name| rules.declares(name)).count();
        let score = (declares(missing), declares(present));
        // Among equals the first in the schema.
        if best.is_none_or(|(least, _)| score > least) {
            best = Some((score, rules));
        }
    }
    best.map(|(_, rules)| rules)
}

/// A missing member is placed after the nearest present one that is declared before it. Undeclared
/// names come last, in their own order.
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
    use crate::ir::shape::{Property, ShapeId};

    fn declaring(names: &[&str]) -> ObjectRules {
        let mut rules = ObjectRules::default();
        for &name in names {
            let (aliases, shape, required) = (Vec::new(), ShapeId(0), true);
            rules.push(Property {
                name: name.into(),
                aliases,
                title: None,
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
