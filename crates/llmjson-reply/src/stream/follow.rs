//! Replies whose pieces arrive in an asynchronous stream.

use std::collections::VecDeque;
use std::error::Error;
use std::ops::ControlFlow;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream as Source;
use llmjson_syntax::InvalidUtf8;

use super::items::{Item, Items};
use super::reply::{Finished, Stream};

/// A stream of the results for each piece of another stream, and for its end.
struct Follow<S, R, F> {
    /// `None` once the source is finished.
    source: Option<Pin<Box<S>>>,
    made: VecDeque<R>,
    step: F,
}

/// Returns a stream of the results of `step`, which is called with each piece, and with `None` at
/// the end, until it returns `false`.
pub fn follow<S: Source, R>(
    source: S,
    step: impl FnMut(Option<S::Item>, &mut VecDeque<R>) -> bool,
) -> impl Source<Item = R> {
    Follow {
        source: Some(Box::pin(source)),
        made: VecDeque::new(),
        step,
    }
}

/// Moving this is allowed: the source must stay in place, and it is boxed.
impl<S, R, F> Unpin for Follow<S, R, F> {}

impl<S: Source, R, F: FnMut(Option<S::Item>, &mut VecDeque<R>) -> bool> Source for Follow<S, R, F> {
    type Item = R;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<R>> {
        let Self { source, made, step } = &mut *self;
        loop {
            if let Some(first) = made.pop_front() {
                return Poll::Ready(Some(first));
            }
            let Some(coming) = source else {
                return Poll::Ready(None);
            };
            let piece = ready!(coming.as_mut().poll_next(context));
            let is_last = piece.is_none();
            if !step(piece, made) || is_last {
                *source = None;
            }
        }
    }
}

/// An error of the source, or bytes that are not UTF-8.
type Failed = Box<dyn Error + Send + Sync>;

/// The results of a reader: for each piece, and for the whole.
type Steps<R> = VecDeque<Result<ControlFlow<Finished, R>, Failed>>;

impl Stream {
    /// Reads pieces as they arrive, strings or UTF-8 bytes that may end inside a character. After
    /// each piece, yields the result of `show` if there is one: the value so far in the caller's
    /// form, or its [events](Self::events). The result of [`finish`](Self::finish) is yielded last,
    /// as `Break`.
    ///
    /// An error of the source is yielded and ends the stream. Requires the feature `futures`.
    ///
    /// ```
    /// # use std::pin::{Pin, pin};
    /// # use std::task::{Context, Poll, Waker};
    /// # use llmjson_reply as llmjson;
    /// use std::ops::ControlFlow;
    /// use futures_core::Stream as _;
    /// use llmjson::stream::Stream;
    ///
    /// # struct Pieces(std::vec::IntoIter<&'static [u8]>);
    /// # impl futures_core::Stream for Pieces {
    /// #     type Item = Result<&'static [u8], std::io::Error>;
    /// #     fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
    /// #         Poll::Ready(self.0.next().map(Ok))
    /// #     }
    /// # }
    /// // As a response comes in; `ö` is cut in two.
    /// let bytes = Pieces(vec![&b"Here: {city: 'Malm\xc3"[..], b"\xb6', days", b": 3}"].into_iter());
    /// let json = |stream: &mut Stream| stream.value().map(|value| value.to_json());
    /// let mut shown = pin!(Stream::new(None).follow(bytes, json));
    ///
    /// # let mut context = Context::from_waker(Waker::noop());
    /// let mut last = None;
    /// // With a runtime: `while let Some(step) = shown.next().await`.
    /// while let Poll::Ready(Some(step)) = shown.as_mut().poll_next(&mut context) {
    ///     match step.expect("the source does not fail") {
    ///         ControlFlow::Continue(json) => last = Some(json),
    ///         ControlFlow::Break(finished) => assert!(finished.parsed.is_complete()),
    ///     }
    /// }
    /// assert_eq!(last.as_deref(), Some(r#"{"city":"Malmö","days":3}"#));
    /// ```
    pub fn follow<B: AsRef<[u8]>, E: Into<Failed>, R>(
        self,
        source: impl Source<Item = Result<B, E>>,
        mut show: impl FnMut(&mut Self) -> Option<R>,
    ) -> impl Source<Item = Result<ControlFlow<Finished, R>, Failed>> {
        read(
            self,
            source,
            Self::push_bytes,
            move |stream, made| made.extend(show(stream).map(|new| Ok(ControlFlow::Continue(new)))),
            |stream, made| made.push_back(Ok(ControlFlow::Break(stream.finish()))),
        )
    }
}

impl Items {
    /// Reads pieces as they arrive, as [`Stream::follow`] does, and yields each item once it is
    /// complete. The result of the whole reply is yielded last, as `Break`. Requires the feature
    /// `futures`.
    pub fn follow<B: AsRef<[u8]>, E: Into<Failed>>(
        self,
        source: impl Source<Item = Result<B, E>>,
    ) -> impl Source<Item = Result<ControlFlow<Finished, Item>, Failed>> {
        let each = |item| Ok(ControlFlow::Continue(item));
        read(
            self,
            source,
            Self::push_bytes,
            move |stream, made| made.extend(stream.items().into_iter().map(each)),
            move |stream, made| {
                let (rest, whole) = stream.finish();
                made.extend(rest.into_iter().map(each));
                made.push_back(Ok(ControlFlow::Break(whole)));
            },
        )
    }
}

fn read<T, B: AsRef<[u8]>, E: Into<Failed>, R>(
    reader: T,
    source: impl Source<Item = Result<B, E>>,
    push: impl Fn(&mut T, &[u8]) -> Result<(), InvalidUtf8>,
    mut show: impl FnMut(&mut T, &mut Steps<R>),
    end: impl Fn(T, &mut Steps<R>),
) -> impl Source<Item = Result<ControlFlow<Finished, R>, Failed>> {
    let mut reader = Some(reader);
    follow(source, move |piece, made| {
        let Some(mut reading) = reader.take() else {
            return false;
        };
        let pushed = match piece {
            Some(Ok(piece)) => push(&mut reading, piece.as_ref()).map_err(Failed::from),
            Some(Err(error)) => Err(error.into()),
            None => {
                end(reading, made);
                return false;
            }
        };
        match pushed {
            Ok(()) => {
                show(&mut reading, made);
                reader = Some(reading);
            }
            Err(error) => made.push_back(Err(error)),
        }
        reader.is_some()
    })
}
