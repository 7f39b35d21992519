//! The shared state of the parser: the reader, its steps, and where it pauses.

pub(crate) mod closing;
pub(crate) mod counters;
mod duplicate_names;
mod finish;
mod open;
pub(crate) mod partial_string;
pub(crate) mod pause;
pub(crate) mod reader;
mod records;
pub(crate) mod signatures;
pub(crate) mod step;
mod trivia;
