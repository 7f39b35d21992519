//! Coerces a document to a schema, records the changes, and writes feedback on the remaining
//! violations, with which a language model can correct its reply.
//!
//! ```
//! use llmjson_schema::{CoerceOptions, Schema, coerce, stringify, to_value};
//!
//! let schema = Schema::from_text(
//!     r#"{"type": "object", "properties": {"days": {"type": "integer", "minimum": 1}}}"#,
//! )?;
//! let mut document = llmjson_syntax::parse("{days: \"0\"}");
//! let coercions = coerce(&mut document, &schema, &CoerceOptions::default());
//! assert_eq!(coercions[0].kind.name(), "text_to_number");
//! let value = to_value(document.root().expect("there is a value"))?;
//! let failure = schema.validate(&value).unwrap_err();
//! assert!(stringify(&failure).contains(r#""days": 0 // ❌"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Schema`] is compiled once, in any dialect of JSON Schema, and shared between threads.
//! [`coerce`] changes a document in place and leaves conforming values untouched; [`CoercedStream`]
//! shows the coerced value of streamed text. Remote references are not fetched.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(test, feature = "laws"))]
mod annotate_laws;
mod base;
mod check;
mod coerce;
mod compile;
mod convert;
mod describe;
mod explain;
mod feedback;
mod fit;
mod ir;
#[cfg(any(test, feature = "laws"))]
#[doc(hidden)]
pub mod laws;
mod normal;
mod outline;
mod schema;
mod similar;
mod source;
#[cfg(test)]
mod steps;
mod stream;

pub use base::allowed_repairs::AllowedRepairs;
pub use base::annotation::{Annotation, AnnotationPath};
pub use base::error::SchemaError;
pub use base::formats::FormatStrictness;
pub use base::path::{Path, Step};
pub use base::refusal::Refusal;
pub use base::report::{Coercion, CoercionKind, Found, Meant, NameMatch, Violation};
pub use base::schema_note::{SchemaNote, SchemaNoteKind};
pub use base::text::SharedText;
pub use base::undeclared::Undeclared;
pub use base::wording::Wording;
pub use coerce::invalid::{drop_invalid, replace_invalid};
pub use coerce::{CoerceOptions, coerce};
pub use convert::{ConvertError, JsonValue, document_from_value, to_value};
pub use explain::formats::FormatNote;
pub use feedback::annotate::{AnnotateOptions, annotate};
pub use feedback::failure::{Failure, Reason, stringify};
pub use fit::fit;
pub use schema::Schema;
pub use stream::{CoercedStream, Shown};

/// Items shared with the other llmjson crates. Not a public API: they may change in any release.
#[doc(hidden)]
pub mod internal {
    pub use crate::coerce::layout::roles::{ARGUMENTS, TOOL_NAMES};
    pub use crate::normal::keyword::{TYPES, is_keyword, is_typing};
    pub use crate::outline::Outline;

    pub mod similar {
        pub use crate::similar::*;
    }

    pub mod source {
        pub use crate::source::*;
    }
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
