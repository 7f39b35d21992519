//! Equality of values with JSON's semantics.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::scan::number;
use crate::view::{Items, Kind, ValueRef};

/// Two values are equal if they are the same JSON: objects regardless of the order of their members
/// (of repeated keys the last one counts), numbers by their exact value, strings after decoding.
/// They may belong to different documents.
///
/// ```
/// let one = llmjson_syntax::parse(r#"{"a": 1.0, "b": ["\u0078"]}"#);
/// let other = llmjson_syntax::parse(r#"{"b": ["x"], "a": 10e-1}"#);
/// assert_eq!(one.root(), other.root());
/// ```
impl PartialEq for ValueRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        // Members to compare, and arrays whose next items are to be compared: at most one array per
        // nesting level.
        let mut pairs = Vec::new();
        let mut lists: Vec<(Items<'_>, Items<'_>)> = Vec::new();
        let mut next = Some((*self, *other));
        loop {
            let Some((one, other)) = next.take().or_else(|| pairs.pop()) else {
                let Some((items, others)) = lists.last_mut() else {
                    return true;
                };
                match (items.next(), others.next()) {
                    (Some(one), Some(other)) => next = Some((one, other)),
                    (None, None) => _ = lists.pop(),
                    _ => return false,
                }
                continue;
            };
            let equal = match (one.kind(), other.kind()) {
                (Kind::Object, Kind::Object) => push_members(one, other, &mut pairs),
                (Kind::Array, Kind::Array) => {
                    lists.push((one.items(), other.items()));
                    one.len() == other.len()
                }
                (Kind::Number, Kind::Number) => match (one.as_number(), other.as_number()) {
                    (Some(one), Some(other)) => number::equal(one, other),
                    _ => false,
                },
                (Kind::String, Kind::String) => same_text(one, other),
                (kind, other_kind) => kind == other_kind && one.as_bool() == other.as_bool(),
            };
            if !equal {
                return false;
            }
        }
    }
}

/// Returns `true` if two strings are equal, which needs no decoding if they have the same spelling
/// or no escapes.
fn same_text(one: ValueRef<'_>, other: ValueRef<'_>) -> bool {
    match (one.raw_str(), other.raw_str()) {
        (Some((raw, escaped)), Some((other_raw, other_escaped))) => {
            raw == other_raw && escaped == other_escaped
                || (escaped || other_escaped) && one.as_str() == other.as_str()
        }
        _ => false,
    }
}

/// Adds the members of two objects to the pairs to compare, if the keys are the same. Takes time
/// proportional to the smaller object.
fn push_members<'a, 'b>(
    one: ValueRef<'a>,
    other: ValueRef<'b>,
    pairs: &mut Vec<(ValueRef<'a>, ValueRef<'b>)>,
) -> bool {
    let before = pairs.len();
    let (mut ones, mut others) = (one.members().keyed(), other.members().keyed());
    let mut in_order = true;
    loop {
        match (ones.next(), others.next()) {
            (Some((name, one)), Some((other_name, other))) => {
                in_order = in_order
                    && (name.raw_name() == other_name.raw_name()
                        || name.decoded() == other_name.decoded());
                pairs.push((one, other));
            }
            (None, None) => break,
            _ => return false,
        }
    }
    if in_order {
        return true;
    }
    pairs.truncate(before);
    let (one, other) = (sorted(one), sorted(other));
    let names = one.iter().map(|(name, _)| name);
    if !names.eq(other.iter().map(|(name, _)| name)) {
        return false;
    }
    let values = one.into_iter().zip(other);
    pairs.extend(values.map(|((_, one), (_, other))| (one, other)));
    true
}

fn sorted(object: ValueRef<'_>) -> Vec<(Cow<'_, str>, ValueRef<'_>)> {
    let mut members: Vec<_> = object.members().collect();
    members.sort_by(|(one, _), (other, _)| one.cmp(other));
    members
}
