//! Lines and columns of a document's records.

use llmjson_schema::{FormatNote, Refusal};
use llmjson_syntax::{Document, JsonOut, Note, Position, Repair, Span};

/// Lines and columns of all records, found in one pass over the text, regardless of the length of
/// its lines.
pub(super) struct Positions {
    /// The known places, in ascending order.
    known: Vec<(u32, Position)>,
}

impl Positions {
    pub(super) fn of(document: &Document<'_>, refused: &[Refusal], formats: &[FormatNote]) -> Self {
        let repairs = document.repairs().iter().map(|repair| repair.span.start);
        let notes = document.notes().iter().map(|note| note.span.start);
        let refused = refused.iter().map(|refusal| refusal.span().start);
        let formats = formats.iter().map(|note| note.span.start);
        let all = repairs.chain(notes).chain(refused).chain(formats);
        let mut offsets: Vec<u32> = all.collect();
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

    /// Writes the member `repairs`.
    pub(super) fn write_repairs(&self, repairs: &[Repair], out: &mut impl JsonOut) {
        out.objects("repairs", repairs, |repair, out| {
            out.member("kind", repair.kind.name());
            out.member("class", repair.class.name());
            self.write(repair.span, out);
            if let Some(detail) = repair.detail {
                out.member("detail", detail.name());
            }
            out.member("sentence", repair.kind.sentence());
        });
    }

    /// Writes the member `notes`: those about the text, and those about formats.
    pub(super) fn write_notes(
        &self,
        notes: &[Note],
        formats: &[FormatNote],
        out: &mut impl JsonOut,
    ) {
        let notes = notes.iter().map(|note| {
            let kind = note.kind;
            (kind.name(), note.class, note.span, kind.sentence(), None)
        });
        let formats = formats.iter().map(|note| {
            let (name, sentence) = (FormatNote::NAME, FormatNote::SENTENCE);
            (name, FormatNote::CLASS, note.span, sentence, Some(note))
        });
        let all = notes.chain(formats);
        out.objects(
            "notes",
            all,
            |(kind, class, span, sentence, format), out| {
                out.member("kind", kind);
                out.member("class", class.name());
                self.write(span, out);
                if let Some(note) = format {
                    out.member("path", note.path.to_string());
                    out.member("expected", &*note.expected);
                }
                out.member("sentence", sentence);
            },
        );
    }

    /// Writes an array of records, with the kind, span and sentence of each.
    pub(super) fn write_list<T>(
        &self,
        name: &str,
        records: &[T],
        out: &mut impl JsonOut,
        told: impl Fn(&T) -> (&'static str, Span, &'static str),
    ) {
        out.objects(name, records, |record, out| {
            let (kind, span, sentence) = told(record);
            out.member("kind", kind);
            self.write(span, out);
            out.member("sentence", sentence);
        });
    }

    fn write(&self, span: Span, out: &mut impl JsonOut) {
        let place = self.position(span.start);
        out.member("start", span.start);
        out.member("end", span.end);
        out.member("line", place.line);
        out.member("column", place.column);
    }

    fn position(&self, offset: u32) -> Position {
        let found = (self.known).binary_search_by_key(&offset, |(known, _)| *known);
        found.map_or(Position { line: 1, column: 1 }, |index| self.known[index].1)
    }
}
