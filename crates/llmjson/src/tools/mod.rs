//! Tools that a model calls: one contract for each, to which the arguments of a call are bound.
//!
//! A [`Registry`] holds the [`Contract`] of every [`Tool`]: its name, its description and the schema
//! of its arguments. [`Registry::bind`] reads what a model wrote as the arguments of a call, puts
//! names and types right as far as the tool's [policy](Tool::with_policy) allows, and gives a value
//! with a [`BindReport`] of all that was done, or an error whose
//! [`explain`](BindReport::explain) tells the model how to call the tool rightly.
//!
//! | you have | call | you get |
//! |---|---|---|
//! | tools and the schemas of their arguments | [`Registry::builder`] | a [`Registry`], or every [`Problem`] of the tools |
//! | a list of tools, as models and servers are sent or send it | [`ToolList`] | the same |
//! | the arguments of a call | [`Registry::bind`] | a [`Bound`] value with its report |
//! | arguments that cannot be bound | [`BindReport::explain`] | what to tell the model |
//! | a value that breaks rules of your own | [`Bound::check`] | the same |
//! | a provider that takes a dialect of JSON Schema | [`SchemaTarget::render`] | the schema as that provider takes it |
//! | a client and a server of the Model Context Protocol | [`mcp::Proxy`] | calls put right on their way |
//!
//! ```
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
//! // What cannot be put right is told, all of it at once.
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
//! Tools that cannot be used are found when the registry is built, all together
//! ([`ContractError`]). A call that cannot be bound is a [`BindError`], which tells what the model
//! can put right from what the program has to.
//!
//! # Limits
//!
//! Those of the tool's policy ([`Limits`](crate::Limits)). A registry is immutable, shared between
//! threads, and costs nothing to clone.

mod arguments;
mod bind;
mod changed;
mod checks;
mod contract;
mod explain;
mod extend;
mod field;
mod issue;
mod list;
mod matchers;
pub mod mcp;
mod pointer;
mod registry;
mod rename;
mod report;
#[cfg(feature = "schemars")]
mod serde_aliases;
mod target;
mod tool;

pub use arguments::Arguments;
pub use bind::{BindError, Bound, Complaints, UnknownTool};
pub use checks::{Problem, ProblemCode, Severity};
pub use contract::{Contract, ContractError, SchemaSource};
pub use extend::{
    Candidate, Coerced, Coercer, Extensions, FieldMatcher, FormatNormalizer, IssueReporter,
    SchemaRenderer,
};
pub use field::Field;
pub use issue::{Issue, IssueCode};
pub use list::ToolList;
pub use matchers::{Contextual, Fuzzy, Semantic};
pub use registry::{Registry, RegistryBuilder};
pub use report::{BindReport, FieldEntry, FieldStatus, Layer};
pub use target::{Lint, LintSeverity, Rendered, SchemaTarget};
pub use tool::{MatchingMode, Tool};
