//! Work is bounded by the length of the input, in any number of pieces.

use core::fmt;

use crate::{Stream, StreamAll, parse, parse_all};

/// Maximum number of steps per byte in addition to reading it once. The work budget of a text
/// allows a quarter of them ([`Limits::work`](crate::Limits::work)), streams of several values and
/// schemas allow half, and each may be exceeded by one lookahead.
pub const STEPS_PER_BYTE: u64 = 64;

/// Additional steps that any input may cost.
pub const STEPS_BESIDES: u64 = 65_536;

/// Additional steps that each piece of a stream may cost.
pub const STEPS_PER_PIECE: u64 = 256;

/// The work of one reading, in total and by purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Number of steps in addition to reading once.
    pub work: u64,
    /// Number of bytes that were read: the text, and the schema if there is one.
    pub bytes: usize,
    /// Number of pieces, or 0 for a whole text.
    pub pieces: usize,
}

impl Cost {
    /// Returns the maximum number of steps.
    #[must_use]
    pub const fn allowed(&self) -> u64 {
        let pieces = STEPS_PER_PIECE * self.pieces as u64;
        STEPS_PER_BYTE * self.bytes as u64 + STEPS_BESIDES + pieces
    }

    /// Checks that the work is within the maximum.
    ///
    /// # Panics
    ///
    /// If the work exceeds the maximum.
    pub fn is_bounded(&self, by: &str, text: impl fmt::Debug) {
        let Self { work, bytes, .. } = self;
        assert!(
            *work <= self.allowed(),
            "{by}: {work} steps for {bytes} bytes, {} are allowed: {text:?}",
            self.allowed()
        );
    }
}

/// Returns the cost of reading a text.
#[must_use]
pub fn cost_of_parse(text: &str) -> Cost {
    Cost {
        work: parse(text).work().spent(),
        bytes: text.len(),
        pieces: 0,
    }
}

/// Returns the cost of reading each value of a text.
#[must_use]
pub fn cost_of_parse_all(text: &str) -> Cost {
    Cost {
        work: parse_all(text).work().spent(),
        bytes: text.len(),
        pieces: 0,
    }
}

/// Returns the cost of streaming a text in pieces of these lengths, including the end.
#[must_use]
pub fn cost_of_stream(text: &str, lengths: impl FnMut() -> usize) -> Cost {
    let mut stream = Stream::new();
    let pieces = for_each_piece(text, lengths, |piece| {
        stream.push_bytes(piece).expect("parts of a text");
    });
    let streamed = stream.work().spent();
    Cost {
        work: streamed + stream.finish().document.work().spent(),
        bytes: text.len(),
        pieces,
    }
}

/// Returns the cost of a stream of several values.
#[must_use]
pub fn cost_of_stream_all(text: &str, lengths: impl FnMut() -> usize) -> Cost {
    let mut stream = StreamAll::new();
    let pieces = for_each_piece(text, lengths, |piece| {
        stream.push_bytes(piece).expect("parts of a text");
        while stream.pop().is_some() {}
    });
    Cost {
        work: stream.finish_with_work().1.spent(),
        bytes: text.len(),
        pieces,
    }
}

/// Splits a text into pieces of these lengths at arbitrary bytes, and returns their number.
pub fn for_each_piece(
    text: &str,
    mut lengths: impl FnMut() -> usize,
    mut take: impl FnMut(&[u8]),
) -> usize {
    let (mut rest, mut pieces) = (text.as_bytes(), 0);
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(lengths().clamp(1, rest.len()));
        take(piece);
        (rest, pieces) = (later, pieces + 1);
    }
    pieces
}

/// Checks that the work of reading any text is bounded by a number of steps per byte.
///
/// # Panics
///
/// If the law does not hold.
pub fn work_is_bounded(text: &str) {
    cost_of_parse(text).is_bounded("parse", text);
}

/// Checks that the work is bounded for a text in pieces of these lengths, and for each piece.
///
/// # Panics
///
/// If the law does not hold.
pub fn work_of_streams_is_bounded<L: FnMut() -> usize>(text: &str, lengths: impl Fn() -> L) {
    cost_of_stream(text, lengths()).is_bounded("stream", text);
    cost_of_stream_all(text, lengths()).is_bounded("stream of several values", text);
}
