//! The findings of the search for values in a reply, so far.

use alloc::vec::Vec;

use crate::base::span::Span;
use crate::parser::look::Look;
use crate::parser::look::charged::STEPS_OF_RECOVERY;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::ValueEnd;
use crate::tape::readings::{Reading, Records};
use crate::zones::marks::Around;

/// The values found in a reply so far, and the state of the search.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReplySearch {
    pub(crate) candidates: Vec<Reading>,
    /// Number of them that do not just follow another one.
    pub(crate) apart: u32,
    /// The zones that are open.
    pub(crate) zones: Around,
    /// `true` if some opening bracket was passed over.
    pub(crate) doubtful: bool,
    /// Escapes have been taken off once.
    pub(crate) unescaped: bool,
    /// Offset from which on brackets were taken as they stand, since the work was used up.
    pub(crate) capped: Option<u32>,
    /// Number of places that have been tried as the beginning of members without braces.
    pub(crate) tried_members: u32,
}

impl ReplySearch {
    /// Adds a value that was found, as one in a fence or in a block of reasoning if such a one is open: that of
    /// `<think>[1]` is a thought.
    pub(crate) fn add(&mut self, mut candidate: Reading) {
        candidate.fenced |= self.zones.fence.is_some();
        candidate.thought |= self.zones.thought.is_some();
        self.candidates.push(candidate);
    }

    /// Passes over the mark at a place. Returns where it ends: 3 of `<b>`.
    pub(crate) fn pass_mark(&mut self, look: Look<'_>, at: usize) -> Option<usize> {
        let (mark, is_unopened) = self.zones.pass(look, at)?;
        // `…{"a": 1}</think>{"a": 2}`: chat templates often put the opening tag into the prompt. All before it was
        // reasoning.
        if is_unopened {
            for candidate in &mut self.candidates {
                candidate.thought = true;
            }
        }
        Some(mark.end())
    }
}

impl Reader<'_> {
    /// Returns a candidate for the value that was read from `start` on, with the records from `repairs` and
    /// `notes` on. It is not complete if its text was cut off, as that of `{"a": 1` was.
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

/// Reads a value at each bracket that lies in none before it, for tests.
#[cfg(test)]
pub(crate) fn read_values(reader: &mut Reader<'_>) -> ReplySearch {
    let mut found = ReplySearch::default();
    let mut at = 0;
    while let Some(next) = reader.look.text[at..].find(['{', '[']) {
        let root = reader.tape.nodes.len();
        let (repairs, notes) = (reader.tape.repairs.len(), reader.tape.notes.len());
        reader.first_repair = repairs;
        let read = reader.value(at + next);
        let candidate = reader.candidate(at + next, read, root, repairs, notes);
        at = candidate.span.end as usize;
        found.add(candidate);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::read_values;
    use crate::parser::state::test_reader::with_reader;

    #[test]
    fn values_before_the_end_of_reasoning_are_thoughts() {
        with_reader("[1] <think></think>", |reader| {
            let found = &mut read_values(reader);
            let mut pass = |at| {
                let end = found.pass_mark(reader.look, at);
                (end, found.candidates[0].thought)
            };
            assert_eq!(pass(4), (Some(11), false));
            assert_eq!(pass(11), (Some(19), false));
            // Its opening tag is not in the text.
            assert_eq!(pass(11), (Some(19), true));
        });
    }
}
