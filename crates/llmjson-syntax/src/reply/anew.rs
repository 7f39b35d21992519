//! A value that the model abandoned in the middle and restarted, with words that say so.
//!
//! ```text
//! {"name": "Ana", "roles": ["adm
//! Sorry, let me start over:
//! {"name": "Ana", "roles": ["admin"]}
//! ```

use crate::base::repair::{Class, Repair};
use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::ValueEnd;
use crate::zones::context::{Word, corrects, sentences, words};

/// Number of bytes before a restart that are searched for words about it.
const WORDS_BYTES: usize = 160;

/// Maximum number of places that are searched for words.
const PLACES_MAX: usize = 8;

/// Number of bytes after a beginning that are compared.
const SIGNS_BYTES: usize = 64;

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
