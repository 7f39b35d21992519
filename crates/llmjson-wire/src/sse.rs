//! Streams of chat completions: bytes to frames to chunks.
//!
//! [`FrameDecoder`] knows server-sent events, [`Decoder`] knows what stands in the frames,
//! [`ReadChunks`] reads from any [`std::io::Read`], and `ChunkStream` (feature `async`) from a stream
//! of bytes. None of them opens a connection.

mod decoder;
mod frame;
mod read;
#[cfg(feature = "async")]
mod stream;

pub use decoder::{Applied, Decoder, OnMalformed, Skipped, SseError, StreamItem};
pub use frame::{FRAME_BYTES_MAX, Frame, FrameDecoder, FrameTooLarge};
pub use read::{ReadChunks, ReadError};
#[cfg(feature = "async")]
pub use stream::{ChunkStream, StreamError};
