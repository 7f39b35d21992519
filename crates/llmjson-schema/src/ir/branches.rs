//! An index of a union's branches that must be considered for an object, by its keys and the types
//! of its values.
//!
//! The index is built once per schema. One pass over an object's members then finds, for each
//! branch, how many of its required members are present, and its requirements for the members.
//! Branches that require the same of an object are tried once. The index decides nothing: a skipped
//! branch cannot hold, or is equivalent to a tried one.

use std::collections::HashMap;

use llmjson_syntax::{Kind, ValueRef, steps_of_search};
use serde_json::Value;

use crate::base::embedded::may_hold_json;
use crate::base::hash::NumberMap;
use crate::ir::names::member_key;
use crate::ir::shape::{Additional, ObjectRules, Shape, Shapes, Types, Union};
use crate::normal::tree::Tree;

/// Unions with at most that many branches are tried one by one.
const BRANCHES_FEW: usize = 8;

/// Returns `true` if a union has too many branches to be tried one by one.
pub(crate) fn are_many(union: &Union) -> bool {
    #[cfg(test)]
    if tests::ONE_BY_ONE.get() {
        return false;
    }
    union.branches.len() > BRANCHES_FEW
}

/// The requirements of a union's branches on objects.
#[derive(Debug)]
pub(crate) struct Branches {
    branches: Box<[Branch]>,
    names: HashMap<Box<str>, Named>,
    /// Branches that may declare a member under another spelling, by index.
    spelled: HashMap<String, Vec<u32>>,
    /// Indices of branches that accept objects and have rules beyond this index.
    loose: Box<[u32]>,
    /// Number of other branches that accept objects.
    plain: usize,
    /// The index of the first branch that accepts objects.
    pub(crate) first: Option<u32>,
    /// Indices of branches that consist only of types and rules, by type.
    simple: [Vec<u32>; 7],
    /// Indices of all others.
    composite: Box<[u32]>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Branch {
    /// Equal for branches that differ only in their members.
    class: u32,
    /// Number of required members.
    required: u32,
    plain: bool,
    forbids_others: bool,
}

/// A branch that constrains a member of that name.
#[derive(Clone, Copy, Debug)]
struct Entry {
    branch: u32,
    /// Equal for members with the same requirements.
    class: u32,
    types: Types,
    required: bool,
    declared: bool,
}

/// Branches that constrain a member of this name, in the order of the branches.
#[derive(Debug, Default)]
struct Named {
    all: Vec<Entry>,
    /// The branches that do not require one of several strings.
    open: Vec<Entry>,
    /// The branches that require one, by the string.
    by_text: HashMap<Box<str>, Vec<Entry>>,
}

/// The sum of the members of one object, for one branch.
#[derive(Clone, Copy, Default)]
struct Sum {
    sign: u64,
    required: u32,
    declared: u32,
    /// `true` if a member has a type that the branch does not accept there.
    wrong: bool,
    /// `true` if an undeclared member may be a declared one in another spelling.
    claimed: bool,
}

/// The findings about an object.
pub(crate) struct Sorted<'i> {
    index: &'i Branches,
    sums: Vec<Sum>,
    length: u32,
    entries_seen: usize,
    /// `true` if a member might be an envelope.
    envelope: bool,
}

/// A branch that represents others with the same requirements.
pub(crate) struct Group {
    /// The index of the first one.
    pub(crate) first: u32,
    /// Number of branches in it.
    pub(crate) count: u32,
}

impl Branches {
    pub(crate) fn of(shapes: &Shapes, tree: &Tree, union: &Union) -> Self {
        let classes = shapes.classes(tree);
        let mut index = Self {
            branches: vec![Branch::default(); union.branches.len()].into(),
            names: HashMap::new(),
            spelled: HashMap::new(),
            loose: Box::default(),
            plain: 0,
            first: None,
            simple: Default::default(),
            composite: Box::default(),
        };
        let mut known: HashMap<BranchKey, u32> = HashMap::new();
        let (mut loose, mut composite) = (Vec::new(), Vec::new());
        for (at, &id) in (0u32..).zip(&union.branches) {
            let shape = shapes.get(id);
            if !shape.is_alone() {
                composite.push(at);
            } else {
                for (bit, places) in index.simple.iter_mut().enumerate() {
                    if shape.types.0 >> bit & 1 != 0 {
                        places.push(at);
                    }
                }
            }
            if shape.types.meets(Types::OBJECT) {
                index.first.get_or_insert(at);
                index.lay_out(shapes, classes, at, shape, &mut known);
                match index.branches[at as usize].plain {
                    true => index.plain += 1,
                    false => loose.push(at),
                }
            }
        }
        index.loose = loose.into();
        index.composite = composite.into();
        index
    }

    /// Adds a branch that accepts objects to the index.
    fn lay_out(
        &mut self,
        shapes: &Shapes,
        classes: &[u32],
        at: u32,
        shape: &Shape,
        known: &mut HashMap<BranchKey, u32>,
    ) {
        let Some(rules) = &shape.object else { return };
        self.name_members(shapes, classes, at, rules);
        for property in &rules.properties {
            for name in property.aliases.iter().chain([&property.name]) {
                let places = self.spelled.entry(member_key(name)).or_default();
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
        }
        let declared = rules.lacks(|_| false).count() as u32;
        let required = declared + rules.required_undeclared.len() as u32;
        let others = match rules.additional {
            Additional::Silent => 0,
            Additional::Forbidden => 1,
            Additional::Open(shape) => 2 + u64::from(classes[shape.0 as usize]),
        };
        let key = (
            (declared, required),
            others,
            rules.min_properties,
            rules.max_properties,
        );
        let next = known.len() as u32;
        let plain = shape.is_alone()
            && shape.literals.is_none()
            && shape.conditions.is_empty()
            && rules.patterns.is_empty();
        self.branches[at as usize] = Branch {
            class: *known.entry(key).or_insert(next),
            required,
            plain,
            forbids_others: rules.additional == Additional::Forbidden,
        };
    }

    /// Adds a branch to the entries of the keys that it constrains. A member that must be one of
    /// several strings is found by its string, too: `{"kind": "circle"}` leads to the branches that
    /// require `"circle"`.
    fn name_members(&mut self, shapes: &Shapes, classes: &[u32], at: u32, rules: &ObjectRules) {
        let undeclared = rules.required_undeclared.iter().map(|name| {
            Entry {
                branch: at,
                class: u32::MAX,
                types: Types::ALL,
                required: true,
                declared: false,
            }
            .named(name)
        });
        let properties = rules.properties.iter().map(|property| {
            Entry {
                branch: at,
                class: classes[property.shape.0 as usize] * 2 + u32::from(property.required),
                types: shapes.get(property.shape).types,
                required: property.required,
                declared: true,
            }
            .named(&property.name)
        });
        for (name, entry) in undeclared.chain(properties) {
            let named = match self.names.get_mut(name) {
                Some(named) => named,
                None => self.names.entry(name.into()).or_default(),
            };
            named.all.push(entry);
            let property = rules.property(name).filter(|_| entry.required);
            let literals = property.and_then(|one| shapes.get(one.shape).literals.as_ref());
            match literals.filter(|literals| literals.iter().all(Value::is_string)) {
                None => named.open.push(entry),
                Some(literals) => {
                    for text in literals.iter().filter_map(Value::as_str) {
                        let entries = match named.by_text.get_mut(text) {
                            Some(entries) => entries,
                            None => named.by_text.entry(text.into()).or_default(),
                        };
                        if entries.last().is_none_or(|last| last.branch != at) {
                            entries.push(entry);
                        }
                    }
                }
            }
        }
    }

    /// Returns the indices of the branches that may accept values of a type, in order. For compound
    /// branches, `takes` decides.
    pub(crate) fn of_type(&self, found: Types, mut takes: impl FnMut(u32) -> bool) -> Vec<u32> {
        let mut places = Vec::new();
        for (bit, simple) in self.simple.iter().enumerate() {
            if found.0 >> bit & 1 != 0 {
                places.extend_from_slice(simple);
            }
        }
        let composite = self.composite.iter().copied();
        places.extend(composite.filter(|&at| takes(at)));
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Returns the branches that may hold for an object without changes, in order, and the number
    /// of steps to find them.
    pub(crate) fn holding(&self, value: ValueRef<'_>) -> (Vec<Group>, usize) {
        let sorted = self.sum_up(value, true);
        (sorted.holding(), sorted.steps())
    }

    /// Adds up the members of an object.
    pub(crate) fn sort(&self, value: ValueRef<'_>) -> Sorted<'_> {
        self.sum_up(value, false)
    }

    /// Summarizes the members of an object; skips branches that require other strings, if it is to
    /// be accepted unchanged.
    fn sum_up(&self, value: ValueRef<'_>, as_it_is: bool) -> Sorted<'_> {
        let sums = (self.branches.iter()).map(|branch| Sum {
            sign: u64::from(branch.class),
            ..Sum::default()
        });
        let mut sums: Vec<Sum> = sums.collect();
        let mut envelope = false;
        let (mut length, mut entries_seen) = (0, 0);
        for (place, (key, member)) in (1u64..).zip(value.members().keyed()) {
            length += 1;
            let name = key.decoded();
            let kind = member.kind();
            let found = Types::of(kind);
            let named = self.names.get(&*name);
            let all = named.map_or(&[][..], |named| &named.all);
            let (entries, of_text) = match (named, as_it_is) {
                (Some(named), true) => {
                    let text = member.as_str();
                    let of_text = text.and_then(|text| named.by_text.get(&*text));
                    (&named.open[..], of_text.map_or(&[][..], |entries| entries))
                }
                _ => (all, &[][..]),
            };
            entries_seen += entries.len() + of_text.len();
            for entry in entries.iter().chain(of_text) {
                let sum = &mut sums[entry.branch as usize];
                sum.required += u32::from(entry.required);
                sum.declared += u32::from(entry.declared);
                sum.wrong |= !entry.types.meets(found);
                sum.sign = mixed(sum.sign, place << 32 | u64::from(entry.class));
            }
            if as_it_is {
                continue;
            }
            let mut declared = all.iter().filter(|entry| entry.declared).peekable();
            // If every branch declares the key, it is neither a misspelling nor an envelope.
            if declared.clone().count() < self.plain + self.loose.len() {
                envelope |= may_be_envelope(member);
                let spelled = self.spelled.get(&member_key(&name)).into_iter().flatten();
                for &at in spelled {
                    // Both lists are in the order of the branches.
                    while declared.next_if(|entry| entry.branch < at).is_some() {}
                    if declared.peek().is_none_or(|entry| entry.branch != at) {
                        sums[at as usize].claimed = true;
                    }
                }
            }
        }
        Sorted {
            index: self,
            sums,
            length,
            entries_seen,
            envelope,
        }
    }

    /// Returns the indices of the branches that declare a member of that name, and whether they
    /// require it.
    pub(crate) fn declaring(&self, name: &str) -> impl Iterator<Item = (u32, bool)> {
        let entries = self.names.get(name).into_iter();
        let declaring = entries
            .flat_map(|named| &named.all)
            .filter(|entry| entry.declared);
        declaring.map(|entry| (entry.branch, entry.required))
    }

    /// Returns the indices of the branches that accept objects and have rules beyond this index.
    pub(crate) fn loose(&self) -> &[u32] {
        &self.loose
    }

    /// Returns the number of branches that accept objects and say no more.
    pub(crate) fn plain(&self) -> usize {
        self.plain
    }

    /// Returns `true` if a branch has no rules beyond this index.
    pub(crate) fn is_plain(&self, at: u32) -> bool {
        self.branches[at as usize].plain
    }
}

type BranchKey = ((u32, u32), u64, Option<u64>, Option<u64>);

impl Entry {
    fn named(self, name: &str) -> (&str, Self) {
        (name, self)
    }
}

/// The changes to an object that its options allow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectChanges {
    /// Keys may be parts of others.
    pub(crate) derives: bool,
    /// Members may be added.
    pub(crate) fills: bool,
}

impl Sorted<'_> {
    /// Returns the number of steps for iterating over the members, each with the branches that know
    /// its key. The data of a branch are small and contiguous.
    pub(crate) fn steps(&self) -> usize {
        steps_of_search(self.sums.len()) + steps_of_search(self.entries_seen)
    }

    /// Returns the branches that may hold for the object without changes.
    fn holding(&self) -> Vec<Group> {
        let may_hold = |at: u32| {
            let (branch, sum) = (&self.index.branches[at as usize], self.sums[at as usize]);
            sum.required == branch.required
                && !sum.wrong
                && (sum.declared == self.length || !branch.forbids_others)
        };
        self.grouped(may_hold, |_| true)
    }

    /// Returns the branches to which it may be coerced, in order.
    pub(crate) fn conforming(&self, allowed: ObjectChanges) -> Vec<Group> {
        let ObjectChanges { derives, fills } = allowed;
        let renames =
            |sum: &Sum| sum.declared < self.length && (derives || self.envelope || sum.claimed);
        let may_conform = |at: u32| {
            let (branch, sum) = (&self.index.branches[at as usize], self.sums[at as usize]);
            fills || sum.required == branch.required || renames(&sum)
        };
        self.grouped(may_conform, |sum| !fills && !renames(sum))
    }

    /// Returns the branches that have a member in common with it, in order.
    pub(crate) fn sharing(&self) -> Vec<Group> {
        self.grouped(|at| self.sums[at as usize].declared > 0, |_| true)
    }

    /// Returns the plain branches that `takes` accepts, with equivalent branches as one where
    /// `alike` says so; and the unknown branches.
    fn grouped(&self, takes: impl Fn(u32) -> bool, alike: impl Fn(&Sum) -> bool) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut known: NumberMap<usize, usize> = NumberMap::default();
        let mut last = (0, usize::MAX);
        for (at, branch) in (0u32..).zip(&self.index.branches) {
            if !branch.plain || !takes(at) {
                continue;
            }
            let sum = &self.sums[at as usize];
            if alike(sum) {
                let group = if last.1 < groups.len() && last.0 == sum.sign {
                    last.1
                } else {
                    *known.entry(sum.sign as usize).or_insert(groups.len())
                };
                last = (sum.sign, group);
                if let Some(group) = groups.get_mut(group) {
                    group.count += 1;
                    continue;
                }
            }
            groups.push(Group {
                first: at,
                count: 1,
            });
        }
        let loose = self.index.loose.iter();
        groups.extend(loose.map(|&first| Group { first, count: 1 }));
        groups.sort_by_key(|group| group.first);
        groups
    }
}

/// Returns the only candidate: `kind`, if one branch declares a member of that name.
pub(crate) fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next();
    first.filter(|_| all.next().is_none())
}

/// Returns the single value of all these, if they are equal.
pub(crate) fn same<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// Returns `true` if a value may contain an object: it is one, or a string that may begin like one.
fn may_be_envelope(value: ValueRef<'_>) -> bool {
    match value.kind() {
        Kind::Object => true,
        Kind::String => value.as_str().is_some_and(|text| may_hold_json(&text)),
        _ => false,
    }
}

/// Mixes a number into another one.
fn mixed(sign: u64, number: u64) -> u64 {
    let product = u128::from(sign ^ 0x9E37_79B9_7F4A_7C15)
        .wrapping_mul(u128::from(number ^ 0xD6E8_FEB8_6659_FD93));
    (product >> 64) as u64 ^ product as u64 ^ sign.rotate_left(23)
}

#[cfg(test)]
mod tests;
