//! A document and a schema: make the one fit the other, say what changed, and say what does not
//! fit in words that a language model can act on.

#![forbid(unsafe_code)]

mod coerce;
mod collect;
mod compile;
mod decimal;
mod expected;
mod instance;
#[doc(hidden)]
pub mod laws;
mod nearest;
mod normal;
mod oracle;
mod path;
mod report;
mod rules;
mod schema;
mod shape;
mod undeclared;
mod unique;
mod validate;
mod verdict;

pub use path::{Path, Step};
pub use report::{Coercion, CoercionKind, Found, Violation};
pub use schema::{Schema, SchemaError};
pub use validate::Undeclared;
