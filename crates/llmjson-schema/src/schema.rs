//! A schema that was compiled once to be used many times.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::shape::Shapes;

/// A compiled JSON Schema. Cheap to clone, shared between threads.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(crate) compiled: Arc<Compiled>,
}

/// Everything known about a schema.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// The schema as one 2020-12 schema, whatever dialect it was written in.
    pub(crate) normal: Value,
    pub(crate) shapes: Shapes,
}

/// A schema that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    /// JSON Pointer to what is wrong, in the schema as it was given.
    pub pointer: String,
    /// What is wrong: lower case, without a full stop.
    pub message: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() {
            "the root"
        } else {
            &self.pointer
        };
        write!(f, "{} at {place} of the schema", self.message)
    }
}

impl std::error::Error for SchemaError {}
