//! The commands, run as programs.

#[cfg(feature = "ask")]
mod ask;
mod batch;
mod bind;
#[cfg(unix)]
mod book;
mod calls;
mod commands;
mod doors;
mod explain;
#[cfg(feature = "gateway")]
mod gateway;
mod habits;
mod help;
#[cfg(feature = "gateway")]
mod mcp_http;
mod playground;
mod repair;
mod rows;
mod schema;
mod sessions;
mod support;
