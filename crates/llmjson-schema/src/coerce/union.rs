//! Unions: choosing the intended branch.
//!
//! A branch that fits without changes wins, then the branch that the tag names, then the only
//! branch of the value's type, then the cheapest branch to which the value can be coerced. If two
//! different results have the same cost, the choice is ambiguous, and the value stays unchanged.

mod select;

use std::borrow::Cow;

use llmjson_syntax::{Kind, NodeId, ValueRef};
use smallvec::SmallVec;

use super::layout::tags::Choice;
use super::log::Changes;
use super::state::{Branches, CONTAINERS, Call, Coercer, Frame, Next, Outcome, Round, UnionFrame};
use crate::base::equality;
use crate::base::report::CoercionKind;
use crate::ir::shape::{Shape, ShapeId, Types, Union};

/// Number of values that are compared to decide whether two results are the same.
const COMPARED: usize = 4096;

enum TagFound {
    Branch(ShapeId),
    Unknown,
    None,
}

impl<'c> Coercer<'c, '_> {
    pub(super) fn union(&mut self, call: Call) -> Next {
        let shape = self.shapes.get(call.shape);
        let Some(union) = shape.union.as_deref() else {
            return self.own(call);
        };
        let mut call = call.with(Call::REMEMBER);
        if self.options.plain_fields && self.leaves_choice(call.shape) {
            call = call.with(Call::JUDGE);
        }
        if let Some((node, changes)) = self.open_tagged(call, union) {
            let call = Call { node, ..call }.with(Call::NO_ENVELOPE);
            return self.start(call, union, changes);
        }
        // `{"Circle": {"r": 2}}` for `{"type": "Circle", "r": 2}`
        if let Some(laid) = self.other_tagging(call, Choice::of(union)) {
            return self.read_for_union(CoercionKind::OtherLayout, call, laid);
        }
        // `"[1]"` where a string or an array is allowed, on request.
        if self.options.parses_fitting()
            && !call.has(Call::JUDGE)
            && let Some((node, kind @ CoercionKind::TextToContainer)) =
                self.container_in_text(call, self.shapes.types_of(call.shape).and(CONTAINERS))
        {
            return self.read_for_union(kind, call, (node, kind.class()));
        }
        self.start(call, union, Changes::none())
    }

    /// Handles a union for a value whose layout is not converted.
    pub(super) fn union_as_it_stands(&mut self, call: Call) -> Next {
        match self.shapes.get(call.shape).union.as_deref() {
            Some(union) => self.start(call.with(Call::REMEMBER), union, Changes::none()),
            None => self.own(call),
        }
    }

    fn start(&mut self, call: Call, union: &'c Union, changes: Changes) -> Next {
        let mut frame = UnionFrame {
            call,
            changes,
            round: Round::Exact,
            left: Branches::new(),
            found: Types::of_value(self.value(call.node)),
            meant: None,
            meant_result: None,
            tagged: false,
            best: None,
            tied: false,
            valid: false,
            partial: SmallVec::new(),
            nearest: None,
        };
        if !call.has(Call::JUDGE) {
            match self.tag(call.node, union) {
                // `{"kind": "cat", …}`: the tag decides, even if another branch would fit with
                // fewer changes.
                TagFound::Branch(branch) => (frame.meant, frame.tagged) = (Some(branch), true),
                TagFound::Unknown => frame.tagged = true,
                TagFound::None => frame.meant = self.only_alike(&frame, union),
            }
        }
        if frame.meant.is_some() {
            frame.round = Round::Meant;
            frame.left = frame.meant.into_iter().collect();
        } else {
            frame.left = self.exact_branches(&frame, union);
        }
        self.next_branch(Box::new(frame))
    }

    /// Returns `true` if a union has alternatives other than null.
    pub(super) fn leaves_choice(&self, id: ShapeId) -> bool {
        let branches = self.shapes.get(id).branches().iter();
        let mut others = branches.filter(|id| self.shapes.types_of(**id) != Types::NULL);
        others.nth(1).is_some()
    }

    /// Returns the branch that the tag of an object names.
    fn tag(&mut self, node: NodeId, union: &Union) -> TagFound {
        let Some(tag) = &union.tag else {
            return TagFound::None;
        };
        let value = self.value(node);
        let Some(given) = value.get(&tag.property) else {
            return TagFound::None;
        };
        let Some(given) = said_by(given) else {
            return TagFound::Unknown;
        };
        let meant = union.meant_by(self.shapes, &given);
        meant.map_or(TagFound::Unknown, TagFound::Branch)
    }

    fn next_branch(&mut self, mut frame: Box<UnionFrame>) -> Next {
        loop {
            if let Some(branch) = frame.left.last() {
                if self.is_spent() {
                    // Undecided, as for two equally near results.
                    let as_is = Outcome::agreeing(frame.call.node);
                    return Next::Done(self.chosen(&frame, as_is));
                }
                let mut call = Call {
                    shape: *branch,
                    ..frame.call
                };
                if frame.round == Round::Exact {
                    call = call.with(Call::JUDGE);
                } else if frame.tagged {
                    call = call.with(Call::TAGGED);
                }
                return self.wait(Frame::Union(frame), call);
            }
            match self.next_round(&mut frame) {
                None => {}
                Some(next) => return next,
            }
        }
    }

    pub(super) fn resume_union(&mut self, mut frame: Box<UnionFrame>, outcome: Outcome) -> Next {
        let branch = frame.left.pop().expect("a branch was asked about");
        if frame.round == Round::Fill {
            return Next::Done(self.chosen(&frame, outcome));
        }
        if outcome.is_exact() && outcome.node == frame.call.node {
            // A walk that only judges inserts no defaults, so the fitting branch is walked again
            // for them.
            let judged = frame.round == Round::Exact;
            if judged && !frame.call.has(Call::JUDGE) && self.options.fills() {
                frame.round = Round::Fill;
                frame.left = [branch].into_iter().collect();
                return self.next_branch(frame);
            }
            return Next::Done(self.chosen(&frame, outcome));
        }
        match frame.round {
            Round::Meant => {
                // Bounds do not decide: a scalar of one branch's type belongs to that branch.
                let value = self.value(frame.call.node);
                let lacks = self.is_of_other_form(value, branch);
                let scalar =
                    !lacks && !Types::of_value(self.value(frame.call.node)).meets(CONTAINERS);
                // `500` for `anyOf: [{"type": "integer", "maximum": 100}, {"type": "string"}]`: the
                // only branch for numbers is intended, and its bound is reported.
                if scalar && outcome.agrees && outcome.changes.is_empty() {
                    return Next::Done(self.chosen(&frame, outcome));
                }
                frame.meant_result = Some(outcome);
            }
            Round::Exact => {
                if frame.call.has(Call::JUDGE) && outcome.conforms {
                    self.consider(&mut frame, outcome);
                }
                frame.valid |= outcome.conforms;
            }
            Round::Nearest if !outcome.conforms => {
                frame.nearest = outcome.agrees.then_some(outcome);
            }
            Round::Alike | Round::Nearest | Round::Rest | Round::Fill => {
                if outcome.conforms {
                    self.consider(&mut frame, outcome);
                } else if outcome.agrees {
                    frame.partial.push((branch, outcome));
                }
            }
        }
        self.next_branch(frame)
    }

    /// Keeps the cheapest result.
    fn consider(&mut self, frame: &mut UnionFrame, outcome: Outcome) {
        let Some(best) = &frame.best else {
            frame.best = Some(outcome);
            return;
        };
        let (cost, least) = (outcome.changes.cost, best.changes.cost);
        if cost < least {
            (frame.best, frame.tied) = (Some(outcome), false);
        } else if cost == least {
            let (one, other) = (self.value(best.node), self.value(outcome.node));
            let mut left = COMPARED;
            frame.tied |= !equality::equal_within(one, other, &mut left);
            self.charge(COMPARED - left);
        }
    }

    /// Begins the next round, or ends.
    fn next_round(&mut self, frame: &mut UnionFrame) -> Option<Next> {
        let shape = self.shapes.get(frame.call.shape);
        let union = shape
            .union
            .as_deref()
            .expect("the frame stands for a union");
        match frame.round {
            Round::Meant => {
                if let Some(result) = frame.meant_result.filter(|result| result.conforms)
                    && !frame.tagged
                {
                    return Some(Next::Done(self.chosen(frame, result)));
                }
                frame.round = Round::Exact;
                frame.left = self.exact_branches(frame, union);
            }
            Round::Exact => {
                if let Some(result) = self.without_coercion(frame, union) {
                    return Some(Next::Done(result));
                }
                if let Some(next) = self.read_text(frame, shape, union) {
                    return Some(next);
                }
                frame.round = Round::Alike;
                frame.left = match frame.meant {
                    Some(_) => Branches::new(),
                    None => self.alike_branches(frame, union),
                };
            }
            Round::Alike => {
                if let Some(next) = self.end_with_best(frame) {
                    return Some(next);
                }
                if frame.meant.is_none()
                    && let Some(branch) = self.only_partial(frame, union)
                {
                    let mut known = frame.partial.iter();
                    match known.find(|(known, _)| *known == branch) {
                        Some((_, outcome)) => frame.nearest = Some(*outcome),
                        None => frame.left.push(branch),
                    }
                }
                frame.partial.clear();
                frame.round = Round::Nearest;
            }
            Round::Nearest => {
                if let Some(next) = self.end_with_best(frame) {
                    return Some(next);
                }
                frame.round = Round::Rest;
                frame.left = self.other_branches(frame, union);
            }
            Round::Rest | Round::Fill => {
                if let Some(next) = self.end_with_best(frame) {
                    return Some(next);
                }
                let result = frame
                    .meant_result
                    .filter(|result| result.agrees)
                    .or(frame.nearest)
                    .or_else(|| self.only_other(frame, union))
                    .unwrap_or(Outcome::unfit(frame.call.node));
                return Some(Next::Done(self.chosen(frame, result)));
            }
        }
        None
    }

    /// Returns the result if no branch that would change the value is tried.
    fn without_coercion(&mut self, frame: &UnionFrame, union: &Union) -> Option<Outcome> {
        let node = frame.call.node;
        if frame.call.has(Call::JUDGE) {
            let result = frame.best.unwrap_or(Outcome::unfit(node));
            return Some(Outcome { node, ..result });
        }
        // `{"type": "circle", "r": "big"}`: the tag identifies the intended branch, whether the
        // value fits or not.
        if frame.tagged {
            let result = frame.meant_result.unwrap_or(Outcome::agreeing(node));
            return Some(self.chosen(frame, result));
        }
        // If only one branch may hold, coercing to another one could make two hold.
        if union.exclusive && frame.valid {
            let changes = Changes::undeclared(1);
            let as_is = Outcome::fit(node);
            return Some(self.chosen(frame, Outcome { changes, ..as_is }));
        }
        None
    }

    fn end_with_best(&mut self, frame: &UnionFrame) -> Option<Next> {
        let best = frame.best?;
        let as_is = Outcome::agreeing(frame.call.node);
        let result = if frame.tied { as_is } else { best };
        Some(Next::Done(self.chosen(frame, result)))
    }

    /// Returns the result for the original value.
    fn chosen(&mut self, frame: &UnionFrame, outcome: Outcome) -> Outcome {
        let changes = self.log.both(frame.changes, outcome.changes);
        Outcome { changes, ..outcome }
    }

    /// Reads the JSON in a string first, so that its tag can be seen.
    fn read_text(&mut self, frame: &UnionFrame, shape: &Shape, union: &'c Union) -> Option<Next> {
        let call = frame.call;
        if self.value(call.node).kind() != Kind::String {
            return None;
        }
        // `"{\"kind\": \"cat\"}"`: the content of the string must have a type that some branch
        // accepts.
        let either = self.shapes.types_of(call.shape);
        let wanted = shape.types.and(either).and(call.mask);
        let (inner, kind) = self.container_in_text(call, wanted)?;
        let change = self.log.change(kind, call.node, Some(inner));
        let changes = self.log.both(frame.changes, change);
        let call = Call {
            node: inner,
            level: call.level + 1,
            ..call
        };
        Some(self.start(call, union, changes))
    }

    /// Returns the result of the only branch that could coerce the value, if no branch accepts a
    /// value of that type: for example an array around the value, with a violation inside.
    fn only_other(&mut self, frame: &UnionFrame, union: &'c Union) -> Option<Outcome> {
        match frame.partial[..] {
            [(_, only)] if self.alike(frame, union).is_empty() => Some(only),
            _ => None,
        }
    }
}

/// Returns the string that a tag is or will become: a single one in an array, a number's digits, a
/// boolean's word.
fn said_by(tag: ValueRef<'_>) -> Option<Cow<'_, str>> {
    match tag.kind() {
        Kind::String => tag.as_str(),
        Kind::Number => tag.as_number().map(Cow::Borrowed),
        Kind::Bool => Some(Cow::Borrowed(match tag.as_bool() {
            Some(true) => "true",
            _ => "false",
        })),
        Kind::Array if tag.len() == 1 => tag.item(0)?.as_str(),
        Kind::Null | Kind::Array | Kind::Object => None,
    }
}
