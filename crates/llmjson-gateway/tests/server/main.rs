//! The shell, with clients and upstreams that the tests make.

mod dialects;
mod ends;
mod limits;
mod pass;
mod safety;
mod support;
mod told;
