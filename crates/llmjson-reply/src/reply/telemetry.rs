//! Calls observers with the result of a reply, and emits events with the feature `tracing`.

#[cfg(feature = "tracing")]
use llmjson_syntax::Class;

use super::Parsed;
#[cfg(feature = "tracing")]
use crate::policy::RetryStep;
use crate::policy::{Observation, Observer, Outcome, Policy, RetryEvent};

impl Policy {
    /// Calls the observer and emits the event for the result of a reply.
    #[inline]
    pub fn emit(&self, parsed: &Parsed<'_>) {
        #[cfg(feature = "tracing")]
        trace(parsed, self.about());
        if let Some(observer) = self.observer() {
            self.tell_observer(observer, parsed);
        }
    }

    #[cold]
    fn tell_observer(&self, observer: &dyn Observer, parsed: &Parsed<'_>) {
        observer.observe(&Observation::of(parsed, self.about()));
    }

    /// The context of events: tool and model.
    pub(crate) fn about(&self) -> About<'_> {
        About {
            tool: self.tool_name(),
            model: self.model_name(),
        }
    }

    /// Calls the observer and emits the event for a step of the retry loop.
    pub fn emit_retry(&self, event: &RetryEvent<'_>) {
        #[cfg(feature = "tracing")]
        trace_retry(event);
        if let Some(observer) = self.observer() {
            observer.observe_retry(event);
        }
    }
}

/// The context of events: tool and model.
#[derive(Clone, Copy, Default)]
pub(crate) struct About<'e> {
    pub(crate) tool: Option<&'e str>,
    pub(crate) model: Option<&'e str>,
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
/// Fields of each: `outcome`, `tool` and `model` (if known), `kinds` (comma-separated names),
/// `repairs`, `coercions`, `violations` and `refused` (counts), `certainty` (if there is a value),
/// `complete`, `byte_size_before` (of the text). `llmjson.recovery` also has `recovered` (1),
/// `strategy` (`truncated_string` or `truncated`) and `byte_size_after` (of the value's JSON).
#[cfg(feature = "tracing")]
pub(crate) fn trace(parsed: &Parsed<'_>, about: About<'_>) {
    use llmjson_syntax::RepairKind;
    use tracing::{Level, enabled, event, event_enabled};

    // A listener to any event listens to failures.
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

/// Events of `tracing` for the treatment of unusable replies, with the target `llmjson`:
///
/// | name | level | when |
/// |---|---|---|
/// | `llmjson.retry` | info | the model is asked again, or without structured output |
/// | `llmjson.fallback` | warn | the caller's value is taken |
/// | `llmjson.give_up` | warn | there is an error |
///
/// Fields of each: `step`, `reason`, `attempts`, `max_retries`, `model` (if known), `count` (1).
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
