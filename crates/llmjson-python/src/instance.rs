//! The reading of a value by the Python type of a schema: an instance, why there is none, and what it read otherwise.

use llmjson::Failure;
use llmjson::policy::Undeclared;
use llmjson::syntax::Class;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use crate::parsed::Parsed;

/// The outcome of making an instance of the type from a value.
pub(crate) enum Typed {
    Made(Py<PyAny>),
    /// The instance of a value that does not fit the schema, but that the type takes.
    Accepted(Py<PyAny>),
    Rejected(Rejected),
    /// The value does not fit the schema, and the type does not take it either.
    Unfit,
}

/// The reasons why the type rejects a value: the message of the exception, the violations, and the feedback.
#[derive(FromPyObject)]
pub(crate) struct Rejected(pub(crate) String, pub(crate) Py<PyTuple>, pub(crate) String);

impl Parsed {
    /// Returns the outcome of making an instance of the type, if the schema was made of a type. A type may take
    /// more than its schema says, so values that do not fit are tried, too.
    pub(crate) fn instance<'a>(slf: &'a Bound<'_, Self>) -> PyResult<Option<&'a Typed>> {
        let (this, py) = (slf.get(), slf.py());
        if let Some(typed) = this.typed.get() {
            return Ok(Some(typed));
        }
        let schema = this.origin.schema.as_ref().map(Py::get);
        let of = schema.and_then(|schema| schema.of.as_ref());
        let Some((of, schema)) = of.zip(schema) else {
            return Ok(None);
        };
        if !this.inner.conforms() {
            let typed = match this.is_unfit_only(&schema.inner) {
                true => this.accepted(slf, of)?,
                false => Typed::Unfit,
            };
            return Ok(Some(this.typed.get_or_init(|| typed)));
        }
        static TYPED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let typed = TYPED.import(py, "llmjson._schemas", "typed")?;
        let (made, rejected): (Py<PyAny>, Option<Rejected>) = typed.call1((of, slf))?.extract()?;
        let typed = rejected.map_or(Typed::Made(made), Typed::Rejected);
        Ok(Some(this.typed.get_or_init(|| typed)))
    }

    /// Returns whether nothing is wrong with the value but that it does not fit the schema: no policy
    /// refuses it or one of its members.
    fn is_unfit_only(&self, schema: &llmjson::Schema) -> bool {
        let Some(value) = self.inner.value() else {
            return false;
        };
        let own = schema.violations(value, Undeclared::Keep).len();
        own > 0 && own == self.inner.violations().len() && self.inner.refused().is_empty()
    }

    fn accepted(&self, slf: &Bound<'_, Self>, of: &Py<PyAny>) -> PyResult<Typed> {
        static ACCEPTED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let accepted = ACCEPTED.import(slf.py(), "llmjson._schemas", "accepted")?;
        let made: Option<(Py<PyAny>,)> = accepted.call1((of, slf))?.extract()?;
        Ok(made.map_or(Typed::Unfit, |(made,)| Typed::Accepted(made)))
    }

    /// Returns the coercions that the type of the schema made on its own: where its instance holds something else
    /// than the value. The instance of a value that fits is looked at only if the type may change such values.
    pub(crate) fn reread<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (this, py) = (slf.get(), slf.py());
        if let Some(known) = this.reread.get() {
            return Ok(known.bind(py).clone());
        }
        let schema = this.origin.schema.as_ref().map(Py::get);
        let looks = match schema {
            Some(schema) if this.inner.conforms() => schema.rereads(py)?,
            schema => schema.is_some_and(|schema| schema.of.is_some()),
        };
        let typed = if looks { Self::instance(slf)? } else { None };
        let Some(Typed::Made(made) | Typed::Accepted(made)) = typed else {
            return Ok(PyTuple::empty(py));
        };
        let unfit = this.inner.violations().iter();
        let unfit: Vec<String> = unfit.map(|one| one.path.to_string()).collect();
        static REREAD: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let reread = REREAD.import(py, "llmjson._typed", "reread")?;
        let found = reread.call1((this.value(py)?, made, unfit))?;
        let found = found.cast_into::<PyTuple>()?.unbind();
        Ok(this.reread.get_or_init(|| found).bind(py).clone())
    }

    /// Returns how sure the value is, with what its type read in its own way.
    pub(crate) fn class(slf: &Bound<'_, Self>) -> PyResult<Class> {
        let mut class = slf.get().inner.certainty();
        for one in Self::reread(slf)? {
            let name: String = one.getattr(intern!(slf.py(), "certainty"))?.extract()?;
            class = class.max(name.parse().unwrap_or(Class::Guess));
        }
        Ok(class)
    }

    /// Returns whether the value fits the schema, or the type of the schema takes it all the same.
    pub(crate) fn fits(slf: &Bound<'_, Self>) -> PyResult<bool> {
        let is_accepted =
            || Self::instance(slf).map(|typed| matches!(typed, Some(Typed::Accepted(_))));
        Ok(slf.get().inner.conforms() || is_accepted()?)
    }

    pub(crate) fn rejected<'a>(slf: &'a Bound<'_, Self>) -> PyResult<Option<&'a Rejected>> {
        Ok(match Self::instance(slf)? {
            Some(Typed::Rejected(rejected)) => Some(rejected),
            Some(Typed::Made(_) | Typed::Accepted(_) | Typed::Unfit) | None => None,
        })
    }

    /// Returns the reason why the value does not conform, if it does not.
    pub(crate) fn failure(slf: &Bound<'_, Self>) -> PyResult<Option<Failure<'static>>> {
        Ok(match Self::fits(slf)? {
            true => None,
            false => Some((*slf.get().inner).clone().into_failure()),
        })
    }
}
