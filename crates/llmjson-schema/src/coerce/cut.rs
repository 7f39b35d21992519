//! Removes places from a value.

use std::collections::HashMap;

use llmjson_syntax::{Document, Kind, NewKey, NodeId};

use crate::base::path::{Path, Step};

/// The places to which paths lead, and all enclosing ones, which precede them.
pub(super) struct Places {
    pub(super) all: Vec<PlaceAt>,
    /// The place of each path.
    pub(super) ends: Vec<usize>,
}

pub(super) struct PlaceAt {
    /// The places directly below.
    pub(super) below: HashMap<Step, usize>,
    pub(super) above: usize,
    pub(super) depth: usize,
    /// The value, if there is one.
    pub(super) node: Option<NodeId>,
}

impl Places {
    pub(super) fn of<'p>(
        document: &Document<'_>,
        root: NodeId,
        paths: impl Iterator<Item = &'p Path>,
    ) -> Self {
        let place = |above, depth, node| PlaceAt {
            below: HashMap::new(),
            above,
            depth,
            node,
        };
        let mut all = vec![place(0, 0, Some(root))];
        let mut ends = Vec::new();
        for path in paths {
            let mut at = 0;
            for step in path.steps() {
                let new = all.len();
                let above = at;
                at = *all[at].below.entry(step.clone()).or_insert(new);
                if at == new {
                    all.push(place(above, all[above].depth + 1, None));
                }
            }
            ends.push(at);
        }
        for at in 0..all.len() {
            let below = std::mem::take(&mut all[at].below);
            if let Some(node) = all[at].node.filter(|_| !below.is_empty()) {
                for (step, child) in children(document, node) {
                    if let Some(&place) = below.get(&step) {
                        all[place].node = Some(child);
                    }
                }
            }
            all[at].below = below;
        }
        Self { all, ends }
    }

    /// Writes the value without the dropped places, or with their replacements, and returns it, or
    /// `None` if the root is dropped. Values without a dropped place keep their nodes.
    pub(super) fn without(
        &self,
        document: &mut Document<'_>,
        goes: &[bool],
        leave: &[Option<NodeId>],
    ) -> Option<NodeId> {
        let mut left: Vec<Option<NodeId>> = self.all.iter().map(|place| place.node).collect();
        // Inner values are written before outer ones.
        for (at, place) in self.all.iter().enumerate().rev() {
            if goes[at] {
                left[at] = leave.get(at).copied().flatten();
                continue;
            }
            // Nodes are compared, not values: untouched values keep their spans into the text.
            let is_same = |child: &usize| left[*child] == self.all[*child].node;
            let Some(node) = place.node.filter(|_| !place.below.values().all(is_same)) else {
                continue;
            };
            let kept = |(step, child): (Step, NodeId)| match place.below.get(&step) {
                Some(place) => left[*place],
                None => Some(child),
            };
            let nodes: Vec<_> = children(document, node).map(kept).collect();
            let value = document.node(node);
            left[at] = Some(if value.kind() == Kind::Object {
                let keys = value.members().keyed().zip(nodes);
                let members =
                    keys.filter_map(|((key, _), node)| Some((NewKey::Same(key.member()), node?)));
                let members: Vec<(NewKey<'static>, NodeId)> = members.collect();
                document.edit().object(&members)
            } else {
                let items: Vec<_> = nodes.into_iter().flatten().collect();
                document.edit().array(&items)
            });
        }
        left[0]
    }
}

/// Returns the members or items of a value, each with the step to it.
fn children(document: &Document<'_>, node: NodeId) -> impl Iterator<Item = (Step, NodeId)> {
    let value = document.node(node);
    let members = value.members();
    let members = members.map(|(name, member)| (Step::Member((&*name).into()), member.id()));
    let items = (0u32..).zip(value.items());
    members.chain(items.map(|(index, item)| (Step::Index(index), item.id())))
}
