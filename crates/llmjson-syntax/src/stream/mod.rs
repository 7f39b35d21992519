//! Streamed text, and its value so far.

pub mod draft;
mod events;
mod finished;
mod growth;
mod piece;
mod pointer;
mod prefix;
mod progress;
mod several;
mod single;

pub use events::{Change, Event};
pub use finished::Finished;
pub use piece::Decoded;
pub use pointer::Pointer;
pub use several::StreamAll;
pub use single::{Raw, Stream};
