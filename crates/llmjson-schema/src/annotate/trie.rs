//! The remarks by place: a tree over the steps of their paths, walked along with the value, so
//! that finding what to say about a value costs one look-up a child.

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::path::{Path, Step};

use super::{Remark, RemarkPath};

/// Names a place that some remark is about, or that lies above such a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PlaceId(u32);

impl PlaceId {
    pub(super) const ROOT: Self = Self(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step as it is looked up, without owning the name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key<'r> {
    Member(&'r str),
    Index(u32),
}

#[derive(Default)]
struct Place<'r> {
    /// The name, where the place is a member.
    name: Option<&'r str>,
    /// Remarks about this place, by their index.
    remarks: SmallVec<[u32; 1]>,
    /// Remarks about items missing at the end of it.
    next_items: SmallVec<[u32; 0]>,
    /// Places below, in the order of the remarks.
    children: SmallVec<[PlaceId; 0]>,
}

/// The places along the last path that was entered: remarks mostly come in the order of the value,
/// so the next one shares most of its steps.
#[derive(Default)]
struct Trail<'r> {
    path: Option<&'r Path>,
    places: Vec<PlaceId>,
}

/// All places of a list of remarks.
pub(super) struct Trie<'r> {
    places: Vec<Place<'r>>,
    below: HashMap<(PlaceId, Key<'r>), PlaceId>,
}

impl<'r> Trie<'r> {
    pub(super) fn new(remarks: &'r [Remark]) -> Self {
        let mut trie = Self {
            places: vec![Place::default()],
            below: HashMap::new(),
        };
        let mut trail = Trail::default();
        for (number, remark) in (0u32..).zip(remarks) {
            match &remark.path {
                RemarkPath::Place(path) => {
                    let place = trie.enter(path, &mut trail);
                    trie.places[place.index()].remarks.push(number);
                }
                RemarkPath::NextItem(path) => {
                    let place = trie.enter(path, &mut trail);
                    trie.places[place.index()].next_items.push(number);
                }
                RemarkPath::Text(_) => {}
            }
        }
        trie
    }

    fn enter(&mut self, path: &'r Path, trail: &mut Trail<'r>) -> PlaceId {
        let common = trail.path.map_or(0, |last| path.common(last));
        trail.path = Some(path);
        trail.places.truncate(common);
        let mut at = trail.places.last().copied().unwrap_or(PlaceId::ROOT);
        for step in path.steps_from(common) {
            let (key, name) = match step {
                Step::Member(name) => (Key::Member(name), Some(&**name)),
                Step::Index(index) => (Key::Index(*index), None),
            };
            let new = PlaceId(self.places.len() as u32);
            let child = *self.below.entry((at, key)).or_insert(new);
            if child == new {
                self.places.push(Place {
                    name,
                    ..Place::default()
                });
                self.places[at.index()].children.push(new);
            }
            at = child;
            trail.places.push(at);
        }
        at
    }

    /// Number of places; their indices are below it.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether no remark is about a place.
    pub(super) fn is_empty(&self) -> bool {
        let root = &self.places[0];
        self.places.len() == 1 && root.remarks.is_empty() && root.next_items.is_empty()
    }

    pub(super) fn member(&self, at: PlaceId, name: &str) -> Option<PlaceId> {
        // A place without anything below it is the common case on a page with many members.
        if self.children(at).is_empty() {
            return None;
        }
        self.below.get(&(at, Key::Member(name))).copied()
    }

    pub(super) fn item(&self, at: PlaceId, index: u32) -> Option<PlaceId> {
        if self.children(at).is_empty() {
            return None;
        }
        self.below.get(&(at, Key::Index(index))).copied()
    }

    pub(super) fn children(&self, at: PlaceId) -> &[PlaceId] {
        &self.places[at.index()].children
    }

    pub(super) fn name(&self, at: PlaceId) -> Option<&'r str> {
        self.places[at.index()].name
    }

    pub(super) fn remarks(&self, at: PlaceId) -> &[u32] {
        &self.places[at.index()].remarks
    }

    pub(super) fn next_items(&self, at: PlaceId) -> &[u32] {
        &self.places[at.index()].next_items
    }
}
