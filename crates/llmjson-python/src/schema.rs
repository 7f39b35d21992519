//! Schemas.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

use llmjson::policy::Undeclared;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

use crate::errors::schema_error;
use crate::records::violations;
use crate::value::{json_to_python, python_to_json};

/// A schema, compiled once. It can be shared between threads and pickled.
///
/// `source` is a JSON Schema (a dict, a bool or its text), a pydantic model or `TypeAdapter`, a
/// dataclass, a `TypedDict`, another type hint, or a `Schema`. Raises SchemaError if it is invalid.
/// `context` and `strict` are passed to pydantic's validators.
///
/// >>> from llmjson import Schema, parse
/// >>> schema = Schema({"type": "object", "properties": {"days": {"type": "integer"}}})
/// >>> parse("{days: '3'}", schema).value
/// {'days': 3}
#[pyclass(frozen, weakref, module = "llmjson")]
pub(crate) struct Schema {
    pub(crate) inner: llmjson::Schema,
    /// The Python type that it was made from.
    pub(crate) of: Option<Py<PyAny>>,
    /// The context and the strictness for the type's validators.
    options: Options,
    /// The type as a judge; created on first use.
    judge: OnceLock<Judge>,
}

#[derive(Default)]
struct Options {
    context: Option<Py<PyAny>>,
    strict: Option<bool>,
}

/// A type as a judge of values: an object from `llmjson._typed`.
#[derive(FromPyObject)]
pub(crate) struct Judge {
    #[pyo3(attribute("given"))]
    given: Py<PyAny>,
    /// Makes an instance from a plain value or raises ValueError, if the type reads Python values
    /// the same way as JSON.
    #[pyo3(attribute("quick"))]
    pub(crate) quick: Option<Py<PyAny>>,
    /// Makes an instance from a value and its JSON text, and reports the type's rejections.
    #[pyo3(attribute("full"))]
    pub(crate) full: Py<PyAny>,
    /// `true` if the type may read conforming values in its own way.
    #[pyo3(attribute("rereads"))]
    pub(crate) rereads: bool,
    /// `true` if the schema must check the bounds in annotations.
    #[pyo3(attribute("leaves_bounds"))]
    pub(crate) leaves_bounds: bool,
}

#[pymethods]
impl Schema {
    #[new]
    #[pyo3(signature = (source, /, *, context=None, strict=None))]
    fn new(
        source: &Bound<'_, PyAny>,
        context: Option<Bound<'_, PyAny>>,
        strict: Option<bool>,
    ) -> PyResult<Self> {
        let py = source.py();
        if context.is_some() || strict.is_some() {
            return Self::new(source, None, None)?.given(py, context, strict);
        }
        if let Ok(schema) = source.cast::<Self>() {
            return Ok(schema.get().clone_ref(py));
        }
        if let Ok(text) = source.cast::<PyString>() {
            let text = text.to_str();
            let text = text.map_err(|error| schema_error(py, &error.value(py)))?;
            return Self::from_text(py, text, None, Options::default());
        }
        static DESCRIBE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let describe = DESCRIBE.import(py, "llmjson._schemas", "describe")?;
        let (text, of): (String, Option<Py<PyAny>>) = describe.call1((source,))?.extract()?;
        Self::from_text(py, &text, of, Options::default())
    }

    /// The class for annotations, such as `Schema[Trip]`.
    #[classmethod]
    fn __class_getitem__(class: &Bound<'_, PyType>, of: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        generic(class, of)
    }

    /// The JSON Schema, as plain objects.
    #[getter]
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json_to_python(py, self.inner.as_json())
    }

    /// The text of the JSON Schema, as passed to other processes and to the kernel for columns.
    #[getter(_text)]
    fn text(&self) -> &str {
        self.inner.as_json()
    }

    /// The Python type that was given; None for a JSON Schema.
    #[getter(r#type)]
    fn of(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.of.as_ref().map(|of| of.clone_ref(py))
    }

    /// The function by which the type judges; None without a type.
    #[getter(_judge)]
    fn judge_of(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        Ok(self.judge(py)?.map(|judge| judge.full.clone_ref(py)))
    }

    /// The context and the strictness for the type's validators.
    #[getter(_given)]
    fn given_options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (&self.options.context, self.options.strict).into_pyobject(py)
    }

    /// Returns every violation of the schema by a value; an empty tuple if there is none.
    ///
    /// >>> from llmjson import Schema
    /// >>> [wrong.path for wrong in Schema({"type": "integer"}).validate("3")]
    /// ['$input']
    #[pyo3(signature = (value, /))]
    fn validate<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        let py = value.py();
        let text = python_to_json(value)?;
        let document = llmjson::syntax::parse(&text);
        let found = match document.root() {
            Some(root) => self.inner.violations(root, Undeclared::Keep),
            None => Vec::new(),
        };
        violations(py, &found, &document)
    }

    /// Returns the schema compactly for a prompt: as a TypeScript-like type.
    ///
    /// >>> from llmjson import Schema
    /// >>> days = {"type": "integer", "minimum": 1, "description": "How long."}
    /// >>> print(Schema({"properties": {"city": {"type": "string"}, "days": days}, "required": ["city"]}).prompt())
    /// {
    ///   city: string
    ///   days?: integer // How long. At least 1.
    /// }
    fn prompt(&self) -> String {
        llmjson::tools::schema_prompt(&self.inner)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(match &self.of {
            Some(of) => format!("Schema({})", of.bind(py).repr()?),
            None => format!("Schema({})", clipped(self.inner.as_json())),
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| other.get().inner.as_json() == self.inner.as_json())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.inner.as_json().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Options { context, strict } = &self.options;
        let restore = py.get_type::<Self>().getattr(intern!(py, "_restore"))?;
        (restore, (self.inner.as_json(), &self.of, context, strict)).into_pyobject(py)
    }

    #[classmethod]
    #[pyo3(name = "_restore")]
    fn restore(
        class: &Bound<'_, PyType>,
        text: &str,
        of: Option<Py<PyAny>>,
        context: Option<Py<PyAny>>,
        strict: Option<bool>,
    ) -> PyResult<Self> {
        Self::from_text(class.py(), text, of, Options { context, strict })
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

impl Schema {
    fn from_text(
        py: Python<'_>,
        text: &str,
        of: Option<Py<PyAny>>,
        options: Options,
    ) -> PyResult<Self> {
        // Patterns may take a while to compile.
        let inner = py.detach(|| llmjson::Schema::from_text(text));
        let inner = inner.map_err(|error| schema_error(py, &error))?;
        let judge = OnceLock::new();
        Ok(Self {
            inner,
            of,
            options,
            judge,
        })
    }

    fn clone_ref(&self, py: Python<'_>) -> Self {
        let judge = self.judge.get().map(|judge| judge.clone_ref(py));
        let Options { context, strict } = &self.options;
        Self {
            inner: self.inner.clone(),
            of: self.of.as_ref().map(|of| of.clone_ref(py)),
            options: Options {
                context: context.as_ref().map(|one| one.clone_ref(py)),
                strict: *strict,
            },
            judge: judge.map_or_else(OnceLock::new, OnceLock::from),
        }
    }

    /// Returns the same schema with arguments for its type's validators.
    ///
    /// # Errors
    ///
    /// If the type does not accept these arguments, or there is none.
    fn given(
        &self,
        py: Python<'_>,
        context: Option<Bound<'_, PyAny>>,
        strict: Option<bool>,
    ) -> PyResult<Self> {
        let Some(judge) = self.judge(py)? else {
            let reason = "context and strict are for the schema of a type";
            return Err(PyTypeError::new_err(reason));
        };
        let given: Judge = judge.given.call1(py, (&context, strict))?.extract(py)?;
        let context = context.map(Bound::unbind);
        Ok(Self {
            options: Options { context, strict },
            judge: OnceLock::from(given),
            ..self.clone_ref(py)
        })
    }

    /// Returns the type's judge; `None` without a type.
    ///
    /// # Errors
    ///
    /// If pydantic cannot describe the type.
    pub(crate) fn judge(&self, py: Python<'_>) -> PyResult<Option<&Judge>> {
        if let (Some(of), None) = (&self.of, self.judge.get()) {
            static JUDGE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            let judge = JUDGE.import(py, "llmjson._typed", "Judge")?;
            let Options { context, strict } = &self.options;
            let made = judge.call1((of, context, strict))?.extract()?;
            return Ok(Some(self.judge.get_or_init(|| made)));
        }
        Ok(self.judge.get())
    }
}

impl Judge {
    fn clone_ref(&self, py: Python<'_>) -> Self {
        Self {
            given: self.given.clone_ref(py),
            quick: self.quick.as_ref().map(|quick| quick.clone_ref(py)),
            full: self.full.clone_ref(py),
            rereads: self.rereads,
            leaves_bounds: self.leaves_bounds,
        }
    }
}

/// Returns the schema for an argument; `None` means no schema.
///
/// # Errors
///
/// If it cannot be used as a schema.
pub(crate) fn schema_of<'py>(
    given: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, Schema>>> {
    let Some(given) = given.filter(|given| !given.is_none()) else {
        return Ok(None);
    };
    if let Ok(schema) = given.cast::<Schema>() {
        return Ok(Some(schema.clone()));
    }
    // Schemas of classes are found by identity, without calling Python code.
    static KEPT: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let kept = KEPT.import(given.py(), "llmjson._schemas", "by_identity")?;
    if let Some(found) = kept.get_item(given.as_ptr() as usize)?
        && let Ok((source, schema)) = found.extract::<(Bound<'_, PyAny>, Bound<'_, Schema>)>()
        && source.is(given)
    {
        return Ok(Some(schema));
    }
    static COMPILED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let compiled = COMPILED.import(given.py(), "llmjson._schemas", "compiled")?;
    let compiled = compiled.call1((given,))?;
    Ok(Some(compiled.cast_into::<Schema>()?))
}

/// Returns the schema for an argument, with arguments for its type's validators.
///
/// # Errors
///
/// If it cannot be used as a schema, or there is no type.
pub(crate) fn schema_given<'py>(
    given: Option<&Bound<'py, PyAny>>,
    context: Option<Bound<'py, PyAny>>,
    strict: Option<bool>,
) -> PyResult<Option<Bound<'py, Schema>>> {
    let schema = schema_of(given)?;
    match schema {
        Some(schema) if context.is_some() || strict.is_some() => {
            let py = schema.py();
            Bound::new(py, schema.get().given(py, context, strict)?).map(Some)
        }
        schema => Ok(schema),
    }
}

/// Returns a class with its type argument, as annotations write it.
///
/// # Errors
///
/// If Python is out of memory.
pub(crate) fn generic(class: &Bound<'_, PyType>, of: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    static ALIAS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let alias = ALIAS.import(class.py(), "types", "GenericAlias")?;
    alias.call1((class, of)).map(Bound::unbind)
}

fn clipped(json: &str) -> String {
    match json.char_indices().nth(200) {
        Some((end, _)) => format!("{}...", json.get(..end).unwrap_or_default()),
        None => json.to_owned(),
    }
}
