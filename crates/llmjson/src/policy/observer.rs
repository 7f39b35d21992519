//! Observers, which are told what became of each reply.

use crate::names::named;
use llmjson_schema::{Coercion, Refusal, Violation};
use llmjson_syntax::{Class, Repair};

/// A listener that is told what became of each reply or value that is read under a
/// [`Policy`](crate::Policy).
///
/// It is called once for each call that takes the policy, on the caller's thread, before the call
/// returns. Functions over [`Observation`]s are observers.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use llmjson::{Policy, policy::Observation};
///
/// let repaired = Arc::new(AtomicUsize::new(0));
/// let counter = Arc::clone(&repaired);
/// let policy = Policy::tool().with_tool("search").with_observer(move |event: &Observation<'_>| {
///     assert_eq!(event.tool, Some("search"));
///     counter.fetch_add(event.repairs.len(), Ordering::Relaxed);
/// });
/// let _ = llmjson::arguments_with("{'query': 'tea',}", None, &policy);
/// assert_eq!(repaired.load(Ordering::Relaxed), 3);
/// ```
pub trait Observer: Send + Sync {
    /// Called with what became of one reply or value.
    fn observe(&self, event: &Observation<'_>);

    /// Called when [`Retry`](crate::retry::Retry) does something other than take the value. What
    /// became of the reply itself was told before.
    fn observe_retry(&self, event: &RetryEvent<'_>) {
        let _ = event;
    }
}

impl<F: Fn(&Observation<'_>) + Send + Sync> Observer for F {
    fn observe(&self, event: &Observation<'_>) {
        self(event);
    }
}

/// What became of one reply or value.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Observation<'e> {
    /// The outcome.
    pub outcome: Outcome,
    /// The tool whose arguments were read, as the policy names it.
    pub tool: Option<&'e str>,
    /// The model that wrote the reply, as the policy or the response names it.
    pub model: Option<&'e str>,
    /// Every change made to read the text as JSON.
    pub repairs: &'e [Repair],
    /// Every change made to fit the schema.
    pub coercions: &'e [Coercion],
    /// Every way in which the value does not satisfy the schema.
    pub violations: &'e [Violation],
    /// What the policy does not allow.
    pub refused: &'e [Refusal],
    /// How sure the value is; `None` if there is none.
    pub certainty: Option<Class>,
    /// Whether the text of the value ended as it should.
    pub complete: bool,
    /// The length of the text in bytes.
    pub text_bytes: usize,
}

/// How reading a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// There is a value that conforms, and nothing was done to get it.
    Unchanged,
    /// There is a value that conforms, after repairs or coercions, or one that was cut off.
    Repaired,
    /// The value does not fit the schema.
    Violations,
    /// The policy does not allow the way in which the value was read.
    Refused,
    /// There is no value.
    NoValue,
}

named!(Outcome:
    "unchanged" => Unchanged, "repaired" => Repaired, "violations" => Violations,
    "refused" => Refused, "no_value" => NoValue
);

/// What is done about a reply that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryEvent<'e> {
    /// What is done.
    pub step: RetryStep,
    /// What is wrong, by its stable name: `no_value`, `limit`, `violations`, `structured_output`, or
    /// the name of what the policy refuses first (`truncated`, if the reply was cut off).
    pub reason: &'static str,
    /// How many replies there were.
    pub attempts: u32,
    /// How often the model may be asked again.
    pub max_retries: u32,
    /// The model that is asked, as its last response or the policy names it.
    pub model: Option<&'e str>,
}

/// What is done about a reply that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RetryStep {
    /// The model is asked again, with feedback.
    Retry,
    /// The server takes no requests with a schema; it is asked without.
    WithoutStructuredOutput,
    /// The caller's value is taken.
    Fallback,
    /// There is an error.
    GiveUp,
}

named!(RetryStep:
    "retry" => Retry, "without_structured_output" => WithoutStructuredOutput,
    "fallback" => Fallback, "give_up" => GiveUp
);

impl<'e> Observation<'e> {
    /// Returns the names of the kinds of repairs and then of coercions, each once, in the order in
    /// which they come up.
    #[must_use]
    pub fn kinds(&self) -> Vec<&'static str> {
        let repairs = self.repairs.iter().map(|one| one.kind.name());
        let coercions = self.coercions.iter().map(|one| one.kind.name());
        let mut kinds = Vec::new();
        for kind in repairs.chain(coercions) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }
}
