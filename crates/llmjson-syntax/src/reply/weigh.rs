//! The cost of each candidate value of a reply, and how certain the choice of the cheapest is.
//!
//! A cost is a sum of terms, each a reason why a value is less likely to be the answer, and of the
//! value's repairs, up to a limit. If two costs are equal, the later value wins, since drafts come
//! first and answers last. Values that are set aside, and drafts of a truncated value, come after
//! all others. The choice is likely to be right if the margin between two costs is clear; otherwise
//! it is a guess.

use crate::base::repair::Class;
use crate::base::repair_set::RepairSet;
use crate::parser::look::Look;
use crate::parser::look::quotes::closers;
use crate::parser::search::price;
use crate::parser::state::reader::Reader;
use crate::reply::found::ReplySearch;
use crate::tape::marks::Mark;
use crate::tape::readings::Reading;
use crate::tape::{Tag, Tape, flag};
use crate::view::{Key, Kind, ValueRef};
use crate::zones::context::continues;

/// A reason why a value is less likely to be the answer than other values of its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Term {
    /// The stable name.
    pub name: &'static str,
    /// The cost that it adds to the value.
    pub price: u32,
    /// The reason in words, as a statement about the value.
    pub sentence: &'static str,
    /// An example reply with a value to which it applies.
    pub example: &'static str,
}

/// Declares the terms, and the bit of each in a term set.
macro_rules! terms {
    ($($bit:ident $name:literal $price:ident $sentence:literal $example:literal)*) => {
        #[derive(Clone, Copy)]
        enum Bit { $($bit),* }

        /// The terms, with their costs.
        pub(crate) const TERMS: &[Term] = &[$(
            Term { name: $name, price: price::$price, sentence: $sentence, example: $example },
        )*];
    };
}

terms! {
    Aside "set_aside" SET_ASIDE "it is a thought beside answers, or the cut beginning of a whole value"
        "<think>{\"a\": 1}</think>{\"a\": 2}"
    Draft "cut_behind" DRAFT "it may be a draft of the last value, which the end of the reply cuts"
        "So far:\n{\"a\": 1}\nAll of it:\n{\"a\": 2, \"b\":"
    Within "within" OVERLAPPING "it is an item of a list of values, or lies in a whole one"
        "{\"a\": 1}{\"a\": 2}"
    Around "never_closes" OVERLAPPING "it never closes or is damaged, and a whole value lies in it"
        "if (x) { y = {\"a\": 1}"
    Nothing "next_to_nothing" NOTHING "it holds nothing, or one bare item"
        "[] or {\"a\": 1}"
    Shown "shown" SHOWN "it stands in a quotation, a table, a log or a turn of another speaker"
        "{\"a\": 1}\n\n> {\"a\": 2}"
    Example "example" EXAMPLE "it is announced as an example, an input, a draft or an alternative"
        "Example: {\"a\": 1} Answer: {\"a\": 2}"
    Unfenced "unfenced" UNFENCED "it stands outside of code fences"
        "{\"a\": 1} and\n```\n{\"a\": 2}\n```"
    Short "short" SHORT "another value is at least twice as long"
        "{\"a\": 1} or {\"b\": [1, 2, 3, 4, 5]}"
    Cut "incomplete" INCOMPLETE "its end is missing"
        "```\n{\"b\": 2,\n```\nor {\"a\": 1}"
    Earlier "earlier" EARLIER "a later value has a label of the same shape, or the last value has the same keys"
        "Step 1: {\"a\": 1}\nStep 2: {\"a\": 2}"
    Later "later_in_run" EARLIER "another value stands directly before it"
        "{\"a\": 1}{\"a\": 1} {\"b\": 2}"
    Part "part_of_larger" PART_OF_LARGER "another value is at least twice as long, with keys of it"
        "{\"a\": 1} or {\"a\": [1, 2, 3, 4, 5]}"
    Late "not_first" LATE "it does not stand where the answer to the question begins"
        "Here:\n{\"a\": 1}\nand {\"a\": 2}"
}

/// Returns the terms of a set, the most expensive first.
pub(crate) fn terms(set: u16) -> impl Iterator<Item = &'static Term> {
    let all = TERMS.iter().enumerate();
    all.filter_map(move |(bit, term)| (set >> bit & 1 == 1).then_some(term))
}

/// Returns the total cost of a set of terms.
fn sum(set: u16) -> u32 {
    terms(set).map(|term| term.price).sum()
}

/// Maximum number of keys of two objects that are compared.
const NAMES_COMPARED: usize = 64;

/// The terms that do not count when the sizes of values are compared.
const BESIDE_SIZE: u16 = 1 << Bit::Cut as u16 | 1 << Bit::Late as u16;

/// The values of a reply, which are compared with one another.
#[derive(Clone, Copy)]
pub(crate) struct Values<'v> {
    pub(crate) look: Look<'v>,
    pub(crate) tape: &'v Tape,
}

impl Reader<'_> {
    /// Returns the values that were read.
    pub(crate) fn values(&self) -> Values<'_> {
        Values {
            look: self.look,
            tape: self.tape,
        }
    }
}

impl<'v> Values<'v> {
    /// Returns the value of a candidate.
    pub(crate) fn of(self, candidate: &Reading) -> ValueRef<'v> {
        ValueRef::new(self.tape, self.look.text, candidate.root)
    }

    /// Finds the terms of each candidate and its price, and sorts them, the cheapest first.
    pub(crate) fn weigh(&self, candidates: &mut [Reading]) {
        // Each place is compared with each other one, four comparisons per step.
        self.look.charge(candidates.len() * candidates.len() / 4);
        for index in 0..candidates.len() {
            candidates[index].terms = self.terms_of(&candidates[index], candidates);
        }
        let is_earlier = |one: &Reading| one.terms & 1 << Bit::Earlier as u16 != 0;
        let fenced = candidates.iter().any(|one| one.fenced && !is_earlier(one));
        for one in &mut *candidates {
            one.terms |= u16::from(fenced && !one.fenced) << Bit::Unfenced as u16;
        }
        self.compare_sizes(candidates);
        for one in &mut *candidates {
            let repairs = &self.tape.repairs[one.repairs.range()];
            let damage = repairs
                .iter()
                .filter(|repair| !RepairSet::UNFINISHED.has(repair.kind));
            let damage: u32 = damage.map(price::of_repair).sum();
            one.price = sum(one.terms) + damage.min(price::DAMAGE_MAX);
        }
        candidates.sort_by_key(|one| {
            // The items of a run keep their order.
            let later = u32::MAX - one.span.start;
            let place = if one.group == 0 {
                later
            } else {
                one.span.start
            };
            (one.aside, one.draft, one.price, place)
        });
    }

    /// Returns the terms of a candidate, except for those about fences and sizes.
    fn terms_of(&self, one: &Reading, all: &[Reading]) -> u16 {
        let any = |beside: &dyn Fn(&Reading) -> bool| all.iter().any(beside);
        let within = any(&|other| is_inside(one, other) && !is_hollow(other, one));
        let around = any(&|other| is_inside(other, one) && is_hollow(one, other));
        let run = |other: &Reading| other.group == one.group && other.span.start < one.span.start;
        let follows =
            |other: &Reading| other.series == one.series && other.span.start > one.span.start;
        let mut set = 0;
        let mut add = |bit: Bit, holds: bool| set |= u16::from(holds) << bit as u16;
        add(Bit::Aside, one.aside);
        // A patch counts where a schema asks for one.
        add(Bit::Draft, one.draft && !one.patch);
        add(Bit::Within, within);
        add(Bit::Around, around || one.swallows);
        add(Bit::Later, one.group != 0 && any(&run));
        add(Bit::Nothing, !self.substantial(one.root));
        add(Bit::Shown, one.shown);
        add(Bit::Example, one.mentioned);
        // The end of the reply may truncate the answer.
        add(Bit::Cut, !one.complete && !self.look.is_last(one));
        let is_redone = last_answer(all).is_some_and(|last| self.is_redone(one, last));
        add(Bit::Earlier, is_redone || one.series != 0 && any(&follows));
        add(Bit::Late, !one.first || one.mentioned);
        set
    }

    /// Returns `true` if the last value replaces an earlier one: `{"a": 1}` before `{"a": 2}`.
    fn is_redone(&self, one: &Reading, last: &Reading) -> bool {
        let is_apart = one.group == 0 || one.group != last.group;
        let is_before = !one.list && one.span.end <= last.span.start;
        let is_object = self.tape.nodes[one.root as usize].tag == Tag::Object;
        // `{…} and this {…}`
        let listed = || continues(self.look.window(one.span.end as usize).trim_start(), false);
        let alike = || is_object && self.alike(one, last) && self.alike(last, one);
        // `Input: {…} Output: {…}`
        let labelled = one.headed && last.headed && !is_larger(one, last);
        let is_begun = || !one.complete && self.begins(one, last);
        is_apart && is_before && (labelled || alike() && !listed() || is_begun())
    }

    /// Adds the terms of the values that are short beside the longest one. Values with more
    /// expensive terms than others are not compared, nor are values inside the longest one.
    fn compare_sizes(&self, candidates: &mut [Reading]) {
        let dearer = |one: &Reading| sum(one.terms & !BESIDE_SIZE);
        let least = candidates.iter().map(dearer).min();
        let rivals = candidates.iter().filter(|one| Some(dearer(one)) == least);
        let Some(longest) = rivals.max_by_key(|one| one.span.len()).cloned() else {
            return;
        };
        let short = |one: &&mut Reading| is_larger(&longest, one) && !is_inside(one, &longest);
        for one in candidates.iter_mut().filter(short) {
            // `{"a": 1, "b": 2, "c": 3} … {"a": 4}`: the later value may correct a part.
            let is_patch = || one.span.start >= longest.span.end && self.alike(&longest, one);
            let bit = match self.alike(one, &longest) || is_patch() {
                true => Bit::Part,
                false => Bit::Short,
            };
            one.terms |= 1 << bit as u16;
        }
    }

    /// Returns the certainty of choosing one value, in view of another one: a guess for `{"a": 1}`
    /// next to `{"b": 2}`. Returns `None` if the other one does not count, because it is the same
    /// or almost empty, such as `{}`.
    pub(crate) fn choice(&self, chosen: &Reading, other: &Reading) -> Option<Class> {
        let trivial = self.substantial(chosen.root) && !self.substantial(other.root);
        if trivial || other.thought || self.of(chosen) == self.of(other) {
            return None;
        }
        Some(price::class_of_choice(chosen.price, other.price))
    }

    /// Returns `true` if a container is neither empty nor a single bare item: true for `["x"]`,
    /// false for `[x]`.
    pub(crate) fn substantial(&self, root: u32) -> bool {
        is_substantial(self.tape, self.look.text, root)
    }

    /// Sets aside candidates that cannot be the answer: values in reasoning blocks if there are
    /// others, and otherwise all except the last of them; the last value, if it is truncated and is
    /// the beginning of a complete one; and complete values that may be drafts of one truncated by
    /// the end of the reply.
    pub(crate) fn set_aside(&self, candidates: &mut [Reading]) {
        let thoughts = candidates.iter().filter(|one| one.thought).count();
        if thoughts == candidates.len() {
            let last = candidates.iter().map(|one| one.span.start).max();
            for candidate in &mut *candidates {
                candidate.aside = candidate.list || Some(candidate.span.start) != last;
            }
        } else if thoughts > 0 {
            for candidate in &mut *candidates {
                candidate.aside = candidate.thought;
            }
        }
        let values = candidates.iter().enumerate();
        let values = values.filter(|(_, one)| !one.list && !one.aside);
        let Some((place, last)) = values.max_by_key(|(_, one)| one.span.start) else {
            return;
        };
        if last.complete {
            return;
        }
        // `{"a": 1, "b": 2}`, then `{"a": 1, "b":`: the model repeats its answer until its limit
        // truncates it.
        let last = last.clone();
        let before = |one: &Reading| one.complete && one.span.end <= last.span.start && !one.aside;
        if candidates
            .iter()
            .any(|one| before(one) && !one.list && self.begins(&last, one))
        {
            candidates[place].aside = true;
            return;
        }
        if last.mentioned || !self.look.ends_the_reply(&last) {
            return;
        }
        // After another draft it is the answer, unless a schema decides otherwise or words
        // introduce it as a correction of the draft.
        for candidate in candidates {
            let draft = before(candidate)
                && (candidate.group == 0 || candidate.group != last.group)
                && !candidate.list
                && self.alike(candidate, &last);
            if draft && announced_over(&last, candidate) == Some(true) {
                candidate.aside = true;
            } else {
                candidate.draft |= draft;
            }
        }
    }

    /// Returns `true` if a truncated value is the beginning of another one: `{"a": 1, "b": [2` of
    /// `{"a": 1, "b": [2, 3]}`.
    pub(crate) fn begins(&self, cut: &Reading, whole: &Reading) -> bool {
        self.look
            .charge(cut.span.range().len().min(whole.span.range().len()));
        is_beginning(self.of(cut), self.of(whole))
    }

    /// Returns `true` if a complete value may be a draft of a truncated one: `{"a": 1}` for
    /// `{"a": 1, "b":`. Both are arrays, or objects where most keys of the truncated one also occur
    /// in the other.
    fn alike(&self, draft: &Reading, cut: &Reading) -> bool {
        let (draft, cut) = (self.of(draft), self.of(cut));
        match (draft.kind(), cut.kind()) {
            (Kind::Array, Kind::Array) => !cut.is_empty(),
            // Half of the keys in common: a draft often lacks some.
            (Kind::Object, Kind::Object) => {
                let names = cut.members().take(NAMES_COMPARED);
                let (mut known, mut count) = (0, 0);
                for (name, _) in names {
                    count += 1;
                    let mut members = draft.members().take(NAMES_COMPARED);
                    known += usize::from(members.any(|(other, _)| other == name));
                }
                known > 0 && 2 * known >= count
            }
            _ => false,
        }
    }
}

impl ReplySearch {
    /// Returns `true` if nothing follows the reasoning of a reply: the block is open, or only white
    /// space and special tokens follow it, or there is none. Returns `false` for
    /// `<think>[1]</think> No.`
    pub(crate) fn ends_in_reasoning(&self, look: Look<'_>) -> bool {
        let marks = &self.zones.marks;
        let Some(last) = marks.iter().rposition(Mark::ends_thought) else {
            return true;
        };
        let mut at = marks[last].end;
        for mark in &marks[last + 1..] {
            if look.skip_space(at).1 == mark.start && !mark.is_fence() {
                at = mark.end;
            }
        }
        self.zones.place.thought.is_some() || look.skip_space(at).1 >= look.bytes.len()
    }
}

impl Look<'_> {
    /// Returns `true` if nothing follows a value truncated by the end of the reply: in
    /// `Here: {"a": 1`, but not in `Here: {"a": 1 and more` for the value up to 1, nor in
    /// `as {"a": 1`, where it is part of a sentence.
    fn ends_the_reply(&self, value: &Reading) -> bool {
        self.is_last(value) && (value.fenced || self.stands_apart(value.span.start as usize))
    }

    /// Returns `true` if at most a fence follows a value.
    fn is_last(&self, value: &Reading) -> bool {
        let mut rest = self.bytes[value.span.end as usize..].iter();
        rest.all(|byte| byte.is_ascii_whitespace() || matches!(byte, b'`' | b'~'))
    }
}

/// Returns `true` if a truncated value is the beginning of another one: only its last part may
/// continue there.
fn is_beginning(mut cut: ValueRef<'_>, mut whole: ValueRef<'_>) -> bool {
    loop {
        let last = cut.len().wrapping_sub(1);
        let mut next = None;
        match (cut.kind(), whole.kind()) {
            (Kind::Object, Kind::Object) | (Kind::Array, Kind::Array)
                if cut.len() <= whole.len() =>
            {
                for (at, (one, other)) in cut.entries().zip(whole.entries()).enumerate() {
                    let named = one.0.map(Key::decoded) == other.0.map(Key::decoded);
                    if !named || at != last && one.1 != other.1 {
                        return false;
                    }
                    next = Some((one.1, other.1));
                }
            }
            (Kind::String, Kind::String) => {
                return match (cut.as_str(), whole.as_str()) {
                    (Some(cut), Some(whole)) => whole.starts_with(&*cut),
                    _ => false,
                };
            }
            (Kind::Number, Kind::Number) => {
                return match (cut.as_number(), whole.as_number()) {
                    (Some(cut), Some(whole)) => whole.starts_with(cut),
                    _ => false,
                };
            }
            _ => return cut == whole,
        }
        match next {
            Some(pair) => (cut, whole) = pair,
            None => return true,
        }
    }
}

/// Returns whether the first of two values wins according to the words before them, if they decide:
/// `Some(false)` for the example and the answer of `Example: {"a": 1} Answer: {"a": 2}`.
pub(crate) fn announced_over(one: &Reading, other: &Reading) -> Option<bool> {
    let (earlier, later) = if one.span.start < other.span.start {
        (one, other)
    } else {
        (other, one)
    };
    let wins = |reading: &Reading| reading.span == one.span;
    match (earlier.mentioned, later.mentioned) {
        (true, false) => Some(wins(later)),
        (false, true) => Some(wins(earlier)),
        _ => None,
    }
}

/// Returns the last value that may be the answer.
fn last_answer(all: &[Reading]) -> Option<&Reading> {
    let answers = all.iter().filter(|one| {
        let is_mentioned = one.mentioned || one.thought || one.shown || one.patch;
        one.complete && !one.list && !is_mentioned
    });
    answers.max_by_key(|one| one.span.start)
}

/// Returns `true` if a value is nested in another one: the array of `{"a": [1]}` in the object, but
/// not in itself.
fn is_inside(inner: &Reading, outer: &Reading) -> bool {
    inner.span.start >= outer.span.start
        && inner.span.end <= outer.span.end
        && inner.span != outer.span
}

/// Returns `true` if a value that is never closed contains a complete one, and is not an array
/// formed from a run of values.
fn is_hollow(outer: &Reading, inner: &Reading) -> bool {
    !outer.list && !outer.complete && inner.complete
}

/// Returns `true` if a value is at least twice as long as another one: `[1, 2]` and `[1]`.
fn is_larger(one: &Reading, other: &Reading) -> bool {
    one.span.len() >= 2 * other.span.len().max(1)
}

/// Returns `true` if a container is neither empty nor a single bare item: true for `["x"]`, false
/// for `[x]`.
pub(crate) fn is_substantial(tape: &Tape, text: &str, root: u32) -> bool {
    let node = &tape.nodes[root as usize];
    match node.tag {
        Tag::Object => node.count > 0,
        // `[x]` is a placeholder or a label, `["x"]` an array.
        Tag::Array if node.count == 1 => {
            let mut child = root as usize + 1;
            if tape.nodes[child].tag == Tag::Reference {
                child = tape.nodes[child].next as usize;
            }
            let child = &tape.nodes[child];
            // The quotes around it, of any kind.
            let quoted = || {
                let (start, end) = (child.start as usize, child.end as usize);
                let before = text.get(..start)?.chars().next_back()?;
                let behind = text.get(end..)?.chars().next()?;
                Some(closers(before).contains(&behind))
            };
            child.is_container()
                || child.tag == Tag::String && (child.has(flag::SIDE) || quoted() == Some(true))
        }
        Tag::Array => node.count > 1,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// These terms outweigh all cheaper ones together. Values with the first two come last anyway.
    #[test]
    fn dear_terms_outweigh_all_cheaper_ones() {
        let prices: Vec<u32> = TERMS[2..].iter().map(|term| term.price).collect();
        for dear in prices.iter().filter(|price| **price > price::UNFENCED) {
            let cheaper = prices.iter().filter(|price| *price < dear);
            assert!(*dear > cheaper.sum::<u32>(), "{dear}");
        }
    }
}
