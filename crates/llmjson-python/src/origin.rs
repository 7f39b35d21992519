//! The origin of a result.

use pyo3::prelude::*;

use crate::policy::policy_of;
use crate::schema::Schema;

/// The origin of a result: the call that unpickling repeats to restore it.
pub(crate) struct Origin {
    /// The name of the function, and the text or value passed to it.
    pub(crate) call: &'static str,
    pub(crate) given: Py<PyAny>,
    /// The index in the list that the function returns, if it returns one.
    pub(crate) index: Option<usize>,
    /// The reason why it was not parsed, if it was not text.
    pub(crate) unread: Option<Box<str>>,
    pub(crate) schema: Option<Py<Schema>>,
    pub(crate) policy: Option<Py<PyAny>>,
    pub(crate) finish_reason: Option<String>,
    pub(crate) parse_float: Option<Py<PyAny>>,
}

impl Origin {
    /// Returns the policy under which the text was parsed.
    ///
    /// # Errors
    ///
    /// If the argument is not a policy.
    pub(crate) fn policy(&self, py: Python<'_>) -> PyResult<llmjson::Policy> {
        let otherwise = match self.call {
            "arguments" => "tool",
            _ => "lenient",
        };
        let policy = self.policy.as_ref().map(|policy| policy.bind(py));
        policy_of(policy, otherwise, self.finish_reason.as_deref())
    }

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
