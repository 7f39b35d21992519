//! The shared state of the parser: the reader, its steps, and points to go back to.

pub(crate) mod checkpoint;
pub(crate) mod closing;
mod duplicate_names;
mod lines;
mod open;
pub(crate) mod partial_string;
pub(crate) mod pause;
pub(crate) mod reader;
mod records;
pub(crate) mod signatures;
pub(crate) mod step;
#[cfg(test)]
pub(crate) mod test_reader;
mod trivia;
