//! Replies that are still coming: their value so far, at any time.
//!
//! [`Stream`] reads without a schema and [`ReplyStream`] with one; [`StreamAll`] and [`ReplyStreamAll`]
//! read several values one after the other, [`ItemStream`] the items of a list. With the feature `wire`, `CallStreams` reads the
//! arguments of the tool calls of a message.

#[cfg(feature = "wire")]
mod calls;
mod items;
mod lasting;
mod several;
mod single;

#[cfg(feature = "wire")]
pub use calls::{CallStream, CallStreams, FinishedCall};
pub use items::{FinishedItems, Item, ItemStream};
pub use lasting::LastingViolation;
pub use llmjson_syntax::{Change, Event, Finished, InvalidUtf8, Pointer, Stream, StreamAll};
pub use several::ReplyStreamAll;
pub use single::{FinishedReply, ReplyStream};
