//! The error for an invalid schema.

use std::fmt;

/// The error for an invalid schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaError {
    /// The JSON Pointer to the error, in the schema as given.
    pub pointer: String,
    /// The message: lower case, without a full stop.
    pub message: String,
}

impl SchemaError {
    /// Creates the error for the schema as a whole.
    pub(crate) fn of_whole(message: impl Into<String>) -> Self {
        Self {
            pointer: String::new(),
            message: message.into(),
        }
    }
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
