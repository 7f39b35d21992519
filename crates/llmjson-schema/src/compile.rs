//! Compiles a normalized schema into shapes.
//!
//! First, every subschema that a value can meet becomes a separate shape with its keywords, and
//! references are resolved to shapes. Then, from the inside out, unions are simplified, and the
//! parts of `allOf` are folded in if that is a plain intersection. Tags come last.

mod choice;
mod conditions;
mod evaluations;
mod fold;
mod keywords;
mod nesting;
mod order;
mod pattern;
mod tag;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use llmjson_syntax::Work;

use crate::base::error::SchemaError;
use crate::ir::evaluation::{Evaluation, EvaluationId};
use crate::ir::shape::{Shape, ShapeId, Shapes, Types, Union};
use crate::normal::keyword::holds;
use crate::normal::pointers_too_long;
use crate::normal::tree::{NodeIx, POINTER_BYTES_MAX, ROOT, Tree};

/// Maximum number of shapes that may apply to one value, including nested ones.
const IN_PLACE_MAX: u64 = 10_000;
/// The work per byte of a schema, beyond reading it: pattern engines, members copied to fold the
/// parts of `allOf`, subschemas searched for tags. Parts and unions that would cost more stay
/// unchanged, and patterns are rejected.
pub(crate) const WORK: u32 = 32;
/// The maximum number of shapes inserted for members that several parts of `allOf` declare.
const JOINED_MAX: usize = 10_000;

/// Builds the shapes of a schema, and returns the cost beyond reading it.
pub(crate) fn compile(tree: &Arc<Tree>) -> Result<(Shapes, Work), SchemaError> {
    let work = Work::for_bytes(WORK, tree.size());
    let mut compiler = Compiler::new(tree, work);
    let leads_on = tree.references.leads_on;
    if leads_on {
        let in_use = nesting::in_use(tree);
        for &schema in tree.references.schemas() {
            if in_use[schema as usize] {
                compiler.destination(schema)?;
            }
        }
        nesting::check(tree, &in_use)?;
    }
    let root = compiler.shape_of(ROOT)?;
    while let Some((node, id)) = compiler.open.pop() {
        compiler.read(node, id)?;
    }
    compiler.read_conditions()?;
    if leads_on {
        for id in compiler.order()? {
            compiler.simplify_union(id);
            compiler.fold_parts(id);
        }
        compiler.fold_joined();
        compiler.check_in_place()?;
        compiler.find_tags();
    }
    compiler.check_pointers()?;
    let mut work = compiler.work.get();
    pattern::check(tree, &mut work)?;
    Ok((
        Shapes::new(compiler.shapes, compiler.evaluations, root),
        work,
    ))
}

struct Compiler<'n> {
    tree: &'n Arc<Tree>,
    shapes: Vec<Shape>,
    /// The shape of a subschema, or of its target.
    known: Vec<Option<ShapeId>>,
    /// The target of each subschema that only refers to another one.
    aliases: Vec<Option<NodeIx>>,
    /// Shapes that were allocated and not yet read.
    open: Vec<(NodeIx, ShapeId)>,
    /// Shapes with conditions, which are read after all other shapes.
    conditional: Vec<(NodeIx, ShapeId)>,
    /// `true` while conditions are read.
    is_asking: bool,
    evaluations: Vec<Evaluation>,
    evaluated: HashMap<evaluations::Promised, EvaluationId>,
    /// Evaluations that were allocated and not yet read.
    promised: Vec<(evaluations::Promised, EvaluationId)>,
    /// The subschemas with the declared tags of unions.
    declared: HashMap<ShapeId, Rc<tag::Declared>>,
    /// Shapes inserted for members that two shapes declare.
    joined: HashMap<(ShapeId, ShapeId), ShapeId>,
    joined_order: Vec<ShapeId>,
    work: Cell<Work>,
}

impl<'n> Compiler<'n> {
    fn new(tree: &'n Arc<Tree>, work: Work) -> Self {
        Self {
            tree,
            shapes: Vec::with_capacity(tree.references.schemas().len()),
            known: vec![None; tree.len()],
            aliases: vec![None; tree.len()],
            open: Vec::new(),
            conditional: Vec::new(),
            is_asking: false,
            evaluations: Vec::new(),
            evaluated: HashMap::new(),
            promised: Vec::new(),
            declared: HashMap::new(),
            joined: HashMap::new(),
            joined_order: Vec::new(),
            work: Cell::new(work),
        }
    }

    /// Charges `steps` to the budget. If fewer are left, charges these and returns `false`.
    fn affords(&self, steps: usize) -> bool {
        let mut work = self.work.get();
        let left = usize::try_from(work.left()).unwrap_or(usize::MAX);
        work.charge(steps.min(left.saturating_add(1)));
        self.work.set(work);
        steps <= left
    }

    /// Returns the shape of a subschema, which is read later if it is new.
    fn shape_of(&mut self, node: NodeIx) -> Result<ShapeId, SchemaError> {
        let node = self.destination(node)?;
        if let Some(id) = self.known[node as usize] {
            return Ok(id);
        }
        let id = self.push(node, self.name_of(node));
        self.known[node as usize] = Some(id);
        self.open.push((node, id));
        Ok(id)
    }

    /// Inserts a shape that allows everything.
    fn push(&mut self, node: NodeIx, name: Option<Box<str>>) -> ShapeId {
        let id = ShapeId(u32::try_from(self.shapes.len()).expect("fewer shapes than nodes"));
        self.shapes.push(Shape {
            node,
            name,
            types: Types::ALL,
            literals: None,
            aliases: Vec::new(),
            number: None,
            string: None,
            array: None,
            object: None,
            union: None,
            also: Vec::new(),
            conditions: Vec::new(),
            asked: self.is_asking,
            default: None,
        });
        id
    }

    fn get(&self, id: ShapeId) -> &Shape {
        &self.shapes[id.0 as usize]
    }

    fn get_mut(&mut self, id: ShapeId) -> &mut Shape {
        &mut self.shapes[id.0 as usize]
    }

    /// Returns the name under which people know a subschema: its name among the definitions.
    fn name_of(&self, node: NodeIx) -> Option<Box<str>> {
        let (parent, name) = self.tree.normal_parent(node)?;
        let (_, parent_name) = self.tree.normal_parent(parent)?;
        let is_definition = matches!(parent_name?, "$defs" | "definitions" | "schemas")
            && !self.tree.references.is_schema(parent);
        is_definition.then(|| name.map(Into::into))?
    }

    /// Returns the target of a subschema that only refers to another one: a `$ref`, or an array of
    /// one.
    fn destination(&mut self, from: NodeIx) -> Result<NodeIx, SchemaError> {
        let mut path = Vec::new();
        let mut at = from;
        let end = loop {
            if let Some(end) = self.aliases[at as usize] {
                break end;
            }
            let Some(next) = self.leads_only_to(at) else {
                break at;
            };
            path.push(at);
            if path.len() > self.tree.len() {
                return Err(self.circle(&path));
            }
            at = next;
        };
        for node in path {
            self.aliases[node as usize] = Some(end);
        }
        Ok(end)
    }

    /// Returns the error for a circular path, at the first part of the circle.
    fn circle(&self, path: &[NodeIx]) -> SchemaError {
        let last = path.last().copied().unwrap_or(ROOT);
        let rest = path
            .iter()
            .rev()
            .skip(1)
            .copied()
            .take_while(|&node| node != last);
        let first = rest.fold(last, NodeIx::min);
        let place = self.tree.member(first, "$ref").unwrap_or(first);
        self.tree
            .error(place, "this reference leads only to itself")
    }

    fn leads_only_to(&self, node: NodeIx) -> Option<NodeIx> {
        let mut target = None;
        for (keyword, value) in self.tree.members(node) {
            let leads = match keyword {
                "$ref" => self.tree.references.target(node),
                "allOf" | "anyOf" | "oneOf" if self.tree.items(value).len() == 1 => {
                    Some(self.tree.items(value)[0])
                }
                _ if is_idle(keyword) => continue,
                _ => return None,
            };
            if target.is_some() {
                return None;
            }
            target = Some(leads?);
        }
        target
    }

    /// A union that a subschema has in addition to another one, or another subschema's part.
    fn push_union(&mut self, node: NodeIx, union: Union) -> ShapeId {
        let id = self.push(node, None);
        self.get_mut(id).union = Some(Box::new(union));
        id
    }

    /// The shapes, each after the shapes that it applies to its own value.
    fn order(&self) -> Result<Vec<ShapeId>, SchemaError> {
        let leads_to = |id: u32| self.shapes[id as usize].in_place().map(|id| id.0);
        match order::inside_out(self.shapes.len(), leads_to) {
            Ok(order) => Ok(order.into_iter().map(ShapeId).collect()),
            Err(id) => Err(nesting::endless(self.tree, self.shapes[id as usize].node)),
        }
    }

    /// Violations contain the pointer to their subschema, so pointers must not become too long.
    fn check_pointers(&self) -> Result<(), SchemaError> {
        // No pointer is longer than all keys together with their characters escaped.
        let most = 3 * self.tree.bytes() + 8 * self.tree.len();
        if self.shapes.len().saturating_mul(most) <= POINTER_BYTES_MAX {
            return Ok(());
        }
        let bytes = self.shapes.iter();
        let bytes = bytes.map(|shape| self.tree.pointer_bytes(shape.node));
        if bytes.sum::<usize>() > POINTER_BYTES_MAX {
            return Err(pointers_too_long());
        }
        Ok(())
    }

    fn check_in_place(&self) -> Result<(), SchemaError> {
        let order: Vec<u32> = self.order()?.into_iter().map(|id| id.0).collect();
        let leads_to = |id: u32| self.shapes[id as usize].in_place().map(|id| id.0);
        let extents = order::extents(&order, leads_to);
        match extents.iter().position(|&(size, _)| size > IN_PLACE_MAX) {
            Some(at) => {
                let message = format!("more than {IN_PLACE_MAX} subschemas apply to one value");
                Err(self.tree.error(self.shapes[at].node, message))
            }
            None => Ok(()),
        }
    }
}

/// Returns `true` if a keyword neither imposes a requirement nor is used here.
fn is_idle(keyword: &str) -> bool {
    match keyword {
        "const" | "default" | "discriminator" | "x-discriminator" => false,
        "$defs" | "definitions" | "additionalItems" | "contentSchema" | "contentEncoding"
        | "nullable" => true,
        _ => holds(keyword).is_none(),
    }
}
