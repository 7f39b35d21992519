//! Reads the keywords that depend on whether other subschemas hold.

use super::Compiler;
use crate::base::error::SchemaError;
use crate::ir::conditions::{Condition, Rule};
use crate::normal::keyword::count;
use crate::normal::tree::{Json, NodeIx, Tree};
use llmjson_syntax::Kind;

/// Keywords that make conditions.
pub(super) const KEYWORDS: &[&str] = &[
    "not",
    "if",
    "contains",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "unevaluatedItems",
];

impl Compiler<'_> {
    /// Reads the conditions of all shapes, and of shapes that only conditions lead to.
    pub(super) fn read_conditions(&mut self) -> Result<(), SchemaError> {
        self.is_asking = true;
        let mut done = 0;
        while let Some(&(node, id)) = self.conditional.get(done) {
            done += 1;
            let conditions = self.conditions_of(node)?;
            self.get_mut(id).conditions = conditions;
            while let Some((node, id)) = self.open.pop() {
                self.read(node, id)?;
            }
        }
        self.is_asking = false;
        Ok(())
    }

    /// Returns the conditions in the order in which they are named if they do not hold.
    fn conditions_of(&mut self, node: NodeIx) -> Result<Vec<Condition>, SchemaError> {
        let tree = self.tree;
        let mut rules = Vec::new();
        for keyword in KEYWORDS {
            let Some(value) = tree.member(node, keyword) else {
                continue;
            };
            rules.push(match *keyword {
                "not" => Rule::Not(self.shape_of(value)?),
                "if" => {
                    let mut branch = |keyword| {
                        let branch = tree.member(node, keyword);
                        branch.map(|branch| self.shape_of(branch)).transpose()
                    };
                    let (then, otherwise) = (branch("then")?, branch("else")?);
                    if then.is_none() && otherwise.is_none() {
                        continue;
                    }
                    Rule::If {
                        test: self.shape_of(value)?,
                        then,
                        otherwise,
                    }
                }
                "contains" => {
                    let bound = |keyword| count(tree, tree.member(node, keyword)?);
                    Rule::Contains {
                        item: self.shape_of(value)?,
                        least: bound("minContains").unwrap_or(1),
                        most: bound("maxContains"),
                    }
                }
                "propertyNames" => Rule::Names(self.shape_of(value)?),
                "dependentRequired" => {
                    let rules = by_name(tree, value).into_iter().map(|(name, list)| {
                        let names = tree.items(list).iter();
                        let names = names.filter_map(|name| tree.text(*name));
                        (name.into(), names.map(Box::from).collect())
                    });
                    Rule::Members(rules.collect())
                }
                "unevaluatedProperties" | "unevaluatedItems" => {
                    if *tree.get(value) == Json::Bool(true) {
                        continue;
                    }
                    let of = match *keyword {
                        "unevaluatedItems" => Kind::Array,
                        _ => Kind::Object,
                    };
                    Rule::Leftovers {
                        of,
                        evaluated: self.evaluation_around(node)?,
                        rest: self.shape_of(value)?,
                    }
                }
                _ => {
                    let mut rules = Vec::new();
                    for (name, schema) in by_name(tree, value) {
                        rules.push((name.into(), self.shape_of(schema)?));
                    }
                    Rule::Schemas(rules)
                }
            });
        }
        let conditions = rules.into_iter().map(|rule| Condition { node, rule });
        Ok(conditions.collect())
    }
}

pub(super) fn by_name(tree: &Tree, object: NodeIx) -> Vec<(&str, NodeIx)> {
    let mut members: Vec<_> = tree.members(object).collect();
    members.sort_unstable();
    members
}
