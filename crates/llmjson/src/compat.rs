//! Readers for users of earlier crates, kept beside what replaces them.

pub mod shape;
