//! One value of a reply that is still coming.

use llmjson_schema::{CoercedStream, Schema, Shown};
use llmjson_syntax::{Document, Event, InvalidUtf8, ValueRef};

use super::items::Given;
use super::lasting::Lasting;
use crate::policy::{FinishReason, Policy};
use crate::reply::{Parsed, read_document};

/// Reads a reply that comes in pieces, and shows at any time its value so far, coerced to
/// the schema if there is one.
///
/// Nothing that was shown is taken back before the end. Strings and lists grow; numbers, keywords,
/// enumerated values and dates wait until they are whole.
///
/// A declared member is shown as it comes, whatever stands before it. A member that the schema does
/// not declare is shown at once if it stays as it is whatever comes next. Otherwise it waits for the
/// end of its object and is then shown in its own place, before members that are shown already: a
/// name that may mean a declared member which has not come, an object or text of JSON that may be
/// the value in an envelope, and a label such as `type` that goes with an envelope. A `null` or a
/// repeated name where none may stand waits likewise. An object of a union waits for its tag, or
/// where there is none for its end.
///
/// Looks ahead and second looks at what waits are charged to one account
/// ([`Limits::work`](llmjson_syntax::Limits::work)). Where it is used up, what is new waits until more text
/// has come, which allows more, or for [`finish`](Self::finish).
///
/// [`finish`](Self::finish) gives just what [`parse`](crate::parse) gives for the whole reply.
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
    /// `true` if changes were asked for.
    is_followed: bool,
}

/// The value so far.
#[derive(Clone, Debug)]
pub(super) enum Inner {
    AsItIs(Box<llmjson_syntax::Stream>),
    Coerced(Box<CoercedStream>),
}

/// The result of a reply that has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finished {
    /// The same as [`Policy::parse`] returns for the whole reply.
    pub parsed: Parsed<'static>,
    /// `true` if the value is another one than was shown, and does not continue it: what was shown
    /// has to be discarded.
    pub superseded: bool,
    /// The changes since the last call of [`Stream::events`]; empty if there was none.
    pub events: Vec<Event>,
}

impl Stream {
    /// Creates a stream without text, whose value will be coerced to the schema if there is one.
    #[must_use]
    pub fn new(schema: Option<&Schema>) -> Self {
        Self::under(schema.cloned(), Policy::lenient())
    }

    /// Returns a stream without text that reads under a policy.
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

    /// Tells why the model stopped, which servers say at the end: see [`Policy::with_finish_reason`].
    pub fn set_finish_reason(&mut self, reason: FinishReason) {
        self.policy = self.policy.clone().with_finish_reason(reason);
    }

    /// Takes in the next piece of the reply.
    pub fn push(&mut self, piece: &str) {
        match &mut self.inner {
            Inner::AsItIs(stream) => stream.push(piece),
            Inner::Coerced(stream) => stream.push(piece),
        }
    }

    /// Takes in the next piece of a reply in UTF-8, which may end within a character.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8, as [`llmjson_syntax::Stream::push_bytes`] says.
    pub fn push_bytes(&mut self, piece: &[u8]) -> Result<(), InvalidUtf8> {
        match &mut self.inner {
            Inner::AsItIs(stream) => stream.push_bytes(piece),
            Inner::Coerced(stream) => stream.push_bytes(piece),
        }
    }

    /// Returns the value so far; `None` before a value has begun.
    #[must_use]
    pub fn value(&self) -> Option<ValueRef<'_>> {
        match &self.inner {
            Inner::AsItIs(stream) => stream.document().root(),
            Inner::Coerced(stream) => stream.value(),
        }
    }

    /// Returns `true` if no later text changes this value, a part of the one that is shown. The whole is
    /// settled by the end of the text alone.
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

    /// Returns what has changed since the last call, in order. Applied in order, the changes yield what
    /// [`value`](Self::value) shows.
    pub fn events(&mut self) -> Vec<Event> {
        self.is_followed = true;
        match &mut self.inner {
            Inner::AsItIs(stream) => stream.events(),
            Inner::Coerced(stream) => stream.events(),
        }
    }

    /// Ends the reply.
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
                // Under some policies the value may come out of another document.
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

    /// Ends a value of several, which is that of a document.
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
    policy.tell(&parsed);
    let is_shown = match json {
        Some(json) => parsed.to_json() == json,
        None => parsed.value().map(ValueRef::id) == shown,
    };
    // The policy takes another reading than the one that is best without it.
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
    policy.tell(&parsed);
    let superseded = !shown.goes_on_in(parsed.value());
    let events = shown.last_events(parsed.document());
    parsed.document.forget_draft();
    Finished {
        parsed,
        superseded,
        events,
    }
}
