//! Reads a model's reply under a policy: the floor below the tools and the front door.
//!
//! The crate `llmjson` re-exports what is here for users, under the same names; programs should
//! depend on that. The hidden modules are what the other crates of llmjson share, and may change
//! with any release.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod compat;
pub mod de;
#[cfg(feature = "schemars")]
#[doc(hidden)]
pub mod derived_schema;
pub mod feedback;
#[doc(hidden)]
pub mod guarded;
#[doc(hidden)]
pub mod insert;
#[doc(hidden)]
pub mod issue;
#[doc(hidden)]
pub mod issues;
#[doc(hidden)]
pub mod names;
#[doc(hidden)]
pub mod pointer;
pub mod policy;
mod presets;
#[doc(hidden)]
pub mod reply;
pub mod report;
#[cfg(feature = "schemars")]
mod serde_aliases;
pub mod stream;

pub use de::{Error, from_str, from_str_with};
pub use llmjson_schema::{Failure, Schema, SchemaError, SchemaNote, SchemaNoteKind, stringify};
pub use policy::Policy;
pub use reply::{
    Input, Parsed, ParsedCandidate, arguments, arguments_with, coerce, coerce_with, parse,
    parse_all, parse_all_with, parse_bytes, parse_bytes_with, parse_with,
};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
