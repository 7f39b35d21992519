//! The verdict whether a value satisfies a shape, as fast as possible.
//!
//! The [walk](super::walk) ends at the first mismatch. If a union's branches must be tried in turn,
//! results for containers are memoized, so nested unions cost each value and shape once.

mod conditions;
pub(crate) mod leftovers;
mod union;

use std::cell::Cell;
use std::marker::PhantomData;

use llmjson_syntax::{Key, Kind, ValueRef, Work};

use crate::base::hash::NearMap;
use crate::base::undeclared::Undeclared;
use crate::check::fast_check::{Findings, Settled};
use crate::check::keywords::KeywordChecks;
use crate::check::undeclared::Scope;
use crate::check::walk::{self, Advance, Goal, Judge, Place, Sink, looks_inside};
use crate::ir::shape::{ShapeId, Shapes};
use crate::normal::tree::Tree;
use conditions::Asking;
use union::Trial;

/// Judges values of one document against the shapes of one schema, and remembers what it found.
pub(crate) struct Walker<'s, 'd> {
    pub(crate) judge: Judge<'s>,
    /// The classes of equivalent shapes, if they are worth knowing: the answer for one holds for
    /// all.
    classes: Option<&'s [u32]>,
    memo: NearMap<(u32, u32, u8), bool>,
    /// The values that quick looks found to fit.
    findings: Option<&'s Findings>,
    /// `true` if something could not be decided that a condition asked.
    undecided: bool,
    /// Number of unions that are trying one branch after the other around the present place.
    trials: u32,
    /// The document: answers are remembered by names of values, which mean something in one
    /// document only.
    document: PhantomData<ValueRef<'d>>,
}

/// The number of answers kept between one call and the next, and between one union and the next
/// that is not part of another.
const REMEMBERED: usize = 1 << 14;

/// The notes on a look: its answer may have to be remembered.
#[derive(Default)]
pub(crate) struct Note<'d> {
    remember: bool,
    trial: Trial,
    /// The progress of asking about the conditions, while they are asked about.
    asking: Option<Box<Asking<'d>>>,
}

type Frame<'s, 'd> = walk::Frame<'s, 'd, Note<'d>>;

impl<'s, 'd> Walker<'s, 'd> {
    pub(crate) fn new(
        shapes: &'s Shapes,
        keywords: &'s KeywordChecks,
        tree: &'s Tree,
        undeclared: Undeclared,
        work: Work,
    ) -> Self {
        Self {
            judge: Judge {
                shapes,
                keywords,
                tree,
                undeclared,
                work: Cell::new(work),
            },
            classes: shapes.classes_of_many(tree),
            memo: NearMap::default(),
            findings: None,
            undecided: false,
            trials: 0,
            document: PhantomData,
        }
    }

    /// Returns the walker with findings of fast checks, which it skips: with the same view of
    /// undeclared members, or with a stricter one.
    pub(crate) fn knowing(self, findings: &'s Findings) -> Self {
        Self {
            findings: Some(findings),
            ..self
        }
    }

    /// Returns the walker, memoizing everything it finds about containers.
    pub(crate) fn remembering(self) -> Self {
        Self { trials: 1, ..self }
    }

    /// Returns `true` if a value fits a shape.
    pub(crate) fn holds(&mut self, value: ValueRef<'d>, id: ShapeId, scope: Scope) -> bool {
        let goal = Goal::new(value, id, scope);
        if self.memo.len() > REMEMBERED {
            self.memo.clear();
        }
        self.undecided = false;
        if let Some(verdict) = self.enter(goal) {
            return verdict;
        }
        let trials = self.trials;
        let holds = walk::walk(self, goal);
        // A walk that gave up has left its trials open.
        self.trials = trials;
        holds
    }

    /// Returns `true` if the last question had a condition that could not be decided.
    pub(crate) fn is_undecided(&self) -> bool {
        self.undecided
    }

    /// Charges what is looked at.
    #[inline]
    pub(crate) fn charge(&self, steps: usize) {
        self.judge.charge(steps);
    }

    /// Returns the verdict on a value that needs more than its type, if it does not depend on the
    /// value's children.
    fn look(&mut self, goal: Goal<'d>) -> Option<bool> {
        let judge = &self.judge;
        if let Some(findings) = self.findings
            && findings.known(goal.value.id(), goal.id) == Some(true)
        {
            return Some(true);
        }
        let shape = judge.shapes.get(goal.id);
        if !(judge.keywords).keeps(goal.id, shape, goal.value, &judge.work) {
            // A number of too many digits may have been what a condition forbids.
            self.undecided |= goal.scope == Scope::Asked && goal.value.too_many_digits().is_some();
            return Some(false);
        }
        let plain = shape.is_alone() && shape.conditions.is_empty();
        if plain && !looks_inside(shape, goal, judge.undeclared) {
            return Some(true);
        }
        // Outside of unions a value is asked about once for each shape, so remembering would cost more than it saves.
        (self.trials > 0).then(|| self.recall(goal)).flatten()
    }

    /// Returns the verdict on a goal if it is remembered.
    fn recall(&self, goal: Goal<'d>) -> Option<bool> {
        let Goal {
            value, id, scope, ..
        } = goal;
        let remember = self.remembers(value);
        let known = remember.then(|| self.memo.get(&self.key(value, id, scope)));
        known.flatten().copied()
    }

    fn remembers(&self, value: ValueRef<'d>) -> bool {
        self.trials > 0 && matches!(value.kind(), Kind::Array | Kind::Object)
    }

    /// Returns the key under which an answer is memoized: the value and its requirements.
    fn key(&self, value: ValueRef<'d>, id: ShapeId, scope: Scope) -> (u32, u32, u8) {
        let class = self.classes.map_or(id.0, |classes| classes[id.0 as usize]);
        (value.id().index() as u32, class, scope as u8)
    }
}

impl<'s, 'd> Sink<'s, 'd> for Walker<'s, 'd> {
    type Note = Note<'d>;

    #[inline]
    fn judge(&self) -> &Judge<'s> {
        &self.judge
    }

    #[inline]
    fn gives_up(&self) -> bool {
        self.undecided || self.judge.is_spent()
    }

    #[inline(always)]
    fn enter(&mut self, goal: Goal<'d>) -> Option<bool> {
        #[cfg(test)]
        crate::steps::count();
        self.judge.charge(1);
        let any = self
            .judge
            .keywords
            .plan(goal.id)
            .quick
            .takes_any(goal.value.kind());
        if any { Some(true) } else { self.look(goal) }
    }

    fn begin(&mut self, frame: &mut Frame<'s, 'd>, _: Option<Place<'d>>) -> Settled {
        if !frame.shape.conditions.is_empty() {
            // Conditions ask about values that are looked at anyway.
            self.trials += 1;
            frame.note.asking = Some(Box::default());
        }
        frame.note.remember = self.remembers(frame.goal.value);
        Settled::NONE
    }

    fn conditions(
        &mut self,
        frame: &mut Frame<'s, 'd>,
        answer: Option<bool>,
    ) -> Option<Advance<'d>> {
        self.ask_conditions(frame, answer)
    }

    fn union(&mut self, frame: &mut Frame<'s, 'd>, answer: Option<bool>) -> Option<Advance<'d>> {
        let advance = self.try_branches(frame, answer);
        if advance.is_none() {
            self.leave_union(frame);
        }
        advance
    }

    fn unwanted(
        &mut self,
        _: &mut Frame<'s, 'd>,
        _: Key<'d>,
        _: ValueRef<'d>,
    ) -> Option<Advance<'d>> {
        Some(Advance::Done(false))
    }

    fn lacks(&mut self, _: &Frame<'s, 'd>) -> Advance<'d> {
        Advance::Done(false)
    }

    fn end(&mut self, frame: &mut Frame<'s, 'd>, verdict: bool) {
        self.trials -= u32::from(!frame.shape.conditions.is_empty());
        self.leave_union(frame);
        if frame.note.remember {
            let Goal {
                value, id, scope, ..
            } = frame.goal;
            let key = self.key(value, id, scope);
            self.memo.insert(key, verdict);
        }
    }
}
