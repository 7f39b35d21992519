//! Replies that are still coming, read into Rust types.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use llmjson_reply::stream::{self, Item, LastingViolation};
use llmjson_reply::{DeserializeExt, Policy};
use llmjson_syntax::InvalidUtf8;

use super::{Error, schema, typed};

/// Reads a reply that comes in pieces into a Rust type, and shows at any time what has come of it.
///
/// What has come is read into a type of the caller's whose fields are all optional. Each is a prefix of
/// the last: texts and lists grow, numbers and words are there when they are whole.
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
    /// Creates a stream without text.
    ///
    /// # Errors
    ///
    /// If the schema that the type derives cannot be used.
    pub fn new() -> Result<Self, Error> {
        let schema = schema::<T>().map_err(Error::Schema)?;
        Ok(Self {
            inner: stream::Stream::new(Some(&schema)),
            stops: false,
            of: PhantomData,
        })
    }

    /// Returns a stream without text that reads under a policy.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        let inner = self.inner.with_policy(policy);
        Self { inner, ..self }
    }

    /// Returns a stream that [`over`](Self::over) ends with an error as soon as a violation is seen that later
    /// text cannot take away.
    #[must_use]
    pub fn stopping_on_violation(self) -> Self {
        Self {
            stops: true,
            ..self
        }
    }

    /// Takes in the next piece of the reply.
    pub fn push(&mut self, piece: &str) {
        self.inner.push(piece);
    }

    /// Takes in the next piece of a reply in UTF-8, which may end within a character.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8.
    pub fn push_bytes(&mut self, piece: &[u8]) -> Result<(), InvalidUtf8> {
        self.inner.push_bytes(piece)
    }

    /// Returns what has come as a value of a type whose fields are all optional; `None` before a value
    /// has begun.
    #[must_use]
    pub fn partial<P: DeserializeOwned>(&self) -> Option<Result<P, crate::Error>> {
        self.inner.value().map(DeserializeExt::deserialize)
    }

    /// Returns the violations that last: see [`stream::Stream::violations`].
    pub fn violations(&mut self) -> &[LastingViolation] {
        self.inner.violations()
    }

    /// Returns the stream of the reply as JSON.
    #[must_use]
    pub fn reply(&self) -> &stream::Stream {
        &self.inner
    }

    /// Reads all pieces, and yields what has come of the value whenever that has changed. At the end an
    /// error is yielded if the reply does not conform.
    ///
    /// ```
    /// use llmjson::typed;
    ///
    /// let stream = typed::Stream::<Vec<u8>>::new()?;
    /// let shown: Vec<Result<Vec<u8>, _>> = stream.over(["[1, ", "\"2\", ", "300, ", "4]"]).collect();
    /// assert_eq!(shown[1].as_ref().expect("two numbers"), &[1, 2]);
    /// assert!(shown[shown.len() - 1].is_err());
    /// # Ok::<(), typed::Error>(())
    /// ```
    pub fn over<P, I>(self, pieces: I) -> impl Iterator<Item = Result<P, Error>> + use<T, P, I>
    where
        P: DeserializeOwned,
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let (mut stream, mut pieces) = (Some(self), pieces.into_iter());
        let mut shown = None;
        std::iter::from_fn(move || {
            loop {
                let reading = stream.as_mut()?;
                let piece = pieces.next();
                if let Some(piece) = &piece {
                    reading.push(piece.as_ref());
                }
                if piece.is_none() || reading.stops && !reading.violations().is_empty() {
                    return stream.take()?.finish().err().map(Err);
                }
                let json = reading.inner.value().map(|value| value.to_json());
                if json.is_some() && json != shown {
                    shown = json;
                    return Some(reading.partial()?.map_err(Error::Read));
                }
            }
        })
    }

    /// Ends the reply.
    ///
    /// # Errors
    ///
    /// As [`from_str`](super::from_str).
    pub fn finish(self) -> Result<T, Error> {
        typed(self.inner.finish().parsed)
    }
}

impl<I: DeserializeOwned + JsonSchema + 'static> Stream<Vec<I>> {
    /// Returns the items that have become whole since the last call, each validated.
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

    /// Ends the reply, and returns the rest of the items and the whole list.
    #[expect(
        clippy::type_complexity,
        reason = "the parts are named by the types themselves"
    )]
    pub fn finish_items(self) -> (Vec<Result<I, Error>>, Result<Vec<I>, Error>) {
        let schema = schema::<I>().ok();
        let finished = self.inner.finish_items(schema.as_ref());
        (read_each(finished.items), typed(finished.reply.parsed))
    }
}

fn read_each<I: DeserializeOwned>(items: Vec<Item>) -> Vec<Result<I, Error>> {
    let items = items.into_iter();
    items.map(|item| typed(item.parsed)).collect()
}
