//! llmjson with other crates, a tested program each. Nothing here asks a network: the tests serve what a model would have
//! written.

#![forbid(unsafe_code)]

pub mod async_openai;
pub mod axum;
pub mod genai;
pub mod ollama;
pub mod rig;
pub mod rmcp;
pub mod schemars;
#[cfg(test)]
mod server;
