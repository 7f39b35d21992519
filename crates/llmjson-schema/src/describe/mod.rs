//! The expectations of a schema's shapes, in words.

pub(crate) mod expected;
mod plain;
pub(crate) mod words;
