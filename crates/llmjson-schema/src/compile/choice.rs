//! Simplification of unions: no redundant nested union, no union of one, constants as one list,
//! types as one set.

use std::collections::HashSet;

use super::Compiler;
use super::keywords::key;
use crate::ir::shape::{Literals, Shape, ShapeId, Types, Union};

impl Compiler<'_> {
    /// Simplifies the union of a shape, whose branches are simple already.
    pub(super) fn simplify_union(&mut self, id: ShapeId) {
        let Some(mut union) = self.get_mut(id).union.take() else {
            return;
        };
        self.drop_idle_branches(&mut union);
        if !union.exclusive {
            self.flatten(id, &mut union);
        }
        if let [only] = union.branches[..] {
            self.declared.remove(&id);
            if !self.get(id).also.contains(&only) {
                self.get_mut(id).also.push(only);
            }
        } else if !self.merge_types(id, &union) && !self.merge_literals(id, &union) {
            self.get_mut(id).union = Some(union);
        }
    }

    /// Takes out branches that allow nothing, and repeated ones where any may hold.
    fn drop_idle_branches(&self, union: &mut Union) {
        let allows = |branch: &ShapeId| self.get(*branch).types != Types::NONE;
        if union.branches.iter().any(allows) {
            union.branches.retain(allows);
        }
        if !union.exclusive {
            let mut seen = HashSet::new();
            union.branches.retain(|&branch| seen.insert(branch));
        }
    }

    /// Puts the branches of a branch that is nothing but a union in its place.
    fn flatten(&mut self, id: ShapeId, union: &mut Union) {
        let inner = |branch: ShapeId| {
            let shape = self.get(branch);
            let inner = shape.union.as_ref().filter(|inner| !inner.exclusive)?;
            let is_more = self.declared.contains_key(&branch);
            (is_only_union(shape) && !is_more).then_some(&inner.branches)
        };
        let size: usize = union
            .branches
            .iter()
            .map(|&branch| inner(branch).map_or(0, Vec::len))
            .sum();
        if size == 0 || self.declared.contains_key(&id) || !self.affords(size) {
            return;
        }
        let mut flat = Vec::new();
        let mut seen = HashSet::new();
        for &branch in &union.branches {
            let list = inner(branch).map_or_else(|| vec![branch], Clone::clone);
            flat.extend(list.into_iter().filter(|&branch| seen.insert(branch)));
        }
        union.branches = flat;
    }

    /// A union of nothing but types is a set of types.
    fn merge_types(&mut self, id: ShapeId, union: &Union) -> bool {
        let mut all = Types::NONE;
        for &branch in &union.branches {
            let shape = self.get(branch);
            // `oneOf` of integer and number: 1 is both, so it stays a union that refuses it.
            let overlaps = union.exclusive && all.meets(shape.types);
            if !is_plain(shape) || shape.literals.is_some() || overlaps {
                return false;
            }
            all = all.or(shape.types);
        }
        let shape = self.get_mut(id);
        shape.types = shape.types.and(all);
        if let Some(literals) = shape.literals.take() {
            self.narrow(id, literals.into_nodes());
        }
        true
    }

    /// Returns the other spellings of the constants of branches. A branch for one constant may just
    /// list them.
    fn aliases_of_branches(&self, branches: &[ShapeId]) -> Vec<(Box<str>, Box<str>)> {
        let mut aliases = Vec::new();
        for &branch in branches {
            let shape = self.get(branch);
            aliases.extend(shape.aliases.iter().cloned());
            // `{"const": "large", "x-alias": "L"}`: with one constant the aliases need not say of which they are.
            if let Some([only]) = shape.literals.as_ref().map(Literals::nodes)
                && let Some(text) = self.tree.text(*only)
            {
                let own = self.aliases_of(shape.node).into_iter();
                aliases.extend(own.map(|alias| (alias, text.into())));
                // `{"const": "A", "title": "Approved"}`, as unions name each value of an enumeration.
                let title = self.tree.member(shape.node, "title");
                let title = title.and_then(|title| self.tree.text(title));
                aliases.extend(
                    title
                        .filter(|title| *title != text)
                        .map(|title| (title.into(), text.into())),
                );
            }
        }
        aliases
    }

    /// A union of nothing but constants is one list of constants.
    fn merge_literals(&mut self, id: ShapeId, union: &Union) -> bool {
        let all = union.branches.iter().map(|&branch| self.get(branch));
        if !all
            .clone()
            .all(|shape| is_plain(shape) && shape.literals.is_some())
        {
            return false;
        }
        let nodes = all.filter_map(|shape| shape.literals.as_ref());
        let mut merged = Vec::new();
        let mut seen = HashSet::new();
        for &node in nodes.flat_map(Literals::nodes) {
            // `oneOf` of two lists that share a value refuses that value, so they stay apart.
            let is_new = seen.insert(key(self.tree, node));
            if is_new {
                merged.push(node);
            } else if union.exclusive {
                return false;
            }
        }
        let aliases = self.aliases_of_branches(&union.branches);
        self.get_mut(id).aliases.extend(aliases);
        self.narrow(id, merged);
        self.declared.remove(&id);
        true
    }
}

/// Returns `true` if a shape says nothing but types and constants.
fn is_plain(shape: &Shape) -> bool {
    let Shape {
        number,
        string,
        array,
        object,
        union,
        also,
        conditions,
        ..
    } = shape;
    number.is_none()
        && string.is_none()
        && array.is_none()
        && object.is_none()
        && union.is_none()
        && also.is_empty()
        && conditions.is_empty()
}

/// Returns `true` if a shape says nothing but its union.
fn is_only_union(shape: &Shape) -> bool {
    let Shape {
        types,
        literals,
        number,
        string,
        array,
        object,
        also,
        conditions,
        default,
        ..
    } = shape;
    *types == Types::ALL
        && literals.is_none()
        && number.is_none()
        && string.is_none()
        && array.is_none()
        && object.is_none()
        && also.is_empty()
        && conditions.is_empty()
        && default.is_none()
}
