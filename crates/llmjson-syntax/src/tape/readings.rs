//! The candidate values of a reply.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::base::repair::{Note, Repair, RepairKind};
use crate::base::span::Span;
use crate::tape::marks::Mark;
use crate::tape::source_map::SourceMap;

/// All possible values of a reply, the best first. Kept only if there are several.
#[derive(Clone, Debug, Default)]
pub(crate) struct Readings {
    pub(crate) all: Vec<Reading>,
    /// Number of candidates; those set aside are last.
    pub(crate) open: usize,
    /// Number of drafts directly after them.
    pub(crate) drafts: usize,
    /// The root of the chosen one.
    pub(crate) chosen: u32,
    /// The records of all hypotheses.
    pub(crate) repairs: Vec<Repair>,
    pub(crate) notes: Vec<Note>,
    /// The limit that was reached, and the offset from which on values were skipped or only
    /// searched for by their brackets.
    pub(crate) capped: Option<(RepairKind, u32)>,
    /// The marks outside the values.
    pub(crate) marks: Vec<Mark>,
    /// The decoded text, in which all hypotheses have their places. Dropping a shared pointer is a
    /// call, which replies without an encoding avoid.
    pub(crate) source: Option<Arc<SourceMap>>,
    /// `true` if another source was read than the unchanged reply, or made guesses of its repairs.
    pub(crate) is_changed: bool,
    /// `true` if no other source of the reply has a text.
    pub(crate) is_only_source: bool,
}

/// One possible value of a reply.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) root: u32,
    pub(crate) span: Span,
    pub(crate) complete: bool,
    /// `true` inside a code fence.
    pub(crate) fenced: bool,
    /// `true` inside a block of reasoning.
    pub(crate) thought: bool,
    /// `true` in a quotation, a table, a log or another speaker's turn.
    pub(crate) shown: bool,
    /// The first value, which is usually in the place of the answer.
    pub(crate) first: bool,
    /// An array formed from a run of values.
    pub(crate) list: bool,
    /// `true` if it must not be chosen: reasoning next to answers, the beginning of a complete
    /// value.
    pub(crate) aside: bool,
    /// `true` if it is damaged, and was first read past a complete value.
    pub(crate) swallows: bool,
    /// `true` if it may be a draft of a truncated value. It is chosen only where a schema requires
    /// it.
    pub(crate) draft: bool,
    /// `true` if it is a patch of a value before it.
    pub(crate) patch: bool,
    /// `true` if the words before it say that it is not an answer, but an example or a draft.
    pub(crate) mentioned: bool,
    /// `true` if it has a label: a heading, a number, a phrase before a colon.
    pub(crate) headed: bool,
    /// The number of the series of labels with one shape to which its label belongs, from 1, or 0
    /// for none.
    pub(crate) series: u32,
    /// The number of the run of values to which it belongs, from 1, or 0 for a separate value.
    pub(crate) group: u32,
    /// The reasons why it is less likely the answer than others: a set of the terms of
    /// `reply/weigh`.
    pub(crate) terms: u16,
    /// The sum of the costs of its terms and its repairs.
    pub(crate) price: u32,
    /// Range of its records among those of all hypotheses.
    pub(crate) repairs: Records,
    pub(crate) notes: Records,
}

impl Reading {
    /// Creates a hypothesis whose text is complete and whose place in the reply is still unknown.
    pub(crate) fn new(root: u32, span: Span, repairs: Records, notes: Records) -> Self {
        Self {
            root,
            span,
            complete: true,
            fenced: false,
            thought: false,
            shown: false,
            first: false,
            list: false,
            aside: false,
            draft: false,
            swallows: false,
            patch: false,
            mentioned: false,
            headed: false,
            series: 0,
            group: 0,
            terms: 0,
            price: 0,
            repairs,
            notes,
        }
    }

    /// Returns the hypothesis as the array of a run of values.
    pub(crate) fn of_items(self, first: &Self, last: &Self) -> Self {
        Self {
            list: true,
            complete: last.complete,
            fenced: first.fenced,
            thought: first.thought,
            shown: first.shown,
            ..self
        }
    }
}

/// A range of records. A reply may have as many hypotheses as values, and scanning them takes time
/// proportional to their size, so this is half as large as a range of `usize`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Records {
    start: u32,
    end: u32,
}

impl Records {
    /// Creates a range of records. A text of less than 4 GiB has at most as many records as bytes.
    pub(crate) fn of(range: Range<usize>) -> Self {
        Self {
            start: range.start as u32,
            end: range.end as u32,
        }
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub(crate) fn start(self) -> usize {
        self.start as usize
    }

    pub(crate) fn end(self) -> usize {
        self.end as usize
    }
}
