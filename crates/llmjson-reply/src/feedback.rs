//! Feedback: a value with its violations written beside it, for the model to correct.
//!
//! [`stringify`](crate::stringify) writes the feedback of a [`Failure`](crate::Failure), and
//! [`Reason`] says what it is about. [`annotate`] writes annotations of the caller's own beside any value.

pub use llmjson_schema::{AnnotateOptions, Annotation, AnnotationPath, Reason, annotate};
