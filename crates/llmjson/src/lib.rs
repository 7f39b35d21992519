//! Turns whatever a language model wrote into the value that is asked for.
//!
//! [`from_str`] reads a reply straight into a Rust type; the module `typed` (feature `schemars`)
//! also puts the value right by
//! the schema that the type derives. [`to_value`] and [`document_from_value`] go between documents
//! and [`serde_json::Value`].

#![forbid(unsafe_code)]

mod convert;
mod de;
#[cfg(feature = "schemars")]
pub mod typed;

pub use convert::{ConvertError, document_from_value, to_value};
pub use de::{Error, ErrorKind, from_document, from_str, from_value};
