//! The exceptions of the package, which are written in Python.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

const MODULE: &str = "llmjson._errors";

/// An invalid schema.
pub(crate) fn schema_error(py: Python<'_>, reason: &dyn std::fmt::Display) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    raise(py, &CLASS, "SchemaError", (reason.to_string(),))
}

/// A conversation in which no reply could be used.
pub(crate) fn retry_error(
    py: Python<'_>,
    reason: String,
    attempts: u32,
    feedback: String,
    reply: &str,
) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    raise(
        py,
        &CLASS,
        "RetryError",
        (reason, attempts, feedback, reply),
    )
}

/// A reply without a conforming value.
pub(crate) fn parse_error(
    py: Python<'_>,
    reason: String,
    parsed: Py<crate::parsed::Parsed>,
    feedback: String,
) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    raise(py, &CLASS, "ParseError", (reason, parsed, feedback))
}

fn raise<'py, A>(py: Python<'py>, class: &PyOnceLock<Py<PyType>>, name: &str, arguments: A) -> PyErr
where
    A: pyo3::call::PyCallArgs<'py>,
{
    let raised = class
        .import(py, MODULE, name)
        .and_then(|class| class.call1(arguments));
    match raised {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}
