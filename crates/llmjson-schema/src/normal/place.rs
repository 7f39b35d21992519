//! The position of a schema node, and its position before rewriting.

use llmjson_syntax::Span;

use super::tree::{Json, NodeIx, ROOT, Tree};

/// The position of a node: its parent, and the step from there to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodePlace {
    pub(super) parent: NodeIx,
    pub(super) step: Step,
}

/// The step that leads from a node to one of its children.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Member(Span),
    Index(usize),
}

impl Tree {
    /// The JSON Pointer to the node's position in the schema as given.
    pub(crate) fn source_pointer(&self, ix: NodeIx) -> String {
        self.pointer(&self.source, ix)
    }

    /// Returns the JSON Pointer to the node's current position, known after
    /// [`settle`](Self::settle).
    pub(crate) fn normal_pointer(&self, ix: NodeIx) -> String {
        self.pointer(&self.places, ix)
    }

    /// Returns the maximum length of the pointer to the node's original position in bytes,
    /// including escapes.
    pub(crate) fn pointer_bytes(&self, ix: NodeIx) -> usize {
        const INDEX: usize = 8;
        let bytes = way(&self.source, ix).map(|place| match place.step {
            Step::Member(name) => 1 + 3 * name.len(),
            Step::Index(_) => INDEX,
        });
        bytes.sum()
    }

    /// Returns the parent of a node in the schema as given, and its key there.
    pub(crate) fn source_parent(&self, ix: NodeIx) -> Option<(NodeIx, Option<&str>)> {
        self.parent_in(&self.source, ix)
    }

    /// The current parent of the node and its key there; `None` for the root and for unreachable
    /// nodes.
    pub(crate) fn normal_parent(&self, ix: NodeIx) -> Option<(NodeIx, Option<&str>)> {
        self.parent_in(&self.places, ix)
    }

    fn parent_in(
        &self,
        places: &[Option<NodePlace>],
        ix: NodeIx,
    ) -> Option<(NodeIx, Option<&str>)> {
        let NodePlace { parent, step } = places.get(ix as usize)?.as_ref()?;
        let name = match step {
            Step::Member(name) => Some(self.at(*name)),
            Step::Index(_) => None,
        };
        Some((*parent, name))
    }

    fn pointer(&self, places: &[Option<NodePlace>], ix: NodeIx) -> String {
        let steps: Vec<_> = way(places, ix).map(|place| place.step).collect();
        let mut pointer = String::new();
        for step in steps.iter().rev() {
            pointer.push('/');
            match step {
                Step::Index(index) => pointer.push_str(&index.to_string()),
                Step::Member(name) => {
                    pointer.push_str(&self.at(*name).replace('~', "~0").replace('/', "~1"));
                }
            }
        }
        pointer
    }

    /// Determines each node's position after rewriting.
    pub(crate) fn settle(&mut self) {
        self.nodes.shrink_to_fit();
        self.source.shrink_to_fit();
        self.texts.shrink_to_fit();
        self.places = vec![None; self.nodes.len()];
        let mut open = vec![ROOT];
        while let Some(parent) = open.pop() {
            let mut place = |child: NodeIx, step| {
                self.places[child as usize] = Some(NodePlace { parent, step });
                if let Json::Array(_) | Json::Object(_) = self.nodes[child as usize] {
                    open.push(child);
                }
            };
            match &self.nodes[parent as usize] {
                Json::Array(items) => {
                    let items = items.iter().enumerate();
                    items.for_each(|(at, &item)| place(item, Step::Index(at)));
                }
                Json::Object(members) => {
                    let members = members.iter();
                    members.for_each(|&(name, value)| place(value, Step::Member(name)));
                }
                _ => {}
            }
        }
    }
}

/// Iterates over the positions of a node, of its parent, and so on up to the root.
fn way(places: &[Option<NodePlace>], ix: NodeIx) -> impl Iterator<Item = &NodePlace> {
    let place = move |ix: NodeIx| places.get(ix as usize)?.as_ref();
    std::iter::successors(place(ix), move |inner| place(inner.parent))
}
