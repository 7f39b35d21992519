//! The search for JSON in a reply.
//!
//! If the whole text is JSON, that is its only interpretation. Otherwise the reply is processed
//! once: wherever a value may begin, the parser reads one and finds its end, and the search
//! continues after it. The values are weighed, and the text around the chosen one is recorded.
//!
//! Words around values decide which of them is the answer (`before`, `weigh`) and whether it is an
//! answer at all (`doubt`, `says`, `foreign`). All of these words are in one table, `lexicon`, and
//! are English.

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
