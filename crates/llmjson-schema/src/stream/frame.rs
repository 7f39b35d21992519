//! An open container of a value that is coming.

use std::collections::HashSet;
use std::hash::BuildHasher as _;

use smallvec::SmallVec;

use crate::ir::shape::{ObjectRules, Property, ShapeId};

/// The state of a container that is open.
#[derive(Clone, Debug)]
pub(super) struct StreamContainer {
    /// Its node.
    pub(super) raw: u32,
    /// The expected value; anything if nothing is declared.
    pub(super) shape: Option<ShapeId>,
    /// Number of children that have been looked at.
    pub(super) children: u32,
    /// The declared members that have come, by their places; the others have not.
    members: SmallVec<[Member; 16]>,
    /// Hashes of the names of other members that have come. Two that are alike hold one back.
    others: HashSet<u64>,
    /// All declared members before this one that are required have been shown.
    complete_to: usize,
    /// `true` if some members are held back until the end.
    pub(super) late: bool,
    /// An object that waits for the tag which says what it should be.
    pub(super) union: Option<ShapeId>,
    /// No tag says so: it waits for its end.
    pub(super) held: bool,
    /// `true` if what is shown of it differs from what it holds.
    pub(super) changed: bool,
}

/// The part of a declared member that has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    Nothing,
    /// A value that may have to go.
    Held,
    Shown,
}

impl StreamContainer {
    pub(super) fn new(raw: u32, shape: Option<ShapeId>) -> Self {
        Self {
            raw,
            shape,
            children: 0,
            members: SmallVec::new(),
            others: HashSet::new(),
            complete_to: 0,
            late: false,
            union: None,
            held: false,
            changed: false,
        }
    }

    /// Returns what has come of the declared member at that place.
    pub(super) fn member(&self, place: u32) -> Member {
        let known = self.members.get(place as usize);
        known.copied().unwrap_or(Member::Nothing)
    }

    pub(super) fn set_member(&mut self, place: u32, member: Member) {
        let place = place as usize;
        if self.members.len() <= place {
            self.members.resize(place + 1, Member::Nothing);
        }
        self.members[place] = member;
    }

    /// Returns `true` if no undeclared member of that name has come yet. Now one has.
    pub(super) fn is_new(&mut self, name: &str) -> bool {
        let hash = self.others.hasher().hash_one(name);
        self.others.insert(hash)
    }

    /// Returns `true` if all members that are required have been shown.
    pub(super) fn is_complete(&mut self, rules: &ObjectRules) -> bool {
        let rest = rules.properties.get(self.complete_to..).unwrap_or_default();
        let shown = |at: usize| self.members.get(at) == Some(&Member::Shown);
        let there = |(at, property): &(usize, &Property)| !property.required || shown(*at);
        self.complete_to += (self.complete_to..).zip(rest).take_while(there).count();
        self.complete_to == rules.properties.len() && rules.required_undeclared.is_empty()
    }
}
