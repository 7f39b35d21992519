//! Readers of a text, for tests.

use crate::base::limits::Limits;
use crate::parser::look::ask;
use crate::parser::state::reader::{Reader, Scratch};
use crate::tape::Tape;

/// Passes a reader of a text to a test.
pub(crate) fn with_reader<T>(text: &str, test: impl FnOnce(&mut Reader<'_>) -> T) -> T {
    ask(text, |look| {
        let (mut tape, mut scratch) = (Tape::default(), Scratch::default());
        test(&mut Reader::new(
            look,
            &mut tape,
            &Limits::DEFAULT,
            &mut scratch,
        ))
    })
}
