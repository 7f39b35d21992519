//! OpenAI-shaped messages, streams and errors that lose nothing.
#![forbid(unsafe_code)]

mod arguments;
mod content;
mod embeddings;
mod extras;
mod field;
mod message;
mod raw;
mod request;
mod response;

pub use arguments::{Arguments, ArgumentsForm};
pub use content::{Content, ContentPart, ImageUrl};
pub use embeddings::{
    Embedding, EmbeddingDatum, EmbeddingsRequest, EmbeddingsResponse, InvalidBase64,
};
pub use extras::Extras;
pub use message::{Function, Message, ToolCall};
pub use raw::Raw;
pub use request::{FunctionDefinition, JsonSchema, Request, ResponseFormat, StreamOptions, Tool};
pub use response::{Choice, Response, StreamChunk, Usage};
