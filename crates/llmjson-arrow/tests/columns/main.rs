//! Columns of replies, and what becomes of them.

mod dirty;
mod inputs;
mod native;
mod show;
mod types;
mod values;
