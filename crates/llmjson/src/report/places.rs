//! Lines and columns of the records of a document.

use llmjson_schema::Refusal;
use llmjson_syntax::{Document, Position, Span};

/// Where something stands in a text.
pub(super) struct Place {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Lines and columns of all records, found in one sweep over the text however long its lines are.
pub(super) struct Places {
    /// In ascending order.
    known: Vec<(u32, Position)>,
}

impl Places {
    pub(super) fn of(document: &Document<'_>, refused: &[Refusal]) -> Self {
        let repairs = document.repairs().iter().map(|repair| repair.span.start);
        let notes = document.notes().iter().map(|note| note.span.start);
        let refused = refused.iter().map(|refusal| refusal.span().start);
        let mut offsets: Vec<u32> = repairs.chain(notes).chain(refused).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let text = document.text();
        let mut position = Position { line: 1, column: 1 };
        let mut from = 0;
        let known = offsets.into_iter().map(|offset| {
            let end = text.floor_char_boundary(offset as usize);
            let passed = &text[from..end];
            position.line += passed.bytes().filter(|byte| *byte == b'\n').count();
            position.column = match passed.rsplit_once('\n') {
                Some((_, line)) => line.chars().count() + 1,
                None => position.column + passed.chars().count(),
            };
            from = end;
            (offset, position)
        });
        Self {
            known: known.collect(),
        }
    }

    /// Returns the place of a record.
    pub(super) fn place(&self, span: Span) -> Place {
        let found = self
            .known
            .binary_search_by_key(&span.start, |(offset, _)| *offset);
        let position = found.map_or(Position { line: 1, column: 1 }, |index| self.known[index].1);
        Place {
            start: span.start,
            end: span.end,
            line: position.line,
            column: position.column,
        }
    }
}
