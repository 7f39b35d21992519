//! Iterates over a whole value in text order.

use alloc::vec::Vec;

use crate::tape::{Tag, flag};
use crate::view::cursor::{Cursor, Entry, Source};

impl<'d> Source<'d> {
    /// Returns the value and all its descendants, in text order: a container precedes its children.
    /// The last duplicate key wins, in the position of the first.
    #[inline]
    #[must_use]
    pub fn walk(&self) -> Walk<'_, 'd> {
        let nothing = Cursor {
            source: self,
            at: 0,
            end: 0,
        };
        Walk {
            inner: nothing,
            outer: Vec::new(),
            begun: false,
        }
    }
}

/// A value and all its descendants, in text order. See [`Source::walk`].
#[derive(Clone)]
pub struct Walk<'s, 'd> {
    inner: Cursor<'s, 'd>,
    /// The places at which to continue after replacement values.
    outer: Vec<(u32, u32)>,
    /// The outermost value has been returned.
    begun: bool,
}

impl<'s, 'd> Iterator for Walk<'s, 'd> {
    type Item = Entry<'s, 'd>;

    #[inline]
    fn next(&mut self) -> Option<Entry<'s, 'd>> {
        let Cursor { source, at, end } = self.inner;
        if at < end {
            let node = source.tape.node(at);
            if node.flags & (flag::SHADOWED | flag::REPLACED) == 0 && node.tag != Tag::Reference {
                self.inner.at = at + 1;
                return Some(Entry {
                    source,
                    member: node,
                    node,
                    index: at,
                });
            }
        }
        self.next_elsewhere()
    }
}

impl<'s, 'd> Walk<'s, 'd> {
    /// The next entry is the first, or a replacement value, or follows one.
    #[cold]
    #[inline(never)]
    fn next_elsewhere(&mut self) -> Option<Entry<'s, 'd>> {
        if !self.begun {
            self.begun = true;
            let root = self.inner.source.entry();
            self.inner = root.children();
            return Some(root);
        }
        // Skips nodes that are not shown, and descends into replacement values and back.
        let entry = loop {
            match self.inner.next() {
                Some(entry) => break entry,
                None => (self.inner.at, self.inner.end) = self.outer.pop()?,
            }
        };
        if core::ptr::eq(entry.member, entry.node) {
            self.inner.at = entry.index + 1;
        } else if entry.node.is_container() {
            self.outer.push((self.inner.at, self.inner.end));
            self.inner = entry.children();
        }
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ValueRef;
    use crate::view::cursor::EntryKind;
    use alloc::string::String;

    /// Every name and scalar, by going from container to container.
    fn down(entry: Entry<'_, '_>, out: &mut Vec<(EntryKind, String, String)>) {
        let raw = if entry.node.is_container() {
            ""
        } else {
            entry.raw()
        };
        out.push((entry.kind(), entry.name().into(), raw.into()));
        entry.children().for_each(|child| down(child, out));
    }

    fn both_ways_agree(value: ValueRef<'_>) {
        let source = Source::of(value);
        let mut expected = Vec::new();
        down(source.entry(), &mut expected);
        let found: Vec<_> = source
            .walk()
            .map(|entry| {
                let raw = if entry.node.is_container() {
                    ""
                } else {
                    entry.raw()
                };
                (entry.kind(), String::from(entry.name()), String::from(raw))
            })
            .collect();
        assert_eq!(found, expected, "{value:?}");
    }

    #[test]
    fn all_is_walked_in_the_order_of_the_text() {
        for text in [
            "1",
            "[]",
            "{}",
            "[[], {}, [[1]], 2]",
            r#"{"a": {"b": [1, {"c": null}]}, "d": "x\ny", "e": true}"#,
            r#"{"a": {"x": [1, 2]}, "b": 3, "a": {"y": [4, {"z": 5}]}, "c": [6], "a": {"w": [7]}}"#,
            r#"[{"a": [1], "a": [2]}, {"a": {}, "b": {"c": 1, "c": {"d": 2, "d": 3}}, "a": {}}, 4]"#,
            "{'a': [1, 2, {b: [True",
        ] {
            let document = crate::parse(text);
            let root = document.root().expect("a value");
            both_ways_agree(root);
            root.items().for_each(both_ways_agree);
            root.members().for_each(|(_, value)| both_ways_agree(value));
        }
    }

    #[test]
    fn members_that_are_not_shown_are_passed_by_without_recursion() {
        let text = alloc::format!("{{{}}}", r#""a":{"b":0},"#.repeat(100_000));
        let document = crate::parse(&text);
        let source = Source::of(document.root().expect("a value"));
        assert_eq!(source.walk().count(), 3);
        assert_eq!(source.entry().children().count(), 1);
    }

    #[test]
    fn numbers_are_those_of_the_views() {
        let document =
            crate::parse("[0, -0, 12, 1.5, 1e3, 1e999, 12345678901234567890, null, \"1\"]");
        let source = Source::of(document.root().expect("a value"));
        for entry in source.walk() {
            assert_eq!(entry.as_i64(), entry.value().as_i64());
            let bits = entry.value().as_f64().map(f64::to_bits);
            assert_eq!(entry.as_f64().map(f64::to_bits), bits);
        }
    }
}
