//! The gateway between clients and OpenAI-compatible servers, as a state machine without I/O.
//!
//! The caller moves the bytes, or the module `server` does, behind the feature with this name.
//! [`chat::Exchange`] takes one chat completion request and its reply, whole or as server-sent
//! events: tool call arguments are bound to their tools, calls in text become `tool_calls`, and
//! structured content becomes the JSON that its schema requires. Anything that needs no change
//! passes byte for byte. [`dialect::Exchange`] does the same for requests in other dialects,
//! whether the upstream supports them or only chat.
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
//! With `tools`, the arguments of each call are bound under its tool's policy: the [`Treatment`]'s
//! policy, or a separate one for that tool there. `x-llmjson-policy` in a tool, with the name of a
//! preset, makes it stricter, and is removed from the upstream's request. `tool_choice` and
//! `parallel_tool_calls` are respected: a call in text that they do not allow is not extracted.
//! With `response_format` (`json_schema`, `json_object`), the content becomes only the JSON text of
//! the coerced value. Everything else, including `functions`, passes unchanged. Tools and schemas
//! that cannot be compiled pass too, and the report says so (`tool_schema`, `response_schema`). A
//! reply that calls such a tool is refused ([`chat::Step::Refuse`]) under policies that refuse
//! truncated values, and its stream ends with an error.
//!
//! # Replies
//!
//! Only the changed parts of the text are replaced; usage, logprobs, refusals and unknown members
//! stay byte for byte. Arguments that do not bind and content that does not conform stay as the
//! model wrote them. A call in text is extracted if it is complete, its tool is known, its
//! arguments bind, and `tool_calls` is empty; calls in the reasoning are extracted only if the
//! content is blank. `finish_reason` becomes `tool_calls` only from `stop` or `null`.
//!
//! # Streams
//!
//! An event is sent in the step in which all of its text is decided, usually at once. Text waits
//! where a call may begin, up to 256 bytes, and a call found in it waits, with everything after it,
//! until the reply has ended and is judged. The arguments of calls in `tool_calls` are sent as the
//! model wrote them until the first byte that must change: from there they wait for the judgement.
//! With retries, a minimum certainty, or a policy with exact names that refuses truncated values
//! (`exact`), calls and structured content wait until they are judged, and so does content if both
//! tools and a `response_format` are given. The finish reason waits for the end of the reply, since
//! some servers send more after it.
//!
//! The joined deltas equal the whole reply, or the stream ends with an error: `superseded` if the
//! reply contradicts structured content or arguments that were already sent, `open_json` if they
//! were refused and are not JSON. Event entries that a client would join incorrectly (two calls
//! with one index, a name in pieces, arguments that are not a string) get an index, one name and a
//! string, and the report says `call_entries`. Text is not held in code fences and reasoning, from
//! which no call is extracted.
//!
//! # Asking again
//!
//! With [`Treatment::with_retries`], a choice with unusable calls or content is requested again,
//! with the feedback after the client's messages. The client sees one reply, whose usage is the
//! sum. A reply truncated by its token limit is not requested again. Text that a stream has already
//! sent stays, and the text of the further reply is then left out. If there are several choices
//! (`n`), the good ones are kept, and each other one is requested again separately, with `n` as 1
//! and as many retries as a single choice; it keeps its index. In a stream, its held text is
//! dropped, and it continues after the others.
//!
//! # Dialects
//!
//! Each Messages event is passed to the machine as a chat event, and is sent unchanged if nothing
//! in it changed. For the client, a text block begins with its first text and ends with the next
//! event; a call's block ends when its input is complete JSON, or with the reply. Responses events
//! are sent unchanged until one is changed; from there on the gateway writes the events of messages
//! and calls, and a message begins with its first text. In translation, members without a chat
//! equivalent are rejected by name, and members that do not affect the reply are dropped, listed as
//! `dropped_…` in the report.
//!
//! # Limits
//!
//! [`Limits`] bounds the tools of a request, the bytes of an event and the bytes held by a stream;
//! reports list at most [`PLACES_MAX`] places, and a header has at most [`HEADER_BYTES_MAX`] bytes.

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
mod received;
mod report;
#[cfg(feature = "server")]
#[cfg_attr(docsrs, doc(cfg(feature = "server")))]
pub mod server;
mod treatment;

pub use cache::Cache;
pub use error::Rejection;
pub use report::{HEADER_BYTES_MAX, Outcome, PLACES_MAX, Report};
pub use treatment::{Limits, Treatment, Unknown};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
