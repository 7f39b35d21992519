//! What the shapes of a schema expect, in words.

pub(crate) mod expected;
pub(crate) mod words;
