//! The expectations of a schema's shapes, in words.

pub(crate) mod expected;
pub(crate) mod words;
