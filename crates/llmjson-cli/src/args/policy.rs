//! Arguments that say what may be done to get a value, and when that is not good enough.

use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;
use llmjson::Policy;
use llmjson::{policy::FinishReason, syntax::Limits};
use llmjson::{report::CoercionKind, syntax::Class};

/// The policy for repairs and coercions.
#[derive(Debug, ClapArgs)]
pub(crate) struct PolicyArgs {
    /// Policy for repairs and coercions [default: lenient].
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Policy::PRESETS))]
    policy: Option<String>,
    #[command(flatten)]
    asked: AskedArgs,
    /// Reason why the model stopped, such as `length`, which marks the value as cut off; for `batch` also the place
    /// of it in a row, a JSON Pointer.
    #[arg(long, value_name = "REASON")]
    finish_reason: Option<String>,
    /// Treat a value as not conforming if it was cut off (`truncated`), is a guess (`guess`), or is not
    /// certain (`likely`); several with commas.
    #[arg(long, value_name = "WHAT", value_delimiter = ',',
        value_parser = PossibleValuesParser::new(["truncated", "guess", "likely"]))]
    fail_on: Vec<String>,
}

/// Options besides the preset, whatever that is.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct AskedArgs {
    #[command(flatten)]
    asks: AsksArgs,
    /// Treatment of list items and optional members that do not conform: each is reported, dropped with a record, or
    /// dropped so that items leave null in their places [default: report].
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(["report", "drop", "replace"]))]
    invalid: Option<String>,
    /// Accept a truncated value: `parse` then exits with 0, and policies that refuse one (`tool`, `exact`, `strict`) take it.
    #[arg(long)]
    allow_truncated: bool,
    /// Put in the schema's default for each member that is missing.
    #[arg(long)]
    defaults: bool,
    #[command(flatten)]
    limits: LimitsArgs,
}

impl AskedArgs {
    /// Returns a policy with the options that were given.
    pub(crate) fn of(&self, policy: Policy) -> Policy {
        let limits = self.limits.of(policy.limits());
        let mut policy = self.asks.of(policy.with_limits(limits));
        if let Some(invalid) = self.invalid.as_deref().and_then(|name| name.parse().ok()) {
            policy = policy.with_invalid(invalid);
        }
        if self.allow_truncated {
            policy = policy.allow_truncated();
        }
        if self.defaults {
            policy = policy.allow_coercion(CoercionKind::Default);
        }
        policy
    }
}

/// The limits on what is read.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Limits")]
struct LimitsArgs {
    /// Maximum number of bytes of a reply [default: 10000000].
    #[arg(long, value_name = "N")]
    max_bytes: Option<u32>,
    /// Maximum number of levels of nesting [default: 512].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=512))]
    max_depth: Option<u32>,
    /// Maximum number of places that are tried as the beginning of a value [default: 64].
    #[arg(long, value_name = "N")]
    max_candidates: Option<u32>,
    /// Maximum number of steps beyond reading, for each byte and 1024 more [default: 16].
    #[arg(long, value_name = "N")]
    max_work: Option<u32>,
    /// Maximum number of repairs, and of coercions, that are recorded [default: 10000].
    #[arg(long, value_name = "N")]
    max_records: Option<u32>,
    /// Maximum number of digits of a number that the schema constrains [default: 4096].
    #[arg(long, value_name = "N")]
    max_digits: Option<u32>,
    /// Maximum number of bytes of feedback [default: 1000000].
    #[arg(long, value_name = "N")]
    max_feedback_bytes: Option<u32>,
}

/// Options for what is asked of texts with formats, and for the words in which it is said.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct AsksArgs {
    /// Strictness about formats: texts need theirs as it is meant (`2025-05-01 10:00` for a date-time, to which seconds
    /// and the `T` are put), the same as it is written, or to the letter [default: that of the policy].
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(["lenient", "strict", "as_written"]))]
    formats: Option<String>,
    /// Wording of what is expected, in violations and feedback: types with tags (`integer & Minimum<1>`), or plain words
    /// (`a whole number of at least 1`) [default: tags].
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(["tags", "plain"]))]
    wording: Option<String>,
}

impl AsksArgs {
    /// Returns a policy with the options that were given.
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
    /// The limits of a policy with those that were given.
    fn of(&self, limits: Limits) -> Limits {
        type Set = fn(Limits, u32) -> Limits;
        let given: [(Option<u32>, Set); 7] = [
            (self.max_bytes, Limits::with_input_bytes),
            (self.max_depth, Limits::with_depth),
            (self.max_candidates, Limits::with_candidates),
            (self.max_work, Limits::with_work),
            (self.max_records, Limits::with_records),
            (self.max_digits, Limits::with_digits),
            (self.max_feedback_bytes, Limits::with_feedback_bytes),
        ];
        given
            .into_iter()
            .filter_map(|(limit, set)| Some((limit?, set)))
            .fold(limits, |limits, (limit, set)| set(limits, limit))
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

    /// Returns the options besides the preset.
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

    /// Returns where the reason stands in a row, if a place was given.
    pub(crate) fn finish_reason_at(&self) -> Option<&str> {
        let reason = self.finish_reason.as_deref();
        reason.filter(|reason| reason.starts_with('/'))
    }

    /// Returns what a value must not be.
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
    /// No less sure than this.
    class: Option<Class>,
}

impl FailOn {
    /// Returns the reason why a value is not good enough, if it is not.
    pub(crate) fn reason(self, is_complete: bool, certainty: Class) -> Option<&'static str> {
        if self.truncated && !is_complete {
            return Some("the text was cut off");
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
    Policy::named(name).expect("only the names of presets are taken")
}
