//! Does a value fit a shape? Yes or no, as fast as it can be said.
//!
//! Each member of an object is looked at once: models mostly write members in the order of the
//! schema, so the property after the last one found is tried first. The stack is explicit, so
//! depth costs no native stack. Where a union's branches have to be tried one after the other,
//! results for containers are remembered, so nested unions cost each value and shape once.

use std::collections::HashMap;
use std::mem;

use llmjson_syntax::{Items, Key, Kind, Members, ValueRef};
use serde_json::Value;
use smallvec::SmallVec;

use crate::instance::Instance;
use crate::rules::{self, Bits, Judge};
use crate::shape::{Additional, ObjectRules, Shape, ShapeId, Shapes, Tag, Union};
use crate::undeclared::{self, Scope};
use crate::validate::Undeclared;

/// Judges values of one document against the shapes of one schema, and remembers what it found.
pub(crate) struct Walker<'s, 'd> {
    pub(crate) shapes: &'s Shapes,
    pub(crate) judge: &'s Judge,
    normal: &'s Value,
    pub(crate) undeclared: Undeclared,
    /// Whether the value as a whole was found to satisfy the schema, so that keywords that this
    /// walker does not know need asking about only inside unions.
    trusts_whole: bool,
    stack: Vec<Frame<'s, 'd>>,
    memo: HashMap<(u32, u32, bool), bool>,
    /// How many unions are trying one branch after the other around the present place.
    trials: u32,
}

/// A value and a shape that is still being looked at.
struct Frame<'s, 'd> {
    value: ValueRef<'d>,
    id: ShapeId,
    shape: &'s Shape,
    scope: Scope,
    stage: Stage,
    /// Which part or branch comes next.
    at: usize,
    /// Branches that held so far.
    hits: u32,
    /// The only branch that may hold, if that is known.
    only: Option<u32>,
    is_trial: bool,
    remember: bool,
    children: Children<'d>,
    /// Index of the next item, or of the property that is expected next.
    next: usize,
    seen: Bits,
    /// Required names without a property of their own that were found.
    extra: usize,
    pending: Vec<(ValueRef<'d>, ShapeId)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Also,
    Union,
    Children,
}

enum Children<'d> {
    None,
    Items(Items<'d>),
    Members(Members<'d>),
}

enum Advance<'s, 'd> {
    Done(bool),
    Down(Frame<'s, 'd>),
}

/// What comes of entering a value: a verdict, or a frame to go on with.
enum Entered<'s, 'd> {
    Known(bool),
    Open(Frame<'s, 'd>),
}

impl<'s, 'd> Walker<'s, 'd> {
    pub(crate) fn new(
        shapes: &'s Shapes,
        judge: &'s Judge,
        normal: &'s Value,
        undeclared: Undeclared,
    ) -> Self {
        Self {
            shapes,
            judge,
            normal,
            undeclared,
            trusts_whole: false,
            stack: Vec::new(),
            memo: HashMap::new(),
            trials: 0,
        }
    }

    /// The same walker after `jsonschema` found the whole value valid.
    pub(crate) fn trusting_whole(self) -> Self {
        Self {
            trusts_whole: true,
            ..self
        }
    }

    /// The same walker, remembering everything it finds about containers.
    pub(crate) fn remembering(self) -> Self {
        Self { trials: 1, ..self }
    }

    /// Whether a value fits a shape.
    pub(crate) fn holds(&mut self, value: ValueRef<'d>, id: ShapeId, scope: Scope) -> bool {
        let mut frame = match self.enter(value, id, scope) {
            Entered::Known(verdict) => return verdict,
            Entered::Open(frame) => frame,
        };
        let mut fed = None;
        loop {
            match self.advance(&mut frame, fed.take()) {
                Advance::Down(child) => self.stack.push(mem::replace(&mut frame, child)),
                Advance::Done(verdict) => {
                    self.leave_union(&mut frame);
                    if frame.remember {
                        self.memo
                            .insert(key(frame.value, frame.id, frame.scope), verdict);
                    }
                    match self.stack.pop() {
                        Some(parent) => frame = parent,
                        None => return verdict,
                    }
                    fed = Some(verdict);
                }
            }
        }
    }

    /// Whether a subschema with keywords that the walker does not judge admits a value.
    pub(crate) fn asks(&self, shape: &Shape, value: ValueRef<'d>) -> bool {
        self.judge
            .oracle
            .part_holds(self.normal, &shape.normal, Instance::Value(value))
    }

    #[inline]
    fn enter(&mut self, value: ValueRef<'d>, id: ShapeId, scope: Scope) -> Entered<'s, 'd> {
        let shapes = self.shapes;
        let shape = shapes.get(id);
        if !self.judge.keeps(id, shape, value) {
            return Entered::Known(false);
        }
        let children = self.children(shape, value, scope);
        let plain = shape.also.is_empty() && shape.union.is_none() && !shape.unusual;
        if plain && matches!(children, Children::None) {
            return Entered::Known(true);
        }
        self.open(value, id, scope, children)
    }

    /// The part of [`enter`](Self::enter) for what cannot be judged at once.
    fn open(
        &mut self,
        value: ValueRef<'d>,
        id: ShapeId,
        scope: Scope,
        children: Children<'d>,
    ) -> Entered<'s, 'd> {
        let shapes = self.shapes;
        let shape = shapes.get(id);
        let is_container = matches!(value.kind(), Kind::Array | Kind::Object);
        let remember = self.trials > 0 && is_container;
        if remember && let Some(verdict) = self.memo.get(&key(value, id, scope)) {
            return Entered::Known(*verdict);
        }
        if shape.unusual && (self.trials > 0 || !self.trusts_whole) && !self.asks(shape, value) {
            if remember {
                self.memo.insert(key(value, id, scope), false);
            }
            return Entered::Known(false);
        }
        let seen = match (&shape.object, value.kind()) {
            (Some(rules), Kind::Object) => {
                SmallVec::from_elem(0, rules.properties.len().div_ceil(64))
            }
            _ => SmallVec::new(),
        };
        Entered::Open(Frame {
            value,
            id,
            shape,
            scope,
            stage: Stage::Also,
            at: 0,
            hits: 0,
            only: None,
            is_trial: false,
            remember,
            children,
            next: 0,
            seen,
            extra: 0,
            pending: Vec::new(),
        })
    }

    /// What of a value's content the shape has something to say about.
    #[inline]
    fn children(&self, shape: &Shape, value: ValueRef<'d>, scope: Scope) -> Children<'d> {
        match value.kind() {
            Kind::Array => match &shape.array {
                Some(rules) if rules.items.is_some() || !rules.prefix.is_empty() => {
                    Children::Items(value.items())
                }
                _ => Children::None,
            },
            Kind::Object if shape.object.is_some() => Children::Members(value.members()),
            Kind::Object
                if self.undeclared == Undeclared::Reject
                    && scope == Scope::Own
                    && !shape.also.is_empty() =>
            {
                Children::Members(value.members())
            }
            _ => Children::None,
        }
    }

    fn advance(&mut self, frame: &mut Frame<'s, 'd>, fed: Option<bool>) -> Advance<'s, 'd> {
        let mut fed = fed;
        if frame.stage == Stage::Also {
            if let Some(advance) = self.also(frame, fed.take()) {
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

    fn also(&mut self, frame: &mut Frame<'s, 'd>, fed: Option<bool>) -> Option<Advance<'s, 'd>> {
        if fed == Some(false) {
            return Some(Advance::Done(false));
        }
        let scope = Scope::Within;
        while let Some(part) = frame.shape.also.get(frame.at) {
            frame.at += 1;
            match self.enter(frame.value, *part, scope) {
                Entered::Known(true) => {}
                Entered::Known(false) => return Some(Advance::Done(false)),
                Entered::Open(child) => return Some(Advance::Down(child)),
            }
        }
        None
    }

    /// Decides which branches have to be tried, and whether that is more than one.
    fn plan_union(&mut self, frame: &mut Frame<'s, 'd>, union: &Union) {
        frame.at = 0;
        if let Some(tag) = union.tag.as_ref().filter(|tag| !tag.declared)
            && frame.value.kind() == Kind::Object
        {
            // A branch that does not exist stands for none.
            frame.only = Some(tagged_branch(tag, frame.value).unwrap_or(u32::MAX));
        } else {
            let candidates = union.branches.iter();
            let candidates =
                candidates.filter(|&&branch| self.may_hold(union, branch, frame.value));
            frame.is_trial = candidates.take(2).count() > 1;
            self.trials += u32::from(frame.is_trial);
        }
    }

    fn leave_union(&mut self, frame: &mut Frame<'s, 'd>) {
        self.trials -= u32::from(mem::take(&mut frame.is_trial));
    }

    /// A quick look at a branch: the type of the value, and its tag if one is declared.
    pub(crate) fn may_hold(&self, union: &Union, branch: ShapeId, value: ValueRef<'d>) -> bool {
        let shape = self.shapes.get(branch);
        if !rules::admits(shape.types, value) {
            return false;
        }
        let (Some(tag), Kind::Object) = (&union.tag, value.kind()) else {
            return true;
        };
        let Some(rules) = &shape.object else {
            return true;
        };
        let Some(&at) = rules.table.get(&tag.property) else {
            return true;
        };
        let property = &rules.properties[at as usize];
        match (
            value.get(&tag.property),
            &self.shapes.get(property.shape).literals,
        ) {
            (None, _) => !property.required,
            (Some(found), Some(literals)) => literals
                .iter()
                .any(|literal| crate::instance::equals(found, literal)),
            (Some(_), None) => true,
        }
    }

    fn union(
        &mut self,
        frame: &mut Frame<'s, 'd>,
        union: &Union,
        fed: Option<bool>,
    ) -> Option<Advance<'s, 'd>> {
        let mut verdict = fed;
        let scope = undeclared::scope_of_branches(frame.shape, frame.scope);
        loop {
            if verdict.take() == Some(true) {
                frame.hits += 1;
                if !union.exclusive {
                    return None;
                }
                if frame.hits > 1 {
                    return Some(Advance::Done(false));
                }
            }
            let at = match frame.only {
                Some(only) if frame.at == 0 => only as usize,
                Some(_) => usize::MAX,
                None => frame.at,
            };
            let Some(&branch) = union.branches.get(at) else {
                return (frame.hits != 1).then_some(Advance::Done(false));
            };
            frame.at += 1;
            if frame.only.is_none() && !self.may_hold(union, branch, frame.value) {
                continue;
            }
            match self.enter(frame.value, branch, scope) {
                Entered::Known(known) => verdict = Some(known),
                Entered::Open(child) => return Some(Advance::Down(child)),
            }
        }
    }

    fn items(&mut self, frame: &mut Frame<'s, 'd>) -> Advance<'s, 'd> {
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
            match self.enter(item, shape, Scope::Own) {
                Entered::Known(true) => {}
                Entered::Known(false) => return Advance::Done(false),
                Entered::Open(child) => return Advance::Down(child),
            }
        }
        Advance::Done(true)
    }

    fn members(&mut self, frame: &mut Frame<'s, 'd>) -> Advance<'s, 'd> {
        let shape = frame.shape;
        let Some(rules) = &shape.object else {
            return Advance::Done(self.declares_all(frame));
        };
        loop {
            let (value, child) = match frame.pending.pop() {
                Some(waiting) => waiting,
                None => match self.next_member(frame, rules) {
                    Member::Judge(value, child) => (value, child),
                    Member::Free => continue,
                    Member::Unwanted => return Advance::Done(false),
                    Member::None => break,
                },
            };
            match self.enter(value, child, Scope::Own) {
                Entered::Known(true) => {}
                Entered::Known(false) => return Advance::Done(false),
                Entered::Open(child) => return Advance::Down(child),
            }
        }
        let required = &self.judge.plan(frame.id).required;
        let complete = required
            .iter()
            .zip(&frame.seen)
            .all(|(asked, seen)| asked & !seen == 0);
        Advance::Done(complete && frame.extra == rules.required_undeclared.len())
    }

    #[inline]
    fn next_member(&self, frame: &mut Frame<'s, 'd>, rules: &ObjectRules) -> Member<'d> {
        let Children::Members(members) = &mut frame.children else {
            return Member::None;
        };
        let Some((key, value)) = members.next_keyed() else {
            return Member::None;
        };
        let known = find_property(rules, frame.next, key);
        if let Some(at) = known {
            frame.next = at + 1;
            frame.seen[at / 64] |= 1 << (at % 64);
            if rules.patterns.is_empty() {
                return Member::Judge(value, rules.properties[at].shape);
            }
        }
        self.unlisted(
            frame,
            rules,
            key,
            value,
            known.map(|at| rules.properties[at].shape),
        )
    }

    /// A member that is no property, or a property where names also have patterns. What it has to
    /// fit besides waits in `pending`.
    fn unlisted(
        &self,
        frame: &mut Frame<'s, 'd>,
        rules: &ObjectRules,
        key: Key<'d>,
        value: ValueRef<'d>,
        known: Option<ShapeId>,
    ) -> Member<'d> {
        let name = key.decoded();
        let checks = &self.judge.plan(frame.id).names;
        let mut fits = known;
        for (check, (_, shape)) in checks.iter().zip(&rules.patterns) {
            if self.judge.holds(*check, Instance::Text(&name)) {
                frame
                    .pending
                    .extend(fits.replace(*shape).map(|shape| (value, shape)));
            }
        }
        if known.is_none()
            && rules
                .required_undeclared
                .iter()
                .any(|asked| **asked == *name)
        {
            frame.extra += 1;
        }
        match (fits, rules.additional) {
            (Some(shape), _) | (None, Additional::Open(shape)) => Member::Judge(value, shape),
            (None, Additional::Forbidden) => Member::Unwanted,
            (None, Additional::Silent) if self.rejects(frame, &name) => Member::Unwanted,
            (None, Additional::Silent) => Member::Free,
        }
    }

    fn rejects(&self, frame: &Frame<'s, 'd>, name: &str) -> bool {
        self.undeclared == Undeclared::Reject
            && frame.scope == Scope::Own
            && !undeclared::allows(self.shapes, self.judge, frame.id, name)
    }

    /// For a shape without members of its own that consists of parts: whether the parts together
    /// declare every member.
    fn declares_all(&self, frame: &Frame<'s, 'd>) -> bool {
        frame
            .value
            .members()
            .all(|(name, _)| !self.rejects(frame, &name))
    }
}

/// What the next member of an object has to be.
enum Member<'d> {
    /// It has to fit that shape.
    Judge(ValueRef<'d>, ShapeId),
    /// Anything.
    Free,
    /// It may not be there.
    Unwanted,
    /// There is no further one.
    None,
}

fn key(value: ValueRef<'_>, id: ShapeId, scope: Scope) -> (u32, u32, bool) {
    (value.id().index() as u32, id.0, scope == Scope::Own)
}

/// The branch that an object's tag names.
pub(crate) fn tagged_branch(tag: &Tag, value: ValueRef<'_>) -> Option<u32> {
    let name = value.get(&tag.property)?.as_str()?;
    tag.branches
        .iter()
        .find(|(known, _)| **known == *name)
        .map(|(_, branch)| *branch)
}

/// Where a name stands among the properties; `guess` is looked at first.
#[inline]
pub(crate) fn find_property(rules: &ObjectRules, guess: usize, key: Key<'_>) -> Option<usize> {
    if let Some(property) = rules.properties.get(guess)
        && key.is(&property.name)
    {
        return Some(guess);
    }
    if rules.properties.len() <= 8 {
        return rules
            .properties
            .iter()
            .position(|property| key.is(&property.name));
    }
    rules.table.get(&*key.decoded()).map(|&at| at as usize)
}
