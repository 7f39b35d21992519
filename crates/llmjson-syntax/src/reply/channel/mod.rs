//! Transport encodings: a reply as a protocol, a page, a terminal, a log or a shell has transmitted
//! it.
//!
//! An encoding is a row of a table: the bytes that it leaves in any text, and a decoder that tracks
//! the origin of each part of its output. It is tried only if these bytes appear in the text. The
//! decoded text is one more interpretation of the reply: it is used if its cost, plus the cost of
//! the encoding, is less than the cost of the text itself. A reply that needs no repairs, other
//! than for text around its value, is never decoded.

pub(crate) mod decoded;
pub(crate) mod diff;
pub(crate) mod escapes;
pub(crate) mod events;
pub(crate) mod lines;
pub(crate) mod literals;
pub(crate) mod page;
pub(crate) mod parts;
pub(crate) mod signs;
pub(crate) mod take_off;
pub(crate) mod wide;
pub(crate) mod wraps;
