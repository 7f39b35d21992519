//! The adapters for asynchronous sources give what the decoder gives, each error once, and then
//! nothing more.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use llmjson_wire::sse::{
    AsyncReadChunks, ChunkStream, Decoder, ReadError, SseError, StreamError, StreamItem,
    TokioReader,
};
use tokio::io::ReadBuf;

/// What a source does next.
#[derive(Clone)]
enum Event {
    Bytes(Vec<u8>),
    Wait,
    Fail,
}

/// A source of bytes that does what it was told, as a stream and as a reader of either kind.
struct Source {
    events: std::vec::IntoIter<Event>,
    /// The bytes that did not fit into the buffer of the last read.
    rest: Vec<u8>,
}

impl Source {
    fn new(events: Vec<Event>) -> Self {
        Self {
            events: events.into_iter(),
            rest: Vec::new(),
        }
    }

    fn poll(&mut self, context: &Context<'_>) -> Poll<Option<io::Result<Vec<u8>>>> {
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(std::mem::take(&mut self.rest))));
        }
        match self.events.next() {
            None => Poll::Ready(None),
            Some(Event::Bytes(bytes)) => Poll::Ready(Some(Ok(bytes))),
            Some(Event::Fail) => {
                let error = io::ErrorKind::ConnectionReset.into();
                Poll::Ready(Some(Err(error)))
            }
            Some(Event::Wait) => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
        }
    }

    fn read(&mut self, context: &Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        self.poll(context).map(|bytes| {
            let bytes = bytes.transpose()?.unwrap_or_default();
            let count = bytes.len().min(buffer.len());
            buffer[..count].copy_from_slice(&bytes[..count]);
            self.rest = bytes[count..].to_vec();
            Ok(count)
        })
    }
}

impl Stream for Source {
    type Item = io::Result<Vec<u8>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll(context)
    }
}

impl futures_io::AsyncRead for Source {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.read(context, buffer)
    }
}

impl tokio::io::AsyncRead for Source {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.read(context, buffer.initialize_unfilled())
            .map_ok(|count| buffer.advance(count))
    }
}

/// What came of a source: the chunks, the error that ended it, and how often it had to be waited for.
#[derive(Debug, PartialEq)]
struct Outcome {
    items: Vec<StreamItem>,
    error: Option<Error>,
    waits: usize,
}

#[derive(Debug, PartialEq)]
enum Error {
    Io(io::ErrorKind),
    Sse(SseError),
}

impl From<ReadError> for Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io(error) => Self::Io(error.kind()),
            ReadError::Sse(error) => Self::Sse(error),
            other => panic!("{other}"),
        }
    }
}

impl From<StreamError<io::Error>> for Error {
    fn from(error: StreamError<io::Error>) -> Self {
        match error {
            StreamError::Source(error) => Self::Io(error.kind()),
            StreamError::Sse(error) => Self::Sse(error),
            other => panic!("{other}"),
        }
    }
}

fn drive<S, E>(mut chunks: S) -> Outcome
where
    S: Stream<Item = Result<StreamItem, E>> + Unpin,
    E: Into<Error>,
{
    let mut context = Context::from_waker(Waker::noop());
    let (mut items, mut error, mut waits) = (Vec::new(), None, 0);
    loop {
        match Pin::new(&mut chunks).poll_next(&mut context) {
            Poll::Pending => waits += 1,
            Poll::Ready(None) => break,
            Poll::Ready(Some(Ok(item))) => items.push(item),
            Poll::Ready(Some(Err(found))) => {
                assert!(error.is_none(), "an error is told once");
                error = Some(found.into());
            }
        }
    }
    for _ in 0..3 {
        let next = Pin::new(&mut chunks).poll_next(&mut context);
        assert!(matches!(next, Poll::Ready(None)), "the end is the end");
    }
    Outcome {
        items,
        error,
        waits,
    }
}

/// The same by each adapter.
fn by_all(events: &[Event], decoder: impl Fn() -> Decoder) -> Outcome {
    let source = || Source::new(events.to_vec());
    let stream = drive(ChunkStream::with_decoder(source(), decoder()));
    let reader = drive(AsyncReadChunks::with_decoder(source(), decoder()));
    let tokio = drive(AsyncReadChunks::with_decoder(
        TokioReader(source()),
        decoder(),
    ));
    assert_eq!(reader, stream);
    assert_eq!(tokio, stream);
    stream
}

const STREAM: &str = "\u{feff}data: {\"choices\":[{\"delta\":{\"content\":\"né\"}}]}\r\n\r\n\
    : a comment\n\nevent: error\rdata: {\"message\":\"busy\"}\r\r\
    data: {\"choices\":[],\ndata: \"usage\":{\"total_tokens\":3}}\n\n";

#[test]
fn however_the_bytes_come_the_same_comes_out() {
    let mut decoder = Decoder::new();
    decoder.push(STREAM.as_bytes());
    let whole: Vec<_> = std::iter::from_fn(|| decoder.next_item())
        .map(Result::unwrap)
        .collect();
    assert_eq!(whole.len(), 3);
    for length in 1..=17 {
        for end in ["", "data: [DONE]\n\ndata: no more of this\n\n"] {
            let text = format!("{STREAM}{end}");
            let pieces = text.as_bytes().chunks(length);
            let events: Vec<_> = pieces
                .flat_map(|piece| [Event::Wait, Event::Bytes(piece.to_vec())])
                .collect();
            let outcome = by_all(&events, Decoder::new);
            assert_eq!(outcome.items, whole, "by {length}");
            assert_eq!(outcome.error, None);
            assert!(outcome.waits > 0 && outcome.waits <= events.len());
        }
    }
}

#[test]
fn an_end_without_a_blank_line_is_an_end() {
    let text = STREAM.trim_end().as_bytes().to_vec();
    let outcome = by_all(&[Event::Bytes(text)], Decoder::new);
    assert_eq!((outcome.items.len(), outcome.error), (3, None));
}

#[test]
fn a_source_that_fails_in_the_middle_is_told_of_after_what_came() {
    // The number of items after each number of bytes.
    let last = STREAM.len();
    for (cut, count) in [(0, 0), (20, 0), (last - 1, 2), (last, 3)] {
        let come = STREAM.as_bytes()[..cut].to_vec();
        let rest = STREAM.as_bytes()[cut..].to_vec();
        let bytes = |bytes: Vec<u8>| match bytes.is_empty() {
            true => Event::Wait,
            false => Event::Bytes(bytes),
        };
        let outcome = by_all(&[bytes(come), Event::Fail, bytes(rest)], Decoder::new);
        assert_eq!(
            outcome.error,
            Some(Error::Io(io::ErrorKind::ConnectionReset))
        );
        assert_eq!(outcome.items.len(), count);
    }
}

#[test]
fn a_frame_that_is_no_chunk_ends_the_stream_for_good() {
    let text = format!("{STREAM}data: [}}\n\n{STREAM}");
    let outcome = by_all(&[Event::Bytes(text.into_bytes())], Decoder::new);
    assert_eq!(outcome.items.len(), 3);
    assert!(matches!(
        outcome.error,
        Some(Error::Sse(SseError::Malformed { frame: 3, .. }))
    ));
}

/// Gives the same bytes for ever.
struct Endless {
    given: usize,
}

impl futures_io::AsyncRead for Endless {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        buffer.fill(b'x');
        self.given += buffer.len();
        Poll::Ready(Ok(buffer.len()))
    }
}

impl Stream for Endless {
    type Item = io::Result<Vec<u8>>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.given += 1000;
        Poll::Ready(Some(Ok(vec![b'x'; 1000])))
    }
}

#[test]
fn a_frame_without_an_end_is_refused_at_the_limit() {
    let decoder = || Decoder::new().with_frame_bytes_max(100_000);
    let too_large =
        |outcome: &Outcome| matches!(outcome.error, Some(Error::Sse(SseError::FrameTooLarge(_))));
    let mut source = Endless { given: 0 };
    // A reader that is lent is a reader too, so what it gave can be looked at afterwards.
    let outcome = drive(AsyncReadChunks::with_decoder(&mut source, decoder()));
    assert!(too_large(&outcome) && outcome.items.is_empty());
    assert!((100_000..200_000).contains(&source.given));

    let mut source = Endless { given: 0 };
    let outcome = drive(ChunkStream::with_decoder(&mut source, decoder()));
    assert!(too_large(&outcome) && outcome.items.is_empty());
    assert!((100_000..200_000).contains(&source.given));
}

#[test]
fn what_was_closed_reads_nothing_more() {
    let mut source = Source::new(vec![Event::Bytes(STREAM.into())]);
    let mut chunks = AsyncReadChunks::new(&mut source);
    chunks.close();
    chunks.close();
    assert_eq!(drive(&mut chunks).items, []);
    assert!(!chunks.decoder().is_over());
    let mut chunks = ChunkStream::new(&mut source);
    chunks.close();
    assert_eq!(drive(&mut chunks).items, []);
    assert_eq!(source.events.len(), 1, "nobody asked it");
}
