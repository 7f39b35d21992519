//! The search for JSON in a reply.
//!
//! A text that is JSON as a whole is its only reading. Otherwise the reply is gone over once: at
//! each place where a value may begin one is read, the parser finds its end, and the search goes
//! on behind it. The values found are weighed, and what stands around the chosen one is recorded.
//!
//! Words around values decide which of them is the answer (`before`, `weigh`) and whether it is
//! one at all (`doubt`, `says`, `foreign`). All of them stand in one table, `lexicon`, and are English.

pub(crate) mod anew;
pub(crate) mod before;
pub(crate) mod braceless_members;
pub(crate) mod bracket_filter;
pub(crate) mod channel;
pub(crate) mod choose;
pub(crate) mod contradiction;
pub(crate) mod correction;
pub(crate) mod doubt;
pub(crate) mod foreign;
pub(crate) mod found;
pub(crate) mod group;
pub(crate) mod lexicon;
pub(crate) mod opening;
pub(crate) mod outside;
pub(crate) mod says;
pub(crate) mod scalar;
pub(crate) mod search;
pub(crate) mod surroundings;
pub(crate) mod turns;
pub(crate) mod weigh;
pub(crate) mod whole;
pub(crate) mod words;
