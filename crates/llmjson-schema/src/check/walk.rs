//! The walk over a value and a shape, and the sink that receives mismatches.
//!
//! There is one walk and two sinks: the [`validator`](super::validator) ends it at the first
//! mismatch; the violations (`explain/violations`) record every mismatch and continue. Only the
//! walk knows a shape's requirements for parts, members and items. The sinks decide where a verdict
//! and its reason differ: at unions, where a verdict tries the branches and a reason uses the
//! intended one, and at conditions.
//!
//! Each member of an object is visited once. Models mostly write members in schema order, so the
//! property after the last match is tried first. The stack is explicit, so depth costs no native
//! stack.

mod object;

use std::cell::Cell;

use llmjson_syntax::{Items, Key, Kind, Members, ValueRef, Work};

use crate::base::undeclared::Undeclared;
use crate::check::fast_check::Settled;
use crate::check::keywords::KeywordChecks;
use crate::check::undeclared::Scope;
use crate::ir::shape::{Shape, ShapeId, Shapes};
use crate::normal::tree::Tree;
pub(crate) use object::{Seen, find_property, present};

/// The basis of a walk: the schema, the view of undeclared members, and the work budget.
pub(crate) struct Judge<'s> {
    pub(crate) shapes: &'s Shapes,
    pub(crate) keywords: &'s KeywordChecks,
    pub(crate) tree: &'s Tree,
    pub(crate) undeclared: Undeclared,
    /// The work that is left. Once it is used up, nothing holds.
    pub(crate) work: Cell<Work>,
}

impl Judge<'_> {
    /// Charges what is looked at.
    #[inline]
    pub(crate) fn charge(&self, steps: usize) {
        let mut work = self.work.get();
        work.charge(steps);
        self.work.set(work);
    }

    /// Returns `true` if no more may be looked at.
    #[inline]
    pub(crate) fn is_spent(&self) -> bool {
        self.work.get().is_used_up()
    }
}

/// The question whether a value fits a shape.
#[derive(Clone, Copy)]
pub(crate) struct Goal<'d> {
    pub(crate) value: ValueRef<'d>,
    pub(crate) id: ShapeId,
    pub(crate) scope: Scope,
    /// `true` if the enclosing call is about the value's container.
    pub(crate) is_child: bool,
    /// `true` if the value is a member that need not be there.
    pub(crate) is_optional: bool,
}

/// A step into a container.
#[derive(Clone, Copy)]
pub(crate) enum Place<'d> {
    Member(Key<'d>),
    Item(u32),
}

impl<'d> Goal<'d> {
    pub(crate) fn new(value: ValueRef<'d>, id: ShapeId, scope: Scope) -> Self {
        Self {
            value,
            id,
            scope,
            is_child: false,
            is_optional: false,
        }
    }

    /// The question about the same value and a part of the shape.
    pub(crate) fn part(self, id: ShapeId, scope: Scope) -> Self {
        Self {
            id,
            scope,
            is_child: false,
            ..self
        }
    }

    /// The question about a child of the value.
    #[inline]
    pub(crate) fn child(self, value: ValueRef<'d>, id: ShapeId) -> Self {
        Self {
            value,
            id,
            scope: self.scope.of_child(),
            is_child: true,
            is_optional: false,
        }
    }
}

/// A value and a shape that is still being looked at. `N` is what a sink notes of it.
pub(crate) struct Frame<'s, 'd, N> {
    pub(crate) goal: Goal<'d>,
    pub(crate) shape: &'s Shape,
    pub(crate) stage: Stage,
    /// The index of the next part.
    at: usize,
    pub(crate) note: N,
    children: Children<'d>,
    /// The children at the beginning that are known to fit.
    settled: Settled,
    /// Index of the next item, or of the property that is expected next.
    next: usize,
    /// The name of the member that is looked at.
    key: Option<Key<'d>>,
    pub(crate) seen: Seen,
    /// The number of required names without their own property that were found.
    extra: usize,
    /// The other goals for a member, the first one last.
    pending: Vec<Goal<'d>>,
}

impl<'d, N> Frame<'_, 'd, N> {
    /// Returns the step to the child that is looked at.
    fn place(&self) -> Place<'d> {
        let index = || Place::Item(self.next.saturating_sub(1) as u32);
        self.key.map_or_else(index, Place::Member)
    }
}

/// The stages of a look, in their order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Also,
    Conditions,
    Union,
    Children,
    /// The end: no part is left to look at.
    Over,
}

enum Children<'d> {
    None,
    Items(Items<'d>),
    Members(Members<'d>),
}

/// The result of advancing a frame: a verdict, or a call to be answered first.
pub(crate) enum Advance<'d> {
    Done(bool),
    Down(Goal<'d>),
}

/// The receiver of a walk's results.
pub(crate) trait Sink<'s, 'd>: Sized {
    /// The state of an unfinished check.
    type Note: Default;

    fn judge(&self) -> &Judge<'s>;

    /// Returns `true` if the walk ends here, without an answer.
    fn gives_up(&self) -> bool {
        self.judge().is_spent()
    }

    /// The answer, if it can be given at once; otherwise the question needs a look.
    fn enter(&mut self, goal: Goal<'d>) -> Option<bool>;

    /// Begins to check a value, at that position in the previous one. Returns the number of leading
    /// children known to fit.
    fn begin(&mut self, frame: &mut Frame<'s, 'd, Self::Note>, place: Option<Place<'d>>)
    -> Settled;

    /// Continues with the conditions, given the previous answer; `None` once they are settled.
    fn conditions(
        &mut self,
        frame: &mut Frame<'s, 'd, Self::Note>,
        answer: Option<bool>,
    ) -> Option<Advance<'d>>;

    /// Continues with the union in the same way.
    fn union(
        &mut self,
        frame: &mut Frame<'s, 'd, Self::Note>,
        answer: Option<bool>,
    ) -> Option<Advance<'d>>;

    /// Takes a forbidden member; `None` if the walk should continue.
    fn unwanted(
        &mut self,
        frame: &mut Frame<'s, 'd, Self::Note>,
        key: Key<'d>,
        value: ValueRef<'d>,
    ) -> Option<Advance<'d>>;

    /// Takes an object in which something is missing.
    fn lacks(&mut self, frame: &Frame<'s, 'd, Self::Note>) -> Advance<'d>;

    /// Ends a look.
    fn end(&mut self, frame: &mut Frame<'s, 'd, Self::Note>, verdict: bool);
}

/// Walks a value. Returns the verdict, which is `false` if the sink stops.
pub(crate) fn walk<'s, 'd, S: Sink<'s, 'd>>(sink: &mut S, goal: Goal<'d>) -> bool {
    let mut stack = Vec::new();
    open(sink, &mut stack, goal, None);
    let mut fed = None;
    while let Some(frame) = stack.last_mut() {
        if sink.gives_up() {
            return false;
        }
        match advance(sink, frame, fed.take()) {
            Advance::Down(goal) => {
                let place = goal.is_child.then(|| frame.place());
                open(sink, &mut stack, goal, place);
            }
            Advance::Done(verdict) => {
                sink.end(frame, verdict);
                stack.pop();
                fed = Some(verdict);
            }
        }
    }
    fed.unwrap_or_default() && !sink.gives_up()
}

fn open<'s, 'd, S: Sink<'s, 'd>>(
    sink: &mut S,
    stack: &mut Vec<Frame<'s, 'd, S::Note>>,
    goal: Goal<'d>,
    place: Option<Place<'d>>,
) {
    let judge = sink.judge();
    let (shapes, undeclared) = (judge.shapes, judge.undeclared);
    let shape = shapes.get(goal.id);
    let children = match goal.value.kind() {
        _ if !looks_inside(shape, goal, undeclared) => Children::None,
        Kind::Array => Children::Items(goal.value.items()),
        _ => Children::Members(goal.value.members()),
    };
    stack.push(Frame {
        goal,
        shape,
        stage: Stage::Also,
        at: 0,
        note: S::Note::default(),
        children,
        settled: Settled::NONE,
        next: 0,
        key: None,
        seen: Seen::default(),
        extra: 0,
        pending: Vec::new(),
    });
    if let Some(frame) = stack.last_mut() {
        frame.settled = sink.begin(frame, place);
    }
}

/// Returns `true` if a shape has something to say about a value's content.
#[inline]
pub(crate) fn looks_inside(shape: &Shape, goal: Goal<'_>, undeclared: Undeclared) -> bool {
    match goal.value.kind() {
        Kind::Array => {
            let rules = shape.array.as_ref();
            rules.is_some_and(|rules| rules.items.is_some() || !rules.prefix.is_empty())
        }
        Kind::Object => {
            shape.object.is_some()
                || (undeclared == Undeclared::Reject
                    && goal.scope == Scope::Own
                    && !shape.also.is_empty())
        }
        _ => false,
    }
}

fn advance<'s, 'd, S: Sink<'s, 'd>>(
    sink: &mut S,
    frame: &mut Frame<'s, 'd, S::Note>,
    mut fed: Option<bool>,
) -> Advance<'d> {
    if frame.stage == Stage::Also {
        if let Some(advance) = also(sink, frame, fed.take()) {
            return advance;
        }
        frame.stage = Stage::Conditions;
    }
    if frame.stage == Stage::Conditions {
        if !frame.shape.conditions.is_empty()
            && let Some(advance) = sink.conditions(frame, fed.take())
        {
            return advance;
        }
        frame.stage = Stage::Union;
    }
    if frame.stage == Stage::Union {
        if frame.shape.union.is_some()
            && let Some(advance) = sink.union(frame, fed.take())
        {
            return advance;
        }
        frame.stage = Stage::Children;
    }
    if fed == Some(false) {
        return Advance::Done(false);
    }
    match frame.children {
        _ if frame.stage == Stage::Over => Advance::Done(true),
        Children::None => Advance::Done(true),
        Children::Items(_) => items(sink, frame),
        Children::Members(_) => object::members(sink, frame),
    }
}

fn also<'s, 'd, S: Sink<'s, 'd>>(
    sink: &mut S,
    frame: &mut Frame<'s, 'd, S::Note>,
    fed: Option<bool>,
) -> Option<Advance<'d>> {
    if fed == Some(false) {
        return Some(Advance::Done(false));
    }
    while let Some(&part) = frame.shape.also.get(frame.at) {
        frame.at += 1;
        let goal = frame.goal.part(part, frame.goal.scope.of_part());
        match sink.enter(goal) {
            Some(true) => {}
            Some(false) => return Some(Advance::Done(false)),
            None => return Some(Advance::Down(goal)),
        }
    }
    None
}

fn items<'s, 'd, S: Sink<'s, 'd>>(sink: &mut S, frame: &mut Frame<'s, 'd, S::Note>) -> Advance<'d> {
    let (Children::Items(items), Some(rules)) = (&mut frame.children, &frame.shape.array) else {
        return Advance::Done(true);
    };
    for item in items {
        let at = frame.next;
        frame.next += 1;
        let Some(shape) = rules.item(at) else {
            return Advance::Done(true);
        };
        if frame.settled.has(item.id()) {
            continue;
        }
        let goal = frame.goal.child(item, shape);
        match sink.enter(goal) {
            Some(true) => {}
            Some(false) => return Advance::Done(false),
            None => return Advance::Down(goal),
        }
    }
    Advance::Done(true)
}
