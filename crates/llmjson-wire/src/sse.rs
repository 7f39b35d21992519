//! Chat completion streams: from bytes to frames to chunks.
//!
//! [`FrameDecoder`] decodes server-sent events, [`Decoder`] decodes their data, [`ReadChunks`]
//! reads from any [`std::io::Read`]; `ChunkStream` and `AsyncReadChunks` (feature `async`) read
//! from an asynchronous byte stream and from an asynchronous reader, and `TokioReader` (feature
//! `tokio`) wraps a tokio reader. None of them opens a connection.

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
