//! The value of a stream as Python objects, kept up to date by the stream's events.
//!
//! Making the whole value anew for each piece of a reply would take quadratic time. Here only what has
//! changed is made anew, with the containers around it; everything else is shared with the objects that
//! were handed out before, so that only what a caller does to lists and dicts that are whole is seen again. The nodes lie in one list, so that neither making nor dropping a value that
//! nests deeply is a recursion: threads of Python may have small stacks.

use std::mem;

use llmjson::syntax::Kind;
use llmjson::syntax::{Change, Event};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::value::json_to_python;

/// The value so far: its root first; nothing before it has begun.
#[derive(Default)]
pub(crate) struct Mirror {
    nodes: Vec<Node>,
}

/// A value, and the Python object that was made of it last.
struct Node {
    part: MirrorPart,
    made: Option<Py<PyAny>>,
    /// The value has changed since.
    is_stale: bool,
    /// The children that have changed since, by their places in the container.
    changed: Vec<usize>,
}

/// Children are given by their places in [`Mirror::nodes`].
enum MirrorPart {
    Object(Vec<(Py<PyString>, Box<str>, usize)>),
    Array(Vec<usize>),
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
        // What a container holds is made before it is.
        for at in self.take_stale().into_iter().rev() {
            let made = self.remade(py, at)?;
            if let Some(node) = self.nodes.get_mut(at) {
                node.made = Some(made.unbind());
            }
        }
        Ok(self.nodes.first().map(|root| root.shown(py)))
    }

    /// The nodes that have changed, each behind the one that holds it.
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

    /// The object of a node that has changed, made anew of those of its children: whatever the caller has
    /// done to the one before, it is not seen again.
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

    /// Puts a value at its place, instead of what stands there or behind what does.
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

    /// The value at a place, which is to change, and with it those around it.
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

    /// Notes that a child has changed. Those that come one after the other are mostly the same.
    fn mark(&mut self, place: usize) {
        self.is_stale = true;
        if self.changed.last() != Some(&place) {
            self.changed.push(place);
        }
    }

    /// The object that was made last.
    fn shown<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let made = self.made.as_ref();
        made.map_or_else(|| py.None(), |made| made.clone_ref(py))
            .into_bound(py)
    }
}

impl MirrorPart {
    /// The node of a child.
    fn child(&self, place: usize) -> Option<usize> {
        match self {
            Self::Object(members) => members.get(place).map(|(_, _, at)| *at),
            Self::Array(items) => items.get(place).copied(),
            Self::Text(_) | Self::Scalar => None,
        }
    }
}

/// The place of the last member with a name.
fn place_of(members: &[(Py<PyString>, Box<str>, usize)], name: &str) -> Option<usize> {
    members.iter().rposition(|(_, known, _)| **known == *name)
}

/// A step of a JSON Pointer as the name that it stands for.
fn unescaped(step: &str) -> std::borrow::Cow<'_, str> {
    match step.contains('~') {
        true => step.replace("~1", "/").replace("~0", "~").into(),
        false => step.into(),
    }
}
