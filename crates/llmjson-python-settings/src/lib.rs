//! Arguments that both extension modules of the Python package take: policies by their settings, and numbers of
//! threads. The modules share no objects, so that a policy crosses from one to the other as its settings.

use std::num::NonZeroUsize;

use llmjson::Policy;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Deeper values are not built: what Python itself does with values, such as `repr` and `==`, recurses.
pub const DEPTH_MAX: u32 = 1_000;

/// Settings of a policy that differ from its preset, as they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Settings {
    /// The value of each of [`Policy::SETTINGS`], if one was given.
    pub values: [Option<String>; Policy::SETTINGS.len()],
}

/// Returns whether a setting is a number.
fn is_limit(name: &str) -> bool {
    name.starts_with("max_")
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
            let known = Policy::SETTINGS.iter().position(|known| *known == name);
            let at = known.ok_or_else(|| {
                PyValueError::new_err(format!("a policy has no setting {name:?}"))
            })?;
            settings.values[at] = Some(match is_limit(&name) {
                true => value.extract::<u32>()?.to_string(),
                false => value.extract()?,
            });
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
        for (name, value) in self.all() {
            match value.parse::<u32>().ok().filter(|_| is_limit(name)) {
                Some(most) => given.set_item(name, most)?,
                None => given.set_item(name, value)?,
            }
        }
        Ok(given)
    }

    /// Returns the names and values that were given, in the order of [`Policy::SETTINGS`].
    fn all(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = Policy::SETTINGS.into_iter().zip(&self.values);
        all.filter_map(|(name, value)| Some((name, value.as_deref()?)))
    }

    /// Returns the policy that a preset is with these settings.
    ///
    /// # Errors
    ///
    /// If no preset has the name, or a setting has a value that is none for it.
    pub fn policy(&self, preset: &str) -> PyResult<Policy> {
        let mut policy = named(preset)?;
        for (name, value) in self.all() {
            let is_deep = |depth: u32| name == "max_depth" && depth > DEPTH_MAX;
            if value.parse().is_ok_and(is_deep) {
                let reason = format!("max_depth is at most {DEPTH_MAX}, not {value}");
                return Err(PyValueError::new_err(reason));
            }
            policy = policy.set(name, value).ok_or_else(|| {
                PyValueError::new_err(format!("{value:?} is no choice for {name}"))
            })?;
        }
        Ok(policy)
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
