//! Schemas.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

use llmjson::policy::Undeclared;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple, PyType};

use crate::errors::schema_error;
use crate::records::violations;
use crate::value::{json_to_python, python_to_json};

/// A schema, compiled once. It can be shared between threads and pickled.
///
/// `source` is a JSON Schema (a dict, a bool or its text), a pydantic model or `TypeAdapter`, a
/// dataclass, a `TypedDict`, another type hint, or a `Schema`. SchemaError says why it cannot be used.
///
/// >>> from llmjson import Schema, parse
/// >>> schema = Schema({"type": "object", "properties": {"days": {"type": "integer"}}})
/// >>> parse("{days: '3'}", schema).value
/// {'days': 3}
#[pyclass(frozen, weakref, module = "llmjson")]
pub(crate) struct Schema {
    pub(crate) inner: llmjson::Schema,
    /// The Python type that it describes.
    pub(crate) of: Option<Py<PyAny>>,
    /// `true` if that type may read values that fit the schema in its own way; found when it is first asked.
    rereads: OnceLock<bool>,
}

#[pymethods]
impl Schema {
    #[new]
    #[pyo3(signature = (source, /))]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = source.py();
        if let Ok(schema) = source.cast::<Self>() {
            let schema = schema.get();
            return Ok(Self {
                inner: schema.inner.clone(),
                of: schema.of.as_ref().map(|of| of.clone_ref(py)),
                rereads: schema.rereads.clone(),
            });
        }
        if let Ok(text) = source.cast::<PyString>() {
            let text = text.to_str();
            let text = text.map_err(|error| schema_error(py, &error.value(py)))?;
            return Self::from_text(py, text, None);
        }
        static DESCRIBE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let describe = DESCRIBE.import(py, "llmjson._schemas", "describe")?;
        let (text, of): (String, Option<Py<PyAny>>) = describe.call1((source,))?.extract()?;
        Self::from_text(py, &text, of)
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

    /// The Python type that was given; None for a JSON Schema.
    #[getter(r#type)]
    fn of(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.of.as_ref().map(|of| of.clone_ref(py))
    }

    /// Returns every way in which a value does not satisfy the schema; an empty tuple if it does.
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

    /// Returns the schema as short as a prompt should be: as a type in the manner of TypeScript.
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
        let of = self.of.as_ref().map(|of| of.clone_ref(py));
        let restore = py.get_type::<Self>().getattr(intern!(py, "_restore"))?;
        (restore, (self.inner.as_json(), of)).into_pyobject(py)
    }

    #[classmethod]
    #[pyo3(name = "_restore")]
    fn restore(class: &Bound<'_, PyType>, text: &str, of: Option<Py<PyAny>>) -> PyResult<Self> {
        Self::from_text(class.py(), text, of)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

impl Schema {
    fn from_text(py: Python<'_>, text: &str, of: Option<Py<PyAny>>) -> PyResult<Self> {
        // Patterns may take a while to compile.
        let inner = py.detach(|| llmjson::Schema::from_text(text));
        let inner = inner.map_err(|error| schema_error(py, &error))?;
        let rereads = OnceLock::new();
        Ok(Self { inner, of, rereads })
    }

    /// Returns whether the type may read values that fit the schema in its own way.
    ///
    /// # Errors
    ///
    /// If pydantic cannot describe the type.
    pub(crate) fn rereads(&self, py: Python<'_>) -> PyResult<bool> {
        if let (Some(of), None) = (&self.of, self.rereads.get()) {
            static REREADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            let rereads = REREADS.import(py, "llmjson._typed", "rereads")?;
            let known = rereads.call1((of,))?.extract()?;
            return Ok(*self.rereads.get_or_init(|| known));
        }
        Ok(self.rereads.get().copied().unwrap_or(false))
    }
}

/// The schema that an argument means; `None` stands for none.
///
/// # Errors
///
/// If it cannot be used as one.
pub(crate) fn schema_of<'py>(
    given: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, Schema>>> {
    let Some(given) = given.filter(|given| !given.is_none()) else {
        return Ok(None);
    };
    if let Ok(schema) = given.cast::<Schema>() {
        return Ok(Some(schema.clone()));
    }
    static COMPILED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let compiled = COMPILED.import(given.py(), "llmjson._schemas", "compiled")?;
    let compiled = compiled.call1((given,))?;
    Ok(Some(compiled.cast_into::<Schema>()?))
}

/// A class with the type that its objects are about, as annotations name it.
///
/// # Errors
///
/// If Python has no memory left.
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
