//! The origin of a result.

use pyo3::prelude::*;

use crate::schema::Schema;

/// The origin of a result: the call that pickling repeats to get it again.
pub(crate) struct Origin {
    /// The name of the function, and the text or value that it was given.
    pub(crate) call: &'static str,
    pub(crate) given: Py<PyAny>,
    /// The place in the list that the function returns, if it returns one.
    pub(crate) index: Option<usize>,
    /// The reason why it was not read, if it was not a text.
    pub(crate) unread: Option<Box<str>>,
    pub(crate) schema: Option<Py<Schema>>,
    pub(crate) policy: Option<Py<PyAny>>,
    pub(crate) finish_reason: Option<String>,
    pub(crate) parse_float: Option<Py<PyAny>>,
}

impl Origin {
    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Self {
        Self {
            call: self.call,
            given: self.given.clone_ref(py),
            index: self.index,
            unread: self.unread.clone(),
            schema: self.schema.as_ref().map(|one| one.clone_ref(py)),
            policy: self.policy.as_ref().map(|one| one.clone_ref(py)),
            finish_reason: self.finish_reason.clone(),
            parse_float: self.parse_float.as_ref().map(|one| one.clone_ref(py)),
        }
    }
}
