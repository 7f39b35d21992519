//! The search for JSON in a reply.
//!
//! If the whole text is JSON, that is its only interpretation. Otherwise the reply is processed
//! once: wherever a value may begin, the parser reads one and finds its end, and the search
//! continues after it. The values are weighed, and the text around the chosen one is recorded.
//!
//! `zones::context` judges whether a value is an answer at all.

pub(crate) mod before;
pub(crate) mod braceless_members;
pub(crate) mod bracket_filter;
pub(crate) mod choose;
pub(crate) mod doubt;
pub(crate) mod found;
pub(crate) mod group;
pub(crate) mod opening;
pub(crate) mod outside;
pub(crate) mod scalar;
pub(crate) mod search;
pub(crate) mod sources;
pub(crate) mod surroundings;
pub(crate) mod weigh;
pub(crate) mod whole;
