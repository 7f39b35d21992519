//! Checking whether a value satisfies a schema: a fast check, the validator, and jsonschema for
//! what depends on what other keywords have looked at.

pub(crate) mod calendar;
mod counted;
#[cfg(feature = "full")]
pub(crate) mod engine;
#[cfg(feature = "full")]
pub(crate) mod external;
pub(crate) mod fast_check;
pub(crate) mod format;
#[cfg(feature = "full")]
pub(crate) mod instance;
pub(crate) mod keywords;
pub(crate) mod pattern_size;
pub(crate) mod patterns;
pub(crate) mod regular;
pub(crate) mod text_check;
pub(crate) mod text_formats;
pub(crate) mod undeclared;
pub(crate) mod validator;
pub(crate) mod walk;
