//! One value of a streamed reply.

use llmjson_schema::{CoercedStream, Schema, Shown};
use llmjson_syntax::{Document, Event, InvalidUtf8, ValueRef};

use super::items::Given;
use super::lasting::Lasting;
use crate::policy::{FinishReason, Policy};
use crate::reply::{Parsed, read_document};

/// Parses a streamed reply, and shows its value so far at any time, coerced to the schema if one is
/// given.
///
/// A value that has been shown is never retracted before the end. Strings and arrays grow; numbers,
/// keywords, enumerated values and dates wait until they are complete.
///
/// A declared member is shown as it arrives, whatever precedes it. Members after a comment in the
/// value are an exception: they are shown at the end of the reply. An undeclared member is shown at
/// once if later text cannot change it. Otherwise it waits for the end of its object, and then
/// takes its own position before members that are already shown: a key that may stand for a
/// declared member that has not arrived, an object or JSON string that may be the value in an
/// envelope, or a label such as `type` that belongs to an envelope. A `null` or a duplicate key
/// that the schema does not allow waits likewise. An object of a union waits for its tag, or for
/// its end if there is none.
///
/// Lookahead and re-reading of waiting members are charged to one work budget
/// ([`Limits::work`](llmjson_syntax::Limits::work)). If it is exhausted, new members wait until
/// more text arrives, which adds to the budget, or until [`finish`](Self::finish).
///
/// [`finish`](Self::finish) returns the same result as [`parse`](crate::parse) for the complete
/// reply.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::{Schema, stream::Stream};
///
/// let schema = Schema::from_text(
///     r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}"#,
/// )?;
/// let mut stream = Stream::new(Some(&schema));
/// stream.push("Here you are: {city: 'Paris', \"da");
/// stream.push("ys\": \"12\"} Have a nice trip!");
/// let finished = stream.finish();
/// assert!(finished.parsed.conforms() && !finished.superseded);
/// assert_eq!(finished.parsed.to_json().as_deref(), Some(r#"{"city":"Paris","days":12}"#));
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stream {
    pub(super) inner: Inner,
    pub(super) schema: Option<Schema>,
    pub(super) policy: Policy,
    pub(super) lasting: Lasting,
    pub(super) given: Given,
    /// `true` if changes were requested.
    is_followed: bool,
}

/// The value so far.
#[derive(Clone, Debug)]
pub(super) enum Inner {
    AsItIs(Box<llmjson_syntax::Stream>),
    Coerced(Box<CoercedStream>),
}

/// The result of a streamed reply that has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finished {
    /// The result of [`Policy::parse`] for the complete reply.
    pub parsed: Parsed<'static>,
    /// `true` if the value does not continue the shown value: discard the shown value.
    pub superseded: bool,
    /// The changes since the last call of [`Stream::events`]; empty if it was never called.
    pub events: Vec<Event>,
}

impl Stream {
    /// Creates an empty stream, whose value is coerced to the schema if one is given.
    #[must_use]
    pub fn new(schema: Option<&Schema>) -> Self {
        Self::under(schema.cloned(), Policy::lenient())
    }

    /// Returns an empty stream that reads under a policy.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        Self::under(self.schema, policy)
    }

    fn under(schema: Option<Schema>, policy: Policy) -> Self {
        let inner = match &schema {
            Some(schema) => {
                let stream = CoercedStream::new(policy.opens(schema), policy.coercion().clone());
                Inner::Coerced(Box::new(stream.with_limits(policy.limits())))
            }
            None => {
                let stream = llmjson_syntax::Stream::new().with_limits(policy.limits());
                Inner::AsItIs(Box::new(stream))
            }
        };
        Self {
            inner,
            schema,
            policy,
            lasting: Lasting::default(),
            given: Given::default(),
            is_followed: false,
        }
    }

    /// Sets why the model stopped, which servers report at the end: see
    /// [`Policy::with_finish_reason`].
    pub fn set_finish_reason(&mut self, reason: FinishReason) {
        self.policy = self.policy.clone().with_finish_reason(reason);
    }

    /// Takes the next piece of the reply.
    pub fn push(&mut self, piece: &str) {
        match &mut self.inner {
            Inner::AsItIs(stream) => stream.push(piece),
            Inner::Coerced(stream) => stream.push(piece),
        }
    }

    /// Takes the next piece of the reply as UTF-8 bytes. A piece may end inside a character.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8: see [`llmjson_syntax::Stream::push_bytes`].
    pub fn push_bytes(&mut self, piece: &[u8]) -> Result<(), InvalidUtf8> {
        match &mut self.inner {
            Inner::AsItIs(stream) => stream.push_bytes(piece),
            Inner::Coerced(stream) => stream.push_bytes(piece),
        }
    }

    /// Returns the value so far, or `None` if no value has begun.
    #[must_use]
    pub fn value(&self) -> Option<ValueRef<'_>> {
        match &self.inner {
            Inner::AsItIs(stream) => stream.document().root(),
            Inner::Coerced(stream) => stream.value(),
        }
    }

    /// Returns `true` if no later text can change this part of the shown value. The value as a
    /// whole is settled only by the end of the text.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// let mut stream = llmjson::stream::Stream::new(None);
    /// stream.push(r#"["one", "tw"#);
    /// let value = stream.value().expect("a list");
    /// let settled: Vec<_> = value.items().map(|item| stream.is_settled(item)).collect();
    /// assert_eq!(settled, [true, false]);
    /// ```
    #[must_use]
    pub fn is_settled(&self, value: ValueRef<'_>) -> bool {
        match &self.inner {
            Inner::AsItIs(stream) => stream.is_settled(value.id()),
            Inner::Coerced(stream) => stream.is_settled(value),
        }
    }

    /// Returns the stream of the text, whose value is not coerced.
    #[must_use]
    pub fn stream(&self) -> &llmjson_syntax::Stream {
        match &self.inner {
            Inner::AsItIs(stream) => stream,
            Inner::Coerced(stream) => stream.stream(),
        }
    }

    /// Returns the changes since the last call, in order. Applying them in order yields the
    /// [`value`](Self::value).
    pub fn events(&mut self) -> Vec<Event> {
        self.is_followed = true;
        match &mut self.inner {
            Inner::AsItIs(stream) => stream.events(),
            Inner::Coerced(stream) => stream.events(),
        }
    }

    /// Ends the reply and returns its result.
    #[must_use]
    pub fn finish(self) -> Finished {
        let seen = self.seen();
        let Self {
            inner,
            schema,
            policy,
            ..
        } = self;
        match inner {
            Inner::AsItIs(stream) => as_it_is(stream.finish(), &policy, seen),
            Inner::Coerced(stream) => {
                // Under some policies the value may belong to another document.
                let apart = policy.ways.lead_elsewhere();
                let apart = apart.then(|| stream.shown());
                let (finished, shown) = stream.finish();
                let shown = apart.unwrap_or(shown);
                judge(finished.document, shown, schema.as_ref(), &policy)
            }
        }
    }

    fn seen(&self) -> Seen {
        Seen {
            value: self.value().is_some(),
            events: self.is_followed,
        }
    }

    /// Ends one of several values, which is the document's value.
    pub(super) fn finish_as(self, document: Document<'static>) -> Finished {
        let seen = self.seen();
        match self.inner {
            Inner::AsItIs(stream) => as_it_is(stream.finish_as(document), &self.policy, seen),
            Inner::Coerced(stream) => judge(
                document,
                stream.into_shown(),
                self.schema.as_ref(),
                &self.policy,
            ),
        }
    }
}

/// The part of a reply that its reader has seen.
#[derive(Clone, Copy)]
struct Seen {
    value: bool,
    events: bool,
}

fn as_it_is(finished: llmjson_syntax::Finished, policy: &Policy, seen: Seen) -> Finished {
    let llmjson_syntax::Finished {
        document,
        mut superseded,
        mut events,
        ..
    } = finished;
    let shown = document.root().map(ValueRef::id);
    let json = (policy.ways.lead_elsewhere()).then(|| document.to_json());
    let parsed = read_document(document, None, policy);
    policy.emit(&parsed);
    let is_shown = match json {
        Some(json) => parsed.to_json() == json,
        None => parsed.value().map(ValueRef::id) == shown,
    };
    // The policy chooses a candidate other than the best one without it.
    if !superseded && seen.value && !is_shown {
        superseded = true;
        events.clear();
        events.extend(seen.events.then(Event::superseded));
    }
    Finished {
        parsed,
        superseded,
        events,
    }
}

fn judge(
    document: Document<'static>,
    shown: Shown,
    schema: Option<&Schema>,
    policy: &Policy,
) -> Finished {
    let mut parsed = read_document(document, schema, policy);
    policy.emit(&parsed);
    let superseded = !shown.goes_on_in(parsed.value());
    let events = shown.last_events(parsed.document());
    parsed.document.forget_draft();
    Finished {
        parsed,
        superseded,
        events,
    }
}
