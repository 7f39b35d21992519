//! Members outside of their places: `a.b`, `/a/b`, `a_b` and `a[0].b` for nested members, members
//! some levels too high or too deep, in records of names and values, or under keys with a common
//! prefix.
//!
//! One rule reads them all: the words of the keys that lead to a value are the words of the names
//! that lead to its place.

use llmjson_syntax::{Class, Kind, NewKey, NodeId};
use smallvec::SmallVec;

use super::numbered::Numbered;
use super::roles::{is_label, is_list, is_note_of_list, is_other_thing};
use crate::base::report::CoercionKind;
use crate::coerce::member_scan::MemberScan;
use crate::coerce::state::{CONTAINERS, Call, Coercer, Laid};
use crate::ir::names::NAME_MAX;
use crate::ir::names::parts::{is_one_of, words, words_at};
use crate::ir::shape::{Additional, ObjectRules, Types};

/// The place of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The present place.
    Stays,
    /// The absent member at that slot.
    Becomes(usize),
    /// The absent member at that slot, under the remaining key.
    Into(usize, String),
    /// An item of the array at that slot, under the remaining key, if there is one.
    Item(usize, usize, String),
    /// No clear place, although others have one.
    Unclear,
}

/// A value and the keys that lead to it.
#[derive(Clone)]
pub(super) struct Entry {
    /// The keys, with points between them.
    pub(super) path: String,
    /// The offset of the last key.
    pub(super) key: usize,
    pub(super) node: NodeId,
    /// The index of the member that contains it.
    pub(super) top: usize,
    pub(super) place: Place,
}

impl Entry {
    pub(super) fn name(&self) -> &str {
        &self.path[self.key..]
    }

    fn top_name(&self) -> &str {
        self.path.split('.').next().unwrap_or_default()
    }

    pub(super) fn stays(&self) -> bool {
        matches!(self.place, Place::Stays)
    }
}

/// The object whose members have other places.
pub(super) struct Target<'c> {
    pub(super) call: Call,
    pub(super) rules: &'c ObjectRules,
    pub(super) is_open: bool,
    /// The declared members that are not there, even under another spelling.
    pub(super) absent: Vec<usize>,
    /// The words of their names.
    pub(super) words: Vec<Vec<String>>,
    /// The number at which the items of an array begin, by its slot.
    pub(super) starts: SmallVec<[(usize, usize); 2]>,
}

impl Target<'_> {
    fn is_absent(&self, slot: usize) -> bool {
        self.absent.binary_search(&slot).is_ok()
    }

    pub(super) fn slot(&self, name: &str) -> Option<usize> {
        let slot = self.rules.find(name);
        slot.or_else(|| Some(self.rules.names().claim(name)?.slot() as usize))
    }

    /// Returns the absent member of that name.
    pub(super) fn named(&self, name: &str) -> Option<usize> {
        self.slot(name).filter(|slot| self.is_absent(*slot))
    }

    fn missing(&self) -> impl Iterator<Item = usize> {
        let required = |slot: &usize| self.rules.properties[*slot].required;
        self.absent.iter().copied().filter(required)
    }
}

/// The maximum number of values examined; objects with more are not converted.
const ENTRIES_MAX: usize = 4096;

/// The maximum number of keys that lead to a value.
const DEPTH_MAX: usize = 4;

impl<'c> Coercer<'c, '_> {
    /// Rearranges the members of an incomplete object, if others belong there.
    pub(in crate::coerce) fn other_members(
        &mut self,
        call: Call,
        rules: &'c ObjectRules,
        scan: &MemberScan,
    ) -> Option<Laid> {
        if scan.complete || scan.others.len() > ENTRIES_MAX || !self.may_lay_out(call) {
            return None;
        }
        let absent = self.absent(call, rules, scan);
        let name = |slot: &usize| words(&rules.properties[*slot].name);
        let mut target = Target {
            call,
            rules,
            is_open: matches!(rules.additional, Additional::Open(_)),
            words: absent.iter().map(name).collect(),
            absent,
            starts: SmallVec::new(),
        };
        target.missing().next()?;
        if let Some(row) = self.only_row(call, rules) {
            return Some(row);
        }
        let mut entries = self.entries(&mut target, scan)?;
        let mut class = self.share_words(&target, &mut entries);
        // If others are declared, any key may be a member's own.
        if !target.is_open && self.place_only(&target, &mut entries) {
            class = Class::Guess;
        }
        // If there are several envelopes, the intended one is unknown.
        let mut opened: Vec<_> = (entries.iter())
            .filter(|one| one.key > 0 && !one.stays())
            .filter(|one| self.is_wrapper(call.shape, one.top_name()))
            .map(|one| one.top)
            .collect();
        opened.dedup();
        if opened.len() > 1
            || entries.iter().all(Entry::stays)
            || entries
                .iter()
                .any(|one| matches!(one.place, Place::Unclear))
        {
            return None;
        }
        let is_other = |one: &&Entry| one.stays() && target.slot(&one.path).is_none();
        let mut left = entries.iter().filter(is_other);
        if left.any(|one| !self.is_beside(one)) || self.is_doubtful(&target, &entries) {
            class = Class::Guess;
        }
        let node = self.put_in_place(&target, &entries)?;
        (self.options.allows_as(CoercionKind::OtherLayout, class)).then_some((node, class))
    }

    /// Returns the declared members that are absent, even in another spelling.
    fn absent(&self, call: Call, rules: &ObjectRules, scan: &MemberScan) -> Vec<usize> {
        let mut present = scan.present.clone();
        for (name, _) in self.value(call.node).members() {
            if let Some(claim) = rules.names().claim(&name) {
                present[claim.slot() as usize] = true;
            }
        }
        (0..present.len()).filter(|slot| !present[*slot]).collect()
    }

    /// Returns the values that may have another place, and the members that stay.
    fn entries(&mut self, target: &mut Target<'c>, scan: &MemberScan) -> Option<Vec<Entry>> {
        let mut others = scan.others.iter().peekable();
        let members = self.value(target.call.node).members();
        let members: Vec<_> = (members.enumerate())
            .map(|(top, (name, value))| {
                let is_other = others.next_if(|(at, _)| *at as usize == top).is_some();
                let entry = Entry {
                    path: name.into_owned(),
                    key: 0,
                    node: value.id(),
                    top,
                    place: Place::Stays,
                };
                (entry, is_other)
            })
            .collect();
        let mut entries = Vec::new();
        for (entry, is_other) in members {
            if !is_other || target.slot(&entry.path).is_some() {
                entries.push(entry);
                continue;
            }
            let (first, whole) = (entries.len(), entry.clone());
            self.spread(target, entry, &mut entries, 1)?;
            // If none of it is missing elsewhere, or some is repeated, the member stays whole.
            let inner = &entries[first..];
            let clashes = |one: &Entry| one.stays() && target.slot(one.name()).is_some();
            let is_whole = inner.iter().all(Entry::stays) || inner.iter().any(clashes);
            if inner.iter().any(|one| one.key > 0) && is_whole {
                entries.truncate(first);
                entries.push(whole);
            }
        }
        Some(entries)
    }

    /// Adds an entry, or those inside it if it has no place itself.
    fn spread(
        &mut self,
        target: &mut Target<'c>,
        mut entry: Entry,
        entries: &mut Vec<Entry>,
        depth: usize,
    ) -> Option<()> {
        self.charge(1 + WORDS_MAX + target.absent.len());
        if self.is_spent() || entries.len() > ENTRIES_MAX {
            return None;
        }
        entry.place = self.place_of(target, &entry);
        let may_open = entry.stays()
            && depth < DEPTH_MAX
            && !target.is_open
            && entry.path.len() <= NAME_MAX
            && !is_other_thing(entry.name());
        let inner = match may_open {
            true => self.inner_members(&entry, target),
            false => Vec::new(),
        };
        if inner.is_empty() {
            entries.push(entry);
            return Some(());
        }
        self.charge(inner.len());
        for (name, node) in inner {
            // `{"arguments": {"arguments": {…}}}`: written twice, so it may be wrong altogether.
            if entry.path.split('.').any(|key| key == name) {
                return None;
            }
            let inside = Entry {
                path: format!("{}.{name}", entry.path),
                key: entry.path.len() + 1,
                node,
                top: entry.top,
                place: Place::Stays,
            };
            self.spread(target, inside, entries, depth + 1)?;
        }
        Some(())
    }

    /// Returns the members that a value stands for: the members of an object or of an
    /// array's only object, and the pairs of records.
    fn inner_members(&self, entry: &Entry, target: &Target<'_>) -> Vec<(String, NodeId)> {
        let value = self.value(entry.node);
        // Elsewhere the object may be an envelope around the array.
        let is_root = target.call.has(Call::ROOT);
        let object = match value.kind() {
            Kind::Array if value.len() == 1 && is_root && !is_list(entry.name()) => {
                value.item(0).unwrap_or(value)
            }
            _ => value,
        };
        let records = || self.records(value, |name| self.is_declared(target.rules, name));
        match object.kind() {
            Kind::Object => {
                let members = object.members();
                members
                    .map(|(name, one)| (name.into_owned(), one.id()))
                    .collect()
            }
            Kind::Array => records().unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    fn place_of(&self, target: &mut Target<'c>, entry: &Entry) -> Place {
        let name = entry.name();
        if entry.key > 0
            && let Some(slot) = (target.named(&entry.path)).or_else(|| target.named(name))
        {
            return Place::Becomes(slot);
        }
        if let Some(place) = self.item_place(target, &entry.path) {
            return place;
        }
        if let Some(place) = self.place_under(target, &entry.path) {
            return place;
        }
        if entry.key > 0 {
            return Place::Stays;
        }
        // `{"name": "Ann"}` next to a missing `user`, which declares `name`: only one missing member
        // could hold it.
        let mut slots = target
            .missing()
            .filter(|slot| self.holds(target, *slot, name));
        match (slots.next(), slots.next()) {
            (Some(slot), None) => Place::Into(slot, name.to_owned()),
            _ => Place::Stays,
        }
    }

    /// Returns `true` if an absent member declares that name. An array takes the object formed by
    /// its members as its only item.
    fn holds(&self, target: &Target<'_>, slot: usize, name: &str) -> bool {
        let shape = self.shapes.get(target.rules.properties[slot].shape);
        let item = shape.array.as_deref().and_then(|list| list.item(0));
        let shape = item.map_or(shape, |item| self.shapes.get(item));
        let inner = shape.object.as_deref();
        inner.is_some_and(|inner| self.is_declared(inner, name))
    }

    /// Returns the place inside the absent member with whose words a path begins.
    pub(super) fn place_under(&self, target: &Target<'_>, path: &str) -> Option<Place> {
        let all = words_at(path);
        let begins = |(slot, own): (&usize, &Vec<String>)| {
            let is_prefix =
                own.len() < all.len() && own.iter().zip(&all).all(|(own, (_, word))| own == word);
            (is_prefix && !own.is_empty()).then_some((own.len(), *slot))
        };
        let (count, slot) = target
            .absent
            .iter()
            .zip(&target.words)
            .filter_map(begins)
            .max()?;
        let at = all[count].0;
        let rest = path[at..].trim_end_matches([']', '\'', '"']);
        // `a.b` in any object; `a_b` only where `b` is declared.
        let is_path = path[..at]
            .trim_end()
            .ends_with(['.', '/', '[', '\'', '"', '>', ':']);
        let types = self.shapes.types_of(target.rules.properties[slot].shape);
        let fits = is_path && types.meets(CONTAINERS) || self.holds(target, slot, rest);
        fits.then(|| Place::Into(slot, rest.to_owned()))
    }

    /// Returns the place in a missing array of a value whose key has the number of an item:
    /// `step_1`, `steps[0].text`.
    fn item_place(&self, target: &mut Target<'c>, path: &str) -> Option<Place> {
        let found = Numbered::of(path)?;
        let list = |slot: &usize| {
            let property = &target.rules.properties[*slot];
            self.shapes.types_of(property.shape) == Types::ARRAY
        };
        let named = |slot: &usize| found.is_item_of(&target.rules.properties[*slot].name);
        let stem = found.stem.join("_");
        let inside = |slot: &usize| found.rest.is_empty() && self.holds(target, *slot, &stem);
        let of = target.missing().filter(list).find(named);
        let (slot, rest) = match of {
            Some(slot)
                if found.rest.is_empty()
                    || found.is_path
                    || self.holds(target, slot, &found.rest) =>
            {
                (slot, found.rest.clone())
            }
            Some(_) => return Some(Place::Unclear),
            None => (target.missing().filter(list).find(inside)?, stem),
        };
        let first = if found.is_path {
            0
        } else {
            found.number.min(1)
        };
        let known = target.starts.iter().find(|(of, _)| *of == slot);
        let start = known.map_or(first, |(_, start)| *start);
        if known.is_none() {
            target.starts.push((slot, first));
        }
        Some(Place::Item(slot, found.number.checked_sub(start)?, rest))
    }

    /// Makes the only array without a place the only missing array.
    fn place_only(&self, target: &Target<'_>, entries: &mut [Entry]) -> bool {
        let mut missing = target.missing();
        let (Some(slot), None) = (missing.next(), missing.next()) else {
            return false;
        };
        let property = &target.rules.properties[slot];
        let is_other = |one: &&mut Entry| one.stays() && target.slot(one.name()).is_none();
        let is_beside = |one: &Entry| self.is_beside(one);
        let others = entries.iter_mut().filter(is_other);
        let mut free = others.filter(|one| !is_beside(one));
        let (Some(entry), None) = (free.next(), free.next()) else {
            return false;
        };
        let shape = self.shapes.get(property.shape);
        let item = shape.array.as_deref().and_then(|list| list.item(0));
        let is_record = item.is_some_and(|item| {
            let rules = self.shapes.get(item).object.as_deref();
            rules.is_some_and(|rules| rules.lacks(|_| false).next().is_some())
        });
        let (name, value) = (entry.name(), self.value(entry.node));
        // A separate key that shares a word with the declared one means something else:
        // `deleted_users`.
        let (own, declared) = (words(name), words(&property.name));
        let is_another =
            is_record && !own.iter().any(|word| declared.contains(word)) && own.len() == 1;
        // `tag` for `tags`
        let is_item = own.len() == declared.len()
            && own
                .iter()
                .zip(&declared)
                .all(|(own, word)| is_one_of(own, word));
        let is_filled = value.kind() == Kind::Array && !value.is_empty();
        let is_taken = is_filled
            && !is_other_thing(name)
            && (is_list(name) || is_item || is_another || self.is_wrapper(target.call.shape, name));
        if is_taken {
            entry.place = Place::Becomes(slot);
        }
        is_taken
    }

    /// Returns `true` if a value without a place is about the others.
    fn is_beside(&self, entry: &Entry) -> bool {
        let value = self.value(entry.node);
        is_note_of_list(entry.name()) || is_label(entry.name(), value)
    }

    /// Returns `true` if a member that is not known to wrap others contains only one of the values,
    /// or all of them.
    fn is_doubtful(&self, target: &Target<'_>, entries: &[Entry]) -> bool {
        let has_own = has_own(target, entries);
        let placed = entries.iter().filter(|one| !one.stays());
        let is_known = |one: &Entry| {
            let mut keys = one.path[..one.key - 1].split('.');
            target.slot(&one.path).is_some()
                || keys.all(|key| self.is_wrapper(target.call.shape, key))
        };
        let unknown = |one: &&Entry| one.key > 0 && !is_known(one);
        let tops: Vec<usize> = placed.clone().filter(unknown).map(|one| one.top).collect();
        let mut by_top = tops.chunk_by(|left, right| left == right);
        let is_one = by_top.clone().count() == 1 && tops.len() == placed.count();
        by_top.any(|of_top| of_top.len() == 1) || is_one && !has_own
    }

    /// Writes the object with each value in its place.
    fn put_in_place(&mut self, target: &Target<'c>, entries: &[Entry]) -> Option<NodeId> {
        let rules = target.rules;
        let is_envelope = |one: &Entry| {
            let is_placed = matches!(one.place, Place::Becomes(_));
            one.key > 0 || is_placed && self.is_wrapper(target.call.shape, one.name())
        };
        let is_wrapper = entries.iter().any(is_envelope) && !has_own(target, entries);
        let mut written: Vec<(&str, NodeId)> = Vec::new();
        for entry in entries {
            match entry.place {
                Place::Becomes(slot) => written.push((&rules.properties[slot].name, entry.node)),
                // Members about an opened object are dropped with it.
                Place::Stays if (entry.key > 0 || is_wrapper) && self.is_beside(entry) => {}
                Place::Stays => written.push((entry.name(), entry.node)),
                Place::Into(..) | Place::Item(..) | Place::Unclear => {}
            }
        }
        for &slot in &target.absent {
            let mut inner: Vec<(&str, NodeId)> = Vec::new();
            let mut items: Vec<Vec<(&str, NodeId)>> = Vec::new();
            for entry in entries {
                match &entry.place {
                    Place::Into(at, name) if *at == slot => inner.push((name, entry.node)),
                    Place::Item(at, index, name) if *at == slot => {
                        // The numbers have no gaps.
                        if *index > entries.len() {
                            return None;
                        }
                        items.resize(items.len().max(*index + 1), Vec::new());
                        items[*index].push((name, entry.node));
                    }
                    _ => {}
                }
            }
            let node = match (inner.is_empty(), items.is_empty()) {
                (true, true) => continue,
                (false, true) => self.object_with(&inner)?,
                (true, false) => {
                    let nodes: Option<Vec<NodeId>> = items
                        .iter()
                        .map(|item| match item[..] {
                            [] => None,
                            [("", only)] => Some(only),
                            _ => self.object_with(item),
                        })
                        .collect();
                    self.editor.array(&nodes?)
                }
                (false, false) => return None,
            };
            written.push((&rules.properties[slot].name, node));
        }
        self.object_with(&written)
    }

    /// Returns an object of these members, or nothing if a key is repeated or invalid.
    pub(super) fn object_with<N: AsRef<str>>(&mut self, members: &[(N, NodeId)]) -> Option<NodeId> {
        let mut names: Vec<&str> = members.iter().map(|(name, _)| name.as_ref()).collect();
        names.sort_unstable();
        let twice = names.windows(2).any(|pair| pair[0] == pair[1]);
        if twice || names.first().is_some_and(|name| name.is_empty()) {
            return None;
        }
        let members = members.iter();
        let members: Vec<_> = members
            .map(|(name, node)| (NewKey::Text(name.as_ref()), *node))
            .collect();
        Some(self.editor.object(&members))
    }
}

/// Returns `true` if a declared member is in its place.
fn has_own(target: &Target<'_>, entries: &[Entry]) -> bool {
    let is_own = |one: &Entry| one.stays() && one.key == 0 && target.slot(&one.path).is_some();
    entries.iter().any(is_own)
}

/// Maximum number of words of a key that others may share.
pub(super) const WORDS_MAX: usize = 16;
