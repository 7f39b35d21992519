//! A document and a schema: make the one fit the other, say what changed, and say what does not
//! fit in words that a language model can act on.

#![forbid(unsafe_code)]

mod annotate;
#[doc(hidden)]
pub mod annotate_laws;
mod coerce;
mod collect;
#[doc(hidden)]
pub mod laws_of_coercion {
    pub use crate::coerce::laws::*;
}
mod compile;
mod convert;
mod decimal;
mod engine;
mod expected;
mod failure;
mod fit;
mod glance;
mod hash;
mod instance;
#[doc(hidden)]
pub mod laws;
mod liberties;
mod nearest;
mod normal;
mod oracle;
mod path;
mod refusal;
mod report;
mod rules;
mod schema;
mod shape;
#[cfg(test)]
mod steps;
mod stream;
mod undeclared;
mod unique;
mod validate;
mod verdict;

pub use annotate::{AnnotateOptions, Remark, RemarkPath, annotate};
pub use coerce::{CoerceOptions, coerce};
pub use convert::{ConvertError, document_from_value, to_value};
pub use failure::{Failure, Reason, stringify};
pub use fit::fit;
pub use liberties::Liberties;
pub use path::{Path, Step};
pub use refusal::Refusal;
pub use report::{Coercion, CoercionKind, Found, Violation};
pub use schema::{Schema, SchemaError};
pub use stream::{CoercedStream, Shown};
pub use validate::Undeclared;
