//! The lines of a container in order: its members or items, missing ones, and omitted runs.

use std::borrow::Cow;

use llmjson_syntax::{Items, Members, ValueRef};
use smallvec::SmallVec;

use crate::ir::parts::MeantShapes;

use super::trie::{PlaceId, Trie};

/// The content of a line of a container.
pub(super) enum Line<'d> {
    /// A member or an item.
    Value {
        name: Option<Cow<'d, str>>,
        value: ValueRef<'d>,
        place: Option<PlaceId>,
        index: usize,
    },
    /// A missing member.
    Member(PlaceId),
    /// A missing item, by the index of its annotation.
    Item(u32),
    /// A number of omitted members or items.
    Folded(usize),
}

pub(super) enum Children<'d> {
    Items(Items<'d>),
    Members(Members<'d>),
}

/// The text after a child of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnd {
    Comma,
    /// The child is the last one.
    Nothing,
}

/// A container whose lines are being written.
pub(super) struct AnnotatedContainer<'d> {
    pub(super) children: Children<'d>,
    /// Index of the next child, from 0.
    pub(super) index: usize,
    pub(super) place: Option<PlaceId>,
    /// The index at which the search for the next member's path begins.
    pub(super) near: usize,
    pub(super) shapes: MeantShapes,
    /// Missing members with the present ones before which they belong, the last one first.
    pub(super) missing: Vec<(usize, PlaceId)>,
    /// Annotations about missing items that are still to be written, the last one first.
    pub(super) next_items: SmallVec<[u32; 0]>,
    pub(super) folds: bool,
    /// The line read ahead, to decide whether a comma is needed and where a run ends.
    pub(super) ahead: Option<Line<'d>>,
    pub(super) after_run: Option<Line<'d>>,
    /// The text after the container.
    pub(super) separator: LineEnd,
}

impl<'d> AnnotatedContainer<'d> {
    /// Returns the next line, with runs of children without annotations folded if required.
    pub(super) fn advance(&mut self, trie: &Trie<'_>) -> Option<Line<'d>> {
        if let Some(line) = self.after_run.take() {
            return Some(line);
        }
        let mut run = 0;
        loop {
            match self.child(trie) {
                Some(Line::Value { place: None, .. }) if self.folds => run += 1,
                line if run == 0 => return line,
                line => {
                    self.after_run = line;
                    return Some(Line::Folded(run));
                }
            }
        }
    }

    fn child(&mut self, trie: &Trie<'_>) -> Option<Line<'d>> {
        if let Some((_, place)) = self.missing.pop_if(|(before, _)| *before <= self.index) {
            return Some(Line::Member(place));
        }
        let index = self.index;
        self.index += 1;
        match &mut self.children {
            Children::Items(items) => match items.next() {
                Some(value) => {
                    let place = self
                        .place
                        .and_then(|at| trie.item(at, u32::try_from(index).ok()?));
                    Some(Line::Value {
                        name: None,
                        value,
                        place,
                        index,
                    })
                }
                None => self.next_items.pop().map(Line::Item),
            },
            Children::Members(members) => match members.next() {
                Some((name, value)) => {
                    let place = self
                        .place
                        .and_then(|at| trie.member(at, &name, &mut self.near));
                    Some(Line::Value {
                        name: Some(name),
                        value,
                        place,
                        index,
                    })
                }
                None => self.missing.pop().map(|(_, place)| Line::Member(place)),
            },
        }
    }
}
