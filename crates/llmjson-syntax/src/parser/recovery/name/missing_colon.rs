//! Commas that stand for colons, and names of one word, which may lack theirs.

use crate::parser::look::Look;
use crate::parser::look::quotes::quote_at;
use crate::parser::state::step::{Container, KeySpan};
use crate::scan;
use crate::scan::peek;

impl Look<'_> {
    /// Returns `true` if the comma at `comma` behind a name stands for its colon: a value follows and then a
    /// member with its colon, or, behind other members, the end of the object: `, 1, "b": 2`.
    pub(crate) fn comma_for_colon(&self, here: Container, comma: usize) -> bool {
        let value = self.beyond_space(comma + 1).1;
        let end = match peek(self.bytes, value) {
            b'"' => scan::closing_quote(self.window(value + 1).as_bytes(), 0, 0)
                .map(|quote| value + 1 + quote + 1),
            b'{' | b'[' => self.beyond_container(value),
            _ if self.scalar_ahead(value) => {
                let window = self.window(value);
                let length = window.find([',', '}', ']', ' ', '\n', '\r']);
                length.map(|length| value + length)
            }
            _ => None,
        };
        end.is_some_and(|end| match self.beyond_space(end) {
            (b',', next) => {
                let next = self.beyond_space(next + 1).1;
                quote_at(self.text, next).is_some() && self.key_ahead(next)
            }
            (b'}', _) => here.count > 0,
            _ => false,
        })
    }

    /// Returns `true` if a name is one word, as names of members are, without white space, quotes or
    /// separators: `a-b.c`, not `a b`.
    pub(crate) fn plain_name(&self, key: KeySpan) -> bool {
        let name = &self.bytes[key.start as usize..key.end as usize];
        let apart = |byte: &u8| *byte <= b' ' || b"\"'{}[](),:;=".contains(byte);
        !name.is_empty() && !name.iter().any(apart)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::look::ask;

    #[test]
    fn commas_stand_for_colons() {
        for (text, count, expected) in [
            (", 1, \"b\": 2", 0, true),
            (", \"x\", \"b\": 2", 0, true),
            (", {\"x\": 1}, \"b\": 2", 0, true),
            (", [1], \"b\": 2", 0, true),
            (", 1}", 1, true),
            (", 1}", 0, false),
            (", 1, b: 2", 1, false),
            (", x, \"b\": 2", 1, false),
            (", 1", 1, false),
            (", 1]", 1, false),
            (", \"x", 1, false),
            (",", 1, false),
        ] {
            assert_eq!(
                ask(text, |look| look.comma_for_colon(
                    Container {
                        current: 0,
                        object: true,
                        count
                    },
                    0
                )),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn plain_names_are_one_word() {
        for (text, expected) in [
            ("a", true),
            ("a-b.c", true),
            ("é", true),
            ("a b", false),
            ("a:b", false),
            ("a\"", false),
            ("", false),
        ] {
            assert_eq!(
                ask(text, |look| look.plain_name(KeySpan {
                    start: 0,
                    end: text.len() as u32,
                    flags: 0
                })),
                expected,
                "{text:?}"
            );
        }
    }
}
