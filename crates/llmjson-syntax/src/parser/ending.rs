//! How reading ends before the last closer, and the records that are made on the way.

use crate::limits::LimitReached;
use crate::node::{COUNT_MAX, NONE, Tag, flag, saturate};
use crate::parser::reader::{Here, Read, Reader};
use crate::repair::{Note, NoteKind, Repair, RepairKind};
use crate::{Class, Span};

/// Room for so many records is made with the first one: damage seldom comes alone.
const FIRST_RECORDS: usize = 32;

impl Reader<'_> {
    /// Whether putting things right has stopped getting on. Closing a container moves nothing, so
    /// as many idle steps as containers may be open are in order.
    #[cold]
    pub(in crate::parser) fn stuck(&mut self, at: usize) -> bool {
        if at > self.furthest {
            self.furthest = at;
            self.idle = 0;
        } else {
            self.idle += 1;
        }
        let stuck = self.idle > self.limits.depth.saturating_add(16);
        debug_assert!(!stuck, "no progress at byte {at}");
        stuck
    }

    /// Closes the innermost container at `end`, where its closer is missing.
    #[cold]
    pub(in crate::parser) fn close_unclosed(&mut self, here: Here, end: usize) -> Here {
        if !self.end_unbracketed(here, end) {
            self.repair(RepairKind::MissingCloser, end, end);
        }
        self.implied_end = self.tape.nodes.len();
        self.close(here, end)
    }

    /// Whether the value read last may still go on: if its container was closed with no closer in
    /// the text, what follows does not show that.
    pub(in crate::parser) fn last_is_open(&self) -> bool {
        self.implied_end != self.tape.nodes.len()
    }

    /// Closes the innermost container just before `end` and returns to its parent.
    #[inline(always)]
    pub(in crate::parser) fn close(&mut self, here: Here, end: usize) -> Here {
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
        self.depth -= 1;
        match self.tape.nodes.get(parent as usize) {
            None => Here::OUTSIDE,
            Some(node) => {
                let object = node.tag == Tag::Object;
                let mut count = u32::from(node.count);
                if node.count == COUNT_MAX {
                    count = self.tape.count(parent);
                }
                Here {
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
    fn close_counted(&mut self, here: Here) {
        if self.tape.nodes[here.current as usize].has(flag::DUPLICATES) {
            self.tape.count_shown(here.current, here.count);
        } else {
            self.tape.put_count(here.current, here.count, here.count);
        }
    }

    /// Closes whatever is open where the text of the value ended.
    #[cold]
    pub(in crate::parser) fn finish(&mut self, mut here: Here, end: usize) -> Read {
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
        Read { end, complete }
    }

    #[cold]
    pub(in crate::parser) fn too_deep(&mut self, here: Here, at: usize) -> Read {
        let limit = self.limits.depth;
        self.limit = Some(LimitReached::Depth {
            limit,
            span: Span::of(at, at + 1),
        });
        let mut read = self.finish(here, at);
        read.end = self.bytes.len();
        read
    }

    /// Records a liberty, as sure as such liberties usually are.
    pub(in crate::parser) fn repair(&mut self, kind: RepairKind, start: usize, end: usize) {
        self.repair_as(kind, kind.class(), start, end);
    }

    /// Records a liberty that is less sure than others of its kind.
    #[cold]
    pub(in crate::parser) fn repair_as(
        &mut self,
        kind: RepairKind,
        class: Class,
        start: usize,
        end: usize,
    ) {
        if self.tape.repairs.len() < self.limits.records as usize {
            if self.tape.repairs.capacity() == 0 {
                self.tape.repairs.reserve(FIRST_RECORDS);
            }
            let span = Span::of(start, end);
            self.tape.repairs.push(Repair { kind, class, span });
        } else {
            self.unrecorded = true;
        }
    }

    /// Records that the text from `start` to `end` is no part of the value. A number, a keyword or a
    /// quoted text in it is data.
    #[cold]
    pub(in crate::parser) fn pass_over(&mut self, start: usize, end: usize) {
        let text = &self.text[start..end];
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        let number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        let keyword = |word: &str| matches!(word, "true" | "false" | "null");
        let kind = if text.contains('"') && text.len() > 1
            || words.any(|word| number(word) || keyword(word))
        {
            RepairKind::DroppedValue
        } else {
            RepairKind::StrayText
        };
        self.repair(kind, start, end);
    }

    /// The same for liberties that are taken once a value, where a call costs as much as they do.
    #[inline(always)]
    pub(in crate::parser) fn repair_often(&mut self, kind: RepairKind, start: usize, end: usize) {
        let repairs = &mut self.tape.repairs;
        if repairs.len() < repairs.capacity() && repairs.len() < self.limits.records as usize {
            repairs.push(Repair::new(kind, Span::of(start, end)));
        } else {
            self.repair(kind, start, end);
        }
    }

    #[cold]
    pub(in crate::parser) fn note(&mut self, kind: NoteKind, start: usize, end: usize) {
        if self.tape.notes.len() < self.limits.records as usize {
            self.tape.notes.push(Note {
                kind,
                span: Span::of(start, end),
            });
        } else {
            self.unrecorded = true;
        }
    }
}
