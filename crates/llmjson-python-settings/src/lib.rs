//! Arguments that both extension modules of the Python package take: policies by their settings, and numbers of
//! threads. The modules share no objects, so that a policy crosses from one to the other as its settings.

use std::num::NonZeroUsize;

use llmjson::Policy;
use llmjson::report::CoercionKind;
use llmjson::syntax::Limits;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Deeper values are not built: what Python itself does with values, such as `repr` and `==`, recurses.
pub const DEPTH_MAX: u32 = 1_000;

/// A choice by its name, and how it is made; `None` for a word that is none.
type Choice = (&'static str, fn(Policy, &str) -> Option<Policy>);

/// A limit by its name, and how it is set.
type Limit = (&'static str, fn(Limits, u32) -> Limits);

/// The choices that a policy can make, in the order in which they are made.
const CHOICES: [Choice; 10] = [
    ("truncated", |policy, name| {
        Some(policy.with_truncated(name.parse().ok()?))
    }),
    ("duplicate_keys", |policy, name| {
        Some(policy.with_duplicate_keys(name.parse().ok()?))
    }),
    ("undeclared", |policy, name| {
        Some(policy.with_undeclared(name.parse().ok()?))
    }),
    ("invalid", |policy, name| {
        Some(policy.with_invalid(name.parse().ok()?))
    }),
    ("defaults", |policy, name| match name {
        "fill" => Some(policy.allow_coercion(CoercionKind::Default)),
        "leave" => Some(policy.deny_coercion(CoercionKind::Default)),
        _ => None,
    }),
    ("containers_as_text", |policy, name| {
        Some(policy.with_containers_as_text(name.parse().ok()?))
    }),
    ("texts_as_containers", |policy, name| {
        Some(policy.with_texts_as_containers(name.parse().ok()?))
    }),
    ("certainty", |policy, name| {
        Some(policy.deny_beyond(name.parse().ok()?))
    }),
    ("formats", |policy, name| {
        Some(policy.with_formats(name.parse().ok()?))
    }),
    ("wording", |policy, name| {
        Some(policy.with_wording(name.parse().ok()?))
    }),
];

/// The limits that a policy can set.
const LIMITS: [Limit; 7] = [
    ("max_bytes", Limits::with_input_bytes),
    ("max_depth", Limits::with_depth),
    ("max_candidates", Limits::with_candidates),
    ("max_work", Limits::with_work),
    ("max_records", Limits::with_records),
    ("max_digits", Limits::with_digits),
    ("max_feedback_bytes", Limits::with_feedback_bytes),
];

/// Settings of a policy that differ from its preset, as they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Settings {
    /// The words for truncated, duplicate_keys, undeclared, invalid, defaults, containers_as_text,
    /// texts_as_containers, certainty, formats and wording, in this order.
    pub choices: [Option<String>; CHOICES.len()],
    /// The numbers for max_bytes, max_depth, max_candidates, max_work, max_records, max_digits and max_feedback_bytes,
    /// in this order.
    pub limits: [Option<u32>; LIMITS.len()],
}

impl Settings {
    /// Returns the settings that stand in a dict.
    ///
    /// # Errors
    ///
    /// If a name is that of no setting, or a value has another type.
    pub fn of(given: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut settings = Self::default();
        for (name, value) in given {
            let name: String = name.extract()?;
            if let Some(at) = CHOICES.iter().position(|choice| choice.0 == name) {
                settings.choices[at] = Some(value.extract()?);
            } else if let Some(at) = LIMITS.iter().position(|limit| limit.0 == name) {
                settings.limits[at] = Some(value.extract()?);
            } else {
                let reason = format!("a policy has no setting {name:?}");
                return Err(PyValueError::new_err(reason));
            }
        }
        Ok(settings)
    }

    /// Returns the settings that were given, by name.
    ///
    /// # Errors
    ///
    /// If Python has no memory left.
    pub fn given<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let given = PyDict::new(py);
        for ((name, _), choice) in CHOICES.iter().zip(&self.choices) {
            if let Some(choice) = choice {
                given.set_item(name, choice)?;
            }
        }
        for ((name, _), most) in LIMITS.iter().zip(self.limits) {
            if let Some(most) = most {
                given.set_item(name, most)?;
            }
        }
        Ok(given)
    }

    /// Returns the policy that a preset is with these settings.
    ///
    /// # Errors
    ///
    /// If no preset has the name, or a setting has a value that is none for it.
    pub fn policy(&self, preset: &str) -> PyResult<Policy> {
        let mut policy = named(preset)?;
        for ((what, choose), choice) in CHOICES.iter().zip(&self.choices) {
            if let Some(name) = choice {
                policy = choose(policy, name).ok_or_else(|| {
                    PyValueError::new_err(format!("{name:?} is no choice for {what}"))
                })?;
            }
        }
        let mut limits = policy.limits();
        for ((name, set), most) in LIMITS.iter().zip(self.limits) {
            match most {
                Some(depth) if *name == "max_depth" && depth > DEPTH_MAX => {
                    let reason = format!("max_depth is at most {DEPTH_MAX}, not {depth}");
                    return Err(PyValueError::new_err(reason));
                }
                Some(most) => limits = set(limits, most),
                None => {}
            }
        }
        Ok(policy.with_limits(limits))
    }
}

/// Returns the policy that a preset is.
///
/// # Errors
///
/// If no preset has the name.
pub fn named(preset: &str) -> PyResult<Policy> {
    Policy::named(preset).ok_or_else(|| {
        let known = Policy::PRESETS.join(", ");
        PyValueError::new_err(format!("no policy is named {preset:?}; there are {known}"))
    })
}

/// Returns the number of threads that an argument means.
///
/// # Errors
///
/// If it is less than one.
pub fn thread_count(threads: Option<i64>) -> PyResult<Option<NonZeroUsize>> {
    let Some(threads) = threads else {
        return Ok(None);
    };
    let count = usize::try_from(threads).ok().and_then(NonZeroUsize::new);
    let none = || PyValueError::new_err("threads must be at least 1");
    count.map(Some).ok_or_else(none)
}
