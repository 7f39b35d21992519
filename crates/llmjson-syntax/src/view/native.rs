//! Conversions and comparisons with Rust values, and access by JSON Pointer.

use alloc::string::ToString;

use crate::scan::number;
use crate::view::{Kind, ValueRef};

impl<'d> ValueRef<'d> {
    /// Returns the value at a JSON Pointer (RFC 6901) below this one; the empty pointer is this
    /// value. Each step costs as much as [`get`](Self::get) or [`item`](Self::item).
    ///
    /// ```
    /// let document = llmjson_syntax::parse(r#"{"a": [{"b/c": "x"}, 2]}"#);
    /// let root = document.root().expect("there is a value");
    /// assert!(root.pointer("/a/0/b~1c").is_some_and(|value| value == "x"));
    /// assert!(root.pointer("/a/1").is_some_and(|value| value == 2));
    /// assert!(root.pointer("/a/2").is_none() && root.pointer("a").is_none());
    /// ```
    #[must_use]
    pub fn pointer(self, pointer: &str) -> Option<ValueRef<'d>> {
        if pointer.is_empty() {
            return Some(self);
        }
        let mut steps = pointer.strip_prefix('/')?.split('/');
        steps.try_fold(self, |value, step| match value.kind() {
            Kind::Object if step.contains('~') => {
                value.get(step.replace("~1", "/").replace("~0", "~"))
            }
            Kind::Object => value.get(step),
            Kind::Array => value.item(index(step)?),
            _ => None,
        })
    }
}

/// Returns the index that a step represents: digits without a leading zero.
fn index(step: &str) -> Option<usize> {
    let is_index = step == "0" || !step.starts_with(['0', '+']);
    is_index.then(|| step.parse().ok()).flatten()
}

impl PartialEq<str> for ValueRef<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_str().is_some_and(|text| text == other)
    }
}

impl PartialEq<&str> for ValueRef<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq<bool> for ValueRef<'_> {
    fn eq(&self, other: &bool) -> bool {
        self.as_bool() == Some(*other)
    }
}

/// Compares the exact value: `1.0` is 1.
impl PartialEq<i64> for ValueRef<'_> {
    fn eq(&self, other: &i64) -> bool {
        let number = self.as_number();
        number.is_some_and(|text| number::equal(text, &other.to_string()))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn values_equal_those_of_rust() {
        let document = crate::parse(r#"["a\u0062", true, 1, 1.0, -10e-1, null, "1", 1.5]"#);
        let root = document.root().expect("a list");
        let places = |is_equal: &dyn Fn(crate::ValueRef<'_>) -> bool| {
            let items = root.items().enumerate();
            let equal = items.filter(|(_, item)| is_equal(*item));
            equal
                .map(|(place, _)| place)
                .collect::<alloc::vec::Vec<_>>()
        };
        assert_eq!(places(&|value| value == "ab"), [0]);
        assert_eq!(places(&|value| value == *"1"), [6]);
        assert_eq!(places(&|value| value == true), [1]);
        assert!(places(&|value| value == false).is_empty());
        assert_eq!(places(&|value| value == 1), [2, 3]);
        assert_eq!(places(&|value| value == -1), [4]);
    }

    #[test]
    fn pointers_are_those_of_the_standard() {
        let document = crate::parse(r#"{"": 1, "a": [2, [3]], "~1": 4, "/": 5, "0": 6}"#);
        let root = document.root().expect("an object");
        let table = [
            ("/", Some(1)),
            ("/a/0", Some(2)),
            ("/a/1/0", Some(3)),
            ("/~01", Some(4)),
            ("/~1", Some(5)),
            ("/0", Some(6)),
            ("/a/00", None),
            ("/a/+0", None),
            ("/a/-", None),
            ("/a/2", None),
            ("/a/0/0", None),
            ("a", None),
            ("/b", None),
        ];
        for (pointer, wanted) in table {
            let found = root.pointer(pointer).and_then(|value| value.as_i64());
            assert_eq!(found, wanted, "{pointer}");
        }
        assert_eq!(root.pointer(""), Some(root));
    }
}
