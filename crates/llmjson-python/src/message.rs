//! Messages of a conversation as Python programs write them: dicts, which are not changed.

use std::sync::Arc;

use llmjson::retry::{ChatMessage, Role};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

/// A message: the caller's, with appended text, or one with only text.
#[derive(Clone)]
pub(crate) struct DictMessage {
    given: Option<Arc<Py<PyDict>>>,
    /// `None` if the caller's role is unknown.
    role: Option<Role>,
    text: String,
}

impl ChatMessage for DictMessage {
    fn from_text(role: Role, text: String) -> Self {
        Self {
            given: None,
            role: Some(role),
            text,
        }
    }

    fn role(&self) -> Option<Role> {
        self.role
    }

    fn append(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

impl DictMessage {
    /// Takes the caller's message, which needs a role.
    pub(crate) fn of(given: &Bound<'_, PyDict>) -> PyResult<Self> {
        let role = given.get_item("role")?;
        let role = role.and_then(|role| role.extract::<String>().ok());
        let role = role.ok_or_else(|| PyValueError::new_err("a message needs a role"))?;
        Ok(Self {
            given: Some(Arc::new(given.copy()?.unbind())),
            role: role.parse().ok(),
            text: String::new(),
        })
    }

    /// Returns the message as a new dict.
    pub(crate) fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Some(given) = &self.given else {
            let dict = PyDict::new(py);
            dict.set_item("role", self.role.map(Role::name))?;
            dict.set_item("content", &self.text)?;
            return Ok(dict);
        };
        let dict = given.bind(py).copy()?;
        if !self.text.is_empty() {
            dict.set_item("content", self.extended(py, dict.get_item("content")?)?)?;
        }
        Ok(dict)
    }

    /// Returns the content with the text appended, as another part if it consists of parts.
    fn extended<'py>(
        &self,
        py: Python<'py>,
        content: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(content) = content.filter(|content| !content.is_none()) else {
            return Ok(PyString::new(py, self.text.trim_start()).into_any());
        };
        if let Ok(text) = content.cast::<PyString>() {
            return text.add(&self.text);
        }
        let Ok(parts) = content.cast::<PyList>() else {
            let reason = "the content of a message is str or a list of parts";
            return Err(PyTypeError::new_err(reason));
        };
        let part = PyDict::new(py);
        part.set_item("type", "text")?;
        part.set_item("text", &self.text)?;
        parts.add(PyList::new(py, [part])?)
    }
}
