//! Chunks from any reader.

use std::fmt;
use std::io;

use crate::sse::decoder::{Decoder, SseError, StreamItem};

/// The number of bytes read at once.
const READ_BYTES: usize = 16 * 1024;

/// The chunks of a stream that is read from a file, a socket or a byte string.
///
/// Yields nothing more after an error or the end.
///
/// ```
/// use llmjson_wire::Accumulator;
/// use llmjson_wire::sse::{ReadChunks, StreamItem};
///
/// let recorded = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\r\n\r\ndata: [DONE]\r\n\r\n";
/// let mut reply = Accumulator::new();
/// for item in ReadChunks::new(recorded.as_bytes()) {
///     if let StreamItem::Chunk(chunk) = item? {
///         reply.push(&chunk);
///     }
/// }
/// assert_eq!(reply.text(), "hi");
/// # Ok::<(), llmjson_wire::sse::ReadError>(())
/// ```
#[derive(Debug)]
pub struct ReadChunks<R> {
    pub(super) source: R,
    pub(super) decoder: Decoder,
    pub(super) buffer: Box<[u8]>,
    pub(super) ended: bool,
}

impl<R> ReadChunks<R> {
    /// Reads with a decoder with default settings.
    #[must_use]
    pub fn new(source: R) -> Self {
        Self::with_decoder(source, Decoder::new())
    }

    /// Reads with this decoder.
    #[must_use]
    pub fn with_decoder(source: R, decoder: Decoder) -> Self {
        Self {
            source,
            decoder,
            buffer: vec![0; READ_BYTES].into_boxed_slice(),
            ended: false,
        }
    }

    /// Returns the decoder, which knows whether `[DONE]` was read.
    #[must_use]
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// Stops reading. Calling it again has no effect.
    pub fn close(&mut self) {
        self.ended = true;
    }
}

impl<R: io::Read> ReadChunks<R> {
    fn read_on(&mut self) -> Option<Result<StreamItem, ReadError>> {
        loop {
            if let Some(item) = self.decoder.next_item() {
                return Some(item.map_err(ReadError::Sse));
            }
            if self.decoder.is_over() {
                return None;
            }
            match self.source.read(&mut self.buffer) {
                Ok(0) => self.decoder.finish(),
                Ok(count) => self.decoder.push(&self.buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Some(Err(ReadError::Io(error))),
            }
        }
    }
}

impl<R: io::Read> Iterator for ReadChunks<R> {
    type Item = Result<StreamItem, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.read_on();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

/// The error of a stream that could not be read to its end.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The source failed.
    Io(io::Error),
    /// The bytes are not a stream of chunks.
    Sse(SseError),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Sse(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Sse(error) => Some(error),
        }
    }
}
