//! Names that a reader may expect.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// Names of members that are expected in a text, such as those of a schema's properties.
///
/// They are evidence where a text is damaged: a name that is expected confirms that a string ended
/// before it. They never change what is read from JSON, and never join what is apart.
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
    /// Sorted names of the members whose values are lists.
    lists: Vec<Box<str>>,
}

impl ExpectedNames {
    /// Creates a set of these names.
    #[must_use]
    pub fn new<N: Into<Box<str>>>(names: impl IntoIterator<Item = N>) -> Self {
        let mut sorted: Vec<Box<str>> = names.into_iter().map(Into::into).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let lists = Vec::new();
        Self { sorted, lists }
    }

    /// Adds names whose values are expected to be lists. A list without brackets is then surer.
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

    /// Returns `true` if a list is expected as the value of a name.
    #[must_use]
    pub fn is_list(&self, name: &str) -> bool {
        self.lists
            .binary_search_by(|other| (**other).cmp(name))
            .is_ok()
    }

    /// Returns `true` if a name is among them.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.sorted
            .binary_search_by(|other| (**other).cmp(name))
            .is_ok()
    }

    /// Returns `true` if a name among them begins so.
    pub(crate) fn any_begins(&self, beginning: &str) -> bool {
        let at = self.sorted.partition_point(|name| **name < *beginning);
        let next = self.sorted.get(at);
        next.is_some_and(|name| name.starts_with(beginning))
    }

    /// Returns the names in alphabetical order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.sorted.iter().map(|name| &**name)
    }

    /// Returns `true` if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }
}
