//! Chunks from any asynchronous reader.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use futures_io::AsyncRead;

use crate::sse::decoder::StreamItem;
use crate::sse::read::{ReadChunks, ReadError};

/// The chunks of a stream that is read from an asynchronous reader: a socket, a child process, a
/// decompressor.
///
/// Yields nothing more after an error or the end. Wrap a reader that is not `Unpin` as
/// `Box::pin(reader)`, and a tokio reader as `TokioReader(reader)` (feature `tokio`).
///
/// ```
/// # use std::pin::Pin;
/// # use std::task::{Context, Poll, Waker};
/// use futures_core::Stream;
/// use llmjson_wire::sse::{AsyncReadChunks, StreamItem};
///
/// // What is in memory is always ready.
/// let reader: &[u8] = b"data: {\"choices\":[]}\n\ndata: [DONE]\n\n";
/// let mut chunks = AsyncReadChunks::new(reader);
/// let mut context = Context::from_waker(Waker::noop());
/// let mut next = || Pin::new(&mut chunks).poll_next(&mut context);
/// assert!(matches!(next(), Poll::Ready(Some(Ok(StreamItem::Chunk(_))))));
/// assert!(matches!(next(), Poll::Ready(None)));
/// ```
pub type AsyncReadChunks<R> = ReadChunks<R>;

impl<R: AsyncRead + Unpin> AsyncReadChunks<R> {
    fn poll_read_on(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<StreamItem, ReadError>>> {
        loop {
            if let Some(item) = self.decoder.next_item() {
                return Poll::Ready(Some(item.map_err(ReadError::Sse)));
            }
            if self.decoder.is_over() {
                return Poll::Ready(None);
            }
            // The trait's implementation handles interruptions.
            match ready!(Pin::new(&mut self.source).poll_read(context, &mut self.buffer)) {
                Ok(0) => self.decoder.finish(),
                Ok(count) => self.decoder.push(&self.buffer[..count]),
                Err(error) => return Poll::Ready(Some(Err(ReadError::Io(error)))),
            }
        }
    }
}

impl<R: AsyncRead + Unpin> Stream for AsyncReadChunks<R> {
    type Item = Result<StreamItem, ReadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let next = ready!(self.poll_read_on(context));
        self.ended = !matches!(next, Some(Ok(_)));
        Poll::Ready(next)
    }
}

/// A tokio reader, for [`AsyncReadChunks`].
///
/// ```
/// use llmjson_wire::sse::{AsyncReadChunks, TokioReader};
///
/// fn chunks<R: tokio::io::AsyncRead + Unpin>(reader: R) -> AsyncReadChunks<TokioReader<R>> {
///     AsyncReadChunks::new(TokioReader(reader))
/// }
/// ```
#[cfg(feature = "tokio")]
#[derive(Clone, Copy, Debug)]
pub struct TokioReader<R>(pub R);

#[cfg(feature = "tokio")]
impl<R: tokio::io::AsyncRead + Unpin> AsyncRead for TokioReader<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<std::io::Result<usize>> {
        let mut buffer = tokio::io::ReadBuf::new(buffer);
        ready!(Pin::new(&mut self.0).poll_read(context, &mut buffer))?;
        Poll::Ready(Ok(buffer.filled().len()))
    }
}
