//! The branches of a union.
//!
//! If a member required by every branch distinguishes the branches, only the branch that it names
//! is tried; a branch of another type is never tried.

use std::mem;

use llmjson_syntax::{Kind, ValueRef, steps_of_search};

use super::{Frame, REMEMBERED, Walker};
use crate::check::undeclared;
use crate::check::walk::{Advance, Sink as _};
use crate::ir::branches::Group;
use crate::ir::shape::{ShapeId, Union};

/// The progress of trying the branches of a union.
#[derive(Default)]
pub(super) struct Trial {
    /// The branches to try.
    left: Left,
    /// The index of the next one among them.
    at: usize,
    /// Branches that held so far.
    hits: u32,
    is_trial: bool,
}

#[derive(Default)]
enum Left {
    /// The branches are not known yet.
    #[default]
    Unknown,
    /// The only branch that may hold; a nonexistent index means none.
    Only(u32),
    /// Groups of many branches: the branches of a group are equivalent for the value, and may hold.
    Groups(Vec<Group>),
    /// All branches that a fast check does not rule out.
    All,
}

impl<'s, 'd> Walker<'s, 'd> {
    /// Decides which branches have to be tried, and whether that is more than one.
    fn plan(&mut self, trial: &mut Trial, union: &Union, value: ValueRef<'d>) {
        let is_object = value.kind() == Kind::Object;
        if union.inferred_tag().is_some() && is_object {
            trial.left = Left::Only(union.named_by(value).unwrap_or(u32::MAX));
            return;
        }
        let judge = &self.judge;
        if is_object && let Some(index) = union.index(judge.shapes, judge.tree) {
            let (mut groups, steps) = index.holding(value);
            judge.charge(steps);
            let branch = |group: &Group| union.branches[group.first as usize];
            groups.retain(|group| self.may_hold(union, branch(group), value));
            trial.is_trial = groups.len() > 1;
            trial.left = Left::Groups(groups);
        } else {
            judge.charge(steps_of_search(union.branches.len()));
            let branches = union.branches.iter();
            let candidates = branches.filter(|&&branch| self.may_hold(union, branch, value));
            trial.is_trial = candidates.take(2).count() > 1;
            trial.left = Left::All;
        }
        self.trials += u32::from(trial.is_trial);
    }

    pub(super) fn leave_union(&mut self, frame: &mut Frame<'s, 'd>) {
        self.trials -= u32::from(mem::take(&mut frame.note.trial.is_trial));
        if self.trials == 0 && self.memo.len() > REMEMBERED {
            self.memo.clear();
        }
    }

    /// Checks a branch quickly: the type of the value, and its tag if one is declared.
    fn may_hold(&self, union: &Union, branch: ShapeId, value: ValueRef<'d>) -> bool {
        let shapes = self.judge.shapes;
        let shape = shapes.get(branch);
        if !shape.types.admits(value) {
            return false;
        }
        let (Some(tag), Kind::Object) = (&union.tag, value.kind()) else {
            return true;
        };
        let rules = shape.object.as_ref();
        let Some(property) = rules.and_then(|rules| rules.property(&tag.property)) else {
            return true;
        };
        match (
            value.get(&tag.property),
            &shapes.get(property.shape).literals,
        ) {
            (None, _) => !property.required,
            (Some(found), Some(literals)) => literals.has(found),
            (Some(_), None) => true,
        }
    }

    pub(super) fn try_branches(
        &mut self,
        frame: &mut Frame<'s, 'd>,
        fed: Option<bool>,
    ) -> Option<Advance<'d>> {
        let union = frame.shape.union.as_deref()?;
        let (goal, trial) = (frame.goal, &mut frame.note.trial);
        if matches!(trial.left, Left::Unknown) {
            self.plan(trial, union, goal.value);
        }
        let mut verdict = fed;
        let scope = undeclared::scope_of_branches(frame.shape, goal.scope);
        loop {
            if verdict.take() == Some(true) {
                trial.hits += match &trial.left {
                    Left::Groups(groups) => groups[trial.at - 1].count,
                    _ => 1,
                };
                if !union.exclusive {
                    return None;
                }
                if trial.hits > 1 {
                    return Some(Advance::Done(false));
                }
            }
            let at = match &trial.left {
                Left::Only(only) => Some(*only as usize).filter(|_| trial.at == 0),
                Left::Groups(groups) => groups.get(trial.at).map(|group| group.first as usize),
                Left::Unknown | Left::All => Some(trial.at),
            };
            let Some(&branch) = at.and_then(|at| union.branches.get(at)) else {
                return (trial.hits != 1).then_some(Advance::Done(false));
            };
            trial.at += 1;
            if matches!(trial.left, Left::All) && !self.may_hold(union, branch, goal.value) {
                continue;
            }
            let goal = goal.part(branch, scope);
            match self.enter(goal) {
                Some(known) => verdict = Some(known),
                None => return Some(Advance::Down(goal)),
            }
        }
    }
}
