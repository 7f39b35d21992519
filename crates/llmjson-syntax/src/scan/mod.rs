//! Finds the next relevant byte. Knows bytes, not grammar.

mod bytes;
pub(crate) mod escape;
mod name;
pub(crate) mod number;
mod quoted;
mod space;
pub(crate) mod tag;

pub(crate) use bytes::{backslashes, find_near, has_control, inspect, mark_from, peek};
pub(crate) use name::usual_name;
pub(crate) use quoted::{
    Quoted, closing_quote, plain_single_quoted, quoted, quoted_from, single_quoted,
};
pub(crate) use space::{Indent, skip_space};
