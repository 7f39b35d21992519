//! Turns whatever a language model wrote into the value that is asked for.
//!
//! [`from_str`] reads a reply straight into a Rust type; the module `typed` (feature `schemars`)
//! also puts the value right by the schema that the type derives. [`to_value`] and
//! [`document_from_value`] go between documents and [`serde_json::Value`].

#![forbid(unsafe_code)]

#[cfg(feature = "wire")]
mod calls;
pub mod conservative;
mod de;
mod fitted;
#[doc(hidden)]
pub mod laws;
mod observe;
mod policy;
mod reply;
pub mod retry;
pub mod shape;
mod stream;
#[cfg(feature = "schemars")]
pub mod typed;

#[cfg(feature = "wire")]
pub use calls::{CallStream, CallStreams, FinishedCall};
pub use de::{Error, ErrorKind, from_document, from_str, from_str_with, from_value};
pub use llmjson_schema::{
    AnnotateOptions, CoerceOptions, Coercion, CoercionKind, ConvertError, Failure, Found,
    Liberties, Path, Reason, Refusal, Remark, RemarkPath, Schema, SchemaError, Step, Undeclared,
    Violation, annotate, document_from_value, stringify, to_value,
};
pub use llmjson_syntax as syntax;
pub use llmjson_syntax::{
    Candidate, Candidates, Change, Class, Document, Event, Finished, InvalidUtf8, Items, Kind,
    LimitReached, Limits, LineIndex, Members, NodeId, Note, NoteKind, Origin, Position, Repair,
    RepairKind, Span, Stream, StreamAll, ValueRef, parse_bytes,
};
pub use observe::{Observation, Observer, Outcome, RetryEvent, RetryStep};
pub use policy::{Binding, FinishReason, Handling, LimitError, Names, Policy, Search, Unknown};
pub use reply::{
    Input, Parsed, arguments, arguments_with, coerce, coerce_with, parse, parse_all,
    parse_all_with, parse_with,
};
pub use retry::Retry;
pub use stream::{FinishedReply, ReplyStream, ReplyStreamAll};

/// Compiles the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
