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

/// A value, and the Python object that was made of it last.
struct Node {
    part: Part,
    made: Option<Py<PyAny>>,
    /// The value has changed since.
    is_stale: bool,
}

enum Part {
    Object {
        members: Vec<(Py<PyString>, Box<str>, Node)>,
        /// The members that have changed since the object was made.
        changed: Vec<usize>,
    },
    Array {
        items: Vec<Node>,
        changed: Vec<usize>,
    },
    Text(String),
    /// A number, boolean or null.
    Scalar,
}

impl Mirror {
    /// Applies what has changed.
    ///
    /// # Errors
    ///
    /// If Python cannot hold a number.
    pub(crate) fn apply(&mut self, py: Python<'_>, events: &[Event]) -> PyResult<()> {
        for event in events {
            let path = || event.path.to_string();
            match &event.change {
                Change::Opened(kind) => self.put(py, &path(), Node::opened(*kind)),
                Change::Value(json) => {
                    let made = json_to_python(py, json)?.unbind();
                    self.put(py, &path(), Node::scalar(made));
                }
                Change::Appended(piece) => self.append(&path(), piece),
                _ => {}
            }
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
            Part::Object { members, changed } => {
                let name = unescaped(step);
                let at = members.iter().rposition(|(_, known, _)| **known == *name);
                mark(changed, at.unwrap_or(members.len()));
                match at.and_then(|at| members.get_mut(at)) {
                    Some((_, _, there)) => *there = node,
                    None => {
                        let key = PyString::new(py, &name).unbind();
                        members.push((key, name.into(), node));
                    }
                }
            }
            Part::Array { items, changed } => {
                let at = step.parse().unwrap_or(items.len()).min(items.len());
                mark(changed, at);
                match items.get_mut(at) {
                    Some(there) => *there = node,
                    None => items.push(node),
                }
            }
            Part::Text(_) | Part::Scalar => {}
        }
    }

    /// The value at a place, which is to change, and with it those around it.
    fn reach(&mut self, path: &str) -> Option<&mut Node> {
        let mut node = self.root.as_mut()?;
        node.is_stale = true;
        for step in path.split('/').skip(1) {
            node = match &mut node.part {
                Part::Object { members, changed } => {
                    let name = unescaped(step);
                    let at = members.iter().rposition(|(_, known, _)| **known == *name)?;
                    mark(changed, at);
                    &mut members.get_mut(at)?.2
                }
                Part::Array { items, changed } => {
                    let at = step.parse().ok()?;
                    mark(changed, at);
                    items.get_mut(at)?
                }
                Part::Text(_) | Part::Scalar => return None,
            };
            node.is_stale = true;
        }
        Some(node)
    }
}

impl Node {
    fn opened(kind: Kind) -> Self {
        let changed = Vec::new();
        let part = match kind {
            Kind::Object => Part::Object {
                members: Vec::new(),
                changed,
            },
            Kind::Array => Part::Array {
                items: Vec::new(),
                changed,
            },
            _ => Part::Text(String::new()),
        };
        Self {
            part,
            made: None,
            is_stale: true,
        }
    }

    fn scalar(made: Py<PyAny>) -> Self {
        Self {
            part: Part::Scalar,
            made: Some(made),
            is_stale: false,
        }
    }

    /// The Python object. One that was made before is copied, and what has changed is replaced.
    fn shown<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let before = self.made.as_ref().map(|made| made.bind(py));
        if let Some(made) = before.filter(|_| !self.is_stale) {
            return Ok(made.clone());
        }
        let made = match &mut self.part {
            Part::Object { members, changed } => {
                let dict = match before.map(|before| before.cast::<PyDict>()) {
                    Some(Ok(before)) => before.copy()?,
                    _ => PyDict::new(py),
                };
                for at in changed.drain(..) {
                    if let Some((key, _, member)) = members.get_mut(at) {
                        dict.set_item(&*key, member.shown(py)?)?;
                    }
                }
                dict.into_any()
            }
            Part::Array { items, changed } => {
                let list = match before.map(|before| before.cast::<PyList>()) {
                    Some(Ok(before)) => before.get_slice(0, before.len()),
                    _ => PyList::empty(py),
                };
                for at in changed.drain(..) {
                    if let Some(item) = items.get_mut(at) {
                        let item = item.shown(py)?;
                        match at < list.len() {
                            true => list.set_item(at, item)?,
                            false => list.append(item)?,
                        }
                    }
                }
                list.into_any()
            }
            Part::Text(text) => PyString::new(py, text).into_any(),
            Part::Scalar => py.None().into_bound(py),
        };
        self.made = Some(made.clone().unbind());
        self.is_stale = false;
        Ok(made)
    }
}

/// Notes that a child has changed. Those that come one after the other are mostly the same.
fn mark(changed: &mut Vec<usize>, at: usize) {
    if changed.last() != Some(&at) {
        changed.push(at);
    }
}

/// A step of a JSON Pointer as the name that it stands for.
fn unescaped(step: &str) -> std::borrow::Cow<'_, str> {
    match step.contains('~') {
        true => step.replace("~1", "/").replace("~0", "~").into(),
        false => step.into(),
    }
}
