//! Feedback for a model: a value with its violations next to it.

pub(crate) mod annotate;
pub(crate) mod failure;
