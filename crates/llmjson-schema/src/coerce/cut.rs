//! Takes places out of a value.

use std::collections::HashMap;

use llmjson_syntax::{Document, NewKey, NodeId};

use crate::base::path::{Path, Step};

/// One value on the way to a place that goes, or such a place.
struct CutPlace {
    /// The places directly below.
    below: HashMap<Step, usize>,
    /// The value as it is, later as it becomes; nothing if it goes.
    node: Option<NodeId>,
}

/// Writes a value without the members and items at these places, and returns it; the value itself if
/// one of them is the root. What holds none of them keeps its nodes.
pub(super) fn without<'p>(
    document: &mut Document<'_>,
    root: NodeId,
    gone: impl Iterator<Item = &'p Path>,
) -> NodeId {
    let places = places_of(document, root, gone);
    write(document, places).unwrap_or(root)
}

/// The places that go and all that is around them, what is outside before what is inside.
fn places_of<'p>(
    document: &Document<'_>,
    root: NodeId,
    gone: impl Iterator<Item = &'p Path>,
) -> Vec<CutPlace> {
    let place = |node| CutPlace {
        below: HashMap::new(),
        node,
    };
    let mut places = vec![place(Some(root))];
    let mut ends = Vec::new();
    for path in gone {
        let mut at = 0;
        for step in path.steps() {
            let new = places.len();
            at = *places[at].below.entry(step.clone()).or_insert(new);
            if at == new {
                places.push(place(None));
            }
        }
        ends.push(at);
    }
    for at in 0..places.len() {
        let below = std::mem::take(&mut places[at].below);
        let Some(node) = places[at].node.filter(|_| !below.is_empty()) else {
            continue;
        };
        let value = document.value(node);
        for (name, member) in value.members() {
            if let Some(place) = below.get(&Step::Member((&*name).into())) {
                places[*place].node = Some(member.id());
            }
        }
        for (index, item) in (0u32..).zip(value.items()) {
            if let Some(place) = below.get(&Step::Index(index)) {
                places[*place].node = Some(item.id());
            }
        }
        places[at].below = below;
    }
    for at in ends {
        places[at].node = None;
    }
    places
}

/// Writes every value anew in which a place goes, from the inside out.
fn write(document: &mut Document<'_>, mut places: Vec<CutPlace>) -> Option<NodeId> {
    for at in (0..places.len()).rev() {
        let below = std::mem::take(&mut places[at].below);
        let Some(node) = places[at].node.filter(|_| !below.is_empty()) else {
            continue;
        };
        let value = document.value(node);
        let mut members: Vec<(NewKey<'static>, NodeId)> = Vec::new();
        for (key, member) in value.members().keyed() {
            let kept = match below.get(&Step::Member((&*key.decoded()).into())) {
                Some(place) => places[*place].node,
                None => Some(member.id()),
            };
            members.extend(kept.map(|node| (NewKey::Same(key.member()), node)));
        }
        let items = (0u32..).zip(value.items()).filter_map(|(index, item)| {
            match below.get(&Step::Index(index)) {
                Some(place) => places[*place].node,
                None => Some(item.id()),
            }
        });
        let items: Vec<_> = items.collect();
        let is_object = value.kind() == llmjson_syntax::Kind::Object;
        let mut editor = document.edit();
        places[at].node = Some(if is_object {
            editor.object(&members)
        } else {
            editor.array(&items)
        });
    }
    places.first().and_then(|place| place.node)
}
