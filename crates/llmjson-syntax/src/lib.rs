//! Reads whatever a language model wrote as JSON.
//!
//! [`parse`] takes any text and has no `Result`: it finds where the JSON is, reads as much of it
//! as can be read, and records each change as a [`Repair`] with a kind, a place and a
//! class that says how sure it is. Strict JSON comes out unchanged with no repairs, about as fast
//! as bytes can be looked at; leniency costs only where something is wrong.
//!
//! The result is a [`Document`]: a flat tape of small nodes with spans into the text. Views of it
//! ([`ValueRef`]) are copied freely, strings are decoded and numbers converted when asked for.
//! Nothing here recurses, so no text can overflow the stack, and reading is linear in the text.
//!
//! This crate knows no schema. It is `no_std` with `alloc`; the feature `std` (on by default) only
//! lets the byte search look at the processor.
//!
//! ```
//! let document = llmjson_syntax::parse("Here it is:\n```json\n{name: 'Ada', tags: [\"a\",],}\n```");
//! assert_eq!(document.to_json().as_deref(), Some(r#"{"name":"Ada","tags":["a"]}"#));
//! for repair in document.repairs() {
//!     println!("{} at {}..{}", repair.kind, repair.span.start, repair.span.end);
//! }
//! ```

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod base;
mod document;
#[cfg(feature = "laws")]
#[doc(hidden)]
pub mod laws;
mod parser;
mod reply;
mod scan;
mod stream;
mod tape;
mod view;
mod zones;

pub use base::expected_names::ExpectedNames;
pub use base::limits::{LimitReached, Limits};
pub use base::offsets::{OffsetIndex, OffsetUnit};
pub use base::repair::{Class, Notation, Note, NoteKind, Repair, RepairKind};
pub use base::span::{LineIndex, Position, Span};
pub use base::unknown_name::UnknownName;
pub use base::work::{Stop, Work, steps_of_search};
pub use document::Document;
pub use document::candidates::{Candidate, Candidates, Origin, parse_all};
pub use document::edit::{Editor, Inner, NewKey};
pub use document::edits::{Comments, Edit, EditOptions, NoValue, Unfinished};
pub use document::parser::{InvalidUtf8, Parser, parse, parse_bytes};
pub use document::readings::{ListReading, WeighedValue};
pub use document::truncation::Truncation;
pub use reply::weigh::Term;
pub use stream::{Change, Event, Finished, Pointer, Stream, StreamAll};
pub use view::json::{JsonOut, Raw, ToJson};
pub use view::write::{JsonText, write_string};
pub use view::{Items, Key, Kind, MemberId, Members, NodeId, ValueRef, cursor};

/// The part that the other crates of llmjson share. Not for users: it may change with any release.
#[doc(hidden)]
pub mod internal {
    pub use crate::document::edit::built::Builder;
    pub use crate::parser::search::why;
    pub use crate::scan::number::decimal;

    pub mod stream {
        pub use crate::stream::*;
    }

    pub mod zones {
        pub use crate::zones::*;
    }
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
