//! Replies that are still coming: their value so far, at any time.
//!
//! Each is made with or without a schema, and takes a [`Policy`](crate::Policy) before the first piece:
//!
//! | a reply that holds | read by | gives |
//! |---|---|---|
//! | one value | [`Stream`] | the value so far |
//! | several values | [`All`] | each when it has ended |
//! | a list | [`Items`] | each item when it is whole |
//! | calls of tools in its text | `Calls` (feature `tools`) | each call, bound, and its arguments as they come |
//! | tool calls as a server sends them, in deltas | `Deltas` (feature `wire`) | the arguments so far |
//! | a value of a Rust type | `typed::Stream` (feature `schemars`) | what has come of it, or its items |
//!
//! With the feature `futures` the pieces may come in a `futures_core::Stream`: [`Stream::follow`], and those of the others.
//!
//! The changes of a value are [`syntax::Event`](crate::syntax::Event)s.

#[doc(inline)]
pub use llmjson_reply::stream::*;
#[cfg(feature = "tools")]
#[doc(inline)]
pub use llmjson_tools::{CallEvent, Calls};
