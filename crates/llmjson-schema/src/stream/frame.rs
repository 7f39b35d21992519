//! An open container of a streamed value.

use std::cell::Cell;
use std::collections::HashSet;
use std::hash::BuildHasher as _;

use llmjson_syntax::Work;
use llmjson_syntax::internal::stream::Raw;
use smallvec::SmallVec;

use crate::coerce::CoerceOptions;
use crate::coerce::waits::{self, Expected};
use crate::ir::shape::{ObjectRules, ShapeId};
use crate::schema::Compiled;

/// The state of an open container.
#[derive(Clone, Debug)]
pub(super) struct StreamContainer {
    /// The node of the container.
    pub(super) raw: u32,
    /// The expected value; anything if nothing is declared.
    pub(super) shape: Option<ShapeId>,
    /// Number of children visited.
    pub(super) children: u32,
    /// The declared members that have arrived, by index.
    members: SmallVec<[Member; 16]>,
    /// Hashes of the keys of other members that have arrived. A repeated hash holds its member
    /// back.
    others: HashSet<u64>,
    /// All required declared members before this one have been shown.
    complete_to: usize,
    /// `true` if some members are held back until the end.
    pub(super) late: bool,
    /// An object that waits for the tag that determines its branch.
    pub(super) union: Option<ShapeId>,
    /// No tag determines it: it waits for its end.
    pub(super) held: bool,
    /// `true` if its shown content differs from its actual content.
    pub(super) changed: bool,
}

/// The arrived part of a declared member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    Nothing,
    /// A value that may be dropped.
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

    /// Returns the expectation for the next child of an array or an object.
    pub(super) fn expected(
        &mut self,
        told: (&Compiled, &CoerceOptions),
        is_list: bool,
        raw: &Raw<'_>,
        work: &mut Work,
    ) -> Expected {
        let Some(id) = self.shape else {
            return Expected::Shape(None, None);
        };
        let shape = told.0.shapes.get(id);
        if is_list {
            let rules = shape.array.as_deref();
            let item = rules.and_then(|rules| rules.item(self.children as usize));
            return Expected::Shape(item, None);
        }
        let rules = shape.object.as_deref();
        let is_complete = rules.is_some_and(|rules| self.is_complete(rules));
        let is_shown = |slot| self.member(slot) == Member::Shown;
        let spent = Cell::new(*work);
        let expected = waits::member(told, id, raw, is_shown, is_complete, &spent);
        *work = spent.get();
        expected
    }

    /// Returns the arrived part of the declared member at that index.
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

    /// Returns `true` if no undeclared member with that key has arrived before, and records it.
    pub(super) fn is_new(&mut self, name: &str) -> bool {
        let hash = self.others.hasher().hash_one(name);
        self.others.insert(hash)
    }

    /// Returns `true` if all required members have been shown.
    pub(super) fn is_complete(&mut self, rules: &ObjectRules) -> bool {
        let rest = rules.properties.get(self.complete_to..).unwrap_or_default();
        let shown = |at: usize| self.members.get(at) == Some(&Member::Shown);
        let there = (self.complete_to..).zip(rest);
        let there = there.take_while(|(at, property)| !property.required || shown(*at));
        self.complete_to += there.count();
        self.complete_to == rules.properties.len() && rules.required_undeclared.is_empty()
    }
}
