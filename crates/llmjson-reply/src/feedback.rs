//! Feedback: a value annotated with its violations, for the model to correct.
//!
//! [`stringify`](crate::stringify) writes the feedback for a [`Failure`](crate::Failure), and
//! [`Reason`] gives its cause. [`annotate`] writes the caller's own annotations next to any value.

pub use llmjson_schema::{AnnotateOptions, Annotation, AnnotationPath, Reason, annotate};
