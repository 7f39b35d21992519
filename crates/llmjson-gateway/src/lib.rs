//! The gateway between clients and OpenAI-compatible servers, as a state machine without IO.
//!
//! The caller moves the bytes, or the module `server` does, behind the feature of this name. [`chat::Exchange`] takes one request for a chat completion and its reply, whole or as
//! server-sent events: arguments of calls are bound to their tools, calls in texts become `tool_calls`, and structured
//! content becomes the JSON that its schema asks for. What needs nothing passes byte for byte. [`dialect::Exchange`] does the same for
//! requests of other dialects, whose upstream has them or speaks chat alone.
//!
//! | what | says |
//! |---|---|
//! | [`Treatment`] | policies, the least certainty, retries, where the tools stand, limits |
//! | [`Cache`] | compiled tools and schemas of earlier requests |
//! | [`chat::Exchange`], [`chat::Stream`] | one request for a chat completion and its reply |
//! | [`dialect::Exchange`], [`dialect::Stream`] | the same for any [`dialect::Dialect`] |
//! | [`Report`] | what was done |
//! | [`Rejection`] | a request that is refused |
//!
//! # Requests
//!
//! With `tools`, the arguments of each call are bound under the policy of its tool: the one of the [`Treatment`], or one of
//! its own there. `x-llmjson-policy` in a tool, with the name of a preset, makes it stricter, and is taken out of what the
//! upstream gets. `tool_choice` and `parallel_tool_calls` are kept: of calls in texts none is extracted that they do not allow.
//! With `response_format` (`json_schema`, `json_object`) the content becomes the JSON text of the coerced value and nothing
//! else. All else, `functions` among it, passes as it came. Tools and schemas that cannot be compiled pass too, and the
//! report says so (`tool_schema`, `response_schema`). A reply that calls such a tool is refused
//! ([`chat::Step::Refuse`]) under policies that refuse truncated values, and its stream ends with an error.
//!
//! # Replies
//!
//! Only the parts that change are replaced in the text; usage, logprobs, refusals and unknown members stay byte for byte.
//! Arguments that do not bind and content that does not conform stay as the model wrote them. A call in a text is extracted if it
//! is whole, its tool is known, its arguments bind, and no call stands in `tool_calls`; those in the reasoning only if the
//! content is blank. `finish_reason` becomes `tool_calls` from `stop` or `null` alone.
//!
//! # Streams
//!
//! An event goes out in the step in which all of its text is decided, which most are at once. Text waits where a call may begin,
//! up to 256 bytes, and a call that was found in it waits, with all after it, until the reply has ended and is judged. The
//! arguments of calls in `tool_calls` go out as the model wrote them until the first byte that is to be another: from there
//! they wait for the judgement. With retries, a least certainty, or a policy with exact names that
//! refuses cut values (`exact`), calls and structured content wait until they are judged, and so does content where tools and a
//! `response_format` are both given. The reason of the end waits for the end of the reply, since some servers send more after it.
//!
//! The deltas, joined, are what the whole reply gives, or the stream ends with an error: `superseded` if that contradicts
//! the structured content or the arguments that were sent, `open_json` if they were refused and are not JSON. Entries of an
//! event that a client would join otherwise than they are meant (two calls of one index, a name in pieces, arguments that are
//! not in a string) get an index, one name and a string, and the report says `call_entries`. Text is not held in code
//! fences and reasoning, where no call is extracted.
//!
//! # Asking again
//!
//! With [`Treatment::with_retries`] a choice whose calls or content cannot be used is asked for again, with the feedback
//! behind the client's messages. The client sees one reply, whose usage is the sum. One that was cut by its limit
//! of tokens is not asked for again. Text that a stream has sent before stays, and that of the further reply is left out then.
//! Of several choices (`n`) the good ones stay, and each other one is asked for on its own, with `n` as 1 and as many times as
//! a single one; it keeps its index. In a stream what was held of it is left out, and it goes on behind the others.
//!
//! # Dialects
//!
//! Each event of Messages is given to the machine as one of chat, and goes out as it came if nothing changed in it. A block of
//! text begins for the client with its first text, and ends with the next event; a call's block ends when its input is JSON, or
//! with the reply. Events of Responses go out as they came until one is changed; from there on the gateway writes those of
//! messages and calls, and a message begins with its first text. In translation, what chat has no word for is refused by name, and what nothing depends on is left out, as
//! `dropped_…` in the report.
//!
//! # Limits
//!
//! [`Limits`] bounds the tools of a request, the bytes of an event and the bytes that a stream holds; reports list
//! [`PLACES_MAX`] places, and a header has at most [`HEADER_BYTES_MAX`] bytes.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod cache;
pub mod chat;
pub mod dialect;
mod error;
mod json;
#[cfg(feature = "laws")]
#[doc(hidden)]
pub mod laws;
mod report;
#[cfg(feature = "server")]
#[cfg_attr(docsrs, doc(cfg(feature = "server")))]
pub mod server;
mod treatment;

pub use cache::Cache;
pub use error::Rejection;
pub use report::{HEADER_BYTES_MAX, Outcome, PLACES_MAX, Report};
pub use treatment::{Limits, Treatment};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
