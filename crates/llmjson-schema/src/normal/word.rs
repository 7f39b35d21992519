//! The names and texts of a schema. Most of them are keywords and names of types, which are known
//! beforehand: those take no memory of their own and are told apart by a number.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use super::keyword::Holds;

/// A name or text of a schema. Cheap to clone.
#[derive(Clone)]
pub(crate) enum Word {
    Known(Known),
    Short(Short),
    Long(Arc<str>),
}

/// A word that is known beforehand: its place in [`WORDS`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Known(u8);

impl Known {
    /// The word of that text, which has to be one; for use while compiling.
    pub(crate) const fn of(text: &str) -> Self {
        let mut at = 0;
        while !same_bytes(WORDS[at].0.as_bytes(), text.as_bytes()) {
            at += 1;
        }
        Self(at as u8)
    }

    const fn text(self) -> &'static str {
        WORDS[self.0 as usize].0
    }
}

const fn same_bytes(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// A word that is known beforehand, found while compiling.
macro_rules! known {
    ($text:literal) => {
        const { $crate::normal::word::Known::of($text) }
    };
}

pub(crate) use known;

/// A text of so few bytes that it is kept in place.
#[derive(Clone, Copy)]
pub(crate) struct Short {
    bytes: [u8; SHORT_MAX],
    length: u8,
}

const SHORT_MAX: usize = 22;

impl Short {
    fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; SHORT_MAX];
        bytes
            .get_mut(..text.len())?
            .copy_from_slice(text.as_bytes());
        let length = text.len() as u8;
        Some(Self { bytes, length })
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length as usize]
    }

    fn text(&self) -> &str {
        std::str::from_utf8(self.bytes()).expect("a whole text was put in")
    }
}

/// What a keyword is about. One bit each, so that a set of them says what a subschema is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct About(u16);

impl About {
    pub(crate) const NOTHING: Self = Self(0);
    /// Notes, identifiers and definitions.
    const REST: Self = Self(0);
    pub(crate) const TYPES: Self = Self(1);
    pub(crate) const NUMBERS: Self = Self(1 << 1);
    pub(crate) const TEXTS: Self = Self(1 << 2);
    pub(crate) const LISTS: Self = Self(1 << 3);
    pub(crate) const OBJECTS: Self = Self(1 << 4);
    /// The same value again: `$ref`, `allOf`, unions, conditions.
    pub(crate) const SAME: Self = Self(1 << 5);
    /// What the walker does not judge.
    pub(crate) const UNUSUAL: Self = Self(1 << 6);
    pub(crate) const PATTERNS: Self = Self(1 << 7);
    /// By what references can find a subschema: `$id`, `$anchor`.
    pub(crate) const NAMES: Self = Self(1 << 8);
    /// What leads to other places of the schema without holding them: `$ref`, `discriminator`.
    pub(crate) const LEADS: Self = Self(1 << 9);
    pub(crate) const ALIASES: Self = Self(1 << 10);
    pub(crate) const DEFAULT: Self = Self(1 << 11);
    /// No keyword, but a value of `type`.
    pub(crate) const TYPE_NAME: Self = Self(1 << 12);
    const REFERENCE: Self = Self(Self::SAME.0 | Self::LEADS.0);
    const FORMAT: Self = Self(Self::NUMBERS.0 | Self::TEXTS.0);
    const PATTERN: Self = Self(Self::TEXTS.0 | Self::PATTERNS.0);
    const NAME_PATTERNS: Self = Self(Self::OBJECTS.0 | Self::PATTERNS.0);
    const CONDITION: Self = Self(Self::SAME.0 | Self::UNUSUAL.0);

    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Every keyword and what schemas say often besides: what the keyword holds (nothing for what is
/// none, and for keywords that hold anything or do not matter), and what it is about. In the order
/// of their lengths.
const WORDS: &[(&str, Option<Holds>, About)] = &[
    ("if", Some(Holds::Schema), About::CONDITION),
    ("id", None, About::NAMES),
    ("$id", Some(Holds::Text), About::NAMES),
    ("not", Some(Holds::Schema), About::CONDITION),
    ("$ref", Some(Holds::Text), About::REFERENCE),
    ("type", Some(Holds::Types), About::TYPES),
    ("enum", Some(Holds::Values), About::TYPES),
    ("then", Some(Holds::Schema), About::SAME),
    ("else", Some(Holds::Schema), About::SAME),
    ("name", None, About::REST),
    ("null", None, About::TYPE_NAME),
    ("$defs", Some(Holds::SchemaMap), About::REST),
    ("allOf", Some(Holds::Schemas), About::SAME),
    ("anyOf", Some(Holds::Schemas), About::SAME),
    ("oneOf", Some(Holds::Schemas), About::SAME),
    ("items", Some(Holds::SchemaOrSchemas), About::LISTS),
    ("const", None, About::TYPES),
    ("array", None, About::TYPE_NAME),
    ("title", None, About::REST),
    ("value", None, About::REST),
    ("format", Some(Holds::Text), About::FORMAT),
    ("object", None, About::TYPE_NAME),
    ("string", None, About::TYPE_NAME),
    ("number", None, About::TYPE_NAME),
    ("$anchor", Some(Holds::Text), About::NAMES),
    ("pattern", Some(Holds::Pattern), About::PATTERN),
    ("minimum", Some(Holds::Number), About::NUMBERS),
    ("maximum", Some(Holds::Number), About::NUMBERS),
    ("$schema", None, About::REST),
    ("boolean", None, About::TYPE_NAME),
    ("default", None, About::DEFAULT),
    ("integer", None, About::TYPE_NAME),
    ("x-alias", None, About::ALIASES),
    ("contains", Some(Holds::Schema), About::UNUSUAL),
    ("minItems", Some(Holds::Count), About::LISTS),
    ("maxItems", Some(Holds::Count), About::LISTS),
    ("nullable", Some(Holds::Flag), About::TYPES),
    ("required", Some(Holds::Names), About::OBJECTS),
    ("$comment", None, About::REST),
    ("examples", None, About::REST),
    ("minLength", Some(Holds::Count), About::TEXTS),
    ("maxLength", Some(Holds::Count), About::TEXTS),
    ("x-aliases", None, About::ALIASES),
    ("multipleOf", Some(Holds::PositiveNumber), About::NUMBERS),
    ("properties", Some(Holds::SchemaMap), About::OBJECTS),
    ("deprecated", None, About::REST),
    ("definitions", Some(Holds::SchemaMap), About::REST),
    ("$dynamicRef", Some(Holds::Text), About::REFERENCE),
    ("minContains", Some(Holds::Count), About::REST),
    ("maxContains", Some(Holds::Count), About::REST),
    ("prefixItems", Some(Holds::Schemas), About::LISTS),
    ("uniqueItems", Some(Holds::Flag), About::LISTS),
    ("description", None, About::REST),
    ("dependencies", Some(Holds::Dependencies), About::SAME),
    ("propertyNames", Some(Holds::Schema), About::UNUSUAL),
    ("contentSchema", Some(Holds::Schema), About::REST),
    ("$recursiveRef", Some(Holds::Text), About::REFERENCE),
    ("minProperties", Some(Holds::Count), About::OBJECTS),
    ("maxProperties", Some(Holds::Count), About::OBJECTS),
    ("discriminator", None, About::LEADS),
    ("$dynamicAnchor", Some(Holds::Text), About::NAMES),
    ("additionalItems", Some(Holds::Schema), About::REST),
    ("contentEncoding", Some(Holds::Text), About::REST),
    ("x-discriminator", None, About::LEADS),
    ("contentMediaType", Some(Holds::Text), About::TEXTS),
    (
        "exclusiveMinimum",
        Some(Holds::NumberOrFlag),
        About::NUMBERS,
    ),
    (
        "exclusiveMaximum",
        Some(Holds::NumberOrFlag),
        About::NUMBERS,
    ),
    ("unevaluatedItems", Some(Holds::Schema), About::UNUSUAL),
    ("dependentSchemas", Some(Holds::SchemaMap), About::CONDITION),
    ("propertyOrdering", None, About::REST),
    (
        "patternProperties",
        Some(Holds::SchemaMap),
        About::NAME_PATTERNS,
    ),
    ("dependentRequired", Some(Holds::NamesMap), About::UNUSUAL),
    ("additionalProperties", Some(Holds::Schema), About::OBJECTS),
    ("unevaluatedProperties", Some(Holds::Schema), About::UNUSUAL),
];

/// The last byte of each word, which tells most of those apart that are as long.
const LAST: [u8; WORDS.len()] = {
    let mut last = [0; WORDS.len()];
    let mut at = 0;
    while at < WORDS.len() {
        let text = WORDS[at].0.as_bytes();
        last[at] = text[text.len() - 1];
        at += 1;
    }
    last
};

const LENGTH_MAX: usize = 21;

/// Where the words of each length begin, and where the last ones end.
const STARTS: [u8; LENGTH_MAX + 2] = {
    let mut starts = [0; LENGTH_MAX + 2];
    let mut at = 0;
    while at < WORDS.len() {
        let length = WORDS[at].0.len();
        assert!(at == 0 || WORDS[at - 1].0.len() <= length);
        starts[length + 1] = at as u8 + 1;
        at += 1;
    }
    // Lengths that no word has end where those before them end.
    let mut length = 1;
    while length < starts.len() {
        if starts[length] == 0 {
            starts[length] = starts[length - 1];
        }
        length += 1;
    }
    starts
};

impl Word {
    pub(crate) fn new(text: &str) -> Self {
        match find(text) {
            Some(known) => Self::Known(known),
            None => Self::unknown(text),
        }
    }

    /// The word for a text that is none of those known beforehand.
    fn unknown(text: &str) -> Self {
        Short::new(text).map_or_else(|| Self::Long(text.into()), Self::Short)
    }

    /// The word for a number's text: no such text is known beforehand.
    pub(crate) fn number(text: &str) -> Self {
        Self::unknown(text)
    }

    /// The bytes of the text. Those of a short one need not be shown to be a text.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Known(known) => known.text().as_bytes(),
            Self::Short(text) => text.bytes(),
            Self::Long(text) => text.as_bytes(),
        }
    }

    /// How many bytes the text has.
    pub(crate) fn len(&self) -> usize {
        self.bytes().len()
    }

    /// Whether this is the word for a text.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.bytes() == text.as_bytes()
    }

    #[inline]
    pub(crate) fn is_known(&self, known: Known) -> bool {
        matches!(self, Self::Known(own) if *own == known)
    }

    /// What the keyword of that name holds. `None` for what is no keyword, and for keywords that
    /// hold anything or do not matter.
    #[inline]
    pub(crate) fn holds(&self) -> Option<Holds> {
        match self {
            Self::Known(known) => WORDS[known.0 as usize].1,
            Self::Short(_) | Self::Long(_) => None,
        }
    }

    /// What the keyword of that name is about.
    #[inline]
    pub(crate) fn about(&self) -> About {
        match self {
            Self::Known(known) => WORDS[known.0 as usize].2,
            Self::Short(_) | Self::Long(_) => About::NOTHING,
        }
    }
}

#[inline]
fn find(text: &str) -> Option<Known> {
    let &end = STARTS.get(text.len() + 1)?;
    let start = STARTS[text.len()];
    let last = *text.as_bytes().last()?;
    let mut places = start..end;
    let found = |&at: &u8| LAST[at as usize] == last && Known(at).text() == text;
    places.find(found).map(Known)
}

impl Deref for Word {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Known(known) => known.text(),
            Self::Short(text) => text.text(),
            Self::Long(text) => text,
        }
    }
}

impl From<&str> for Word {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl Borrow<str> for Word {
    fn borrow(&self) -> &str {
        self
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        // Every text is kept in one way only.
        match (self, other) {
            (Self::Known(one), Self::Known(other)) => one == other,
            (Self::Short(one), Self::Short(other)) => {
                one.length == other.length && one.bytes == other.bytes
            }
            (Self::Long(one), Self::Long(other)) => one == other,
            _ => false,
        }
    }
}

impl Eq for Word {}

impl Hash for Word {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_by_its_text() {
        for (at, (text, ..)) in (0..).zip(WORDS) {
            assert!(
                matches!(Word::new(text), Word::Known(found) if found == Known(at)),
                "{text}"
            );
            assert!(Known::of(text) == Known(at), "{text}");
        }
        for text in [
            "",
            "types",
            "Ref",
            "unevaluatedPropertiesX",
            "ä23456789012345678901",
        ] {
            assert!(matches!(Word::new(text), Word::Short(_)), "{text}");
            assert_eq!(&*Word::new(text), text);
        }
        let long = "unevaluatedPropertiesXY";
        assert!(matches!(Word::new(long), Word::Long(_)));
        assert_eq!(&*Word::new(long), long);
    }
}
