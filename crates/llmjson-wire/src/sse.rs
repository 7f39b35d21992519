//! Streams of chat completions: bytes to frames to chunks.
//!
//! [`FrameDecoder`] knows server-sent events, [`Decoder`] knows what stands in the frames,
//! [`ReadChunks`] reads from any [`std::io::Read`]; `ChunkStream` and `AsyncReadChunks` (feature
//! `async`) read from an asynchronous stream of bytes and from an asynchronous reader, `TokioReader`
//! (feature `tokio`) makes one of a reader of tokio. None of them opens a connection.

#[cfg(feature = "async")]
mod async_read;
mod decoder;
mod frame;
mod read;
#[cfg(feature = "async")]
mod stream;

#[cfg(feature = "async")]
pub use async_read::AsyncReadChunks;
#[cfg(feature = "tokio")]
pub use async_read::TokioReader;
pub use decoder::{Applied, Decoder, OnMalformed, Skipped, SseError, StreamItem};
pub use frame::{Block, FRAME_BYTES_MAX, Frame, FrameDecoder, FrameTooLarge};
pub use read::{ReadChunks, ReadError};
#[cfg(feature = "async")]
pub use stream::{ChunkStream, StreamError};
