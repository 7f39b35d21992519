//! Enumerated strings in other spellings: `In Progress` is `in_progress`, `requests_get` is
//! `requests.get`.
//!
//! Matches only whole strings, and only if one enumerated string can be meant. The stricter of two
//! comparisons is tried first, so `A-B` finds `a_b` even next to `a.b`.

use std::borrow::Cow;
use std::collections::HashMap;

use llmjson_syntax::Class;
use serde_json::Value;

use crate::base::report::CoercionKind;
use crate::ir::names::fold::{insert, normal_value, unqualified_value, words_of_value};
use crate::ir::types::ShapeId;

/// Names that the schema declares for enumerated values, and the values: strings as written, others
/// as JSON.
pub(crate) type Aliases = [(Box<str>, Box<str>)];

/// Other spellings of enumerated strings; `None` if a spelling is ambiguous.
#[derive(Debug, Default)]
pub(crate) struct Spellings {
    aliases: HashMap<Box<str>, Option<u32>>,
    /// Normalized strings and aliases.
    normal: HashMap<String, Option<u32>>,
    /// The spellings without the separators of qualified names.
    unqualified: HashMap<String, Option<u32>>,
}

/// Returns the enumerated string that another string represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spelled {
    pub(crate) kind: CoercionKind,
    pub(crate) class: Class,
    /// The index among the constants.
    pub(crate) at: u32,
}

impl Spellings {
    pub(crate) fn of(aliases: &Aliases, literals: &[Value]) -> Self {
        let mut spellings = Self::default();
        let mut places: HashMap<Cow<'_, str>, u32> = HashMap::new();
        for (at, literal) in (0u32..).zip(literals) {
            if let Some(text) = literal.as_str() {
                places.insert(text.into(), at);
                spellings.add(text, at);
            }
        }
        // A number is found here only by its name.
        for (at, literal) in (0u32..).zip(literals).filter(|_| !aliases.is_empty()) {
            if literal.is_number() || literal.is_boolean() {
                places.entry(literal.to_string().into()).or_insert(at);
            }
        }
        for (alias, text) in aliases {
            if let Some(&at) = places.get(&**text) {
                insert(&mut spellings.aliases, alias.clone(), at);
                spellings.add(alias, at);
            }
        }
        spellings
    }

    fn add(&mut self, text: &str, at: u32) {
        insert(&mut self.normal, normal_value(text), at);
        insert(&mut self.unqualified, unqualified_value(text), at);
    }

    pub(crate) fn find(&self, text: &str, literals: &[Value]) -> Option<Spelled> {
        if let Some(found) = self.aliases.get(text) {
            let (kind, class) = (CoercionKind::EnumAlias, CoercionKind::EnumAlias.class());
            return found.map(|at| Spelled { kind, class, at });
        }
        let kind = CoercionKind::EnumSpelling;
        // Strings that are equal in the stricter form are also equal in the other one.
        let unqualified = self.unqualified.get(&unqualified_value(text))?;
        if let Some(found) = self.normal.get(&normal_value(text)) {
            // Next to `a.b`, `a-b` is probably `a_b`.
            let class = match unqualified {
                None => Class::Guess,
                Some(_) => kind.class(),
            };
            return found.map(|at| Spelled { kind, class, at });
        }
        let at = (*unqualified)?;
        let class = match literals.get(at as usize)?.as_str() {
            Some(written) => class_of_qualified(text, written),
            None => Class::Guess,
        };
        Some(Spelled { kind, class, at })
    }
}

/// Returns how certain it is that two strings that differ in the separators of qualified names are
/// equal: less so if only one of them has the separator (`nodejs`, `node.js`), or if parts are
/// digits (`1-5`, `1.5`).
fn class_of_qualified(text: &str, written: &str) -> Class {
    let words = words_of_value(text);
    let mut between = words.match_indices('-').map(|(at, sign)| {
        let (left, right) = (&words[..at], &words[at + sign.len()..]);
        left.ends_with(char::is_numeric) && right.starts_with(char::is_numeric)
    });
    if words == words_of_value(written) && !between.any(|digits| digits) {
        CoercionKind::EnumSpelling.class()
    } else {
        Class::Guess
    }
}

/// The meanings of strings that each stand for a shape, in any spelling; `None` if a spelling is
/// ambiguous.
#[derive(Debug, Default)]
pub(crate) struct Meanings {
    exact: HashMap<Box<str>, Option<u32>>,
    normal: HashMap<String, Option<u32>>,
    unqualified: HashMap<String, Option<u32>>,
}

impl Meanings {
    pub(crate) fn of<'t>(known: impl IntoIterator<Item = (&'t str, ShapeId)>) -> Self {
        let mut meanings = Self::default();
        for (text, ShapeId(shape)) in known {
            insert(&mut meanings.exact, text.into(), shape);
            insert(&mut meanings.normal, normal_value(text), shape);
            insert(&mut meanings.unqualified, unqualified_value(text), shape);
        }
        meanings
    }

    /// Returns the shape that a string represents: by the string itself, otherwise by its other
    /// spellings.
    pub(crate) fn find(&self, text: &str) -> Option<ShapeId> {
        let found = (self.exact.get(text))
            .or_else(|| self.normal.get(&normal_value(text)))
            .or_else(|| self.unqualified.get(&unqualified_value(text)))?;
        found.map(ShapeId)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_means_what_is_nearest() {
        let meant = |known: &[(&'static str, u32)], text: &str| {
            let known = known.iter().map(|(text, shape)| (*text, ShapeId(*shape)));
            Meanings::of(known).find(text).map(|shape| shape.0)
        };
        let known = [("a.b", 1), ("a_b", 2), ("c.d", 3), ("Node.js", 4)];
        for (text, expected) in [
            ("a.b", Some(1)),
            ("A-B", Some(2)),
            ("a/b", None),
            ("c_d", Some(3)),
            ("nodejs", Some(4)),
            ("node", None),
            ("c.d.e", None),
        ] {
            assert_eq!(meant(&known, text), expected, "{text}");
        }
        let twice = [("Dog", 0), ("DOG", 0), ("Cat", 1), ("CAT", 2)];
        assert_eq!(meant(&twice, "dog"), Some(0));
        assert_eq!(meant(&twice, "cat"), None);
        let shared = [("x", 0), ("x", 1)];
        assert_eq!(meant(&shared, "x"), None);
    }

    #[test]
    fn signs_that_vanish_or_part_digits_are_a_guess() {
        for (text, written, class) in [
            ("requests_get", "requests.get", Class::Likely),
            ("Text-HTML", "text/html", Class::Likely),
            ("nodejs", "node.js", Class::Guess),
            ("v1_0", "v1.0", Class::Guess),
        ] {
            assert_eq!(class_of_qualified(text, written), class, "{text}");
        }
    }
}
