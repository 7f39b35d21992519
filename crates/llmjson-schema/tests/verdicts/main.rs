//! Verdicts against those of `jsonschema`: over the official test suite, and over random pairs of a
//! schema and a value.

#![allow(clippy::print_stdout, reason = "shows the verdicts in numbers")]

mod random;
mod suite;

use llmjson_schema::{FormatStrictness, Schema, document_from_value};
use serde_json::Value;

/// Returns whether a value satisfies a schema, with formats taken by the letter.
fn is_valid(schema: &Schema, value: &Value) -> bool {
    let document = document_from_value(value);
    let schema = schema.with_formats(FormatStrictness::Strict);
    document.root().is_some_and(|root| schema.is_valid(root))
}
