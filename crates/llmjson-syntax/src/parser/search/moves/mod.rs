//! Moves of a reading at a token. The one that JSON allows comes first; each further way is one
//! more reading, with a price.

pub(crate) mod after;
pub(crate) mod bracket;
pub(crate) mod name;
pub(crate) mod step;
pub(crate) mod value;
pub(crate) mod word;
