//! The value of a stream as Python objects, kept up to date by the stream's events.
//!
//! Making the whole value anew for each piece of a reply would take quadratic time. Here only what has
//! changed is made anew, with the containers around it; everything else is shared with the objects that
//! were handed out before.

use llmjson::stream::{Change, Event};
use llmjson::syntax::Kind;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::value::json_to_python;

/// The value so far; nothing before it has begun.
#[derive(Default)]
pub(crate) struct Mirror {
    root: Option<Node>,
}

/// A value, and the Python object that was made of it since it has changed last.
struct Node {
    part: Part,
    made: Option<Py<PyAny>>,
}

enum Part {
    Object(Vec<(Py<PyString>, Box<str>, Node)>),
    Array(Vec<Node>),
    Text(String),
    /// A number, boolean or null, or what cannot change any more.
    Made,
}

impl Mirror {
    /// Applies what has changed.
    ///
    /// # Errors
    ///
    /// If Python cannot hold a number.
    pub(crate) fn apply(&mut self, py: Python<'_>, events: &[Event]) -> PyResult<()> {
        for event in events {
            let part = match &event.change {
                Change::Opened(Kind::Object) => Part::Object(Vec::new()),
                Change::Opened(Kind::Array) => Part::Array(Vec::new()),
                Change::Opened(_) => Part::Text(String::new()),
                Change::Value(json) => {
                    let made = Some(json_to_python(py, json)?.unbind());
                    let part = Part::Made;
                    self.put(py, &event.path.to_string(), Node { part, made });
                    continue;
                }
                Change::Appended(piece) => {
                    self.append(&event.path.to_string(), piece);
                    continue;
                }
                _ => continue,
            };
            self.put(py, &event.path.to_string(), Node { part, made: None });
        }
        Ok(())
    }

    /// The value as a Python object, which shares what has not changed with those before.
    pub(crate) fn value<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let root = self.root.as_mut();
        root.map(|root| root.shown(py)).transpose()
    }

    fn append(&mut self, path: &str, piece: &str) {
        if let Some(Node {
            part: Part::Text(text),
            ..
        }) = self.reach(path)
        {
            text.push_str(piece);
        }
    }

    /// Puts a value at its place, instead of what stands there or behind what does.
    fn put(&mut self, py: Python<'_>, path: &str, node: Node) {
        let Some((above, step)) = path.rsplit_once('/') else {
            self.root = Some(node);
            return;
        };
        let Some(above) = self.reach(above) else {
            return;
        };
        match &mut above.part {
            Part::Object(members) => {
                let name = unescaped(step);
                match members
                    .iter_mut()
                    .rev()
                    .find(|(_, known, _)| **known == *name)
                {
                    Some((_, _, there)) => *there = node,
                    None => {
                        let key = PyString::new(py, &name).unbind();
                        members.push((key, name.into(), node));
                    }
                }
            }
            Part::Array(items) => match step.parse().ok().and_then(|at: usize| items.get_mut(at)) {
                Some(there) => *there = node,
                None => items.push(node),
            },
            Part::Text(_) | Part::Made => {}
        }
    }

    /// The value at a place. What was made of it and of those around it holds no longer.
    fn reach(&mut self, path: &str) -> Option<&mut Node> {
        let mut node = self.root.as_mut()?;
        node.made = None;
        for step in path.split('/').skip(1) {
            node = match &mut node.part {
                Part::Object(members) => {
                    let name = unescaped(step);
                    let mut members = members.iter_mut().rev();
                    &mut members.find(|(_, known, _)| **known == *name)?.2
                }
                Part::Array(items) => items.get_mut(step.parse::<usize>().ok()?)?,
                Part::Text(_) | Part::Made => return None,
            };
            node.made = None;
        }
        Some(node)
    }
}

impl Node {
    fn shown<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(made) = &self.made {
            return Ok(made.bind(py).clone());
        }
        let made = match &mut self.part {
            Part::Object(members) => {
                let dict = PyDict::new(py);
                for (key, _, member) in members {
                    dict.set_item(&*key, member.shown(py)?)?;
                }
                dict.into_any()
            }
            Part::Array(items) => {
                let items = items.iter_mut().map(|item| item.shown(py));
                PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any()
            }
            Part::Text(text) => PyString::new(py, text).into_any(),
            Part::Made => py.None().into_bound(py),
        };
        self.made = Some(made.clone().unbind());
        Ok(made)
    }
}

/// A step of a JSON Pointer as the name that it stands for.
fn unescaped(step: &str) -> std::borrow::Cow<'_, str> {
    match step.contains('~') {
        true => step.replace("~1", "/").replace("~0", "~").into(),
        false => step.into(),
    }
}
