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
    /// The items at `k` and behind it, if nothing else stands up to the next name, the end of the
    /// object or that of the text.
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

    /// Returns `true` if a list without brackets may go on at `k`, behind the comma behind a
    /// member's string: that string was closed.
    pub(crate) fn items_follow(&self, k: usize) -> bool {
        self.items_ahead(k).is_some()
    }

    /// Returns the offset at which the whole string, container, number or keyword at `at` ends.
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
            None if self.scalar_ahead(at) && !self.key_ahead(at) => {
                let window = self.window(at);
                let end = window.find([',', '}', ']', '\n', '\r', ' ', '/', '#', ':']);
                let end = end.unwrap_or(window.len());
                (!window[end..].starts_with(':')).then_some(at + end)
            }
            None => None,
        }
    }

    /// Returns `true` if a list is expected under the name of a member.
    pub(crate) fn expects_list(&self, member: &Node) -> bool {
        let (start, end) = (member.key_start as usize, member.key_end as usize);
        !member.has(flag::KEY_SIDE)
            && (self.names.zip(self.text.get(start..end)))
                .is_some_and(|(names, name)| names.is_list(name))
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn items_stand_up_to_the_next_name() {
        for (text, expected) in [
            ("\"a\", \"b\", \"c\": 1", Some((2, 3, true, true, false))),
            ("1}", Some((1, 1, false, false, false))),
            // The last word may be the beginning of a name.
            ("1, 2, 3", Some((2, 1, false, false, false))),
            ("1, 2, 3 ", Some((3, 1, false, false, false))),
            ("{\"b\": 1}, \"c\": 2", Some((1, 8, false, false, false))),
            ("\"a\"\n\"b\": 1", Some((1, 3, true, false, true))),
            ("\"a\", ", Some((1, 3, true, false, false))),
            ("\"a\", \"b", Some((1, 3, true, false, false))),
            ("1\n```", Some((1, 1, false, false, true))),
            ("1, \"b\"}", Some((2, 1, false, true, false))),
            ("\"a\" x", None),
            ("\"a\" \"b\": 1", None),
            ("1]", None),
            ("1, x y", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(
                ask(text, |look| look.items_ahead(0).map(|i| (
                    i.count,
                    i.first_end,
                    i.first_text,
                    i.second_text,
                    i.line_behind
                ))),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn three_items_are_a_list_wherever_it_ends() {
        let many = "1, ".repeat(1000);
        assert_eq!(
            ask(&many, |look| look.items_ahead(0).map(|items| items.count)),
            Some(683)
        );
        let two = alloc::format!("[{}], 2, 3}}", " ".repeat(2046));
        assert!(!ask(&two, |look| look.items_follow(0)));
        assert!(ask("\"b\", \"c\": 1", |look| look.items_follow(0)));
        assert!(!ask("x", |look| look.items_follow(0)));
    }

    #[test]
    fn items_end_as_a_whole() {
        for (text, expected) in [
            ("\"a\"", Some(3)),
            ("'a'", Some(3)),
            ("“a”", Some(7)),
            ("{}", Some(2)),
            ("{\"a\": 1}", Some(8)),
            ("[x]", Some(3)),
            ("12,", Some(2)),
            ("true}", Some(4)),
            ("1 2", Some(1)),
            ("1", Some(1)),
            ("1/", Some(1)),
            ("1#", Some(1)),
            ("1\n", Some(1)),
            ("'a\n'", None),
            ("'a", None),
            ("\"a", None),
            ("{a}", None),
            ("[", None),
            ("1: 2", None),
            ("1:x", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(ask(text, |look| look.item_end(0)), expected, "{text:?}");
        }
    }
}
