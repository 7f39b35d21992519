//! The meaning of unusual tokens, once their ends are known.

mod cut;
pub(crate) mod encoding;
pub(crate) mod fast_path;
pub(crate) mod grouped_digits;
pub(crate) mod word;
