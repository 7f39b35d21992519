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
    /// Its place in [`KEYWORDS`].
    Keyword(u8),
    /// Its place in [`COMMON`].
    Common(u8),
    Short(Short),
    Long(Arc<str>),
}

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

    fn text(&self) -> &str {
        let bytes = &self.bytes[..self.length as usize];
        std::str::from_utf8(bytes).expect("a whole text was put in")
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

/// Every keyword, what it holds, and what it is about; in the order of their lengths.
const KEYWORDS: &[(&str, Holds, About)] = &[
    ("if", Holds::Schema, About::CONDITION),
    ("$id", Holds::Text, About::REST),
    ("not", Holds::Schema, About::CONDITION),
    ("$ref", Holds::Text, About::SAME),
    ("type", Holds::Types, About::TYPES),
    ("enum", Holds::Values, About::TYPES),
    ("then", Holds::Schema, About::SAME),
    ("else", Holds::Schema, About::SAME),
    ("$defs", Holds::SchemaMap, About::REST),
    ("allOf", Holds::Schemas, About::SAME),
    ("anyOf", Holds::Schemas, About::SAME),
    ("oneOf", Holds::Schemas, About::SAME),
    ("items", Holds::SchemaOrSchemas, About::LISTS),
    ("format", Holds::Text, About::FORMAT),
    ("$anchor", Holds::Text, About::REST),
    ("pattern", Holds::Pattern, About::PATTERN),
    ("minimum", Holds::Number, About::NUMBERS),
    ("maximum", Holds::Number, About::NUMBERS),
    ("contains", Holds::Schema, About::UNUSUAL),
    ("minItems", Holds::Count, About::LISTS),
    ("maxItems", Holds::Count, About::LISTS),
    ("nullable", Holds::Flag, About::TYPES),
    ("required", Holds::Names, About::OBJECTS),
    ("minLength", Holds::Count, About::TEXTS),
    ("maxLength", Holds::Count, About::TEXTS),
    ("multipleOf", Holds::PositiveNumber, About::NUMBERS),
    ("properties", Holds::SchemaMap, About::OBJECTS),
    ("definitions", Holds::SchemaMap, About::REST),
    ("$dynamicRef", Holds::Text, About::SAME),
    ("minContains", Holds::Count, About::REST),
    ("maxContains", Holds::Count, About::REST),
    ("prefixItems", Holds::Schemas, About::LISTS),
    ("uniqueItems", Holds::Flag, About::LISTS),
    ("dependencies", Holds::Dependencies, About::SAME),
    ("propertyNames", Holds::Schema, About::UNUSUAL),
    ("contentSchema", Holds::Schema, About::REST),
    ("$recursiveRef", Holds::Text, About::SAME),
    ("minProperties", Holds::Count, About::OBJECTS),
    ("maxProperties", Holds::Count, About::OBJECTS),
    ("$dynamicAnchor", Holds::Text, About::REST),
    ("additionalItems", Holds::Schema, About::REST),
    ("contentEncoding", Holds::Text, About::REST),
    ("contentMediaType", Holds::Text, About::TEXTS),
    ("exclusiveMinimum", Holds::NumberOrFlag, About::NUMBERS),
    ("exclusiveMaximum", Holds::NumberOrFlag, About::NUMBERS),
    ("unevaluatedItems", Holds::Schema, About::UNUSUAL),
    ("dependentSchemas", Holds::SchemaMap, About::CONDITION),
    ("patternProperties", Holds::SchemaMap, About::NAME_PATTERNS),
    ("dependentRequired", Holds::NamesMap, About::UNUSUAL),
    ("additionalProperties", Holds::Schema, About::OBJECTS),
    ("unevaluatedProperties", Holds::Schema, About::UNUSUAL),
];

/// What schemas say often besides; in the order of their lengths.
const COMMON: &[&str] = &[
    "id",
    "name",
    "null",
    "const",
    "array",
    "title",
    "value",
    "object",
    "string",
    "number",
    "$schema",
    "boolean",
    "default",
    "integer",
    "x-alias",
    "$comment",
    "examples",
    "x-aliases",
    "deprecated",
    "description",
    "discriminator",
    "propertyOrdering",
];

/// Where the words of each length begin in their list, and where the last ones end.
type Starts = [u8; LENGTH_MAX + 2];

const LENGTH_MAX: usize = 21;

const KEYWORD_STARTS: Starts = {
    let mut starts = [0; LENGTH_MAX + 2];
    let mut at = 0;
    while at < KEYWORDS.len() {
        let length = KEYWORDS[at].0.len();
        assert!(at == 0 || KEYWORDS[at - 1].0.len() <= length);
        starts[length + 1] = at as u8 + 1;
        at += 1;
    }
    fill(starts)
};

const COMMON_STARTS: Starts = {
    let mut starts = [0; LENGTH_MAX + 2];
    let mut at = 0;
    while at < COMMON.len() {
        let length = COMMON[at].len();
        assert!(at == 0 || COMMON[at - 1].len() <= length);
        starts[length + 1] = at as u8 + 1;
        at += 1;
    }
    fill(starts)
};

/// Lengths that no word has end where those before them end.
const fn fill(mut starts: Starts) -> Starts {
    let mut at = 1;
    while at < starts.len() {
        if starts[at] == 0 {
            starts[at] = starts[at - 1];
        }
        at += 1;
    }
    starts
}

impl Word {
    pub(crate) fn new(text: &str) -> Self {
        if let Some(at) = place(text, &KEYWORD_STARTS, |at| KEYWORDS[at].0) {
            return Self::Keyword(at);
        }
        match place(text, &COMMON_STARTS, |at| COMMON[at]) {
            Some(at) => Self::Common(at),
            None => Short::new(text).map_or_else(|| Self::Long(text.into()), Self::Short),
        }
    }

    /// How many bytes the text has.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Short(text) => text.length as usize,
            Self::Keyword(_) | Self::Common(_) | Self::Long(_) => (**self).len(),
        }
    }

    /// Whether this is the word for a text. A short one need not be shown to be a text for that.
    #[inline]
    pub(crate) fn is(&self, text: &str) -> bool {
        match self {
            Self::Keyword(at) => same(KEYWORDS[*at as usize].0, text),
            Self::Common(at) => same(COMMON[*at as usize], text),
            Self::Short(short) => short.bytes[..short.length as usize] == *text.as_bytes(),
            Self::Long(long) => **long == *text,
        }
    }

    /// What the keyword of that name holds. `None` for what is no keyword, and for keywords that
    /// hold anything or do not matter.
    pub(crate) fn holds(&self) -> Option<Holds> {
        match self {
            Self::Keyword(at) => Some(KEYWORDS[*at as usize].1),
            Self::Common(_) | Self::Short(_) | Self::Long(_) => None,
        }
    }

    /// What the keyword of that name is about.
    pub(crate) fn about(&self) -> About {
        match self {
            Self::Keyword(at) => KEYWORDS[*at as usize].2,
            // The one that is no keyword because it holds anything.
            Self::Common(at) if COMMON[*at as usize] == "const" => About::TYPES,
            Self::Common(_) | Self::Short(_) | Self::Long(_) => About::NOTHING,
        }
    }
}

fn place(text: &str, starts: &Starts, word: impl Fn(usize) -> &'static str) -> Option<u8> {
    let &end = starts.get(text.len() + 1)?;
    let start = starts[text.len()];
    (start..end).find(|&at| same(word(at as usize), text))
}

/// Whether two texts are the same; their last bytes tell most of those apart that are as long.
#[inline]
fn same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.as_bytes().last() == other.as_bytes().last() && one == other
}

impl Deref for Word {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Keyword(at) => KEYWORDS[*at as usize].0,
            Self::Common(at) => COMMON[*at as usize],
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
            (Self::Keyword(one), Self::Keyword(other))
            | (Self::Common(one), Self::Common(other)) => one == other,
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
        for (at, (text, ..)) in (0..).zip(KEYWORDS) {
            assert!(
                matches!(Word::new(text), Word::Keyword(found) if found == at),
                "{text}"
            );
        }
        for (at, text) in (0..).zip(COMMON) {
            assert!(
                matches!(Word::new(text), Word::Common(found) if found == at),
                "{text}"
            );
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
