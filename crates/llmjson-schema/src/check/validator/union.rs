//! The branches of a union.
//!
//! Where a member that every branch requires tells the branches apart, only the branch that it
//! names is tried; a branch of another type is never tried.

use std::mem;

use llmjson_syntax::{Kind, ValueRef, steps_of_search};

use super::{Advance, Goal, PendingCheck, REMEMBERED, Walker};
use crate::check::undeclared;
use crate::ir::branches::Group;
use crate::ir::shape::{ShapeId, Union};

impl<'s, 'd> Walker<'s, 'd> {
    /// Decides which branches have to be tried, and whether that is more than one.
    pub(super) fn plan_union(&mut self, frame: &mut PendingCheck<'s, 'd>, union: &Union) {
        frame.at = 0;
        if union.inferred_tag().is_some() && frame.value.kind() == Kind::Object {
            // A branch that does not exist stands for none.
            frame.only = Some(union.named_by(frame.value).unwrap_or(u32::MAX));
        } else if frame.value.kind() == Kind::Object
            && let Some(index) = union.index(self.shapes, &self.normal.tree)
        {
            let (mut groups, steps) = index.holding(frame.value);
            self.charge(steps);
            let branch = |group: &Group| union.branches[group.first as usize];
            groups.retain(|group| self.may_hold(union, branch(group), frame.value));
            frame.is_trial = groups.len() > 1;
            self.trials += u32::from(frame.is_trial);
            frame.groups = Some(groups);
        } else {
            let candidates = union.branches.iter();
            self.charge(steps_of_search(candidates.len()));
            let candidates =
                candidates.filter(|&&branch| self.may_hold(union, branch, frame.value));
            frame.is_trial = candidates.take(2).count() > 1;
            self.trials += u32::from(frame.is_trial);
        }
    }

    pub(super) fn leave_union(&mut self, frame: &mut PendingCheck<'s, 'd>) {
        self.trials -= u32::from(mem::take(&mut frame.is_trial));
        if self.trials == 0 && self.memo.len() > REMEMBERED {
            self.memo.clear();
        }
    }

    /// A quick look at a branch: the type of the value, and its tag if one is declared.
    pub(crate) fn may_hold(&self, union: &Union, branch: ShapeId, value: ValueRef<'d>) -> bool {
        let shape = self.shapes.get(branch);
        if !shape.types.admits(value) {
            return false;
        }
        let (Some(tag), Kind::Object) = (&union.tag, value.kind()) else {
            return true;
        };
        let Some(rules) = &shape.object else {
            return true;
        };
        let Some(property) = rules.property(&tag.property) else {
            return true;
        };
        match (
            value.get(&tag.property),
            &self.shapes.get(property.shape).literals,
        ) {
            (None, _) => !property.required,
            (Some(found), Some(literals)) => literals.has(found),
            (Some(_), None) => true,
        }
    }

    pub(super) fn union(
        &mut self,
        frame: &mut PendingCheck<'s, 'd>,
        union: &Union,
        fed: Option<bool>,
    ) -> Option<Advance<'d>> {
        let mut verdict = fed;
        let scope = undeclared::scope_of_branches(frame.shape, frame.scope);
        loop {
            if verdict.take() == Some(true) {
                let group = frame.groups.as_ref().map(|groups| &groups[frame.at - 1]);
                frame.hits += group.map_or(1, |group| group.count);
                if !union.exclusive {
                    return None;
                }
                if frame.hits > 1 {
                    return Some(Advance::Done(false));
                }
            }
            let at = match (frame.only, &frame.groups) {
                (Some(only), _) if frame.at == 0 => only as usize,
                (Some(_), _) => usize::MAX,
                (None, None) => frame.at,
                (None, Some(groups)) => {
                    let group = groups.get(frame.at);
                    group.map_or(usize::MAX, |group| group.first as usize)
                }
            };
            let Some(&branch) = union.branches.get(at) else {
                return (frame.hits != 1).then_some(Advance::Done(false));
            };
            frame.at += 1;
            if frame.only.is_none()
                && frame.groups.is_none()
                && !self.may_hold(union, branch, frame.value)
            {
                continue;
            }
            let goal = Goal {
                value: frame.value,
                id: branch,
                scope,
            };
            match self.enter(goal) {
                Some(known) => verdict = Some(known),
                None => return Some(Advance::Down(goal)),
            }
        }
    }
}
