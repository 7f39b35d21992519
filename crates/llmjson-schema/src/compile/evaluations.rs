//! Reads the scope of `unevaluatedProperties` and `unevaluatedItems`: the members and items that
//! the surrounding subschemas evaluate.

use super::Compiler;
use super::conditions::by_name;
use super::fold::text_size;
use crate::base::error::SchemaError;
use crate::ir::evaluation::{Evaluation, EvaluationId, When};
use crate::ir::shape::{ShapeId, Types};
use crate::normal::tree::NodeIx;

/// A subschema whose evaluation was promised but not yet read. Leftovers are not evaluated by the
/// subschema that has the keyword, while a part that has the keyword leaves nothing over.
pub(super) type Promised = (NodeIx, bool);

impl Compiler<'_> {
    /// Returns what a subschema and those around its value evaluate, excluding its own leftovers.
    pub(super) fn evaluation_around(&mut self, node: NodeIx) -> Result<EvaluationId, SchemaError> {
        let around = self.evaluation_of((node, false));
        while let Some((promised, id)) = self.promised.pop() {
            self.evaluations[id.0 as usize] = self.evaluation(promised)?;
        }
        Ok(around)
    }

    fn evaluation_of(&mut self, promised: Promised) -> EvaluationId {
        if let Some(&id) = self.evaluated.get(&promised) {
            return id;
        }
        let id = EvaluationId(u32::try_from(self.evaluations.len()).expect("fewer than nodes"));
        self.evaluations.push(Evaluation::default());
        self.evaluated.insert(promised, id);
        self.promised.push((promised, id));
        id
    }

    fn evaluation(&mut self, (node, is_part): Promised) -> Result<Evaluation, SchemaError> {
        let tree = self.tree;
        let mut own = Evaluation::default();
        if let Some(map) = tree.member(node, "properties") {
            let mut names: Vec<Box<str>> = tree.members(map).map(|(name, _)| name.into()).collect();
            names.sort_unstable();
            own.names = names.into();
        }
        if let Some(map) = tree.member(node, "patternProperties") {
            let patterns = tree.members(map);
            own.patterns = patterns
                .map(|(pattern, at)| self.name_like(pattern, at))
                .collect();
        }
        let has = |keyword| tree.member(node, keyword).is_some();
        own.all_members = has("additionalProperties") || is_part && has("unevaluatedProperties");
        own.all_items = has("items") || is_part && has("unevaluatedItems");
        let prefix = tree.member(node, "prefixItems");
        own.prefix = prefix.map_or(0, |list| tree.items(list).len());
        let contains = tree.member(node, "contains");
        own.contains = contains.map(|items| self.shape_of(items)).transpose()?;
        own.parts = self.parts_of(node)?;
        Ok(own)
    }

    /// Returns the subschemas that apply to the value of a subschema beside it, each with its condition.
    fn parts_of(&mut self, node: NodeIx) -> Result<Vec<(When, EvaluationId)>, SchemaError> {
        let tree = self.tree;
        let list = |keyword| {
            tree.member(node, keyword)
                .map_or(&[][..], |list| tree.items(list))
        };
        let always = self.tree.references.target(node).into_iter();
        let always = always.chain(list("allOf").iter().copied());
        let mut parts: Vec<(When, NodeIx)> = always.map(|part| (When::Always, part)).collect();
        for &branch in list("anyOf").iter().chain(list("oneOf")) {
            parts.push((When::Fits(self.shape_of(branch)?), branch));
        }
        if let Some(test) = tree.member(node, "if") {
            let shape = self.shape_of(test)?;
            parts.push((When::Fits(shape), test));
            let then = tree.member(node, "then");
            parts.extend(then.map(|branch| (When::Fits(shape), branch)));
            let otherwise = tree.member(node, "else");
            parts.extend(otherwise.map(|branch| (When::Misfits(shape), branch)));
        }
        if let Some(map) = tree.member(node, "dependentSchemas") {
            let named = by_name(tree, map).into_iter();
            parts.extend(named.map(|(name, part)| (When::Has(name.into()), part)));
        }
        let parts = parts.into_iter();
        let parts = parts.map(|(when, part)| (when, self.evaluation_of((part, true))));
        Ok(parts.collect())
    }

    /// A shape of the texts that a pattern matches.
    fn name_like(&mut self, pattern: &str, node: NodeIx) -> ShapeId {
        self.affords(text_size(pattern));
        let id = self.push(node, None);
        let shape = self.get_mut(id);
        shape.types = Types::STRING;
        super::keywords::string(shape).pattern = Some(pattern.into());
        id
    }
}
