//! Finds where a string ends, quoted or bare, key or value, by one rule. Each character that could
//! end it is examined once, left to right. If a valid continuation follows, the string ends there.
//! Otherwise the search forks: the string ends here anyway, continues, or ended earlier without its
//! closing quote.

pub(crate) mod bare;
pub(crate) mod before;
pub(crate) mod inner;
pub(crate) mod quoted;
