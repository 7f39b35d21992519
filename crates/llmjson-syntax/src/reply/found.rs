//! The findings of the search for values in a reply, so far.

use alloc::vec::Vec;

use crate::base::span::Span;
use crate::parser::look::charged::STEPS_OF_RECOVERY;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::ValueEnd;
use crate::tape::readings::{Reading, Records};

/// The values found in a reply so far, and the state of the search.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReplySearch {
    pub(crate) candidates: Vec<Reading>,
    /// Number of them that do not just follow another one.
    pub(crate) apart: u32,
    /// The open fence.
    pub(crate) fence: Option<usize>,
    /// The open block of reasoning.
    pub(crate) thinking: Option<usize>,
    /// Offset at which it ends, once that has been looked for.
    pub(crate) thinking_end: Option<usize>,
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
        candidate.fenced |= self.fence.is_some();
        candidate.thought |= self.thinking.is_some();
        self.candidates.push(candidate);
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
