//! The meaning of words that JSON does not have, once their ends are known: numbers in other spellings, keywords, digits in
//! groups, what is cut off, and entities of HTML.

mod cut;
pub(crate) mod entities;
pub(crate) mod grouped_digits;
pub(crate) mod word;
