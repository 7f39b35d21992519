//! The ends of texts, in quotes or without, names and values by one rule. Each sign at which it
//! could end is looked at once, from left to right. If what follows may follow, the text ends
//! there. If not, the reading forks: it ends there all the same, it goes on, or it ended before,
//! without its quote.

pub(crate) mod bare;
pub(crate) mod before;
pub(crate) mod inner;
pub(crate) mod quoted;
