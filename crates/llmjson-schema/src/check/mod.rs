//! Checks whether a value satisfies a schema: a fast check and the validator.

pub(crate) mod calendar;
mod counted;
pub(crate) mod fast_check;
pub(crate) mod format;
pub(crate) mod keywords;
pub(crate) mod pattern_size;
pub(crate) mod patterns;
pub(crate) mod regular;
pub(crate) mod text_check;
pub(crate) mod text_formats;
pub(crate) mod undeclared;
pub(crate) mod validator;
pub(crate) mod walk;
