//! The search for JSON in a reply.
//!
//! A text that is JSON as a whole is its only reading. Otherwise the reply is gone over once: at
//! each place where a value may begin one is read, the parser finds its end, and the search goes
//! on behind it. The values found are weighed, and what stands around the chosen one is recorded.
//!
//! Whether a value is the answer at all is judged by its context, which `zones::context` reads.

pub(crate) mod anew;
pub(crate) mod before;
pub(crate) mod braceless_members;
pub(crate) mod bracket_filter;
pub(crate) mod channel;
pub(crate) mod choose;
pub(crate) mod doubt;
pub(crate) mod found;
pub(crate) mod group;
pub(crate) mod opening;
pub(crate) mod outside;
pub(crate) mod scalar;
pub(crate) mod search;
pub(crate) mod surroundings;
pub(crate) mod turns;
pub(crate) mod weigh;
pub(crate) mod whole;
