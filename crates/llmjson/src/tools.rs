//! Tool contracts, and binding of tool call arguments to them.
//!
//! A [`Registry`] holds the [`Contract`] of each [`Tool`]. [`Registry::bind`] parses a call's
//! arguments and coerces them to the tool's schema; [`calls_in`] finds tool calls in a reply;
//! [`ToolList`] reads tool lists in other formats; [`SchemaTarget`] rewrites a schema for a
//! provider. `llmjson-tools` documents the rest: your own matchers, coercers and renderers.

#[doc(hidden)]
pub use llmjson_tools::{
    Arguments, Coerced, Coercer, Contextual, Extensions, Families, FamilyError, Field,
    FieldCandidate, FieldMatcher, FormatNormalizer, Fuzzy, IssueReporter, Layer, NotRun,
    NotRunReason, Rendered, SchemaRenderer, SchemaSource, Semantic, Severity,
};
#[doc(inline)]
pub use llmjson_tools::{
    BindError, BindReport, Bound, CallReader, Contract, ContractError, Family, FieldEntry,
    FieldStatus, Lint, LintCode, MatchingMode, Registry, RegistryBuilder, SchemaTarget, TextCall,
    TextCalls, Tool, ToolList, UnknownTool, calls_in, schema_prompt,
};
