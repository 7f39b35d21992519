//! Building blocks for the other modules: errors, paths, records, shared strings, exact numbers.

pub(crate) mod allowed_repairs;
pub(crate) mod annotation;
pub(crate) mod edits;
pub(crate) mod embedded;
pub(crate) mod equality;
pub(crate) mod error;
pub(crate) mod fold;
pub(crate) mod formats;
pub(crate) mod hash;
pub(crate) mod path;
pub(crate) mod refusal;
pub(crate) mod report;
pub(crate) mod schema_note;
mod serialize;
pub(crate) mod text;
pub(crate) mod tokens;
pub(crate) mod undeclared;
pub(crate) mod units;
pub(crate) mod wording;
pub(crate) mod words;
