//! Looking ahead, a bounded number of bytes, without reading anything.

pub(crate) mod brackets;
pub(crate) mod charged;
pub(crate) mod comment;
pub(crate) mod notice;
pub(crate) mod quotes;
pub(crate) mod scalars;
pub(crate) mod tokens;
pub(crate) mod trivia;

/// Looking ahead from a quote or a word goes no further than this many bytes.
pub(crate) const LOOK_AHEAD: usize = 256;
