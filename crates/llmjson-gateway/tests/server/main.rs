//! The shell, with upstreams that the tests make.
