//! Text to tape.
//!
//! `grammar.rs` reads strict JSON in three short pieces. What strict JSON does not allow but can mean one
//! thing only is read by `liberties.rs`. Where the text leaves a choice, `search/` reads on, records what
//! it put right, and says where to go on. There are no modes: policy looks at the records afterwards.

pub(crate) mod grammar;
pub(crate) mod liberties;
pub(crate) mod look;
pub(crate) mod resume;
pub(crate) mod search;
pub(crate) mod state;
pub(crate) mod strings;
pub(crate) mod truncation;
pub(crate) mod words;
