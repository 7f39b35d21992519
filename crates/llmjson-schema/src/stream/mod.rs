//! Coercion of streamed text.
//!
//! The coerced value is written as the text arrives, each part once its result is certain: a scalar
//! when it is settled, an unconstrained string as it grows, a container of the expected type with
//! its first member. Some members depend on the whole object (a key that may be another spelling of
//! a member that has not arrived, a possible value in an envelope, a null that may be dropped).
//! Only these are held back until the object is closed; then it is coerced like a complete value,
//! and the member takes its place. An untagged union is held back as a whole. At the end, the
//! result for the whole reply is computed by the same functions as for any reply.

mod frame;
mod walker;
mod watched;

use llmjson_syntax::internal::stream::draft::{Continuation, Draft};
use llmjson_syntax::{
    Document, Event, Finished, InvalidUtf8, Limits, NodeId, Stream, ValueRef, Work,
};

use crate::coerce::CoerceOptions;
use crate::schema::Schema;
use walker::{Out, Walker};

/// Parses streamed text, and shows its value so far, coerced to a schema.
///
/// A value that has been shown is never retracted before the end, but a member that was held back
/// may appear between two others. The cost depends only on the text received so far.
///
/// ```
/// use llmjson_schema::{CoerceOptions, CoercedStream, Schema};
///
/// let schema = Schema::from_text(
///     r#"{"type": "object", "properties": {
///         "city": {"type": "string"}, "days": {"type": "integer"},
///         "level": {"enum": ["low", "high"]}}}"#,
/// )?;
/// let mut stream = CoercedStream::new(&schema, CoerceOptions::default());
/// let mut shown = Vec::new();
/// for piece in ["{\"city\": \"Par", "is\", \"days\": \"1", "2\", \"level\": \"H", "igh\"", "}"] {
///     stream.push(piece);
///     shown.extend(stream.value().map(|value| value.to_json()));
/// }
/// assert_eq!(shown, [
///     r#"{"city":"Par"}"#,
///     r#"{"city":"Paris"}"#,
///     r#"{"city":"Paris","days":12}"#,
///     r#"{"city":"Paris","days":12}"#,
///     r#"{"city":"Paris","days":12,"level":"high"}"#,
/// ]);
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CoercedStream {
    walker: Walker,
    schema: Schema,
    options: CoerceOptions,
    draft: Draft,
    work: Work,
    /// Number of steps allowed per byte.
    per_byte: u32,
    pieces: usize,
}

/// The number of bytes of work allowed per piece, in addition to its own length.
const BYTES_PER_PIECE: usize = 8;

/// The value that a stream with a schema has shown: see [`CoercedStream::finish`].
#[derive(Debug)]
pub struct Shown {
    draft: Draft,
    /// The value that the stream showed itself, with its draft, and possibly the text, or `None` if
    /// that was moved into the document with the value with which this is compared.
    own: Option<Document<'static>>,
}

impl CoercedStream {
    /// Creates an empty stream.
    #[must_use]
    pub fn new(schema: &Schema, options: CoerceOptions) -> Self {
        let stream = Stream::new()
            .with_limits(options.limits)
            .with_names(schema.names().clone());
        Self {
            walker: Walker::new(stream, schema.compiled.shapes.root),
            schema: schema.clone(),
            per_byte: options.limits.work,
            options,
            draft: Draft::default(),
            work: Work::default(),
            pieces: 0,
        }
    }

    /// Sets the parser's limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.walker.stream = self.walker.stream.with_limits(limits);
        self.per_byte = limits.work;
        self
    }

    /// Takes the next piece of the text.
    pub fn push(&mut self, piece: &str) {
        self.walker.stream.push(piece);
        self.advance();
    }

    /// Takes the next piece of the text as UTF-8 bytes. A piece may end inside a character.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8: see [`Stream::push_bytes`].
    pub fn push_bytes(&mut self, piece: &[u8]) -> Result<(), InvalidUtf8> {
        let result = self.walker.stream.push_bytes(piece);
        self.advance();
        result
    }

    fn advance(&mut self) {
        self.pieces += 1;
        let bytes = self.stream().text().len() + BYTES_PER_PIECE * self.pieces;
        self.work = self.work.grown_to(self.per_byte, bytes);
        self.walker.stream.exchange_draft(&mut self.draft);
        let mut out = Out {
            draft: &mut self.draft,
            schema: &self.schema,
            options: &self.options,
            name: None,
            work: &mut self.work,
        };
        self.walker.advance(&mut out);
        self.walker.stream.exchange_draft(&mut self.draft);
    }

    /// Returns the coerced value so far, or `None` if no value has begun.
    #[must_use]
    pub fn value(&self) -> Option<ValueRef<'_>> {
        self.walker.stream.drafted()
    }

    /// Returns `true` if no later text can change this part of the shown value. The value as a
    /// whole is settled only by the end of the text.
    ///
    /// ```
    /// use llmjson_schema::{CoerceOptions, CoercedStream, Schema};
    ///
    /// let schema = Schema::from_text(r#"{"type": "array", "items": {"type": "string"}}"#)?;
    /// let mut stream = CoercedStream::new(&schema, CoerceOptions::default());
    /// stream.push(r#"["one", "tw"#);
    /// let value = stream.value().expect("a list");
    /// let settled: Vec<_> = value.items().map(|item| stream.is_settled(item)).collect();
    /// assert_eq!(settled, [true, false]);
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn is_settled(&self, value: ValueRef<'_>) -> bool {
        self.draft.is_settled(value, &self.walker.stream)
    }

    /// Returns the first child of the shown value, or the child after `previous`.
    #[must_use]
    pub fn child_after(&self, previous: Option<NodeId>) -> Option<ValueRef<'_>> {
        self.draft.child_after(previous, &self.walker.stream)
    }

    /// Returns the stream of the text, whose value is not coerced.
    #[must_use]
    pub fn stream(&self) -> &Stream {
        &self.walker.stream
    }

    /// Returns the work of coercing members that were held back.
    #[must_use]
    pub fn work(&self) -> Work {
        self.work
    }

    /// Returns the changes since the last call, in order.
    pub fn events(&mut self) -> Vec<Event> {
        self.walker.stream.exchange_draft(&mut self.draft);
        let events = self.draft.events(&self.walker.stream);
        self.walker.stream.exchange_draft(&mut self.draft);
        events
    }

    /// Returns the currently shown value, to compare with a later one.
    #[must_use]
    pub fn shown(&self) -> Shown {
        Shown {
            draft: self.draft.clone(),
            own: Some(self.stream().document().clone()),
        }
    }

    /// Returns the shown value and consumes the stream.
    #[must_use]
    pub fn into_shown(self) -> Shown {
        Shown {
            draft: self.draft,
            own: Some(self.walker.stream.into_document()),
        }
    }

    /// Ends the text. Returns the whole reply without coercion, and the shown value. Compare the
    /// latter only with the coerced value of that document, which holds the only copy of the text.
    /// To compare with another document, use [`shown`](Self::shown).
    #[must_use]
    pub fn finish(self) -> (Finished, Shown) {
        let Self { walker, draft, .. } = self;
        let (finished, own) = walker.stream.finish_with_shown();
        (finished, Shown { draft, own })
    }
}

impl Shown {
    /// Returns `true` if a value equals or continues the shown value; otherwise the shown value
    /// must be discarded.
    #[must_use]
    pub fn goes_on_in(&self, value: Option<ValueRef<'_>>) -> bool {
        self.draft.continues_in(self.own.as_ref(), value)
    }

    /// Returns the events of that document's value that [`CoercedStream::events`] has not returned
    /// yet, and the text passed over. Empty if events were never requested.
    #[must_use]
    pub fn last_events(self, whole: &Document<'_>) -> Vec<Event> {
        let superseded = self.draft.is_followed() && !self.goes_on_in(whole.root());
        let continuation = Continuation::superseded_if(superseded);
        let own = self.own.as_ref();
        self.draft.last_events(own, whole, continuation)
    }
}
