//! Parses text to a tape.
//!
//! `grammar.rs` reads strict JSON in three short pieces. Syntax that JSON does not allow but that
//! has only one meaning is read by `liberties.rs`. If the text is ambiguous, `search/` takes over,
//! records its repairs, and says where to continue. There are no modes: the policy judges the
//! records afterwards.

pub(crate) mod grammar;
pub(crate) mod liberties;
pub(crate) mod look;
pub(crate) mod resume;
pub(crate) mod search;
pub(crate) mod state;
pub(crate) mod strings;
pub(crate) mod truncation;
pub(crate) mod words;
