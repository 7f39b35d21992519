//! Moves of a hypothesis at a token. The move that JSON allows comes first; each alternative is
//! another hypothesis, at a cost.

pub(crate) mod after;
pub(crate) mod bracket;
pub(crate) mod name;
pub(crate) mod step;
pub(crate) mod value;
pub(crate) mod word;
