//! Helpers for the tests of several crates: tables and sessions in files, seeded numbers, a JSON tree that keeps number
//! text and member order, and counts of right and wrong results. This crate is not published and depends on no other
//! crate, so that each crate can use it for its tests.

#![forbid(unsafe_code)]

mod rng;
pub mod session;
pub mod table;
mod tally;
pub mod tree;

pub use rng::Rng;
pub use table::Table;
pub use tally::{Tally, percent};
pub use tree::Tree;

use std::io::Write as _;

/// Returns the number in an environment variable, or a default.
#[must_use]
pub fn setting(name: &str, default: usize) -> usize {
    let value = std::env::var(name).ok();
    value
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// Prints a text that is shown even if the test passes.
///
/// # Panics
///
/// If standard error is closed.
pub fn tell(text: &str) {
    let mut out = std::io::stderr();
    out.write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
        .expect("standard error can be written");
}
