//! Consecutive values with nothing between them, which form one array.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::ops::Range;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::span::Span;
use crate::parser::look::Look;
use crate::parser::look::trivia::trivia_at;
use crate::parser::state::reader::Reader;
use crate::reply::found::ReplySearch;
use crate::scan::skip_space;
use crate::tape::marks::{Mark, marks_from};
use crate::tape::readings::{Reading, Readings, Records};
use crate::tape::{Tag, Tape};
use crate::view::{Kind, ValueRef};
use crate::zones::marks::tag_before;

/// Maximum number of keys of two objects that are compared.
const NAMES_COMPARED: usize = 8;

/// Maximum number of values of one run that are tried separately.
const GROUP_READINGS_MAX: u32 = 32;

/// Maximum number of values of all runs together, not counting one of each run, since each
/// hypothesis that is tried examines the whole reply.
const RUN_READINGS_MAX: u32 = 64;

impl Reader<'_> {
    /// Adds an array for each run of adjacent values: one of two items for `{"a": 1} {"a": 2}`.
    pub(crate) fn group(&mut self, found: &mut ReplySearch) {
        let candidates = &found.candidates;
        let mut groups = Vec::new();
        let mut start = 0;
        for index in 1..=candidates.len() {
            let joined = index < candidates.len() && {
                let next = &candidates[index];
                let start = next.span.start as usize;
                let zones = (next.thought, next.shown);
                !next.patch && self.follows(found, &candidates[index - 1], start, zones)
            };
            if !joined {
                if index - start > 1 {
                    groups.push(start..index);
                }
                start = index;
            }
        }
        found.candidates.reserve_exact(groups.len());
        for (number, group) in groups.into_iter().enumerate() {
            self.add_list(found, group, number as u32 + 1);
        }
    }

    /// Begins a place for a value that begins at `start`, unless the value belongs to the same run
    /// as the last one: consecutive values are one place, regardless of their number.
    pub(crate) fn begin_place(&self, found: &mut ReplySearch, start: usize) {
        let zones = found.ask(self.look, |zones| {
            (zones.is_thought(start), zones.is_shown(start))
        });
        let last = found.candidates.last();
        let follows = last.is_some_and(|last| self.follows(found, last, start, zones));
        if !follows {
            found.begin_place(zones.0 || zones.1, self.limits.candidates);
        }
    }

    /// Returns `true` if a value that begins at `start` belongs to the same run of values as the
    /// last one: `true` at 4 of `[1] [2]`. Either both are in reasoning, or both in a quotation, or
    /// neither is.
    fn follows(
        &self,
        found: &ReplySearch,
        last: &Reading,
        start: usize,
        zones: (bool, bool),
    ) -> bool {
        let end = last.span.end as usize;
        (last.thought, last.shown) == zones
            && last.complete
            && !last.patch
            && end <= start
            && self.look.nothing_between(&found.zones.marks, end, start)
    }

    /// Makes an array of a run of values, unless one value is merely repeated in it.
    fn add_list(&mut self, found: &mut ReplySearch, group: Range<usize>, number: u32) {
        let members = &mut found.candidates[group.clone()];
        let (first, last) = (members[0].clone(), members[members.len() - 1].clone());
        let text = &self.look.text[first.span.range()];
        let mut repeated = true;
        let mut roots: Vec<u32> = Vec::with_capacity(members.len());
        // There may be as many of them as fit into the text, so they are visited once.
        for member in members {
            member.group = number;
            roots.push(member.root);
            let whole = member.complete || member.root != last.root;
            let same = self.look.text[member.span.range()] == *text;
            repeated = repeated && (same || !whole && self.values().begins(member, &first));
        }
        // `{"a": 1}` twice in a row: the model repeated itself rather than writing an array. The
        // same holds if the end truncated the repetition.
        if repeated && self.values().substantial(first.root) {
            return;
        }
        let span = Span::new(first.span.start, last.span.end);
        let list = self.tape.push_list(span, roots.into_iter());
        let at = last.repairs.end();
        let mut several = Repair::new(RepairKind::SeveralValues, span);
        // Members without braces after a value may as well belong to it.
        let inside = first.repairs.start().min(at)..at;
        let members = |one: &Repair| one.kind == RepairKind::MissingBraces;
        if self.tape.repairs[inside].iter().any(members)
            || !alike_in_turn(self.tape, self.look.text, &found.candidates[group.clone()])
        {
            several.class = Class::Guess;
        }
        self.tape.repairs.insert(at, several);
        // The records of the run itself precede the new one.
        let (before, rest) = found.candidates.split_at_mut(group.start);
        let after = &mut rest[group.len()..];
        for candidate in before.iter_mut().chain(after) {
            let Range { mut start, mut end } = candidate.repairs.range();
            end += usize::from(end > at);
            start += usize::from(start >= at && end > at);
            candidate.repairs = Records::of(start..end);
        }
        let repairs = Records::of(first.repairs.start().min(at)..at + 1);
        let notes = Records::of(first.notes.start()..last.notes.end());
        let list = Reading::new(list, span, repairs, notes);
        found.candidates.push(list.of_items(&first, &last));
    }
}

impl ReplySearch {
    /// Keeps only the first values of a long run as separate hypotheses, 32 of a run of 40. The
    /// others are in its array.
    pub(crate) fn drop_crowds(&mut self) {
        let groups = self.candidates.iter().map(|candidate| candidate.group);
        let groups = groups.max().unwrap_or(0).max(1);
        let most = (RUN_READINGS_MAX / groups).clamp(1, GROUP_READINGS_MAX);
        let mut group = 0;
        let mut seen = 0;
        self.candidates.retain(|candidate| {
            seen = if candidate.group == group {
                seen + 1
            } else {
                0
            };
            group = candidate.group;
            group == 0 || seen < most
        });
        self.candidates.shrink_to_fit();
    }
}

impl Look<'_> {
    /// Returns `true` if only white space, commas, comments, fences, special tokens and the same
    /// tag again separate two values, the first of which ends at `start`: `true` from 3 to 5 of
    /// `[1], [2]`.
    fn nothing_between(&self, marks: &[Mark], start: usize, end: usize) -> bool {
        // Only the text in between counts, so that a comment without an end costs no more than
        // that.
        let text = &self.text[..end];
        let mut tag_name = None;
        let mut at = start;
        while at < end {
            let (byte, k) = skip_space(text.as_bytes(), at);
            if k >= end {
                return true;
            }
            if let Some((kind, next)) = trivia_at(text, k) {
                let closed = text.ends_with("*/") || text.ends_with("-->");
                if kind == RepairKind::Comment
                    && (next >= end && !closed || is_heading(text, k, next))
                {
                    return false;
                }
                at = next;
                continue;
            }
            at = match byte {
                // `{"a": 1}, {"a": 2}`: items without brackets.
                b',' | b';' => k + 1,
                _ => match marks_from(marks, k).first() {
                    Some(mark) if mark.start == k && mark.is_fence() => mark.end,
                    // `<item>{"a": 1}</item><item>{"a": 2}</item>`: each in the same tag. Different
                    // tags indicate different purposes.
                    Some(mark) if mark.start == k => {
                        let name = text[k..mark.end].trim_matches(['<', '>', '/']);
                        let name = name
                            .split(|c: char| !c.is_alphanumeric() && c != '_')
                            .next();
                        let special =
                            !name.is_some_and(|name| name.starts_with(char::is_alphabetic));
                        if !special && *tag_name.get_or_insert(name) != name {
                            return false;
                        }
                        mark.end
                    }
                    _ => return false,
                },
            };
        }
        true
    }
}

/// Returns `true` if the comment at `at..end` is a Markdown heading, which follows an empty line or
/// has several number signs: `true` for `## a`, `false` for `# a` at the beginning.
fn is_heading(text: &str, at: usize, end: usize) -> bool {
    let line = text[at..end].trim_end();
    let name = line.trim_start_matches('#');
    let blank = |text: &str| text.trim_end_matches([' ', '\t', '\r']).ends_with("\n");
    let above = text[..at].trim_end_matches([' ', '\t', '\r']);
    let apart = above.strip_suffix('\n').is_some_and(blank);
    name.starts_with(' ') && (line.starts_with("##") || apart)
}

/// Returns `true` if each of several values has the same kind as the previous one and objects share
/// a key: `true` for `{"a": 1} {"a": 2}`, `false` for `{"a": 1} {"b": 2}`.
pub(crate) fn alike_in_turn(tape: &Tape, text: &str, members: &[Reading]) -> bool {
    members.windows(2).all(|pair| {
        let [one, other] = [0, 1].map(|index| ValueRef::new(tape, text, pair[index].root));
        let shared = || {
            let mut names = one.members().take(NAMES_COMPARED);
            names.any(|(name, _)| {
                let mut others = other.members().take(NAMES_COMPARED);
                others.any(|(other, _)| other == name)
            })
        };
        one.kind() == other.kind() && (one.kind() != Kind::Object || shared())
    })
}

/// Adds the array of all objects of a reply to its hypotheses. Returns its number, those of its
/// items, and `true` if the form of the reply shows that they belong together.
pub(crate) fn list_of_objects(
    tape: &mut Tape,
    text: &str,
    readings: &mut Readings,
) -> Option<(usize, Vec<usize>, bool)> {
    let open = &readings.all[..readings.open];
    let found = evident_list(tape, open);
    if found.is_some() {
        return found;
    }
    let items = objects_apart(tape, open)?;
    let all: Vec<Reading> = items.iter().map(|&index| open[index].clone()).collect();
    let marks = &readings.marks;
    let tag = |one: &Reading| tag_before(marks, text, one.span.start as usize);
    let marked = all.iter().all(|one| one.fenced)
        || tag(&all[0]).is_some() && all.iter().all(|one| tag(one) == tag(&all[0]));
    let headed = all.iter().all(|one| one.headed);
    let is_evident = marked || headed || alike_in_turn(tape, text, &all);
    let (first, last) = (&all[0], &all[all.len() - 1]);
    let span = Span::new(first.span.start, last.span.end);
    let list = tape.push_list(span, all.iter().map(|one| one.root));
    let (repairs, notes) = (readings.repairs.len(), readings.notes.len());
    for one in &all {
        readings.repairs.extend_from_within(one.repairs.range());
        readings.notes.extend_from_within(one.notes.range());
    }
    let mut several = Repair::new(RepairKind::SeveralValues, span);
    if !marked && !headed {
        several.class = Class::Guess;
    }
    readings.repairs.push(several);
    let repairs = Records::of(repairs..readings.repairs.len());
    let notes = Records::of(notes..readings.notes.len());
    let list = Reading::new(list, span, repairs, notes).of_items(first, last);
    let place = readings.open;
    readings.all.insert(place, list);
    readings.open += 1;
    Some((place, items, is_evident))
}

/// Returns the array that reading formed from a run of values, if it contains all objects of the
/// reply.
fn evident_list(tape: &Tape, open: &[Reading]) -> Option<(usize, Vec<usize>, bool)> {
    let reading = open.iter().position(|one| one.list)?;
    let list = &open[reading].span;
    let is_object = |one: &Reading| tape.nodes[one.root as usize].tag == Tag::Object;
    let within =
        |one: &Reading| one.span.start >= list.start && one.span.end <= list.end && !one.list;
    let all = open.iter().filter(|one| is_object(one)).all(within);
    let items = open.iter().enumerate();
    let items = items.filter(|(_, one)| within(one) && is_object(one));
    all.then(|| (reading, items.map(|(index, _)| index).collect(), true))
}

/// Returns the objects that may be the items of an array, in the order of the text: two or more
/// separate ones, in a reply without an array.
fn objects_apart(tape: &Tape, open: &[Reading]) -> Option<Vec<usize>> {
    let tag_of = |one: &Reading| tape.nodes[one.root as usize].tag;
    let lists = |one: &Reading| tag_of(one) == Tag::Array && !one.list;
    if open.iter().any(lists) {
        return None;
    }
    let mut items: Vec<usize> = (0..open.len())
        .filter(|&index| {
            let one = &open[index];
            let node = &tape.nodes[one.root as usize];
            let set_aside = one.mentioned && one.series == 0;
            node.tag == Tag::Object && node.count > 0 && !set_aside
        })
        .collect();
    items.sort_by_key(|&index| open[index].span.start);
    let apart = |pair: &[usize]| open[pair[0]].span.end <= open[pair[1]].span.start;
    (items.len() >= 2 && items.windows(2).all(apart)).then_some(items)
}
