//! Several values in one streamed reply, each coerced.

use std::collections::VecDeque;

use llmjson_schema::Schema;
use llmjson_syntax::{InvalidUtf8, StreamAll};

use super::reply::{Finished, Stream};
use crate::policy::Policy;

/// Parses a streamed reply that holds several values, and coerces each to the schema if one is
/// given. Each value is delivered after its last closing bracket.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::{Schema, stream::All};
///
/// let schema = Schema::from_text(
///     r#"{"type": "object", "properties": {"n": {"type": "integer"}, "of": {"type": "string"}}}"#,
/// )?;
/// let mut stream = All::new(Some(&schema));
/// stream.push("{\"n\": \"1\"} and {\"n\": \"2\", \"of\": \"ma");
/// let (offset, first) = stream.pop().expect("the first value is whole");
/// assert_eq!((offset, first.parsed.to_json().as_deref()), (0, Some(r#"{"n":1}"#)));
/// let shown = stream.current().value().map(|value| value.to_json());
/// assert_eq!(shown.as_deref(), Some(r#"{"n":2,"of":"ma"}"#));
/// let (_, second) = stream.finish().pop_back().expect("what has begun");
/// assert!(!second.parsed.is_complete() && !second.superseded);
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct All {
    /// Finds the end of each value.
    all: StreamAll,
    /// The coerced stream of the value that is arriving.
    current: Stream,
    fresh: Stream,
    done: VecDeque<(usize, Finished)>,
}

impl All {
    /// Creates an empty stream, whose values are coerced to the schema if one is given.
    #[must_use]
    pub fn new(schema: Option<&Schema>) -> Self {
        Self::of(Stream::new(schema))
    }

    /// Returns an empty stream that reads each value under a policy.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        Self::of(self.fresh.with_policy(policy))
    }

    fn of(fresh: Stream) -> Self {
        Self {
            all: StreamAll::new().with_limits(fresh.policy.limits()),
            current: fresh.clone(),
            fresh,
            done: VecDeque::new(),
        }
    }

    /// Takes the next piece of the reply.
    pub fn push(&mut self, piece: &str) {
        self.all.push(piece);
        self.follow();
    }

    /// Takes the next piece of the reply as UTF-8 bytes. A piece may end inside a character.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8: see [`StreamAll::push_bytes`].
    pub fn push_bytes(&mut self, piece: &[u8]) -> Result<(), InvalidUtf8> {
        let pushed = self.all.push_bytes(piece);
        self.follow();
        pushed
    }

    fn follow(&mut self) {
        while let Some((offset, finished)) = self.all.pop() {
            let current = std::mem::replace(&mut self.current, self.fresh.clone());
            let finished = current.finish_as(finished.document);
            self.done.push_back((offset, finished));
        }
        let known = self.current.stream().text().len();
        if let Some(more) = self.all.current().text().get(known..) {
            self.current.push(more);
        }
    }

    /// Removes and returns the next complete value, with the offset at which its text and the text
    /// before it begin.
    pub fn pop(&mut self) -> Option<(usize, Finished)> {
        self.done.pop_front()
    }

    /// Returns the stream of the value that is currently arriving.
    #[must_use]
    pub fn current(&self) -> &Stream {
        &self.current
    }

    /// Returns the stream of the value that is currently arriving, for its
    /// [`events`](Stream::events). After the first call, every value is returned with its
    /// undelivered events.
    pub fn current_mut(&mut self) -> &mut Stream {
        // An empty reply has no changes; a request for them counts nevertheless.
        self.fresh.events();
        &mut self.current
    }

    /// Ends the reply and returns the remaining values, including the received part of the last
    /// one.
    #[must_use]
    pub fn finish(mut self) -> VecDeque<(usize, Finished)> {
        for (offset, finished) in self.all.finish() {
            let current = std::mem::replace(&mut self.current, self.fresh.clone());
            let finished = current.finish_as(finished.document);
            self.done.push_back((offset, finished));
        }
        self.done
    }
}
