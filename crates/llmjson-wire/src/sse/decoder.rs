//! Decodes frames into chunks and errors.
//!
//! This module decides what a frame is: a chunk, an error that the server sends in the middle of a
//! stream, or malformed. Combining chunks is the accumulator's task.

use std::fmt;

use crate::accumulate::Accumulator;
use crate::accumulate::view::ChunkView;
use crate::error::{ApiError, capped, decode_frame, tells_an_error};
use crate::response::StreamChunk;
use crate::sse::frame::{Frame, FrameDecoder, FrameTooLarge};

/// The maximum number of bytes of a frame that an error quotes.
const QUOTED_FRAME_BYTES_MAX: usize = 4096;

/// Decodes the bytes of a stream into chunks.
///
/// Add bytes with [`push`](Self::push) as they arrive. The output, from
/// [`next_item`](Self::next_item) or directly into an [`Accumulator`] with
/// [`next_into`](Self::next_into), does not depend on how the bytes were split.
///
/// ```
/// use llmjson_wire::sse::{Decoder, StreamItem};
///
/// let mut decoder = Decoder::new();
/// let mut text = String::new();
/// for piece in [
///     "data: {\"choices\":[{\"delta\":{\"content\":\"Hel",
///     "lo\"}}]}\n\nda",
///     "ta: [DONE]\n\n",
/// ] {
///     decoder.push(piece.as_bytes());
///     while let Some(item) = decoder.next_item() {
///         match item? {
///             StreamItem::Chunk(chunk) => {
///                 let delta = chunk.choices[0].delta.as_ref().expect("there is one");
///                 text.push_str(delta.content.as_text().unwrap_or_default());
///             }
///             StreamItem::Error(error) => return Err(error.into()),
///             StreamItem::Skipped(_) => unreachable!("a malformed frame is an error"),
///         }
///     }
/// }
/// assert_eq!(text, "Hello");
/// assert!(decoder.is_done());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Decoder {
    frames: FrameDecoder,
    on_malformed: OnMalformed,
    /// The number of frames read.
    count: u64,
    /// An error that arrived with a chunk, to be returned after it.
    waiting: Option<ApiError>,
    failed: Option<SseError>,
}

/// The treatment of a frame that is not a chunk: not JSON, or with a member of the wrong type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnMalformed {
    /// Ends the stream with an error.
    #[default]
    Fail,
    /// Returns the frame as [`StreamItem::Skipped`], and continues.
    Skip,
}

/// An item of a stream.
#[derive(Clone, Debug, PartialEq)]
pub enum StreamItem {
    /// A chunk of the reply.
    Chunk(StreamChunk),
    /// An error reported by the server. Chunks received before it still count.
    Error(ApiError),
    /// A frame that is not a chunk; only with [`OnMalformed::Skip`].
    Skipped(Skipped),
}

/// The result of adding a frame to an accumulator.
#[derive(Clone, Debug, PartialEq)]
pub enum Applied {
    /// A chunk, which is now part of the reply.
    Chunk,
    /// An error, as in [`StreamItem::Error`].
    Error(ApiError),
    /// A skipped frame, as in [`StreamItem::Skipped`].
    Skipped(Skipped),
}

/// A frame that is not a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// The index of the frame among those with data, from 0.
    pub frame: u64,
    /// The problem with the frame.
    pub reason: String,
    /// The whole data of the frame.
    pub data: Vec<u8>,
}

/// The error of a stream that cannot be read any further.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SseError {
    /// A frame exceeds the maximum length.
    FrameTooLarge(FrameTooLarge),
    /// A frame is not a chunk.
    Malformed {
        /// The index of the frame among those with data, from 0.
        frame: u64,
        /// The problem with the frame.
        reason: String,
        /// The beginning of the frame's data.
        data: String,
    },
}

impl fmt::Display for SseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FrameTooLarge(error) => error.fmt(f),
            Self::Malformed { frame, reason, .. } => {
                write!(f, "malformed_frame: frame {frame} is no chunk: {reason}")
            }
        }
    }
}

impl std::error::Error for SseError {}

impl From<FrameTooLarge> for SseError {
    fn from(error: FrameTooLarge) -> Self {
        Self::FrameTooLarge(error)
    }
}

impl Decoder {
    /// Creates a decoder at the beginning of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the maximum length of a frame in bytes; 0 means
    /// [`FRAME_BYTES_MAX`](super::FRAME_BYTES_MAX).
    #[must_use]
    pub fn with_frame_bytes_max(mut self, bytes_max: usize) -> Self {
        self.frames = self.frames.with_frame_bytes_max(bytes_max);
        self
    }

    /// Sets the treatment of a frame that is not a chunk.
    ///
    /// ```
    /// use llmjson_wire::sse::{Decoder, OnMalformed, StreamItem};
    ///
    /// let mut decoder = Decoder::new().with_on_malformed(OnMalformed::Skip);
    /// decoder.push(b"data: {\"choices\":[}\n\ndata: {\"choices\":[]}\n\n");
    /// let items: Result<Vec<_>, _> = std::iter::from_fn(|| decoder.next_item()).collect();
    /// assert!(matches!(&items?[..], [StreamItem::Skipped(_), StreamItem::Chunk(_)]));
    /// # Ok::<(), llmjson_wire::sse::SseError>(())
    /// ```
    #[must_use]
    pub fn with_on_malformed(mut self, on_malformed: OnMalformed) -> Self {
        self.on_malformed = on_malformed;
        self
    }

    /// Adds the next bytes of the stream. Bytes after `[DONE]`, after an error or after
    /// [`finish`](Self::finish) are dropped.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.frames.push(bytes);
        }
    }

    /// Ends the stream: a last frame without a blank line is still read. Calling it again has no
    /// effect.
    pub fn finish(&mut self) {
        self.frames.finish();
    }

    /// Returns `true` if `[DONE]` was read. Not every server sends it; a stream that ends without
    /// it and without a finish reason was truncated.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.frames.is_done()
    }

    /// Returns `true` if no more bytes are accepted: after `[DONE]`, an error or
    /// [`finish`](Self::finish). Bytes pushed earlier may still hold chunks.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.failed.is_some() || self.frames.is_over()
    }

    /// Returns the next complete chunk or error, or `None` if there is none yet, or, after `[DONE]`
    /// or [`finish`](Self::finish), if there are no more.
    ///
    /// # Errors
    ///
    /// If the stream cannot be read any further. Later calls return the same error.
    pub fn next_item(&mut self) -> Option<Result<StreamItem, SseError>> {
        self.next_with(read_chunk)
    }

    /// Adds the next chunk directly to an accumulator. This is several times as fast as returning
    /// chunks and pushing them.
    ///
    /// ```
    /// use llmjson_wire::Accumulator;
    /// use llmjson_wire::sse::Decoder;
    ///
    /// let mut decoder = Decoder::new();
    /// let mut reply = Accumulator::new();
    /// decoder.push(b"data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n");
    /// while let Some(applied) = decoder.next_into(&mut reply) {
    ///     applied?;
    /// }
    /// assert_eq!(reply.text(), "Hello");
    /// # Ok::<(), llmjson_wire::sse::SseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`next_item`](Self::next_item).
    pub fn next_into(&mut self, reply: &mut Accumulator) -> Option<Result<Applied, SseError>> {
        self.next_with(|text| apply_chunk(text, reply))
    }

    fn next_with<T: Item>(
        &mut self,
        read: impl FnOnce(&str) -> Result<(Option<T>, Option<ApiError>), serde_json::Error>,
    ) -> Option<Result<T, SseError>> {
        if let Some(error) = self.waiting.take() {
            return Some(Ok(T::error(error)));
        }
        if let Some(failed) = &self.failed {
            return Some(Err(failed.clone()));
        }
        let frame = loop {
            match self.frames.next_frame()? {
                // Some servers send only white space to keep a connection alive.
                Ok(frame) if frame.data.trim_ascii().is_empty() => {}
                Ok(frame) => break frame,
                Err(error) => return Some(Err(error.into())),
            }
        };
        let number = self.count;
        self.count += 1;
        let reason = match read_frame(&frame, read) {
            Ok((Some(item), error)) => {
                self.waiting = error;
                return Some(Ok(item));
            }
            Ok((None, Some(error))) => return Some(Ok(T::error(error))),
            Ok((None, None)) => "there is nothing in it".to_owned(),
            Err(reason) => reason,
        };
        let data = frame.data;
        Some(match self.on_malformed {
            OnMalformed::Skip => Ok(T::skipped(Skipped {
                frame: number,
                reason,
                data: data.to_vec(),
            })),
            OnMalformed::Fail => {
                let text = String::from_utf8_lossy(data);
                let data = capped(&text, QUOTED_FRAME_BYTES_MAX).to_owned();
                let failed = SseError::Malformed {
                    frame: number,
                    reason,
                    data,
                };
                self.failed = Some(failed.clone());
                self.frames = FrameDecoder::new();
                self.frames.finish();
                Err(failed)
            }
        })
    }
}

/// The output of a decoder, in either form.
trait Item: Sized {
    fn error(error: ApiError) -> Self;
    fn skipped(skipped: Skipped) -> Self;
}

impl Item for StreamItem {
    fn error(error: ApiError) -> Self {
        Self::Error(error)
    }

    fn skipped(skipped: Skipped) -> Self {
        Self::Skipped(skipped)
    }
}

impl Item for Applied {
    fn error(error: ApiError) -> Self {
        Self::Error(error)
    }

    fn skipped(skipped: Skipped) -> Self {
        Self::Skipped(skipped)
    }
}

/// A chunk, an error, or both.
type Read<T> = (Option<T>, Option<ApiError>);

fn read_frame<T>(
    frame: &Frame<'_>,
    read: impl FnOnce(&str) -> Result<Read<T>, serde_json::Error>,
) -> Result<Read<T>, String> {
    // A frame named `error` is an error, whatever its data.
    if frame.event == Some(b"error") {
        return Ok((None, Some(decode_frame(frame.data))));
    }
    let text = std::str::from_utf8(frame.data).map_err(|error| error.to_string())?;
    read(text).map_err(|error| error.to_string())
}

fn read_chunk(text: &str) -> Result<Read<StreamItem>, serde_json::Error> {
    let chunk: StreamChunk = serde_json::from_str(text)?;
    let told = chunk.extras.get("error");
    let error = told.is_some_and(|told| tells_an_error(told.as_str()));
    let error = error.then(|| decode_frame(text.as_bytes()));
    if error.is_some() && chunk.choices.is_empty() {
        return Ok((None, error));
    }
    Ok((Some(StreamItem::Chunk(chunk)), error))
}

fn apply_chunk(text: &str, reply: &mut Accumulator) -> Result<Read<Applied>, serde_json::Error> {
    // The previous chunk was applied and contained no error.
    if reply.apply_again(text) {
        return Ok((Some(Applied::Chunk), None));
    }
    let chunk: ChunkView<'_> = serde_json::from_str(text)?;
    let told = chunk.extras.iter().rfind(|(name, _)| name == "error");
    let error = told.is_some_and(|(_, told)| tells_an_error(told.get()));
    let error = error.then(|| decode_frame(text.as_bytes()));
    if error.is_some() && chunk.choices.is_empty() {
        return Ok((None, error));
    }
    match error {
        None => reply.apply_text(chunk, text),
        Some(_) => reply.apply(chunk),
    }
    Ok((Some(Applied::Chunk), error))
}
