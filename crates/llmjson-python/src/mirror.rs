//! The value of a stream as Python objects, updated by the stream's events.
//!
//! Recreating the whole value for each piece of a reply would take quadratic time. Here only
//! changed values and their containers are recreated; everything else is shared with earlier
//! objects, so a caller's changes to complete lists and dicts remain visible. The nodes are in one
//! vector, so that neither creating nor dropping a deeply nested value recurses: Python threads may
//! have small stacks.

use std::mem;

use llmjson::syntax::Kind;
use llmjson::syntax::{Change, Event};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::value::json_to_python;

/// The value so far, root first; empty before it has begun.
#[derive(Default)]
pub(crate) struct Mirror {
    nodes: Vec<Node>,
}

/// A value, and the Python object last created for it.
struct Node {
    part: MirrorPart,
    made: Option<Py<PyAny>>,
    /// `true` if the value has changed since.
    is_stale: bool,
    /// The children that have changed since, by their index in the container.
    changed: Vec<usize>,
}

/// Children are given by their index in [`Mirror::nodes`].
enum MirrorPart {
    Object(Vec<(Py<PyString>, Box<str>, usize)>),
    Array(Vec<usize>),
    Text(String),
    /// A number, boolean or null.
    Scalar,
}

impl Mirror {
    /// Applies changes.
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

    /// Returns the value as a Python object, which shares unchanged parts with earlier ones.
    pub(crate) fn value<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        // Children are created before their container.
        for at in self.take_stale().into_iter().rev() {
            let made = self.remade(py, at)?;
            if let Some(node) = self.nodes.get_mut(at) {
                node.made = Some(made.unbind());
            }
        }
        Ok(self.nodes.first().map(|root| root.shown(py)))
    }

    /// Returns the changed nodes, each after its container.
    fn take_stale(&mut self) -> Vec<usize> {
        let mut stale = Vec::new();
        let mut waiting = vec![0];
        while let Some(at) = waiting.pop() {
            let Some(node) = self.nodes.get_mut(at).filter(|node| node.is_stale) else {
                continue;
            };
            node.is_stale = false;
            let changed = mem::take(&mut node.changed);
            waiting.extend(changed.iter().filter_map(|place| node.part.child(*place)));
            stale.push(at);
        }
        stale
    }

    /// Recreates the object of a changed node from its children's objects: the caller's changes to
    /// the old object are lost.
    fn remade<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Bound<'py, PyAny>> {
        let Some(node) = self.nodes.get(at) else {
            return Ok(py.None().into_bound(py));
        };
        Ok(match &node.part {
            MirrorPart::Object(members) => {
                let dict = PyDict::new(py);
                for (key, _, at) in members {
                    dict.set_item(key, self.shown(py, *at))?;
                }
                dict.into_any()
            }
            MirrorPart::Array(items) => {
                PyList::new(py, items.iter().map(|at| self.shown(py, *at)))?.into_any()
            }
            MirrorPart::Text(text) => PyString::new(py, text).into_any(),
            MirrorPart::Scalar => node.shown(py),
        })
    }

    fn shown<'py>(&self, py: Python<'py>, at: usize) -> Option<Bound<'py, PyAny>> {
        self.nodes.get(at).map(|node| node.shown(py))
    }

    fn append(&mut self, path: &str, piece: &str) {
        let at = self.reach(path);
        if let Some(MirrorPart::Text(text)) = at.and_then(|at| self.part(at)) {
            text.push_str(piece);
        }
    }

    /// Puts a value at its place, replacing or appending.
    fn put(&mut self, py: Python<'_>, path: &str, node: Node) {
        let Some((above, step)) = path.rsplit_once('/') else {
            self.nodes.clear();
            self.nodes.push(node);
            return;
        };
        let fresh = self.nodes.len();
        let Some(above) = self.reach(above).and_then(|at| self.nodes.get_mut(at)) else {
            return;
        };
        let place = match &mut above.part {
            MirrorPart::Object(members) => {
                let name = unescaped(step);
                let known = place_of(members, &name);
                if known.is_none() {
                    let key = PyString::new(py, &name).unbind();
                    members.push((key, name.into(), fresh));
                }
                known.unwrap_or(members.len() - 1)
            }
            MirrorPart::Array(items) => {
                let place = step.parse().unwrap_or(items.len()).min(items.len());
                if place == items.len() {
                    items.push(fresh);
                }
                place
            }
            MirrorPart::Text(_) | MirrorPart::Scalar => return,
        };
        above.mark(place);
        match above
            .part
            .child(place)
            .and_then(|at| self.nodes.get_mut(at))
        {
            Some(there) => *there = node,
            None => self.nodes.push(node),
        }
    }

    /// Returns the node at a path for a change, and marks its containers as changed.
    fn reach(&mut self, path: &str) -> Option<usize> {
        let mut at = 0;
        for step in path.split('/').skip(1) {
            let node = self.nodes.get_mut(at)?;
            let place = match &node.part {
                MirrorPart::Object(members) => place_of(members, &unescaped(step))?,
                MirrorPart::Array(_) => step.parse().ok()?,
                MirrorPart::Text(_) | MirrorPart::Scalar => return None,
            };
            at = node.part.child(place)?;
            node.mark(place);
        }
        self.nodes.get_mut(at)?.is_stale = true;
        Some(at)
    }

    fn part(&mut self, at: usize) -> Option<&mut MirrorPart> {
        self.nodes.get_mut(at).map(|node| &mut node.part)
    }
}

impl Node {
    fn opened(kind: Kind) -> Self {
        let part = match kind {
            Kind::Object => MirrorPart::Object(Vec::new()),
            Kind::Array => MirrorPart::Array(Vec::new()),
            _ => MirrorPart::Text(String::new()),
        };
        Self {
            part,
            made: None,
            is_stale: true,
            changed: Vec::new(),
        }
    }

    fn scalar(made: Py<PyAny>) -> Self {
        Self {
            part: MirrorPart::Scalar,
            made: Some(made),
            is_stale: false,
            changed: Vec::new(),
        }
    }

    /// Marks a child as changed. Consecutive calls usually mark the same one.
    fn mark(&mut self, place: usize) {
        self.is_stale = true;
        if self.changed.last() != Some(&place) {
            self.changed.push(place);
        }
    }

    /// Returns the object that was created last.
    fn shown<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let made = self.made.as_ref();
        made.map_or_else(|| py.None(), |made| made.clone_ref(py))
            .into_bound(py)
    }
}

impl MirrorPart {
    /// Returns the node of a child.
    fn child(&self, place: usize) -> Option<usize> {
        match self {
            Self::Object(members) => members.get(place).map(|(_, _, at)| *at),
            Self::Array(items) => items.get(place).copied(),
            Self::Text(_) | Self::Scalar => None,
        }
    }
}

/// Returns the index of the last member with a name.
fn place_of(members: &[(Py<PyString>, Box<str>, usize)], name: &str) -> Option<usize> {
    members.iter().rposition(|(_, known, _)| **known == *name)
}

/// Returns the name for a step of a JSON Pointer.
fn unescaped(step: &str) -> std::borrow::Cow<'_, str> {
    match step.contains('~') {
        true => step.replace("~1", "/").replace("~0", "~").into(),
        false => step.into(),
    }
}
