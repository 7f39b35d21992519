//! Records repairs, and skips text that cannot be parsed.

use crate::base::repair::{Class, Note, NoteKind, Repair, RepairKind};
use crate::base::span::Span;
use crate::parser::state::reader::Reader;

/// Number of records to reserve with the first one, since damage rarely occurs only once.
const FIRST_RECORDS: usize = 32;

impl Reader<'_> {
    /// Records a repair in the usual class of its kind.
    pub(crate) fn repair(&mut self, kind: RepairKind, start: usize, end: usize) {
        self.repair_as(kind, kind.class(), start, end);
    }

    /// Records a repair that is less certain than others of its kind.
    #[cold]
    pub(crate) fn repair_as(&mut self, kind: RepairKind, class: Class, start: usize, end: usize) {
        if self.tape.repairs.len() < self.limits.records as usize {
            if self.tape.repairs.capacity() == 0 {
                self.tape.repairs.reserve(FIRST_RECORDS);
            }
            let span = Span::of(start, end);
            self.tape.repairs.push(Repair::of(kind, class, span));
        } else {
            self.counters.unrecorded = true;
        }
    }

    /// Records that the text from `start` to `end` is not part of the value. A number, a keyword or
    /// a quoted string in it is data.
    #[cold]
    pub(crate) fn pass_over(&mut self, start: usize, end: usize) {
        let text = &self.look.text[start..end];
        self.look.charge(text.len());
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

    /// Records a frequent repair, for which a call would cost as much as the repair itself.
    #[inline(always)]
    pub(crate) fn repair_often(&mut self, kind: RepairKind, start: usize, end: usize) {
        let repairs = &mut self.tape.repairs;
        if repairs.len() < repairs.capacity() && repairs.len() < self.limits.records as usize {
            repairs.push(Repair::new(kind, Span::of(start, end)));
        } else {
            self.repair(kind, start, end);
        }
    }

    #[cold]
    pub(crate) fn note(&mut self, kind: NoteKind, start: usize, end: usize) {
        self.note_as(kind, Class::Certain, start, end);
    }

    /// Records a note, with the certainty of the value despite it.
    pub(crate) fn note_as(&mut self, kind: NoteKind, class: Class, start: usize, end: usize) {
        if self.tape.notes.len() < self.limits.records as usize {
            self.tape.notes.push(Note {
                kind,
                class,
                span: Span::of(start, end),
            });
        } else {
            self.counters.unrecorded = true;
        }
    }
}
