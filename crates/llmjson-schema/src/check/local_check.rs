//! Whether a value satisfies a shape, as far as one look without going deeper can tell.

use std::collections::HashMap;

use llmjson_syntax::{Kind, ValueRef};
use serde_json::Value;

use crate::base::decimal;
use crate::ir::shape::{ArrayRules, NumberRules, ObjectRules, Shape, StringRules, Types};

/// The smallest type a value has. A whole number written with a fraction is a number here and no
/// integer, because it is to be written without.
pub(crate) fn type_of(value: ValueRef<'_>) -> Types {
    match value.kind() {
        Kind::Null => Types::NULL,
        Kind::Bool => Types::BOOLEAN,
        Kind::Number if value.is_integer_text() => Types::INTEGER,
        Kind::Number => Types(Types::NUMBER.0 & !Types::INTEGER.0),
        Kind::String => Types::STRING,
        Kind::Array => Types::ARRAY,
        Kind::Object => Types::OBJECT,
    }
}

/// Whether a value has an allowed type and is an allowed constant.
pub(crate) fn agrees(shape: &Shape, value: ValueRef<'_>) -> bool {
    shape.types.meets(type_of(value))
        && shape
            .literals
            .as_ref()
            .is_none_or(|literals| literals.has(value, |literal| equals(value, literal)))
}

/// Whether a value is that constant; numbers are compared by value.
pub(crate) fn equals(value: ValueRef<'_>, literal: &Value) -> bool {
    let mut pairs = vec![(value, literal)];
    while let Some((value, literal)) = pairs.pop() {
        let same = match literal {
            Value::Null => value.is_null(),
            Value::Bool(truth) => value.as_bool() == Some(*truth),
            Value::Number(number) => value
                .as_number()
                .is_some_and(|text| decimal::compare(text, &number.to_string()).is_eq()),
            Value::String(text) => value.as_str().is_some_and(|own| own == text.as_str()),
            Value::Array(items) => {
                pairs.extend(value.items().zip(items));
                value.kind() == Kind::Array && value.len() == items.len()
            }
            Value::Object(members) => {
                for (name, own) in value.members() {
                    match members.get(&*name) {
                        Some(literal) => pairs.push((own, literal)),
                        None => return false,
                    }
                }
                value.kind() == Kind::Object && value.len() == members.len()
            }
        };
        if !same {
            return false;
        }
    }
    true
}

/// Whether two values are the same; numbers are compared by value, members in any order.
///
/// Gives up, with a no, after `budget` values.
pub(crate) fn same(left: ValueRef<'_>, right: ValueRef<'_>, mut budget: usize) -> bool {
    let mut pairs = vec![(left, right)];
    while let Some((left, right)) = pairs.pop() {
        if left.id() == right.id() {
            continue;
        }
        if budget == 0 || left.kind() != right.kind() || left.len() != right.len() {
            return false;
        }
        budget -= 1;
        let same = match left.kind() {
            Kind::Null | Kind::Array => true,
            Kind::Bool => left.as_bool() == right.as_bool(),
            Kind::String => left.as_str() == right.as_str(),
            Kind::Number => match (left.as_number(), right.as_number()) {
                (Some(left), Some(right)) => decimal::compare(left, right).is_eq(),
                _ => false,
            },
            // No name comes twice, so of two objects of one length all names of one suffice.
            Kind::Object if left.len() > budget => false,
            Kind::Object => {
                let others: HashMap<_, _> = right.members().collect();
                let mut members = left.members();
                members.all(|(name, value)| {
                    let other = others.get(&name);
                    pairs.extend(other.map(|other| (value, *other)));
                    other.is_some()
                })
            }
        };
        if !same {
            return false;
        }
        pairs.extend(left.items().zip(right.items()));
    }
    true
}

/// Whether a scalar keeps within bounds. Patterns and formats are not looked at: this only helps
/// to choose between the branches of a union.
pub(crate) fn within_bounds(shape: &Shape, value: ValueRef<'_>) -> bool {
    if let (Some(rules), Some(number)) = (&shape.number, value.as_number()) {
        return number_within(rules, number, value);
    }
    match (&shape.string, value.as_str()) {
        (Some(rules), Some(text)) => text_within(rules, &text),
        _ => true,
    }
}

fn number_within(rules: &NumberRules, number: &str, value: ValueRef<'_>) -> bool {
    use std::cmp::Ordering::{Greater, Less};
    if value.too_many_digits().is_some() {
        return false;
    }
    let is = |bound: &Option<Box<str>>, wanted: &[std::cmp::Ordering]| {
        bound
            .as_deref()
            .is_none_or(|bound| wanted.contains(&decimal::compare(number, bound)))
    };
    use std::cmp::Ordering::Equal;
    is(&rules.minimum, &[Greater, Equal])
        && is(&rules.maximum, &[Less, Equal])
        && is(&rules.exclusive_minimum, &[Greater])
        && is(&rules.exclusive_maximum, &[Less])
        && rules.width.as_ref().is_none_or(|(_, low, high)| {
            value
                .as_i128()
                .is_some_and(|number| (*low..=*high).contains(&number))
        })
}

fn text_within(rules: &StringRules, text: &str) -> bool {
    if rules.min_length.is_none() && rules.max_length.is_none() {
        return true;
    }
    let length = text.chars().count() as u64;
    rules.min_length.is_none_or(|least| length >= least)
        && rules.max_length.is_none_or(|most| length <= most)
}

pub(crate) fn count_within_array(rules: &ArrayRules, count: usize) -> bool {
    within(rules.min_items, rules.max_items, count)
}

pub(crate) fn count_within_object(rules: &ObjectRules, count: usize) -> bool {
    within(rules.min_properties, rules.max_properties, count)
}

fn within(least: Option<u64>, most: Option<u64>, count: usize) -> bool {
    let count = count as u64;
    least.is_none_or(|least| count >= least) && most.is_none_or(|most| count <= most)
}
