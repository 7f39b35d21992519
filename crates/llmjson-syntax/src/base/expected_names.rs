//! Keys that a parser may expect.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// Keys expected in a text, such as the names of a schema's properties.
///
/// They are evidence if a text is damaged: an expected key confirms that a string ended before it.
/// They never change how valid JSON is read, and never join separate words.
///
/// ```
/// use llmjson_syntax::{ExpectedNames, Parser};
/// use std::sync::Arc;
///
/// let names = Arc::new(ExpectedNames::new(["city", "days"]));
/// let mut parser = Parser::new().with_names(names);
/// let document = parser.parse(r#"{"city": Rome days: 3}"#);
/// assert_eq!(document.to_json().as_deref(), Some(r#"{"city":"Rome","days":3}"#));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedNames {
    sorted: Vec<Box<str>>,
    /// Sorted keys of the members whose values are arrays.
    lists: Vec<Box<str>>,
    /// The place of each key, in the order of `sorted`, if that is known.
    places: Vec<Place>,
    /// The expectation of the whole value.
    root: Option<ExpectedValue>,
    /// The number of items that every array of an array has.
    items: Option<usize>,
}

/// The expectation of a value, as far as a parser can use it: its kinds, the objects of the schema
/// that it may be, and the same of the items of an array.
///
/// ```
/// use llmjson_syntax::ExpectedValue;
///
/// let (cat, dog) = (1, 2);
/// // An array of cats and dogs.
/// let pets = ExpectedValue::object(cat | dog).array();
/// assert_eq!(pets, ExpectedValue::object(cat).or(ExpectedValue::object(dog)).array());
/// assert_ne!(pets, pets.or(ExpectedValue::SCALAR));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedValue {
    /// The objects, as bits.
    pub(crate) objects: u64,
    /// The kinds of the value, of its items, and of their items, in four bits each.
    kinds: u16,
}

/// The kinds of values, as bits.
const SCALAR: u16 = 1;
const ARRAY: u16 = 2;
const OBJECT: u16 = 4;

/// The bits of the kinds of one value.
const KINDS: u16 = 7;

impl ExpectedValue {
    /// The expectation of no value.
    pub const NONE: Self = Self {
        objects: 0,
        kinds: 0,
    };

    /// The expectation of any value.
    pub const ANY: Self = Self {
        objects: u64::MAX,
        kinds: 0x7777,
    };

    /// The expectation of a string, a number, `true`, `false` or `null`.
    pub const SCALAR: Self = Self {
        objects: 0,
        kinds: SCALAR,
    };

    /// Returns the expectation of one of the objects with these bits.
    #[must_use]
    pub const fn object(objects: u64) -> Self {
        Self {
            objects,
            kinds: OBJECT,
        }
    }

    /// Returns the expectation of an array of such values.
    #[must_use]
    pub const fn array(self) -> Self {
        Self {
            objects: self.objects,
            kinds: ARRAY | self.kinds << 4,
        }
    }

    /// Returns the expectation of a value as in either of two.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            objects: self.objects | other.objects,
            kinds: self.kinds | other.kinds,
        }
    }

    /// Returns what an item of an array may be.
    pub(crate) const fn item(self) -> Self {
        Self {
            objects: self.objects,
            kinds: self.kinds >> 4,
        }
    }

    /// Returns `true` if an object or an array is known to be wrong. A single item may stand for
    /// the array.
    pub(crate) const fn forbids(self, object: bool) -> bool {
        self.lacks(if object { OBJECT } else { ARRAY })
    }

    /// Returns `true` if a scalar is known to be wrong, as [`forbids`](Self::forbids) does.
    pub(crate) const fn forbids_scalar(self) -> bool {
        self.lacks(SCALAR)
    }

    const fn lacks(self, kind: u16) -> bool {
        let items = if self.kinds & ARRAY == 0 {
            0
        } else {
            self.kinds >> 4
        };
        self.kinds & KINDS != 0 && (self.kinds | items) & kind == 0
    }

    /// Returns the expectation without the objects that lack a key, or `None` if all do.
    pub(crate) const fn narrowed(self, within: u64) -> Option<Self> {
        let objects = if self.objects == 0 {
            u64::MAX
        } else {
            self.objects
        } & within;
        if objects == 0 {
            None
        } else {
            Some(Self { objects, ..self })
        }
    }
}

/// The place of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The objects that have this key, as bits.
    pub(crate) within: u64,
    /// The expectation of its value.
    pub(crate) value: ExpectedValue,
}

impl ExpectedNames {
    /// Creates a set of these keys.
    #[must_use]
    pub fn new<N: Into<Box<str>>>(names: impl IntoIterator<Item = N>) -> Self {
        let mut sorted: Vec<Box<str>> = names.into_iter().map(Into::into).collect();
        sorted.sort_unstable();
        sorted.dedup();
        Self {
            sorted,
            ..Self::default()
        }
    }

    /// Adds keys whose values are expected to be arrays, which makes an array without brackets more
    /// certain.
    ///
    /// ```
    /// use llmjson_syntax::{Class, ExpectedNames, Parser};
    /// use std::sync::Arc;
    ///
    /// let names = ExpectedNames::new(["colour", "size"]).with_lists(["colour"]);
    /// let mut parser = Parser::new().with_names(Arc::new(names));
    /// let document = parser.parse(r#"{"colour": "red", "blue", "size": 3}"#);
    /// assert_eq!(document.to_json().as_deref(), Some(r#"{"colour":["red","blue"],"size":3}"#));
    /// assert_eq!(document.certainty(), Class::Likely);
    /// ```
    #[must_use]
    pub fn with_lists<N: Into<Box<str>>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.lists = names.into_iter().map(Into::into).collect();
        self.lists.sort_unstable();
        self
    }

    /// Adds where the keys belong, which shows where brackets are missing or misplaced.
    ///
    /// The objects of a schema are numbered, and are bits here. `root` is the expectation of the
    /// whole value, and each key comes with the objects that have it and the expectation of its
    /// value.
    ///
    /// ```
    /// use llmjson_syntax::{ExpectedNames, ExpectedValue, Parser};
    /// use std::sync::Arc;
    ///
    /// let (trip, place) = (1, 2);
    /// let names = ExpectedNames::new(["to", "city", "zip", "days"]).with_places(
    ///     ExpectedValue::object(trip),
    ///     [
    ///         ("to", trip, ExpectedValue::object(place)),
    ///         ("city", place, ExpectedValue::SCALAR),
    ///         ("zip", place, ExpectedValue::SCALAR),
    ///         ("days", trip, ExpectedValue::SCALAR),
    ///     ],
    /// );
    /// let mut parser = Parser::new().with_names(Arc::new(names));
    /// let document = parser.parse(r#"{"to": {"city": "Rome", "zip": 184, "days": 3}"#);
    /// let value = r#"{"to":{"city":"Rome","zip":184},"days":3}"#;
    /// assert_eq!(document.to_json().as_deref(), Some(value));
    /// ```
    #[must_use]
    pub fn with_places<'n>(
        mut self,
        root: ExpectedValue,
        members: impl IntoIterator<Item = (&'n str, u64, ExpectedValue)>,
    ) -> Self {
        self.root = Some(root);
        let (within, value) = (0, ExpectedValue::NONE);
        self.places = alloc::vec![Place { within, value }; self.sorted.len()];
        for (name, within, value) in members {
            if let Ok(at) = self.find(name) {
                let place = &mut self.places[at];
                place.within |= within;
                place.value = place.value.or(value);
            }
        }
        self
    }

    /// Adds the number of items that every array of an array has, which shows where a damaged one
    /// ends.
    ///
    /// ```
    /// use llmjson_syntax::{ExpectedNames, Parser};
    /// use std::sync::Arc;
    ///
    /// let names = ExpectedNames::new(["moves"]).with_items(Some(2));
    /// let mut parser = Parser::new().with_names(Arc::new(names));
    /// let document = parser.parse(r#"{"moves": [["a1", "b2", ["c3", "d4"]]}"#);
    /// assert_eq!(
    ///     document.to_json().as_deref(),
    ///     Some(r#"{"moves":[["a1","b2"],["c3","d4"]]}"#),
    /// );
    /// ```
    #[must_use]
    pub fn with_items(mut self, items: Option<usize>) -> Self {
        self.items = items;
        self
    }

    /// Returns the number of items that every array of an array has.
    pub(crate) fn items(&self) -> Option<usize> {
        self.items
    }

    /// Returns what the whole value may be.
    pub(crate) fn root(&self) -> ExpectedValue {
        self.root.unwrap_or(ExpectedValue::ANY)
    }

    /// Returns where a key belongs, if that is known.
    pub(crate) fn place(&self, name: &str) -> Option<Place> {
        self.places.get(self.find(name).ok()?).copied()
    }

    fn find(&self, name: &str) -> Result<usize, usize> {
        self.sorted.binary_search_by(|other| (**other).cmp(name))
    }

    /// Returns `true` if an array is expected as the value of a key.
    #[must_use]
    pub fn is_list(&self, name: &str) -> bool {
        self.lists
            .binary_search_by(|other| (**other).cmp(name))
            .is_ok()
    }

    /// Returns `true` if the set contains a key.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.find(name).is_ok()
    }

    /// Returns `true` if one of them begins with this text.
    pub(crate) fn any_begins(&self, beginning: &str) -> bool {
        let at = self.sorted.partition_point(|name| **name < *beginning);
        let next = self.sorted.get(at);
        next.is_some_and(|name| name.starts_with(beginning))
    }

    /// Returns the keys in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.sorted.iter().map(|name| &**name)
    }

    /// Returns `true` if the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }
}
