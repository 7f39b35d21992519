//! Replies that are still coming: their value so far, at any time.
//!
//! Each is made with or without a schema, and takes a [`Policy`](crate::Policy) before the first piece:
//!
//! | a reply that holds | read by | gives |
//! |---|---|---|
//! | one value | [`Stream`] | the value so far |
//! | several values | [`All`] | each when it has ended |
//! | a list | [`Items`] | each item when it is whole |
//! | tool calls as a server sends them, in deltas | `Deltas` (feature `wire`) | the arguments so far |
//!
//! With the feature `futures` the pieces may come in a `futures_core::Stream` (`follow`).
//!
//! The changes of a value ([`Event`](llmjson_syntax::Event)) and the text under it are those of [`llmjson_syntax`], which
//! has streams of its own, without schemas and policies.

#[cfg(feature = "wire")]
mod deltas;
#[cfg(feature = "futures")]
pub(crate) mod follow;
mod items;
mod lasting;
mod reply;
mod several;

#[cfg(feature = "wire")]
pub use deltas::{DeltaCall, Deltas, FinishedCall};
pub use items::{Item, Items};
pub use lasting::LastingViolation;
pub use reply::{Finished, Stream};
pub use several::All;
