//! Tools that a model calls: the basis of `llmjson._tools`.

use llmjson::policy::FinishReason;
use llmjson::{
    stream::{CallEvent, Calls},
    tools::{
        Arguments, BindError, BindReport, CallReader, Families, SchemaTarget, TextCalls, ToolList,
        UnknownTool,
    },
};
use llmjson_page::{Rejected, Reply, words};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors::schema_error;
use crate::input::Input;
use crate::policy::policy_of;
use crate::value::{json_to_python, record_to_python, to_python};

/// The tools of a list, checked and compiled.
#[pyclass(frozen, module = "llmjson._llmjson")]
pub(crate) struct Registry {
    inner: llmjson::tools::Registry,
}

/// The result of parsing the arguments of a call.
#[pyclass(frozen, module = "llmjson._llmjson")]
pub(crate) struct Binding {
    name: String,
    outcome: Result<Box<BindReport>, UnknownTool>,
}

/// Returns calls with the text around them, for notebooks. Each has a title, and its binding if its
/// tool is known.
#[pyfunction]
pub(crate) fn calls_html(
    py: Python<'_>,
    content: String,
    calls: Vec<(String, Option<Py<Binding>>)>,
) -> String {
    let mut parts = vec![(content, None)];
    for (title, binding) in &calls {
        let shown = binding.as_ref().map(|binding| binding.get().shown());
        match shown {
            Some((said, reply)) => parts.push((format!("{title} {said}"), reply)),
            None => parts.push((title.clone(), None)),
        }
    }
    py.detach(|| llmjson_page::cells(&parts))
}

/// A call found in a text.
#[pyclass(frozen, get_all, module = "llmjson._llmjson")]
pub(crate) struct FoundCall {
    name: String,
    id: Option<String>,
    arguments: String,
    start: usize,
    end: usize,
    family: &'static str,
    certainty: &'static str,
    complete: bool,
    ok: bool,
    binding: Option<Py<Binding>>,
}

#[pymethods]
impl Registry {
    /// Takes the JSON text of a tool list in the format of OpenAI, Anthropic, Google or MCP.
    #[new]
    #[pyo3(signature = (tools, *, policy=None))]
    fn new(py: Python<'_>, tools: &str, policy: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let policy = policy_of(policy, "tool", None)?;
        let list = ToolList::parse(tools).map_err(|error| schema_error(py, &error))?;
        let list = list.with_each(|tool| tool.with_policy(policy.clone()));
        let registry = llmjson::tools::Registry::builder().register_tools(list);
        let inner = registry.build().map_err(|error| schema_error(py, &error))?;
        Ok(Self { inner })
    }

    /// The names of the tools, in list order.
    #[getter]
    fn names(&self) -> Vec<&str> {
        let contracts = self.inner.contracts();
        contracts.map(|contract| contract.name()).collect()
    }

    /// Returns the description and the schema of a tool, in a provider's format if one is named.
    #[pyo3(signature = (name, target=None))]
    fn describe<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        target: Option<&str>,
    ) -> PyResult<(String, Bound<'py, PyAny>)> {
        let contract = self.inner.get(name);
        let contract = contract.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let schema = contract.schema();
        let json = match target {
            None => json_to_python(py, schema.as_json())?,
            Some(name) => {
                let target = SchemaTarget::named(name).ok_or_else(|| {
                    PyValueError::new_err(format!("no provider's dialect is named {name:?}"))
                })?;
                json_to_python(py, target.render(schema).as_json())?
            }
        };
        Ok((contract.description().to_owned(), json))
    }

    /// Parses the arguments of a call.
    #[pyo3(signature = (name, arguments, *, finish_reason=None))]
    fn bind(
        &self,
        name: &str,
        arguments: &Bound<'_, PyAny>,
        finish_reason: Option<&str>,
    ) -> PyResult<Binding> {
        let input = Input::of(arguments)?;
        let mut reason = finish_reason.map(FinishReason::named);
        if input.is_cut {
            reason = Some(FinishReason::Length);
        }
        let report = arguments.py().detach(|| {
            let mut arguments = Arguments::from(&*input.text);
            if let Some(reason) = reason {
                arguments = arguments.with_finish_reason(reason);
            }
            self.inner.report(name, arguments)
        });
        Ok(match report {
            Ok(report) => Binding::of(report),
            Err(unknown) => Binding::of_unknown(unknown),
        })
    }

    /// Finds the calls in a text; also returns the text around them, the reasoning, quoted calls,
    /// and the part that was not searched.
    #[pyo3(signature = (text, *, family=None))]
    fn calls_in(
        &self,
        text: &Bound<'_, PyAny>,
        family: Option<Vec<String>>,
    ) -> PyResult<FoundCalls> {
        let py = text.py();
        let reader = self.reader(family)?;
        let input = Input::of(text)?;
        let found = py.detach(|| reader.read(&input.text));
        all_found(py, &found, &input)
    }

    /// Returns a stream that finds calls in streamed text.
    #[pyo3(signature = (*, family=None))]
    fn stream(&self, family: Option<Vec<String>>) -> PyResult<CallStream> {
        let inner = Some(self.reader(family)?.stream());
        Ok(CallStream { inner })
    }
}

impl Registry {
    fn reader(&self, families: Option<Vec<String>>) -> PyResult<CallReader<'_>> {
        let reader = CallReader::new(&self.inner);
        let Some(names) = families else {
            return Ok(reader);
        };
        let mut all = Families::default();
        for name in names {
            let unknown =
                |_| PyValueError::new_err(format!("no family or model is named {name:?}"));
            all = all.and(name.parse().map_err(unknown)?);
        }
        Ok(reader.with_families(all))
    }
}

/// The name, arguments, start, end, family and reason of text that has the form of a call but is
/// not one.
type NotRun = (String, String, usize, usize, &'static str, &'static str);

/// The calls of a text, the text around them, the reasoning, quoted calls, and the part of the text
/// that was not searched.
type FoundCalls = (
    Vec<FoundCall>,
    String,
    String,
    Vec<NotRun>,
    Option<(usize, usize)>,
);

fn all_found(py: Python<'_>, found: &TextCalls, input: &Input<'_>) -> PyResult<FoundCalls> {
    let mut starts = input.places.of(&input.text);
    let mut ends = input.places.of(&input.text);
    let mut calls = Vec::with_capacity(found.calls().len());
    for call in found.calls() {
        let known = call.report().cloned().map(Binding::of);
        let binding = known.or_else(|| call.unknown().cloned().map(Binding::of_unknown));
        calls.push(FoundCall {
            name: call.name().to_owned(),
            id: call.id().map(str::to_owned),
            arguments: call.arguments().to_owned(),
            start: starts.index(call.span().start),
            end: ends.index(call.span().end),
            family: call.family().name(),
            certainty: call.certainty().name(),
            complete: call.is_complete(),
            ok: call.is_ok(),
            binding: binding.map(|binding| Py::new(py, binding)).transpose()?,
        });
    }
    let (content, reasoning) = (found.content().to_owned(), found.reasoning().to_owned());
    let mut starts = input.places.of(&input.text);
    let mut ends = input.places.of(&input.text);
    let not_run = found.not_run().iter().map(|shown| {
        let (start, end) = (
            starts.index(shown.span().start),
            ends.index(shown.span().end),
        );
        let (name, arguments) = (shown.name().to_owned(), shown.arguments().to_owned());
        let (family, reason) = (shown.family().name(), shown.reason().name());
        (name, arguments, start, end, family, reason)
    });
    let not_run = not_run.collect();
    let mut places = input.places.of(&input.text);
    let unsearched = found
        .unsearched()
        .map(|rest| (places.index(rest.start), places.index(rest.end)));
    Ok((calls, content, reasoning, not_run, unsearched))
}

/// A change to a call: its kind, the index of the call, and a name or a piece of the arguments.
type CallChange = (
    &'static str,
    usize,
    Option<String>,
    Option<bool>,
    Option<bool>,
    Option<String>,
    Option<String>,
);

/// Finds calls in streamed text.
#[pyclass(module = "llmjson._llmjson")]
pub(crate) struct CallStream {
    /// `None` after the end.
    inner: Option<Calls>,
}

#[pymethods]
impl CallStream {
    /// Takes the next piece, and returns the changes.
    #[pyo3(signature = (piece, /))]
    fn push(&mut self, piece: &Bound<'_, PyAny>) -> PyResult<Vec<CallChange>> {
        let py = piece.py();
        let piece = Input::kept(piece)?.into_bound(py);
        let stream = self.inner.as_mut().ok_or_else(ended)?;
        match piece.cast::<PyBytes>() {
            Ok(bytes) => {
                let bytes = bytes.as_bytes();
                let pushed = py.detach(|| stream.push_bytes(bytes));
                pushed.map_err(|error| PyValueError::new_err(error.to_string()))?;
            }
            Err(_) => {
                let input = Input::of(&piece)?;
                let text = &*input.text;
                py.detach(|| stream.push(text));
            }
        }
        Ok(changes(stream.events()))
    }

    /// Ends the text, and returns the changes, the calls and the other findings.
    fn finish(&mut self, py: Python<'_>) -> PyResult<(Vec<CallChange>, FoundCalls)> {
        let stream = self.inner.take().ok_or_else(ended)?;
        let text = PyString::new(py, stream.text());
        let (found, events) = py.detach(|| stream.finish_with_events());
        let text = text.into_any();
        let input = Input::of(&text)?;
        Ok((changes(events), all_found(py, &found, &input)?))
    }
}

fn ended() -> PyErr {
    PyValueError::new_err("the stream has ended")
}

fn changes(events: Vec<CallEvent>) -> Vec<CallChange> {
    let change = |event| match event {
        CallEvent::Started { call, name } => {
            Some(("started", call, Some(name), None, None, None, None))
        }
        CallEvent::Arguments { call, text } => {
            Some(("arguments", call, Some(text), None, None, None, None))
        }
        CallEvent::Finished {
            call,
            complete,
            ok,
            reason,
            arguments,
        } => Some((
            "finished",
            call,
            None,
            Some(complete),
            Some(ok),
            reason,
            arguments,
        )),
        CallEvent::Superseded { call } => Some(("superseded", call, None, None, None, None, None)),
        _ => None,
    };
    events.into_iter().filter_map(change).collect()
}

#[pymethods]
impl Binding {
    /// The name of the tool.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// True if the tool is known and its arguments conform without a guess.
    #[getter]
    fn ok(&self) -> bool {
        let report = self.outcome.as_ref();
        report.is_ok_and(|report| report.is_ok() && !report.is_uncertain())
    }

    /// True if the tool is known.
    #[getter]
    fn known(&self) -> bool {
        self.outcome.is_ok()
    }

    /// The arguments after coercion; None if there are none.
    #[getter]
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let document = self.outcome.as_ref().ok().map(|report| report.document());
        to_python(py, document.and_then(|document| document.root()), None)
    }

    /// Returns the arguments as JSON; None if there are none.
    fn to_json(&self) -> Option<String> {
        let report = self.outcome.as_ref().ok()?;
        report.document().to_json()
    }

    #[getter]
    fn certainty(&self) -> Option<&'static str> {
        let report = self.outcome.as_ref().ok()?;
        report.document().root().map(|_| report.certainty().name())
    }

    #[getter]
    fn complete(&self) -> bool {
        let report = self.outcome.as_ref();
        report.map_or(true, |report| report.is_complete())
    }

    /// The problems with the arguments, as plain objects.
    #[getter]
    fn issues<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        match &self.outcome {
            Ok(report) => {
                let issues = report.issues().iter();
                issues.map(|issue| record_to_python(py, issue)).collect()
            }
            Err(unknown) => Ok(vec![record_to_python(py, &unknown.issue())?]),
        }
    }

    /// The origin of each member: its key in the call, and its present key, as plain objects.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let fields = self.outcome.as_ref().map(|report| report.fields());
        let fields = fields.unwrap_or_default();
        let fields = fields.iter().map(|field| record_to_python(py, field));
        fields.collect()
    }

    /// Returns feedback for the model.
    fn explain(&self) -> String {
        match &self.outcome {
            Ok(report) => report.explain(),
            Err(unknown) => {
                let error = BindError::<()>::UnknownTool(unknown.clone());
                error.explain()
            }
        }
    }

    /// Returns the arguments with their changes and errors marked, for notebooks.
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| llmjson_page::cells(&[self.shown()]))
    }

    fn __str__(&self) -> String {
        match &self.outcome {
            Ok(report) => report.to_string(),
            Err(unknown) => unknown.to_string(),
        }
    }
}

impl Binding {
    /// Returns the title and the reply to show in a notebook.
    fn shown(&self) -> (String, Option<Reply<'_>>) {
        let report = match &self.outcome {
            Ok(report) => report,
            Err(unknown) => return (unknown.to_string(), None),
        };
        let mut reply = Reply::read(report.document());
        reply.coercions = report.coercions();
        let issues = report.issues().iter();
        let rejected = issues.map(|issue| Rejected {
            path: issue.path.to_string(),
            message: issue.message.clone(),
        });
        reply.rejected = rejected.collect();
        reply.is_complete = report.is_complete();
        reply.has_schema = true;
        reply.feedback = (!report.is_ok()).then(|| report.explain());
        let title = format!("{}: {}", self.name, words::summary(&reply));
        (title, Some(reply))
    }

    fn of(report: BindReport) -> Self {
        Self {
            name: report.contract().name().to_owned(),
            outcome: Ok(Box::new(report)),
        }
    }

    fn of_unknown(unknown: UnknownTool) -> Self {
        Self {
            name: unknown.name.to_string(),
            outcome: Err(unknown),
        }
    }
}
