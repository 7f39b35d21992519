//! OpenAI-shaped messages, streams and errors that lose nothing.
#![forbid(unsafe_code)]

mod accumulate;
mod arguments;
mod content;
mod embeddings;
mod error;
mod extras;
mod field;
mod message;
mod raw;
mod request;
mod response;
pub mod sse;

pub use accumulate::{Accumulator, CallState, ChoiceState, Conflict, Names, Scope};
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
