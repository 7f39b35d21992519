//! All violations of a value, collected after it was found not to fit.
//!
//! The value is walked in its own order with a list of tasks instead of recursion. Of a union only
//! the branch that was meant is entered (see `best_branch`), so that a wrong leaf deep inside gives one
//! violation at the leaf.

mod best_branch;
mod conditions;
mod messages;
mod trail;

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

use llmjson_syntax::{Key, Kind, NodeId, ValueRef, Work};
use smallvec::SmallVec;

use crate::base::hash::NumberSet;
use crate::base::report::{Found, Meant, Violation};
use crate::base::undeclared::Undeclared;
use crate::check::fast_check::{Findings, PartChecks};
use crate::check::keywords::{Broken, KeywordChecks};
use crate::check::patterns::PATTERN;
use crate::check::undeclared::{self, Scope};
use crate::check::validator::{self, Walker};
use crate::describe::words::Words;
use crate::explain::nearest::Suggestions;
use crate::ir::bounds::NumberKeyword;
use crate::ir::shape::{Additional, NumberRules, ObjectRules, Shape, ShapeId, Shapes, Union};
use crate::normal::Normal;
use crate::schema::Compiled;
use best_branch::Choice;
use llmjson_syntax::decimal;
use trail::{Trail, TrailStep};

/// Collects the violations of one value.
pub(crate) struct Collector<'s, 'd> {
    shapes: &'s Shapes,
    keywords: &'s KeywordChecks,
    normal: &'s Normal,
    walker: Walker<'s, 'd>,
    part_checks: PartChecks<'s>,
    undeclared: Undeclared,
    trail: Trail<'d>,
    tasks: Vec<Task<'s, 'd>>,
    violations: Vec<Violation>,
    /// Parts and branches that a value was already compared with.
    visited: NumberSet<(NodeId, ShapeId)>,
    suggestions: Suggestions,
    /// The requirements of shapes in words, and their places in the schema.
    words: &'s [Words],
    /// Number of violations that may still be listed one by one.
    room: usize,
    unlisted: usize,
}

/// Maximum number of violations that are listed, besides one for each value: of a list of empty
/// objects each may lack a thousand members.
const LISTED_MAX: usize = 10_000;

/// The message if it is unclear which branch of a union was meant.
const TIED: &str = "It is ambiguous which of the alternatives the value at this path is meant to \
                    be.\n\nPlease make it fit exactly one of them next time.";

enum Task<'s, 'd> {
    /// Compares the value at the present path with one more shape.
    Part(Visit<'d>),
    /// Enters a child, and compares it.
    Child(TrailStep<'d>, Visit<'d>),
    /// Leaves the child.
    Out,
    /// Reports that a required member is missing.
    Missing {
        object: ShapeId,
        name: &'s str,
        shape: Option<ShapeId>,
    },
    /// Reports that a member may not be there.
    Unwanted(ShapeId, Unwanted<'d>),
    /// Checks conditions, now that the value has been looked through.
    Settle {
        value: ValueRef<'d>,
        shape: ShapeId,
        before: usize,
    },
}

/// A member that may not be there, and what it may have been meant to be.
struct Unwanted<'d> {
    key: Key<'d>,
    value: ValueRef<'d>,
    meant: Option<Arc<Meant>>,
}

#[derive(Clone, Copy)]
struct Visit<'d> {
    value: ValueRef<'d>,
    shape: ShapeId,
    scope: Scope,
    /// The value is a member that need not be there.
    is_optional: bool,
}

impl<'s, 'd> Collector<'s, 'd> {
    /// Creates a walk that continues from what others found out about containers in the same
    /// document.
    pub(crate) fn new(
        compiled: &'s Compiled,
        undeclared: Undeclared,
        findings: Findings,
        work: Work,
    ) -> Self {
        Self {
            shapes: &compiled.shapes,
            keywords: compiled.keywords(),
            normal: &compiled.normal,
            walker: compiled.walker(undeclared, work).remembering(),
            part_checks: PartChecks::new(
                &compiled.shapes,
                compiled.keywords(),
                undeclared,
                findings,
            ),
            undeclared,
            trail: Trail::default(),
            tasks: Vec::new(),
            violations: Vec::new(),
            visited: NumberSet::default(),
            suggestions: Suggestions::default(),
            words: compiled.words(),
            room: LISTED_MAX,
            unlisted: 0,
        }
    }

    /// All violations of a value that was found not to fit, and the account.
    pub(crate) fn collect(mut self, value: ValueRef<'d>) -> (Vec<Violation>, Work) {
        let root = self.shapes.root;
        let visit = Visit {
            value,
            shape: root,
            scope: Scope::Own,
            is_optional: false,
        };
        self.room = value.document_nodes().saturating_add(LISTED_MAX);
        self.visit(visit);
        while let Some(task) = self.tasks.pop() {
            match task {
                // What is not looked at is not said to be wrong; that it was not is said.
                Task::Part(_) | Task::Child(..) | Task::Settle { .. } if self.is_spent() => {}
                Task::Part(visit) => {
                    if self.visited.insert((visit.value.id(), visit.shape)) {
                        self.visit(visit);
                    }
                }
                Task::Child(place, visit) => {
                    self.trail.push(place);
                    self.tasks.push(Task::Out);
                    self.visit(visit);
                }
                Task::Out => {
                    self.trail.leave();
                }
                Task::Missing {
                    object,
                    name,
                    shape,
                } => self.missing(object, name, shape),
                Task::Unwanted(object, unwanted) => self.unwanted(object, unwanted),
                Task::Settle {
                    value,
                    shape,
                    before,
                } => self.settle(value, shape, before),
            }
        }
        self.count_unlisted(value);
        (self.violations, self.walker.work.get())
    }

    /// Returns `true` if no more may be looked at.
    fn is_spent(&self) -> bool {
        self.walker.work.get().is_used_up()
    }

    fn visit(&mut self, visit: Visit<'d>) {
        #[cfg(test)]
        crate::steps::count();
        let Visit {
            value, shape: id, ..
        } = visit;
        self.walker.charge(1 + value.len());
        let shapes = self.shapes;
        let shape = shapes.get(id);
        let broken = self.keywords.broken(id, shape, value, &self.walker.work);
        for rule in &broken {
            if !is_said_by_another(*rule, &broken, shape.number.as_deref()) {
                self.broken(visit, shape, *rule);
            }
        }
        if matches!(broken.first(), Some(Broken::Type | Broken::Literals)) {
            return;
        }
        if !shape.conditions.is_empty() {
            let before = self.violations.len();
            self.tasks.push(Task::Settle {
                value,
                shape: id,
                before,
            });
        }
        match value.kind() {
            Kind::Array => self.items(id, shape, value),
            Kind::Object => self.members(visit, shape),
            _ => {}
        }
        if let Some(union) = &shape.union {
            self.enter_union(visit, shape, union);
        }
        let part = |shape| {
            Task::Part(Visit {
                shape,
                scope: Scope::Within,
                ..visit
            })
        };
        self.tasks
            .extend(shape.also.iter().rev().copied().map(part));
    }

    fn enter_union(&mut self, visit: Visit<'d>, shape: &'s Shape, union: &'s Union) {
        let scope = undeclared::scope_of_branches(shape, visit.scope);
        let value = visit.value;
        let choice = self.choose(value, union, scope);
        match choice {
            Choice::Holds => {}
            // It is not known that no other branch holds.
            _ if self.is_spent() => {}
            Choice::Branch(branch) => {
                self.tasks.push(Task::Part(Visit {
                    shape: branch,
                    scope,
                    ..visit
                }));
            }
            Choice::Tag(tag) => self.wrong_tag(visit.shape, tag, value),
            choice @ (Choice::None | Choice::Tied) => {
                let keyword = if union.exclusive { "oneOf" } else { "anyOf" };
                let expected = self.whole(visit.shape);
                let expected = self.optional(visit, expected);
                let hint = matches!(choice, Choice::Tied).then(|| self.share(TIED));
                let found = Found::Value(value.id());
                self.report(visit.shape, keyword, expected, found, hint);
            }
            Choice::Several => {
                let expected = self.whole(visit.shape);
                let hint = "The value at this path fits more than one of the alternatives.\n\n\
                            Please make it fit exactly one of them next time.";
                let found = Found::Value(value.id());
                let hint = Some(self.share(hint));
                self.report(visit.shape, "oneOf", expected, found, hint);
            }
        }
    }

    fn items(&mut self, id: ShapeId, shape: &'s Shape, value: ValueRef<'d>) {
        let Some(rules) = &shape.array else { return };
        let first = self.tasks.len();
        let mut settled = self.part_checks.settled(value.id(), id);
        for (at, item) in value.items().enumerate() {
            let Some(shape) = rules.prefix.get(at).copied().or(rules.items) else {
                break;
            };
            if settled.has(item.id()) {
                continue;
            }
            self.child(TrailStep::Item(at as u32), item, shape);
        }
        self.tasks[first..].reverse();
    }

    /// Plans to look at a member or item, unless it is clear already that nothing is wrong.
    fn child(&mut self, place: TrailStep<'d>, value: ValueRef<'d>, shape: ShapeId) {
        self.plan(
            place,
            Visit {
                value,
                shape,
                scope: Scope::Own,
                is_optional: false,
            },
        );
    }

    fn plan(&mut self, place: TrailStep<'d>, visit: Visit<'d>) {
        if !self.part_checks.fits(visit.value, visit.shape) {
            self.tasks.push(Task::Child(place, visit));
        }
    }

    fn members(&mut self, visit: Visit<'d>, shape: &'s Shape) {
        let Visit {
            value,
            shape: id,
            scope,
            ..
        } = visit;
        let first = self.tasks.len();
        let asks_for_all = self.undeclared == Undeclared::Reject && scope == Scope::Own;
        let Some(rules) = &shape.object else {
            if asks_for_all && !shape.also.is_empty() {
                for (key, value) in value.members().keyed() {
                    if !self.allows(id, &key.decoded()) {
                        let meant = None;
                        let unwanted = Unwanted { key, value, meant };
                        self.tasks.push(Task::Unwanted(id, unwanted));
                    }
                }
                self.tasks[first..].reverse();
            }
            return;
        };
        let mut seen: SmallVec<[bool; 16]> = SmallVec::from_elem(false, rules.properties.len());
        let mut extra: HashSet<Box<str>> = HashSet::new();
        let mut next = 0;
        let mut settled = self.part_checks.settled(value.id(), id);
        for (key, member) in value.members().keyed() {
            let is_settled = settled.has(member.id());
            let known = validator::find_property(rules, next, key);
            if let Some(at) = known {
                seen[at] = true;
                next = at + 1;
                if is_settled {
                    continue;
                }
                let property = &rules.properties[at];
                let visit = Visit {
                    value: member,
                    shape: property.shape,
                    scope: Scope::Own,
                    is_optional: !property.required,
                };
                self.plan(TrailStep::Member(key), visit);
            }
            let is_known = self.by_pattern(id, rules, key, member) || known.is_some();
            if known.is_none() && !rules.required_undeclared.is_empty() {
                extra.insert(key.decoded().into());
            }
            if is_known {
                continue;
            }
            let name = key.decoded();
            let unwanted = match rules.additional {
                Additional::Open(shape) => {
                    self.child(TrailStep::Member(key), member, shape);
                    false
                }
                Additional::Forbidden => true,
                Additional::Silent => asks_for_all && !self.allows(id, &name),
            };
            if unwanted {
                let (value, meant) = (member, None);
                let unwanted = Unwanted { key, value, meant };
                self.tasks.push(Task::Unwanted(id, unwanted));
            }
        }
        self.look_for_meant(id, rules, &seen, first);
        self.plan_missing(id, rules, &seen, &extra);
        self.tasks[first..].reverse();
    }

    fn allows(&self, id: ShapeId, name: &str) -> bool {
        undeclared::allows(self.shapes, self.keywords, id, name, &self.walker.work)
    }

    /// Looks for what the members that may not be there were meant to be, now that it is known which
    /// others are missing.
    fn look_for_meant(&mut self, id: ShapeId, rules: &ObjectRules, seen: &[bool], first: usize) {
        for at in first..self.tasks.len() {
            if let Task::Unwanted(_, unwanted) = &self.tasks[at] {
                let name = unwanted.key.decoded();
                let found = self.meant(id, rules, seen, &name);
                if let Task::Unwanted(_, unwanted) = &mut self.tasks[at] {
                    unwanted.meant = found;
                }
            }
        }
    }

    /// Plans to look at a member under every pattern that its name matches; whether there is one.
    fn by_pattern(
        &mut self,
        id: ShapeId,
        rules: &ObjectRules,
        key: Key<'d>,
        value: ValueRef<'d>,
    ) -> bool {
        if rules.patterns.is_empty() {
            return false;
        }
        if self.is_spent() {
            return true;
        }
        self.walker.charge(PATTERN * rules.patterns.len());
        let names = &self.keywords.plan(id).names;
        let matching = names.matching(self.keywords, &key.decoded(), &self.walker.work);
        for &at in &matching {
            let (_, shape) = &rules.patterns[at as usize];
            self.child(TrailStep::Member(key), value, *shape);
        }
        !matching.is_empty()
    }

    fn plan_missing(
        &mut self,
        object: ShapeId,
        rules: &'s ObjectRules,
        seen: &[bool],
        extra: &HashSet<Box<str>>,
    ) {
        let missing = rules.properties.iter().zip(seen);
        let missing = missing.filter(|(property, seen)| property.required && !**seen);
        if self.violations.len() >= self.room {
            let others = rules.required_undeclared.iter();
            let others = others.filter(|name| !extra.contains(*name)).count();
            self.unlisted += missing.count() + others;
            return;
        }
        for (property, _) in missing {
            let (name, shape) = (&*property.name, Some(property.shape));
            self.tasks.push(Task::Missing {
                object,
                name,
                shape,
            });
        }
        for name in rules
            .required_undeclared
            .iter()
            .filter(|name| !extra.contains(*name))
        {
            self.tasks.push(Task::Missing {
                object,
                name,
                shape: None,
            });
        }
    }
}

/// Returns `true` if a bound of a number need not be named, because a tighter one on the same side
/// is broken too: `minimum` and `exclusiveMinimum`, or a bound and the range of an integer format.
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

/// Returns `true` if one bound leaves less room than another one on the same side; of two that are
/// equal, the exclusive one does.
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

/// Returns `true` if the range of an integer format leaves less room than a bound.
fn width_is_tighter(rules: &NumberRules, than: NumberKeyword) -> bool {
    let (Some((_, low, high)), Some(bound)) = (&rules.width, rules.bound(than)) else {
        return false;
    };
    match than.is_lower() {
        true => decimal::compare(&low.to_string(), &bound.text).is_gt(),
        false => decimal::compare(&high.to_string(), &bound.text).is_lt(),
    }
}
