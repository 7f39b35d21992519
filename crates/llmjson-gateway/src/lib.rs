//! The gateway between clients and OpenAI-compatible servers, as a state machine without IO.
//!
//! The caller moves the bytes; with the feature `server`, the module `server` does. [`chat::Exchange`] takes one request for a chat completion and its reply, whole or as
//! server-sent events.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod cache;
pub mod chat;
mod report;
#[cfg(feature = "server")]
#[cfg_attr(docsrs, doc(cfg(feature = "server")))]
pub mod server;
mod treatment;

pub use cache::Cache;
pub use report::{Outcome, Rejection, Report};
pub use treatment::{Limits, Treatment};
