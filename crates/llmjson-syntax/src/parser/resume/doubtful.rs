//! Scalars that more text may extend.

use crate::parser::state::pause::DoubtfulScalar;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::scan;
use crate::scan::Quoted;

impl Reader<'_> {
    /// Notes that the scalar at `k` is doubtful, since later text may give it another meaning.
    pub(crate) fn doubt(&mut self, here: Container, k: usize) {
        self.scratch.pause.doubtful = Some(DoubtfulScalar {
            k,
            container: here.current,
            side: self.tape.side.len(),
            repairs: self.tape.repairs.len(),
            notes: self.tape.notes.len(),
        });
    }

    /// The string whose content begins at `start` and whose closing quote has been searched for.
    #[inline]
    pub(crate) fn found_quoted(&self, start: usize) -> Option<Quoted> {
        let partial = &self.scratch.pause.partial;
        if partial.start == start {
            partial.quoted()
        } else {
            scan::quoted(self.look.bytes, start)
        }
    }
}
