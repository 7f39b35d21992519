//! The results of the search for values in a reply, so far.

use alloc::vec::Vec;

use crate::base::repair::RepairKind;
use crate::base::span::Span;
use crate::parser::look::Look;
use crate::parser::look::charged::STEPS_OF_RECOVERY;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::ValueEnd;
use crate::scan::mark_from;
use crate::tape::marks::Mark;
use crate::tape::readings::{Reading, Records};
use crate::zones::marks::Account;
use crate::zones::pass::Pass;
use crate::zones::zone::Zones;

/// The values found in a reply so far, and the state of the search.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReplySearch {
    pub(crate) candidates: Vec<Reading>,
    /// The places at which they were found, each with one value or a run of values: the index of
    /// the first, and `true` if it lies in reasoning or a quotation.
    pub(crate) places: Vec<(usize, bool)>,
    /// The complete values of the text, once a damaged value may have swallowed one.
    pub(crate) wholes: Option<Vec<Span>>,
    /// `true` once a damaged value has swallowed one.
    pub(crate) swallowed: bool,
    /// The zones up to the current place, and the marks passed so far.
    pub(crate) zones: Zones,
    /// `true` if the text is still arriving.
    pub(crate) is_open: bool,
    /// `true` if a reasoning block ended whose beginning is missing.
    pub(crate) is_unopened: bool,
    /// `true` if an opening bracket was skipped.
    pub(crate) doubtful: bool,
    /// The limit that was reached, and its place: from there on brackets were not searched, or a
    /// value was skipped.
    pub(crate) capped: Option<(RepairKind, u32)>,
    /// Number of places tried as the beginning of members without braces.
    pub(crate) tried_members: u32,
}

impl ReplySearch {
    /// Begins another place at which values are found. Beyond the limit `most` one is dropped, so
    /// that the last part of a reply is always searched: the middle one or, among those in
    /// reasoning and quotations, which are counted separately, the first.
    pub(crate) fn begin_place(&mut self, aside: bool, most: u32) {
        // The last place yielded nothing.
        self.places.pop_if(|last| last.0 == self.candidates.len());
        let alike = self.places.iter().enumerate();
        let mut alike = alike.filter(|(_, place)| place.1 == aside);
        if alike.clone().count() >= most as usize
            && let Some((place, &(first, _))) = alike.nth(if aside { 0 } else { most as usize / 2 })
        {
            let end = self.places.get(place + 1);
            let end = end.map_or(self.candidates.len(), |next| next.0);
            if !aside {
                let from = self.candidates[first].span.start;
                self.capped = self.capped.or(Some((RepairKind::CandidatesCapped, from)));
            }
            self.candidates.drain(first..end);
            self.places.remove(place);
            (self.places[place..].iter_mut()).for_each(|later| later.0 -= end - first);
        }
        self.places.push((self.candidates.len(), aside));
    }

    /// Adds a value that was found, with the zones in which it lies: `[1]` in `<think>[1]` is a
    /// thought.
    pub(crate) fn add(&mut self, look: Look<'_>, mut candidate: Reading) {
        let start = candidate.span.start as usize;
        self.ask(look, |zones| {
            candidate.thought |= zones.is_thought(start);
            candidate.shown |= zones.is_shown(start);
        });
        candidate.fenced |= self.zones.place.fence.is_some();
        self.zones.go_behind(candidate.span.end as usize);
        self.candidates.push(candidate);
    }

    /// Queries the pass over the text that finds its zones.
    pub(crate) fn ask<'r, T>(
        &mut self,
        look: Look<'r>,
        question: impl FnOnce(&mut Pass<'_, 'r, Account<'r>>) -> T,
    ) -> T {
        let mut account = Account(look);
        question(&mut Pass::new(
            &mut self.zones,
            look.text,
            &mut account,
            self.is_open,
        ))
    }

    /// Skips the mark at a place. Returns it: `<b>` ends at 3.
    pub(crate) fn pass_mark(&mut self, look: Look<'_>, at: usize) -> Option<Mark> {
        let (mark, is_unopened) = self.ask(look, |zones| zones.mark(at))?;
        // `…{"a": 1}</think>{"a": 2}`: chat templates often put the opening tag into the prompt.
        // The text before it was reasoning.
        if is_unopened {
            self.is_unopened = true;
            for candidate in &mut self.candidates {
                candidate.thought = true;
            }
        }
        Some(mark)
    }

    /// Skips the marks in a part of the text that is not searched for values. Returns the end of
    /// the last one, or `end`.
    pub(crate) fn pass_marks(&mut self, look: Look<'_>, mut at: usize, end: usize) -> usize {
        let mut last = end;
        while at < end {
            let mark = self.pass_mark(look, at);
            last = last.max(mark.map_or(at, |mark| mark.end));
            at = mark.map_or_else(|| look.next_mark(at + 1), |mark| mark.end);
        }
        last
    }
}

impl Reader<'_> {
    /// Reads a value in the text up to a place.
    pub(crate) fn read_until<T>(&mut self, end: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        let (text, bytes) = (self.look.text, self.look.bytes);
        (self.look.text, self.look.bytes) = (&text[..end], &bytes[..end]);
        let read = read(self);
        (self.look.text, self.look.bytes) = (text, bytes);
        read
    }

    /// Discards a value that was read, from these nodes and records on.
    pub(crate) fn take_value_back(&mut self, root: usize, repairs: usize, notes: usize) {
        self.tape.take_back(root);
        self.tape.repairs.truncate(repairs);
        self.tape.notes.truncate(notes);
    }

    /// Returns a candidate for the value that was read from `start` on, with the records from
    /// `repairs` and `notes` on. It is incomplete if its text was truncated, as in `{"a": 1`.
    pub(crate) fn candidate(
        &mut self,
        start: usize,
        read: ValueEnd,
        root: usize,
        repairs: usize,
        notes: usize,
    ) -> Reading {
        let complete = read.complete && !self.counters.cut;
        self.look.charge(STEPS_OF_RECOVERY);
        let repairs = Records::of(repairs..self.tape.repairs.len());
        let notes = Records::of(notes..self.tape.notes.len());
        Reading {
            complete,
            ..Reading::new(root as u32, Span::of(start, read.end), repairs, notes)
        }
    }
}

impl Look<'_> {
    /// Finds the next byte from `at` on that may begin a value or something around one: 3 in
    /// `so {"a": 1}`, from 0 on. Returns the end of the text if there is none.
    pub(crate) fn next_mark(&self, at: usize) -> usize {
        mark_from(self.bytes, at, |byte| {
            let quotes = (byte == b'"') | (byte == b'`') | (byte == b'~');
            let brackets = (byte | 0x20 == b'{') | (byte == b'(') | (byte == b'<');
            quotes | brackets | (byte == b'/') | (byte == b'&') | (byte == b'\\')
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use crate::parser::look::{answers, ask};

    #[test]
    fn the_next_mark_is_found() {
        answers(
            |look| look.next_mark(0),
            &[
                ("so {\"a\": 1}", 3),
                ("{", 0),
                ("no mark", 7),
                ("", 0),
                ("é {", 3),
            ],
        );
        assert_eq!(ask("{{", |look| look.next_mark(1)), 1);
        assert_eq!(ask("{", |look| look.next_mark(1)), 1);
        assert_eq!(ask("{", |look| look.next_mark(2)), 2);
    }

    /// Blocks of 16 bytes are looked at as a whole, and what is left byte by byte.
    #[test]
    fn marks_are_found_at_any_place() {
        for byte in 0u8..0x80 {
            let sign = char::from(byte);
            let is_mark = "\"`~{[(</&\\".contains(sign);
            for place in [1, 5, 16, 17, 33, 36] {
                let mut text = "a".repeat(place);
                text.push(sign);
                text += &"a".repeat(38 - place);
                let expected = if is_mark { place } else { text.len() };
                let found = ask(&text, |look| look.next_mark(1));
                assert_eq!(found, expected, "{sign:?} at {place}");
            }
        }
        let two: String = format!("{}{{{}[", "a".repeat(20), "a".repeat(3));
        assert_eq!(ask(&two, |look| look.next_mark(0)), 20);
    }
}
