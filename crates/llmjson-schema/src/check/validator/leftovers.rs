//! Leftovers: the members and items that no other keyword evaluates, to which
//! `unevaluatedProperties` and `unevaluatedItems` apply.

use std::collections::HashSet;

use llmjson_syntax::{Key, Kind, ValueRef};

use super::Walker;
use crate::ir::evaluation::{EvaluationId, When};
use crate::ir::shape::ShapeId;

/// The search for leftovers, as calls and answers.
pub(crate) struct Leftovers<'d> {
    value: ValueRef<'d>,
    children: Vec<Child<'d>>,
    /// The parts still to visit, the next one last.
    open: Vec<Open>,
    seen: HashSet<u32>,
    /// The subject of the last question.
    asked: Option<Open>,
    rest: ShapeId,
    /// Index of the next child that may be left over.
    next: usize,
}

/// A member or an item.
struct Child<'d> {
    key: Option<Key<'d>>,
    value: ValueRef<'d>,
    is_left: bool,
}

#[derive(Clone, Copy)]
enum Open {
    /// The part that a subschema evaluates.
    Evaluation(EvaluationId),
    /// The next part, if the answer about the value is the expected one.
    If(ShapeId, bool, EvaluationId),
    /// A child that is evaluated if it fits a shape.
    Contains(usize, ShapeId),
    /// A child that is left over.
    Rest,
}

/// The next step of the search.
pub(crate) enum Step<'d> {
    Ask(ValueRef<'d>, ShapeId),
    Known(bool),
}

impl<'d> Leftovers<'d> {
    pub(crate) fn new(value: ValueRef<'d>, evaluated: EvaluationId, rest: ShapeId) -> Self {
        let child = |key, value| Child {
            key,
            value,
            is_left: true,
        };
        let children = match value.kind() {
            Kind::Object => {
                let members = value.members().keyed();
                members
                    .map(|(key, value)| child(Some(key), value))
                    .collect()
            }
            _ => value.items().map(|item| child(None, item)).collect(),
        };
        Self {
            value,
            children,
            open: vec![Open::Evaluation(evaluated)],
            seen: HashSet::new(),
            asked: None,
            rest,
            next: 0,
        }
    }

    /// Returns the next question, given the answer to the last one, or whether the leftovers fit.
    pub(crate) fn next(&mut self, walker: &Walker<'_, 'd>, answer: Option<bool>) -> Step<'d> {
        let holds = answer == Some(true);
        match self.asked.take() {
            Some(Open::If(_, wanted, id)) if holds == wanted => {
                self.open.push(Open::Evaluation(id));
            }
            Some(Open::Contains(at, _)) => self.children[at].is_left &= !holds,
            Some(Open::Rest) if !holds => return Step::Known(false),
            _ => {}
        }
        while let Some(open) = self.open.pop() {
            walker.charge(1);
            let (value, shape) = match open {
                Open::Evaluation(id) => {
                    self.look(walker, id);
                    continue;
                }
                Open::If(shape, ..) => (self.value, shape),
                Open::Contains(at, shape) if self.children[at].is_left => {
                    (self.children[at].value, shape)
                }
                Open::Contains(..) | Open::Rest => continue,
            };
            self.asked = Some(open);
            return Step::Ask(value, shape);
        }
        let mut left = self.children[self.next..].iter();
        let Some(at) = left.position(|child| child.is_left) else {
            return Step::Known(true);
        };
        walker.charge(at + 1);
        self.next += at + 1;
        self.asked = Some(Open::Rest);
        Step::Ask(self.children[self.next - 1].value, self.rest)
    }

    /// Records the members and items that a subschema evaluates, and the questions about its parts.
    fn look(&mut self, walker: &Walker<'_, 'd>, id: EvaluationId) {
        if !self.seen.insert(id.0) {
            return;
        }
        let evaluation = walker.judge.shapes.evaluation(id);
        walker.charge(self.children.len() + evaluation.parts.len());
        for (at, child) in self.children.iter_mut().enumerate() {
            if !child.is_left {
                continue;
            }
            child.is_left = match child.key {
                Some(_) if evaluation.all_members => false,
                Some(key) => {
                    let name = key.decoded();
                    let is_named = || {
                        let names = &evaluation.names;
                        names.binary_search_by(|one| (**one).cmp(&name)).is_ok()
                    };
                    let mut patterns = evaluation.patterns.iter();
                    !is_named() && !patterns.any(|shape| walker.name_holds(&name, *shape))
                }
                None => at >= evaluation.prefix && !evaluation.all_items,
            };
            if let (None, Some(shape)) = (child.key, evaluation.contains) {
                self.open.push(Open::Contains(at, shape));
            }
        }
        for (when, part) in &evaluation.parts {
            match when {
                When::Always => self.open.push(Open::Evaluation(*part)),
                When::Has(name) if self.value.get(name).is_some() => {
                    self.open.push(Open::Evaluation(*part));
                }
                When::Has(_) => {}
                When::Fits(shape) => self.open.push(Open::If(*shape, true, *part)),
                When::Misfits(shape) => self.open.push(Open::If(*shape, false, *part)),
            }
        }
    }
}
