//! Asking a model again: the state machine around which `llmjson._retry` is the loop.

use std::sync::{Arc, Mutex, PoisonError};

use llmjson::policy::FinishReason;
use llmjson::report::Issues;
use llmjson::retry::{Next, Reply, Retry, SchemaIn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde::de::IgnoredAny;

use crate::errors::retry_error;
use crate::input::{Input, OffsetMap};
use crate::message::DictMessage;
use crate::origin::Origin;
use crate::parsed::Parsed;
use crate::policy::policy_of;
use crate::schema::{Schema, schema_of};

/// A conversation with a model that goes on until a reply fits: the messages to send next.
///
/// `check` is called with the value of each reply that fits, as JSON, and returns what is wrong with
/// it: pairs of a path and a sentence. `schema_in` is `feedback` if the messages say what is wanted, or `prompt`
/// to add the schema to them.
#[pyclass(module = "llmjson._llmjson")]
pub(crate) struct Turn {
    turn: Option<llmjson::retry::Turn<DictMessage>>,
    schema: Py<Schema>,
    policy: Option<Py<PyAny>>,
    attempts: u32,
    /// The exception that the check raised.
    raised: Raised,
    /// The reply that is checked.
    said: LastReply,
}

type Raised = Arc<Mutex<Option<PyErr>>>;
type LastReply = Arc<Mutex<String>>;

#[pymethods]
impl Turn {
    #[new]
    #[pyo3(signature = (schema, messages, *, max_retries=None, policy=None, check=None,
        schema_in="feedback"))]
    fn new(
        schema: &Bound<'_, PyAny>,
        messages: Vec<Bound<'_, PyDict>>,
        max_retries: Option<i64>,
        policy: Option<&Bound<'_, PyAny>>,
        check: Option<Py<PyAny>>,
        schema_in: &str,
    ) -> PyResult<Self> {
        let compiled = schema_of(Some(schema))?;
        let compiled = compiled.ok_or_else(|| PyValueError::new_err("a schema is needed"))?;
        let judge = policy_of(policy, "lenient", None)?;
        let mut retry = Retry::new(&compiled.get().inner)
            .with_policy(judge.clone())
            .with_schema_in(match schema_in {
                "feedback" => SchemaIn::Feedback,
                "prompt" => SchemaIn::Prompt,
                _ => {
                    let reason = format!("schema_in is feedback or prompt, not {schema_in:?}");
                    return Err(PyValueError::new_err(reason));
                }
            });
        if let Some(max_retries) = max_retries {
            let negative = |_| PyValueError::new_err("max_retries must be at least 0");
            let max_retries = u32::try_from(max_retries.min(i64::from(u32::MAX)));
            retry = retry.with_max_retries(max_retries.map_err(negative)?);
        }
        let (raised, said) = (Raised::default(), LastReply::default());
        if let Some(check) = check {
            let (raised, said) = (Arc::clone(&raised), Arc::clone(&said));
            let (schema, policy) = (compiled.get().inner.clone(), judge.clone());
            retry = retry.with_check(move |_: &IgnoredAny, issues| {
                // Read once more, since serde's numbers have not all digits.
                let reply = said.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let value = policy.parse(&reply, Some(&schema)).to_json();
                if let Err(error) = refuse(&check, value.unwrap_or_default(), issues) {
                    *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
            });
        }
        let messages = messages.iter().map(DictMessage::of);
        let messages = messages.collect::<PyResult<Vec<_>>>()?;
        Ok(Self {
            turn: Some(retry.start(messages)),
            schema: compiled.unbind(),
            policy: policy.map(|policy| policy.clone().unbind()),
            attempts: 0,
            raised,
            said,
        })
    }

    /// The messages to send to the model: those that were given, with all their members, and feedback; empty
    /// after the end.
    #[getter]
    fn messages<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let messages = self.turn.as_ref().map_or(&[][..], |turn| turn.messages());
        messages.iter().map(|message| message.to_dict(py)).collect()
    }

    /// The number of replies so far.
    #[getter]
    fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Takes the model's reply. Returns its result if it fits, None if the model is to be asked again;
    /// raises RetryError if it may not be asked any more.
    #[pyo3(signature = (reply, /, *, finish_reason=None))]
    fn feed(
        &mut self,
        py: Python<'_>,
        reply: &Bound<'_, PyAny>,
        finish_reason: Option<String>,
    ) -> PyResult<Option<Py<Parsed>>> {
        let input = Input::of(reply)?;
        let turn = self.turn.take();
        let turn = turn.ok_or_else(|| PyValueError::new_err("the conversation is over"))?;
        let reply = &*input.text;
        reply.clone_into(&mut self.said.lock().unwrap_or_else(PoisonError::into_inner));
        let mut said = Reply::new(reply);
        if let Some(reason) = &finish_reason {
            said = said.with_finish_reason(FinishReason::named(reason));
        }
        self.attempts += 1;
        let next = py.detach(|| turn.feed(said));
        let raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = { raised }.take() {
            return Err(error);
        }
        match next {
            Next::NeedCompletion(turn) => {
                self.turn = Some(turn);
                Ok(None)
            }
            Next::Done(answer) => {
                let origin = Origin {
                    call: "parse",
                    given: PyString::new(py, reply).into_any().unbind(),
                    index: None,
                    unread: None,
                    schema: Some(self.schema.clone_ref(py)),
                    policy: self.policy.as_ref().map(|one| one.clone_ref(py)),
                    finish_reason,
                    parse_float: None,
                };
                let parsed = Parsed::new(Box::new(answer.parsed), origin, OffsetMap::default());
                Py::new(py, parsed).map(Some)
            }
            Next::Failed(error) => {
                let feedback = error.failure().map(llmjson::stringify).unwrap_or_default();
                let (reason, attempts) = (error.to_string(), error.attempts());
                Err(retry_error(py, reason, attempts, feedback, reply))
            }
        }
    }
}

/// Asks the caller's check.
fn refuse(check: &Py<PyAny>, value: String, issues: &mut Issues<'_>) -> PyResult<()> {
    Python::attach(|py| {
        let wrong = check.call1(py, (value,))?;
        for (path, reason) in wrong.extract::<Vec<(String, String)>>(py)? {
            issues.reject(&path, reason);
        }
        Ok(())
    })
}
