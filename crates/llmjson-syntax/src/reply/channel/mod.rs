//! The channel: a reply as it was carried, by a protocol, a page, a terminal, a log or a shell.
//!
//! A carrier is a row of a table: the bytes that it leaves in any text, and what takes it off and keeps where each part
//! of the text came from. It is tried only where its bytes stand in the text. What is left is one more way to read the
//! reply: it counts if reading it, with the price of the carrier, costs less than reading the text as it is. A reply
//! that needs no repair but for what stands around its value is never asked.

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
