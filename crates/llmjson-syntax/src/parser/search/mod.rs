//! A second reading of what is doubtful: a search over the ways in which a stretch of text may have been
//! meant.
//!
//! The reader decides at each place by what it knows of damage that was described. Where all that it
//! came to is a guess, the search reads the stretch again: several readings go over it, each with a
//! price for every move, and what stands far behind decides as well as what is at hand. The cheaper
//! reading is taken.

pub(crate) mod beam;
pub(crate) mod build;
pub(crate) mod certainty;
pub(crate) mod ended;
pub(crate) mod ends;
pub(crate) mod follow;
pub(crate) mod moves;
pub(crate) mod price;
pub(crate) mod reading;

pub(crate) mod hand_over;
pub(crate) mod strict;
pub(crate) mod text;
pub mod why;
