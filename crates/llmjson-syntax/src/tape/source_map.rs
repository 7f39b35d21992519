//! The positions of text that was decoded from a transport encoding.

use alloc::string::String;
use alloc::vec::Vec;

use crate::base::repair::Repair;
use crate::base::span::Span;
use crate::tape::Tape;

/// Offsets in a text and in its source at which another part begins.
pub(crate) type Places = Vec<(u32, u32)>;

/// Returns the offset in the source of a place in the derived text.
pub(crate) fn source_of(places: &[(u32, u32)], offset: usize) -> usize {
    let next = places.partition_point(|&(text, _)| text as usize <= offset);
    match next.checked_sub(1).map(|at| places[at]) {
        Some((text, source)) => source as usize + (offset - text as usize),
        None => offset,
    }
}

/// A reply without its transport encodings.
#[derive(Clone, Debug)]
pub(crate) struct SourceMap {
    pub(crate) text: String,
    /// The places of the intermediate texts, from the one derived from the reply on.
    pub(crate) layers: Vec<Places>,
    /// The records of the removed transport encodings.
    pub(crate) records: Vec<Repair>,
}

impl SourceMap {
    /// Returns the span in the reply of a part of the decoded text.
    pub(crate) fn span(&self, span: Span) -> Span {
        let source = |offset: u32| {
            let outwards = self.layers.iter().rev();
            outwards.fold(offset as usize, |offset, places| source_of(places, offset))
        };
        let (start, end) = (source(span.start), source(span.end));
        Span::of(start, end.max(start))
    }

    /// Places the records of a tape at their spans in the reply, after the records of the removed
    /// encodings.
    pub(crate) fn place(&self, tape: &mut Tape) {
        for repair in &mut tape.repairs {
            repair.span = self.span(repair.span);
        }
        for note in &mut tape.notes {
            note.span = self.span(note.span);
        }
        tape.repairs.splice(0..0, self.records.iter().copied());
    }
}
