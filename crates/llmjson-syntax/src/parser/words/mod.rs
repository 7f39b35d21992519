//! The meaning of words that JSON does not have, once their ends are known: numbers in other
//! spellings, keywords, grouped digits, truncated words, and HTML entities.

mod cut;
pub(crate) mod entities;
pub(crate) mod grouped_digits;
pub(crate) mod word;
