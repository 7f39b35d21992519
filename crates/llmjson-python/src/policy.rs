//! Policies.

use std::str::FromStr;

use llmjson::report::CoercionKind;
use llmjson::{
    policy::{FinishReason, Invalid},
    syntax::Limits,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

/// Deeper values are not built: what Python itself does with values, such as `repr` and `==`, recurses.
pub(crate) const DEPTH_MAX: u32 = 1_000;

/// The set of changes that are allowed to get a value: a preset, and settings that differ from it.
///
/// The presets are `lenient`, `strict`, `shape`, `conservative`, `tool` and `exact`. `truncated` and
/// `duplicate_keys` are `accept` or `refuse`, `formats` is `meant` (`2025-05-01 10:00` is a date-time,
/// with a note) or `letter`, `undeclared` is `keep`, `keep_forbidden`, `drop` or
/// `reject`, `invalid` is `report` or `drop` (list items and optional members that do not conform are left
/// out, each with a record), `defaults` is `leave` or `fill`, `certainty` is the least sure that changes may be: `certain`, `likely` or `guess`.
/// `max_bytes` bounds the text, `max_depth` (at most 1,000) the nesting of its value, `max_candidates` the
/// values that are looked at to choose one, `max_work` what is done beyond reading each byte, `max_records`
/// the records that are kept, `max_digits` the digits of a number that is compared with bounds, and
/// `max_feedback_bytes` the feedback. Which of them were reached is in `Parsed.limits`.
///
/// >>> from llmjson import Policy, parse
/// >>> parse("{days: 3", policy=Policy("tool", truncated="accept")).ok
/// True
#[pyclass(frozen, eq, module = "llmjson")]
#[derive(PartialEq)]
pub(crate) struct Policy {
    /// The name of the preset.
    #[pyo3(get)]
    preset: String,
    settings: Settings,
    built: Built,
}

/// Settings that differ from the preset, as they were given.
#[derive(Clone, Debug, Default, PartialEq)]
struct Settings {
    truncated: Option<String>,
    duplicate_keys: Option<String>,
    undeclared: Option<String>,
    invalid: Option<String>,
    defaults: Option<String>,
    certainty: Option<String>,
    formats: Option<String>,
    limits: [Option<u32>; LIMITS.len()],
}

/// A limit by its name, and how it is set.
type Limit = (&'static str, fn(Limits, u32) -> Limits);

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

/// Two policies are the same if they were given the same.
#[derive(Clone)]
struct Built(llmjson::Policy);

impl PartialEq for Built {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

#[pymethods]
impl Policy {
    #[new]
    #[pyo3(signature = (preset="lenient", *, truncated=None, duplicate_keys=None, undeclared=None,
        invalid=None, defaults=None, certainty=None, formats=None, max_bytes=None, max_depth=None,
        max_candidates=None, max_work=None, max_records=None, max_digits=None,
        max_feedback_bytes=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword")]
    fn new(
        preset: &str,
        truncated: Option<String>,
        duplicate_keys: Option<String>,
        undeclared: Option<String>,
        invalid: Option<String>,
        defaults: Option<String>,
        certainty: Option<String>,
        formats: Option<String>,
        max_bytes: Option<u32>,
        max_depth: Option<u32>,
        max_candidates: Option<u32>,
        max_work: Option<u32>,
        max_records: Option<u32>,
        max_digits: Option<u32>,
        max_feedback_bytes: Option<u32>,
    ) -> PyResult<Self> {
        let settings = Settings {
            truncated,
            duplicate_keys,
            undeclared,
            invalid,
            defaults,
            certainty,
            formats,
            limits: [
                max_bytes,
                max_depth,
                max_candidates,
                max_work,
                max_records,
                max_digits,
                max_feedback_bytes,
            ],
        };
        let built = Built(settings.apply(named(preset)?)?);
        Ok(Self {
            preset: preset.to_owned(),
            settings,
            built,
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut shown = format!("Policy({:?}", self.preset);
        for (name, value) in self.settings.given(py)? {
            shown.push_str(&format!(", {name}={}", value.repr()?));
        }
        shown.push(')');
        Ok(shown)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.preset.hash(&mut hasher);
        format!("{:?}", self.settings).hash(&mut hasher);
        hasher.finish()
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let options = PyDict::new(py);
        for (name, value) in self.settings.given(py)? {
            options.set_item(name, value)?;
        }
        ((self.preset.as_str(),), options).into_pyobject(py)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

impl Settings {
    fn apply(&self, mut policy: llmjson::Policy) -> PyResult<llmjson::Policy> {
        if let Some(name) = &self.truncated {
            policy = policy.with_truncated(choice("truncated", name)?);
        }
        if let Some(name) = &self.duplicate_keys {
            policy = policy.with_duplicate_keys(choice("duplicate_keys", name)?);
        }
        if let Some(name) = &self.undeclared {
            policy = policy.with_undeclared(choice("undeclared", name)?);
        }
        if let Some(name) = &self.invalid {
            policy = policy.with_invalid(choice("invalid", name)?);
        }
        if let Some(name) = &self.defaults {
            policy = match &**name {
                "fill" => policy.allow_coercion(CoercionKind::Default),
                "leave" => policy.deny_coercion(CoercionKind::Default),
                _ => return Err(unknown("defaults", name)),
            };
        }
        if let Some(name) = &self.certainty {
            policy = policy.deny_beyond(choice("certainty", name)?);
        }
        if let Some(name) = &self.formats {
            policy = policy.with_formats(choice("formats", name)?);
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

    /// Returns the arguments that were given, by name.
    fn given<'py>(&self, py: Python<'py>) -> PyResult<Vec<(&'static str, Bound<'py, PyAny>)>> {
        let texts = [
            ("truncated", &self.truncated),
            ("duplicate_keys", &self.duplicate_keys),
            ("undeclared", &self.undeclared),
            ("invalid", &self.invalid),
            ("defaults", &self.defaults),
            ("certainty", &self.certainty),
            ("formats", &self.formats),
        ];
        let mut given = Vec::new();
        for (name, text) in texts {
            if let Some(text) = text {
                given.push((name, PyString::new(py, text).into_any()));
            }
        }
        for ((name, _), number) in LIMITS.iter().zip(self.limits) {
            if let Some(number) = number {
                given.push((*name, number.into_pyobject(py)?.into_any()));
            }
        }
        Ok(given)
    }
}

/// The policy that an argument means: a `Policy` or the name of a preset; `None` is the preset given.
///
/// # Errors
///
/// If it is none of these, or no preset has the name.
pub(crate) fn policy_of(
    given: Option<&Bound<'_, PyAny>>,
    otherwise: &str,
    finish_reason: Option<&str>,
) -> PyResult<llmjson::Policy> {
    let policy = match given.filter(|given| !given.is_none()) {
        None => named(otherwise)?,
        Some(given) => match (given.cast::<Policy>(), given.cast::<PyString>()) {
            (Ok(policy), _) => policy.get().built.0.clone(),
            (_, Ok(name)) => named(name.to_str()?)?,
            _ => {
                let kind = given.get_type().name()?;
                let reason = format!("policy must be str or Policy, not {kind}");
                return Err(PyTypeError::new_err(reason));
            }
        },
    };
    Ok(match finish_reason {
        Some(reason) => policy.with_finish_reason(FinishReason::named(reason)),
        None => policy,
    })
}

/// The policy that an argument means, which leaves out what does not conform.
///
/// # Errors
///
/// As [`policy_of`].
pub(crate) fn salvaging<'py>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyAny>>,
    otherwise: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let built = policy_of(given, otherwise, None)?;
    let (preset, settings) = match given.filter(|given| !given.is_none()) {
        None => (otherwise.to_owned(), Settings::default()),
        Some(given) => match given.cast::<Policy>() {
            Ok(policy) => {
                let policy = policy.get();
                (policy.preset.clone(), policy.settings.clone())
            }
            Err(_) => (given.extract()?, Settings::default()),
        },
    };
    let settings = Settings {
        invalid: Some("drop".to_owned()),
        ..settings
    };
    let built = Built(built.with_invalid(Invalid::Drop));
    let policy = Policy {
        preset,
        settings,
        built,
    };
    Ok(Bound::new(py, policy)?.into_any())
}

fn named(preset: &str) -> PyResult<llmjson::Policy> {
    llmjson::Policy::named(preset).ok_or_else(|| {
        let known = llmjson::Policy::PRESETS.join(", ");
        PyValueError::new_err(format!("no policy is named {preset:?}; there are {known}"))
    })
}

fn choice<T: FromStr>(what: &str, name: &str) -> PyResult<T> {
    name.parse().map_err(|_| unknown(what, name))
}

fn unknown(what: &str, name: &str) -> PyErr {
    PyValueError::new_err(format!("{name:?} is no choice for {what}"))
}
