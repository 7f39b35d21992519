//! Observers, which are called with the result of each reply.

use std::sync::Arc;

use super::{Policy, Watcher};
use llmjson_schema::{Coercion, Refusal, Violation};
use llmjson_syntax::named;
use llmjson_syntax::{Class, Repair};

/// A listener that is called with the result of each reply or value that is read under a
/// [`Policy`](crate::Policy).
///
/// It is called once for each call that uses the policy, on the caller's thread, before the call
/// returns. A closure that takes an [`Observation`] is an observer.
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

    /// Called for every step of `llmjson::retry::Retry` other than returning the value, after
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
    /// The outcome: whether there is a value, and whether it conforms.
    pub outcome: Outcome,
    /// The tool whose arguments were read, by the name in the policy.
    pub tool: Option<&'e str>,
    /// The model that wrote the reply, by the name in the policy or the response.
    pub model: Option<&'e str>,
    /// Every change made to read the text as JSON.
    pub repairs: &'e [Repair],
    /// Every change made to fit the value to the schema.
    pub coercions: &'e [Coercion],
    /// Every violation of the schema.
    pub violations: &'e [Violation],
    /// The repairs and other changes that the policy refuses.
    pub refused: &'e [Refusal],
    /// The certainty of the value, or `None` if there is none.
    pub certainty: Option<Class>,
    /// `true` if the value was not truncated.
    pub complete: bool,
    /// The length of the input in bytes.
    pub text_bytes: usize,
}

/// The outcome of reading a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The value conforms without any change.
    Unchanged,
    /// The value conforms after repairs or coercions, or although it was truncated.
    Repaired,
    /// The value does not satisfy the schema.
    Violations,
    /// The policy refuses a change that was needed to read the value.
    Refused,
    /// No value was found.
    NoValue,
}

named!(Outcome:
    "unchanged" => Unchanged, "repaired" => Repaired, "violations" => Violations,
    "refused" => Refused, "no_value" => NoValue
);

/// An unusable reply, and the step that the retry loop takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryEvent<'e> {
    /// The step taken.
    pub step: RetryStep,
    /// The stable name of the error: `no_value`, `limit`, `violations`, `structured_output`, or the
    /// name of the first refusal (`truncated` if the reply was truncated).
    pub reason: &'static str,
    /// The number of replies so far.
    pub attempts: u32,
    /// The maximum number of retries.
    pub max_retries: u32,
    /// The model that was asked, by the name in its last response or the policy.
    pub model: Option<&'e str>,
}

impl<'e> RetryEvent<'e> {
    /// Makes an event for a step.
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

/// A step of the retry loop after an unusable reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RetryStep {
    /// The model is asked again, with feedback.
    Retry,
    /// The server rejects requests with a schema; the next request has none.
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
    /// Returns the kind names of the repairs, then of the coercions, each once, in order of first
    /// occurrence.
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
    /// Sets an observer that is called with the result of each reply read under this policy.
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
