//! The inside of strings, and texts put together of several.

pub(crate) mod concatenation;
pub(crate) mod inside;
pub(crate) mod line_break;
