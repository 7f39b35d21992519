//! The bytes of a text by kind: space, comments, quotes, words. Makes no decisions.

pub(crate) mod names;
pub(crate) mod quotes;
pub(crate) mod trivia;

use core::cell::Cell;

use crate::base::expected_names::ExpectedNames;
use crate::base::repair::RepairKind;
use crate::base::work::steps_of_search;
use crate::parser::look::habits::Habits;
use crate::parser::look::notice::notice_behind;
use crate::parser::look::trivia::{Sought, trivia_at};
use crate::scan::peek;

/// Number of bytes that are searched for a key, a column or a pair of quotes.
pub(crate) const NEAR: usize = 120;

/// Number of bytes before a place that are searched for the beginning of its line.
const LINE_LOOK: usize = 256;

/// Number of answers kept per kind.
const KEPT: usize = 32;

/// The latest answers to one question, by place, since every hypothesis that reaches a place asks
/// it again.
pub(crate) struct Kept<T>([Cell<(u64, T)>; KEPT]);

impl<T: Copy> Kept<T> {
    /// Creates an empty cache; `any` is a placeholder answer.
    pub(crate) fn new(any: T) -> Self {
        Self([const { u64::MAX }; KEPT].map(|key| Cell::new((key, any))))
    }

    /// Returns the answer for a place, computed by `of` if it is not cached.
    #[inline]
    pub(crate) fn get(&self, at: usize, of: u32, ask: impl FnOnce() -> T) -> T {
        let key = u64::from(of) << 32 | at as u64;
        let kept = &self.0[at % KEPT];
        let (place, answer) = kept.get();
        if place == key {
            return answer;
        }
        let answer = ask();
        kept.set((key, answer));
        answer
    }
}

/// A part of a quoted string, up to a character that may end it.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) end: usize,
    /// Offset after that character.
    pub(crate) behind: usize,
    /// `true` if the part contains an odd number of double quotes, escaped or not.
    pub(crate) odd: bool,
    /// `true` if a line ends in it.
    pub(crate) lines: bool,
}

/// The input text, the facts known about the whole of it, and the cached answers about its places.
pub(crate) struct Text<'t> {
    pub(crate) text: &'t str,
    pub(crate) bytes: &'t [u8],
    pub(crate) names: Option<&'t ExpectedNames>,
    /// Offset of the last closer, if the text ends with it (a fence may follow).
    pub(crate) last_closer: usize,
    /// The work of scanning the text, in steps.
    pub(crate) work: Cell<usize>,
    /// The writer's habits in this value.
    pub(crate) habits: Habits,
    /// `true` for the bracket of a damaged row.
    pub(crate) odd_rows: Kept<bool>,
    /// `true` for a place at which there is a key.
    ahead: Kept<bool>,
    /// The offset after the white space and comments from a place on, and whether they contain a
    /// line break.
    beyond: Kept<(usize, bool)>,
    /// The part of a text up to its next quote.
    parts: Kept<Option<Part>>,
    /// The place from which each mark was last searched for, and the match found.
    firsts: [Cell<(usize, usize)>; Sought::COUNT],
}

impl<'t> Text<'t> {
    pub(crate) fn new(text: &'t str, names: Option<&'t ExpectedNames>) -> Self {
        // `"hello wor... [truncated]`: nothing follows a notice of truncation.
        let text = notice_behind(text).map_or(text, |end| &text[..end]);
        let trimmed = text.trim_end().trim_end_matches("```").trim_end();
        let closed = trimmed.ends_with(['}', ']']);
        Self {
            last_closer: if closed { trimmed.len() } else { 0 },
            ..Self::uncut(text, names)
        }
    }

    /// Returns a view of the text for questions about a single place, for which the end of the text
    /// is irrelevant.
    pub(crate) fn uncut(text: &'t str, names: Option<&'t ExpectedNames>) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            names,
            last_closer: 0,
            work: Cell::new(0),
            habits: Habits::default(),
            odd_rows: Kept::new(false),
            ahead: Kept::new(false),
            beyond: Kept::new((0, false)),
            parts: Kept::new(None),
            firsts: Default::default(),
        }
    }

    /// Returns the first match from `from` on, or the end of the text.
    pub(crate) fn first(&self, sought: Sought, from: usize) -> usize {
        let last = &self.firsts[sought as usize];
        let (start, end) = last.get();
        // The answer is the same for each place up to the match.
        if (start..end).contains(&from) {
            return end;
        }
        let end = sought.find(self.bytes, from);
        self.charge(steps_of_search(end.saturating_sub(from)));
        last.set((from, end));
        end
    }

    /// Marks the text as incomplete, so that its end proves nothing.
    pub(crate) fn grows(&mut self) {
        self.last_closer = 0;
    }

    pub(crate) fn charge(&self, steps: usize) {
        self.work.set(self.work.get() + steps);
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn at(&self, at: usize) -> u8 {
        peek(self.bytes, at)
    }

    pub(crate) fn char_at(&self, at: usize) -> char {
        let rest = self.text.get(at..).unwrap_or_default();
        rest.chars().next().unwrap_or('\0')
    }

    pub(crate) fn starts(&self, at: usize, what: &str) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        rest.starts_with(what.as_bytes())
    }

    /// Returns the column of `at` if it is the first character on its line, other than the first
    /// line.
    pub(crate) fn first_on_line(&self, at: usize) -> Option<i32> {
        let from = at.saturating_sub(LINE_LOOK);
        let line = from + memchr::memrchr(b'\n', &self.bytes[from..at])? + 1;
        let before = &self.bytes[line..at];
        let blank = before.iter().all(|c| matches!(c, b' ' | b'\t' | b'\r'));
        blank.then_some((at - line) as i32)
    }

    /// Returns the indentation of the line of `at`.
    pub(crate) fn line_indent(&self, at: usize) -> i32 {
        let from = at.saturating_sub(LINE_LOOK);
        let line = memchr::memrchr(b'\n', &self.bytes[from..at]).map_or(0, |n| from + n + 1);
        let blank = self.bytes[line..].iter();
        blank.take_while(|c| matches!(c, b' ' | b'\t')).count() as i32
    }

    /// Returns the offset after white space of all kinds, and `true` if it contains a line break.
    #[inline]
    pub(crate) fn space(&self, at: usize) -> (usize, bool) {
        match self.at(at) {
            b'!'..=b'[' | b']'..=b'~' => (at, false),
            _ => self.spaces(at),
        }
    }

    fn spaces(&self, mut at: usize) -> (usize, bool) {
        let mut line = false;
        loop {
            match self.at(at) {
                b'\n' => {
                    line = true;
                    at += 1;
                }
                b' ' | b'\t' | b'\r' => at += 1,
                // `\n`, a no-break space, `ESC[31m`.
                ..b' ' | b'\\' | 0x80.. => match trivia_at(self.text, at) {
                    Some((RepairKind::OddSpace, end)) => at = end,
                    Some((RepairKind::EscapedSpace, end)) => {
                        line |= self.at(at + 1) == b'n';
                        at = end;
                    }
                    _ => return (at, line),
                },
                _ => return (at, line),
            }
        }
    }
}
