//! Equality of values as JSON Schema has it, and lists without repetition.
//!
//! `1`, `1.0` and `10e-1` are equal, members count in any order. Nothing here recurses, and a
//! long list is judged by hashes, so its cost is that of reading it.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use llmjson_syntax::{Items, Kind, Members, ValueRef};
use smallvec::SmallVec;

use crate::base::decimal::{self, Decimal};

/// Shorter lists of scalars are compared pair by pair.
const PAIRWISE: usize = 8;

/// Whether no two items of a list are equal.
pub(crate) fn is_unique(array: ValueRef<'_>) -> bool {
    repeated(array).is_none()
}

/// The places of the first item of a list that is equal to an earlier one, and of that.
pub(crate) fn repeated(array: ValueRef<'_>) -> Option<(usize, usize)> {
    let length = array.len();
    if length <= 1 {
        return None;
    }
    if length <= PAIRWISE && array.items().all(is_scalar) {
        let items: SmallVec<[ValueRef<'_>; PAIRWISE]> = array.items().collect();
        return (1..items.len()).find_map(|at| {
            let mut earlier = items[..at].iter();
            let first = earlier.position(|earlier| equal_scalars(*earlier, items[at]))?;
            Some((first, at))
        });
    }
    // The keys are random so that nobody can prepare collisions; the verdict does not depend on
    // them, because what hashes alike is compared.
    let state = RandomState::new();
    let mut seen: HashMap<u64, SmallVec<[(usize, ValueRef<'_>); 1]>> =
        HashMap::with_capacity(length);
    array.items().enumerate().find_map(|(at, item)| {
        let alike = seen.entry(hash(item, &state)).or_default();
        let mut earlier = alike.iter();
        let first = earlier.find(|(_, earlier)| equal(*earlier, item));
        let first = first.map(|(first, _)| (*first, at));
        alike.push((at, item));
        first
    })
}

fn is_scalar(value: ValueRef<'_>) -> bool {
    !matches!(value.kind(), Kind::Array | Kind::Object)
}

/// Whether two values are the same value.
pub(crate) fn equal(left: ValueRef<'_>, right: ValueRef<'_>) -> bool {
    let mut pairs = vec![(left, right)];
    while let Some((left, right)) = pairs.pop() {
        if left.kind() != right.kind() {
            return false;
        }
        match left.kind() {
            Kind::Array => {
                if left.len() != right.len() {
                    return false;
                }
                pairs.extend(left.items().zip(right.items()));
            }
            Kind::Object => {
                if left.len() != right.len() {
                    return false;
                }
                let others: HashMap<_, _> = right.members().collect();
                for (name, value) in left.members() {
                    match others.get(&name) {
                        Some(other) => pairs.push((value, *other)),
                        None => return false,
                    }
                }
            }
            _ if !equal_scalars(left, right) => return false,
            _ => {}
        }
    }
    true
}

fn equal_scalars(left: ValueRef<'_>, right: ValueRef<'_>) -> bool {
    match (left.as_number(), right.as_number()) {
        (Some(left), Some(right)) => decimal::compare(left, right).is_eq(),
        (None, None) => {
            left.kind() == right.kind()
                && left.as_bool() == right.as_bool()
                && left.as_str() == right.as_str()
        }
        _ => false,
    }
}

enum Children<'d> {
    Items(Items<'d>),
    Members(Members<'d>),
}

struct Open<'d> {
    children: Children<'d>,
    /// Hash of the name of the member that is being read.
    name: u64,
    sum: u64,
}

/// The same for equal values. Members are summed up, so their order does not matter.
fn hash(value: ValueRef<'_>, state: &RandomState) -> u64 {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut next = value;
    loop {
        let mut done = match next.kind() {
            Kind::Array | Kind::Object => {
                let children = if next.kind() == Kind::Array {
                    Children::Items(next.items())
                } else {
                    Children::Members(next.members())
                };
                open.push(Open {
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
    fn long_lists_are_judged_quickly() {
        let items: Vec<String> = (0..100_000).map(|at| format!("{{\"n\":{at}}}")).collect();
        assert!(check(&format!("[{}]", items.join(","))));
        assert!(!check(&format!("[{},{}]", items.join(","), items[77_777])));
    }
}
