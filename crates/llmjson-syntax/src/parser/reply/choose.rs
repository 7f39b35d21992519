//! Which of the values found in a reply is the answer.

use crate::Span;
use crate::document::{Document, Reading, Readings, Records};
use crate::limits::Limits;
use crate::node::{NONE, Tag, flag};
use crate::parser::gap::gap_at;
use crate::parser::kinds::has_guess;
use crate::parser::reader::{KeySpan, Reader, Scratch, saturate, scalar};
use crate::parser::reply::Search;
use crate::parser::reply::markup::tag;
use crate::repair::{NoteKind, Repair, RepairKind};
use crate::scan::{peek, skip_space};
use alloc::vec::Vec;
use core::ops::Range;

/// How many values of one run are tried on their own.
const GROUP_READINGS_MAX: u32 = 32;

/// How many values of all runs together are, but for one of each run: each reading that is tried
/// takes a look at the whole reply.
const RUN_READINGS_MAX: u32 = 64;

impl Reader<'_> {
    /// Makes the best candidate the value and records what was passed over for it.
    pub(in crate::parser) fn choose(&mut self, mut found: Search) -> bool {
        if found.candidates.len() > 1 {
            self.group(&mut found);
            self.drop_crowds(&mut found);
        }
        if found.candidates.len() == 1 {
            return self.take_only(found.candidates);
        }
        let guessed: Vec<bool> = found
            .candidates
            .iter()
            .map(|one| self.guessed(one))
            .collect();
        let mut order: Vec<usize> = (0..found.candidates.len()).collect();
        // Not every pair is in order by the same rule, so the best is picked first, then the best
        // of the rest; there are few.
        for place in 0..order.len() {
            for next in place + 1..order.len() {
                let (one, other) = (order[next], order[place]);
                let candidates = &found.candidates;
                let better = self.beats(
                    (&candidates[one], guessed[one]),
                    (&candidates[other], guessed[other]),
                );
                if better {
                    order.swap(place, next);
                }
            }
        }
        let mut all = Vec::with_capacity(order.len());
        for index in order {
            all.push(found.candidates[index].clone());
        }
        let repairs = core::mem::take(&mut self.tape.repairs);
        let notes = core::mem::take(&mut self.tape.notes);
        self.readings = Readings {
            all,
            chosen: NONE,
            repairs,
            notes,
        };
        self.apply(0)
    }

    /// There is nothing to choose from: the records stay where they are.
    fn take_only(&mut self, all: Vec<Reading>) -> bool {
        let only = &all[0];
        self.tape.repairs.truncate(only.repairs.end());
        self.tape.repairs.drain(..only.repairs.start());
        self.tape.notes.truncate(only.notes.end());
        self.tape.notes.drain(..only.notes.start());
        self.tape.root = only.root;
        self.wrappers = 0;
        let (complete, chosen) = (only.complete, only.root);
        self.record_around(only.span);
        self.sort_repairs();
        let (repairs, notes) = (Vec::new(), Vec::new());
        self.readings = Readings {
            all,
            chosen,
            repairs,
            notes,
        };
        complete
    }

    pub(in crate::parser) fn sort_repairs(&mut self) {
        let start = |repair: &Repair| repair.span.start;
        let mut pairs = self.tape.repairs.windows(2);
        if !pairs.all(|pair| start(&pair[0]) <= start(&pair[1])) {
            self.tape.repairs.sort_by_key(start);
        }
    }

    /// Makes one of the readings the value. Returns whether it is complete.
    fn apply(&mut self, index: usize) -> bool {
        let chosen = self.readings.all[index].clone();
        self.tape.repairs.clear();
        self.tape.notes.clear();
        let mut repairs = self.readings.repairs[chosen.repairs.range()].to_vec();
        let mut notes = self.readings.notes[chosen.notes.range()].to_vec();
        self.tape.repairs.append(&mut repairs);
        self.tape.notes.append(&mut notes);
        self.tape.root = chosen.root;
        self.readings.chosen = chosen.root;
        self.wrappers = 0;
        for index in 0..self.readings.all.len() {
            let other = &self.readings.all[index];
            let apart = other.span.end <= chosen.span.start || other.span.start >= chosen.span.end;
            if apart && !other.thought {
                let (start, end) = (other.span.start as usize, other.span.end as usize);
                self.note(NoteKind::OtherValue, start, end);
            }
        }
        self.record_around(chosen.span);
        self.sort_repairs();
        chosen.complete
    }

    /// Whether reading a candidate took a guess.
    pub(in crate::parser) fn guessed(&self, candidate: &Reading) -> bool {
        has_guess(&self.tape.repairs[candidate.repairs.range()])
    }

    /// Runs of values with nothing between them are one list.
    pub(in crate::parser) fn group(&mut self, found: &mut Search) {
        let candidates = &found.candidates;
        let mut groups = Vec::new();
        let mut start = 0;
        for index in 1..=candidates.len() {
            let joined = index < candidates.len() && {
                let next = &candidates[index];
                self.follows(
                    &candidates[index - 1],
                    next.span.start as usize,
                    next.thought,
                )
            };
            if !joined {
                if index - start > 1 {
                    groups.push(start..index);
                }
                start = index;
            }
        }
        for (number, group) in groups.into_iter().enumerate() {
            self.add_list(found, group, number as u32 + 1);
        }
    }

    /// Whether a value that begins at `start` belongs to the same run of values as the last one.
    pub(in crate::parser) fn follows(&self, last: &Reading, start: usize, thought: bool) -> bool {
        let end = last.span.end as usize;
        last.thought == thought
            && last.complete
            && end <= start
            && !self.is_token(last.root)
            && self.nothing_between(end, start)
    }

    /// Of a long run of values only the first ones are readings of their own; the others are in
    /// its list.
    fn drop_crowds(&self, found: &mut Search) {
        let groups = found.candidates.iter().map(|candidate| candidate.group);
        let groups = groups.max().unwrap_or(0).max(1);
        let most = (RUN_READINGS_MAX / groups).clamp(1, GROUP_READINGS_MAX);
        let mut group = 0;
        let mut seen = 0;
        found.candidates.retain(|candidate| {
            seen = if candidate.group == group {
                seen + 1
            } else {
                0
            };
            group = candidate.group;
            group == 0 || seen < most
        });
    }

    /// Whether a list holds one bare word, as tokens of chat templates do: `[TOOL_CALLS]`.
    fn is_token(&self, root: u32) -> bool {
        let list = &self.tape.nodes[root as usize];
        let item = self.tape.nodes.get(root as usize + 1);
        list.tag == Tag::Array
            && list.count == 1
            && item.is_some_and(|item| item.tag == Tag::String && !item.has(flag::SIDE))
            && !self.substantial(root)
    }

    /// Makes a list of a run of values, unless one value is merely repeated in it.
    fn add_list(&mut self, found: &mut Search, group: Range<usize>, number: u32) {
        let members = &mut found.candidates[group.clone()];
        let (first, last) = (members[0].clone(), members[members.len() - 1].clone());
        let text = &self.text[first.span.range()];
        let mut repeated = true;
        let mut roots: Vec<u32> = Vec::with_capacity(members.len());
        // There may be as many of them as fit into the text, so they are gone through once.
        for member in members {
            member.group = number;
            roots.push(member.root);
            repeated = repeated && self.text[member.span.range()] == *text;
        }
        if repeated && self.substantial(first.root) {
            return;
        }
        let (start, end) = (first.span.start as usize, last.span.end as usize);
        let list = self.tape.nodes.len() as u32;
        let mut node = scalar(KeySpan::NONE, Tag::Array, start, end);
        node.count = saturate(roots.len() as u32);
        node.next = list + 1 + roots.len() as u32;
        self.tape.nodes.push(node);
        for root in roots {
            let mut reference = scalar(KeySpan::NONE, Tag::Reference, 0, 0);
            reference.next = root;
            self.tape.nodes.push(reference);
        }
        let at = last.repairs.end();
        let span = Span::of(start, end);
        let kind = RepairKind::SeveralValues;
        self.tape.repairs.insert(at, Repair::new(kind, span));
        // Those of the run itself lie before the new one.
        let (before, rest) = found.candidates.split_at_mut(group.start);
        let after = &mut rest[group.len()..];
        for candidate in before.iter_mut().chain(after) {
            let Range { mut start, mut end } = candidate.repairs.range();
            end += usize::from(end > at);
            start += usize::from(start >= at && end > at);
            candidate.repairs = Records::of(start..end);
        }
        found.candidates.push(Reading {
            root: list,
            span,
            complete: last.complete,
            fenced: first.fenced,
            thought: first.thought,
            group: 0,
            repairs: Records::of(first.repairs.start().min(at)..at + 1),
            notes: Records::of(first.notes.start()..last.notes.end()),
        });
    }

    /// Whether only white space, commas, comments, fences and tags part two values.
    fn nothing_between(&self, start: usize, end: usize) -> bool {
        // Only what lies between counts, so that a comment without an end costs no more than that.
        let text = &self.text[..end];
        let mut at = start;
        while at < end {
            let (byte, k) = skip_space(text.as_bytes(), at);
            if k >= end {
                return true;
            }
            if let Some((kind, next)) = gap_at(text, k) {
                let closed = text.ends_with("*/") || text.ends_with("-->");
                if kind == RepairKind::Comment && next >= end && !closed {
                    return false;
                }
                at = next;
                continue;
            }
            at = match byte {
                b',' | b';' => k + 1,
                b'`' | b'~' if self.fence_at(k) => {
                    let word = |c: char| c == '`' || c == '~' || c.is_ascii_alphanumeric();
                    self.text[k..]
                        .find(|c| !word(c))
                        .map_or(end, |length| k + length)
                }
                b'<' => match tag(self.text, k) {
                    Some((_, _, next)) => next,
                    None => return false,
                },
                _ => return false,
            };
        }
        true
    }

    /// Whether one candidate is the better reading of the reply than another.
    fn beats(
        &self,
        (one, one_guessed): (&Reading, bool),
        (other, other_guessed): (&Reading, bool),
    ) -> bool {
        let order = |a: bool, b: bool| (a != b).then_some(a);
        let substantial = |candidate: &Reading| self.substantial(candidate.root);
        let inside = |inner: &Reading, outer: &Reading| {
            inner.span.start >= outer.span.start
                && inner.span.end <= outer.span.end
                && inner.span != outer.span
        };
        let larger = |a: &Reading, b: &Reading| a.span.len() >= 2 * b.span.len().max(1);
        order(!one.thought, !other.thought)
            .or_else(|| order(one.fenced, other.fenced))
            .or_else(|| order(substantial(one), substantial(other)))
            .or_else(|| {
                // A list beats what it holds; a whole value beats what never closes around it.
                if inside(one, other) {
                    Some(one.complete && !other.complete)
                } else if inside(other, one) {
                    Some(one.complete || !other.complete)
                } else {
                    None
                }
            })
            .or_else(|| {
                let same = one.group != 0 && one.group == other.group;
                same.then_some(one.span.start < other.span.start)
            })
            .or_else(|| order(larger(one, other), larger(other, one)))
            .or_else(|| order(!one_guessed, !other_guessed))
            .unwrap_or(one.span.start >= other.span.start)
    }

    /// Whether a container holds more than nothing or one bare item.
    fn substantial(&self, root: u32) -> bool {
        let node = &self.tape.nodes[root as usize];
        match node.tag {
            Tag::Object => node.count > 0,
            Tag::Array if node.count == 1 => {
                let mut child = root as usize + 1;
                if self.tape.nodes[child].tag == Tag::Reference {
                    child = self.tape.nodes[child].next as usize;
                }
                self.tape.nodes[child].is_container()
                    || self.tape.nodes[child].tag == Tag::String
                        && peek(self.bytes, self.tape.nodes[child].end as usize) == b'"'
            }
            Tag::Array => node.count > 1,
            _ => true,
        }
    }
}

/// Makes another reading the document's value.
pub(crate) fn apply_reading(document: &mut Document<'_>, index: usize) {
    let mut scratch = Scratch::default();
    let limits = Limits::DEFAULT;
    let mut reader = Reader::new(&document.text, &mut document.tape, &limits, &mut scratch);
    reader.readings = core::mem::take(&mut document.readings);
    let complete = reader.apply(index);
    document.readings = reader.readings;
    document.complete = complete;
}
