//! Chunks from an asynchronous byte stream.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use crate::sse::decoder::{Decoder, SseError, StreamItem};

/// The chunks of a byte stream, as HTTP clients return it.
///
/// Yields nothing more after an error or the end. Wrap a stream that is not `Unpin` as
/// `Box::pin(stream)`.
///
/// ```
/// # use std::pin::Pin;
/// # use std::task::{Context, Poll, Waker};
/// use futures_core::Stream;
/// use llmjson_wire::sse::{ChunkStream, StreamError, StreamItem};
///
/// # struct Pieces(std::vec::IntoIter<&'static str>);
/// # impl Stream for Pieces {
/// #     type Item = Result<&'static str, std::io::Error>;
/// #     fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
/// #         Poll::Ready(self.0.next().map(Ok))
/// #     }
/// # }
/// let bytes = Pieces(vec!["data: {\"choices\":[]}\n", "\ndata: [DONE]\n\n"].into_iter());
/// let mut chunks = ChunkStream::new(bytes);
/// let mut context = Context::from_waker(Waker::noop());
/// let mut next = || Pin::new(&mut chunks).poll_next(&mut context);
/// assert!(matches!(next(), Poll::Ready(Some(Ok(StreamItem::Chunk(_))))));
/// assert!(matches!(next(), Poll::Ready(None)));
/// ```
#[derive(Debug)]
pub struct ChunkStream<S> {
    source: S,
    decoder: Decoder,
    ended: bool,
}

impl<S> ChunkStream<S> {
    /// Reads with a decoder with default settings.
    #[must_use]
    pub fn new(source: S) -> Self {
        Self::with_decoder(source, Decoder::new())
    }

    /// Reads with this decoder.
    #[must_use]
    pub fn with_decoder(source: S, decoder: Decoder) -> Self {
        Self {
            source,
            decoder,
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

impl<S, B, E> ChunkStream<S>
where
    S: Stream<Item = Result<B, E>> + Unpin,
    B: AsRef<[u8]>,
{
    fn read_on(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<StreamItem, StreamError<E>>>> {
        loop {
            if let Some(item) = self.decoder.next_item() {
                return Poll::Ready(Some(item.map_err(StreamError::Sse)));
            }
            if self.decoder.is_over() {
                return Poll::Ready(None);
            }
            match ready!(Pin::new(&mut self.source).poll_next(context)) {
                None => self.decoder.finish(),
                Some(Ok(bytes)) => self.decoder.push(bytes.as_ref()),
                Some(Err(error)) => return Poll::Ready(Some(Err(StreamError::Source(error)))),
            }
        }
    }
}

impl<S, B, E> Stream for ChunkStream<S>
where
    S: Stream<Item = Result<B, E>> + Unpin,
    B: AsRef<[u8]>,
{
    type Item = Result<StreamItem, StreamError<E>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let next = ready!(self.read_on(context));
        self.ended = !matches!(next, Some(Ok(_)));
        Poll::Ready(next)
    }
}

/// The error of a stream that could not be read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamError<E> {
    /// The source failed.
    Source(E),
    /// The bytes are not a stream of chunks.
    Sse(SseError),
}

impl<E: fmt::Display> fmt::Display for StreamError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(error) => error.fmt(f),
            Self::Sse(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for StreamError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Source(error) => Some(error),
            Self::Sse(error) => Some(error),
        }
    }
}
