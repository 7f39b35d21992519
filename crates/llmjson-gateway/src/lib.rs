//! The gateway between clients and OpenAI-compatible servers, as a state machine without IO.
//!
//! The caller moves the bytes, or the module `server` does, behind the feature of this name. [`chat::Exchange`] takes one request for a chat completion and its reply, whole or as
//! server-sent events: arguments of calls are bound to their tools, calls in texts become `tool_calls`, and structured
//! content becomes the JSON that its schema asks for. What needs nothing passes byte for byte.
//!
//! | what | says |
//! |---|---|
//! | [`Treatment`] | policies, the least certainty, retries, where the tools stand, limits |
//! | [`Cache`] | compiled tools and schemas of earlier requests |
//! | [`chat::Exchange`], [`chat::Stream`] | one request and its reply |
//! | [`Report`] | what was done |
//! | [`Rejection`] | a request that is refused |

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod cache;
pub mod chat;
mod error;
mod json;
#[cfg(feature = "laws")]
#[doc(hidden)]
pub mod laws;
mod report;
#[cfg(feature = "server")]
#[cfg_attr(docsrs, doc(cfg(feature = "server")))]
pub mod server;
mod treatment;

pub use cache::Cache;
pub use error::Rejection;
pub use report::{HEADER_BYTES_MAX, Outcome, PLACES_MAX, Report};
pub use treatment::{Limits, Treatment};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
