//! Tool contracts, and binding of tool call arguments to them.
//!
//! A [`Registry`] holds the [`Contract`] of each [`Tool`]: its name, its description and its
//! arguments' schema. [`Registry::bind`] parses the arguments that a model wrote, corrects names
//! and types as far as the tool's [policy](Tool::with_policy) allows, and returns a value with a
//! [`BindReport`], or an error whose [`explain`](BindReport::explain) returns feedback for the
//! model.
//!
//! | you have | call | you get |
//! |---|---|---|
//! | tools and the schemas of their arguments | [`Registry::builder`] | a [`Registry`], or every [`Lint`] of the tools |
//! | a tool list of OpenAI, Anthropic, Gemini or an MCP server, or an OpenAPI document | [`ToolList`] | the same |
//! | the arguments of a call | [`Registry::bind`] | a [`Bound`] value with its report |
//! | arguments that cannot be bound | [`BindReport::explain`] | the feedback for the model |
//! | checks of your own | [`Bound::check`] | the value, or the feedback |
//! | a provider that accepts a dialect of JSON Schema | [`SchemaTarget::render`] | the schema in that dialect |
//! | an MCP client and an MCP server | `Proxy` of the crate `llmjson-mcp` | corrected calls between them |
//!
//! ```
//! # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
//! use llmjson::tools::{Registry, Tool};
//! use serde_json::json;
//!
//! #[derive(serde::Deserialize)]
//! struct Sms {
//!     phone_number: String,
//!     priority: u8,
//! }
//!
//! let schema = json!({
//!     "type": "object",
//!     "properties": {"phone_number": {"type": "string"}, "priority": {"type": "integer"}},
//!     "required": ["phone_number", "priority"]
//! });
//! let registry = Registry::builder()
//!     .register_schema(Tool::new("send_sms", "Sends a text message."), &schema)
//!     .build()?;
//!
//! // The name is derived, the number stood in quotes.
//! let bound = registry.bind::<Sms>("send_sms", r#"{"phone": "13120057004", "priority": "3"}"#)?;
//! assert_eq!((bound.value.phone_number.as_str(), bound.value.priority), ("13120057004", 3));
//! assert!(bound.report.has_repairs() && !bound.report.is_uncertain());
//!
//! // All errors are reported at once.
//! let error = registry.bind::<Sms>("send_sms", r#"{"phone": "1312", "extra": "x"}"#).unwrap_err();
//! let report = error.report().expect("the model can put this right");
//! let codes: Vec<_> = report.issues().iter().map(|issue| issue.code.name()).collect();
//! assert_eq!(codes, ["unknown_field", "missing_required"]);
//! assert!(report.explain().contains("$input.extra"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! If any tool has an error, building a registry fails with all lints of all tools
//! ([`ContractError`]). A call that cannot be bound is a [`BindError`], which separates problems
//! that the model can correct from errors in the program.
//!
//! # Limits
//!
//! The limits of the tool's policy apply ([`Limits`](llmjson_syntax::Limits)). A registry is
//! immutable, `Send + Sync` and cheap to clone.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod arguments;
mod bind;
mod calls;
mod changed;
mod checks;
mod contract;
mod cut;
mod draft;
mod explain;
mod extend;
mod field;
mod handler;
mod layer;
mod list;
mod matchers;
mod received;
mod registry;
mod rename;
mod report;
mod tool;

pub use arguments::Arguments;
pub use bind::{BindError, Bound, UnknownTool};
#[doc(hidden)]
pub use calls::begun_fence;
pub use calls::{
    CallEvent, CallReader, Calls, Families, Family, FamilyError, NotRun, NotRunReason, TextCall,
    TextCalls, calls_in,
};
pub use contract::{Contract, ContractError, SchemaSource};
pub use extend::{
    Coerced, Coercer, Extensions, FieldCandidate, FieldMatcher, FormatNormalizer, IssueReporter,
    SchemaRenderer,
};
pub use field::Field;
pub use layer::Layer;
pub use list::ToolList;
pub use llmjson_reply::report::{Issue, IssueCode, Issues};
pub use llmjson_targets::{Lint, LintCode, Rendered, SchemaTarget, Severity, schema_prompt};
pub use matchers::{Contextual, Fuzzy, Semantic};
#[doc(hidden)]
pub use registry::letters;
pub use registry::{Registry, RegistryBuilder};
pub use report::{BindReport, FieldEntry, FieldStatus};

pub use tool::{MatchingMode, Tool};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
