//! The inside of strings, and strings concatenated from several.

pub(crate) mod concatenation;
pub(crate) mod habits;
pub(crate) mod inside;
pub(crate) mod line_break;
