//! The laws on a case that comes in pieces.

use llmjson::laws;

use crate::case::Case;

/// Lengths of the pieces.
const LENGTHS: [usize; 5] = [1, 2, 3, 7, 16];

/// Checks that the case comes out alike in pieces of any length.
pub(crate) fn check(case: &Case) {
    for length in LENGTHS {
        every(case, || || length);
    }
    every(case, || laws::random_lengths(case.text.len() as u64));
}

fn every<L: FnMut() -> usize>(case: &Case, lengths: impl Fn() -> L) {
    laws::every_stream(&case.text, &lengths);
    if let Some(schema) = &case.schema {
        laws::every_coerced_stream(&case.text, schema, &lengths);
    }
}
