//! Observers, which are called with the result of each reply.

use std::sync::Arc;

use super::{Policy, Watcher};
use llmjson_schema::{Coercion, Refusal, Violation};
use llmjson_syntax::named;
use llmjson_syntax::{Class, Repair};

/// A listener that is called with the result of each reply or value that is read under a
/// [`Policy`](crate::Policy).
///
/// It is called once for each call that takes the policy, on the caller's thread, before the call
/// returns. Functions over [`Observation`]s are observers.
///
/// ```
/// # use llmjson_reply as llmjson;
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
/// let _ = policy.arguments("{'query': 'tea',}", None);
/// assert_eq!(repaired.load(Ordering::Relaxed), 3);
/// ```
pub trait Observer: Send + Sync {
    /// Called with the result of one reply or value.
    fn observe(&self, event: &Observation<'_>);

    /// Called when `llmjson::retry::Retry` does anything but return the value, after
    /// [`observe`](Self::observe) was called for the reply.
    fn observe_retry(&self, event: &RetryEvent<'_>) {
        let _ = event;
    }
}

impl<F: Fn(&Observation<'_>) + Send + Sync> Observer for F {
    fn observe(&self, event: &Observation<'_>) {
        self(event);
    }
}

/// The result of reading one reply or value.
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
    /// The repairs and other changes that the policy does not allow.
    pub refused: &'e [Refusal],
    /// The certainty of the value; `None` if there is none.
    pub certainty: Option<Class>,
    /// `true` if the text of the value ended as it should.
    pub complete: bool,
    /// The length of the text in bytes.
    pub text_bytes: usize,
}

/// The outcome of reading a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The value conforms, and nothing was changed to get it.
    Unchanged,
    /// The value conforms after repairs or coercions, or one that was cut off.
    Repaired,
    /// The value does not fit the schema.
    Violations,
    /// The policy does not allow the way in which the value was read.
    Refused,
    /// No value was found.
    NoValue,
}

named!(Outcome:
    "unchanged" => Unchanged, "repaired" => Repaired, "violations" => Violations,
    "refused" => Refused, "no_value" => NoValue
);

/// A reply that cannot be used, and the step that the retry loop takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryEvent<'e> {
    /// The step that is taken.
    pub step: RetryStep,
    /// The stable name of the error: `no_value`, `limit`, `violations`, `structured_output`, or the
    /// name of what the policy refuses first (`truncated`, if the reply was cut off).
    pub reason: &'static str,
    /// The number of replies so far.
    pub attempts: u32,
    /// The maximum number of retries.
    pub max_retries: u32,
    /// The model that is asked, as its last response or the policy names it.
    pub model: Option<&'e str>,
}

impl<'e> RetryEvent<'e> {
    /// Makes the event of a step.
    #[must_use]
    pub const fn new(
        step: RetryStep,
        reason: &'static str,
        attempts: u32,
        max_retries: u32,
        model: Option<&'e str>,
    ) -> Self {
        Self {
            step,
            reason,
            attempts,
            max_retries,
            model,
        }
    }
}

/// A step of the retry loop after a reply that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RetryStep {
    /// The model is asked again, with feedback.
    Retry,
    /// The server rejects requests with a schema; the next one has none.
    WithoutStructuredOutput,
    /// The fallback is returned.
    Fallback,
    /// An error is returned.
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

impl Policy {
    /// Sets the observer, which is called with the result of each reply read under this policy.
    #[must_use]
    pub fn with_observer(mut self, observer: impl Observer + 'static) -> Self {
        self.watcher = Watcher(Some(Arc::new(observer)));
        self
    }

    /// Removes the observer.
    #[must_use]
    pub fn without_observer(mut self) -> Self {
        self.watcher = Watcher(None);
        self
    }
}
