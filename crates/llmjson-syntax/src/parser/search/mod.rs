//! The reading of all that leaves a choice: a search over the ways in which a stretch of text may have been
//! meant.
//!
//! The strict loop reads up to the first place that leaves a choice. From about one member before it, several
//! readings go over the text, each with a price for every move, so that what stands far behind decides as well as
//! what is at hand. Where the cheapest is alone, what it did is written, and the loop goes on.

pub(crate) mod beam;
pub(crate) mod build;
pub(crate) mod certainty;
pub(crate) mod ended;
pub(crate) mod ends;
pub(crate) mod entry;
pub(crate) mod follow;
pub(crate) mod moves;
pub(crate) mod price;
pub(crate) mod reading;
pub(crate) mod run;

pub(crate) mod hand_over;
pub(crate) mod strict;
pub(crate) mod text;
pub mod why;
