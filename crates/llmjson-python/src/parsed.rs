//! The result for a reply.

use std::borrow::Cow;
use std::sync::OnceLock;

use llmjson::Failure;
use llmjson::syntax::LineIndex;
use llmjson_page::Reply;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::errors::parse_error;
use crate::input::OffsetMap;
use crate::instance::Judged;
use crate::origin::Origin;
use crate::records;
use crate::schema::{Schema, generic};
use crate::value::{record_to_python, to_python_of};

/// The result of parsing a reply: the best value, how it was read, the changes made to fit the
/// schema, and the remaining violations.
///
/// >>> import llmjson
/// >>> parsed = llmjson.parse("Sure: {city: 'Oslo'}")
/// >>> parsed.ok, parsed.value, parsed.certainty
/// (True, {'city': 'Oslo'}, 'certain')
#[pyclass(frozen, weakref, module = "llmjson")]
pub(crate) struct Parsed {
    pub(crate) inner: Box<llmjson::Parsed<'static>>,
    pub(crate) origin: Origin,
    pub(crate) places: OffsetMap,
    value: OnceLock<Py<PyAny>>,
    pub(crate) judged: OnceLock<Judged>,
}

impl Parsed {
    pub(crate) fn new(
        inner: Box<llmjson::Parsed<'static>>,
        origin: Origin,
        places: OffsetMap,
    ) -> Self {
        Self {
            inner,
            origin,
            places,
            value: OnceLock::new(),
            judged: OnceLock::new(),
        }
    }

    fn text(&self) -> &str {
        self.inner.document().text()
    }

    /// Returns the value of a result as new plain Python objects.
    pub(crate) fn plain<'py>(
        &self,
        py: Python<'py>,
        read: &llmjson::Parsed<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let parse_float = self.origin.parse_float.as_ref().map(|one| one.bind(py));
        let given = self.origin.given.bind(py);
        to_python_of(read.value(), parse_float, given, &self.places)
    }

    /// Returns the reason why the value cannot be used, or `None` if it can.
    fn failure(slf: &Bound<'_, Self>, allow_truncated: bool) -> PyResult<Option<Failure>> {
        let best = Self::best(slf)?;
        if best.conforms() && (allow_truncated || best.is_complete()) {
            return Ok(None);
        }
        let mut failed = best.clone();
        if failed.conforms() {
            failed.refuse_truncated();
        }
        Ok((!failed.conforms()).then(|| failed.into_failure()))
    }
}

#[pymethods]
impl Parsed {
    /// The class for annotations, such as `Parsed[Trip]`.
    #[classmethod]
    fn __class_getitem__(class: &Bound<'_, PyType>, of: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        generic(class, of)
    }

    /// The value as plain Python objects: the best interpretation, even if it does not conform.
    /// None if there is no value; see `found`. It is created once: each access returns the same
    /// object.
    #[getter]
    pub(crate) fn value<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (this, py) = (slf.get(), slf.py());
        if let Some(value) = this.value.get() {
            return Ok(value.bind(py).clone());
        }
        // A type may accept the original of a value that coercion has changed.
        let read = match this.inner.coercions() {
            [] => &*this.inner,
            _ => Self::best(slf).unwrap_or(&this.inner),
        };
        let value = this.plain(py, read)?.unbind();
        Ok(this.value.get_or_init(|| value).bind(py).clone())
    }

    /// The value as an instance of the schema's type, such as a pydantic model: the same as
    /// `result()`. Raises ParseError if the value does not conform.
    #[getter]
    fn typed<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::result(slf, false)
    }

    /// True if there is a value, the policy allows it, and it satisfies the schema, if there is
    /// one. If the schema was made from a type, such as a pydantic model, the type decides whether
    /// the value conforms: a note says so if the type accepts a value that its schema does not
    /// describe.
    #[getter]
    fn ok(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Self::best(slf).map(llmjson::Parsed::conforms)
    }

    /// Returns `ok`, so that `if parsed:` tests for a usable value.
    fn __bool__(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Self::ok(slf)
    }

    /// The index among the results of `parse_many` or `parse_all`; None for a single text.
    #[getter]
    fn index(&self) -> Option<usize> {
        self.origin.index
    }

    /// The reason why an item of `parse_many` was not parsed, if it is not text; otherwise None.
    #[getter]
    fn unread(&self) -> Option<&str> {
        self.origin.unread.as_deref()
    }

    /// True if the reply holds a value.
    #[getter]
    fn found(&self) -> bool {
        self.inner.value().is_some()
    }

    /// True if the value was not truncated. If False, a caller with side effects should refuse the
    /// value.
    #[getter]
    fn complete(&self) -> bool {
        self.inner.is_complete()
    }

    /// The part that is missing from a truncated value: only closing brackets (`closers`), or a
    /// part of the value (`value`), for example if the text ends with a number; None if the value
    /// is complete. With `finish_reason="stop"`, a value that lacks only brackets is complete.
    #[getter]
    fn truncation(&self) -> Option<&'static str> {
        self.inner
            .truncation()
            .map(llmjson::syntax::Truncation::name)
    }

    /// The certainty that the value is the intended one: `certain`, `likely` or `guess`; None
    /// without a value. The schema's type may make it less certain: see `coercions`.
    #[getter]
    fn certainty(slf: &Bound<'_, Self>) -> PyResult<Option<&'static str>> {
        match slf.get().inner.value() {
            Some(_) => Self::best(slf).map(|best| Some(best.certainty().name())),
            None => Ok(None),
        }
    }

    /// The changes made to read the text as JSON.
    #[getter]
    fn repairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        records::repairs(py, self.inner.repairs(), self.text(), &self.places)
    }

    /// Notes about the text where nothing was changed, such as a duplicate key.
    #[getter]
    fn notes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let this = slf.get();
        let is_accepted = Self::is_accepted(slf)?;
        records::notes(
            slf.py(),
            &this.inner,
            this.text(),
            &this.places,
            is_accepted,
        )
    }

    /// The names of the limits that were reached: `input_bytes`, `depth`, `candidates`, `work`,
    /// `records`, `digits` or `pattern_steps`.
    #[getter]
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let limits = self.inner.limits_reached();
        PyTuple::new(py, limits.iter().map(|limit| limit.name))
    }

    /// The changes made to fit the value to the schema. If the schema was made from a type, such as
    /// a pydantic model, values that the type reads differently from `value` are included
    /// (`read_by_type`): `typed` contains them. The policy judges them like the others.
    #[getter]
    fn coercions<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let best = Self::best(slf)?;
        records::coercions(slf.py(), best.coercions(), best.document())
    }

    /// The remaining violations of the schema, or of the type that it was made from: the type's
    /// rejections, in its own words.
    #[getter]
    fn violations<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let best = Self::best(slf)?;
        records::violations(slf.py(), best.violations(), best.document())
    }

    /// The repairs, coercions and other properties of the reply that the policy refuses.
    #[getter]
    fn refused<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        records::refusals(py, self.inner.refused(), self.text(), &self.places)
    }

    /// The schema that the value was coerced to; None without one.
    #[getter]
    fn schema(&self, py: Python<'_>) -> Option<Py<Schema>> {
        let schema = self.origin.schema.as_ref();
        schema.map(|schema| schema.clone_ref(py))
    }

    /// The text that was passed in.
    #[getter]
    fn source(&self, py: Python<'_>) -> Py<PyAny> {
        self.origin.given.clone_ref(py)
    }

    /// Returns the value if it is `ok` and complete, as an instance of the schema's type if it has
    /// one; otherwise raises ParseError with the feedback. `allow_truncated` also accepts a
    /// truncated value.
    ///
    /// >>> import llmjson
    /// >>> llmjson.parse("I cannot do that.").result()
    /// Traceback (most recent call last):
    ///     ...
    /// llmjson._errors.ParseError: the reply holds no JSON value
    /// >>> llmjson.parse("[1, 2").result(allow_truncated=True)
    /// [1, 2]
    #[pyo3(signature = (*, allow_truncated=false))]
    fn result<'py>(slf: &Bound<'py, Self>, allow_truncated: bool) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let Some(failure) = Self::failure(slf, allow_truncated)? else {
            let made = Self::judged(slf)?.and_then(|judged| judged.made.as_ref());
            return match made {
                Some(made) => Ok(made.bind(py).clone()),
                None => Self::value(slf),
            };
        };
        let feedback = py.detach(|| llmjson::stringify(&failure));
        let unread = slf.get().unread().map(str::to_owned);
        let reason = unread.unwrap_or_else(|| failure.to_string());
        Err(parse_error(py, reason, slf.clone().unbind(), feedback))
    }

    /// Returns feedback with which the model can correct the reply: the value with each error next
    /// to its place; an empty string if there is none.
    ///
    /// >>> import llmjson
    /// >>> schema = {"properties": {"days": {"type": "integer"}}, "required": ["days"]}
    /// >>> print(llmjson.parse("{days: 'many'}", schema).feedback())
    /// ```json
    /// {
    ///   "days": "many" // ❌ [{"path":"$input.days","expected":"integer"}]
    /// }
    /// ```
    fn feedback(slf: &Bound<'_, Self>) -> PyResult<String> {
        let failure = Self::failure(slf, true)?;
        let told = failure.map(|failure| slf.py().detach(|| llmjson::stringify(&failure)));
        Ok(told.unwrap_or_default())
    }

    /// Returns the value as compact JSON, with every digit of its numbers; None without a value.
    ///
    /// >>> import llmjson
    /// >>> llmjson.parse("{price: 12.50,}").to_json()
    /// '{"price":12.50}'
    #[pyo3(signature = (*, pretty=false))]
    pub(crate) fn to_json(slf: &Bound<'_, Self>, pretty: bool) -> Option<String> {
        let document = Self::best(slf).unwrap_or(&slf.get().inner).document();
        match pretty {
            true => document.to_json_pretty(),
            false => document.to_json(),
        }
    }

    /// Returns the edits that the repairs make to the text, in text order. A member or number that
    /// was truncated before its value began is dropped (`unfinished="drop"`) or completed with null
    /// or the digit 0 (`"complete"`). Comments are dropped (`comments="drop"`), or kept so that the
    /// text becomes JSON with comments (`"keep"`): `//` and `/*` comments, and `#` comments, which
    /// become `//`.
    ///
    /// >>> import llmjson
    /// >>> [(edit.start, edit.end, edit.replacement) for edit in llmjson.parse("{a: 1,}").edits()]
    /// [(1, 2, '"a"'), (5, 6, '')]
    #[pyo3(signature = (*, unfinished="drop", comments="drop"))]
    fn edits<'py>(
        &self,
        py: Python<'py>,
        unfinished: &str,
        comments: &str,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let options = records::edit_options(unfinished, comments)?;
        let edits = py.detach(|| self.inner.document().edits_with(options));
        records::edits(py, &edits, self.text(), &self.places)
    }

    /// Returns the repaired text: strict JSON with the white space, member order and number
    /// spellings of the text; if comments are kept (`comments="keep"`), JSON with comments. It does
    /// not include coercions. Raises ParseError without a value, and if the policy refuses it.
    ///
    /// >>> import llmjson
    /// >>> print(llmjson.parse("{\n  a: 1.50,\n}").repaired_text())
    /// {
    ///   "a": 1.50
    /// }
    #[pyo3(signature = (*, unfinished="drop", comments="drop"))]
    fn repaired_text(slf: &Bound<'_, Self>, unfinished: &str, comments: &str) -> PyResult<String> {
        let (this, py) = (slf.get(), slf.py());
        let options = records::edit_options(unfinished, comments)?;
        let document = this.inner.document();
        if this.inner.value().is_some() && !this.inner.refused().is_empty() {
            let failure = (*this.inner).clone().into_failure();
            let feedback = py.detach(|| llmjson::stringify(&failure));
            let reason = failure.to_string();
            return Err(parse_error(py, reason, slf.clone().unbind(), feedback));
        }
        let repaired = py.detach(|| {
            let repaired = document.repaired_text_with(options);
            repaired.map(Cow::into_owned)
        });
        repaired.map_err(|error| {
            let place = LineIndex::new(this.text()).position(error.offset);
            let what = match error.limit {
                Some(limit) => limit.to_string(),
                None => "no JSON value".to_owned(),
            };
            let reason = format!("line {}, column {}: {what}", place.line, place.column);
            let feedback = Self::feedback(slf).unwrap_or_default();
            parse_error(py, reason, slf.clone().unbind(), feedback)
        })
    }

    /// Returns the report as plain objects, as printed by `llmjson parse --report`. Offsets in it
    /// count bytes of UTF-8.
    fn report<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        record_to_python(slf.py(), &Self::best(slf)?.report())
    }

    /// Returns the report as JSON.
    fn report_json(slf: &Bound<'_, Self>) -> PyResult<String> {
        Self::best(slf).map(|best| best.report().to_json())
    }

    /// Returns the reply as HTML with each repair marked in place, for notebooks.
    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (this, py) = (slf.get(), slf.py());
        let mut reply = Reply::of(Self::best(slf)?);
        reply.has_schema = this.origin.schema.is_some();
        let feedback = Self::feedback(slf)?;
        reply.feedback = Some(feedback).filter(|feedback| !feedback.is_empty());
        Ok(py.detach(|| llmjson_page::cell(&reply)))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let this = slf.get();
        let (best, is_judged) = match Self::best(slf) {
            Ok(best) => (best, true),
            Err(_) => (&*this.inner, false),
        };
        let mut shown = String::from("Parsed(");
        match best.value() {
            Some(_) => {
                // Python does not write integers of more than 4,300 digits.
                let value = match Self::value(slf)?.repr() {
                    Ok(value) => value.to_string_lossy().into_owned(),
                    Err(_) => Self::to_json(slf, false).unwrap_or_default(),
                };
                shown.push_str(&match value.char_indices().nth(200) {
                    Some((end, _)) => format!("{}...", value.get(..end).unwrap_or_default()),
                    None => value,
                });
            }
            None => shown.push_str("nothing"),
        }
        shown.push_str(match (is_judged && best.conforms(), best.is_complete()) {
            (true, true) => ", ok",
            (true, false) => ", ok, truncated",
            (false, true) => ", not ok",
            (false, false) => ", not ok, truncated",
        });
        if best.value().is_some() {
            shown.push_str(&format!(", {}", best.certainty()));
        }
        let counts = [
            (best.repairs().len(), "repairs"),
            (best.coercions().len(), "coercions"),
            (best.violations().len(), "violations"),
        ];
        for (count, what) in counts {
            if count > 0 {
                shown.push_str(&format!(", {what}={count}"));
            }
        }
        let limits = this.inner.limits_reached();
        if !limits.is_empty() {
            let names: Vec<_> = limits.iter().map(|limit| limit.name).collect();
            shown.push_str(&format!(", limits={}", names.join("+")));
        }
        shown.push(')');
        Ok(shown)
    }

    /// Parses the text again, which gives the same result.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let origin = &self.origin;
        let options = PyDict::new(py);
        if let Some(policy) = &origin.policy {
            options.set_item("policy", policy)?;
        }
        if let Some(reason) = &origin.finish_reason {
            options.set_item("finish_reason", reason)?;
        }
        if let Some(parse_float) = &origin.parse_float {
            options.set_item("parse_float", parse_float)?;
        }
        static RESTORE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let restore = RESTORE.import(py, "llmjson._schemas", "restore")?;
        let schema = origin.schema.as_ref();
        let call = (origin.call, &origin.given, schema, options, origin.index);
        (restore, call).into_pyobject(py)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let origin = &self.origin;
        visit.call(self.value.get())?;
        visit.call(self.judged.get().and_then(|judged| judged.made.as_ref()))?;
        visit.call(&origin.given)?;
        visit.call(&origin.schema)?;
        visit.call(&origin.policy)?;
        visit.call(&origin.parse_float)
    }
}
