//! Streamed replies.

use llmjson::policy::FinishReason;
use llmjson::stream::Finished;
use llmjson::syntax::{Change, Event};
use llmjson_page::Reply;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple, PyType};

use crate::input::{Input, OffsetMap};
use crate::mirror::Mirror;
use crate::origin::Origin;
use crate::parsed::Parsed;
use crate::policy::policy_of;
use crate::records;
use crate::schema::{Schema, generic, schema_given};

/// A streamed reply, and its value so far.
///
/// A value that has been shown is never retracted before the end: strings and lists grow, numbers
/// and keywords appear once complete. Pieces are str or bytes; bytes may end inside a character.
///
/// >>> from llmjson import Stream
/// >>> stream = Stream({"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}})
/// >>> stream.push("Here: {city: 'Par")
/// >>> stream.value
/// {'city': 'Par'}
/// >>> stream.push("is', days: '3'}")
/// >>> stream.finish().value
/// {'city': 'Paris', 'days': 3}
#[pyclass(subclass, weakref, module = "llmjson._llmjson")]
pub(crate) struct Stream {
    state: State,
    schema: Option<Py<Schema>>,
    policy: Option<Py<PyAny>>,
    superseded: bool,
    /// Changes that were not requested yet.
    pending: Vec<Event>,
    /// The number of pending changes in the mirror.
    mirrored: usize,
    mirror: Mirror,
    /// The number of list items already returned.
    given: usize,
    /// The JSON Pointer of a list whose items are returned, and whether something in it has changed
    /// since.
    watched: Option<(String, bool)>,
}

/// One variant is large, but there is only one stream per reply.
enum State {
    Coming(Box<llmjson::stream::Stream>),
    Finished(Py<Parsed>),
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (schema=None, *, policy=None, context=None, strict=None))]
    fn new(
        schema: Option<&Bound<'_, PyAny>>,
        policy: Option<&Bound<'_, PyAny>>,
        context: Option<Bound<'_, PyAny>>,
        strict: Option<bool>,
    ) -> PyResult<Self> {
        let schema = schema_given(schema, context, strict)?;
        let judge = policy_of(policy, "lenient", None)?;
        let inner = schema.as_ref().map(|schema| &schema.get().inner);
        let stream = llmjson::stream::Stream::new(inner).with_policy(judge);
        let state = State::Coming(Box::new(stream));
        Ok(Self {
            state,
            schema: schema.map(Bound::unbind),
            policy: policy.map(|policy| policy.clone().unbind()),
            superseded: false,
            pending: Vec::new(),
            mirrored: 0,
            mirror: Mirror::default(),
            given: 0,
            watched: None,
        })
    }

    /// The class for annotations, such as `Stream[Trip]`.
    #[classmethod]
    fn __class_getitem__(class: &Bound<'_, PyType>, of: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        generic(class, of)
    }

    /// Takes the next piece of the reply. Raises ValueError after the end.
    #[pyo3(signature = (piece, /))]
    fn push(&mut self, piece: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = piece.py();
        let piece = Input::kept(piece)?.into_bound(py);
        if let Ok(bytes) = piece.cast::<PyBytes>() {
            let bytes = bytes.as_bytes();
            let state = &mut self.state;
            let pushed = match state {
                State::Coming(stream) => py.detach(|| stream.push_bytes(bytes)),
                State::Finished(_) => return Err(ended()),
            };
            return pushed.map_err(|error| PyValueError::new_err(error.to_string()));
        }
        let input = Input::of(&piece)?;
        let text = &*input.text;
        match &mut self.state {
            State::Coming(stream) => py.detach(|| stream.push(text)),
            State::Finished(_) => return Err(ended()),
        }
        Ok(())
    }

    /// The value so far; None before one has begun. It does not change when more text arrives.
    /// Complete lists and dicts are shared with earlier and later values: copy them before changing
    /// them. An undeclared member may be in a different position in the result.
    #[getter]
    fn value<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let State::Finished(parsed) = &self.state {
            return Parsed::value(parsed.bind(py));
        }
        self.take_events();
        let fresh = self.pending.get(self.mirrored..).unwrap_or_default();
        self.mirror.apply(py, fresh)?;
        self.mirrored = self.pending.len();
        let value = self.mirror.value(py)?;
        Ok(value.unwrap_or_else(|| py.None().into_bound(py)))
    }

    /// Returns the value so far as JSON; None before one has begun.
    fn to_json(&self, py: Python<'_>) -> Option<String> {
        match &self.state {
            State::Coming(stream) => stream.value().map(|value| value.to_json()),
            State::Finished(parsed) => Parsed::to_json(parsed.bind(py), false),
        }
    }

    /// Returns the changes since the last call, in order.
    fn events<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.take_events();
        let events = std::mem::take(&mut self.pending);
        let fresh = events.get(self.mirrored..).unwrap_or_default();
        self.mirror.apply(py, fresh)?;
        self.mirrored = 0;
        records::events(py, &events)
    }

    /// Takes the next piece, and returns whether the value has changed.
    #[pyo3(name = "_advance")]
    fn advance(&mut self, piece: &Bound<'_, PyAny>) -> PyResult<bool> {
        let before = self.pending.len();
        self.push(piece)?;
        self.take_events();
        let mut fresh = self.pending.iter().skip(before);
        Ok(fresh.any(|event| {
            use Change::{Closed, Passed, Settled};
            !matches!(event.change, Passed(_) | Settled | Closed)
        }))
    }

    /// Ends the reply and returns its result: the result of `parse` for the whole text.
    #[pyo3(signature = (*, finish_reason=None))]
    fn finish(&mut self, py: Python<'_>, finish_reason: Option<String>) -> PyResult<Py<Parsed>> {
        let stream = match &mut self.state {
            State::Finished(parsed) => return Ok(parsed.clone_ref(py)),
            State::Coming(stream) => &mut **stream,
        };
        let mut stream = std::mem::replace(stream, llmjson::stream::Stream::new(None));
        if let Some(reason) = &finish_reason {
            stream.set_finish_reason(FinishReason::named(reason));
        }
        let text = stream.stream().text().to_owned();
        let Finished {
            parsed,
            superseded,
            events,
            ..
        } = py.detach(|| stream.finish());
        let origin = Origin {
            call: "parse",
            given: PyString::new(py, &text).into_any().unbind(),
            index: None,
            unread: None,
            schema: self.schema.as_ref().map(|one| one.clone_ref(py)),
            policy: self.policy.as_ref().map(|one| one.clone_ref(py)),
            finish_reason,
            parse_float: None,
        };
        let parsed = Py::new(
            py,
            Parsed::new(Box::new(parsed), origin, OffsetMap::default()),
        )?;
        self.superseded = superseded;
        self.mirror = Mirror::default();
        self.pending.extend(events);
        self.state = State::Finished(parsed.clone_ref(py));
        Ok(parsed)
    }

    /// The violations found so far that later text cannot resolve; at the end, all violations.
    #[getter]
    fn violations<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &mut self.state {
            State::Coming(stream) => {
                let found = py.detach(|| stream.violations().to_vec());
                Ok(records::lasting_violations(py, &found)?.into_any())
            }
            State::Finished(parsed) => parsed.bind(py).getattr(intern!(py, "violations")),
        }
    }

    /// Returns the list items completed since the last call, coerced to the item schema. `list` is
    /// the JSON Pointer of a list within the value; empty for the value itself.
    #[pyo3(name = "_items", signature = (schema, list=""))]
    fn items(
        &mut self,
        py: Python<'_>,
        schema: &Bound<'_, Schema>,
        list: &str,
    ) -> PyResult<Vec<Py<Parsed>>> {
        let (inner, from) = (Some(&schema.get().inner), self.given);
        self.take_events();
        let (_, changed) = self.watched.get_or_insert((format!("{list}/"), true));
        let is_unchanged = !std::mem::take(changed) && !list.is_empty();
        let items = match &mut self.state {
            State::Coming(_) if is_unchanged => Vec::new(),
            State::Coming(stream) if list.is_empty() => py.detach(|| stream.items(inner)),
            State::Coming(stream) => py.detach(|| stream.items_in(list, from, inner)),
            State::Finished(parsed) => {
                let policy = self.policy.as_ref().map(|policy| policy.bind(py));
                let judge = policy_of(policy, "lenient", None)?;
                let best = Parsed::best(parsed.bind(py))?;
                py.detach(|| best.items_in(list, from, inner, &judge))
            }
        };
        self.given += items.len();
        let made = items.into_iter().map(|item| {
            let text = item.parsed.document().text();
            let origin = Origin {
                call: "parse",
                given: PyString::new(py, text).into_any().unbind(),
                index: None,
                unread: None,
                schema: Some(schema.clone().unbind()),
                policy: self.policy.as_ref().map(|one| one.clone_ref(py)),
                finish_reason: None,
                parse_float: None,
            };
            let places = OffsetMap::default();
            Py::new(py, Parsed::new(Box::new(item.parsed), origin, places))
        });
        made.collect()
    }

    /// The schema to which the reply is coerced.
    #[getter]
    fn schema(&self, py: Python<'_>) -> Option<Py<Schema>> {
        self.schema.as_ref().map(|schema| schema.clone_ref(py))
    }

    /// True if the result does not continue the value that was shown: discard the shown value.
    #[getter]
    fn superseded(&self) -> bool {
        self.superseded
    }

    /// Returns the value so far next to the text so far as HTML, for notebooks.
    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.borrow());
        let (document, value) = match &this.state {
            State::Finished(parsed) => {
                return parsed.bind(py).call_method0(intern!(py, "_repr_html_"));
            }
            State::Coming(stream) => (stream.stream().document(), stream.value()),
        };
        let mut reply = Reply::read(document);
        (reply.value, reply.is_complete) = (value, true);
        let bytes = document.text().len();
        let title = format!("still coming, {bytes} bytes so far");
        let html = py.detach(|| llmjson_page::cells(&[(title, Some(reply))]));
        Ok(html.into_pyobject(py)?.into_any())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let json = self.to_json(py).unwrap_or_else(|| "nothing".to_owned());
        let shown: String = json.chars().take(200).collect();
        format!("Stream({shown})")
    }
}

impl Stream {
    fn take_events(&mut self) {
        let State::Coming(stream) = &mut self.state else {
            return;
        };
        let events = stream.events();
        if let Some((place, changed)) = &mut self.watched {
            let grows = |event: &Event| matches!(event.change, Change::Appended(_));
            let is_in = |event: &Event| event.path.to_string().starts_with(&**place);
            *changed |= events.iter().any(|event| !grows(event) && is_in(event));
        }
        self.pending.extend(events);
    }
}

fn ended() -> PyErr {
    PyValueError::new_err("the stream has ended")
}
