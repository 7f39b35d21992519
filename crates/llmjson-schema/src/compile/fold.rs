//! Folds the parts of `allOf`, and the target of a `$ref` with other keywords next to it, into one
//! shape if this is a plain intersection. Any other part stays separate.

use std::collections::HashSet;

use llmjson_syntax::steps_of_search;

use super::{Compiler, JOINED_MAX};
use crate::ir::conditions::{Condition, Rule};
use crate::ir::shape::{
    Additional, ArrayRules, NumberRules, ObjectRules, Property, Shape, ShapeId, StringRules, Types,
};

impl Compiler<'_> {
    /// Folds the parts of a shape into it, which are folded already.
    pub(super) fn fold_parts(&mut self, id: ShapeId) {
        let parts = std::mem::take(&mut self.get_mut(id).also);
        let says_nothing = is_open(self.get(id));
        // `{"$ref": "#/$defs/Node", "description": …}` is a Node, and messages call it so.
        if let [only] = parts[..]
            && says_nothing
            && self.get(id).name.is_none()
        {
            self.get_mut(id).name = self.get(only).name.clone();
        }
        let mut left = Vec::new();
        for part in parts {
            let goes_on = !self.work.get().is_used_up();
            if goes_on && self.affords(self.fold_size(id, part)) && self.can_fold(id, part) {
                self.fold(id, part, &mut left);
            } else {
                left.push(part);
            }
        }
        // The same definition may be reached in several ways; checking it twice would only cost
        // time.
        left.sort_unstable();
        left.dedup();
        self.get_mut(id).also = left;
    }

    /// Folds the shapes inserted for members that two parts declare.
    pub(super) fn fold_joined(&mut self) {
        let mut at = 0;
        while at < self.joined_order.len() {
            self.fold_parts(self.joined_order[at]);
            at += 1;
        }
    }

    /// Returns how much there is to look at and to copy when a shape is folded into another one.
    fn fold_size(&self, into: ShapeId, part: ShapeId) -> usize {
        let (into, part) = (self.get(into), self.get(part));
        let literals = |shape: &Shape| shape.literals.as_ref().map_or(0, |all| all.nodes().len());
        let text = |text: &Option<Box<str>>| text.as_deref().map_or(0, text_size);
        let members = part.object.as_ref().map_or(0, |more| {
            let properties = more.properties.iter();
            let aliases = |property: &Property| list_size(&property.aliases);
            let own = properties
                .map(|one| PROPERTY + text_size(&one.name) + aliases(one) + text(&one.title));
            let own: usize = own.sum();
            let patterns = more.patterns.iter().map(|(pattern, _)| text_size(pattern));
            own + patterns.sum::<usize>() + list_size(&more.required_undeclared)
        });
        // Existing members are checked if the part has rules for them.
        let known = into.object.as_ref().zip(part.object.as_ref());
        let known = known.map_or(0, |(rules, more)| {
            let closed = more.additional != Additional::Silent;
            let properties = if closed { rules.properties.len() } else { 0 };
            properties + list_size(&rules.required_undeclared)
        });
        let texts = part.string.as_ref();
        let aliases = part.aliases.iter();
        1 + members
            + known
            + part.also.len()
            + part.conditions.iter().map(condition_size).sum::<usize>()
            + part.union.as_ref().map_or(0, |union| union.branches.len())
            + part.array.as_ref().map_or(0, |rules| rules.prefix.len())
            + literals(into)
            + literals(part)
            + texts.map_or(0, |rules| text(&rules.pattern) + text(&rules.format))
            + aliases
                .map(|(one, other)| text_size(one) + text_size(other))
                .sum::<usize>()
    }

    fn can_fold(&self, into: ShapeId, part: ShapeId) -> bool {
        let (one, other) = (self.get(into), self.get(part));
        let joins = match (&one.object, &other.object) {
            (Some(one), Some(other)) => other
                .properties
                .iter()
                .filter(|p| one.declares(&p.name))
                .count(),
            _ => 0,
        };
        !(one.union.is_some() && other.union.is_some())
            && both(&one.number, &other.number, |one, other| one.agrees(other))
            && both(&one.string, &other.string, |one, other| one.agrees(other))
            && both(&one.array, &other.array, |one, other| one.agrees(other))
            && both(&one.object, &other.object, |one, other| {
                self.objects_agree(into, one, other)
            })
            && self.joined.len() + joins <= JOINED_MAX
    }

    /// Returns `true` if what either says about members it does not declare is nothing to the
    /// other.
    fn objects_agree(&self, into: ShapeId, one: &ObjectRules, other: &ObjectRules) -> bool {
        let covers = |one: &ObjectRules, other: &ObjectRules| match one.additional {
            Additional::Silent => true,
            Additional::Open(id) if self.is_open(into, id) => true,
            Additional::Open(_) | Additional::Forbidden => {
                other.patterns.is_empty()
                    && one.patterns.is_empty()
                    && other.properties.iter().all(|p| one.declares(&p.name))
            }
        };
        let both_typed = matches!(
            (one.additional, other.additional),
            (Additional::Open(a), Additional::Open(b))
                if a != b && !self.is_open(into, a) && !self.is_open(into, b)
        );
        covers(one, other) && covers(other, one) && !both_typed
    }

    fn fold(&mut self, into: ShapeId, part: ShapeId, left: &mut Vec<ShapeId>) {
        let other = self.get(part);
        let types = other.types;
        let literals = other.literals.clone();
        let aliases = other.aliases.clone();
        let number = other.number.clone();
        let string = other.string.clone();
        let array = other.array.clone();
        let object = other.object.clone();
        let union = other.union.clone();
        let default = other.default.clone();
        let conditions = other.conditions.clone();
        left.extend(&other.also);
        if union.is_some()
            && let Some(declared) = self.declared.get(&part).cloned()
        {
            self.declared.insert(into, declared);
        }
        if let Some(more) = object {
            let rules = match self.get_mut(into).object.take() {
                Some(rules) => Box::new(self.join_objects(into, *rules, *more)),
                None => more,
            };
            self.get_mut(into).object = Some(rules);
        }
        let shape = self.get_mut(into);
        shape.types = shape.types.and(types);
        shape.conditions.extend(conditions);
        shape.aliases.extend(aliases);
        shape.default = shape.default.take().or(default);
        shape.union = shape.union.take().or(union);
        shape.number = merge(shape.number.take(), number, NumberRules::join);
        shape.string = merge(shape.string.take(), string, StringRules::join);
        shape.array = merge(shape.array.take(), array, ArrayRules::join);
        // Without others its own are narrowed to the types that are left.
        let narrower = literals.or_else(|| shape.literals.take());
        if let Some(literals) = narrower {
            self.narrow(into, literals.into_nodes());
        }
    }

    fn join_objects(
        &mut self,
        into: ShapeId,
        mut rules: ObjectRules,
        more: ObjectRules,
    ) -> ObjectRules {
        for property in more.properties {
            match rules.find(&property.name) {
                Some(at) => {
                    let known = &mut rules.properties[at];
                    known.required |= property.required;
                    for alias in property.aliases {
                        if !known.aliases.contains(&alias) {
                            known.aliases.push(alias);
                        }
                    }
                    known.shape = self.join(into, known.shape, property.shape);
                }
                None => rules.push(property),
            }
        }
        let mut undeclared = std::mem::take(&mut rules.required_undeclared);
        undeclared.extend(more.required_undeclared);
        let mut seen = HashSet::new();
        for name in undeclared {
            if seen.insert(name.clone()) {
                rules.require(&name);
            }
        }
        rules.patterns.extend(more.patterns);
        rules.additional = match (rules.additional, more.additional) {
            (Additional::Forbidden, _) | (_, Additional::Forbidden) => Additional::Forbidden,
            (Additional::Silent, other) | (other, Additional::Silent) => other,
            (Additional::Open(one), Additional::Open(other)) => {
                Additional::Open(if self.is_open(into, one) { other } else { one })
            }
        };
        rules.min_properties = rules.min_properties.max(more.min_properties);
        rules.max_properties = least(rules.max_properties, more.max_properties);
        rules
    }

    /// Returns `true` if a shape has no rules. The shape into which others are being folded does
    /// have rules, although they have not been restored in it: `{"$ref": "#/$defs/a"}` whose
    /// definition has a member that is `{"$ref": "#"}`.
    fn is_open(&self, into: ShapeId, id: ShapeId) -> bool {
        id != into && is_open(self.get(id))
    }

    /// One shape for a member that has to fit two.
    fn join(&mut self, into: ShapeId, one: ShapeId, other: ShapeId) -> ShapeId {
        if one == other || self.is_open(into, other) {
            return one;
        }
        if self.is_open(into, one) {
            return other;
        }
        if let Some(&known) = self.joined.get(&(one, other)) {
            return known;
        }
        // The member does not have a single schema position: rules from two places point to where
        // the parts are joined.
        let node = self.get(into).node;
        let id = self.push(node, None);
        self.get_mut(id).asked = self.get(into).asked;
        self.get_mut(id).also = vec![one, other];
        self.joined.insert((one, other), id);
        self.joined_order.push(id);
        id
    }
}

/// The steps that it takes to copy a property, in addition to its texts.
const PROPERTY: usize = 8;

/// Returns the steps that it takes to copy a condition.
fn condition_size(condition: &Condition) -> usize {
    1 + match &condition.rule {
        Rule::Members(rules) => {
            let sizes = rules
                .iter()
                .map(|(name, all)| text_size(name) + list_size(all));
            sizes.sum()
        }
        Rule::Schemas(rules) => rules.iter().map(|(name, _)| text_size(name)).sum(),
        Rule::Not(_)
        | Rule::If { .. }
        | Rule::Contains { .. }
        | Rule::Names(_)
        | Rule::Leftovers { .. } => 0,
    }
}

/// Returns the steps that it takes to copy a text.
pub(super) fn text_size(text: &str) -> usize {
    steps_of_search(text.len())
}

fn list_size(list: &[Box<str>]) -> usize {
    list.iter().map(|text| text_size(text)).sum()
}

/// Returns `true` if a shape asks for nothing.
pub(super) fn is_open(shape: &Shape) -> bool {
    let Shape {
        types,
        literals,
        number,
        string,
        array,
        object,
        union,
        also,
        conditions,
        ..
    } = shape;
    *types == Types::ALL
        && literals.is_none()
        && number.is_none()
        && string.is_none()
        && array.is_none()
        && object.is_none()
        && union.is_none()
        && also.is_empty()
        && conditions.is_empty()
}

/// Returns `true` if two rules agree, if both are there.
fn both<T>(one: &Option<T>, other: &Option<T>, agree: impl FnOnce(&T, &T) -> bool) -> bool {
    one.as_ref()
        .zip(other.as_ref())
        .is_none_or(|(one, other)| agree(one, other))
}

fn merge<T>(
    one: Option<Box<T>>,
    other: Option<Box<T>>,
    join: impl FnOnce(&mut T, T),
) -> Option<Box<T>> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            join(&mut one, *other);
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

fn least(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}

/// Returns `true` if at most one of two is there, or both are the same.
fn one_at_most<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
    both(one, other, |one, other| one == other)
}

impl NumberRules {
    /// Returns `true` if both together can be written as one.
    fn agrees(&self, other: &Self) -> bool {
        let mut bounds = self.bounds.iter().zip(&other.bounds);
        bounds.all(|(one, other)| one_at_most(one, other))
            && one_at_most(&self.multiple_of, &other.multiple_of)
            && one_at_most(&self.width, &other.width)
    }

    fn join(&mut self, other: Self) {
        for (own, other) in self.bounds.iter_mut().zip(other.bounds) {
            *own = own.take().or(other);
        }
        self.multiple_of = self.multiple_of.take().or(other.multiple_of);
        self.width = self.width.take().or(other.width);
    }
}

impl StringRules {
    fn agrees(&self, other: &Self) -> bool {
        one_at_most(&self.pattern, &other.pattern) && one_at_most(&self.format, &other.format)
    }

    fn join(&mut self, other: Self) {
        self.min_length = self.min_length.max(other.min_length);
        self.max_length = least(self.max_length, other.max_length);
        self.pattern = self.pattern.take().or(other.pattern);
        self.format = self.format.take().or(other.format);
        self.holds_json |= other.holds_json;
    }
}

impl ArrayRules {
    fn agrees(&self, other: &Self) -> bool {
        let says = |rules: &Self| rules.items.is_some() || !rules.prefix.is_empty();
        !(says(self) && says(other)) || (self.items == other.items && self.prefix == other.prefix)
    }

    fn join(&mut self, other: Self) {
        if self.items.is_none() && self.prefix.is_empty() {
            self.items = other.items;
            self.prefix = other.prefix;
        }
        self.min_items = self.min_items.max(other.min_items);
        self.max_items = least(self.max_items, other.max_items);
        self.unique |= other.unique;
    }
}
