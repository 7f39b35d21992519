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
//! | calls of tools in its text | `Calls` (feature `tools`) | each call, bound, and its arguments as they come |
//! | tool calls as a server sends them, in deltas | `Deltas` (feature `wire`) | the arguments so far |
//! | a value of a Rust type | `typed::Stream` (feature `schemars`) | what has come of it, or its items |
//!
//! With the feature `futures`, pieces can arrive in a `futures_core::Stream`: see
//! [`Stream::follow`] and the `follow` methods of the other types.
//!
//! Changes to a value are reported as [`syntax::Event`](crate::syntax::Event)s.

#[cfg(feature = "wire")]
#[doc(inline)]
pub use llmjson_reply::stream::Deltas;
#[doc(hidden)]
pub use llmjson_reply::stream::*;
#[doc(inline)]
pub use llmjson_reply::stream::{All, Finished, Item, Items, Stream};
#[cfg(feature = "tools")]
#[doc(inline)]
pub use llmjson_tools::{CallEvent, Calls};
