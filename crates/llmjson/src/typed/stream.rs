//! Streamed replies, read into Rust types.

use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use llmjson_reply::stream::{self, Item, LastingViolation};
use llmjson_reply::{DeserializeExt, Policy};
use llmjson_syntax::InvalidUtf8;

use super::partial::Partial;
use super::{Error, schema, typed};

/// Parses a streamed reply into a Rust type, and shows the value received so far.
///
/// The value so far has a type whose fields are all optional: your own, or a type that the derive
/// macro [`Partial`](trait@super::Partial) generates. Each value is a prefix of the next: strings
/// and arrays grow, numbers and keywords appear once complete.
///
/// ```
/// use llmjson::typed;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Trip {
///     city: String,
///     days: u32,
/// }
///
/// #[derive(serde::Deserialize, Default)]
/// #[serde(default)]
/// struct PartialTrip {
///     city: Option<String>,
///     days: Option<u32>,
/// }
///
/// let mut stream = typed::Stream::<Trip>::new()?;
/// stream.push("Here: {city: 'Os");
/// let partial: PartialTrip = stream.partial().expect("it has begun").expect("it reads");
/// assert_eq!((partial.city.as_deref(), partial.days), (Some("Os"), None));
/// stream.push("lo', days: \"3\"}");
/// let trip = stream.finish()?;
/// assert_eq!((trip.city.as_str(), trip.days), ("Oslo", 3));
/// # Ok::<(), typed::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stream<T> {
    inner: stream::Stream,
    stops: bool,
    of: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned + JsonSchema + 'static> Stream<T> {
    /// Creates an empty stream.
    ///
    /// # Errors
    ///
    /// If the schema that the type derives is invalid.
    pub fn new() -> Result<Self, Error> {
        let schema = schema::<T>().map_err(Error::Schema)?;
        Ok(Self {
            inner: stream::Stream::new(Some(&schema)),
            stops: false,
            of: PhantomData,
        })
    }

    /// Returns an empty stream that reads under a policy.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        let inner = self.inner.with_policy(policy);
        Self { inner, ..self }
    }

    /// Returns a stream whose [`over`](Self::over) ends with an error at the first violation that
    /// later text cannot resolve.
    #[must_use]
    pub fn stopping_on_violation(self) -> Self {
        Self {
            stops: true,
            ..self
        }
    }

    /// Takes the next piece of the reply.
    pub fn push(&mut self, piece: &str) {
        self.inner.push(piece);
    }

    /// Takes the next piece of the reply as UTF-8 bytes. A piece may end inside a character.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8.
    pub fn push_bytes(&mut self, piece: &[u8]) -> Result<(), InvalidUtf8> {
        self.inner.push_bytes(piece)
    }

    /// Returns the value received so far as a type whose fields are all optional, or `None` if no
    /// value has begun.
    #[must_use]
    pub fn partial<P: DeserializeOwned>(&self) -> Option<Result<P, crate::Error>> {
        self.inner.value().map(DeserializeExt::deserialize)
    }

    /// Returns the violations that later text cannot resolve: see [`stream::Stream::violations`].
    pub fn violations(&mut self) -> &[LastingViolation] {
        self.inner.violations()
    }

    /// Returns the underlying stream, which holds the reply as JSON.
    #[must_use]
    pub fn reply(&self) -> &stream::Stream {
        &self.inner
    }

    /// Reads all pieces, strings or UTF-8 bytes. Yields the value so far in its
    /// [`Partial`](trait@Partial) type whenever it changes, then the complete value as `Break`, or an
    /// error if the reply does not conform. Without a `Partial` type, call
    /// [`partial`](Self::partial) after each [`push`](Self::push).
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use llmjson::typed;
    ///
    /// let stream = typed::Stream::<Vec<u8>>::new()?;
    /// let mut shown: Vec<_> = stream.over(["[1, ", "\"2\", ", "30, ", "4]"]).collect();
    /// assert_eq!(shown.pop().expect("the end")?, ControlFlow::Break(vec![1, 2, 30, 4]));
    /// assert_eq!(shown.remove(1)?, ControlFlow::Continue(vec![1, 2]));
    /// # Ok::<(), typed::Error>(())
    /// ```
    pub fn over<I>(
        self,
        pieces: I,
    ) -> impl Iterator<Item = Result<ControlFlow<T, T::Type>, Error>> + use<T, I>
    where
        T: Partial,
        I: IntoIterator,
        I::Item: AsRef<[u8]>,
    {
        let (mut reading, mut pieces) = (Reading::of(self), pieces.into_iter());
        std::iter::from_fn(move || {
            while reading.stream.is_some() {
                let piece = pieces.next();
                let step = reading.step(piece.as_ref().map(AsRef::as_ref));
                if step.is_some() {
                    return step;
                }
            }
            None
        })
    }

    /// Reads pieces as they arrive, strings or UTF-8 bytes that may end inside a character, and
    /// yields partial values as [`over`](Self::over) does. An error of the source is yielded last,
    /// as [`Error::Source`]. Requires the feature `futures`.
    ///
    /// ```
    /// # use std::pin::{Pin, pin};
    /// # use std::task::{Context, Poll, Waker};
    /// use std::ops::ControlFlow;
    /// use futures_core::Stream as _;
    /// use llmjson::typed::{self, Partial};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema, Partial)]
    /// struct Trip {
    ///     city: String,
    ///     days: u32,
    /// }
    ///
    /// # struct Pieces(std::vec::IntoIter<&'static str>);
    /// # impl futures_core::Stream for Pieces {
    /// #     type Item = Result<&'static str, std::io::Error>;
    /// #     fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
    /// #         Poll::Ready(self.0.next().map(Ok))
    /// #     }
    /// # }
    /// # let source = Pieces(vec!["Here: {city: 'Os", "lo', days: ", "\"3\"}"].into_iter());
    /// # let mut context = Context::from_waker(Waker::noop());
    /// // With a runtime: `while let Some(step) = steps.next().await`.
    /// let mut steps = pin!(typed::Stream::<Trip>::new()?.follow(source));
    /// while let Poll::Ready(Some(step)) = steps.as_mut().poll_next(&mut context) {
    ///     match step? {
    ///         ControlFlow::Continue(PartialTrip { city, .. }) => assert!(city.is_some()),
    ///         ControlFlow::Break(Trip { city, days }) => assert_eq!((&*city, days), ("Oslo", 3)),
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "futures")]
    pub fn follow<B, E>(
        self,
        source: impl futures_core::Stream<Item = Result<B, E>>,
    ) -> impl futures_core::Stream<Item = Result<ControlFlow<T, T::Type>, Error>>
    where
        T: Partial,
        B: AsRef<[u8]>,
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let mut reading = Reading::of(self);
        llmjson_reply::internal::follow(source, move |piece, made| {
            match piece.transpose() {
                Ok(piece) => made.extend(reading.step(piece.as_ref().map(AsRef::as_ref))),
                Err(error) => {
                    reading.stream = None;
                    made.push_back(Err(Error::Source(error.into().into())));
                }
            }
            reading.stream.is_some()
        })
    }

    /// Ends the reply and returns its value.
    ///
    /// # Errors
    ///
    /// See [`from_str`](super::from_str).
    pub fn finish(self) -> Result<T, Error> {
        typed(self.inner.finish().parsed)
    }
}

/// A stream, and the last value yielded.
struct Reading<T> {
    /// `None` once the reply has ended.
    stream: Option<Stream<T>>,
    shown: Option<String>,
}

impl<T: DeserializeOwned + JsonSchema + 'static> Reading<T> {
    fn of(stream: Stream<T>) -> Self {
        let shown = None;
        Self {
            stream: Some(stream),
            shown,
        }
    }

    /// Reads the next piece, or the end, and returns the new values.
    fn step<P: DeserializeOwned>(
        &mut self,
        piece: Option<&[u8]>,
    ) -> Option<Result<ControlFlow<T, P>, Error>> {
        let reading = self.stream.as_mut()?;
        if let Some(piece) = piece
            && let Err(error) = reading.push_bytes(piece)
        {
            self.stream = None;
            return Some(Err(Error::Source(Arc::new(error))));
        }
        if piece.is_none() || reading.stops && !reading.violations().is_empty() {
            let ended = self.stream.take()?.finish();
            return Some(ended.map(ControlFlow::Break));
        }
        let json = reading.inner.value()?.to_json();
        if self.shown.as_ref() == Some(&json) {
            return None;
        }
        self.shown = Some(json);
        let partial = reading.partial()?.map_err(Error::Read);
        Some(partial.map(ControlFlow::Continue))
    }
}

impl<I: DeserializeOwned + JsonSchema + 'static> Stream<Vec<I>> {
    /// Returns the items completed since the last call, each one validated.
    ///
    /// ```
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Guest {
    ///     name: String,
    /// }
    ///
    /// let mut stream = llmjson::typed::Stream::<Vec<Guest>>::new()?;
    /// stream.push(r#"[{"name": "Ada"}, {"name": "Al"#);
    /// let guests = stream.items();
    /// assert!(matches!(&guests[..], [Ok(guest)] if guest.name == "Ada"));
    /// stream.push("an\"}]");
    /// let (rest, whole) = stream.finish_items();
    /// assert_eq!((rest.len(), whole?.len()), (1, 2));
    /// # Ok::<(), llmjson::typed::Error>(())
    /// ```
    pub fn items(&mut self) -> Vec<Result<I, Error>> {
        match schema::<I>() {
            Ok(schema) => read_each(self.inner.items(Some(&schema))),
            Err(error) => vec![Err(Error::Schema(error))],
        }
    }

    /// Ends the reply, and returns the rest of the items and the whole array.
    #[expect(
        clippy::type_complexity,
        reason = "the parts are named by the types themselves"
    )]
    pub fn finish_items(self) -> (Vec<Result<I, Error>>, Result<Vec<I>, Error>) {
        let schema = schema::<I>().ok();
        let (rest, whole) = self.inner.finish_items(schema.as_ref());
        (read_each(rest), typed(whole.parsed))
    }
    /// Reads pieces as they arrive, as [`follow`](Self::follow) does. Yields each item once it is
    /// complete, or an error if it does not conform, and finally the array as `Break`. Requires the
    /// feature `futures`.
    #[cfg(feature = "futures")]
    pub fn follow_items<B, E>(
        self,
        source: impl futures_core::Stream<Item = Result<B, E>>,
    ) -> impl futures_core::Stream<Item = Result<ControlFlow<Vec<I>, I>, Error>>
    where
        B: AsRef<[u8]>,
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let mut stream = Some(self);
        let each = |item: Result<I, Error>| item.map(ControlFlow::Continue);
        llmjson_reply::internal::follow(source, move |piece, made| {
            let Some(mut reading) = stream.take() else {
                return false;
            };
            let pushed = match piece {
                Some(Ok(piece)) => reading.push_bytes(piece.as_ref()).map_err(Into::into),
                Some(Err(error)) => Err(error.into()),
                None => {
                    let (rest, whole) = reading.finish_items();
                    made.extend(rest.into_iter().map(each));
                    made.push_back(whole.map(ControlFlow::Break));
                    return false;
                }
            };
            match pushed {
                Ok(()) => {
                    made.extend(reading.items().into_iter().map(each));
                    stream = Some(reading);
                }
                Err(error) => made.push_back(Err(Error::Source(error.into()))),
            }
            stream.is_some()
        })
    }
}

fn read_each<I: DeserializeOwned>(items: Vec<Item>) -> Vec<Result<I, Error>> {
    let items = items.into_iter();
    items.map(|item| typed(item.parsed)).collect()
}
