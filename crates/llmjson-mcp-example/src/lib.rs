//! A server of two tools for the Model Context Protocol, made with the official SDK, that reads what models
//! really send.
//!
//! A client calls its tools over standard input and output:
//!
//! ```sh
//! cargo run -p llmjson-mcp-example --bin mcp-tools
//! ```
//!
//! The SDK hands the arguments of a call to serde, and serde refuses what many models write. The extractor
//! [`Lenient`] binds them to the contract of the tool instead:
//!
//! | arguments of `weather` | serde says | [`Lenient`] gives |
//! |---|---|---|
//! | `{"city_name": "Oslo", "days": "3"}` | invalid type: string "3", expected u32 | `3` |
//! | `{"city_name": "Oslo", "days": 3.0}` | invalid type: floating point `3.0`, expected u32 | `3` |
//! | `{"city": "Oslo"}` | missing field `city_name` | `city_name` |
//! | `{"arguments": {"city_name": "Oslo"}}` | missing field `city_name` | what is inside |
//! | `{"city_name": "Oslo", "units": "Metric"}` | unknown variant `Metric` | `metric` |
//! | `{"city_name": "Oslo", "topics": "[\"rain\"]"}` | invalid type: string, expected a sequence | `["rain"]` |
//! | `{"city_name": "Oslo", "days": "soon"}` | invalid type: string "soon", expected u32 | feedback |
//!
//! The feedback is the result of the call, with the flag `isError`, so the model reads it and can call
//! the tool again; it shows the arguments with what is wrong beside it.
//!
//! What is not even an object never reaches an extractor: the SDK refuses arguments that are a string or a
//! list with a protocol error, and gives no answer at all to a line that is no JSON. `llmjson mcp-proxy --
//! SERVER` before the server helps there, and before servers that cannot be changed. `mcp-plain` is the same
//! server without [`Lenient`], to see the difference.

#![forbid(unsafe_code)]

mod lenient;
mod tools;

pub use lenient::{Lenient, Registered};
pub use tools::{Message, Units, Weather};
