//! Policies.

use llmjson::policy::FinishReason;
use llmjson_python_settings::{Settings, named};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// The changes that are allowed to get a value: a preset, and settings that differ from it.
///
/// The presets are `lenient`, `strict`, `shape`, `conservative`, `tool` and `exact`. `truncated`
/// and `duplicate_keys` are `accept` or `refuse` (`truncated="accept"` corresponds to
/// `allow_truncated` elsewhere), `formats` is `lenient` (`2025-05-01 10:00` is a date-time, and
/// becomes `2025-05-01T10:00:00`, with a note), `as_written` (it stays unchanged) or `strict`,
/// `undeclared` is `keep`, `keep_forbidden`, `drop` or `reject`, `invalid` is `report`, `drop`
/// (list items and optional members that do not conform are dropped, each with a record) or
/// `replace` (the same, but items are replaced by None), `defaults` is `leave` or `fill`,
/// `containers_as_text` is `refuse` or `accept` (an object becomes JSON text where a string is
/// expected, and a list of strings becomes lines), `texts_as_containers` is `refuse` or `accept` (a
/// string of JSON is parsed where a union accepts both), `certainty` is the minimum certainty of
/// changes: `certain`, `likely` or `guess`. `wording` is the wording of expectations in violations
/// and feedback: `tags` (`integer & Minimum<1>`) or `plain` (`a whole number of at least 1`).
/// `max_bytes` limits the length of the text, `max_depth` (at most 1,000) the nesting of its value,
/// `max_candidates` the number of candidate values, `max_work` the work beyond reading each byte,
/// `max_records` the number of records, `max_digits` the digits of a number that is compared with
/// bounds, and `max_feedback_bytes` the feedback. `Parsed.limits` names the limits that were reached.
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

/// Two policies are equal if they were created with the same arguments.
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
        invalid=None, defaults=None, containers_as_text=None, texts_as_containers=None,
        certainty=None, formats=None, wording=None,
        max_bytes=None, max_depth=None, max_candidates=None, max_work=None,
        max_records=None, max_digits=None, max_feedback_bytes=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword")]
    fn new(
        preset: &str,
        truncated: Option<String>,
        duplicate_keys: Option<String>,
        undeclared: Option<String>,
        invalid: Option<String>,
        defaults: Option<String>,
        containers_as_text: Option<String>,
        texts_as_containers: Option<String>,
        certainty: Option<String>,
        formats: Option<String>,
        wording: Option<String>,
        max_bytes: Option<u32>,
        max_depth: Option<u32>,
        max_candidates: Option<u32>,
        max_work: Option<u32>,
        max_records: Option<u32>,
        max_digits: Option<u32>,
        max_feedback_bytes: Option<u32>,
    ) -> PyResult<Self> {
        let limit = |most: Option<u32>| most.map(|most| most.to_string());
        let values = [
            truncated,
            duplicate_keys,
            undeclared,
            invalid,
            defaults,
            containers_as_text,
            texts_as_containers,
            certainty,
            formats,
            wording,
            limit(max_bytes),
            limit(max_depth),
            limit(max_candidates),
            limit(max_work),
            limit(max_records),
            limit(max_digits),
            limit(max_feedback_bytes),
        ];
        Self::of(preset, Settings { values })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut shown = format!("Policy({:?}", self.preset);
        for (name, value) in &self.settings.given(py)? {
            shown.push_str(&format!(", {name}={}", value.repr()?));
        }
        shown.push(')');
        Ok(shown)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (&self.preset, &self.settings).hash(&mut hasher);
        hasher.finish()
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((&str,), Bound<'py, PyDict>)> {
        Ok(((&self.preset,), self.settings.given(py)?))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

impl Policy {
    fn of(preset: &str, settings: Settings) -> PyResult<Self> {
        let built = Built(settings.policy(preset)?);
        let preset = preset.to_owned();
        Ok(Self {
            preset,
            settings,
            built,
        })
    }
}

/// Returns the policy for an argument: a `Policy` or a preset name; `None` means the given preset.
///
/// # Errors
///
/// If it is neither, or if there is no preset with that name.
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

/// Returns the policy for an argument, which drops values that do not conform.
///
/// # Errors
///
/// See [`policy_of`].
pub(crate) fn salvaging<'py>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyAny>>,
    otherwise: &str,
) -> PyResult<Bound<'py, PyAny>> {
    changed(py, given, otherwise, |settings| {
        // Items are dropped even if the policy would replace them.
        let invalid = settings.get_item("invalid")?;
        let replaces =
            invalid.is_some_and(|how| how.extract::<String>().is_ok_and(|how| how == "replace"));
        match replaces {
            true => Ok(()),
            false => settings.set_item("invalid", "drop"),
        }
    })
}

/// Returns the policy for an argument, which accepts truncated values.
///
/// # Errors
///
/// See [`policy_of`].
pub(crate) fn allowing_truncated<'py>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyAny>>,
    otherwise: &str,
) -> PyResult<Bound<'py, PyAny>> {
    changed(py, given, otherwise, |settings| {
        settings.set_item("truncated", "accept")
    })
}

/// Returns the policy for an argument, with other settings.
fn changed<'py>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyAny>>,
    otherwise: &str,
    change: impl FnOnce(&Bound<'py, PyDict>) -> PyResult<()>,
) -> PyResult<Bound<'py, PyAny>> {
    policy_of(given, otherwise, None)?;
    let (preset, settings) = match given.filter(|given| !given.is_none()) {
        None => (otherwise.to_owned(), PyDict::new(py)),
        Some(given) => match given.cast::<Policy>() {
            Ok(policy) => {
                let policy = policy.get();
                (policy.preset.clone(), policy.settings.given(py)?)
            }
            Err(_) => (given.extract()?, PyDict::new(py)),
        },
    };
    change(&settings)?;
    let policy = Policy::of(&preset, Settings::of(&settings)?)?;
    Ok(Bound::new(py, policy)?.into_any())
}
