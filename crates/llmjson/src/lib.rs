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
//! A [`Policy`] says which changes are allowed; its methods are the same calls under it.
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
//! A [`Schema`], compiled once. A [`Policy`], if the program acts on the value: [`Policy::tool`] or [`Policy::exact`].
//! A [`Parsed`], from [`parse`] or [`Policy::parse`]: [`into_type`](Parsed::into_type) gives the value in a Rust type, or a
//! [`Failure`] whose [`stringify()`] is what the model gets to read. All else answers a further question: how the value was
//! read ([`report`]), what of it is there already ([`stream`]), which tool was meant (`tools`), whether to ask again (`retry`).
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
//! # Errors
//!
//! Reading a reply has no `Result`: every text gives a [`Parsed`]. [`Parsed::conforms`] tells whether
//! there is a value that fits, [`Parsed::into_result`] makes a `Result` of that, and
//! [`Parsed::is_complete`] tells whether the text was whole, which a caller with side effects should
//! check. [`Schema::from_text`] and [`Schema::compile`] return a [`SchemaError`] for an invalid schema,
//! [`from_str`] an [`Error`] for a value that serde cannot read into the type.
//!
//! # Glossary
//!
//! - **Repair**: a change to the *text*, made to read it as JSON, such as a quote that was put in. Each
//!   is a [`Repair`](syntax::Repair) with a [kind](syntax::RepairKind), a class and the span of text that it is about.
//! - **Coercion**: a change to the *value*, made to fit it to a schema, such as `"3"` becoming `3`. Each is
//!   a [`Coercion`](report::Coercion) with a [kind](report::CoercionKind), a class and the path of the value.
//! - **Violation**: one way in which a value does not satisfy the schema after coercion. A [`Violation`](report::Violation)
//!   has a path and says what the schema expects there.
//! - **Refusal**: a property of the *text* that the policy does not allow, such as a repair: see
//!   [`Refusal`](report::Refusal).
//! - **Issue**: what is wrong with the arguments of a tool call, as a `tools::BindReport` lists
//!   it for the model: a violation, a refusal, or a rule of the caller's own. See [`report::Issue`].
//! - **Lint**: what a provider, or a check of tools, complains about in a *schema* or a tool, before any
//!   reply. See `tools::Lint`.
//! - **Certainty**: how sure it is that a value is the one that was meant: [`Class::Certain`](syntax::Class::Certain),
//!   [`Class::Likely`](syntax::Class::Likely) or [`Class::Guess`](syntax::Class::Guess). Every repair and coercion has a class, and
//!   [`Parsed::certainty`] is the least sure of them.
//! - **Candidate**: one of the values that a reply may mean, such as a draft and the answer after it.
//!   [`parse`] chooses one; [`parse_all`] returns each as a [`ParsedCandidate`] with its place.
//! - **Envelope**: an object around the value that the schema does not declare, as in
//!   `{"arguments": {…}}`. Coercion takes the value out and records
//!   [`CoercionKind::Envelope`](report::CoercionKind::Envelope).
//! - **Settled**: said of a part of a growing value that later text cannot change.
//!   [`Stream::is_settled`](stream::Stream::is_settled) and the event [`Change::Settled`](syntax::Change::Settled) tell.
//! - **Truncated**: said of a value whose text ended inside it. [`Parsed::is_complete`] is then false, and
//!   the value is never certain.
//! - **Policy**: the rules that say which repairs and coercions are allowed, and how
//!   truncated values and undeclared members are treated. See [`Policy`] and its presets.
//!
//! # Limits
//!
//! Time and memory are linear in the text, and no text panics or overflows the stack. [`Limits`](syntax::Limits) bounds
//! the length of a text, its depth, the places tried as the beginning of a value and the repairs
//! recorded. If one of them leaves no value, the failure is a [`LimitReached`](syntax::LimitReached). [`from_str`]
//! stops at 128 levels, as serde_json does.
//!
//! # Features
//!
//! - `std` (on by default): the byte search looks at the processor; results are the same without.
//! - `tools`: the module `tools`, contracts for the tools that a model calls, with schemas for providers.
//! - `retry`: the module `retry`, which asks a model again until its reply fits.
//! - `schemars`: the module `typed`, in which the schema that a Rust type derives guides coercion.
//! - `derive`: the derive macro `typed::Partial`, which makes the type of a value that is still coming.
//! - `futures`: streams take their pieces from a `futures_core::Stream`, and yield what comes of them as one.
//! - `tracing`: emits an event for each reply.
//! - `wire`: `stream::Deltas` for tool calls that are still coming, and the messages of `llmjson-wire`.
//! - `client`: `retry::ChatModel`, a model behind a server that speaks OpenAI's chat completions;
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
#[doc(inline)]
pub use llmjson_reply::{feedback, report};
pub use llmjson_schema::{Failure, Schema, SchemaError, SchemaNote, SchemaNoteKind, stringify};
#[doc(no_inline)]
pub use llmjson_syntax as syntax;

/// Policies: which repairs and coercions are allowed, and within which limits. [`Policy`] lists the presets.
pub mod policy {
    #[doc(inline)]
    pub use llmjson_reply::policy::{
        AllowedRepairs, FinishReason, FormatStrictness, Handling, Invalid, LimitError, Names,
        Observation, Observer, Outcome, RetryEvent, RetryStep, Undeclared, Wording,
    };
}

/// The part that the command line, the packages and the pages share. Not for users: it may change with any release.
#[doc(hidden)]
pub mod internal {
    pub use llmjson_schema::internal::Outline;
    #[cfg(feature = "tools")]
    pub use llmjson_tools::letters;

    #[cfg(feature = "schemars")]
    pub use crate::typed::partial::when_whole;
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
