//! Streamed replies: the value received so far, at any time.
//!
//! Create each with or without a schema, and set its [`Policy`](crate::Policy) before the first
//! piece:
//!
//! | a reply that holds | read by | gives |
//! |---|---|---|
//! | one value | [`Stream`] | the value so far |
//! | several values | [`All`] | each when it has ended |
//! | a list | [`Items`] | each item when it is whole |
//! | tool calls as a server sends them, in deltas | `Deltas` (feature `wire`) | the arguments so far |
//!
//! With the feature `futures`, pieces can arrive in a `futures_core::Stream` (`follow`).
//!
//! The changes to a value ([`Event`](llmjson_syntax::Event)) and the underlying text are types of
//! [`llmjson_syntax`], which has its own streams without schemas and policies.

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
