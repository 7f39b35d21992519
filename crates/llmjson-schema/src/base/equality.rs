//! Equality of values as JSON Schema defines it, and arrays without repetition.
//!
//! `1`, `1.0` and `10e-1` are equal, and members may be in any order, as with `==` of [`ValueRef`].
//! A long array is compared by hashes, so this costs no more than reading it.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use llmjson_syntax::internal::decimal::{self, Decimal};
use llmjson_syntax::{Items, Kind, Members, ValueRef};
use serde_json::Number;
use smallvec::SmallVec;

/// Length below which arrays of scalars are compared pair by pair.
const PAIRWISE: usize = 8;

/// Returns `true` if no two items of an array are equal.
pub(crate) fn is_unique(array: ValueRef<'_>) -> bool {
    repeated(array).is_none()
}

/// Returns the indices of the first item of an array that equals an earlier one, and of the earlier
/// one.
pub(crate) fn repeated(array: ValueRef<'_>) -> Option<(usize, usize)> {
    let length = array.len();
    if length <= 1 {
        return None;
    }
    if length <= PAIRWISE && array.items().all(is_scalar) {
        let items: SmallVec<[ValueRef<'_>; PAIRWISE]> = array.items().collect();
        return (1..items.len()).find_map(|at| {
            let mut earlier = items[..at].iter();
            let first = earlier.position(|earlier| *earlier == items[at])?;
            Some((first, at))
        });
    }
    // The keys are random so that collisions cannot be crafted; the verdict does not depend on
    // them, because values with equal hashes are compared.
    let state = RandomState::new();
    let mut seen: HashMap<u64, SmallVec<[(usize, ValueRef<'_>); 1]>> =
        HashMap::with_capacity(length);
    array.items().enumerate().find_map(|(at, item)| {
        let alike = seen.entry(hash(item, &state)).or_default();
        let mut earlier = alike.iter();
        let first = earlier.find(|(_, earlier)| *earlier == item);
        let first = first.map(|(first, _)| (*first, at));
        alike.push((at, item));
        first
    })
}

fn is_scalar(value: ValueRef<'_>) -> bool {
    !matches!(value.kind(), Kind::Array | Kind::Object)
}

/// Returns `true` if two values are equal, comparing at most `budget` values, and `false` beyond
/// that.
pub(crate) fn equal_within(left: ValueRef<'_>, right: ValueRef<'_>, budget: &mut usize) -> bool {
    let mut pairs = vec![(left, right)];
    while let Some((left, right)) = pairs.pop() {
        if left.id() == right.id() {
            continue;
        }
        if *budget == 0 || left.kind() != right.kind() || left.len() != right.len() {
            return false;
        }
        *budget -= 1;
        match left.kind() {
            Kind::Array => pairs.extend(left.items().zip(right.items())),
            Kind::Object if left.len() > *budget => return false,
            Kind::Object => {
                // Keys are distinct, so for two objects of the same length, checking the keys of
                // one is enough.
                let others: HashMap<_, _> = right.members().collect();
                for (name, value) in left.members() {
                    match others.get(&name) {
                        Some(other) => pairs.push((value, *other)),
                        None => return false,
                    }
                }
            }
            _ if left != right => return false,
            _ => {}
        }
    }
    true
}

/// Returns `true` if a number has the exact value of a number in a schema.
pub(crate) fn number(text: &str, expected: &Number) -> bool {
    match (decimal::short_integer(text.as_bytes()), expected.as_i64()) {
        (Some(own), Some(expected)) => own == expected,
        _ => decimal::compare(text, &expected.to_string()).is_eq(),
    }
}

enum Children<'d> {
    Items(Items<'d>),
    Members(Members<'d>),
}

struct HashedContainer<'d> {
    children: Children<'d>,
    /// Hash of the current member's key.
    name: u64,
    sum: u64,
}

/// Hashes a value, equally for equal values. Members are summed, so their order does not matter.
fn hash(value: ValueRef<'_>, state: &RandomState) -> u64 {
    let mut open: Vec<HashedContainer<'_>> = Vec::new();
    let mut next = value;
    loop {
        let mut done = match next.kind() {
            Kind::Array | Kind::Object => {
                let children = if next.kind() == Kind::Array {
                    Children::Items(next.items())
                } else {
                    Children::Members(next.members())
                };
                open.push(HashedContainer {
                    children,
                    name: 0,
                    sum: next.kind() as u64,
                });
                None
            }
            _ => Some(hash_scalar(next, state)),
        };
        loop {
            let Some(top) = open.last_mut() else {
                return done.unwrap_or_default();
            };
            let child = match &mut top.children {
                Children::Items(items) => {
                    if let Some(hash) = done {
                        top.sum = state.hash_one((top.sum, hash));
                    }
                    items.next()
                }
                Children::Members(members) => {
                    if let Some(hash) = done {
                        top.sum = top.sum.wrapping_add(state.hash_one((top.name, hash)));
                    }
                    members.next().map(|(name, value)| {
                        top.name = state.hash_one(&*name);
                        value
                    })
                }
            };
            if let Some(child) = child {
                next = child;
                break;
            }
            done = Some(state.hash_one(top.sum));
            open.pop();
        }
    }
}

fn hash_scalar(value: ValueRef<'_>, state: &RandomState) -> u64 {
    let mut hasher = state.build_hasher();
    (value.kind() as u8).hash(&mut hasher);
    if let Some(number) = value.as_number() {
        let number = Decimal::new(number);
        number.scale().hash(&mut hasher);
        number.digits().for_each(|digit| hasher.write_u8(digit));
    } else if let Some(text) = value.as_str() {
        text.hash(&mut hasher);
    } else {
        value.as_bool().hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> bool {
        is_unique(llmjson_syntax::parse(text).root().expect("a value"))
    }

    #[test]
    fn repeated_items_are_found_whatever_their_spelling() {
        for text in [
            "[1, 1.0]",
            r#"["a", "\u0061"]"#,
            r#"[{"a": 1, "b": 2}, {"b": 2, "a": 1.0}]"#,
            "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100e-1]",
            r#"[[1, [2]], [1, [2.0]]]"#,
            "[{}, {}]",
            "[1e999, 10e998]",
        ] {
            assert!(!check(text), "{text}");
        }
    }

    #[test]
    fn different_items_stay_different() {
        for text in [
            "[]",
            "[1]",
            r#"[1, "1", true, null, [1], {"1": 1}, "true", "null", [], {}, false, 0]"#,
            r#"[{"a": 1, "b": 2}, {"a": 2, "b": 1}]"#,
            "[[1, 2], [2, 1]]",
            "[[[]], []]",
        ] {
            assert!(check(text), "{text}");
        }
    }

    #[test]
    fn members_count_in_any_order_and_only_so_many_values_are_compared() {
        let document = llmjson_syntax::parse(
            r#"[{"a": 1, "b": [{"c": "x", "d": 1.0}]}, {"b": [{"d": 1, "c": "\u0078"}], "a": 10e-1},
                {"b": [{"d": 1, "c": "y"}], "a": 1}]"#,
        );
        let items: Vec<_> = document.root().expect("a list").items().collect();
        assert!(equal_within(items[0], items[1], &mut 6) && items[0] == items[1]);
        assert!(!equal_within(items[0], items[1], &mut 5));
        assert!(!equal_within(items[0], items[2], &mut 6) && items[0] != items[2]);
    }

    #[test]
    fn long_lists_are_judged_quickly() {
        let items: Vec<String> = (0..100_000).map(|at| format!("{{\"n\":{at}}}")).collect();
        assert!(check(&format!("[{}]", items.join(","))));
        assert!(!check(&format!("[{},{}]", items.join(","), items[77_777])));
    }
}
