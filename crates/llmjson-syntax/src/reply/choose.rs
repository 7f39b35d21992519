//! Chooses the answer among the values found in a reply.

use alloc::vec::Vec;

use crate::base::repair::{Class, NoteKind, Repair, RepairKind};
use crate::parser::state::reader::Reader;
use crate::reply::found::ReplySearch;
use crate::reply::weigh::Values;
use crate::tape::NONE;
use crate::tape::marks::Mark;
use crate::tape::readings::{Reading, Readings};
use crate::view::{Kind, ValueRef};
use crate::zones::context::Stance;

/// Maximum number of members of a patch operation that are examined.
const STEP_MEMBERS: usize = 4;

/// The JSON Patch operations (RFC 6902) that change a value.
const OPERATIONS: &[&str] = &["add", "copy", "move", "remove", "replace", "test"];

impl Reader<'_> {
    /// Makes the best candidate the value and records the skipped alternatives.
    pub(crate) fn choose(&mut self, mut found: ReplySearch) -> bool {
        if found.candidates.len() > 1 {
            self.values().find_patches(&mut found);
            self.group(&mut found);
            found.drop_crowds();
        }
        self.readings.marks = core::mem::take(&mut found.zones.marks);
        // Nearly all replies have one value: its records stay in place, and none is copied.
        if found.candidates.len() == 1 {
            return self.take_only(found);
        }
        self.read_leads(&mut found.candidates);
        self.values().set_aside(&mut found.candidates);
        self.values().weigh(&mut found.candidates);
        let all = found.candidates;
        let classes = all.iter().map(|one| self.values().choice(&all[0], one));
        let classes: Vec<Option<Class>> = classes.collect();
        let repairs = core::mem::take(&mut self.tape.repairs);
        let notes = core::mem::take(&mut self.tape.notes);
        self.readings = Readings {
            open: all.iter().filter(|one| !one.aside && !one.draft).count(),
            drafts: all.iter().filter(|one| !one.aside && one.draft).count(),
            all,
            chosen: NONE,
            repairs,
            notes,
            capped: found.capped,
            marks: core::mem::take(&mut self.readings.marks),
            ..Readings::default()
        };
        self.apply(0, |other| classes[other])
    }

    /// Takes the only value if there is no choice: the records stay in place. Returns `true` if it
    /// did.
    fn take_only(&mut self, found: ReplySearch) -> bool {
        let (all, capped) = (found.candidates, found.capped);
        let only = &all[0];
        self.tape.repairs.truncate(only.repairs.end());
        self.tape.repairs.drain(..only.repairs.start());
        self.tape.notes.truncate(only.notes.end());
        self.tape.notes.drain(..only.notes.start());
        self.tape.root = only.root;
        let (complete, chosen) = (only.complete, only.root);
        self.record_around(only.span);
        self.doubt_value(only, 0, self.look.bytes.len());
        self.record_thought(only);
        self.record_capped(capped);
        self.sort_repairs();
        self.readings = Readings {
            open: 1,
            all,
            chosen,
            capped,
            marks: core::mem::take(&mut self.readings.marks),
            ..Readings::default()
        };
        complete
    }

    /// Returns the offsets between which this is the only value.
    fn room_of(&self, value: &Reading) -> (usize, usize) {
        let (mut from, mut to) = (0, self.look.bytes.len());
        for other in &self.readings.all {
            if other.span.end <= value.span.start {
                from = from.max(other.span.end as usize);
            } else if other.span.start >= value.span.end {
                to = to.min(other.span.start as usize);
            }
        }
        (from, to)
    }

    /// Sorts the records by the places at which they begin, since those around a value are made
    /// after those inside it: in `Here: [1,]` the record of the words comes first.
    pub(crate) fn sort_repairs(&mut self) {
        let start = |repair: &Repair| repair.span.start;
        let mut pairs = self.tape.repairs.windows(2);
        if !pairs.all(|pair| start(&pair[0]) <= start(&pair[1])) {
            self.tape.repairs.sort_by_key(start);
        }
    }

    /// Records that a value is in a reasoning block.
    fn record_thought(&mut self, value: &Reading) {
        if value.thought {
            let start = value.span.start as usize;
            self.repair(RepairKind::ThoughtValue, start, start);
        }
    }

    /// Records the limit reached by the search for values.
    fn record_capped(&mut self, capped: Option<(RepairKind, u32)>) {
        if let Some((kind, from)) = capped {
            self.repair(kind, from as usize, from as usize);
        }
    }

    /// Makes one of the hypotheses the value. `class` returns its class in view of another one, if
    /// that counts. Returns `true` if the value is complete.
    pub(crate) fn apply(&mut self, index: usize, class: impl Fn(usize) -> Option<Class>) -> bool {
        let chosen = self.readings.all[index].clone();
        self.tape.repairs.clear();
        self.tape.notes.clear();
        let mut repairs = self.readings.repairs[chosen.repairs.range()].to_vec();
        let mut notes = self.readings.notes[chosen.notes.range()].to_vec();
        self.tape.repairs.append(&mut repairs);
        self.tape.notes.append(&mut notes);
        self.tape.root = chosen.root;
        self.readings.chosen = chosen.root;
        let lists: Vec<Reading> = (self.readings.all.iter())
            .filter(|one| one.list && is_apart(one, &chosen))
            .cloned()
            .collect();
        let in_other_list = |one: &Reading| {
            let within = |list: &Reading| !one.list && !is_apart(one, list);
            lists.iter().any(within)
        };
        for index in 0..self.readings.all.len() {
            let other = &self.readings.all[index];
            let apart = is_apart(other, &chosen);
            // A value inside the chosen one or in an array of several is reported with it. Drafts
            // in a reasoning block are not alternative answers.
            if !apart || other.thought || in_other_list(other) {
                continue;
            }
            let (start, end) = (other.span.start as usize, other.span.end as usize);
            let behind = start >= chosen.span.end as usize;
            match class(index) {
                _ if behind && other.patch => {
                    self.repair(RepairKind::Correction, start, end);
                }
                Some(class) => self.repair_as(RepairKind::ChosenValue, class, start, end),
                None => self.note(NoteKind::OtherValue, start, end),
            }
        }
        self.record_around(chosen.span);
        let (from, to) = self.room_of(&chosen);
        self.doubt_value(&chosen, from, to);
        self.record_thought(&chosen);
        self.record_capped(self.readings.capped);
        self.sort_repairs();
        chosen.complete
    }
}

impl Values<'_> {
    /// Finds the values that are patches of one before them.
    fn find_patches(&mut self, found: &mut ReplySearch) {
        let mut answer: Option<usize> = None;
        for at in 0..found.candidates.len() {
            let (before, rest) = found.candidates.split_at_mut(at);
            let one = &mut rest[0];
            let patched = answer.map(|answer| &before[answer]);
            if let Some(patched) = patched.filter(|value| value.span.end <= one.span.start) {
                one.patch = self.patches(one, patched, &found.zones.marks);
                // It counts as an answer only where a schema allows it.
                one.draft |= one.patch;
            }
            if one.complete
                && !one.thought
                && !one.shown
                && !one.patch
                && self.substantial(one.root)
            {
                answer = Some(at);
            }
        }
    }

    /// Returns `true` if a value patches one before it: a JSON Patch, or, after a label, an object
    /// with some of its keys.
    fn patches(&self, one: &Reading, value: &Reading, marks: &[Mark]) -> bool {
        let (root, patch) = (self.of(value), self.of(one));
        if is_patch(patch) {
            return !is_patch(root);
        }
        let is_part = one.complete
            && root.kind() == Kind::Object
            && patch.kind() == Kind::Object
            && !patch.is_empty()
            && 2 * patch.len() <= root.len()
            && patch.members().all(|(key, _)| root.get(&key).is_some());
        let (from, start) = (value.span.end as usize, one.span.start as usize);
        is_part && self.look.before_value(marks, from, start).stance == Stance::Led
    }
}

/// Returns `true` if a value is a patch of another one, or a list of its operations:
/// `{"op": "replace", "path": "/a", "value": 1}`.
pub(crate) fn is_patch(value: ValueRef<'_>) -> bool {
    let step = value.items().next().unwrap_or(value);
    let member = |wanted: &str| {
        step.members()
            .take(STEP_MEMBERS)
            .find(|(name, _)| name == wanted)
    };
    let operation = member("op").and_then(|(_, value)| value.as_str());
    operation.is_some_and(|one| OPERATIONS.contains(&&*one)) && member("path").is_some()
}

/// Returns `true` if two values do not overlap: the arrays of `[1] [2]`, but not those of `[[1]]`.
fn is_apart(one: &Reading, other: &Reading) -> bool {
    one.span.end <= other.span.start || one.span.start >= other.span.end
}
