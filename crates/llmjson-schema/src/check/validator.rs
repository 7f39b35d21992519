//! The validator: whether a value fits a shape, yes or no, as fast as it can be said.
//!
//! Each member of an object is looked at once: models mostly write members in the order of the
//! schema, so the property after the last one found is tried first. The stack is explicit, so
//! depth costs no native stack. Where a union's branches have to be tried one after the other,
//! results for containers are remembered, so nested unions cost each value and shape once.

mod conditions;
pub(crate) mod leftovers;
mod object;
mod union;

use std::cell::Cell;
use std::marker::PhantomData;

use llmjson_syntax::{Items, Kind, Members, ValueRef, Work};

use crate::base::hash::NearMap;
use crate::base::undeclared::Undeclared;
use crate::check::fast_check::Findings;
use crate::check::keywords::KeywordChecks;
use crate::check::undeclared::Scope;
use crate::ir::branches::Group;
use crate::ir::shape::{Shape, ShapeId, Shapes};
use crate::normal::Normal;
use conditions::Asking;
use object::Seen;

pub(crate) use object::find_property;

/// Judges values of one document against the shapes of one schema, and remembers what it found.
pub(crate) struct Walker<'s, 'd> {
    pub(crate) shapes: &'s Shapes,
    pub(crate) keywords: &'s KeywordChecks,
    pub(crate) normal: &'s Normal,
    pub(crate) undeclared: Undeclared,
    /// The classes of shapes that ask the same, where that is worth knowing: what holds for one
    /// holds for all.
    classes: Option<&'s [u32]>,
    memo: NearMap<(u32, u32, u8), bool>,
    /// The account of the questions that are asked. Once it is used up, nothing holds.
    pub(crate) work: Cell<Work>,
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

/// Number of answers that are remembered between one question and the next, and between one union
/// and the next that is no part of another.
const REMEMBERED: usize = 1 << 14;

/// A value and a shape that is still being looked at.
struct PendingCheck<'s, 'd> {
    value: ValueRef<'d>,
    id: ShapeId,
    shape: &'s Shape,
    scope: Scope,
    stage: Stage,
    /// The index of the next part or branch.
    at: usize,
    /// Branches that held so far.
    hits: u32,
    /// The only branch that may hold, if that is known.
    only: Option<u32>,
    /// The branches that may hold, if there are many and not all may.
    groups: Option<Vec<Group>>,
    is_trial: bool,
    remember: bool,
    children: Children<'d>,
    /// Index of the next item, or of the property that is expected next.
    next: usize,
    seen: Seen,
    /// Required names without a property of their own that were found.
    extra: usize,
    pending: Vec<(ValueRef<'d>, ShapeId)>,
    /// The progress of asking about the conditions, while they are asked about.
    asking: Option<Box<Asking<'d>>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Also,
    Conditions,
    Union,
    Children,
}

enum Children<'d> {
    None,
    Items(Items<'d>),
    Members(Members<'d>),
}

/// The result of going on with a frame: a verdict, or a question to be answered first.
enum Advance<'d> {
    Done(bool),
    Down(Goal<'d>),
}

/// The question whether a value fits a shape.
#[derive(Clone, Copy)]
struct Goal<'d> {
    value: ValueRef<'d>,
    id: ShapeId,
    scope: Scope,
}

impl<'s, 'd> Walker<'s, 'd> {
    pub(crate) fn new(
        shapes: &'s Shapes,
        keywords: &'s KeywordChecks,
        normal: &'s Normal,
        undeclared: Undeclared,
        work: Work,
    ) -> Self {
        Self {
            work: Cell::new(work),
            shapes,
            keywords,
            normal,
            undeclared,
            classes: shapes.classes_of_many(&normal.tree),
            memo: NearMap::default(),
            findings: None,
            undecided: false,
            trials: 0,
            document: PhantomData,
        }
    }

    /// The same walker, passing by what quick looks found to fit: with the same view of undeclared
    /// members, or with a stricter one.
    pub(crate) fn knowing(self, findings: &'s Findings) -> Self {
        Self {
            findings: Some(findings),
            ..self
        }
    }

    /// The same walker, remembering everything it finds about containers.
    pub(crate) fn remembering(self) -> Self {
        Self { trials: 1, ..self }
    }

    /// Returns `true` if a value fits a shape.
    pub(crate) fn holds(&mut self, value: ValueRef<'d>, id: ShapeId, scope: Scope) -> bool {
        let goal = Goal { value, id, scope };
        if self.memo.len() > REMEMBERED {
            self.memo.clear();
        }
        self.undecided = false;
        if let Some(verdict) = self.enter(goal) {
            return verdict;
        }
        let trials = self.trials;
        let frame = self.open(goal);
        let mut stack = vec![frame];
        let mut fed = None;
        while let Some(frame) = stack.last_mut() {
            if self.work.get().is_used_up() || self.undecided {
                self.trials = trials;
                return false;
            }
            match self.advance(frame, fed.take()) {
                Advance::Down(goal) => {
                    let frame = self.open(goal);
                    stack.push(frame);
                }
                Advance::Done(verdict) => {
                    self.trials -= u32::from(!frame.shape.conditions.is_empty());
                    self.leave_union(frame);
                    if frame.remember {
                        let key = self.key(frame.value, frame.id, frame.scope);
                        self.memo.insert(key, verdict);
                    }
                    stack.pop();
                    fed = Some(verdict);
                }
            }
        }
        fed.unwrap_or_default() && !self.undecided && !self.work.get().is_used_up()
    }

    /// Returns `true` if the last question had a condition that could not be decided.
    pub(crate) fn is_undecided(&self) -> bool {
        self.undecided
    }

    /// Charges what is looked at.
    #[inline]
    pub(crate) fn charge(&self, steps: usize) {
        let mut work = self.work.get();
        work.charge(steps);
        self.work.set(work);
    }

    /// The verdict, if it can be given at once; otherwise the goal needs a frame.
    #[inline]
    fn enter(&mut self, goal: Goal<'d>) -> Option<bool> {
        #[cfg(test)]
        crate::steps::count();
        self.charge(1);
        if let Some(findings) = self.findings
            && findings.known(goal.value.id(), goal.id) == Some(true)
        {
            return Some(true);
        }
        let shape = self.shapes.get(goal.id);
        if !self.keywords.keeps(goal.id, shape, goal.value, &self.work) {
            // A number of too many digits may have been what a condition forbids.
            self.undecided |= goal.scope == Scope::Asked && goal.value.too_many_digits().is_some();
            return Some(false);
        }
        let plain = shape.also.is_empty() && shape.union.is_none() && shape.conditions.is_empty();
        if plain && !self.looks_inside(shape, goal) {
            return Some(true);
        }
        (self.trials > 0).then(|| self.recall(goal)).flatten()
    }

    /// Returns the verdict on a goal if it is remembered.
    fn recall(&self, goal: Goal<'d>) -> Option<bool> {
        let Goal { value, id, scope } = goal;
        let remember = self.remembers(value);
        let known = remember.then(|| self.memo.get(&self.key(value, id, scope)));
        known.flatten().copied()
    }

    fn remembers(&self, value: ValueRef<'d>) -> bool {
        self.trials > 0 && matches!(value.kind(), Kind::Array | Kind::Object)
    }

    fn open(&mut self, goal: Goal<'d>) -> PendingCheck<'s, 'd> {
        let Goal { value, id, scope } = goal;
        let shapes = self.shapes;
        let shape = shapes.get(id);
        let asks = !shape.conditions.is_empty();
        // Conditions ask about values that are looked at anyway.
        self.trials += u32::from(asks);
        let children = match value.kind() {
            _ if !self.looks_inside(shape, goal) => Children::None,
            Kind::Array => Children::Items(value.items()),
            _ => Children::Members(value.members()),
        };
        PendingCheck {
            value,
            id,
            shape,
            scope,
            stage: Stage::Also,
            at: 0,
            hits: 0,
            only: None,
            groups: None,
            is_trial: false,
            remember: self.remembers(value),
            children,
            next: 0,
            seen: Seen::default(),
            extra: 0,
            pending: Vec::new(),
            asking: asks.then(|| Box::new(Asking::new())),
        }
    }

    /// Returns `true` if the shape has something to say about a value's content.
    #[inline]
    fn looks_inside(&self, shape: &Shape, goal: Goal<'d>) -> bool {
        match goal.value.kind() {
            Kind::Array => {
                let rules = shape.array.as_ref();
                rules.is_some_and(|rules| rules.items.is_some() || !rules.prefix.is_empty())
            }
            Kind::Object => {
                shape.object.is_some()
                    || (self.undeclared == Undeclared::Reject
                        && goal.scope == Scope::Own
                        && !shape.also.is_empty())
            }
            _ => false,
        }
    }

    fn advance(&mut self, frame: &mut PendingCheck<'s, 'd>, fed: Option<bool>) -> Advance<'d> {
        let mut fed = fed;
        if frame.stage == Stage::Also {
            if let Some(advance) = self.also(frame, fed.take()) {
                return advance;
            }
            frame.stage = Stage::Conditions;
        }
        if frame.stage == Stage::Conditions {
            if frame.asking.is_some()
                && let Some(advance) = self.conditions(frame, fed.take())
            {
                return advance;
            }
            frame.stage = Stage::Union;
            if let Some(union) = &frame.shape.union {
                self.plan_union(frame, union);
            }
        }
        if frame.stage == Stage::Union {
            if let Some(union) = &frame.shape.union
                && let Some(advance) = self.union(frame, union, fed.take())
            {
                return advance;
            }
            self.leave_union(frame);
            frame.stage = Stage::Children;
        }
        if fed == Some(false) {
            return Advance::Done(false);
        }
        match frame.children {
            Children::None => Advance::Done(true),
            Children::Items(_) => self.items(frame),
            Children::Members(_) => self.members(frame),
        }
    }

    fn also(&mut self, frame: &mut PendingCheck<'s, 'd>, fed: Option<bool>) -> Option<Advance<'d>> {
        if fed == Some(false) {
            return Some(Advance::Done(false));
        }
        while let Some(&part) = frame.shape.also.get(frame.at) {
            frame.at += 1;
            let goal = Goal {
                value: frame.value,
                id: part,
                scope: frame.scope.of_part(),
            };
            match self.enter(goal) {
                Some(true) => {}
                Some(false) => return Some(Advance::Done(false)),
                None => return Some(Advance::Down(goal)),
            }
        }
        None
    }

    fn items(&mut self, frame: &mut PendingCheck<'s, 'd>) -> Advance<'d> {
        let (Children::Items(items), Some(rules)) = (&mut frame.children, &frame.shape.array)
        else {
            return Advance::Done(true);
        };
        for item in items {
            let shape = rules.prefix.get(frame.next).copied().or(rules.items);
            frame.next += 1;
            let Some(shape) = shape else {
                return Advance::Done(true);
            };
            let goal = Goal {
                value: item,
                id: shape,
                scope: frame.scope.of_child(),
            };
            match self.enter(goal) {
                Some(true) => {}
                Some(false) => return Advance::Done(false),
                None => return Advance::Down(goal),
            }
        }
        Advance::Done(true)
    }

    /// Returns the key under which an answer is remembered: the value and what is asked of it.
    fn key(&self, value: ValueRef<'d>, id: ShapeId, scope: Scope) -> (u32, u32, u8) {
        let class = self.classes.map_or(id.0, |classes| classes[id.0 as usize]);
        (value.id().index() as u32, class, scope as u8)
    }
}
