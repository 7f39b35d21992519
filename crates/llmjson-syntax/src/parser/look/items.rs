//! Items that stand where an object expects a name.

use crate::parser::look::Look;
use crate::parser::look::brackets::CLOSERS_AHEAD;
use crate::parser::look::quotes::{closers, quote_at};
use crate::scan;
use crate::scan::peek;
use crate::tape::{Node, flag};

/// Number of bytes in which the items of a list without brackets are looked at.
pub(crate) const ITEMS_AHEAD: usize = CLOSERS_AHEAD;

/// The items that stand where a name should, up to the next name or the end of the object.
pub(crate) struct Items {
    pub(crate) count: usize,
    /// Offset at which the first one ends.
    pub(crate) first_end: usize,
    /// The first one is a string, and so may be a name.
    pub(crate) first_text: bool,
    /// `true` if the second one is a text as well.
    pub(crate) second_text: bool,
    /// A line break stands before the next name or the closer.
    pub(crate) line_behind: bool,
}

impl Look<'_> {
    /// Returns the items at `k` and behind it, if nothing else stands up to the next name, the end of the
    /// object or that of the text: two of `"b", "c", "d": 1}`.
    pub(crate) fn items_ahead(&self, k: usize) -> Option<Items> {
        let mut items = Items {
            count: 0,
            first_end: k,
            first_text: false,
            second_text: false,
            line_behind: false,
        };
        let mut at = k;
        loop {
            let text = quote_at(self.text, at).is_some();
            let end = self.item_end(at)?;
            items.count += 1;
            match items.count {
                1 => (items.first_end, items.first_text) = (end, text),
                2 => items.second_text = text,
                _ => {}
            }
            let (mut byte, mut next) = self.beyond_trivia(end);
            let comma = byte == b',';
            if comma {
                (byte, next) = self.beyond_trivia(next + 1);
            }
            items.line_behind = self.bytes[end..next].contains(&b'\n');
            let name = comma && self.cut_name_ahead(next)
                || (comma || items.line_behind) && self.key_ahead(next);
            let ends = byte == b'}' || next >= self.bytes.len() || self.closing_mark_at(next);
            if name || ends {
                return Some(items);
            }
            if !comma {
                return None;
            }
            if next > k + ITEMS_AHEAD {
                // Three items or more are a list, wherever it ends.
                return (items.count > 2).then_some(items);
            }
            at = next;
        }
    }

    /// Returns `true` if a list without brackets may go on at `k`, behind the comma behind a member's string,
    /// which was closed: `1}`, not `"a" 1`.
    pub(crate) fn items_follow(&self, k: usize) -> bool {
        self.items_ahead(k).is_some()
    }

    /// Returns the offset at which the whole string, container, number or keyword at `at` ends: 8 of
    /// `[1, [2]] 3`.
    pub(crate) fn item_end(&self, at: usize) -> Option<usize> {
        match quote_at(self.text, at) {
            Some('"') => {
                let window = self.window(at + 1).as_bytes();
                scan::closing_quote(window, 0, 0).map(|quote| at + 1 + quote + 1)
            }
            Some(quote) => {
                let start = at + quote.len_utf8();
                let window = self.window(start);
                let end = window.find(closers(quote))?;
                let closer = window[end..].chars().next().map_or(1, char::len_utf8);
                (!window[..end].contains('\n')).then_some(start + end + closer)
            }
            None if peek(self.bytes, at) == b'{' => {
                let (byte, inside) = self.beyond_space(at + 1);
                let object = byte == b'}' || self.key_ahead(inside);
                self.beyond_container(at).filter(|_| object)
            }
            None if peek(self.bytes, at) == b'[' => self.beyond_container(at),
            // `1, 2`, but not `1: 2`.
            None if self.scalar_ahead(at) && !self.key_ahead(at) => {
                let window = self.window(at);
                let end = window.find([',', '}', ']', '\n', '\r', ' ', '/', '#', ':']);
                let end = end.unwrap_or(window.len());
                (!window[end..].starts_with(':')).then_some(at + end)
            }
            None => None,
        }
    }

    /// Returns `true` if a list is expected under the name of a member: `"tags": "a"`, where `tags` is to have one.
    pub(crate) fn expects_list(&self, member: &Node) -> bool {
        let (start, end) = (member.key_start as usize, member.key_end as usize);
        !member.has(flag::KEY_SIDE)
            && (self.names.zip(self.text.get(start..end)))
                .is_some_and(|(names, name)| names.is_list(name))
    }
}

#[cfg(test)]
mod tests {
    use super::ITEMS_AHEAD;
    use crate::base::expected_names::ExpectedNames;
    use crate::parser::look::{answers, ask};
    use crate::parser::state::step::{KeySpan, scalar};
    use crate::tape::{Node, Tag, flag};

    #[test]
    fn items_end() {
        answers(
            |look| look.item_end(0),
            &[
                ("\"a\", 1", Some(3)),
                ("\"a\\\"\"", Some(5)),
                ("\"a", None),
                ("'a'", Some(3)),
                ("“a”,", Some(7)),
                ("'a\nb'", None),
                ("'a", None),
                ("{}", Some(2)),
                ("{\"a\": 1},", Some(8)),
                ("{1}", None),
                ("[1, [2]] 3", Some(8)),
                ("[1", None),
                ("12, 3", Some(2)),
                ("true}", Some(4)),
                ("7/2", Some(1)),
                ("7", Some(1)),
                ("1: 2", None),
                ("1:", None),
                ("red", None),
                ("", None),
            ],
        );
    }

    /// The number of items, whether the first two are texts, where the first ends, whether a line ends behind.
    fn items(text: &str) -> Option<(usize, bool, bool, usize, bool)> {
        ask(text, |look| {
            let one = look.items_ahead(0)?;
            Some((
                one.count,
                one.first_text,
                one.second_text,
                one.first_end,
                one.line_behind,
            ))
        })
    }

    #[test]
    fn items_are_counted() {
        for (text, expected) in [
            ("\"b\", \"c\", \"d\": 1}", (2, true, true, 3, false)),
            ("\"b\"}", (1, true, false, 3, false)),
            ("1, \"b\"\n}", (2, false, true, 1, true)),
            ("1, 2, 3}", (3, false, false, 1, false)),
            ("\"a\",\n\"b\": 2", (1, true, false, 3, true)),
            ("\"a\"\n\"b\": 2", (1, true, false, 3, true)),
            ("\"a\", /* no */ 2}", (2, true, false, 3, false)),
            // The last one may be a name that the end of the text cut off.
            ("\"a\", \"b", (1, true, false, 3, false)),
            ("\"a\"\n```\n", (1, true, false, 3, true)),
        ] {
            assert_eq!(items(text), Some(expected), "{text}");
        }
        for text in ["\"a\" \"b\": 2", "\"a\" 1", "red, 1}", "\"a\"]", ""] {
            assert_eq!(items(text), None, "{text}");
            assert!(!ask(text, |look| look.items_follow(0)), "{text}");
        }
        assert!(ask("1}", |look| look.items_follow(0)));
    }

    #[test]
    fn lists_are_expected_under_names() {
        let names = ExpectedNames::new(["tags", "name"]).with_lists(["tags"]);
        let member = |key_start, key_end, flags| Node {
            key_start,
            key_end,
            start: 0,
            end: 0,
            next: 0,
            tag: Tag::String,
            flags,
            count: 0,
        };
        let text = "{\"tags\": \"a\", \"name\": \"b\"}";
        let expects = |member: Node| {
            ask(text, |look| {
                let with_names = look.with_names(Some(&names));
                assert!(!look.expects_list(&member));
                with_names.expects_list(&member)
            })
        };
        assert!(expects(member(2, 6, 0)));
        assert!(!expects(member(15, 19, 0)));
        assert!(!expects(member(2, 6, flag::KEY_SIDE)));
        assert!(!expects(member(90, 94, 0)));
    }

    #[test]
    fn long_lists_are_lists() {
        let long = "1, ".repeat(ITEMS_AHEAD) + "?";
        assert!(items(&long).is_some_and(|(count, ..)| count > ITEMS_AHEAD / 4));
        let two = alloc::format!(
            "[{}], [{}], ?",
            " ".repeat(ITEMS_AHEAD / 2),
            " ".repeat(ITEMS_AHEAD / 2)
        );
        assert_eq!(items(&two), None);
    }

    #[test]
    fn lists_are_expected_under_their_names() {
        let text = "{\"tags\": \"x\", \"city\": \"y\"}";
        let names = ExpectedNames::new(["tags", "city"]).with_lists(["tags"]);
        let expected = |key: KeySpan, names: Option<&ExpectedNames>| {
            let member = scalar(key, Tag::String, 9, 12);
            ask(text, |look| look.with_names(names).expects_list(&member))
        };
        let (start, end) = (2, 6);
        let tags = KeySpan {
            start,
            end,
            flags: 0,
        };
        assert!(expected(tags, Some(&names)));
        assert!(!expected(tags, None));
        // A name that stands in another text.
        let flags = flag::KEY_SIDE;
        assert!(!expected(KeySpan { flags, ..tags }, Some(&names)));
        let (start, end) = (15, 19);
        let city = KeySpan {
            start,
            end,
            flags: 0,
        };
        assert!(!expected(city, Some(&names)));
    }
}
