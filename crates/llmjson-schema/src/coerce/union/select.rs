//! The branches of a union to try for a value, and their order.

use llmjson_syntax::{Kind, steps_of_search};

use crate::base::embedded::may_hold_json;
use crate::base::report::CoercionKind;
use crate::coerce::state::{Branches, UnionFrame};
use crate::coerce::state::{Call, Coercer};
use crate::ir::branches;
use crate::ir::shape::{ShapeId, Types, Union};

impl<'c> Coercer<'c, '_> {
    /// Returns the index of many branches by their requirements for objects, if the value is an
    /// object.
    pub(super) fn index(
        &self,
        frame: &UnionFrame,
        union: &'c Union,
    ) -> Option<&'c branches::Branches> {
        let index = union.index(self.shapes, &self.compiled.tree)?;
        (frame.found == Types::OBJECT && frame.call.mask.meets(Types::OBJECT)).then_some(index)
    }

    /// Returns `true` if a branch accepts values of that type.
    pub(super) fn is_alike(&mut self, frame: &UnionFrame, branch: ShapeId) -> bool {
        let types = self.shapes.types_of(branch).and(frame.call.mask);
        types.meets(frame.found)
    }

    /// Returns the branches of the value's type, in the order of the schema.
    pub(super) fn alike(&mut self, frame: &UnionFrame, union: &Union) -> Branches {
        if !frame.call.mask.meets(frame.found) {
            return Branches::new();
        }
        let Some(index) = union.index(self.shapes, &self.compiled.tree) else {
            let branches = union.branches.iter().copied();
            return branches.filter(|one| self.is_alike(frame, *one)).collect();
        };
        let takes = |at| self.is_alike(frame, union.branches[at as usize]);
        let places = index.of_type(frame.found, takes);
        let places = places.into_iter().map(|at| union.branches[at as usize]);
        places.collect()
    }

    /// Returns the only branch of the value's type.
    pub(super) fn only_alike(&mut self, frame: &UnionFrame, union: &'c Union) -> Option<ShapeId> {
        if self
            .index(frame, union)
            .is_some_and(|index| index.plain() > 1)
        {
            return None;
        }
        match *self.alike(frame, union) {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The branches that may accept the value unchanged, the first one last; of several with the
    /// same requirements, only the first.
    pub(super) fn exact_branches(&mut self, frame: &UnionFrame, union: &'c Union) -> Branches {
        let mut branches = if union.inferred_tag().is_some()
            && frame.found == Types::OBJECT
            && frame.call.mask.meets(Types::OBJECT)
        {
            let named = union.named_by(self.value(frame.call.node));
            named
                .and_then(|at| union.branches.get(at as usize))
                .into_iter()
                .copied()
                .collect()
        } else if let Some(index) = self.index(frame, union) {
            let (groups, steps) = index.holding(self.value(frame.call.node));
            self.charge(steps);
            self.of_groups(frame, union, groups)
        } else {
            self.alike(frame, union)
        };
        branches.retain(|branch| Some(*branch) != frame.meant);
        branches.reverse();
        branches
    }

    /// Returns the branches of the value's type to which it may be coerced, the first one last.
    pub(super) fn alike_branches(&mut self, frame: &UnionFrame, union: &'c Union) -> Branches {
        let mut branches = match self.index(frame, union) {
            None => self.alike(frame, union),
            Some(index) => {
                let allowed = branches::ObjectChanges {
                    derives: self.options.allows(CoercionKind::DerivedKey),
                    fills: self.options.fills(),
                };
                let sorted = index.sort(self.value(frame.call.node));
                let groups = sorted.conforming(allowed);
                let steps = sorted.steps();
                self.charge(steps);
                self.of_groups(frame, union, groups)
            }
        };
        branches.reverse();
        branches
    }

    fn of_groups(
        &mut self,
        frame: &UnionFrame,
        union: &Union,
        groups: Vec<branches::Group>,
    ) -> Branches {
        let groups = groups.into_iter();
        let branches = groups.map(|group| union.branches[group.first as usize]);
        branches.filter(|one| self.is_alike(frame, *one)).collect()
    }

    /// Returns the branches of other types that may coerce the value, the first one last.
    pub(super) fn other_branches(&mut self, frame: &UnionFrame, union: &Union) -> Branches {
        let few = !branches::are_many(union);
        self.charge(steps_of_search(union.branches.len()));
        let branches = union.branches.iter().rev().copied();
        branches
            .filter(|branch| {
                let types = self.shapes.types_of(*branch).and(frame.call.mask);
                !types.meets(frame.found)
                    && (few || types != Types::OBJECT || self.may_become_object(frame.call))
            })
            .collect()
    }

    /// Returns `true` if an object may be found in a value of another type.
    fn may_become_object(&self, call: Call) -> bool {
        let value = self.value(call.node);
        match value.kind() {
            Kind::String => {
                call.has(Call::ROOT) || value.as_str().is_some_and(|text| may_hold_json(&text))
            }
            Kind::Array => value.len() == 1,
            _ => false,
        }
    }

    /// Returns the branch with which the value agrees, if no other branch has a member of the
    /// object that only it declares.
    pub(super) fn only_partial(&mut self, frame: &UnionFrame, union: &'c Union) -> Option<ShapeId> {
        self.charge(self.value(frame.call.node).len() * frame.partial.len());
        let value = self.value(frame.call.node);
        let agrees = |branch: ShapeId| frame.partial.iter().any(|(known, _)| *known == branch);
        let index = self.index(frame, union);
        let partial = frame.partial.iter().map(|(branch, _)| *branch);
        let known = value.members().filter_map(|(name, _)| {
            if let Some(index) = index {
                let declaring = index.declaring(&name).map(|(at, _)| at);
                let declaring = declaring.map(|at| (at, union.branches[at as usize]));
                // An object agrees with any branch that accepts objects and says no more.
                let agreeing = declaring.filter(|(at, one)| index.is_plain(*at) || agrees(*one));
                return branches::only(agreeing.map(|(_, branch)| branch));
            }
            branches::only(partial.clone().filter(|branch| {
                let rules = self.shapes.get(*branch).object.as_deref();
                rules.is_some_and(|rules| rules.declares(&name))
            }))
        });
        branches::same(known)
    }
}
