//! The feedback for a model: a value with its violations beside it.

pub(crate) mod annotate;
pub(crate) mod failure;
