//! Drops nonconforming values: array items, and members that are not required. Items may be
//! replaced by null.
//!
//! Violations say what is wrong and where. For each, the innermost enclosing value that may be
//! dropped is dropped: `{"n": "x"}` for `$input.items[3].n` if the items require `n`, or else only
//! the member. The places form a tree in which each has its shapes, so required members are known.

use std::collections::{HashMap, HashSet};

use llmjson_syntax::{Document, NodeId};

use super::cut::Places;
use super::log::add_up_to;
use crate::base::path::{Path, Step};
use crate::base::report::{Coercion, CoercionKind, Violation};
use crate::base::undeclared::Undeclared;
use crate::ir::parts::MeantShapes;
use crate::ir::shape::Shapes;
use crate::schema::Schema;

/// Maximum number of passes over the value, since dropped parts may have hidden further violations.
const ROUNDS: usize = 32;

/// Maximum number of possible shapes for which parts are dropped.
const SHAPES_MAX: usize = 256;

/// The parts that may be dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Items and optional members; no array loses more items than it can spare.
    Optional,
    /// Items and optional members, where items leave null in their places.
    Places,
    /// Required members, too.
    Any,
}

/// Drops nonconforming array items and optional members from a document's value, but never required
/// members. Returns a record of each with its violations, and the remaining violations.
///
/// `violations` are the value's violations, as [`Schema::violations`] returns them. Paths refer to
/// the value before anything was dropped. At most `limit` records are written; a last one of kind
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
    violations: Vec<Violation>,
    limit: usize,
) -> (Vec<Coercion>, Vec<Violation>) {
    leave_out(
        document,
        (schema, undeclared),
        violations,
        limit,
        Extent::Optional,
    )
}

/// Replaces nonconforming array items by null, so that arrays keep their lengths, and drops
/// optional members as [`drop_invalid`] does. The returned violations exclude these nulls, which
/// don't count as items.
///
/// ```
/// use llmjson_schema::{Schema, Undeclared, replace_invalid};
///
/// let schema = Schema::from_text(r#"{"items": {"type": "integer"}}"#)?;
/// let mut document = llmjson_syntax::parse(r#"[1, "many", 3]"#);
/// let root = document.root().expect("there is a value");
/// let violations = schema.violations(root, Undeclared::Keep);
/// let (replaced, left) = replace_invalid(&mut document, &schema, Undeclared::Keep, violations, 100);
/// assert_eq!(document.to_json().as_deref(), Some("[1,null,3]"));
/// assert_eq!(replaced[0].path.to_string(), "$input[1]");
/// assert_eq!(replaced[0].violations[0].expected, "integer");
/// assert!(left.is_empty());
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
pub fn replace_invalid(
    document: &mut Document<'_>,
    schema: &Schema,
    undeclared: Undeclared,
    violations: Vec<Violation>,
    limit: usize,
) -> (Vec<Coercion>, Vec<Violation>) {
    leave_out(
        document,
        (schema, undeclared),
        violations,
        limit,
        Extent::Places,
    )
}

fn leave_out(
    document: &mut Document<'_>,
    (schema, undeclared): (&Schema, Undeclared),
    mut violations: Vec<Violation>,
    limit: usize,
    extent: Extent,
) -> (Vec<Coercion>, Vec<Violation>) {
    let schema = schema.allowing(undeclared);
    let mut dropped: Vec<Coercion> = Vec::new();
    let mut replaced: HashSet<Path> = HashSet::new();
    for _ in 0..ROUNDS {
        let Some(root) = document.root().map(|root| root.id()) else {
            break;
        };
        if violations.is_empty() || document.work().is_used_up() {
            break;
        }
        let tree = Tree::of(document, root, schema, &violations, extent);
        let gone = tree.gone(&violations);
        if gone.is_empty() {
            break;
        }
        let node = tree.write(document);
        let records = gone.into_iter().map(|one| {
            if one.after.is_some() {
                replaced.insert(one.path.clone());
            }
            let kind = match one.after {
                Some(_) => CoercionKind::ReplaceInvalid,
                None => CoercionKind::DropInvalid,
            };
            Coercion {
                kind,
                class: kind.class(),
                path: one.path,
                before: one.before,
                after: one.after,
                violations: one.about.iter().map(|&at| violations[at].clone()).collect(),
            }
        });
        // One record over the limit indicates that there are more.
        let records: Vec<_> = records.collect();
        let records = records.into_iter().take(limit.saturating_add(1)).collect();
        add_up_to(limit, &mut dropped, records, Some((root, node)));
        violations = schema.violations(document.node(node), undeclared);
        // The null in place of an item is not an item.
        violations.retain(|one| replaced.is_empty() || !replaced.contains(&one.path));
    }
    (dropped, violations)
}

/// Drops everything that does not conform, including required members. Returns `true` if anything
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
    // A missing member does not count against the present ones.
    if tree.places.ends.iter().any(|&at| tree.target(at).is_none()) {
        return false;
    }
    tree.write(document);
    true
}

/// The facts about a place with a violation, or about an enclosing one.
#[derive(Clone, Default)]
struct About {
    shapes: MeantShapes,
    /// `true` if it may be dropped.
    may_go: bool,
    /// The null that replaces it.
    null: Option<NodeId>,
    /// `true` if nothing must be dropped for the violations here.
    stays: bool,
    /// Number of its items, if it is an array.
    items: usize,
}

/// A dropped place.
struct Gone {
    path: Path,
    before: NodeId,
    /// The null that replaces it.
    after: Option<NodeId>,
    /// The places of the violations for which it is dropped.
    about: Vec<usize>,
}

/// The places of violations.
struct Tree {
    places: Places,
    about: Vec<About>,
}

impl Tree {
    fn of(
        document: &mut Document<'_>,
        root: NodeId,
        schema: &Schema,
        violations: &[Violation],
        extent: Extent,
    ) -> Self {
        let shapes = &schema.compiled.shapes;
        let places = Places::of(document, root, violations.iter().map(|one| &one.path));
        let mut about = vec![About::default(); places.all.len()];
        about[0].shapes = MeantShapes::root(shapes, SHAPES_MAX);
        let mut tree = Self { places, about };
        let looks = (0..tree.about.len()).map(|at| tree.look_into(at, document, shapes, extent));
        let looks = looks.sum();
        document.work_mut().charge(looks);
        match extent {
            Extent::Optional => while tree.spares_short_lists(shapes) {},
            Extent::Places => tree.leave_nulls(document),
            Extent::Any => {}
        }
        tree
    }

    /// Analyzes the places below one, and returns the number of values examined.
    fn look_into(
        &mut self,
        at: usize,
        document: &Document<'_>,
        shapes: &Shapes,
        extent: Extent,
    ) -> usize {
        let place = &self.places.all[at];
        let Some(node) = place.node.filter(|_| !place.below.is_empty()) else {
            return 0;
        };
        let around = self.about[at].shapes.clone();
        let value = document.node(node);
        self.about[at].items = value.items().count();
        for (step, &below) in &place.below {
            let is_there = self.places.all[below].node.is_some();
            let (shapes, is_needed) = match step {
                Step::Member(name) => {
                    let is_needed =
                        extent != Extent::Any && (around.is_cut || around.require(shapes, name));
                    (around.member(shapes, name), is_needed)
                }
                // The index of an item in a tuple determines its meaning.
                Step::Index(index) => {
                    let is_needed = around.is_cut || around.list(shapes).1;
                    (around.item(shapes, *index as usize), is_needed)
                }
            };
            self.about[below] = About {
                shapes,
                may_go: is_there && !is_needed,
                null: None,
                stays: !is_there && extent == Extent::Any,
                items: 0,
            };
        }
        value.len() + around.len() * place.below.len()
    }

    /// Returns the innermost place that may be dropped for a violation at a place, or `None` if
    /// only the root could be.
    fn target(&self, end: usize) -> Option<usize> {
        let mut at = end;
        while !self.about[at].may_go && !self.about[at].stays {
            if at == 0 {
                return None;
            }
            at = self.places.all[at].above;
        }
        Some(at)
    }

    /// Replaces each dropped item by null.
    fn leave_nulls(&mut self, document: &mut Document<'_>) {
        let goes = self.goes();
        let lists: Vec<usize> = (0..goes.len())
            .filter(|at| self.about[*at].items > 0)
            .collect();
        let items = lists
            .iter()
            .flat_map(|at| self.places.all[*at].below.values().copied());
        let items: Vec<usize> = items.filter(|at| goes[*at]).collect();
        for at in items {
            self.about[at].null = Some(document.edit().null());
        }
    }

    /// Keeps the items of arrays that would become too short, so that their containers are dropped
    /// instead. Returns `true` if there was one.
    fn spares_short_lists(&mut self, shapes: &Shapes) -> bool {
        let mut going: HashMap<usize, Vec<usize>> = HashMap::new();
        for &end in &self.places.ends {
            if let Some(at) = self.target(end) {
                let items = going.entry(self.places.all[at].above).or_default();
                items.push(at);
            }
        }
        let mut spared = false;
        for (list, mut items) in going {
            items.sort_unstable();
            items.dedup();
            let About {
                shapes: own,
                items: all,
                ..
            } = &self.about[list];
            let left = all.saturating_sub(items.len()) as u64;
            let least = own.list(shapes).0;
            if *all > 0 && left < least && *all as u64 >= least {
                spared = true;
                for item in items {
                    self.about[item].may_go = false;
                }
            }
        }
        spared
    }

    /// Returns, for each place, `true` if it is dropped for a violation.
    fn goes(&self) -> Vec<bool> {
        let mut goes = vec![false; self.about.len()];
        for at in self.places.ends.iter().filter_map(|end| self.target(*end)) {
            goes[at] = self.about[at].may_go;
        }
        goes
    }

    /// Writes the value without the dropped places.
    fn write(&self, document: &mut Document<'_>) -> NodeId {
        let root = self.places.all[0].node.expect("the tree is about a value");
        let node = {
            let nulls: Vec<_> = self.about.iter().map(|about| about.null).collect();
            let places = &self.places;
            places
                .without(document, &self.goes(), &nulls)
                .unwrap_or(root)
        };
        document.edit().set_root(node);
        node
    }

    /// The dropped places, with their values and violations. Places inside a dropped one are
    /// dropped with it.
    fn gone(&self, violations: &[Violation]) -> Vec<Gone> {
        let (all, goes) = (&self.places.all, self.goes());
        // The enclosing places precede a place.
        let mut outermost: Vec<Option<usize>> = vec![None; all.len()];
        for at in 0..all.len() {
            let around = outermost[all[at].above];
            outermost[at] = around.or(goes[at].then_some(at));
        }
        let mut found: Vec<Gone> = Vec::new();
        let mut known: HashMap<usize, usize> = HashMap::new();
        for (index, end) in self.places.ends.iter().enumerate() {
            let Some(at) = self.target(*end).and_then(|at| outermost[at]) else {
                continue;
            };
            let Some(node) = all[at].node else { continue };
            let place = *known.entry(at).or_insert_with(|| {
                let mut path = violations[index].path.clone();
                while path.depth() > all[at].depth {
                    path.leave();
                }
                found.push(Gone {
                    path,
                    before: node,
                    after: self.about[at].null,
                    about: Vec::new(),
                });
                found.len() - 1
            });
            found[place].about.push(index);
        }
        found
    }
}
