//! Parses the JSON that language models write, coerces it to a JSON Schema, and records every
//! change.
//!
//! | you have | call | you get |
//! |---|---|---|
//! | a reply, perhaps a [`Schema`] | [`parse`] | [`Parsed`]: the value, its repairs and coercions, its violations |
//! | the arguments of a tool call | [`arguments`] | the same; blank text is `{}` where nothing is required |
//! | a value that another library read | [`coerce`] | the value coerced to the schema |
//! | a reply with several values | [`parse_all`] | each of them |
//! | a reply that is still coming | [`stream::Stream`] | the value so far, at any time |
//! | a value to check | [`Schema::validate`] | nothing, or a [`Failure`] |
//! | a Rust type | [`from_str`] | a value of the type, by serde |
//! | tools that a model calls | `tools::Registry` | their arguments, or feedback for the model |
//! | a model to ask until it fits | `retry::Retry` | the value, or why there is none |
//!
//! A [`Policy`] says which changes are allowed; its methods are the same calls, subject to it.
//!
//! | module | holds |
//! |---|---|
//! | [`policy`] | which repairs and coercions are allowed, the limits, and observers |
//! | [`report`] | the report of a reply: repairs, coercions, violations |
//! | [`feedback`] | the feedback about a value that does not fit |
//! | [`stream`] | replies that are still coming |
//! | `retry` | asking a model again until its reply fits |
//! | `tools` | the tools that a model may call, and their arguments |
//! | `typed` | Rust types, by the schema that the type derives |
//! | [`syntax`] | documents, values, repairs and places in texts, and reading without schemas |
//! | [`compat`] | what exists for users of other systems: types that are read strictly but for four small repairs |
//!
//! # The three types that most programs need
//!
//! Compile a [`Schema`] once. If your program acts on the value, choose a [`Policy`]:
//! [`Policy::tool`] or [`Policy::exact`]. [`parse`] and [`Policy::parse`] return a [`Parsed`],
//! whose [`into_type`](Parsed::into_type) gives the value as a Rust type, or a [`Failure`] with
//! feedback for the model ([`stringify()`]). Further modules show how the value was read
//! ([`report`]) and how much of it has arrived ([`stream`]), find the tool that was called
//! (`tools`), and ask the model again (`retry`).
//!
//! ```
//! use llmjson::Schema;
//!
//! let schema = Schema::from_text(
//!     r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}"#,
//! )?; // once; it can be shared between threads
//! let parsed = llmjson::parse("Sure: {city: 'Oslo', days: \"3\"", Some(&schema));
//! assert_eq!(parsed.to_json().as_deref(), Some(r#"{"city":"Oslo","days":3}"#));
//! assert!(parsed.conforms());
//! // Every change is recorded, and so is that the text was cut off.
//! assert_eq!(parsed.coercions()[0].kind.name(), "text_to_number");
//! assert!(!parsed.is_complete());
//!
//! // What does not fit comes back as feedback for the model: its value, and what is wrong beside it.
//! let failure = llmjson::parse(r#"{"days": "many"}"#, Some(&schema)).into_result().unwrap_err();
//! let feedback = llmjson::stringify(&failure);
//! assert!(feedback.contains(r#""days": "many" // ❌ [{"path":"$input.days","expected":"#));
//! # Ok::<(), llmjson::SchemaError>(())
//! ```
//!
//! This crate documents what most programs need. The documentation of `llmjson-syntax`,
//! `llmjson-schema`, `llmjson-reply` and `llmjson-tools` has the rest, such as editors of documents
//! and matchers for keys; these names work here too.
//!
//! # Errors
//!
//! Parsing never fails: every input gives a [`Parsed`]. [`Parsed::conforms`] reports whether there
//! is a value that satisfies the schema, [`Parsed::into_result`] turns this into a `Result`, and
//! [`Parsed::is_complete`] reports whether the input was complete, which a caller with side effects
//! should check. [`Schema::from_text`] and [`Schema::compile`] return a [`SchemaError`] for an
//! invalid schema; [`from_str`] returns an [`Error`] if serde cannot read the value into the type.
//!
//! # Glossary
//!
//! - **Repair**: a change to the *text* that makes it readable as JSON, such as an inserted quote.
//!   Each is a [`Repair`](syntax::Repair) with a [kind](syntax::RepairKind), a class and a text
//!   span.
//! - **Coercion**: a change to the *value* that makes it fit a schema, such as `"3"` becoming `3`.
//!   Each is a [`Coercion`](report::Coercion) with a [kind](report::CoercionKind), a class and a
//!   path.
//! - **Violation**: one place where a value does not satisfy the schema after coercion. A
//!   [`Violation`](report::Violation) has a path and says what the schema expects there.
//! - **Refusal**: a property of the *text* that the policy does not allow, such as a repair: see
//!   [`Refusal`](report::Refusal).
//! - **Issue**: a problem with the arguments of a tool call, as a `tools::BindReport` lists it for
//!   the model: a violation, a refusal, or the caller's own rule. See [`report::Issue`].
//! - **Lint**: a complaint about a *schema* or a tool before any reply, by the rules of a provider
//!   or a check. See `tools::Lint`.
//! - **Certainty**: how certain it is that a value is the intended one:
//!   [`Class::Certain`], [`Class::Likely`] or
//!   [`Class::Guess`]. Every repair and coercion has a class, and
//!   [`Parsed::certainty`] is the least certain of them.
//! - **Candidate**: one of the values that a reply may mean, such as a draft or the answer after
//!   it. [`parse`] chooses one; [`parse_all`] returns each as a [`ParsedCandidate`] with its place.
//! - **Envelope**: an object around the value that the schema does not declare, as in
//!   `{"arguments": {…}}`. Coercion unwraps the value and records
//!   [`CoercionKind::Envelope`](report::CoercionKind::Envelope).
//! - **Settled**: describes a part of a growing value that later text cannot change.
//!   [`Stream::is_settled`](stream::Stream::is_settled) and the event
//!   [`Change::Settled`](syntax::Change::Settled) report it.
//! - **Truncated**: describes a value whose text ended inside it. [`Parsed::is_complete`] is then
//!   false, and the value is never certain.
//! - **Policy**: the rules that say which repairs and coercions are allowed, and how truncated
//!   values and undeclared members are treated. See [`Policy`] and its presets.
//!
//! # Limits
//!
//! Time and memory are linear in the input, and no input causes a panic or a stack overflow.
//! [`Limits`](syntax::Limits) bounds the input's length and depth, the number of places tried as
//! the beginning of a value, and the number of recorded repairs. If a limit leaves no value, the
//! failure is a [`LimitReached`](syntax::LimitReached). [`from_str`] stops at 128 levels, as
//! serde_json does.
//!
//! # Features
//!
//! - `std` (on by default): selects a faster byte search by CPU features at run time; results are
//!   the same without it.
//! - `tools`: the module `tools` with tool contracts, and schemas for providers.
//! - `retry`: the module `retry`, which asks a model again until its reply conforms.
//! - `schemars`: the module `typed`, which coerces to the schema that a Rust type derives.
//! - `derive`: the derive macro `typed::Partial`, which generates the type of a value that is still
//!   streaming.
//! - `futures`: streams read their pieces from a `futures_core::Stream` and yield their values as
//!   one.
//! - `tracing`: emits an event for each reply.
//! - `wire`: `stream::Deltas` for streamed tool calls, and the messages of `llmjson-wire`.
//! - `client`: `retry::ChatModel`, a model on a server that speaks OpenAI's chat completions;
//!   `blocking`: the same for programs without an asynchronous runtime.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "laws")]
#[doc(hidden)]
pub mod laws;
#[cfg(feature = "retry")]
pub mod retry;
pub mod stream;
#[cfg(feature = "tools")]
pub mod tools;
#[cfg(feature = "schemars")]
pub mod typed;

#[doc(no_inline)]
pub use llmjson_reply::compat;
#[doc(inline)]
pub use llmjson_reply::{
    DeserializeExt, Error, ErrorKind, Input, Parsed, ParsedCandidate, Policy, arguments, coerce,
    from_str, parse, parse_all, parse_bytes,
};
pub use llmjson_schema::{Failure, Schema, SchemaError, stringify};
#[doc(hidden)]
pub use llmjson_schema::{SchemaNote, SchemaNoteKind};
#[doc(inline)]
pub use llmjson_syntax::Class;

/// Policies: which repairs and coercions are allowed, within which limits. [`Policy`] lists the
/// presets.
pub mod policy {
    #[doc(inline)]
    pub use llmjson_reply::policy::{
        AllowedRepairs, FinishReason, FormatStrictness, Handling, Invalid, Names, Observation,
        Observer, Outcome, Undeclared, Wording,
    };
    #[doc(hidden)]
    pub use llmjson_reply::policy::{LimitError, RetryEvent, RetryStep};
}

/// The report on a reply, for programs and logs: all information of [`Parsed`] as one serializable
/// value, and the records in it.
pub mod report {
    #[doc(inline)]
    pub use llmjson_reply::report::{
        Coercion, CoercionKind, Issue, IssueCode, Issues, Path, Refusal, Report, Step, Violation,
    };
    #[doc(hidden)]
    pub use llmjson_reply::report::{FormatNote, Found, Meant, NameMatch, ReachedLimit};
}

/// Feedback: a value annotated with its violations, for the model to correct.
///
/// [`stringify()`](crate::stringify) writes the feedback for a [`Failure`], and
/// [`Reason`](feedback::Reason) gives its cause. [`annotate`](feedback::annotate) writes the caller's
/// own annotations next to any value.
pub mod feedback {
    #[doc(hidden)]
    pub use llmjson_reply::feedback::{AnnotateOptions, AnnotationPath};
    #[doc(inline)]
    pub use llmjson_reply::feedback::{Annotation, Reason, annotate};
}

/// Documents, values, repairs and places in texts, and reading without schemas. `llmjson-syntax`
/// documents the rest, such as editors and writers of JSON, which are here too.
pub mod syntax {
    #[doc(hidden)]
    pub use llmjson_syntax::*;
    #[doc(inline)]
    pub use llmjson_syntax::{
        Change, Document, Event, Kind, LimitReached, Limits, LineIndex, Note, NoteKind, Repair,
        RepairKind, Span, Truncation, ValueRef, parse,
    };
}

/// Items shared by the command line, the packages and the web pages. Not a public API: they may
/// change in any release.
#[doc(hidden)]
pub mod internal {
    pub use llmjson_schema::internal::Outline;
    #[cfg(feature = "tools")]
    pub use llmjson_tools::{begun_fence, letters};

    #[cfg(feature = "schemars")]
    pub use crate::typed::partial::when_whole;
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
