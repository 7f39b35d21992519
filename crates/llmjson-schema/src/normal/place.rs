//! Where a node of a schema stands, and where it stood before anything was rewritten.

use super::tree::{Json, NodeIx, ROOT, Tree};
use super::word::Word;

/// Where a node stands: in which parent, as which of its members or items.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) parent: NodeIx,
    pub(super) at: u32,
}

impl Place {
    /// Nothing leads there.
    pub(super) const NOWHERE: Self = Self {
        parent: NodeIx::MAX,
        at: 0,
    };
}

/// What leads from a node to one of its children.
#[derive(Clone, Debug)]
pub(super) enum Step<W> {
    Member(W),
    Index(u32),
}

/// The parent that a node had, and what led from there to it.
pub(super) type Source = (NodeIx, Step<Word>);

impl Tree {
    /// JSON Pointer to where the node stood in the schema as it was given.
    pub(crate) fn source_pointer(&self, ix: NodeIx) -> String {
        pointer(ix, |ix| self.source_place(ix))
    }

    /// JSON Pointer to where the node stands now. Known after [`settle`](Self::settle).
    pub(crate) fn normal_pointer(&self, ix: NodeIx) -> String {
        pointer(ix, |ix| self.normal_place(ix))
    }

    /// How many bytes the pointer to where the node stood has at most, with its signs escaped.
    pub(crate) fn pointer_bytes(&self, ix: NodeIx) -> usize {
        const INDEX: usize = 8;
        let (mut bytes, mut at) = (0, ix);
        while let Some((parent, step)) = self.source_place(at) {
            bytes += match step {
                Step::Member(name) => 1 + 3 * name.len(),
                Step::Index(_) => INDEX,
            };
            at = parent;
        }
        bytes
    }

    fn source_place(&self, ix: NodeIx) -> Option<(NodeIx, Step<&Word>)> {
        let Some(source) = &self.source else {
            return self.normal_place(ix);
        };
        let (parent, step) = source[ix as usize].as_ref()?;
        let step = match step {
            Step::Member(name) => Step::Member(name),
            Step::Index(at) => Step::Index(*at),
        };
        Some((*parent, step))
    }

    fn normal_place(&self, ix: NodeIx) -> Option<(NodeIx, Step<&Word>)> {
        let Place { parent, at } = *self.places.get(ix as usize)?;
        let step = match self.nodes.get(parent as usize)? {
            Json::Object(members) => Step::Member(&members[at as usize].0),
            _ => Step::Index(at),
        };
        Some((parent, step))
    }

    /// The parent and the name under which the node stands now; nothing for the root and for what
    /// nothing leads to any more.
    pub(crate) fn normal_parent(&self, ix: NodeIx) -> Option<(NodeIx, Option<&Word>)> {
        let (parent, step) = self.normal_place(ix)?;
        let name = match step {
            Step::Member(name) => Some(name),
            Step::Index(_) => None,
        };
        Some((parent, name))
    }

    /// Notes where each node stood, before something is rewritten.
    pub(crate) fn note_source(&mut self) {
        if self.source.is_some() {
            return;
        }
        let nodes = (0..).take(self.nodes.len());
        let source = nodes.map(|ix| {
            let (parent, step) = self.normal_place(ix)?;
            let step = match step {
                Step::Member(name) => Step::Member(name.clone()),
                Step::Index(at) => Step::Index(at),
            };
            Some((parent, step))
        });
        self.source = Some(source.collect());
    }

    /// Finds out where each node stands after rewriting.
    pub(crate) fn settle(&mut self) {
        self.nodes.shrink_to_fit();
        if self.source.is_some() {
            self.find_places();
        }
        self.places.shrink_to_fit();
    }

    fn find_places(&mut self) {
        self.places = vec![Place::NOWHERE; self.nodes.len()];
        let mut open = vec![ROOT];
        while let Some(parent) = open.pop() {
            let mut place = |child: NodeIx, at: u32| {
                self.places[child as usize] = Place { parent, at };
                if let Json::Array(_) | Json::Object(_) = self.nodes[child as usize] {
                    open.push(child);
                }
            };
            match &self.nodes[parent as usize] {
                Json::Array(items) => {
                    let items = items.iter().zip(0u32..);
                    items.for_each(|(&item, at)| place(item, at));
                }
                Json::Object(members) => {
                    let members = members.iter().zip(0u32..);
                    members.for_each(|((_, value), at)| place(*value, at));
                }
                _ => {}
            }
        }
    }
}

/// The way from the root to a node, by the place of each.
fn pointer<'t>(ix: NodeIx, place: impl Fn(NodeIx) -> Option<(NodeIx, Step<&'t Word>)>) -> String {
    let ways = std::iter::successors(place(ix), |&(parent, _)| place(parent));
    let steps: Vec<_> = ways.map(|(_, step)| step).collect();
    let mut pointer = String::new();
    for step in steps.iter().rev() {
        pointer.push('/');
        match step {
            Step::Index(index) => pointer.push_str(&index.to_string()),
            Step::Member(name) => {
                for c in name.chars() {
                    match c {
                        '~' => pointer.push_str("~0"),
                        '/' => pointer.push_str("~1"),
                        _ => pointer.push(c),
                    }
                }
            }
        }
    }
    pointer
}
