//! The end of the text before the last closer.

use crate::base::limits::LimitReached;
use crate::base::repair::RepairKind;
use crate::base::span::Span;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, ValueEnd};
use crate::tape::{NONE, flag};

impl Reader<'_> {
    /// Returns `true` if repairs no longer make progress. Closing a container consumes no text, so
    /// as many idle steps are allowed as containers may be open.
    #[cold]
    pub(crate) fn stuck(&mut self, at: usize) -> bool {
        if at > self.counters.furthest {
            self.counters.furthest = at;
            self.counters.idle = 0;
        } else {
            self.counters.idle += 1;
        }
        let stuck = self.counters.idle > self.limits.depth.saturating_add(16);
        debug_assert!(!stuck, "no progress at byte {at}");
        stuck
    }

    /// Closes every open container at the end of the value's text.
    #[cold]
    pub(crate) fn finish(&mut self, mut here: Container, end: usize) -> ValueEnd {
        let complete = here.current == NONE;
        while here.current != NONE {
            let kind = if here.object {
                RepairKind::UnclosedObject
            } else {
                RepairKind::UnclosedArray
            };
            if !self.end_unbracketed(here, end) {
                self.repair(kind, end, end);
            }
            self.tape.nodes[here.current as usize].flags |= flag::TRUNCATED;
            here = self.close(here, end);
        }
        ValueEnd { end, complete }
    }

    #[cold]
    pub(crate) fn too_deep(&mut self, here: Container, at: usize) -> ValueEnd {
        let limit = self.limits.depth;
        self.limit = Some(LimitReached::Depth {
            limit,
            span: Span::of(at, at + 1),
        });
        let mut read = self.finish(here, at);
        read.end = self.look.bytes.len();
        read
    }
}
