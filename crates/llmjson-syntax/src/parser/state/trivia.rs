//! Skips trivia between tokens, and uses the evidence in it.

use core::ops::Range;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::parser::look::comment::says_elision;
use crate::parser::state::reader::Reader;

impl Reader<'_> {
    /// Skips the token at `at` if it only separates tokens, records it, and returns its end. JSON
    /// white space has already been skipped.
    pub(crate) fn skip_trivia(&mut self, at: usize) -> Option<usize> {
        let (kind, end) = self.look.trivia_at(at)?;
        match kind {
            // `[1, // ... 7 more`: the model omitted items.
            RepairKind::Comment if says_elision(&self.look.text[at..end]) => {
                self.repair(RepairKind::Ellipsis, at, end);
            }
            // `{"a": 1 // first, "b": 2}`: the line break after the comment is missing, so its end
            // is a guess.
            RepairKind::Comment if self.look.is_followed_on_its_line(at, end) => {
                self.repair_as(kind, Class::Guess, at, end);
            }
            // `"say \"a",\n  # b\n "c"` may be one string in which only some quotes are escaped.
            RepairKind::Comment if self.follows_escaped_space(at) => {
                self.repair_as(kind, Class::Guess, at, end);
            }
            _ => self.repair(kind, at, end),
        }
        if kind == RepairKind::Ellipsis {
            self.note_cut(end);
        }
        Some(end)
    }

    /// Returns `true` if escaped white space was skipped directly before `at`.
    fn follows_escaped_space(&self, at: usize) -> bool {
        let last = self.tape.repairs.last();
        // Records of the text after a value may precede those around it.
        let between = |one: &Repair| self.look.text.get(one.span.end as usize..at);
        last.is_some_and(|one| {
            one.kind == RepairKind::EscapedSpace
                && between(one).is_some_and(|text| text.trim().is_empty())
        })
    }

    /// Records a notice ending at `end` that the text was truncated there, unless a value continues
    /// after it.
    pub(crate) fn note_cut(&mut self, end: usize) {
        self.counters.cut |= !matches!(self.look.skip_space(end).0, b',' | b'}' | b']');
    }

    /// Returns the comma before `k`, if it is the last token there. The comments and other commas
    /// between the two are already recorded.
    pub(crate) fn last_comma(&self, k: usize) -> Option<Range<usize>> {
        let mut records = self.tape.repairs.iter().rev().peekable();
        let mut end = k;
        loop {
            let before = self.look.bytes[..end].trim_ascii_end().len();
            self.look.charge_search(end - before);
            end = before;
            let before = records.next_if(|record| record.span.end as usize == end);
            match before {
                Some(before) => match before.kind {
                    RepairKind::OddSeparator => return Some(before.span.range()),
                    RepairKind::Comment
                    | RepairKind::Ellipsis
                    | RepairKind::OddSpace
                    | RepairKind::EscapedSpace
                    | RepairKind::ExtraComma => end = before.span.start as usize,
                    _ => return None,
                },
                None => {
                    let is_comma = end > 0 && self.look.bytes[end - 1] == b',';
                    return is_comma.then(|| end - 1..end);
                }
            }
        }
    }
}
