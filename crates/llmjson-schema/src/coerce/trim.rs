//! Removal of undeclared members: exactly those that validation would reject.

use std::collections::HashMap;

use llmjson_syntax::{Document, NewKey, NodeId};

use crate::base::path::Step;
use crate::base::report::{Coercion, CoercionKind, Found, Violation};
use crate::base::undeclared::Undeclared;
use crate::schema::Schema;

/// One value on the way to a member that goes, or such a member.
struct Place {
    /// The places directly below.
    below: HashMap<Step, usize>,
    /// The value as it is, later as it becomes; nothing if it goes.
    node: Option<NodeId>,
}

/// Removes the undeclared members from a document's value, and records them.
///
/// A value that would no longer be valid without them keeps them.
pub(super) fn drop_undeclared(document: &mut Document<'_>, schema: &Schema) -> Vec<Coercion> {
    let Some(root) = document.root() else {
        return Vec::new();
    };
    let mut violations = schema.violations(root, Undeclared::Reject);
    violations.retain(|one| one.keyword == "additionalProperties");
    if violations.is_empty() {
        return Vec::new();
    }
    let (was_valid, root) = (schema.is_valid(root), root.id());
    let places = places_of(document, root, &violations);
    let node = write(document, places).unwrap_or(root);
    document.edit().set_root(node);
    if was_valid && !schema.is_valid(document.value(node)) {
        document.edit().set_root(root);
        return Vec::new();
    }
    let records = violations.into_iter().filter_map(|one| match one.found {
        Found::Value(before) => Some(Coercion {
            kind: CoercionKind::DropUndeclared,
            class: CoercionKind::DropUndeclared.class(),
            path: one.path,
            before,
            after: None,
        }),
        Found::Missing => None,
    });
    records.collect()
}

/// The members that go and all that is around them, what is outside before what is inside.
fn places_of(document: &Document<'_>, root: NodeId, gone: &[Violation]) -> Vec<Place> {
    let place = |node| Place {
        below: HashMap::new(),
        node,
    };
    let mut places = vec![place(Some(root))];
    let mut ends = Vec::new();
    for violation in gone {
        let mut at = 0;
        for step in violation.path.steps() {
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

/// Writes every value anew in which a member goes, from the inside out.
fn write(document: &mut Document<'_>, mut places: Vec<Place>) -> Option<NodeId> {
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
        let items = (0u32..).zip(value.items()).map(|(index, item)| {
            let place = below.get(&Step::Index(index));
            place.and_then(|at| places[*at].node).unwrap_or(item.id())
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
