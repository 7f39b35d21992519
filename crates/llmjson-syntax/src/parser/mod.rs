//! Text to tape.
//!
//! `grammar.rs` reads strict JSON in three short pieces. Whatever strict JSON does not allow leaves it
//! by a cold function in `recovery/` or `strings/`, which puts it right, records that, and says where
//! to go on. There are no modes: policy looks at the records afterwards.

pub(crate) mod finish;
pub(crate) mod grammar;
pub(crate) mod liberties;
pub(crate) mod look;
pub(crate) mod recovery;
pub(crate) mod resume;
pub(crate) mod search;
pub(crate) mod state;
pub(crate) mod strings;
