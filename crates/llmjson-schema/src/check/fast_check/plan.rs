//! The rules of each shape, prepared for the fast check.

use std::collections::HashMap;

use llmjson_syntax::cursor::{Entry, EntryKind};
use serde_json::Value;
use smallvec::SmallVec;

use super::pattern::{Plain, Simple};
use crate::base::formats::Formats;
use crate::check::format::Format;
use crate::check::keywords::{CheckId, Plan};
use crate::check::text_check::Check;
use crate::ir::bounds::NumberKeyword;
use crate::ir::shape::{
    Additional, ArrayRules, NumberRules, ObjectRules, Shape, ShapeId, Shapes, StringRules, Types,
    Union,
};

/// Number of properties beyond which objects are left to the closer checks.
const PROPERTIES_MAX: usize = 64;

/// Enums of more texts are.
const LITERALS_MAX: usize = 64;

/// One rule for each shape, in the order of the shapes.
#[derive(Debug, Default)]
pub(crate) struct Plans {
    pub(super) rules: Vec<Rule>,
}

/// The requirements on values of one shape. Types are sets of bits as in [`Types`], but a number
/// with a fraction has a bit of its own.
#[derive(Debug, Default)]
pub(super) struct Rule {
    /// Types of which any value fits.
    pub(super) free: u8,
    /// Types of which a value may fit, as a look at it will tell.
    pub(super) looked: u8,
    /// The types of them that a look is too short for: scalars whose judges are to be asked.
    pub(super) asks: u8,
    /// Whole bounds of numbers, inclusive.
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) text: Option<Box<TextRule>>,
    pub(super) list: Option<Box<ListRule>>,
    pub(super) object: Option<Box<ObjectRule>>,
    pub(super) choice: Option<Box<Choice>>,
}

#[derive(Debug)]
pub(super) struct TextRule {
    pub(super) literals: Option<Box<[Box<str>]>>,
    /// Bounds of the length in characters.
    pub(super) least: u64,
    pub(super) most: u64,
    pub(super) matchers: SmallVec<[Matcher; 1]>,
}

/// Pattern or format.
#[derive(Debug)]
pub(super) enum Matcher {
    Simple(Simple),
    /// A format; where it does not tell, the closer check is asked.
    Format(Format, Formats, CheckId),
    Check(CheckId),
}

#[derive(Debug)]
pub(super) struct ListRule {
    pub(super) prefix: Box<[ShapeId]>,
    pub(super) items: Option<ShapeId>,
    pub(super) least: u64,
    pub(super) most: u64,
    pub(super) unique: bool,
}

#[derive(Debug)]
pub(super) struct ObjectRule {
    pub(super) properties: Box<[Named]>,
    /// A bit for each property.
    pub(super) required: u64,
    pub(super) others: Others,
    pub(super) least: u64,
    pub(super) most: u64,
}

#[derive(Debug)]
pub(super) struct Named {
    pub(super) name: Box<str>,
    pub(super) shape: ShapeId,
}

/// The requirement on members that are no properties.
#[derive(Clone, Copy, Debug)]
pub(super) enum Others {
    Silent,
    Fit(ShapeId),
    Forbidden,
}

#[derive(Debug)]
pub(super) struct Choice {
    pub(super) branches: Box<[ShapeId]>,
    pub(super) exclusive: bool,
    /// `true` for each value of the tag for which no other branch than the one it names can hold.
    alone: Box<[bool]>,
}

/// The type of a value as one bit.
#[inline]
pub(super) const fn bit(kind: EntryKind) -> u8 {
    const BITS: [u8; 8] = [
        Types::NULL.0,
        Types::BOOLEAN.0,
        Types::BOOLEAN.0,
        Types::INTEGER.0,
        Types::NUMBER.0 & !Types::INTEGER.0,
        Types::STRING.0,
        Types::ARRAY.0,
        Types::OBJECT.0,
    ];
    BITS[kind as usize]
}

impl Plans {
    pub(crate) fn new(shapes: &Shapes, plans: &[Plan], checks: &[Check]) -> Self {
        let rules = shapes.shapes.iter().zip(plans);
        Self {
            rules: rules
                .map(|(shape, plan)| Rule::new(shapes, shape, plan, checks))
                .collect(),
        }
    }
}

impl Rule {
    fn new(shapes: &Shapes, shape: &Shape, plan: &Plan, checks: &[Check]) -> Self {
        if !shape.also.is_empty() || !shape.conditions.is_empty() {
            return Self::default();
        }
        if let Some(union) = &shape.union {
            return Self::of_union(shapes, shape, union);
        }
        let (mut rule, types) = (Self::default(), shape.types.0);
        rule.looked = types;
        if let Some(literals) = &shape.literals {
            rule.constants(literals, shape, plan, checks);
            return rule;
        }
        rule.free = types;
        // Whether a very long number is an integer at all is for others to say.
        if shape.number.is_some() || !shape.types.has(Types::NUMBER) {
            rule.free &= !Types::NUMBER.0;
        }
        rule.numbers(shape.number.as_deref());
        if let Some(rules) = &shape.string {
            rule.text = TextRule::new(None, rules, plan, checks).map(Box::new);
            rule.free &= !(Types::STRING.0 * u8::from(rule.text.is_some()));
        }
        if let Some(rules) = &shape.array {
            rule.list = Some(Box::new(ListRule::new(rules)));
            rule.free &= !Types::ARRAY.0;
        }
        if let Some(rules) = &shape.object {
            rule.object = ObjectRule::new(rules).map(Box::new);
            rule.free &= !Types::OBJECT.0;
        }
        rule
    }

    fn of_union(shapes: &Shapes, shape: &Shape, union: &Union) -> Self {
        let beside = shape.literals.is_some()
            || shape.number.is_some()
            || shape.string.is_some()
            || shape.array.is_some()
            || shape.object.is_some();
        if beside {
            return Self::default();
        }
        Self {
            looked: shape.types.0,
            choice: Some(Box::new(Choice::new(shapes, union))),
            ..Self::default()
        }
    }

    /// Constants: of texts by comparing them here; containers are left to others.
    fn constants(&mut self, literals: &[Value], shape: &Shape, plan: &Plan, checks: &[Check]) {
        let containers = Types::ARRAY.or(Types::OBJECT).0;
        self.looked &= !containers;
        self.asks = self.looked & !Types::STRING.0;
        let texts = literals.iter().filter_map(Value::as_str);
        let texts: Box<[Box<str>]> = texts.map(Into::into).collect();
        if texts.len() > LITERALS_MAX {
            self.asks |= Types::STRING.0;
            return;
        }
        let none = StringRules::default();
        let rules = shape.string.as_deref().unwrap_or(&none);
        self.text = TextRule::new(Some(texts), rules, plan, checks).map(Box::new);
    }

    fn numbers(&mut self, rules: Option<&NumberRules>) {
        (self.low, self.high) = (i64::MIN, i64::MAX);
        let Some(rules) = rules else { return };
        let mut exact = rules.multiple_of.is_none();
        let mut bound = |keyword| {
            let short = rules.bound(keyword)?.short;
            exact &= short.is_some();
            short
        };
        let least = bound(NumberKeyword::Minimum);
        let above = bound(NumberKeyword::ExclusiveMinimum).map(|bound| bound + 1);
        let most = bound(NumberKeyword::Maximum);
        let below = bound(NumberKeyword::ExclusiveMaximum).map(|bound| bound - 1);
        self.low = least.max(above).unwrap_or(i64::MIN);
        self.high = [most, below]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(i64::MAX);
        if let Some((_, low, high)) = &rules.width {
            self.low = self.low.max(i64::try_from(*low).unwrap_or(i64::MIN));
            self.high = self.high.min(i64::try_from(*high).unwrap_or(i64::MAX));
            self.asks |= bit(EntryKind::Float);
        }
        if !exact {
            self.asks |= Types::NUMBER.0;
        }
    }
}

impl TextRule {
    /// `None` if nothing is expected.
    fn new(
        literals: Option<Box<[Box<str>]>>,
        rules: &StringRules,
        plan: &Plan,
        checks: &[Check],
    ) -> Option<Self> {
        let matcher = |check: CheckId| match checks[check.at()].plain() {
            Some(Plain::Pattern(simple)) => Matcher::Simple(simple.clone()),
            Some(Plain::Format(format, formats)) => Matcher::Format(*format, *formats, check),
            None => Matcher::Check(check),
        };
        let (format, pattern) = (plan.format.map(matcher), plan.pattern.map(matcher));
        let rule = Self {
            literals,
            least: rules.min_length.unwrap_or(0),
            most: rules.max_length.unwrap_or(u64::MAX),
            matchers: format.into_iter().chain(pattern).collect(),
        };
        let asks = rule.literals.is_some()
            || rule.least > 0
            || rule.most < u64::MAX
            || !rule.matchers.is_empty();
        asks.then_some(rule)
    }
}

impl ListRule {
    fn new(rules: &ArrayRules) -> Self {
        Self {
            prefix: rules.prefix.as_slice().into(),
            items: rules.items,
            least: rules.min_items.unwrap_or(0),
            most: rules.max_items.unwrap_or(u64::MAX),
            unique: rules.unique,
        }
    }
}

impl ObjectRule {
    /// `None` if objects of that shape have to be looked at closely.
    fn new(rules: &ObjectRules) -> Option<Self> {
        if rules.properties.len() > PROPERTIES_MAX
            || !rules.patterns.is_empty()
            || !rules.required_undeclared.is_empty()
        {
            return None;
        }
        let mut required = 0;
        for (at, property) in rules.properties.iter().enumerate() {
            required |= u64::from(property.required) << at;
        }
        let properties = rules.properties.iter().map(|property| Named {
            name: property.name.clone(),
            shape: property.shape,
        });
        Some(Self {
            properties: properties.collect(),
            required,
            others: match rules.additional {
                Additional::Silent => Others::Silent,
                Additional::Open(shape) => Others::Fit(shape),
                Additional::Forbidden => Others::Forbidden,
            },
            least: rules.min_properties.unwrap_or(0),
            most: rules.max_properties.unwrap_or(u64::MAX),
        })
    }

    /// Returns the index of a name among the properties. Models mostly keep to the order of the
    /// schema and leave optional members out, so the search begins at `next`.
    #[inline]
    pub(super) fn find(&self, next: usize, name: &[u8]) -> Option<usize> {
        let is = |at: usize| {
            let property = self.properties.get(at);
            property.is_some_and(|property| same(property.name.as_bytes(), name))
        };
        if is(next) {
            return Some(next);
        }
        let after = next + 1..self.properties.len();
        after
            .chain(0..next.min(self.properties.len()))
            .find(|&at| is(at))
    }
}

/// Returns `true` if two names are the same. Most are short, and comparing words takes less than a
/// call.
#[inline]
fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    if left.len() > 16 {
        return left == right;
    }
    if let (Some(left_start), Some(right_start)) = (left.first_chunk::<8>(), right.first_chunk()) {
        return left_start == right_start && left.last_chunk::<8>() == right.last_chunk();
    }
    if let (Some(left_start), Some(right_start)) = (left.first_chunk::<4>(), right.first_chunk()) {
        return left_start == right_start && left.last_chunk::<4>() == right.last_chunk();
    }
    left.iter().zip(right).all(|(left, right)| left == right)
}

impl Choice {
    fn new(shapes: &Shapes, union: &Union) -> Self {
        let tags = union.tag.iter().flat_map(|tag| {
            let holders = (tag.declared).then(|| Holders::of(shapes, union, &tag.property));
            tag.branches.iter().map(move |(value, at)| {
                let branch = union.branches.get(*at as usize);
                let excludes = |holders: &Holders<'_>| {
                    branch.is_some_and(|branch| holders.excludes_others(*branch, value))
                };
                holders.as_ref().is_none_or(excludes)
            })
        });
        Self {
            branches: union.branches.as_slice().into(),
            exclusive: union.exclusive,
            alone: tags.collect(),
        }
    }

    /// The branch that the tag of an object names, and whether no other can hold.
    pub(super) fn tagged(&self, union: &Union, entry: &Entry<'_, '_>) -> Option<(ShapeId, bool)> {
        let tag = union.tag.as_ref()?;
        if entry.kind() != EntryKind::Object {
            return None;
        }
        let is_tag =
            |member: &Entry<'_, '_>| member.name_bytes() == (tag.property.as_bytes(), false);
        let given = entry.children().find(is_tag)?;
        if given.kind() != EntryKind::String || given.is_escaped() {
            return None;
        }
        let place = tag.place(given.raw())?;
        let branch = tag.branches[place].1;
        Some((
            *self.branches.get(branch as usize)?,
            *self.alone.get(place)?,
        ))
    }

    /// Returns `true` if no more than one branch takes values of that type.
    pub(super) fn is_alone(&self, shapes: &Shapes, kind: u8) -> bool {
        // A number with a fraction of zero is an integer, too.
        let kind = if kind & Types::NUMBER.0 != 0 {
            Types::NUMBER.0
        } else {
            kind
        };
        let branches = self.branches.iter();
        branches
            .filter(|branch| shapes.get(**branch).types.0 & kind != 0)
            .take(2)
            .count()
            < 2
    }
}

/// The branches of a union that may hold for objects with a certain tag.
struct Holders<'s> {
    /// The branches that take objects whose tag is anything.
    any: Vec<ShapeId>,
    by_value: HashMap<&'s str, SmallVec<[ShapeId; 1]>>,
}

impl<'s> Holders<'s> {
    fn of(shapes: &'s Shapes, union: &Union, tag: &str) -> Self {
        let (mut any, mut by_value) = (Vec::new(), HashMap::new());
        for &branch in &union.branches {
            let shape = shapes.get(branch);
            if !shape.types.meets(Types::OBJECT) {
                continue;
            }
            let rules = shape.object.as_deref();
            let property = rules.and_then(|rules| rules.property(tag));
            match property.and_then(|property| shapes.get(property.shape).literals.as_ref()) {
                None => any.push(branch),
                Some(literals) => {
                    for text in literals.iter().filter_map(Value::as_str) {
                        let holders: &mut SmallVec<[ShapeId; 1]> =
                            by_value.entry(text).or_default();
                        holders.push(branch);
                    }
                }
            }
        }
        Self { any, by_value }
    }

    /// Returns `true` if no other branch can hold for an object whose tag has that value.
    fn excludes_others(&self, branch: ShapeId, value: &str) -> bool {
        let listed = self.by_value.get(value).into_iter().flatten();
        let mut holders = self.any.iter().chain(listed);
        holders.all(|holder| *holder == branch)
    }
}
