//! The arguments of streamed tool calls.

use llmjson_schema::Schema;
use llmjson_syntax::{Event, ValueRef};
use llmjson_wire::CallState;

use crate::policy::{FinishReason, Policy};
use crate::reply::Parsed;
use crate::stream::reply::Stream;

/// Returns the schema of the arguments of the tool of that name.
type SchemaOf = Box<dyn FnMut(&str) -> Option<Schema> + Send>;

/// Parses the arguments of every tool call in a streamed reply while they arrive.
///
/// After each chunk passed to an `llmjson_wire::Accumulator`, pass its calls to
/// [`update`](Self::update). Each byte of arguments is read once.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::{Policy, Schema, stream::Deltas};
/// use llmjson_wire::Accumulator;
///
/// let weather = Schema::from_text(
///     r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}"#,
/// )?;
/// let mut calls = Deltas::new(move |name: &str| (name == "weather").then(|| weather.clone()));
/// let mut reply = Accumulator::new();
/// for call in [
///     r#"{"index":0,"id":"c1","function":{"name":"weather","arguments":"{\"city\": \"Os"}}"#,
///     r#"{"index":0,"function":{"arguments":"lo\", \"days\": \"3\"}"}}"#,
/// ] {
///     reply.push_text(&format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{call}]}}}}]}}"#))?;
///     calls.update(reply.tool_calls());
///     let so_far = calls.get(0).and_then(|call| call.value()).map(|value| value.to_json());
///     println!("{}", so_far.unwrap_or_default()); // {"city":"Os"}, then all of it
/// }
/// let finished = calls.finish(Some("tool_calls"));
/// assert_eq!(finished[0].name, "weather");
/// assert_eq!(finished[0].parsed.to_json().as_deref(), Some(r#"{"city":"Oslo","days":3}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Deltas {
    schema_of: SchemaOf,
    policy: Policy,
    calls: Vec<DeltaCall>,
}

impl std::fmt::Debug for Deltas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deltas")
            .field("calls", &self.calls)
            .finish_non_exhaustive()
    }
}

/// The arguments of a call that is still streaming.
#[derive(Clone, Debug, Default)]
pub struct DeltaCall {
    id: String,
    name: String,
    schema: Option<Schema>,
    arguments: String,
    /// Number of bytes of the arguments that the stream has consumed.
    fed: usize,
    stream: Option<Stream>,
}

/// The arguments of a call that has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FinishedCall {
    /// The id of the call.
    pub id: String,
    /// The name of the function.
    pub name: String,
    /// The result of [`Policy::arguments`] for the complete arguments.
    pub parsed: Parsed<'static>,
}

impl Deltas {
    /// Creates a reader with a function that returns the schema for a function name. Arguments
    /// without a schema are parsed but not coerced.
    #[must_use]
    pub fn new(schema_of: impl FnMut(&str) -> Option<Schema> + Send + 'static) -> Self {
        Self {
            schema_of: Box::new(schema_of),
            policy: Policy::lenient(),
            calls: Vec::new(),
        }
    }

    /// Sets the policy under which arguments are read.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Takes new parts of a reply's calls: pass all calls each time, in the same order.
    ///
    /// The schema is requested once arguments begin to arrive, since servers usually send the name
    /// first. If not, the arguments wait for it.
    pub fn update(&mut self, calls: &[CallState]) {
        for (place, call) in calls.iter().enumerate() {
            if place == self.calls.len() {
                self.calls.push(DeltaCall::default());
            }
            let held = &mut self.calls[place];
            held.take(call);
            if held.stream.is_none() && !held.name.is_empty() && !held.arguments.is_empty() {
                held.schema = (self.schema_of)(&held.name);
                let stream = Stream::new(held.schema.as_ref());
                held.stream = Some(stream.with_policy(self.policy.clone()));
            }
            held.feed();
        }
    }

    /// Returns all calls so far, in order of arrival.
    #[must_use]
    pub fn calls(&self) -> &[DeltaCall] {
        &self.calls
    }

    /// Returns the call at this index.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<&DeltaCall> {
        self.calls.get(place)
    }

    /// Returns the call at this index, for its events.
    pub fn get_mut(&mut self, place: usize) -> Option<&mut DeltaCall> {
        self.calls.get_mut(place)
    }

    /// Ends the reply with this finish reason and returns its calls. A reason that implies
    /// truncation applies to the last call, because the earlier ones have ended.
    #[must_use]
    pub fn finish(mut self, finish_reason: Option<&str>) -> Vec<FinishedCall> {
        let last = self.calls.len().saturating_sub(1);
        let finish = finish_reason.map(FinishReason::named);
        let mut finished = Vec::with_capacity(self.calls.len());
        for (place, call) in std::mem::take(&mut self.calls).into_iter().enumerate() {
            let schema = match (&call.stream, call.schema) {
                (None, _) if !call.name.is_empty() => (self.schema_of)(&call.name),
                (_, schema) => schema,
            };
            let mut policy = self.policy.clone().with_tool(&call.name);
            if let (Some(reason), true) = (&finish, place == last) {
                policy = policy.with_finish_reason(reason.clone());
            }
            let parsed = policy.arguments(&call.arguments, schema.as_ref());
            finished.push(FinishedCall {
                id: call.id,
                name: call.name,
                parsed: parsed.into_owned(),
            });
        }
        finished
    }
}

impl DeltaCall {
    /// Returns the id of the call, or an empty string before it arrives.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the name of the function, or an empty string before it arrives.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text of the arguments so far.
    #[must_use]
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// Returns the arguments so far, coerced to the schema, or `None` if no value has begun.
    #[must_use]
    pub fn value(&self) -> Option<ValueRef<'_>> {
        self.stream.as_ref()?.value()
    }

    /// Returns the changes since the last call, in order.
    pub fn events(&mut self) -> Vec<Event> {
        self.stream.as_mut().map(Stream::events).unwrap_or_default()
    }

    fn take(&mut self, call: &CallState) {
        if self.id != call.id() {
            call.id().clone_into(&mut self.id);
        }
        // The schema belongs to the name that was known when the arguments began.
        if self.stream.is_none() && self.name != call.name() {
            call.name().clone_into(&mut self.name);
        }
        // Texts only grow; the calls of another reply add nothing usable.
        let news = call.arguments().get(self.arguments.len()..);
        self.arguments.push_str(news.unwrap_or_default());
    }

    fn feed(&mut self) {
        if let Some(stream) = &mut self.stream {
            stream.push(&self.arguments[self.fed..]);
            self.fed = self.arguments.len();
        }
    }
}
