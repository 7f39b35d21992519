//! The verdicts that a value's type gives by itself, for each shape.

use std::collections::HashMap;

use llmjson_syntax::Kind;
use llmjson_syntax::cursor::EntryKind;
use serde_json::Value;
use smallvec::SmallVec;

use crate::check::keywords::Plan;
use crate::ir::bounds::NumberKeyword;
use crate::ir::shape::{
    NumberRules, ObjectRules, Shape, ShapeId, Shapes, StringRules, Types, Union,
};

/// Number of properties beyond which objects are left to the closer checks: their places are bits of a word.
const PROPERTIES_MAX: usize = 64;

/// The types of values that their type decides, for one shape. Types are sets of bits as in
/// [`Types`], but a number with a fraction has a separate bit.
#[derive(Debug, Default)]
pub(crate) struct Quick {
    /// Types of which any value fits.
    pub(super) free: u8,
    /// Types of which a value may fit, as a look at it will tell.
    pub(super) looked: u8,
    /// The types of them that more than a glance is for: unions, and scalars whose judges are to be asked.
    pub(super) asks: u8,
    /// Whole bounds of numbers, inclusive.
    pub(super) low: i64,
    pub(super) high: i64,
    /// `true` for each value of a union's tag for which no other branch than the one it names can hold.
    pub(super) alone: Box<[bool]>,
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

impl Quick {
    /// Prepares a shape, of which the rest of the plan is prepared.
    pub(crate) fn new(shapes: &Shapes, shape: &Shape, plan: &Plan) -> Self {
        if !shape.also.is_empty() || !shape.conditions.is_empty() {
            return Self::default();
        }
        let types = shape.types.0;
        let mut quick = Self {
            looked: types,
            low: i64::MIN,
            high: i64::MAX,
            ..Self::default()
        };
        if let Some(union) = &shape.union {
            if shape.has_rules() {
                return Self::default();
            }
            (quick.asks, quick.alone) = (types, alone(shapes, union));
            return quick;
        }
        if shape.literals.is_some() {
            // Texts are compared at once, containers are left to others.
            quick.looked &= !Types::ARRAY.or(Types::OBJECT).0;
            quick.asks = quick.looked & !Types::STRING.0;
            return quick;
        }
        let mut ruled = Types::NONE;
        // Whether a very long number is an integer at all is for others to say.
        if shape.number.is_some() || !shape.types.has(Types::NUMBER) {
            ruled = ruled.or(Types::NUMBER);
        }
        if let Some(rules) = &shape.number {
            quick.bound(rules);
        }
        if shape
            .string
            .as_deref()
            .is_some_and(|rules| asks(rules, plan))
        {
            ruled = ruled.or(Types::STRING);
        }
        if shape.array.is_some() {
            ruled = ruled.or(Types::ARRAY);
        }
        if let Some(rules) = &shape.object {
            ruled = ruled.or(Types::OBJECT);
            if !is_simple(rules) {
                quick.looked &= !Types::OBJECT.0;
            }
        }
        quick.free = types & !ruled.0;
        quick
    }

    /// Returns `true` if any value of that kind fits.
    #[inline]
    pub(crate) fn takes_any(&self, kind: Kind) -> bool {
        let types = Types::of(kind).0;
        self.free & types == types
    }

    /// Returns whether a whole number is between the bounds, if it is a short one.
    #[inline]
    pub(super) fn takes_integer(&self, text: &[u8]) -> Option<bool> {
        let number = short_integer(text)?;
        Some(self.low <= number && number <= self.high)
    }

    /// Returns `true` if a number with a fraction is surely between the bounds: it lies between its whole part and the
    /// next number away from zero.
    pub(super) fn takes_fraction(&self, text: &[u8]) -> bool {
        let (negative, digits) = match text {
            [b'-', rest @ ..] => (true, rest),
            all => (false, all),
        };
        if digits.len() > 18 {
            return false;
        }
        let (mut number, mut is_whole) = (0, true);
        for &byte in digits {
            match byte {
                b'0'..=b'9' if is_whole => number = number * 10 + i64::from(byte - b'0'),
                b'0'..=b'9' => {}
                b'.' => is_whole = false,
                _ => return false,
            }
        }
        let (least, most) = if negative {
            (-number - 1, -number)
        } else {
            (number, number + 1)
        };
        self.low <= least && most <= self.high
    }

    fn bound(&mut self, rules: &NumberRules) {
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

/// A whole number of up to 18 digits.
#[inline]
fn short_integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        all => (false, all),
    };
    if digits.len() > 18 {
        return None;
    }
    let value = digits
        .iter()
        .fold(0i64, |sum, digit| sum * 10 + i64::from(digit & 0xF));
    Some(if negative { -value } else { value })
}

/// Returns `true` if anything is asked of texts.
fn asks(rules: &StringRules, plan: &Plan) -> bool {
    let checks = plan.format.is_some() || plan.pattern.is_some();
    checks || rules.min_length.is_some() || rules.max_length.is_some()
}

/// Returns `true` if objects need not be looked at closely.
fn is_simple(rules: &ObjectRules) -> bool {
    rules.properties.len() <= PROPERTIES_MAX
        && rules.patterns.is_empty()
        && rules.required_undeclared.is_empty()
}

/// Returns for each value of a union's tag whether no other branch than the one it names can hold.
fn alone(shapes: &Shapes, union: &Union) -> Box<[bool]> {
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
    tags.collect()
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
