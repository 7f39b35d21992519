//! Parses a model's reply as JSON.
//!
//! [`parse`] accepts any text and never fails: it finds the JSON, reads as much of it as possible,
//! and records each change as a [`Repair`] with a kind, a span and a class that says how certain it
//! is. Strict JSON is returned unchanged and without repairs, almost as fast as its bytes can be
//! scanned; leniency costs time only where something is wrong.
//!
//! The result is a [`Document`]: a flat tape of small nodes with spans into the text. Views of it
//! ([`ValueRef`]) are cheap to copy; strings are decoded and numbers converted on demand. Nothing
//! here recurses, so no text can overflow the stack, and parsing takes time linear in the text.
//!
//! This crate does not know schemas. It is `no_std` with `alloc`; the feature `std` (on by default)
//! only selects a faster byte search by CPU features.
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

pub use base::expected_names::{ExpectedNames, ExpectedValue};
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
pub use view::{Items, Key, Kind, MemberId, Members, NodeId, ValueIndex, ValueRef, cursor};

/// Items shared with the other llmjson crates. Not a public API: they may change in any release.
#[doc(hidden)]
pub mod internal {
    pub use crate::base::provider;
    pub use crate::document::edit::built::Builder;
    pub use crate::parser::search::{price, why};
    pub use crate::parser::words::entities::entity;
    pub use crate::reply::sources::{SOURCES, Source};
    pub use crate::scan::lines;
    pub use crate::scan::number::{decimal, is_json as is_json_number};
    pub use crate::scan::tag::tag;

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
