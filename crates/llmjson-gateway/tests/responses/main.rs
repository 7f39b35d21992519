//! Responses: requests said in chat, replies and streams of both kinds of upstreams, as a client puts them together.

mod asked;
mod codex;
mod given;
mod replies;
#[path = "../support/mod.rs"]
mod support;
