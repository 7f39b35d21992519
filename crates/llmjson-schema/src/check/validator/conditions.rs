//! Conditions: whether a value satisfies other subschemas, and the consequences.

use llmjson_syntax::{Items, Kind, ValueRef};

use super::leftovers::{Leftovers, Step};
use super::{Frame, Walker};
use crate::base::undeclared::Undeclared;
use crate::check::undeclared::Scope;
use crate::check::walk::{Advance, Goal, Sink as _};
use crate::convert::document_from_value;
use crate::ir::conditions::{Condition, Rule};
use crate::ir::shape::ShapeId;

/// The progress of checking the conditions of a frame.
#[derive(Default)]
pub(super) struct Asking<'d> {
    /// The current condition.
    at: usize,
    /// Number of questions asked about it.
    step: usize,
    /// Number of items that match `contains`.
    hits: u64,
    items: Option<Items<'d>>,
    leftovers: Option<Leftovers<'d>>,
}

/// The next step of a condition.
enum Next<'d> {
    Ask(ValueRef<'d>, ShapeId),
    Known(bool),
}

impl<'s, 'd> Walker<'s, 'd> {
    /// Continues with the conditions of a shape; returns `None` if all hold.
    pub(super) fn ask_conditions(
        &mut self,
        frame: &mut Frame<'s, 'd>,
        fed: Option<bool>,
    ) -> Option<Advance<'d>> {
        let shape = frame.shape;
        let mut asking = frame.note.asking.take()?;
        let mut answer = fed;
        while let Some(condition) = shape.conditions.get(asking.at) {
            match self.next(condition, frame.goal.value, &mut asking, answer.take()) {
                Next::Known(false) => return Some(Advance::Done(false)),
                Next::Known(true) => {
                    let at = asking.at + 1;
                    *asking = Asking {
                        at,
                        ..Asking::default()
                    };
                }
                Next::Ask(value, id) => {
                    let goal = Goal::new(value, id, Scope::Asked);
                    asking.step += 1;
                    match self.enter(goal) {
                        Some(known) => answer = Some(known),
                        None => {
                            frame.note.asking = Some(asking);
                            return Some(Advance::Down(goal));
                        }
                    }
                }
            }
        }
        None
    }

    /// Returns the next step, given the answer to the previous question.
    fn next(
        &mut self,
        condition: &Condition,
        value: ValueRef<'d>,
        asking: &mut Asking<'d>,
        answer: Option<bool>,
    ) -> Next<'d> {
        match &condition.rule {
            Rule::Not(shape) => match answer {
                None => Next::Ask(value, *shape),
                Some(holds) => Next::Known(!holds),
            },
            Rule::If {
                test,
                then,
                otherwise,
            } => match (asking.step, answer) {
                (0, _) => Next::Ask(value, *test),
                (1, holds) => match if holds == Some(true) { then } else { otherwise } {
                    Some(branch) => Next::Ask(value, *branch),
                    None => Next::Known(true),
                },
                (_, holds) => Next::Known(holds == Some(true)),
            },
            Rule::Contains { item, least, most } => {
                if value.kind() != Kind::Array {
                    return Next::Known(true);
                }
                asking.hits += u64::from(answer == Some(true));
                if most.is_some_and(|most| asking.hits > most) {
                    return Next::Known(false);
                }
                if most.is_none() && asking.hits >= *least {
                    return Next::Known(true);
                }
                let items = asking.items.get_or_insert_with(|| value.items());
                match items.next() {
                    Some(next) => Next::Ask(next, *item),
                    None => Next::Known(asking.hits >= *least),
                }
            }
            Rule::Names(shape) => Next::Known(
                value.kind() != Kind::Object
                    || (value.members()).all(|(name, _)| self.name_holds(&name, *shape)),
            ),
            Rule::Members(rules) => {
                self.judge.charge(rules.len());
                let mut asked = rules.iter().filter(|(name, _)| has(value, name));
                Next::Known(asked.all(|(_, all)| {
                    self.judge.charge(all.len());
                    all.iter().all(|name| has(value, name))
                }))
            }
            Rule::Schemas(rules) => {
                if answer == Some(false) {
                    return Next::Known(false);
                }
                // Questions about missing members count as asked.
                while let Some((name, shape)) = rules.get(asking.step) {
                    self.judge.charge(1);
                    if has(value, name) {
                        return Next::Ask(value, *shape);
                    }
                    asking.step += 1;
                }
                Next::Known(true)
            }
            Rule::Leftovers { of, .. } if value.kind() != *of => Next::Known(true),
            Rule::Leftovers {
                evaluated, rest, ..
            } => {
                let leftovers = &mut asking.leftovers;
                let leftovers =
                    leftovers.get_or_insert_with(|| Leftovers::new(value, *evaluated, *rest));
                match leftovers.next(self, answer) {
                    Step::Ask(value, shape) => Next::Ask(value, shape),
                    Step::Known(holds) => Next::Known(holds),
                }
            }
        }
    }

    /// Returns `true` if the key of a member, as a string, fits a shape.
    pub(crate) fn name_holds(&self, name: &str, shape: ShapeId) -> bool {
        let document = document_from_value(&name.into());
        let Some(text) = document.root() else {
            return false;
        };
        let judge = &self.judge;
        let mut walker = Walker::new(
            judge.shapes,
            judge.keywords,
            judge.tree,
            Undeclared::Keep,
            judge.work.get(),
        );
        let holds = walker.holds(text, shape, Scope::Asked);
        self.judge.work.set(walker.judge.work.get());
        holds
    }
}

fn has(value: ValueRef<'_>, name: &str) -> bool {
    value.kind() == Kind::Object && value.get(name).is_some()
}
