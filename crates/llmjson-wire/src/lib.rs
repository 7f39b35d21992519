//! OpenAI-compatible messages, streams and errors that lose nothing.
//!
//! | you have | take | you get |
//! |---|---|---|
//! | the JSON of a request or a response | [`Request`], [`Response`], [`Message`], … by serde | typed members, and everything else in [`Extras`], byte for byte |
//! | the bytes of a stream, in any pieces | [`sse::Decoder`] | chunks, and errors that come between them |
//! | chunks | [`Accumulator`] | the reply so far, at any time |
//! | a text with `<think>` in it | [`split_thinking`] | the text, and the thoughts |
//! | the body of a refusal | [`decode_error`] | an [`ApiError`] that says what is wrong |
//!
//! Nothing here opens a connection or knows a provider: any additions to the common format are kept
//! and forwarded, not interpreted.
//!
//! ```
//! use llmjson_wire::Accumulator;
//! use llmjson_wire::sse::{Applied, Decoder};
//!
//! let stream = concat!(
//!     "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"tool_calls\":[{\"index\":0,\"id\":\"c1\",",
//!     "\"function\":{\"name\":\"weather\",\"arguments\":\"{\\\"city\"}}]}}]}\r\n\r\n",
//!     ": still here\r\n\r\n",
//!     "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,",
//!     "\"function\":{\"arguments\":\"\\\": \\\"Oslo\\\"}\"}}]},\"finish_reason\":\"tool_calls\"}]}\r\n\r\n",
//!     "data: [DONE]\r\n\r\n",
//! );
//! let mut decoder = Decoder::new();
//! let mut reply = Accumulator::new();
//! for piece in stream.as_bytes().chunks(7) {
//!     decoder.push(piece);
//!     while let Some(applied) = decoder.next_into(&mut reply) {
//!         if let Applied::Error(error) = applied? {
//!             return Err(error.into());
//!         }
//!         // What is there so far can be shown: `reply.text()`, `reply.tool_calls()`.
//!     }
//! }
//! let call = &reply.tool_calls()[0];
//! assert_eq!((call.name(), call.arguments()), ("weather", "{\"city\": \"Oslo\"}"));
//! assert_eq!(reply.finish_reason(), Some("tool_calls"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rules that hold for every type
//!
//! - Members are written in declaration order, followed by the extras in order of arrival.
//! - `null` is the same as an absent member; only [`Content`] keeps it, and extras keep everything.
//! - Keys are matched exactly: `Role` is an extra of a [`Message`].
//! - A member of the wrong type is an error that gives the path: ``at `choices[0].index`: …``.
//! - An extra with the name of a known member makes serialization fail.
//! - The last duplicate key wins; all duplicate extras are kept.
//!
//! Types are read and written only by serde_json, since other formats have no raw text.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod accumulate;
mod arguments;
#[cfg(feature = "client")]
pub mod client;
mod content;
mod embeddings;
mod error;
mod extras;
mod field;
#[cfg(feature = "laws")]
#[doc(hidden)]
pub mod laws;
mod message;
mod object;
mod raw;
mod request;
mod response;
pub mod sse;
mod thinking;

pub use accumulate::{Accumulator, Addition, CallState, ChoiceState, Conflict, Names, Scope};
pub use arguments::{Arguments, ArgumentsForm};
pub use content::{Content, ContentPart, ImageUrl};
pub use embeddings::{
    Embedding, EmbeddingDatum, EmbeddingsRequest, EmbeddingsResponse, InvalidBase64,
};
pub use error::{ApiError, QUOTED_BODY_BYTES_MAX, decode_error};
pub use extras::Extras;
pub use message::{Function, Message, ToolCall};
pub use raw::Raw;
pub use request::{FunctionDefinition, JsonSchema, Request, ResponseFormat, StreamOptions, Tool};
pub use response::{Choice, Response, StreamChunk, Usage};
pub use thinking::{Thinking, split_thinking};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
