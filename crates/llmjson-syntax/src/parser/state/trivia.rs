//! Passing over trivia between tokens, and what it says.

use core::ops::Range;

use crate::base::repair::{Class, RepairKind};
use crate::parser::look::LOOK_AHEAD;
use crate::parser::look::comment::says_elision;
use crate::parser::look::notice::ellipsis_at;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::scan::peek;
use crate::scan::tag::tag_before;

/// Number of bytes before a closing fence or tag in which the word is looked for that it closes.
const MARK_BEHIND: usize = 8 * LOOK_AHEAD;

impl Reader<'_> {
    /// Passes over what begins at `at` if it only parts tokens, records that, and tells where it
    /// ends. White space that JSON knows has been skipped before.
    pub(crate) fn skip_trivia(&mut self, at: usize) -> Option<usize> {
        let (kind, end) = self.look.trivia_at(at)?;
        match kind {
            // `[1, // ... 7 more`: the model left something out.
            RepairKind::Comment if says_elision(&self.look.text[at..end]) => {
                self.repair(RepairKind::Ellipsis, at, end);
            }
            // `{"a": 1 // first, "b": 2}`: the line break behind the comment is missing, so where it ends is
            // a guess.
            RepairKind::Comment if self.look.is_followed_on_its_line(at, end) => {
                self.repair_as(kind, Class::Guess, at, end);
                if memchr::memchr(b'\n', &self.look.bytes[end..]).is_none() {
                    // The end of its line may be still to come.
                    self.scratch.pause.looked_to = usize::MAX;
                }
            }
            // `"say \"a",\n  # b\n "c"` may be one string with some of its quotes escaped.
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

    /// Returns `true` if white space that is written as an escape was passed over right before
    /// `at`.
    fn follows_escaped_space(&self, at: usize) -> bool {
        let last = self.tape.repairs.last();
        last.is_some_and(|one| {
            one.kind == RepairKind::EscapedSpace
                && self.look.text[one.span.end as usize..at].trim().is_empty()
        })
    }

    /// A notice that ends at `end` says that the text was cut: there, unless a value goes on behind it.
    pub(crate) fn note_cut(&mut self, end: usize) {
        self.counters.cut |= !matches!(self.look.skip_space(end).0, b',' | b'}' | b']');
    }

    /// Returns `true` if a closing fence or tag at `at` ends the unquoted text that begins at `k`:
    /// one that the text does not open. Behind a tag the line ends, or the same tag stands before
    /// the value.
    pub(crate) fn mark_ends_word(&self, here: Container, k: usize, at: usize) -> bool {
        let word = &self.look.bytes[k.max(at.saturating_sub(MARK_BEHIND))..at];
        self.look.charge_search(word.len());
        let opens = |mark: &str| memchr::memmem::find(word, mark.as_bytes()).is_some();
        match peek(self.look.bytes, at) {
            b'`' | b'~' => self.look.closing_fence_at(at) && !opens(&self.look.text[at..at + 3]),
            _ => self.look.closing_tag_at(at).is_some_and(|(name, end)| {
                let line = matches!(peek(self.look.bytes, end), 0 | b'\n' | b'\r');
                let around = || tag_before(self.look.text, self.begin_of_root(here)) == Some(name);
                (line || around()) && !opens(&alloc::format!("<{name}"))
            }),
        }
    }

    /// Returns the offset at which the outermost open container begins.
    fn begin_of_root(&self, here: Container) -> usize {
        let mut begin = 0;
        let mut at = here.current;
        while let Some(node) = self.tape.nodes.get(at as usize) {
            (begin, at) = (node.start as usize, node.next);
        }
        begin
    }

    /// Records the dots at `k`, and what is spread out behind them, which is not known.
    pub(crate) fn record_ellipsis(&mut self, k: usize, length: usize) {
        let class = if ellipsis_at(self.look.text, k) == Some(length) {
            RepairKind::Ellipsis.class()
        } else {
            Class::Guess
        };
        self.repair_as(RepairKind::Ellipsis, class, k, k + length);
    }

    /// The comma before `k`, if it is the last token there. What stands between the two, comments and
    /// other commas, is on record.
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
