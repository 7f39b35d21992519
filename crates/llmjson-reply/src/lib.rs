//! Parses a model's reply under a policy. This is the layer below the tools and the crate
//! `llmjson`.
//!
//! The crate `llmjson` re-exports the public items under the same names; depend on that. The module
//! `internal` is shared by llmjson's crates, which are pinned to this exact version, and may change
//! in any release.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod anchored;
pub mod compat;
mod de;
#[cfg(feature = "schemars")]
mod derived_schema;
pub mod feedback;
mod guarded;
mod insert;
mod issue;
mod issues;
mod pointer;
pub mod policy;
mod presets;
mod record;
mod reply;
pub mod report;
pub mod stream;

pub use de::{DeserializeExt, Error, ErrorKind, from_str};
pub use llmjson_schema::{Failure, Schema, SchemaError, SchemaNote, SchemaNoteKind, stringify};
#[doc(no_inline)]
pub use llmjson_syntax as syntax;
pub use policy::Policy;
pub use reply::{Input, Parsed, ParsedCandidate, arguments, coerce, parse, parse_all, parse_bytes};

/// Items shared with the other llmjson crates. Not a public API: they may change in any release.
#[doc(hidden)]
pub mod internal {
    #[cfg(feature = "schemars")]
    pub use crate::derived_schema::schema;
    pub use crate::guarded::guarded;
    pub use crate::insert::{ALIASES, Insertions};
    pub use crate::pointer::{Pointers, decoded, escaped, unescaped};
    pub use crate::policy::LENIENT;
    pub use crate::record::serialize_record;
    pub use crate::reply::{fit, fit_value, read};
    #[cfg(feature = "futures")]
    pub use crate::stream::follow::follow;

    #[cfg(feature = "laws")]
    pub mod laws {
        pub use crate::anchored::laws::*;
        pub use crate::policy::laws::*;
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
