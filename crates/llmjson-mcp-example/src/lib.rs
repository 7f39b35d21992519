//! A server with two tools for the Model Context Protocol, built with the official SDK, that accepts
//! imperfect arguments from models.
//!
//! It uses the stdio transport:
//!
//! ```sh
//! cargo run -p llmjson-mcp-example --bin mcp-tools
//! ```
//!
//! The SDK deserializes the arguments of a call with serde, which rejects what many models write. The
//! extractor [`Lenient`] binds them to the contract of the tool instead:
//!
//! | arguments of `weather` | error of serde | result of [`Lenient`] |
//! |---|---|---|
//! | `{"city_name": "Oslo", "days": "3"}` | invalid type: string "3", expected u32 | `3` |
//! | `{"city_name": "Oslo", "days": 3.0}` | invalid type: floating point `3.0`, expected u32 | `3` |
//! | `{"city": "Oslo"}` | missing field `city_name` | `city_name` |
//! | `{"arguments": {"city_name": "Oslo"}}` | missing field `city_name` | the inner object |
//! | `{"city_name": "Oslo", "units": "Metric"}` | unknown variant `Metric` | `metric` |
//! | `{"city_name": "Oslo", "topics": "[\"rain\"]"}` | invalid type: string, expected a sequence | `["rain"]` |
//! | `{"city_name": "Oslo", "days": "soon"}` | invalid type: string "soon", expected u32 | feedback |
//!
//! The feedback is a tool result with `isError`, so the model reads it and can call the tool again. It shows
//! the arguments with the issues beside them.
//!
//! An extractor gets objects only: the SDK answers arguments that are a string or an array with a protocol
//! error, and does not answer a line that is not JSON. `llmjson mcp-proxy -- SERVER` handles these cases,
//! also for servers that cannot be changed. [`Plain`], the program `mcp-plain`, is the same server without [`Lenient`], for
//! comparison.

#![forbid(unsafe_code)]

mod lenient;
mod plain;
mod tools;

pub use lenient::{Lenient, Registered};
pub use plain::Plain;
pub use tools::{Message, Units, Weather};
