//! The meaning of words that JSON does not have, once their ends are known: numbers in other spellings, keywords, digits in
//! groups, what is cut off, and encodings of whole documents.

mod cut;
pub(crate) mod encoding;
pub(crate) mod entities;
pub(crate) mod grouped_digits;
pub(crate) mod word;
