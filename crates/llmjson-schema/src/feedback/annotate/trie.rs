//! Annotations by place: a tree over the steps of their paths, walked along with the value, so that
//! finding a value's annotations costs one lookup per child. Consecutive items are found without
//! the map: a large map is scattered over memory.

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::base::path::{Path, Step};

use super::annotation_source::{AnnotationSource, Spot};

/// The ID of a path that has annotations, or that encloses one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct PlaceId(u32);

impl PlaceId {
    pub(super) const ROOT: Self = Self(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step for lookup, which borrows the key.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key<'r> {
    Member(&'r str),
    Index(u32),
}

#[derive(Default)]
struct AnnotatedPlace<'r> {
    /// The last step of its path, or none at the root.
    key: Option<Key<'r>>,
    /// Annotations about this path, by index, in ascending order.
    annotations: SmallVec<[u32; 1]>,
    /// The first annotation about this path or one below it.
    first: u32,
    /// The fields that most nodes do not need.
    inside: Option<Box<InsideAnnotations>>,
}

/// The annotations about the inside of a value.
#[derive(Default)]
struct InsideAnnotations {
    /// Annotations about missing items at the end of it.
    next_items: Vec<u32>,
    /// Child nodes, in the order of the annotations, except `items`.
    children: Vec<PlaceId>,
    /// Items that were inserted in ascending order.
    items: Vec<PlaceId>,
}

/// The nodes along the last inserted path: annotations usually follow the order of the value, so
/// the next one shares most of its steps.
#[derive(Default)]
struct Trail<'r> {
    path: Option<&'r Path>,
    places: Vec<PlaceId>,
}

/// Maximum number of children that are compared one by one, which is faster than hashing a key.
const FEW: usize = 8;

/// The paths of all annotations.
pub(super) struct Trie<'r> {
    places: Vec<AnnotatedPlace<'r>>,
    /// The `children` of nodes with more than a few.
    below: HashMap<(PlaceId, Key<'r>), PlaceId>,
    /// The index of the annotation being inserted, and later the number of annotations in use.
    count: u32,
}

impl<'r> Trie<'r> {
    pub(super) fn new(said: AnnotationSource<'r>) -> Self {
        let mut trie = Self {
            places: vec![AnnotatedPlace::default()],
            below: HashMap::new(),
            count: 0,
        };
        let mut trail = Trail::default();
        for (number, saying) in (0u32..).zip(said.iter()) {
            trie.count = number;
            match saying.spot {
                Spot::Place(path) => {
                    let place = trie.enter(path, &mut trail);
                    trie.places[place.index()].annotations.push(number);
                }
                Spot::NextItem(path) => {
                    let place = trie.enter(path, &mut trail);
                    trie.inside_mut(place).next_items.push(number);
                }
                Spot::Text(_) => {}
            }
        }
        trie.count = u32::MAX;
        trie
    }

    /// Limits the annotations to the first `count`, as if there were no others.
    pub(super) fn count_only(&mut self, count: usize) {
        self.count = u32::try_from(count).unwrap_or(u32::MAX);
    }

    fn enter(&mut self, path: &'r Path, trail: &mut Trail<'r>) -> PlaceId {
        let common = trail.path.map_or(0, |last| path.common(last));
        trail.path = Some(path);
        trail.places.truncate(common);
        let mut at = trail.places.last().copied().unwrap_or(PlaceId::ROOT);
        for step in path.steps_from(common) {
            at = match step {
                Step::Member(name) => self.child(at, Key::Member(name)),
                Step::Index(index) => self.child_item(at, *index),
            };
            trail.places.push(at);
        }
        at
    }

    /// Returns the node of an item, new or not.
    fn child_item(&mut self, at: PlaceId, index: u32) -> PlaceId {
        let last = self.inside(at).and_then(|inside| inside.items.last());
        if last.is_none_or(|last| self.item_index(*last) < index) {
            let new = self.add(Key::Index(index));
            self.inside_mut(at).items.push(new);
            return new;
        }
        self.item_in_order(at, index)
            .unwrap_or_else(|| self.child(at, Key::Index(index)))
    }

    /// Returns a node among the children, new or not.
    fn child(&mut self, at: PlaceId, key: Key<'r>) -> PlaceId {
        if let Some(known) = self.known_child(at, key) {
            return known;
        }
        let new = self.add(key);
        let children = &mut self.inside_mut(at).children;
        children.push(new);
        let to_index = match children.len() {
            ..=FEW => &[][..],
            count if count == FEW + 1 => &children.clone()[..],
            _ => &[new][..],
        };
        for child in to_index {
            if let Some(key) = self.places[child.index()].key {
                self.below.insert((at, key), *child);
            }
        }
        new
    }

    fn known_child(&self, at: PlaceId, key: Key<'_>) -> Option<PlaceId> {
        let children = &self.inside(at)?.children;
        if children.len() > FEW {
            return self.below.get(&(at, key)).copied();
        }
        let mut few = children.iter();
        few.find(|child| self.places[child.index()].key == Some(key))
            .copied()
    }

    fn add(&mut self, key: Key<'r>) -> PlaceId {
        let new = PlaceId(self.places.len() as u32);
        self.places.push(AnnotatedPlace {
            key: Some(key),
            first: self.count,
            ..AnnotatedPlace::default()
        });
        new
    }

    fn inside(&self, at: PlaceId) -> Option<&InsideAnnotations> {
        self.places[at.index()].inside.as_deref()
    }

    fn inside_mut(&mut self, at: PlaceId) -> &mut InsideAnnotations {
        self.places[at.index()].inside.get_or_insert_default()
    }

    /// Returns the index of an item in its array.
    fn item_index(&self, item: PlaceId) -> u32 {
        match self.places[item.index()].key {
            Some(Key::Index(index)) => index,
            _ => 0,
        }
    }

    /// Returns the item, if it was inserted in ascending order. Its position in this list is at
    /// most its index in the array, and often all items are in the list.
    fn item_in_order(&self, at: PlaceId, index: u32) -> Option<PlaceId> {
        let items = &self.inside(at)?.items;
        let items = &items[..items.len().min((index as usize).saturating_add(1))];
        let last = *items.last()?;
        if self.item_index(last) == index {
            return Some(last);
        }
        let found = items.binary_search_by_key(&index, |item| self.item_index(*item));
        found.ok().map(|found| items[found])
    }

    /// Number of nodes; their indices are below it.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns `true` if no annotation is about a path.
    pub(super) fn is_empty(&self) -> bool {
        (self.places.get(1)).is_none_or(|place| place.first >= self.count)
            && self.annotations(PlaceId::ROOT).is_empty()
            && self.next_items(PlaceId::ROOT).is_empty()
    }

    /// Returns `true` if an annotation in use is about the path or one below it.
    fn counts(&self, place: PlaceId) -> bool {
        self.places[place.index()].first < self.count
    }

    /// Returns the member with that key. `near` is kept between queries on a node: it is the
    /// position of the next child if annotations follow the order of the value, as most do.
    pub(super) fn member(&self, at: PlaceId, name: &str, near: &mut usize) -> Option<PlaceId> {
        let children = self.children(at);
        // A node without children is the common case in a value with many members.
        if children.is_empty() {
            return None;
        }
        let found = match children.get(*near) {
            Some(&next) if self.name(next) == Some(name) => {
                *near += 1;
                next
            }
            _ => {
                let found = self.known_child(at, Key::Member(name))?;
                // Children are numbered in their order.
                *near = children.binary_search(&found).map_or(0, |place| place + 1);
                found
            }
        };
        Some(found).filter(|found| self.counts(*found))
    }

    pub(super) fn item(&self, at: PlaceId, index: u32) -> Option<PlaceId> {
        let found =
            (self.item_in_order(at, index)).or_else(|| self.known_child(at, Key::Index(index)));
        found.filter(|found| self.counts(*found))
    }

    /// The members below, and items that were inserted out of order.
    pub(super) fn children(&self, at: PlaceId) -> &[PlaceId] {
        let children: &[_] = self.inside(at).map_or(&[], |inside| &inside.children);
        &children[..children.partition_point(|child| self.counts(*child))]
    }

    pub(super) fn name(&self, at: PlaceId) -> Option<&'r str> {
        match self.places[at.index()].key? {
            Key::Member(name) => Some(name),
            Key::Index(_) => None,
        }
    }

    pub(super) fn annotations(&self, at: PlaceId) -> &[u32] {
        self.counted(&self.places[at.index()].annotations)
    }

    pub(super) fn next_items(&self, at: PlaceId) -> &[u32] {
        self.counted(self.inside(at).map_or(&[], |inside| &inside.next_items))
    }

    /// Returns the annotations in use.
    fn counted<'s>(&self, annotations: &'s [u32]) -> &'s [u32] {
        match annotations.last() {
            Some(last) if *last >= self.count => {
                &annotations[..annotations.partition_point(|number| *number < self.count)]
            }
            _ => annotations,
        }
    }
}
