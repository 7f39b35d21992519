//! Tool contracts, and binding of tool call arguments to them.
//!
//! A [`Registry`] holds the [`Contract`] of each [`Tool`]. [`Registry::bind`] parses a call's
//! arguments and coerces them to the tool's schema; [`calls_in`] finds tool calls in a reply;
//! [`ToolList`] reads tool lists in other formats; [`SchemaTarget`] rewrites a schema for a
//! provider.

#[doc(inline)]
pub use llmjson_tools::{
    Arguments, BindError, BindReport, Bound, CallReader, Coerced, Coercer, Contextual, Contract,
    ContractError, Extensions, Families, Family, FamilyError, Field, FieldCandidate, FieldEntry,
    FieldMatcher, FieldStatus, FormatNormalizer, Fuzzy, IssueReporter, Layer, Lint, LintCode,
    MatchingMode, NotRun, NotRunReason, Registry, RegistryBuilder, Rendered, SchemaRenderer,
    SchemaSource, SchemaTarget, Semantic, Severity, TextCall, TextCalls, Tool, ToolList,
    UnknownTool, calls_in, schema_prompt,
};
