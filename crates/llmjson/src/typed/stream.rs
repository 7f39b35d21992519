//! Replies that are still coming, read into Rust types.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use llmjson_reply::policy::{LENIENT, Policy};
use llmjson_reply::stream::{InvalidUtf8, ItemStream, LastingViolation, ReplyStream};

use super::{Error, Typed, schema, typed};

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
/// let trip = stream.finish()?.value;
/// assert_eq!((trip.city.as_str(), trip.days), ("Oslo", 3));
/// # Ok::<(), typed::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stream<T> {
    inner: ReplyStream,
    of: PhantomData<fn() -> T>,
}

/// Reads a list that comes in pieces, and gives out each item as a value of a Rust type when no later
/// text changes it.
///
/// ```
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Guest {
///     name: String,
/// }
///
/// let mut stream = llmjson::typed::Items::<Guest>::new()?;
/// stream.push(r#"[{"name": "Ada"}, {"name": "Al"#);
/// let guests = stream.items();
/// assert!(matches!(&guests[..], [Ok(guest)] if guest.value.name == "Ada"));
/// stream.push("an\"}]");
/// let (rest, whole) = stream.finish();
/// assert_eq!((rest.len(), whole?.value.len()), (1, 2));
/// # Ok::<(), llmjson::typed::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Items<T> {
    inner: ItemStream,
    of: PhantomData<fn() -> T>,
}

/// What has come of a reply, piece by piece: see [`Stream::over`].
#[derive(Debug)]
pub struct Partials<T, P, I> {
    stream: Option<Stream<T>>,
    pieces: I,
    stops: bool,
    shown: Option<String>,
    of: PhantomData<fn() -> P>,
}

impl<T: DeserializeOwned + JsonSchema + 'static> Stream<T> {
    /// Creates a stream without text.
    ///
    /// # Errors
    ///
    /// If the schema that the type derives cannot be used.
    pub fn new() -> Result<Self, Error> {
        Self::with_policy(&LENIENT)
    }

    /// Creates a stream under a policy.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_policy(policy: &Policy) -> Result<Self, Error> {
        let schema = schema::<T>().map_err(Error::Schema)?;
        Ok(Self {
            inner: ReplyStream::with_policy(&schema, policy),
            of: PhantomData,
        })
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
        self.inner.value().map(llmjson_reply::de::from_value_ref)
    }

    /// Returns the violations that last: see [`ReplyStream::violations`].
    pub fn violations(&mut self) -> &[LastingViolation] {
        self.inner.violations()
    }

    /// Returns the stream of the reply as JSON.
    #[must_use]
    pub fn reply(&self) -> &ReplyStream {
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
    pub fn over<P, I>(self, pieces: I) -> Partials<T, P, I::IntoIter>
    where
        P: DeserializeOwned,
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        Partials {
            stream: Some(self),
            pieces: pieces.into_iter(),
            stops: false,
            shown: None,
            of: PhantomData,
        }
    }

    /// Ends the reply.
    ///
    /// # Errors
    ///
    /// As [`from_str`](super::from_str).
    pub fn finish(self) -> Result<Typed<'static, T>, Error> {
        typed(self.inner.finish().parsed)
    }
}

impl<T, P, I> Partials<T, P, I> {
    /// The same, but it ends with an error as soon as a violation is seen that later text cannot take
    /// away.
    #[must_use]
    pub fn stop_on_violation(self) -> Self {
        Self {
            stops: true,
            ..self
        }
    }
}

impl<T, P, I> Iterator for Partials<T, P, I>
where
    T: DeserializeOwned + JsonSchema + 'static,
    P: DeserializeOwned,
    I: Iterator,
    I::Item: AsRef<str>,
{
    type Item = Result<P, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let stream = self.stream.as_mut()?;
            let Some(piece) = self.pieces.next() else {
                let ended = self.stream.take()?.finish();
                return ended.err().map(Err);
            };
            stream.push(piece.as_ref());
            if self.stops && !stream.violations().is_empty() {
                let ended = self.stream.take()?.finish();
                return ended.err().map(Err);
            }
            let json = stream.inner.value().map(|value| value.to_json());
            if json.is_some() && json != self.shown {
                self.shown = json;
                return Some(stream.partial()?.map_err(Error::Read));
            }
        }
    }
}

impl<T: DeserializeOwned + JsonSchema + 'static> Items<T> {
    /// Creates a stream without text.
    ///
    /// # Errors
    ///
    /// If the schema that the type derives cannot be used.
    pub fn new() -> Result<Self, Error> {
        Self::with_policy(&LENIENT)
    }

    /// Creates a stream under a policy.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_policy(policy: &Policy) -> Result<Self, Error> {
        let list = schema::<Vec<T>>().map_err(Error::Schema)?;
        let item = schema::<T>().map_err(Error::Schema)?;
        Ok(Self {
            inner: ItemStream::new(&list, &item, policy),
            of: PhantomData,
        })
    }

    /// Takes in the next piece of the reply.
    pub fn push(&mut self, piece: &str) {
        self.inner.push(piece);
    }

    /// Returns the items that have become whole since the last call, each validated.
    pub fn items(&mut self) -> Vec<Result<Typed<'static, T>, Error>> {
        let items = self.inner.items().into_iter();
        items.map(|item| typed(item.parsed)).collect()
    }

    /// Returns the violations that last: see [`ReplyStream::violations`].
    pub fn violations(&mut self) -> &[LastingViolation] {
        self.inner.violations()
    }

    /// Ends the reply, and returns the rest of the items and the whole list.
    #[expect(
        clippy::type_complexity,
        reason = "the parts are named by the types themselves"
    )]
    pub fn finish(
        self,
    ) -> (
        Vec<Result<Typed<'static, T>, Error>>,
        Result<Typed<'static, Vec<T>>, Error>,
    ) {
        let finished = self.inner.finish();
        let items = finished.items.into_iter();
        let items = items.map(|item| typed(item.parsed)).collect();
        (items, typed(finished.reply.parsed))
    }
}
