//! All violations of a value, collected after it was found not to conform.
//!
//! The value is walked in order with a task list instead of recursion. Only the intended branch of
//! a union is entered (see `best_branch`), so a wrong leaf deep inside gives one violation at the
//! leaf.

mod best_branch;
mod conditions;
mod messages;
mod trail;

use std::cmp::Ordering;
use std::collections::HashSet;

use llmjson_syntax::internal::decimal;
use llmjson_syntax::{Key, NodeId, ValueRef, Work};

use crate::base::hash::NumberSet;
use crate::base::report::{Found, Violation};
use crate::base::undeclared::Undeclared;
use crate::check::fast_check::{Findings, PartChecks, Settled};
use crate::check::keywords::Broken;
use crate::check::undeclared::{self, Scope};
use crate::check::validator::Walker;
use crate::check::walk::{self, Advance, Goal, Judge, Place, Seen, Sink, Stage};
use crate::describe::words::Words;
use crate::explain::nearest::Suggestions;
use crate::ir::bounds::NumberKeyword;
use crate::ir::shape::{NumberRules, ShapeId, Shapes};
use crate::normal::tree::Tree;
use crate::schema::Compiled;
use best_branch::Choice;
use trail::Trail;

/// Collects the violations of one value.
pub(crate) struct Collector<'s, 'd> {
    shapes: &'s Shapes,
    tree: &'s Tree,
    walker: Walker<'s, 'd>,
    part_checks: PartChecks<'s>,
    trail: Trail<'d>,
    violations: Vec<Violation>,
    /// Parts and branches with which a value was already compared.
    visited: NumberSet<(NodeId, ShapeId)>,
    suggestions: Suggestions,
    /// The requirements of shapes in words, and their places in the schema.
    words: &'s [Words],
    /// Number of violations that may still be listed one by one.
    room: usize,
    unlisted: usize,
}

/// The maximum number of listed violations, in addition to one for each value: each object in an
/// array may lack a thousand members.
const LISTED_MAX: usize = 10_000;

/// The message if it is unclear which branch of a union was meant.
const TIED: &str = "It is ambiguous which of the alternatives the value at this path is meant to \
                    be.\n\nPlease make it fit exactly one of them next time.";

/// The message if several branches hold of which one should.
const SEVERAL: &str = "The value at this path fits more than one of the alternatives.\n\n\
                       Please make it fit exactly one of them next time.";

/// Data about one check of a value.
#[derive(Default)]
pub(crate) struct Note {
    /// The number of earlier violations, if there is something to report at its end.
    before: Option<usize>,
    /// The members of an object, once one of them may be forbidden.
    present: Option<Seen>,
}

type Frame<'s, 'd> = walk::Frame<'s, 'd, Note>;

impl<'s, 'd> Collector<'s, 'd> {
    /// Creates a walk that continues from earlier findings about containers in the same document.
    pub(crate) fn new(
        compiled: &'s Compiled,
        undeclared: Undeclared,
        findings: Findings,
        work: Work,
    ) -> Self {
        let (shapes, keywords) = (&compiled.shapes, compiled.keywords());
        Self {
            shapes,
            tree: &compiled.tree,
            walker: compiled.walker(undeclared, work).remembering(),
            part_checks: PartChecks::new(shapes, keywords, undeclared, findings),
            trail: Trail::default(),
            violations: Vec::new(),
            visited: NumberSet::default(),
            suggestions: Suggestions::default(),
            words: compiled.words(),
            room: LISTED_MAX,
            unlisted: 0,
        }
    }

    /// Returns all violations of a nonconforming value, and the work budget.
    pub(crate) fn collect(mut self, value: ValueRef<'d>) -> (Vec<Violation>, Work) {
        self.room = value.document_nodes().saturating_add(LISTED_MAX);
        let goal = Goal::new(value, self.shapes.root, Scope::Own);
        walk::walk(&mut self, goal);
        self.count_unlisted(value);
        (self.violations, self.walker.judge.work.get())
    }

    /// Returns `true` if no more values may be examined.
    fn is_spent(&self) -> bool {
        self.walker.judge.is_spent()
    }
}

impl<'s, 'd> Sink<'s, 'd> for Collector<'s, 'd> {
    type Note = Note;

    fn judge(&self) -> &Judge<'s> {
        &self.walker.judge
    }

    /// Answers calls whose result is known, including parts and branches with which the value was
    /// already compared.
    fn enter(&mut self, goal: Goal<'d>) -> Option<bool> {
        let Goal { value, id, .. } = goal;
        let is_done = match goal.is_child {
            true => self.part_checks.fits(value, id),
            false => !self.visited.insert((value.id(), id)),
        };
        is_done.then_some(true)
    }

    fn begin(&mut self, frame: &mut Frame<'s, 'd>, place: Option<Place<'d>>) -> Settled {
        #[cfg(test)]
        crate::steps::count();
        let Goal { value, id, .. } = frame.goal;
        if let Some(place) = place {
            self.trail.push(place);
        }
        let (judge, shape) = (&self.walker.judge, frame.shape);
        judge.charge(1 + value.len());
        // All violations are reported at once: a model that sees one at a time needs as many turns.
        let broken = (judge.keywords).broken(id, shape, value, &judge.work);
        for rule in &broken {
            if !is_said_by_another(*rule, &broken, shape.number.as_deref()) {
                self.broken(frame.goal, shape, *rule);
            }
        }
        if matches!(broken.first(), Some(Broken::Type | Broken::Literals)) {
            frame.stage = Stage::Over;
        } else if !shape.conditions.is_empty() {
            frame.note.before = Some(self.violations.len());
        }
        self.part_checks.settled(value.id(), id)
    }

    /// Conditions are checked at the end, after the value's content.
    fn conditions(&mut self, _: &mut Frame<'s, 'd>, _: Option<bool>) -> Option<Advance<'d>> {
        None
    }

    /// Reports the violations of the intended branch.
    fn union(&mut self, frame: &mut Frame<'s, 'd>, branch: Option<bool>) -> Option<Advance<'d>> {
        let (goal, union) = (frame.goal, frame.shape.union.as_deref()?);
        if branch.is_some() {
            return None;
        }
        let scope = undeclared::scope_of_branches(frame.shape, goal.scope);
        let (keyword, expected, hint) = match self.choose(goal.value, union, scope) {
            Choice::Holds => return None,
            // Whether another branch holds is unknown.
            _ if self.is_spent() => return None,
            Choice::Branch(branch) => {
                let goal = goal.part(branch, scope);
                return match self.enter(goal) {
                    None => Some(Advance::Down(goal)),
                    Some(_) => None,
                };
            }
            Choice::Tag(tag) => {
                self.wrong_tag(goal.id, tag, goal.value);
                return None;
            }
            Choice::Several => ("oneOf", self.whole(goal.id), Some(SEVERAL)),
            choice @ (Choice::None | Choice::Tied) => {
                let keyword = if union.exclusive { "oneOf" } else { "anyOf" };
                let expected = self.optional(goal, self.whole(goal.id));
                let hint = matches!(choice, Choice::Tied).then_some(TIED);
                (keyword, expected, hint)
            }
        };
        let hint = hint.map(|hint| self.share(hint));
        self.report(
            goal.id,
            keyword,
            expected,
            Found::Value(goal.value.id()),
            hint,
        );
        None
    }

    fn unwanted(
        &mut self,
        frame: &mut Frame<'s, 'd>,
        key: Key<'d>,
        value: ValueRef<'d>,
    ) -> Option<Advance<'d>> {
        let Goal {
            value: object, id, ..
        } = frame.goal;
        let name = key.decoded();
        let present = &mut frame.note.present;
        let meant = (frame.shape.object.as_deref()).and_then(|rules| {
            // The intended member is more likely a missing one, so all must be known.
            let seen = present.get_or_insert_with(|| walk::present(rules, object));
            self.meant(id, rules, seen, &name)
        });
        self.say_unwanted(id, &name, value, meant);
        None
    }

    fn lacks(&mut self, frame: &Frame<'s, 'd>) -> Advance<'d> {
        let Goal { value, id, .. } = frame.goal;
        if let Some(rules) = &frame.shape.object {
            for at in rules.lacks(|at| frame.seen.has(at)) {
                let property = &rules.properties[at];
                self.missing(id, &property.name, Some(property.shape));
            }
            // Most schemas declare all required members, which makes a table of keys unnecessary.
            let names: HashSet<_> = match rules.required_undeclared.is_empty() {
                true => HashSet::new(),
                false => value.members().map(|(name, _)| name).collect(),
            };
            let undeclared = rules.required_undeclared.iter();
            for name in undeclared.filter(|name| !names.contains(&***name)) {
                self.missing(id, name, None);
            }
        }
        Advance::Done(true)
    }

    fn end(&mut self, frame: &mut Frame<'s, 'd>, _: bool) {
        let Goal {
            value,
            id,
            is_child,
            ..
        } = frame.goal;
        if let Some(before) = frame.note.before
            && !self.is_spent()
        {
            self.settle(value, id, before);
        }
        if is_child {
            self.trail.leave();
        }
    }
}

/// Returns `true` if the violation of a number's bound can be omitted, because a tighter one on the
/// same side is violated too: `minimum` and `exclusiveMinimum`, or a bound and the range of an
/// integer format.
fn is_said_by_another(rule: Broken, broken: &[Broken], rules: Option<&NumberRules>) -> bool {
    let Some(rules) = rules else { return false };
    let mut others = broken.iter().filter(|other| **other != rule);
    match rule {
        Broken::Bound(keyword) => others.any(|other| match *other {
            Broken::Bound(other) => is_tighter(rules, other, keyword),
            Broken::Width => width_is_tighter(rules, keyword),
            _ => false,
        }),
        Broken::Width => others.any(|other| match *other {
            Broken::Bound(other) => !width_is_tighter(rules, other),
            _ => false,
        }),
        _ => false,
    }
}

/// Returns `true` if one bound is stricter than another on the same side; if they are equal, the
/// exclusive one is.
fn is_tighter(rules: &NumberRules, keyword: NumberKeyword, than: NumberKeyword) -> bool {
    let (Some(one), Some(other)) = (rules.bound(keyword), rules.bound(than)) else {
        return false;
    };
    let order = decimal::compare(&one.text, &other.text);
    let is_inclusive = matches!(keyword, NumberKeyword::Minimum | NumberKeyword::Maximum);
    keyword.is_lower() == than.is_lower()
        && match order {
            Ordering::Equal => !is_inclusive,
            order => order.is_gt() == keyword.is_lower(),
        }
}

/// Returns `true` if the range of an integer format is narrower than a bound.
fn width_is_tighter(rules: &NumberRules, than: NumberKeyword) -> bool {
    let (Some((_, low, high)), Some(bound)) = (&rules.width, rules.bound(than)) else {
        return false;
    };
    match than.is_lower() {
        true => decimal::compare(&low.to_string(), &bound.text).is_gt(),
        false => decimal::compare(&high.to_string(), &bound.text).is_lt(),
    }
}
