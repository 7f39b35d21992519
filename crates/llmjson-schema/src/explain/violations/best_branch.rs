//! Choosing the intended branch of a union.
//!
//! The tag decides if there is one, then the JSON type, then a required member that only one branch
//! declares, then the fewest mismatches. Costs are counted one level deep, from memoized verdicts,
//! so that nested unions stay linear.

use llmjson_syntax::{Kind, ValueRef, steps_of_search};
use smallvec::SmallVec;

use super::Collector;
use crate::check::undeclared::Scope;
use crate::check::walk::{Seen, find_property};
use crate::ir::branches::{self, Branches as Index};
use crate::ir::shape::{Additional, ObjectRules, ShapeId, Shapes, Tag, Union};

/// The message about a value and a union.
pub(super) enum Choice<'s> {
    /// No message: it holds.
    Holds,
    /// The violations of this branch.
    Branch(ShapeId),
    /// A tag that is wrong or missing.
    Tag(&'s Tag),
    /// A mismatch with all branches.
    None,
    /// A mismatch with all branches, several of which are equally near.
    Tied,
    /// A match with several branches where one should match.
    Several,
}

type Branches = SmallVec<[ShapeId; 8]>;

/// The distance of a branch from a value. Smaller is nearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// Number of members with a constant other than the branch requires, and of wrong items.
    grave: usize,
    /// Number of other members that are missing, wrong or surplus; 1 more if the first item is
    /// wrong.
    light: usize,
}

impl<'s, 'd> Collector<'s, 'd> {
    pub(super) fn choose(
        &mut self,
        value: ValueRef<'d>,
        union: &'s Union,
        scope: Scope,
    ) -> Choice<'s> {
        let shapes = self.shapes;
        let is_object = value.kind() == Kind::Object;
        if let Some(tag) = union.tag.as_ref().filter(|tag| is_object && !tag.declared) {
            return by_tag(shapes, tag, union, value);
        }
        if is_object && let Some(index) = union.index(shapes, self.tree) {
            return self.choose_of_many(value, union, index, scope);
        }
        let admitting = union.branches.iter().copied();
        let admitting = admitting.filter(|&id| shapes.get(id).types.admits(value));
        let candidates: Branches = admitting.collect();
        match *candidates {
            [] => return Choice::None,
            [only] if union.tag.is_none() || !is_object => return Choice::Branch(only),
            _ => {}
        }
        let fitting = candidates
            .iter()
            .filter(|&&branch| self.walker.holds(value, branch, scope));
        match fitting.take(if union.exclusive { 2 } else { 1 }).count() {
            0 => {}
            1 => return Choice::Holds,
            _ => return Choice::Several,
        }
        if let Some(tag) = union.tag.as_ref().filter(|_| is_object) {
            return by_tag(shapes, tag, union, value);
        }
        // For a scalar, all branches of its type are equally near: all are named.
        match value.kind() {
            Kind::Object => self.nearest_object(value, &candidates),
            Kind::Array => self.nearest_array(value, &candidates),
            _ => Choice::None,
        }
    }

    /// Chooses among many branches for an object. Equivalent branches are examined once.
    fn choose_of_many(
        &mut self,
        value: ValueRef<'d>,
        union: &'s Union,
        index: &'s Index,
        scope: Scope,
    ) -> Choice<'s> {
        let shapes = self.shapes;
        let branch = |at: u32| union.branches[at as usize];
        match (index.plain() + index.loose().len(), index.first) {
            (0, _) | (_, None) => return Choice::None,
            (1, Some(only)) if union.tag.is_none() => return Choice::Branch(branch(only)),
            _ => {}
        }
        let mut fitting = 0;
        let (groups, steps) = index.holding(value);
        self.walker.judge.charge(steps);
        for group in groups {
            if self.walker.holds(value, branch(group.first), scope) {
                fitting += group.count;
                if !union.exclusive || fitting > 1 {
                    break;
                }
            }
        }
        match fitting {
            0 => {}
            1 => return Choice::Holds,
            _ if union.exclusive => return Choice::Several,
            _ => return Choice::Holds,
        }
        if let Some(tag) = &union.tag {
            return by_tag(shapes, tag, union, value);
        }
        let knows = |at: &u32| self.shapes.get(branch(*at)).object.is_some();
        if index.loose().iter().all(knows) {
            let names = value.members().map(|(name, _)| name);
            let known = names.map(|name| {
                let only = branches::only(index.declaring(&name));
                only.filter(|(_, required)| *required).map(|(at, _)| at)
            });
            if let Some(unique) = branches::same(known.flatten()) {
                return Choice::Branch(branch(unique));
            }
        }
        let mut costs = SmallVec::new();
        let sorted = index.sort(value);
        self.walker.judge.charge(sorted.steps());
        for group in sorted.sharing() {
            let branch = branch(group.first);
            if let Some(cost) = self.object_cost(value, branch) {
                // The number of branches with the same cost does not matter.
                let same = group.count.min(2);
                costs.extend((0..same).map(|_| (cost, branch)));
            }
        }
        cheapest(costs)
    }

    fn nearest_object(&mut self, value: ValueRef<'d>, candidates: &[ShapeId]) -> Choice<'s> {
        if let Some(unique) = self.by_unique_member(value, candidates) {
            return Choice::Branch(unique);
        }
        let costs = candidates
            .iter()
            .filter_map(|&branch| Some((self.object_cost(value, branch)?, branch)));
        cheapest(costs.collect())
    }

    /// Returns the only branch with a required member that is present and that no other branch
    /// declares.
    fn by_unique_member(&self, value: ValueRef<'d>, candidates: &[ShapeId]) -> Option<ShapeId> {
        let rules: SmallVec<[(ShapeId, &ObjectRules); 8]> = candidates
            .iter()
            .map(|&id| Some((id, self.shapes.get(id).object.as_deref()?)))
            .collect::<Option<_>>()?;
        self.walker
            .judge
            .charge(steps_of_search(value.len() * rules.len()));
        let known = value.members().filter_map(|(name, _)| {
            let (id, rules) =
                branches::only(rules.iter().filter(|(_, rules)| rules.declares(&name)))?;
            rules.requires(&name).then_some(*id)
        });
        branches::same(known)
    }

    /// Returns the distance of an object from a branch, or `None` if they have no member in common.
    fn object_cost(&mut self, value: ValueRef<'d>, branch: ShapeId) -> Option<Cost> {
        if self.is_spent() {
            return None;
        }
        self.walker.judge.charge(1 + value.len());
        let shapes = self.shapes;
        let rules = shapes.get(branch).object.as_deref()?;
        let mut cost = Cost { grave: 0, light: 0 };
        let (mut seen, mut next) = (Seen::default(), 0);
        for (key, member) in value.members().keyed() {
            let Some(at) = find_property(rules, next, key) else {
                cost.light += usize::from(rules.additional == Additional::Forbidden);
                continue;
            };
            next = at + 1;
            seen.mark(at);
            let property = &rules.properties[at];
            if !self.walker.holds(member, property.shape, Scope::Own) {
                // `{"kind": "circle", …}`: a wrong constant indicates that another branch was
                // intended, a wrong number does not.
                let is_constant = shapes.get(property.shape).literals.is_some();
                let count = if is_constant {
                    &mut cost.grave
                } else {
                    &mut cost.light
                };
                *count += 1;
            }
        }
        // Missing members weigh as much as wrong ones: a model omits members that it intends to
        // write later.
        cost.light += rules.lacks(|at| seen.has(at)).count();
        (next > 0).then_some(cost)
    }

    fn nearest_array(&mut self, value: ValueRef<'d>, candidates: &[ShapeId]) -> Choice<'s> {
        let shapes = self.shapes;
        let mut costs = SmallVec::new();
        for &branch in candidates {
            let Some(rules) = shapes.get(branch).array.as_deref() else {
                return Choice::None;
            };
            let (mut right, mut wrong) = (0, 0);
            let mut starts_wrong = false;
            for (at, item) in value.items().enumerate() {
                let Some(shape) = rules.item(at) else {
                    break;
                };
                let holds = self.walker.holds(item, shape, Scope::Own);
                *if holds { &mut right } else { &mut wrong } += 1;
                starts_wrong |= at == 0 && !holds;
            }
            if right > 0 || wrong == 0 {
                costs.push((
                    Cost {
                        grave: wrong,
                        light: usize::from(starts_wrong),
                    },
                    branch,
                ));
            }
        }
        cheapest(costs)
    }
}

/// Returns the branch that coercion would take.
fn by_tag<'s>(shapes: &Shapes, tag: &'s Tag, union: &Union, value: ValueRef<'_>) -> Choice<'s> {
    let given = value.get(&tag.property).and_then(|given| given.as_str());
    let branch = given.and_then(|given| union.meant_by(shapes, &given));
    branch.map_or(Choice::Tag(tag), Choice::Branch)
}

/// Returns the branch with the least cost, if it is unique.
fn cheapest<'s>(mut costs: SmallVec<[(Cost, ShapeId); 8]>) -> Choice<'s> {
    costs.sort_by_key(|(cost, _)| *cost);
    match *costs {
        [] => Choice::None,
        [(cost, _), (next, _), ..] if next == cost => Choice::Tied,
        [(_, branch), ..] => Choice::Branch(branch),
    }
}
