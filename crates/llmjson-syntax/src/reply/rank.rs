//! The order of the values that a reply may mean, and how sure the choice of the first one is.
//!
//! The rule, in the order of its weight:
//!
//! 1. A list of values beats what it holds, a whole value beats what never closes around it, and of
//!    a run of values the first one counts.
//! 2. A value with something in it beats an empty one or a single bare item.
//! 3. What is announced as a correction beats what stands before it, and an announced answer beats
//!    what is not, and that beats an example, an input, a draft, or what would be under a condition.
//! 4. Of values with labels of one shape (steps, options, states) the last one wins.
//! 5. A value in a code fence beats one outside.
//! 6. The one of at least twice the size wins.
//! 7. One that was read without guesses beats one that took some.
//! 8. The first value stands where it is the reply's payload: the first fence, or right behind the
//!    lead. Models often ramble on behind their answer.
//! 9. The later one wins: drafts come first, answers last.
//!
//! By rules 3, 5 and 6 the choice is likely to be right, but of objects with the same names the larger
//! one need not be the one that is meant; else it is a guess. Values in blocks
//! of reasoning, the cut beginning of a whole value, and drafts of another value that the end of the reply cuts are not in
//! the running.

#[cfg(test)]
mod tests;

use crate::base::repair::Class;
use crate::base::repair_set::has_guess;
use crate::parser::look::Look;
use crate::parser::look::quotes::closers;
use crate::parser::state::reader::Reader;
use crate::tape::readings::{Lead, Reading};
use crate::tape::{Tag, Tape, flag};
use crate::view::{Key, Kind, ValueRef};

/// Maximum number of names of two objects that are compared.
const NAMES_COMPARED: usize = 64;

impl Reader<'_> {
    /// Returns whether one candidate is the better reading of the reply than another: the second of `{"a": 1}` and
    /// `{"a": 2}`, unless it is announced as an example.
    pub(crate) fn beats(
        &self,
        (one, one_guessed): (&Reading, bool),
        (other, other_guessed): (&Reading, bool),
    ) -> bool {
        let order = |a: bool, b: bool| (a != b).then_some(a);
        let later = one.span.start >= other.span.start;
        order(!one.aside, !other.aside)
            .or_else(|| order(!one.draft, !other.draft))
            .or_else(|| {
                if is_inside(one, other) {
                    Some(!other.list && one.complete && !other.complete)
                } else if is_inside(other, one) {
                    Some(one.list || one.complete || !other.complete)
                } else {
                    None
                }
            })
            .or_else(|| {
                let same = one.group != 0 && one.group == other.group;
                same.then_some(one.span.start < other.span.start)
            })
            .or_else(|| order(self.substantial(one.root), self.substantial(other.root)))
            .or_else(|| (one.lead != other.lead).then_some(one.lead > other.lead))
            .or_else(|| (one.series != 0 && one.series == other.series).then_some(later))
            .or_else(|| order(one.fenced, other.fenced))
            .or_else(|| order(is_larger(one, other), is_larger(other, one)))
            .or_else(|| order(!one_guessed, !other_guessed))
            .or_else(|| order(is_payload(one), is_payload(other)))
            .unwrap_or(later)
    }

    /// Returns how certain the choice of one value is, in view of another one: a guess for `{"a": 1}` beside
    /// `{"b": 2}`. `None` where the other one does not count, because it is the same or is next to nothing, as `{}`.
    pub(crate) fn choice(&self, chosen: &Reading, other: &Reading) -> Option<Class> {
        let value = |reading: &Reading| ValueRef::new(self.tape, self.look.text, reading.root);
        let trivial = self.substantial(chosen.root) && !self.substantial(other.root);
        if trivial || other.thought || value(chosen) == value(other) {
            return None;
        }
        // `{"a": 1, "b": 2, "c": 3} … {"a": 4}`: what follows may put a part right.
        let patched = other.span.start >= chosen.span.end && self.alike(chosen, other);
        let evident = announced_over(chosen, other) == Some(true)
            || chosen.fenced && !other.fenced && chosen.lead >= other.lead
            || is_larger(chosen, other) && !self.alike(other, chosen) && !patched
            || chosen.complete != other.complete && (!other.draft || other.lead == Lead::Aside);
        Some(if evident { Class::Likely } else { Class::Guess })
    }

    /// Returns whether reading a candidate took a guess: `{"a": 1, 2}` does, whose second value is dropped.
    pub(crate) fn guessed(&self, candidate: &Reading) -> bool {
        has_guess(&self.tape.repairs[candidate.repairs.range()])
    }

    /// Returns whether a container holds more than nothing or one bare item: `["x"]` does, `[x]` does not.
    pub(crate) fn substantial(&self, root: u32) -> bool {
        is_substantial(self.tape, self.look.text, root)
    }

    /// Sets aside what cannot be the answer: values in blocks of reasoning while there are others, and else all but the
    /// last of them; the last value, if it breaks off and is the beginning of a whole one; and whole values that
    /// may be drafts of one that the end of the reply cuts.
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
        // `{"a": 1, "b": 2}` and then `{"a": 1, "b":`: the model writes its answer again, until its limit cuts it.
        let last = last.clone();
        let before = |one: &Reading| one.complete && one.span.end <= last.span.start && !one.aside;
        if candidates
            .iter()
            .any(|one| before(one) && !one.list && self.begins(&last, one))
        {
            candidates[place].aside = true;
            return;
        }
        if last.lead == Lead::Aside || !self.look.ends_the_reply(&last) {
            return;
        }
        // Behind another draft it is the answer, so far as no schema knows better or words say that it puts the draft
        // right.
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

    /// Returns whether a value that was cut is the beginning of another one: `{"a": 1, "b": [2` of `{"a": 1, "b": [2, 3]}`.
    pub(crate) fn begins(&self, cut: &Reading, whole: &Reading) -> bool {
        let value = |reading: &Reading| ValueRef::new(self.tape, self.look.text, reading.root);
        self.look
            .charge(cut.span.range().len().min(whole.span.range().len()));
        is_beginning(value(cut), value(whole))
    }

    /// Returns whether a whole value may be a draft of one that was cut: `{"a": 1}` of `{"a": 1, "b":`. Both are
    /// lists, or objects of which the cut one has mostly names that the other one has too.
    fn alike(&self, draft: &Reading, cut: &Reading) -> bool {
        let value = |reading: &Reading| ValueRef::new(self.tape, self.look.text, reading.root);
        let (draft, cut) = (value(draft), value(cut));
        match (draft.kind(), cut.kind()) {
            (Kind::Array, Kind::Array) => !cut.is_empty(),
            // Half of the names in common: a draft often lacks some.
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

impl Look<'_> {
    /// Returns whether nothing stands behind a value that the end of the reply cut: in `Here: {"a": 1`, not in
    /// `Here: {"a": 1 and more` for the value up to 1, nor in `as {"a": 1`, where it is part of a sentence.
    fn ends_the_reply(&self, value: &Reading) -> bool {
        let rest = &self.bytes[value.span.end as usize..];
        let blank = rest
            .iter()
            .all(|byte| byte.is_ascii_whitespace() || matches!(byte, b'`' | b'~'));
        blank && (value.fenced || self.stands_apart(value.span.start as usize))
    }

    /// Returns whether nothing was said behind the reasoning of a reply: not in `<think>[1]</think> No.` The block
    /// is `open`, or only white space and special tokens stand behind it, or there is none.
    pub(crate) fn ends_in_reasoning(&self, open: bool) -> bool {
        let Some(mut at) = self.last_reasoning().filter(|_| !open) else {
            return true;
        };
        loop {
            at = self.skip_space(at).1;
            match self.tag_token_at(at) {
                Some((_, _, end)) => at = end,
                None => return at >= self.bytes.len(),
            }
        }
    }
}

/// Returns whether a value whose text broke off is the beginning of another one: only what it holds last may go on in that.
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

/// Returns whether the first of two values wins by what the words before them say, if they decide: `Some(false)` for
/// the example and the answer of `Example: {"a": 1} Answer: {"a": 2}`.
pub(crate) fn announced_over(one: &Reading, other: &Reading) -> Option<bool> {
    let (earlier, later) = if one.span.start < other.span.start {
        (one, other)
    } else {
        (other, one)
    };
    let wins = |reading: &Reading| reading.span == one.span;
    match (earlier.lead, later.lead) {
        (Lead::Correction, Lead::Correction) => None,
        // `… Correction: {"a": 2}`, or an example and then the answer.
        (_, Lead::Correction) | (Lead::Aside, Lead::Answer) => Some(wins(later)),
        // The answer and then an example of another one.
        (Lead::Plain | Lead::Answer | Lead::Correction, Lead::Aside) => Some(wins(earlier)),
        _ => None,
    }
}

/// Returns whether a value stands where the one that was asked for does: the first of a reply, unless it is announced
/// as an example.
fn is_payload(reading: &Reading) -> bool {
    reading.first && reading.lead != Lead::Aside
}

/// Returns whether a value lies in another one: the list of `{"a": [1]}` in the object, not in itself.
fn is_inside(inner: &Reading, outer: &Reading) -> bool {
    inner.span.start >= outer.span.start
        && inner.span.end <= outer.span.end
        && inner.span != outer.span
}

/// Returns whether a value is at least twice as long as another one: `[1, 2]` as `[1]`.
fn is_larger(one: &Reading, other: &Reading) -> bool {
    one.span.len() >= 2 * other.span.len().max(1)
}

/// Returns whether a container holds more than nothing or one bare item: `["x"]` does, `[x]` does not.
pub(crate) fn is_substantial(tape: &Tape, text: &str, root: u32) -> bool {
    let node = &tape.nodes[root as usize];
    match node.tag {
        Tag::Object => node.count > 0,
        // `[x]` is a placeholder or a label, `["x"]` a list.
        Tag::Array if node.count == 1 => {
            let mut child = root as usize + 1;
            if tape.nodes[child].tag == Tag::Reference {
                child = tape.nodes[child].next as usize;
            }
            let child = &tape.nodes[child];
            // The quotes around it, of whatever kind.
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
