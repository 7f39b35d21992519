//! The cost of each candidate value of a reply, and how certain the choice of the cheapest is.
//!
//! A cost is a sum of terms, each a reason why a value is less likely to be the answer. The costs
//! rank the reasons: any reason of a kind outweighs all of the kinds below it. If two costs are
//! equal, the later value wins, since drafts come first and answers last.
//!
//! If words, a fence or the size decided, the choice is likely to be right, except that the larger
//! of two objects with the same keys need not be the intended one; otherwise it is a guess.

use alloc::vec::Vec;

use crate::base::repair::Class;
use crate::base::repair_set::has_guess;
use crate::parser::look::Look;
use crate::parser::look::quotes::closers;
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
    ($($bit:ident $name:literal $price:literal $sentence:literal $example:literal)*) => {
        #[derive(Clone, Copy)]
        enum Bit { $($bit),* }

        /// The terms, with their costs.
        pub(crate) const TERMS: &[Term] = &[$(
            Term { name: $name, price: $price, sentence: $sentence, example: $example },
        )*];
    };
}

terms! {
    Aside "set_aside" 8192 "it is a thought beside answers, or the cut beginning of a whole value"
        "<think>{\"a\": 1}</think>{\"a\": 2}"
    Draft "cut_behind" 4096 "it may be a draft of the last value, which the end of the reply cuts"
        "So far:\n{\"a\": 1}\nAll of it:\n{\"a\": 2, \"b\":"
    Within "within" 1024 "it is an item of a list of values, or lies in a whole one"
        "{\"a\": 1}{\"a\": 2}"
    Around "never_closes" 1024 "it never closes or is damaged, and a whole value lies in it"
        "if (x) { y = {\"a\": 1}"
    Later "later_in_run" 512 "another value stands directly before it"
        "{\"a\": 1}{\"a\": 1} {\"b\": 2}"
    Nothing "next_to_nothing" 256 "it holds nothing, or one bare item"
        "[] or {\"a\": 1}"
    Shown "shown" 128 "it stands in a quotation, a table, a log or a turn of another speaker"
        "{\"a\": 1}\n\n> {\"a\": 2}"
    Example "example" 96 "it is announced as an example, an input, a draft or an alternative"
        "Example: {\"a\": 1} Answer: {\"a\": 2}"
    Earlier "earlier" 16 "a later value has a label of the same shape, or the last value has the same keys"
        "Step 1: {\"a\": 1}\nStep 2: {\"a\": 2}"
    Unfenced "unfenced" 8 "it stands outside of code fences"
        "{\"a\": 1} and\n```\n{\"a\": 2}\n```"
    Short "short" 4 "another value is at least twice as long"
        "{\"a\": 1} or {\"a\": [1, 2, 3, 4, 5]}"
    Guessed "guessed" 2 "reading it took a guess"
        "{\"a\": 1 2} or {\"a\": 3}"
    Late "not_first" 1 "it does not stand where the answer to the question begins"
        "Here:\n{\"a\": 1}\nand {\"a\": 2}"
}

/// Returns the terms of a set, the most expensive first.
pub(crate) fn terms(set: u16) -> impl Iterator<Item = &'static Term> {
    let all = TERMS.iter().enumerate();
    all.filter_map(move |(bit, term)| (set >> bit & 1 == 1).then_some(term))
}

/// Returns the total cost of a set of terms.
pub(crate) fn price(set: u16) -> u32 {
    terms(set).map(|term| term.price).sum()
}

/// Maximum number of keys of two objects that are compared.
const NAMES_COMPARED: usize = 64;

impl Reader<'_> {
    /// Finds the terms of each candidate, and returns the candidates' indices, the cheapest first.
    pub(crate) fn weigh(&self, candidates: &mut [Reading]) -> Vec<usize> {
        // Each place is compared with each other one, four comparisons per step.
        self.look.charge(candidates.len() * candidates.len() / 4);
        let answers = candidates.iter().enumerate();
        let answers = answers.filter(|(_, one)| {
            let is_mentioned = one.mentioned || one.thought || one.shown || one.patch;
            one.complete && !one.list && !is_mentioned
        });
        let last = answers
            .max_by_key(|(_, one)| one.span.start)
            .map(|(index, _)| index);
        for index in 0..candidates.len() {
            let one = &candidates[index];
            let any = |beside: &dyn Fn(&Reading) -> bool| candidates.iter().any(beside);
            let within = any(&|other| is_inside(one, other) && !is_hollow(other, one));
            let around = any(&|other| is_inside(other, one) && is_hollow(one, other));
            let run =
                |other: &Reading| other.group == one.group && other.span.start < one.span.start;
            let follows =
                |other: &Reading| other.series == one.series && other.span.start > one.span.start;
            let mut set = 0;
            let mut add = |bit: Bit, holds: bool| set |= u16::from(holds) << bit as u16;
            add(Bit::Aside, one.aside);
            add(Bit::Draft, one.draft);
            add(Bit::Within, within);
            add(Bit::Around, around || one.swallows);
            add(Bit::Later, one.group != 0 && any(&run));
            add(Bit::Nothing, !self.substantial(one.root));
            add(Bit::Shown, one.shown);
            add(Bit::Example, one.mentioned);
            let is_redone = last.map(|last| &candidates[last]).is_some_and(|last| {
                let is_apart = one.group == 0 || one.group != last.group;
                let is_before = !one.list && one.span.end <= last.span.start;
                let is_object = self.tape.nodes[one.root as usize].tag == Tag::Object;
                // `{…} and this {…}`
                let listed =
                    || continues(self.look.window(one.span.end as usize).trim_start(), false);
                let alike = || is_object && self.alike(one, last) && self.alike(last, one);
                // `Input: {…} Output: {…}`
                let labelled = one.headed && last.headed && !is_larger(one, last);
                let is_begun = || !one.complete && self.begins(one, last);
                is_apart && is_before && (labelled || alike() && !listed() || is_begun())
            });
            add(Bit::Earlier, is_redone || one.series != 0 && any(&follows));
            add(Bit::Unfenced, !one.fenced);
            add(Bit::Guessed, self.guessed(one));
            add(Bit::Late, !one.first || one.mentioned);
            candidates[index].terms = set;
        }
        // The size is compared with candidates that have no more expensive term.
        let dearer = |one: &Reading| price(one.terms) >> 3;
        let least = candidates.iter().map(dearer).min();
        let rivals = candidates.iter().filter(|one| Some(dearer(one)) == least);
        let longest = rivals.map(|one| one.span.len()).max().unwrap_or_default();
        for one in &mut *candidates {
            let short = longest >= 2 * one.span.len().max(1);
            one.terms |= u16::from(short) << Bit::Short as u16;
        }
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by_key(|&index| {
            let (one, start) = (&candidates[index], candidates[index].span.start);
            // The items of a run keep their order.
            let later = u32::MAX - start;
            (price(one.terms), if one.group == 0 { later } else { start })
        });
        order
    }

    /// Returns the certainty of choosing one value, in view of another one: a guess for `{"a": 1}`
    /// next to `{"b": 2}`. Returns `None` if the other one does not count, because it is the same
    /// or almost empty, such as `{}`.
    pub(crate) fn choice(&self, chosen: &Reading, other: &Reading) -> Option<Class> {
        let value = |reading: &Reading| ValueRef::new(self.tape, self.look.text, reading.root);
        let trivial = self.substantial(chosen.root) && !self.substantial(other.root);
        if trivial || other.thought || value(chosen) == value(other) {
            return None;
        }
        // `{"a": 1, "b": 2, "c": 3} … {"a": 4}`: the later value may correct a part.
        let patched = other.span.start >= chosen.span.end && self.alike(chosen, other);
        let evident = announced_over(chosen, other) == Some(true)
            || chosen.fenced && !other.fenced && (!chosen.mentioned || other.mentioned)
            || is_larger(chosen, other) && !self.alike(other, chosen) && !patched
            || chosen.complete != other.complete && (!other.draft || other.mentioned);
        Some(if evident { Class::Likely } else { Class::Guess })
    }

    /// Returns `true` if a candidate needed a guess: `{"a": 1, 2}` does, whose second value is
    /// dropped.
    pub(crate) fn guessed(&self, candidate: &Reading) -> bool {
        has_guess(&self.tape.repairs[candidate.repairs.range()])
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
        let value = |reading: &Reading| ValueRef::new(self.tape, self.look.text, reading.root);
        self.look
            .charge(cut.span.range().len().min(whole.span.range().len()));
        is_beginning(value(cut), value(whole))
    }

    /// Returns `true` if a complete value may be a draft of a truncated one: `{"a": 1}` for
    /// `{"a": 1, "b":`. Both are arrays, or objects where most keys of the truncated one also occur
    /// in the other.
    fn alike(&self, draft: &Reading, cut: &Reading) -> bool {
        let value = |reading: &Reading| ValueRef::new(self.tape, self.look.text, reading.root);
        let (draft, cut) = (value(draft), value(cut));
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

impl Reader<'_> {
    /// Returns `true` if nothing follows the reasoning of a reply: the block is open, or only white
    /// space and special tokens follow it, or there is none. Returns `false` for
    /// `<think>[1]</think> No.`
    pub(crate) fn ends_in_reasoning(&self, found: &ReplySearch) -> bool {
        let marks = &found.zones.marks;
        let Some(last) = marks.iter().rposition(Mark::ends_thought) else {
            return true;
        };
        let mut at = marks[last].end;
        for mark in &marks[last + 1..] {
            if self.look.skip_space(at).1 == mark.start && !mark.is_fence() {
                at = mark.end;
            }
        }
        found.zones.place.thought.is_some() || self.look.skip_space(at).1 >= self.look.bytes.len()
    }
}

impl Look<'_> {
    /// Returns `true` if nothing follows a value truncated by the end of the reply: in
    /// `Here: {"a": 1`, but not in `Here: {"a": 1 and more` for the value up to 1, nor in
    /// `as {"a": 1`, where it is part of a sentence.
    fn ends_the_reply(&self, value: &Reading) -> bool {
        let rest = &self.bytes[value.span.end as usize..];
        let blank = rest
            .iter()
            .all(|byte| byte.is_ascii_whitespace() || matches!(byte, b'`' | b'~'));
        blank && (value.fenced || self.stands_apart(value.span.start as usize))
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
    use super::*;

    /// Values that are set aside, and drafts, stand behind all that may be chosen.
    #[test]
    fn dear_terms_outweigh_all_others_together() {
        let price = |name: &str| {
            TERMS
                .iter()
                .find(|term| term.name == name)
                .map_or(0, |it| it.price)
        };
        let below = |limit: u32| {
            let cheap = TERMS
                .iter()
                .filter(|term| term.price < limit)
                .map(|term| term.price);
            cheap.sum::<u32>()
        };
        for name in ["set_aside", "cut_behind", "later_in_run", "next_to_nothing"] {
            assert!(price(name) > below(price(name)), "{name}");
        }
    }
}
