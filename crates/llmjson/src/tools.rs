//! Contracts for the tools that a model calls, and binding of the arguments of calls.
//!
//! A [`Registry`] holds the [`Contract`] of each [`Tool`]. [`Registry::bind`] reads the arguments of a
//! call; [`calls_in`] finds calls in texts; [`ToolList`] reads the lists of other formats;
//! [`SchemaTarget`] rewrites a schema for a provider; [`mcp`] corrects calls between an MCP client
//! and a server.

#[doc(inline)]
pub use llmjson_mcp as mcp;
#[doc(inline)]
pub use llmjson_tools::*;
