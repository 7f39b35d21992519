//! Resolution of ambiguous text: a search over possible interpretations of a stretch of text.
//!
//! The strict loop parses up to the first ambiguous position. From about one member before it,
//! several hypotheses process the text, with a cost for every move, so that distant evidence counts
//! as well as nearby evidence. Once only the cheapest is left, its moves are written, and the loop
//! continues.

pub(crate) mod beam;
pub(crate) mod build;
pub(crate) mod certainty;
pub(crate) mod ended;
pub(crate) mod ends;
pub(crate) mod entry;
pub(crate) mod follow;
pub(crate) mod moves;
pub(crate) mod places;
pub mod price;
pub(crate) mod reading;
pub(crate) mod rows;
pub(crate) mod run;

pub(crate) mod hand_over;
pub(crate) mod strict;
pub(crate) mod text;
pub mod why;
