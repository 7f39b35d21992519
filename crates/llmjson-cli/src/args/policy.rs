//! Arguments for policies, limits and the conditions under which a value counts as a failure.

use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;
use llmjson::Policy;
use llmjson::policy::{FinishReason, Handling};
use llmjson::syntax::Limits;
use llmjson::{report::CoercionKind, syntax::Class};

/// The heading of the limits in a help text.
const LIMITS: &str = "Limits";

/// The policy for repairs and coercions.
#[derive(Debug, ClapArgs)]
pub(crate) struct PolicyArgs {
    /// Policy for repairs and coercions [default: lenient].
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Policy::PRESETS))]
    policy: Option<String>,
    #[command(flatten)]
    asked: AskedArgs,
    /// Reason why the model stopped, such as `length`, which marks the value as truncated; for `batch` also a JSON Pointer
    /// to the reason in a row.
    #[arg(long, value_name = "REASON")]
    finish_reason: Option<String>,
    /// Treat a value as not conforming if it is truncated (`truncated`), a guess (`guess`), or likely or a guess
    /// (`likely`); separate several with commas.
    #[arg(long, value_name = "WHAT", value_delimiter = ',',
        value_parser = PossibleValuesParser::new(["truncated", "guess", "likely"]))]
    fail_on: Vec<String>,
}

/// Options in addition to the preset.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct AskedArgs {
    #[command(flatten)]
    asks: AsksArgs,
    /// Treatment of array items and optional properties that do not conform: report them, drop them, or replace items
    /// with null and drop properties [default: report].
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(["report", "drop", "replace"]))]
    invalid: Option<String>,
    /// Accept a truncated value: `parse` exits with 0, and policies that reject truncated text (`tool`, `exact`,
    /// `strict`) allow it.
    #[arg(long)]
    allow_truncated: bool,
    /// Fill in missing properties with the schema's defaults.
    #[arg(long)]
    defaults: bool,
    /// Convert objects to JSON text, and arrays of strings to lines, for strings.
    #[arg(long)]
    containers_as_text: bool,
    /// Parse a string of JSON where a union accepts both the string and its content.
    #[arg(long)]
    texts_as_containers: bool,
    #[command(flatten)]
    limits: LimitsArgs,
}

impl AskedArgs {
    /// Returns the policy with these options applied.
    pub(crate) fn of(&self, policy: Policy) -> Policy {
        let mut policy = self.asks.of(policy.with_limits(self.limits.limits()));
        if let Some(invalid) = self.invalid.as_deref().and_then(|name| name.parse().ok()) {
            policy = policy.with_invalid(invalid);
        }
        if self.allow_truncated {
            policy = policy.allow_truncated();
        }
        if self.defaults {
            policy = policy.allow_coercion(CoercionKind::Default);
        }
        if self.containers_as_text {
            policy = policy.with_containers_as_text(Handling::Accept);
        }
        if self.texts_as_containers {
            policy = policy.with_texts_as_containers(Handling::Accept);
        }
        policy
    }
}

/// The limits on the input and the report.
#[derive(Clone, Debug, ClapArgs)]
struct LimitsArgs {
    /// Maximum length of a reply, in bytes.
    #[arg(long, value_name = "N", help_heading = LIMITS, default_value_t = Limits::DEFAULT.input_bytes)]
    max_bytes: u32,
    /// Maximum nesting depth.
    #[arg(long, value_name = "N", help_heading = LIMITS, default_value_t = Limits::DEFAULT.depth,
        value_parser = clap::value_parser!(u32).range(..=i64::from(Limits::DEFAULT.depth)))]
    max_depth: u32,
    /// Maximum number of places to try as the start of a value.
    #[arg(long, value_name = "N", help_heading = LIMITS, default_value_t = Limits::DEFAULT.candidates)]
    max_candidates: u32,
    /// Work budget, in steps per input byte (plus 1,024 bytes).
    #[arg(long, value_name = "N", help_heading = LIMITS, default_value_t = Limits::DEFAULT.work)]
    max_work: u32,
    /// Maximum number of repairs to record, and of coercions.
    #[arg(long, value_name = "N", help_heading = LIMITS, default_value_t = Limits::DEFAULT.records)]
    max_records: u32,
    /// Maximum number of digits of a number that the schema constrains.
    #[arg(long, value_name = "N", help_heading = LIMITS, default_value_t = Limits::DEFAULT.digits)]
    max_digits: u32,
    /// Maximum length of the feedback, in bytes.
    #[arg(long, value_name = "N", help_heading = LIMITS, default_value_t = Limits::DEFAULT.feedback_bytes)]
    max_feedback_bytes: u32,
}

/// Options for format checks and for the wording of expectations.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct AsksArgs {
    /// Strictness of `format` checks: `lenient` accepts `2025-05-01 10:00` for a date-time and adds the `T` and the
    /// seconds, `as_written` accepts it unchanged, `strict` requires the exact format [default: the policy's].
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(["lenient", "strict", "as_written"]))]
    formats: Option<String>,
    /// Wording of expectations in violations and feedback: `tags` (`integer & Minimum<1>`) or `plain` (`a whole number of
    /// at least 1`) [default: tags].
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(["tags", "plain"]))]
    wording: Option<String>,
}

impl AsksArgs {
    /// Returns the policy with these options applied.
    pub(crate) fn of(&self, mut policy: Policy) -> Policy {
        if let Some(formats) = self.formats.as_deref().and_then(|name| name.parse().ok()) {
            policy = policy.with_formats(formats);
        }
        if let Some(wording) = self.wording.as_deref().and_then(|name| name.parse().ok()) {
            policy = policy.with_wording(wording);
        }
        policy
    }
}

impl LimitsArgs {
    fn limits(&self) -> Limits {
        Limits::DEFAULT
            .with_input_bytes(self.max_bytes)
            .with_depth(self.max_depth)
            .with_candidates(self.max_candidates)
            .with_work(self.max_work)
            .with_records(self.max_records)
            .with_digits(self.max_digits)
            .with_feedback_bytes(self.max_feedback_bytes)
    }
}

impl PolicyArgs {
    pub(crate) fn policy(&self) -> Policy {
        let policy = preset(self.name().unwrap_or("lenient"));
        let policy = self.asked.of(policy);
        match self.finish_reason() {
            Some(reason) => policy.with_finish_reason(reason),
            None => policy,
        }
    }

    /// Returns the options in addition to the preset.
    pub(crate) fn asked(&self) -> &AskedArgs {
        &self.asked
    }

    /// Returns the name of the preset, if one was given.
    pub(crate) fn name(&self) -> Option<&str> {
        self.policy.as_deref()
    }

    pub(crate) fn finish_reason(&self) -> Option<FinishReason> {
        let reason = self.finish_reason.as_deref();
        let reason = reason.filter(|reason| !reason.starts_with('/'));
        reason.map(FinishReason::named)
    }

    /// Returns the JSON Pointer to the reason in a row, if one was given.
    pub(crate) fn finish_reason_at(&self) -> Option<&str> {
        let reason = self.finish_reason.as_deref();
        reason.filter(|reason| reason.starts_with('/'))
    }

    /// Returns the properties that make a value a failure.
    pub(crate) fn fail_on(&self) -> FailOn {
        let has = |name: &str| self.fail_on.iter().any(|one| one == name);
        FailOn {
            truncated: has("truncated"),
            class: match (has("likely"), has("guess")) {
                (true, _) => Some(Class::Likely),
                (false, true) => Some(Class::Guess),
                (false, false) => None,
            },
        }
    }
}

/// Properties that a value must not have.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FailOn {
    truncated: bool,
    /// The most certain class that fails; less certain ones fail too.
    class: Option<Class>,
}

impl FailOn {
    /// Returns the reason why a value fails, if it does.
    pub(crate) fn reason(self, is_complete: bool, certainty: Class) -> Option<&'static str> {
        if self.truncated && !is_complete {
            return Some("the text is truncated");
        }
        let unsure = self.class.is_some_and(|class| certainty >= class);
        unsure.then_some(match certainty {
            Class::Guess => "the value is a guess",
            _ => "the value is likely, not certain",
        })
    }
}

/// Returns the preset of a valid name.
pub(crate) fn preset(name: &str) -> Policy {
    Policy::named(name).expect("clap accepts only preset names")
}
