//! The shell, with clients and upstreams that the tests make.

mod dialects;
mod ends;
mod limits;
mod mcp;
mod operable;
mod pass;
mod safety;
mod support;
mod told;
