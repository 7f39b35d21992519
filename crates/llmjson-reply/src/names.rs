//! The stable names of enumerations.

pub use llmjson_syntax::named;
