//! The end of a value or reply at a turn that the model made up, or at a restart that it announces.
//!
//! ```text
//! {"name": "Ana", "roles": ["adm
//! Sorry, let me start over:
//! {"name": "Ana", "roles": ["admin"]}
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use crate::base::repair::{Class, Repair};
use crate::base::repair_set::{RepairSet, has_guess};
use crate::base::span::Span;
use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::ValueEnd;
use crate::reply::found::ReplySearch;
use crate::tape::marks::Mark;
use crate::tape::readings::Reading;
use crate::tape::{Tag, flag};
use crate::zones::context::{Word, corrects, sentences, words};
use crate::zones::turns::{begins_with_other, turn_in};

/// Maximum number of turns within a value that are examined.
const TURNS_MAX: usize = 8;

/// Number of bytes before a restart that are searched for words about it.
const WORDS_BYTES: usize = 160;

/// Maximum number of places that are searched for words.
const PLACES_MAX: usize = 8;

/// Number of bytes after a beginning that are compared.
const SIGNS_BYTES: usize = 64;

/// The numbers of bytes of an abandoned value that are compared with its restart in the middle of a token.
const AGAIN_MIN: usize = 12;
const AGAIN_MAX: usize = 1024;

/// Maximum length of the line of an opening fence.
const FENCE_BYTES: usize = 32;

/// Number of characters in which two beginnings of one value agree.
const SIGNS: usize = 8;

impl Reader<'_> {
    /// Returns the offset at which the part of the text that belongs to a damaged value ends:
    /// before a turn that the model made up or, with `true`, before it announces a restart.
    pub(crate) fn ends_within(
        &self,
        start: usize,
        read: ValueEnd,
        root: usize,
    ) -> Option<(usize, bool)> {
        if !self.is_damaged() && self.is_sound(read) || self.look.work_is_used_up() {
            return None;
        }
        let turn = match self.is_sound(read) {
            true => None,
            false => self.turn_within(start, read, root),
        };
        let given_up = || Some((self.look.given_up(start, read.end)?, true));
        turn.map(|turn| (turn, false)).or_else(given_up)
    }
}

impl Reader<'_> {
    /// Returns `true` if the last value needed a repair that is not certain.
    pub(crate) fn is_damaged(&self) -> bool {
        let doubtful = |one: &Repair| one.class > Class::Certain;
        self.tape.repairs[self.first_repair..].iter().any(doubtful)
    }
}

impl Reader<'_> {
    /// Drops the values after a turn that the model made up.
    pub(crate) fn end_at_turn(&mut self, found: &mut ReplySearch) {
        let Some(turn) = self.made_up(&found.candidates, &found.zones.marks) else {
            return;
        };
        found
            .candidates
            .retain(|one| (one.span.start as usize) < turn);
    }

    /// Returns the offset of a turn that the model made up after one of these values.
    fn made_up(&mut self, values: &[Reading], marks: &[Mark]) -> Option<usize> {
        let first = values.iter().map(|one| one.span.start).min()? as usize;
        let mut end = None;
        let mut turn = None;
        for one in values {
            let (start, stop) = (one.span.start as usize, one.span.end as usize);
            if let Some(end) = end.filter(|end| *end <= start) {
                turn = self.look.turn_in(end..start);
            }
            if turn.is_some() {
                break;
            }
            end = end.max(Some(stop));
        }
        let turn = turn?;
        if self.look.turn_before(first) {
            return None;
        }
        let before = values.iter().filter(|one| (one.span.start as usize) < turn);
        let mut before: Vec<Reading> = before.cloned().collect();
        let kept = core::mem::replace(&mut self.readings.marks, marks.to_vec());
        self.read_leads(&mut before);
        self.readings.marks = kept;
        let answers = |one: &Reading| {
            !one.thought && !one.shown && !one.mentioned && self.substantial(one.root)
        };
        before.iter().any(answers).then_some(turn)
    }

    /// Returns the offset of a turn that the model made up after the chosen value.
    pub(crate) fn turn_behind(&self, value: Span) -> Option<usize> {
        let (mut at, length) = (value.end as usize, self.look.bytes.len());
        let others = self.readings.all.iter().map(|one| one.span);
        let mut others = others.filter(|one| one.start >= value.end);
        let found = loop {
            let next = others.next();
            let stop = next.map_or(length, |one| one.start as usize);
            if stop > at
                && let Some(found) = self.look.turn_in(at..stop)
            {
                break found;
            }
            at = at.max(next?.end as usize);
        };
        (!self.look.turn_before(value.start as usize)).then_some(found)
    }

    /// Returns `true` if a value was read to its end, without a guess and with matching brackets.
    pub(crate) fn is_sound(&self, read: ValueEnd) -> bool {
        let repairs = &self.tape.repairs[self.first_repair..];
        read.complete
            && !self.counters.cut
            && !RepairSet::MISFITS.among(repairs)
            && !has_guess(repairs)
    }

    /// Returns the offset of a turn within a damaged value: after its truncated part.
    pub(crate) fn turn_within(&self, start: usize, read: ValueEnd, root: usize) -> Option<usize> {
        let nodes = &self.tape.nodes[root.min(self.tape.nodes.len())..];
        let mut at = start;
        for _ in 0..TURNS_MAX {
            let turn = self.look.turn_in(at..read.end)?;
            self.look.charge_search(nodes.len());
            // A closed text may contain anything.
            let closed = nodes.iter().any(|node| {
                let inside = (node.start as usize) <= turn && turn < node.end as usize;
                node.tag == Tag::String
                    && inside
                    && !node.has(flag::SIDE | flag::TRUNCATED)
                    && self.look.closes_text(node.end as usize)
            });
            if !closed {
                let end = self.look.text[..turn].trim_end().len();
                return (!self.look.turn_before(start)).then_some(end.max(start + 1));
            }
            at = turn + 1;
        }
        None
    }
}

impl Look<'_> {
    fn turn_in(&self, part: Range<usize>) -> Option<usize> {
        self.charge_search(part.len());
        turn_in(self.text, part)
    }

    /// Returns `true` if a turn of another speaker precedes a place.
    fn turn_before(&self, place: usize) -> bool {
        let begins = place > 0 && begins_with_other(self.text);
        begins || self.turn_in(0..place).is_some()
    }

    /// Returns `true` if the quote at a place certainly closes a string: a comma or bracket
    /// follows.
    fn closes_text(&self, at: usize) -> bool {
        let behind = self.skip_space(at + 1).0;
        matches!(behind, b',' | b'}' | b']' | b':')
    }
}

impl Look<'_> {
    /// Returns the offset at which a value that begins at `start` was abandoned: before words after
    /// which it restarts.
    fn given_up(&self, start: usize, end: usize) -> Option<usize> {
        let sign = self.bytes[start];
        // The value may end directly before the restart.
        let (next, behind) = self.skip_space(end);
        let end = if next == sign { behind + 1 } else { end };
        // A bracket that ends the text may be read as the end of the value before it.
        let end = end.max(start + 1);
        let text = &self.text[..self
            .text
            .ceil_char_boundary((end + SIGNS_BYTES).min(self.text.len()))];
        self.charge_search(end - start);
        let openers = memchr::memchr_iter(sign, &self.bytes[start + 1..end]);
        let mut left = PLACES_MAX;
        for found in openers {
            let at = start + 1 + found;
            if self.begins_again(start, at) {
                return Some(at);
            }
            let before = text[..at].trim_end();
            let before = before_fence(before).trim_end();
            // The line of a fence may begin before the value.
            if before.len() <= start {
                continue;
            }
            if !before.ends_with(|sign: char| sign.is_alphabetic() || ".:!?…".contains(sign)) {
                continue;
            }
            if !is_same_beginning(&text[start..], &text[at..]) {
                continue;
            }
            if left == 0 {
                return None;
            }
            left -= 1;
            let from = text.ceil_char_boundary(before.len().saturating_sub(WORDS_BYTES).max(start));
            self.charge(before.len() - from);
            let line = text[from..before.len()]
                .rfind('\n')
                .map_or(from, |line| from + line + 1);
            // Words on a line between the two, or words of regret after the unfinished value.
            let said_so = &text[line..before.len()];
            let is_line =
                line > from && !said_so.contains(['"', '\'', '{', '[']) && is_prose(said_so);
            let said = || {
                let open = text[from..before.len()]
                    .rfind(['"', '{', '[', '}', ']'])
                    .map_or(from, |sign| from + sign + 1);
                sentences(&text[open..before.len()])
                    .any(corrects)
                    .then_some(open)
            };
            if let Some(end) = is_line.then_some(line).or_else(said) {
                return Some(text[..end].trim_end().len().max(start + 1));
            }
        }
        None
    }

    /// Returns `true` if a value begins again in the middle of a token, with all the text that it has so far:
    /// `{"city": "Os{"city": "Oslo"}`.
    fn begins_again(&self, start: usize, at: usize) -> bool {
        let begun = &self.bytes[start..at];
        // A value may contain another one with the same beginning.
        let last = begun.trim_ascii_end().last();
        let is_in_token = !last.is_some_and(|last| b":,[{(".contains(last));
        self.charge(1);
        (AGAIN_MIN..=AGAIN_MAX).contains(&begun.len())
            && is_in_token
            && self.bytes[at..].starts_with(begun)
    }
}

/// Returns a text without a trailing line that opens a fence.
fn before_fence(text: &str) -> &str {
    let near = text.ceil_char_boundary(text.len().saturating_sub(FENCE_BYTES));
    match text[near..].rfind('\n').map(|line| near + line + 1) {
        Some(line) if text[line..].starts_with("```") => &text[..line],
        _ => text,
    }
}

/// Returns `true` if a line is prose: two words of letters and a delimiter at its end.
fn is_prose(line: &str) -> bool {
    let is_word = |word: &Word<'_>| word.text.chars().all(char::is_alphabetic);
    line.ends_with(['.', ':', '!', '?', '…', '：', '。'])
        && words(line).filter(is_word).count() >= 2
}

/// Returns `true` if two values begin with the same characters, ignoring white space: a bracket, a
/// key and more.
fn is_same_beginning(one: &str, other: &str) -> bool {
    let signs = |text| {
        str::chars(text)
            .filter(|sign| !sign.is_whitespace())
            .take(SIGNS)
    };
    signs(one).eq(signs(other))
}
