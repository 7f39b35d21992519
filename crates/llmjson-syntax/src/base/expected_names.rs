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
}

impl ExpectedNames {
    /// Creates a set of these keys.
    #[must_use]
    pub fn new<N: Into<Box<str>>>(names: impl IntoIterator<Item = N>) -> Self {
        let mut sorted: Vec<Box<str>> = names.into_iter().map(Into::into).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let lists = Vec::new();
        Self { sorted, lists }
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
        self.sorted
            .binary_search_by(|other| (**other).cmp(name))
            .is_ok()
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
