//! A document and a schema: make the one fit the other, say what changed, and say what does not
//! fit in words that a language model can act on.

#![forbid(unsafe_code)]

mod annotate;
#[doc(hidden)]
pub mod annotate_laws;
mod coerce;
#[doc(hidden)]
pub mod laws_of_coercion {
    pub use crate::coerce::laws::*;
}
mod compile;
mod normal;
mod path;
mod report;
mod schema;
mod shape;

pub use annotate::{AnnotateOptions, Remark, RemarkPath, annotate};
pub use coerce::{CoerceOptions, coerce};
pub use path::{Path, Step};
pub use report::{Coercion, CoercionKind, Found, Violation};
pub use schema::{Schema, SchemaError};
