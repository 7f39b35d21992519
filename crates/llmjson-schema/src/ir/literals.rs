//! Allowed values: where the schema lists them, and tables, built on first use, that look up a
//! value in one step.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::slice;
use std::sync::{Arc, OnceLock};

use llmjson_syntax::internal::decimal;
use llmjson_syntax::{Kind, ValueRef};
use serde_json::Value;
use smallvec::SmallVec;

use crate::base::equality;
use crate::ir::spelling::{Aliases, Spellings};
use crate::normal::tree::{Json, NodeIx, Tree};

/// Maximum number of values that are searched one by one.
const FEW: usize = 8;

/// Length beyond which words are not searched for in any case.
const WORD_BYTES_MAX: usize = 8;

/// Allowed values: `enum`, `const`, and unions of constants flattened into one list.
#[derive(Clone)]
pub(crate) struct Literals(Box<Listed>);

#[derive(Clone)]
struct Listed {
    tree: Arc<Tree>,
    nodes: Vec<NodeIx>,
    values: OnceLock<Box<[Value]>>,
    places: OnceLock<Arc<LiteralIndex>>,
    spellings: OnceLock<Arc<Spellings>>,
}

impl Literals {
    pub(crate) fn new(tree: &Arc<Tree>, nodes: Vec<NodeIx>) -> Self {
        Self(Box::new(Listed {
            tree: Arc::clone(tree),
            nodes,
            values: OnceLock::new(),
            places: OnceLock::new(),
            spellings: OnceLock::new(),
        }))
    }

    /// Returns their nodes in the schema.
    pub(crate) fn nodes(&self) -> &[NodeIx] {
        &self.0.nodes
    }

    pub(crate) fn into_nodes(self) -> Vec<NodeIx> {
        self.0.nodes
    }

    /// Returns the other spellings of the strings among them, which are always queried with the
    /// aliases of their shape.
    pub(crate) fn spellings(&self, aliases: &Aliases) -> &Spellings {
        let spellings = || Arc::new(Spellings::of(aliases, self));
        self.0.spellings.get_or_init(spellings)
    }

    /// Returns `true` if a string is among them.
    pub(crate) fn has_text(&self, text: &str) -> bool {
        if self.len() <= FEW {
            return self.iter().any(|literal| literal.as_str() == Some(text));
        }
        self.places().texts.contains(text)
    }

    /// Returns `true` if a short word is among them, in any case.
    pub(crate) fn has_folded(&self, word: &str) -> bool {
        let same = |text: &str| text.eq_ignore_ascii_case(word);
        if self.len() <= FEW {
            return self.iter().filter_map(Value::as_str).any(same);
        }
        let folded = &self.places().folded;
        folded.contains(word.to_ascii_lowercase().as_str())
    }

    /// All of them, and the spellings of numbers whose values do not preserve every digit.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (&Value, Option<&str>)> {
        self.iter().zip(&self.0.nodes).map(|(value, &node)| {
            let text = value.as_number().zip(self.0.tree.number(node));
            let text = text.filter(|(number, text)| !equality::number(text, number));
            (value, text.map(|(_, text)| text))
        })
    }

    /// Returns `true` if a value is among them.
    pub(crate) fn has(&self, value: ValueRef<'_>) -> bool {
        match value.raw_str() {
            Some((raw, false)) => return self.has_text(raw),
            Some((_, true)) => return value.as_str().is_some_and(|text| self.has_text(&text)),
            None => {}
        }
        if self.len() <= FEW {
            return self.0.nodes.iter().any(|&node| self.same(value, node));
        }
        let places = self.places();
        let Some(key) = places.key(value) else {
            return false;
        };
        let alike = places.others.get(&key).into_iter().flatten();
        alike
            .copied()
            .any(|at| self.same(value, self.0.nodes[at as usize]))
    }

    fn same(&self, value: ValueRef<'_>, node: NodeIx) -> bool {
        equals(value, &self.0.tree, node)
    }

    fn places(&self) -> &LiteralIndex {
        self.0
            .places
            .get_or_init(|| Arc::new(LiteralIndex::of(self)))
    }
}

impl Deref for Literals {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        let Listed {
            tree,
            nodes,
            values,
            ..
        } = &*self.0;
        values.get_or_init(|| {
            let texts = HashMap::new();
            let nodes = nodes.iter();
            nodes.map(|&node| tree.to_value(node, &texts)).collect()
        })
    }
}

impl<'l> IntoIterator for &'l Literals {
    type Item = &'l Value;
    type IntoIter = slice::Iter<'l, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for Literals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// Returns `true` if a value equals the one at a place of a schema, comparing every digit of
/// numbers. It recurses as deep as the schema does.
fn equals(value: ValueRef<'_>, tree: &Tree, node: NodeIx) -> bool {
    match tree.get(node) {
        Json::Null => value.is_null(),
        Json::Bool(expected) => value.as_bool() == Some(*expected),
        Json::String(expected) => value
            .as_str()
            .is_some_and(|text| text == tree.at(*expected)),
        Json::Number(expected) => {
            let number = value.as_number();
            number.is_some_and(|text| decimal::compare(text, tree.at(*expected)).is_eq())
        }
        Json::Array(expected) => {
            let mut pairs = value.items().zip(expected);
            value.kind() == Kind::Array
                && value.len() == expected.len()
                && pairs.all(|(item, expected)| equals(item, tree, *expected))
        }
        Json::Object(expected) => {
            value.kind() == Kind::Object
                && value.len() == expected.len()
                && value.members().all(|(name, member)| {
                    let expected = tree.member(node, &name);
                    expected.is_some_and(|expected| equals(member, tree, expected))
                })
        }
    }
}

/// The indices of values in a long list.
#[derive(Debug, Default)]
struct LiteralIndex {
    texts: HashSet<Box<str>>,
    /// The short ones of them, in lower case.
    folded: HashSet<Box<str>>,
    /// All other values by their hash.
    others: HashMap<u64, SmallVec<[u32; 1]>>,
    /// The kinds and lengths of the containers in it.
    containers: HashSet<(bool, usize)>,
    /// Number of values in the largest of them, and the depth of the deepest one. A larger or
    /// deeper value equals none of them and need not be compared.
    size: usize,
    depth: usize,
}

impl LiteralIndex {
    fn of(literals: &[Value]) -> Self {
        let mut places = Self::default();
        for (at, literal) in (0u32..).zip(literals) {
            match literal {
                Value::String(text) => {
                    places.texts.insert(text.as_str().into());
                    if text.len() <= WORD_BYTES_MAX {
                        places.folded.insert(text.to_ascii_lowercase().into());
                    }
                    continue;
                }
                Value::Array(items) => {
                    places.containers.insert((true, items.len()));
                }
                Value::Object(members) => {
                    places.containers.insert((false, members.len()));
                }
                _ => {}
            }
            let (mut size, mut depth) = (0, 0);
            let key = key_of_literal(literal, 0, &mut size, &mut depth);
            places.size = places.size.max(size);
            places.depth = places.depth.max(depth);
            places.others.entry(key).or_default().push(at);
        }
        places
    }

    /// Returns the hash of a value, or `None` if it equals none of the listed ones.
    fn key(&self, value: ValueRef<'_>) -> Option<u64> {
        let is_list = match value.kind() {
            Kind::Array => true,
            Kind::Object => false,
            _ => return key_of_value(value, 1, &mut 1),
        };
        let is_there = self.containers.contains(&(is_list, value.len()));
        let mut room = self.size;
        is_there.then(|| key_of_value(value, self.depth, &mut room))?
    }
}

/// Returns a hash that is equal for equal values, by either comparison.
fn mixed(parts: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// Equal numbers have the same nearest double, or none.
fn key_of_number(number: Option<f64>) -> u64 {
    mixed((b'n', number.map(|number| (number + 0.0).to_bits())))
}

fn key_of_literal(literal: &Value, level: usize, size: &mut usize, depth: &mut usize) -> u64 {
    *size += 1;
    *depth = (*depth).max(level + 1);
    let mut key = |inner: &Value| key_of_literal(inner, level + 1, size, depth);
    match literal {
        Value::Null => mixed(b'0'),
        Value::Bool(truth) => mixed((b'b', truth)),
        Value::Number(number) => key_of_number(number.as_f64()),
        Value::String(text) => mixed((b's', text.as_str())),
        Value::Array(items) => items.iter().fold(1, |sum, item| mixed((sum, key(item)))),
        Value::Object(members) => {
            let members = members.iter();
            members.fold(2u64, |sum, (name, value)| {
                sum.wrapping_add(mixed((name.as_str(), key(value))))
            })
        }
    }
}

/// Returns the hash of a document's value, or `None` if it nests deeper, or has more values.
fn key_of_value(value: ValueRef<'_>, depth: usize, room: &mut usize) -> Option<u64> {
    if depth == 0 || *room == 0 {
        return None;
    }
    *room -= 1;
    Some(match value.kind() {
        Kind::Null => mixed(b'0'),
        Kind::Bool => mixed((b'b', value.as_bool()?)),
        Kind::Number => key_of_number(value.as_f64()),
        Kind::String => mixed((b's', &*value.as_str()?)),
        Kind::Array => {
            let mut sum = 1;
            for item in value.items() {
                sum = mixed((sum, key_of_value(item, depth - 1, room)?));
            }
            sum
        }
        Kind::Object => {
            let mut sum = 2u64;
            for (name, member) in value.members() {
                let key = key_of_value(member, depth - 1, room)?;
                sum = sum.wrapping_add(mixed((&*name, key)));
            }
            sum
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::schema::Schema;

    #[test]
    fn a_long_list_is_looked_up_as_a_short_one_is_gone_through() {
        let listed = r#"[null, true, "a", "b\n", 0, 1, 2.5, 1e3, 9007199254740993, [], [1, "x"],
            {}, {"a": [1, {"b": null}], "c": 2}, -0.0, 18446744073709551615, "é", 1e-7]"#;
        let schema = |listed: &str| {
            Schema::from_text(&format!(r#"{{"enum": {listed}}}"#)).expect("a schema")
        };
        let (long, listed) = (schema(listed), llmjson_syntax::parse(listed));
        let listed = listed.root().expect("a list");
        assert!(listed.len() > super::FEW);
        let each: Vec<Schema> = (listed.items())
            .map(|value| schema(&format!("[{}]", value.to_json())))
            .collect();
        let asked = r#"[null, false, true, "a", "\u0061", "b\n", "b", "", 0, -0, 0.0, 1, 1.0, 10e-1,
            1.5, 2.50, 1000, 1e3, 1E+3, 9007199254740993, 9007199254740992, 9007199254740993.0, [],
            [1, "x"], [1.0, "\u0078"], ["x", 1], [1], {}, {"c": 2, "a": [1, {"b": null}]},
            {"c": 2, "a": [1, {"b": 0}]}, {"c": 2}, [[[[[[[]]]]]]], 18446744073709551615,
            18446744073709551616, 1e999, "é", "e\u0301", 0.0000001, [[], [], [], []]]"#;
        let document = llmjson_syntax::parse(asked);
        for value in document.root().expect("a list").items() {
            let one_by_one = each.iter().any(|schema| schema.is_valid(value));
            assert_eq!(long.is_valid(value), one_by_one, "{}", value.to_json());
        }
    }

    #[test]
    fn numbers_are_the_listed_ones_by_every_digit() {
        let long = "9".repeat(60);
        for others in ["", ", 1, 2, 3, 4, 5, 6, 7, 8, 9"] {
            let listed =
                format!("[{long}8, 1e300, 100000000000000000001, [100000000000000000002]{others}]");
            let schema = format!(r#"{{"enum": {listed}}}"#);
            let schema = Schema::from_text(&schema).expect("a schema");
            for (value, is_listed) in [
                (format!("{long}8"), true),
                (format!("{long}8.0"), true),
                (format!("{long}7"), false),
                ("10e299".to_owned(), true),
                ("1e301".to_owned(), false),
                ("1e400".to_owned(), false),
                ("100000000000000000001".to_owned(), true),
                ("100000000000000000002".to_owned(), false),
                ("[100000000000000000002]".to_owned(), true),
                ("[100000000000000000001]".to_owned(), false),
            ] {
                let document = llmjson_syntax::parse(&value);
                let root = document.root().expect("a value");
                assert_eq!(schema.is_valid(root), is_listed, "{value}");
            }
        }
    }
}
