//! The gateway between clients and OpenAI-compatible servers, as a state machine without IO.
//!
//! The caller moves the bytes. [`chat::Exchange`] takes one request for a chat completion and its reply, whole or as
//! server-sent events.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod cache;
pub mod chat;
mod report;
mod treatment;

pub use cache::Cache;
pub use report::{Outcome, Rejection, Report};
pub use treatment::{Limits, Treatment};
