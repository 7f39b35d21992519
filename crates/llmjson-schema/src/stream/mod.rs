//! Coercion of a text that is still coming.
//!
//! The value is written down once more as it comes, each part when it is certain what the schema
//! makes of it: a scalar once it is settled, a text that may be any text as it grows, a container
//! of the wanted type with its first member. A member of which only the whole object can tell what
//! becomes of it (a name that is another spelling of one that has not come, what may be the value in
//! an envelope, a null that may have to go) is held back alone, until the object is closed; then that
//! is corrected as in a whole value, and the member shown in its place. An untagged union is held
//! back as a whole. What the whole reply amounts to is told at its end by the same functions as for
//! any reply.

mod frame;
mod walker;

use llmjson_syntax::internal::stream::draft::{Continuation, Draft};
use llmjson_syntax::{
    Document, Event, Finished, InvalidUtf8, Limits, NodeId, Stream, ValueRef, Work,
};

use crate::coerce::CoerceOptions;
use crate::schema::Schema;
use walker::{Out, Walker};

/// Reads a text that comes in pieces, and shows its value so far, coerced to a schema.
///
/// Nothing that was shown is taken back before the end, but a member that was held back may come
/// between two that are shown. What it costs depends on what has come, not on the whole.
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
    /// The steps that may be spent for each byte.
    per_byte: u32,
    pieces: usize,
}

/// Number of bytes whose work each piece is allowed besides its own.
const BYTES_PER_PIECE: usize = 8;

/// The value that a stream with a schema has shown: see [`CoercedStream::finish`].
#[derive(Debug)]
pub struct Shown {
    draft: Draft,
    /// The value that the stream showed itself, with the draft beside it, and perhaps the text;
    /// `None` if that went into the document with the value that this is compared with.
    own: Option<Document<'static>>,
}

impl CoercedStream {
    /// Creates a stream without text.
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

    /// Sets the limits for reading.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.walker.stream = self.walker.stream.with_limits(limits);
        self.per_byte = limits.work;
        self
    }

    /// Takes in the next piece of the text.
    pub fn push(&mut self, piece: &str) {
        self.walker.stream.push(piece);
        self.advance();
    }

    /// Takes in the next piece of a text in UTF-8, which may end within a character.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8, as [`Stream::push_bytes`] says.
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

    /// Returns the coerced value so far; `None` before a value has begun.
    #[must_use]
    pub fn value(&self) -> Option<ValueRef<'_>> {
        self.walker.stream.drafted()
    }

    /// Returns `true` if no later text changes this value, a part of the one that is shown. The
    /// whole is settled by the end of the text alone.
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

    /// Returns the first child of the value that is shown, or the next one after a child of it.
    #[must_use]
    pub fn child_after(&self, previous: Option<NodeId>) -> Option<ValueRef<'_>> {
        self.draft.child_after(previous, &self.walker.stream)
    }

    /// Returns the stream of the text, whose value is not coerced.
    #[must_use]
    pub fn stream(&self) -> &Stream {
        &self.walker.stream
    }

    /// Returns the work of correcting what was held back.
    #[must_use]
    pub fn work(&self) -> Work {
        self.work
    }

    /// Returns what has changed since the last call, in order.
    pub fn events(&mut self) -> Vec<Event> {
        self.walker.stream.exchange_draft(&mut self.draft);
        let events = self.draft.events(&self.walker.stream);
        self.walker.stream.exchange_draft(&mut self.draft);
        events
    }

    /// Returns what is shown now, to be compared with a later value.
    #[must_use]
    pub fn shown(&self) -> Shown {
        Shown {
            draft: self.draft.clone(),
            own: Some(self.stream().document().clone()),
        }
    }

    /// Returns what was shown, if nothing more is asked of the stream.
    #[must_use]
    pub fn into_shown(self) -> Shown {
        Shown {
            draft: self.draft,
            own: Some(self.walker.stream.into_document()),
        }
    }

    /// Ends the text. Returns the whole reply without coercion, and what was shown of it, to be
    /// compared with the coerced value of that document, which holds the only copy of the text. For
    /// a comparison with another document use [`shown`](Self::shown).
    #[must_use]
    pub fn finish(self) -> (Finished, Shown) {
        let Self { walker, draft, .. } = self;
        let (finished, own) = walker.stream.finish_with_shown();
        (finished, Shown { draft, own })
    }
}

impl Shown {
    /// Returns `true` if a value is what was shown or continues it; otherwise what was shown has to
    /// be discarded.
    #[must_use]
    pub fn goes_on_in(&self, value: Option<ValueRef<'_>>) -> bool {
        self.draft.continues_in(self.own.as_ref(), value)
    }

    /// Returns the events of that document's value that were not given out by
    /// [`CoercedStream::events`] yet, and the text that passed by it. Nothing if events were never
    /// asked for.
    #[must_use]
    pub fn last_events(self, whole: &Document<'_>) -> Vec<Event> {
        let superseded = self.draft.is_followed() && !self.goes_on_in(whole.root());
        let continuation = Continuation::superseded_if(superseded);
        let own = self.own.as_ref();
        self.draft.last_events(own, whole, continuation)
    }
}
