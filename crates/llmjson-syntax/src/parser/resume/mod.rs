//! Parsing while text is still arriving.

mod doubtful;
pub(crate) mod pausing;
