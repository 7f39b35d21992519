//! One value of a reply that is still coming.

use llmjson_schema::{CoercedStream, Schema, Shown};
use llmjson_syntax::{Document, Event, InvalidUtf8, Stream, ValueRef};

use super::items::Given;
use super::lasting::Lasting;
use crate::policy::Policy;
use crate::reply::{Parsed, read_document};

/// Reads a reply that comes in pieces, and shows at any time its value so far, coerced to the schema.
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
/// [`finish`](Self::finish) gives just what [`parse`](crate::parse) gives for the whole reply. Without
/// a schema use [`Stream`].
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::{Schema, stream::ReplyStream};
///
/// let schema = Schema::from_text(
///     r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}"#,
/// )?;
/// let mut stream = ReplyStream::new(&schema);
/// stream.push("Here you are: {city: 'Paris', \"da");
/// stream.push("ys\": \"12\"} Have a nice trip!");
/// let finished = stream.finish();
/// assert!(finished.parsed.conforms() && !finished.superseded);
/// assert_eq!(finished.parsed.to_json().as_deref(), Some(r#"{"city":"Paris","days":12}"#));
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReplyStream {
    pub(super) inner: CoercedStream,
    pub(super) schema: Schema,
    pub(super) policy: Policy,
    pub(super) lasting: Lasting,
    pub(super) given: Given,
}

/// The result of a reply that has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FinishedReply {
    /// The same as [`parse_with`](crate::parse_with) returns for the whole reply.
    pub parsed: Parsed<'static>,
    /// `true` if the value is another one than was shown, and does not continue it: what was shown
    /// has to be discarded.
    pub superseded: bool,
    /// The changes since the last call of [`ReplyStream::events`]; empty if there was none.
    pub events: Vec<Event>,
}

impl ReplyStream {
    /// Creates a stream without text whose value will be coerced to this schema.
    #[must_use]
    pub fn new(schema: &Schema) -> Self {
        Self::with_policy(schema, &Policy::lenient())
    }

    /// Creates a stream under a policy. While the reply comes, the policy decides what coercion may do;
    /// repairs are judged at the end.
    #[must_use]
    pub fn with_policy(schema: &Schema, policy: &Policy) -> Self {
        let inner = CoercedStream::new(policy.opens(schema), policy.coercion().clone());
        Self {
            inner: inner.with_limits(policy.limits()),
            schema: schema.clone(),
            policy: policy.clone(),
            lasting: Lasting::default(),
            given: Given::default(),
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
    /// If the bytes are not UTF-8, as [`Stream::push_bytes`] says.
    pub fn push_bytes(&mut self, piece: &[u8]) -> Result<(), InvalidUtf8> {
        self.inner.push_bytes(piece)
    }

    /// Returns the value so far, coerced to the schema; `None` before a value has begun.
    #[must_use]
    pub fn value(&self) -> Option<ValueRef<'_>> {
        self.inner.value()
    }

    /// Returns the stream of the reply, whose value is not coerced.
    #[must_use]
    pub fn stream(&self) -> &Stream {
        self.inner.stream()
    }

    /// Returns what has changed since the last call, in order.
    pub fn events(&mut self) -> Vec<Event> {
        self.inner.events()
    }

    /// Ends the reply and returns its result.
    #[must_use]
    pub fn finish(self) -> FinishedReply {
        // Under some policies the value may come out of another document.
        let apart = self.policy.ways.lead_elsewhere();
        let apart = apart.then(|| self.inner.shown());
        let (finished, shown) = self.inner.finish();
        let shown = apart.unwrap_or(shown);
        judge(finished.document, shown, &self.schema, &self.policy)
    }

    /// Ends the reply with this document.
    pub(super) fn finish_as(self, document: Document<'static>) -> FinishedReply {
        judge(
            document,
            self.inner.into_shown(),
            &self.schema,
            &self.policy,
        )
    }
}

fn judge(
    document: Document<'static>,
    shown: Shown,
    schema: &Schema,
    policy: &Policy,
) -> FinishedReply {
    let mut parsed = read_document(document, schema, policy);
    policy.tell(&parsed);
    let superseded = !shown.goes_on_in(parsed.value());
    let events = shown.last_events(parsed.document());
    parsed.document.forget_draft();
    FinishedReply {
        parsed,
        superseded,
        events,
    }
}
