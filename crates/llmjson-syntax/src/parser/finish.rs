//! The end of reading before the last closer.

use crate::base::limits::LimitReached;
use crate::base::repair::RepairKind;
use crate::base::span::Span;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, ValueEnd};
use crate::tape::{COUNT_MAX, NONE, Tag, flag, saturate};

impl Reader<'_> {
    /// Returns `true` if putting things right has stopped getting on. Closing a container moves
    /// nothing, so as many idle steps as containers may be open are in order.
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

    /// Closes the innermost container at `end`, where its closer is missing.
    #[cold]
    pub(crate) fn close_unclosed(&mut self, here: Container, end: usize) -> Container {
        if !self.end_unbracketed(here, end) {
            self.repair(RepairKind::MissingCloser, end, end);
        }
        self.counters.implied_end = self.tape.nodes.len();
        self.close(here, end)
    }

    /// Closes the innermost container just before `end` and returns to its parent.
    #[inline(always)]
    pub(crate) fn close(&mut self, here: Container, end: usize) -> Container {
        if here.object {
            match here.count {
                0 => {}
                1 => self.scratch.signatures.pop(),
                count => self.find_duplicates(here.current, count),
            }
        }
        let next = self.tape.nodes.len() as u32;
        let node = &mut self.tape.nodes[here.current as usize];
        let parent = node.next;
        node.next = next;
        node.end = end as u32;
        node.count = saturate(here.count);
        if node.count == COUNT_MAX || node.has(flag::DUPLICATES) {
            self.close_counted(here);
        }
        self.counters.depth -= 1;
        match self.tape.nodes.get(parent as usize) {
            None => Container::OUTSIDE,
            Some(node) => {
                let object = node.tag == Tag::Object;
                let mut count = u32::from(node.count);
                if node.count == COUNT_MAX {
                    count = self.tape.count(parent);
                }
                Container {
                    current: parent,
                    object,
                    count,
                }
            }
        }
    }

    /// Puts down how many children a container has that was closed, which its node does not say.
    #[cold]
    #[inline(never)]
    fn close_counted(&mut self, here: Container) {
        if self.tape.nodes[here.current as usize].has(flag::DUPLICATES) {
            self.tape.count_shown(here.current, here.count);
        } else {
            self.tape.put_count(here.current, here.count, here.count);
        }
    }

    /// Closes whatever is open where the text of the value ended.
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
