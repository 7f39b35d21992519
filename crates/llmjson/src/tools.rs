//! Contracts for the tools that a model calls, and binding of the arguments of calls.
//!
//! A [`Registry`] holds the [`Contract`] of each [`Tool`]. [`Registry::bind`] reads the arguments of a
//! call; [`calls_in`] finds calls in texts; [`ToolList`] reads the lists of other formats;
//! [`SchemaTarget`] rewrites a schema for a provider.

#[doc(inline)]
pub use llmjson_tools::{
    Arguments, BindError, BindReport, Bound, CallReader, Coerced, Coercer, Contextual, Contract,
    ContractError, Extensions, Families, Family, FamilyError, Field, FieldCandidate, FieldEntry,
    FieldMatcher, FieldStatus, FormatNormalizer, Fuzzy, IssueReporter, Layer, Lint, LintCode,
    MatchingMode, NotRun, NotRunReason, Registry, RegistryBuilder, Rendered, SchemaRenderer,
    SchemaSource, SchemaTarget, Semantic, Severity, TextCall, TextCalls, Tool, ToolList,
    UnknownTool, calls_in, schema_prompt,
};
