//! What the shapes of a schema ask for, in words.

pub(crate) mod expected;
pub(crate) mod words;
