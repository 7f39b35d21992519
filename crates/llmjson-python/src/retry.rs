//! Asking a model again: the state machine inside the loop in `llmjson._retry`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
use crate::policy::{allowing_truncated, policy_of};
use crate::schema::Schema;

/// A conversation with a model that continues until a reply conforms: the messages to send next.
///
/// `check` is called with the `Parsed` of each conforming reply, and returns the problems with its
/// value: pairs of a path and a sentence. `schema_in` is `feedback` if the messages describe the
/// schema, or `prompt` to add it to them.
#[pyclass(module = "llmjson._llmjson")]
pub(crate) struct Turn {
    turn: Option<llmjson::retry::Turn<DictMessage>>,
    attempts: u32,
    said: Arc<Mutex<Said>>,
}

/// The last reply, as the judge and the check see it.
#[derive(Default)]
struct Said {
    finish_reason: Option<String>,
    parsed: Option<Py<Parsed>>,
    /// The exception raised by a validator or by the check.
    raised: Option<PyErr>,
}

#[pymethods]
impl Turn {
    #[new]
    #[pyo3(signature = (schema, messages, *, max_retries=None, policy=None, check=None,
        schema_in="feedback", allow_truncated=false))]
    fn new(
        schema: &Bound<'_, Schema>,
        messages: Vec<Bound<'_, PyDict>>,
        max_retries: Option<i64>,
        policy: Option<&Bound<'_, PyAny>>,
        check: Option<Py<PyAny>>,
        schema_in: &str,
        allow_truncated: bool,
    ) -> PyResult<Self> {
        let allowing = match allow_truncated {
            true => Some(allowing_truncated(schema.py(), policy, "lenient")?),
            false => None,
        };
        let policy = allowing.as_ref().or(policy);
        let mut retry = Retry::new(&schema.get().inner)
            .with_policy(policy_of(policy, "lenient", None)?)
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
        let said = Arc::<Mutex<Said>>::default();
        let judge = Judge {
            schema: schema.clone().unbind(),
            policy: policy.map(|policy| policy.clone().unbind()),
            said: Arc::clone(&said),
        };
        retry = retry.with_judge(move |parsed| judge.judge(parsed));
        if let Some(check) = check {
            let said = Arc::clone(&said);
            retry = retry.with_check(move |_: &IgnoredAny, issues| refuse(&check, &said, issues));
        }
        let messages = messages.iter().map(DictMessage::of);
        let messages = messages.collect::<PyResult<Vec<_>>>()?;
        Ok(Self {
            turn: Some(retry.start(messages)),
            attempts: 0,
            said,
        })
    }

    /// The messages to send to the model: the given ones, with all their members, and feedback;
    /// empty after the end.
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

    /// Takes the model's reply. Returns its result if it conforms, or None if the model must be
    /// asked again; raises RetryError if there are no retries left.
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
        *self.said() = Said {
            finish_reason: finish_reason.clone(),
            ..Said::default()
        };
        let mut said = Reply::new(reply);
        if let Some(reason) = &finish_reason {
            said = said.with_finish_reason(FinishReason::named(reason));
        }
        self.attempts += 1;
        let next = py.detach(|| turn.feed(said));
        let Said { parsed, raised, .. } = std::mem::take(&mut *self.said());
        if let Some(error) = raised {
            return Err(error);
        }
        match next {
            Next::NeedCompletion(turn) => {
                self.turn = Some(turn);
                Ok(None)
            }
            Next::Done(_) => Ok(parsed),
            Next::Failed(error) => {
                let feedback = error.failure().map(llmjson::stringify).unwrap_or_default();
                let (reason, attempts) = (error.to_string(), error.attempts());
                Err(retry_error(py, reason, attempts, feedback, reply))
            }
        }
    }
}

impl Turn {
    fn said(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The judge of replies: the schema's type, if it has one.
struct Judge {
    schema: Py<Schema>,
    policy: Option<Py<PyAny>>,
    said: Arc<Mutex<Said>>,
}

impl Judge {
    fn judge(&self, read: &mut llmjson::Parsed<'_>) {
        let said = || self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let finish_reason = said().finish_reason.clone();
        let judged = Python::attach(|py| {
            let origin = Origin {
                call: "parse",
                given: PyString::new(py, read.document().text())
                    .into_any()
                    .unbind(),
                index: None,
                unread: None,
                schema: Some(self.schema.clone_ref(py)),
                policy: self.policy.as_ref().map(|one| one.clone_ref(py)),
                finish_reason,
                parse_float: None,
            };
            let inner = Box::new(read.clone().into_owned());
            let parsed = Bound::new(py, Parsed::new(inner, origin, OffsetMap::default()))?;
            read.clone_from(Parsed::best(&parsed)?);
            Ok(parsed.unbind())
        });
        match judged {
            Ok(parsed) => said().parsed = Some(parsed),
            Err(error) => said().raised = Some(error),
        }
    }
}

/// Calls the caller's check.
fn refuse(check: &Py<PyAny>, said: &Mutex<Said>, issues: &mut Issues<'_>) {
    let said = || said.lock().unwrap_or_else(PoisonError::into_inner);
    let asked = Python::attach(|py| {
        let parsed = said().parsed.as_ref().map(|parsed| parsed.clone_ref(py));
        let wrong = check.call1(py, (parsed,))?;
        for (path, reason) in wrong.extract::<Vec<(String, String)>>(py)? {
            issues.reject(&path, reason);
        }
        Ok(())
    });
    if let Err(error) = asked {
        said().raised = Some(error);
    }
}
