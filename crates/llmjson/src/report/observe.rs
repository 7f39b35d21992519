//! Reports what became of a reply to an [`Observer`], and to `tracing` with the feature of that name.
//! Without either, nothing is done.

use llmjson_schema::{Coercion, Refusal, Violation};
use llmjson_syntax::{Class, Repair};

use crate::reply::Parsed;

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
/// use llmjson::{Policy, report::Observation};
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

impl Outcome {
    /// Returns the stable snake_case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Repaired => "repaired",
            Self::Violations => "violations",
            Self::Refused => "refused",
            Self::NoValue => "no_value",
        }
    }
}

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

/// What events say besides what became of a reply.
#[derive(Clone, Copy, Default)]
pub(crate) struct About<'e> {
    pub(crate) tool: Option<&'e str>,
    pub(crate) model: Option<&'e str>,
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

impl RetryStep {
    /// Returns the stable snake_case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::WithoutStructuredOutput => "without_structured_output",
            Self::Fallback => "fallback",
            Self::GiveUp => "give_up",
        }
    }
}

impl<'e> Observation<'e> {
    pub(crate) fn of(parsed: &'e Parsed<'_>, about: About<'e>) -> Self {
        let (repairs, coercions) = (parsed.repairs(), parsed.coercions());
        let untouched = repairs.is_empty() && coercions.is_empty() && parsed.is_complete();
        let outcome = if parsed.value().is_none() {
            Outcome::NoValue
        } else if !parsed.refused().is_empty() {
            Outcome::Refused
        } else if !parsed.violations().is_empty() {
            Outcome::Violations
        } else if untouched {
            Outcome::Unchanged
        } else {
            Outcome::Repaired
        };
        Self {
            outcome,
            tool: about.tool,
            model: about.model,
            repairs,
            coercions,
            violations: parsed.violations(),
            refused: parsed.refused(),
            certainty: parsed.value().map(|_| parsed.certainty()),
            complete: parsed.is_complete(),
            text_bytes: parsed.document().text().len(),
        }
    }

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

/// Events of `tracing`, one for each call, all with the target `llmjson`:
///
/// | name | level | when |
/// |---|---|---|
/// | `llmjson.read` | debug | nothing had to be done |
/// | `llmjson.repair` | info | repairs or coercions were made |
/// | `tool_input_repaired` | info | the same for the arguments of a tool that the policy names |
/// | `llmjson.recovery` | info | the value conforms, but its text was cut off |
/// | `llmjson.failure` | warn | there is no value that conforms and is allowed |
///
/// Fields of each: `outcome`, `tool` and `model` (where they are known), `kinds` (names with commas
/// between them), `repairs`, `coercions`, `violations` and `refused` (how many), `certainty` (where
/// there is a value), `complete`, `byte_size_before` (of the text). `llmjson.recovery` also has
/// `recovered` (1), `strategy` (`truncated_string` or `truncated`) and `byte_size_after` (of the
/// value's JSON).
#[cfg(feature = "tracing")]
pub(crate) fn trace(parsed: &Parsed<'_>, about: About<'_>) {
    use llmjson_syntax::RepairKind;
    use tracing::{Level, enabled, event, event_enabled};

    // Whoever listens to anything listens to failures.
    if !enabled!(target: "llmjson", Level::WARN) {
        return;
    }
    let event = Observation::of(parsed, about);

    macro_rules! emit {
        ($name:literal, $level:expr $(, $field:ident = $value:expr)*) => {
            if event_enabled!(target: "llmjson", $level) {
                event!(
                    name: $name,
                    target: "llmjson",
                    $level,
                    outcome = event.outcome.name(),
                    tool = event.tool,
                    model = event.model,
                    kinds = event.kinds().join(","),
                    repairs = event.repairs.len(),
                    coercions = event.coercions.len(),
                    violations = event.violations.len(),
                    refused = event.refused.len(),
                    certainty = event.certainty.map(Class::name),
                    complete = event.complete,
                    byte_size_before = event.text_bytes,
                    $($field = $value,)*
                );
            }
        };
    }
    match event.outcome {
        Outcome::Unchanged => emit!("llmjson.read", Level::DEBUG),
        Outcome::Repaired if !event.complete => {
            let mut repairs = event.repairs.iter();
            let strategy = match repairs.any(|one| one.kind == RepairKind::UnclosedString) {
                true => "truncated_string",
                false => "truncated",
            };
            emit!(
                "llmjson.recovery",
                Level::INFO,
                recovered = 1,
                strategy = strategy,
                byte_size_after = parsed.to_json().map_or(0, |json| json.len())
            );
        }
        Outcome::Repaired if event.tool.is_some() => emit!("tool_input_repaired", Level::INFO),
        Outcome::Repaired => emit!("llmjson.repair", Level::INFO),
        Outcome::Violations | Outcome::Refused | Outcome::NoValue => {
            emit!("llmjson.failure", Level::WARN);
        }
    }
}

/// Events of `tracing` for what is done about replies that cannot be used, with the target `llmjson`:
///
/// | name | level | when |
/// |---|---|---|
/// | `llmjson.retry` | info | the model is asked again, or without structured output |
/// | `llmjson.fallback` | warn | the caller's value is taken |
/// | `llmjson.give_up` | warn | there is an error |
///
/// Fields of each: `step`, `reason`, `attempts`, `max_retries`, `model` (where it is known), `count`
/// (1).
#[cfg(feature = "tracing")]
pub(crate) fn trace_retry(event: &RetryEvent<'_>) {
    use tracing::{Level, event};

    macro_rules! emit {
        ($name:literal, $level:expr) => {
            event!(
                name: $name,
                target: "llmjson",
                $level,
                step = event.step.name(),
                reason = event.reason,
                attempts = event.attempts,
                max_retries = event.max_retries,
                model = event.model,
                count = 1,
            )
        };
    }
    match event.step {
        RetryStep::Retry | RetryStep::WithoutStructuredOutput => {
            emit!("llmjson.retry", Level::INFO);
        }
        RetryStep::Fallback => emit!("llmjson.fallback", Level::WARN),
        RetryStep::GiveUp => emit!("llmjson.give_up", Level::WARN),
    }
}
