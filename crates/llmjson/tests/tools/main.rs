//! Contracts of tools and what is bound by them, lists of tools, schemas for providers, and the proxy.

mod announced;
#[path = "../support/block_on.rs"]
mod block_on;
#[cfg(feature = "schemars")]
mod calls;
#[path = "../support/cases.rs"]
#[expect(dead_code, reason = "the test `corpus` uses more of it")]
mod cases;
mod contracts;
mod cut_values;
mod dispatch;
mod extensions;
mod lists;
mod mcp;
#[path = "../corpus/policy.rs"]
mod policy;
mod prompts;
mod targets;
mod text_calls;
mod text_calls_behind;
mod text_calls_mutated;
mod text_calls_split;
mod text_calls_vectors;
