//! Leaving out what does not conform: items of lists, and members that are not required.
//!
//! The violations say what is wrong and where. Of each, the innermost place around it goes that may
//! go: `{"n": "x"}` for `$input.items[3].n` if the items require `n`, else the member alone. The places
//! are a tree, in which each knows the shapes that it has to fit, so that what is required is known.

use std::collections::HashMap;

use llmjson_syntax::{Class, Document, NodeId};

use super::{capped, cut};
use crate::base::path::{Path, Step};
use crate::base::report::{Coercion, CoercionKind, Violation};
use crate::base::undeclared::Undeclared;
use crate::ir::shape::{Additional, ShapeId, Shapes};
use crate::schema::Schema;

/// Maximum number of looks at the value, which is looked at again because what was left out hid
/// more.
const ROUNDS: usize = 32;

/// Number of shapes that may be meant beyond which nothing is left out.
const SHAPES_MAX: usize = 256;

/// The parts that may be left out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Items, and members that are not required; no list loses more items than it has to have.
    Optional,
    /// Required members, too.
    Any,
}

/// Leaves out of a document's value the items of lists and the optional members that do not conform;
/// required members never. Returns a record of each, with what is wrong with it, and the violations
/// that are left.
///
/// `violations` are those of the value, as [`Schema::violations`] returns them. Paths are places in the
/// value before anything was left out. At most `limit` records are written; a last one of the kind
/// [`CoercionKind::RecordsCapped`] then stands for the rest.
///
/// ```
/// use llmjson_schema::{Schema, Undeclared, drop_invalid};
///
/// let schema = Schema::from_text(
///     r#"{"items": {"properties": {"n": {"type": "integer"}}, "required": ["n"]}}"#,
/// )?;
/// let mut document = llmjson_syntax::parse(r#"[{"n": 1}, {"n": "many"}, {"n": 3}]"#);
/// let root = document.root().expect("there is a value");
/// let violations = schema.violations(root, Undeclared::Keep);
/// let (dropped, left) = drop_invalid(&mut document, &schema, Undeclared::Keep, violations, 100);
/// assert_eq!(document.to_json().as_deref(), Some(r#"[{"n":1},{"n":3}]"#));
/// assert_eq!(dropped[0].path.to_string(), "$input[1]");
/// assert_eq!(dropped[0].violations[0].path.to_string(), "$input[1].n");
/// assert!(left.is_empty());
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
pub fn drop_invalid(
    document: &mut Document<'_>,
    schema: &Schema,
    undeclared: Undeclared,
    mut violations: Vec<Violation>,
    limit: usize,
) -> (Vec<Coercion>, Vec<Violation>) {
    let schema = schema.allowing(undeclared);
    let mut dropped: Vec<Coercion> = Vec::new();
    let mut is_capped = false;
    for _ in 0..ROUNDS {
        let Some(root) = document.root().map(|root| root.id()) else {
            break;
        };
        if violations.is_empty() || document.work().is_used_up() {
            break;
        }
        let tree = Tree::of(document, root, schema, &violations, Extent::Optional);
        document.work_mut().charge(tree.looks);
        let gone = tree.gone(&violations);
        if gone.is_empty() {
            break;
        }
        let node = cut::without(document, root, gone.iter().map(|(path, ..)| path));
        document.edit().set_root(node);
        for (path, before, places) in gone {
            if dropped.len() >= limit {
                if !is_capped {
                    dropped.push(capped(root, node));
                }
                is_capped = true;
                break;
            }
            dropped.push(Coercion {
                kind: CoercionKind::DropInvalid,
                class: Class::Guess,
                path,
                before,
                after: None,
                violations: places.iter().map(|&at| violations[at].clone()).collect(),
            });
        }
        violations = schema.violations(document.value(node), undeclared);
    }
    (dropped, violations)
}

/// Leaves out everything that does not conform, required members included. Returns whether anything
/// conforms at all.
pub(crate) fn keep_conforming(
    document: &mut Document<'_>,
    schema: &Schema,
    violations: &[Violation],
) -> bool {
    let Some(root) = document.root().map(|root| root.id()) else {
        return false;
    };
    let tree = Tree::of(document, root, schema, violations, Extent::Any);
    document.work_mut().charge(tree.looks);
    // A member that is missing is no reason against those that are there.
    if tree.ends.iter().any(|&at| tree.target(at).is_none()) {
        return false;
    }
    let gone = tree.gone(violations);
    let node = cut::without(document, root, gone.iter().map(|(path, ..)| path));
    document.edit().set_root(node);
    true
}

/// A place at which something is wrong, or one around it.
struct InvalidPlace {
    below: HashMap<Step, usize>,
    above: usize,
    depth: usize,
    node: Option<NodeId>,
    shapes: Vec<ShapeId>,
    /// `true` if it may be left out.
    may_go: bool,
    /// `true` if nothing has to be left out for what is wrong here.
    stays: bool,
    /// Number of its items, if it is a list.
    items: usize,
}

/// The places of violations.
struct Tree {
    places: Vec<InvalidPlace>,
    /// The place of each violation.
    ends: Vec<usize>,
    /// Number of nodes that were looked at.
    looks: usize,
}

impl Tree {
    fn of(
        document: &Document<'_>,
        root: NodeId,
        schema: &Schema,
        violations: &[Violation],
        extent: Extent,
    ) -> Self {
        let mut tree = Self {
            places: vec![InvalidPlace::below(0, 0)],
            ends: Vec::new(),
            looks: 0,
        };
        for violation in violations {
            let mut at = 0;
            for step in violation.path.steps() {
                let new = tree.places.len();
                let above = at;
                at = *tree.places[at].below.entry(step.clone()).or_insert(new);
                if at == new {
                    let depth = tree.places[above].depth + 1;
                    tree.places.push(InvalidPlace::below(above, depth));
                }
            }
            tree.ends.push(at);
        }
        let shapes = &schema.compiled.shapes;
        tree.places[0].node = Some(root);
        tree.places[0].shapes = vec![shapes.root];
        for at in 0..tree.places.len() {
            tree.look_into(at, document, shapes, extent);
        }
        if extent == Extent::Optional {
            while tree.spares_short_lists(shapes) {}
        }
        tree
    }

    /// Finds out about the places below one.
    fn look_into(&mut self, at: usize, document: &Document<'_>, shapes: &Shapes, extent: Extent) {
        let below = std::mem::take(&mut self.places[at].below);
        let Some(node) = self.places[at].node.filter(|_| !below.is_empty()) else {
            return;
        };
        let around = parts_of(&self.places[at].shapes, shapes);
        self.places[at].shapes.clone_from(&around);
        let value = document.value(node);
        self.looks += value.len() + around.len() * below.len();
        self.places[at].items = value.items().count();
        let known = around.len() <= SHAPES_MAX;
        for (name, member) in value.members() {
            if let Some(&place) = below.get(&Step::Member((&*name).into())) {
                let (shapes, is_required) = member_of(&around, shapes, &name);
                let place = &mut self.places[place];
                place.may_go = extent == Extent::Any || known && !is_required;
                (place.node, place.shapes) = (Some(member.id()), shapes);
            }
        }
        for (index, item) in (0u32..).zip(value.items()) {
            if let Some(&place) = below.get(&Step::Index(index)) {
                let (shapes, is_placed) = item_of(&around, shapes, index as usize);
                let place = &mut self.places[place];
                place.may_go = known && !is_placed;
                (place.node, place.shapes) = (Some(item.id()), shapes);
            }
        }
        if extent == Extent::Any {
            for &place in below.values() {
                self.places[place].stays = self.places[place].node.is_none();
            }
        }
        self.places[at].below = below;
    }

    /// The innermost place that may go for what is wrong at one; nothing if only the root could.
    fn target(&self, end: usize) -> Option<usize> {
        let mut at = end;
        while !self.places[at].may_go && !self.places[at].stays {
            if at == 0 {
                return None;
            }
            at = self.places[at].above;
        }
        Some(at)
    }

    /// Keeps the items of lists that would have too few, so that what is around these goes. Returns
    /// whether there was one.
    fn spares_short_lists(&mut self, shapes: &Shapes) -> bool {
        let mut going: HashMap<usize, Vec<usize>> = HashMap::new();
        for &end in &self.ends {
            if let Some(at) = self.target(end) {
                let items = going.entry(self.places[at].above).or_default();
                items.push(at);
            }
        }
        let mut spared = false;
        for (list, mut items) in going {
            items.sort_unstable();
            items.dedup();
            let place = &self.places[list];
            let left = place.items.saturating_sub(items.len()) as u64;
            let least = place.shapes.iter().filter_map(|id| {
                let rules = shapes.get(*id).array.as_deref()?;
                rules.min_items
            });
            let least = least.max().unwrap_or(0);
            if place.items > 0 && left < least && place.items as u64 >= least {
                spared = true;
                for item in items {
                    self.places[item].may_go = false;
                }
            }
        }
        spared
    }

    /// The places that go, with what stands there and which violations they are left out for. What is
    /// inside another one goes with it.
    fn gone(&self, violations: &[Violation]) -> Vec<(Path, NodeId, Vec<usize>)> {
        let targets: Vec<Option<usize>> = self.ends.iter().map(|end| self.target(*end)).collect();
        let mut goes = vec![false; self.places.len()];
        for &at in targets.iter().flatten() {
            goes[at] = self.places[at].may_go;
        }
        // Those around a place come before it.
        let mut outermost: Vec<Option<usize>> = vec![None; self.places.len()];
        for at in 0..self.places.len() {
            let around = outermost[self.places[at].above];
            outermost[at] = around.or(goes[at].then_some(at));
        }
        let mut found: Vec<(Path, NodeId, Vec<usize>)> = Vec::new();
        let mut known: HashMap<usize, usize> = HashMap::new();
        for (index, target) in targets.into_iter().enumerate() {
            let Some(at) = target.and_then(|at| outermost[at]) else {
                continue;
            };
            let Some(node) = self.places[at].node else {
                continue;
            };
            let place = *known.entry(at).or_insert_with(|| {
                let mut path = violations[index].path.clone();
                while path.depth() > self.places[at].depth {
                    path.leave();
                }
                found.push((path, node, Vec::new()));
                found.len() - 1
            });
            found[place].2.push(index);
        }
        found
    }
}

impl InvalidPlace {
    fn below(above: usize, depth: usize) -> Self {
        Self {
            below: HashMap::new(),
            above,
            depth,
            node: None,
            shapes: Vec::new(),
            may_go: false,
            stays: false,
            items: 0,
        }
    }
}

/// Shapes and all that they consist of: parts that hold as well, branches of unions.
fn parts_of(ids: &[ShapeId], shapes: &Shapes) -> Vec<ShapeId> {
    let mut all: Vec<ShapeId> = Vec::new();
    let mut waiting = ids.to_vec();
    while let Some(id) = waiting.pop() {
        if all.len() > SHAPES_MAX || all.contains(&id) {
            continue;
        }
        all.push(id);
        let shape = shapes.get(id);
        waiting.extend(&shape.also);
        waiting.extend(shape.union.iter().flat_map(|union| &union.branches));
    }
    all
}

/// The shapes of a member, and whether one of those around it requires it.
fn member_of(around: &[ShapeId], shapes: &Shapes, name: &str) -> (Vec<ShapeId>, bool) {
    let (mut found, mut is_required) = (Vec::new(), false);
    let rules = around
        .iter()
        .filter_map(|id| shapes.get(*id).object.as_deref());
    for rules in rules {
        match rules.property(name) {
            Some(property) => {
                is_required |= property.required;
                found.push(property.shape);
            }
            None => {
                is_required |= rules.requires_undeclared(name);
                found.extend(rules.patterns.iter().map(|(_, shape)| *shape));
                if let Additional::Open(shape) = rules.additional {
                    found.push(shape);
                }
            }
        }
    }
    (found, is_required)
}

/// The shapes of an item, and whether its place in the list says what it is.
fn item_of(around: &[ShapeId], shapes: &Shapes, index: usize) -> (Vec<ShapeId>, bool) {
    let (mut found, mut is_placed) = (Vec::new(), false);
    let rules = around
        .iter()
        .filter_map(|id| shapes.get(*id).array.as_deref());
    for rules in rules {
        is_placed |= !rules.prefix.is_empty();
        found.extend(rules.item(index));
    }
    (found, is_placed)
}
