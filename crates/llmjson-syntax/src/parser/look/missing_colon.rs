//! Names that lack their colon, as the members behind them show: `"a" 1, "b": 2`.

use crate::parser::look::Look;
use crate::parser::look::quotes::{closers, quote_at};

/// Maximum number of names in a row without their colons that are looked at.
const COLONS_AHEAD: usize = 4;

/// The result of looking for names and values without colons.
enum WithoutColon {
    /// A name without its colon and its value, and then a name with its colon or the end of the
    /// object.
    Yes,
    /// A name without its colon and its value, and then something else at this offset.
    Then(usize),
    No,
}

impl Look<'_> {
    /// Returns `true` if a name stands at `k` that lacks its colon: one word in quotes, or an expected one, and
    /// a value behind it after which another name or the end of the object follows: `"a" 1, "b": 2`.
    pub(crate) fn key_without_colon(&self, mut k: usize) -> bool {
        for _ in 0..COLONS_AHEAD {
            match self.member_without_colon(k) {
                WithoutColon::Yes => return true,
                WithoutColon::Then(next) => k = next,
                WithoutColon::No => return false,
            }
        }
        false
    }

    /// Returns whether a member without its colon stands at `k`, if the one behind it is a member: it does in
    /// `"a" 1}`, and in `"a" 1, "b" 2}` what stands at 7 tells.
    fn member_without_colon(&self, k: usize) -> WithoutColon {
        let Some(after) = self.name_end(k) else {
            return WithoutColon::No;
        };
        let (byte, value) = self.beyond_space(after);
        let end = match quote_at(self.text, value) {
            Some(quote) => {
                let inside = self.window(value + quote.len_utf8());
                let Some(end) = inside.find(closers(quote)) else {
                    return WithoutColon::No;
                };
                let closer = inside[end..].chars().next().map_or(1, char::len_utf8);
                value + quote.len_utf8() + end + closer
            }
            None if matches!(byte, b'{' | b'[') => {
                let (inner, inside) = self.skip_space(value + 1);
                let container = match byte {
                    b'{' => inner == b'}' || self.key_ahead(inside),
                    _ => inner == b']' || self.value_ahead(inside),
                };
                return if container || self.expected_at(k) {
                    WithoutColon::Yes
                } else {
                    WithoutColon::No
                };
            }
            None if self.scalar_ahead(value) => {
                let word = self.window(value);
                let length = word.find([',', '}', ']', ' ', '\n', '\r', '\t']);
                value + length.unwrap_or(word.len())
            }
            None => return WithoutColon::No,
        };
        match self.beyond_space(end) {
            (b',', comma) => {
                let next = self.beyond_space(comma + 1).1;
                if self.key_ahead(next) {
                    WithoutColon::Yes
                } else {
                    WithoutColon::Then(next)
                }
            }
            (b'}', _) => WithoutColon::Yes,
            (0, next) if next >= self.bytes.len() => WithoutColon::Yes,
            _ => WithoutColon::No,
        }
    }

    /// Returns the offset at which the name of one word ends that begins at `k`, in quotes or without: 3 of
    /// `"a" 1`, 1 of `a 1`.
    fn name_end(&self, k: usize) -> Option<usize> {
        let Some(quote) = quote_at(self.text, k) else {
            let window = self.window(k);
            let length = window.find(|c: char| !c.is_alphanumeric() && c != '_')?;
            let named = window.starts_with(|c: char| c.is_alphabetic() || c == '_');
            return (named && window[length..].starts_with(' ')).then_some(k + length);
        };
        let window = self.window(k + quote.len_utf8());
        let end = window.find(closers(quote))?;
        let apart = |c: char| c <= ' ' || "{}[](),:;='\"".contains(c);
        let closer = window[end..].chars().next().map_or(1, char::len_utf8);
        let name = &window[..end];
        (!name.is_empty() && !name.contains(apart)).then_some(k + quote.len_utf8() + end + closer)
    }
}

#[cfg(test)]
mod tests {
    use super::WithoutColon;
    use crate::parser::look::{answers, ask, ask_with};

    #[test]
    fn names_without_colons_are_seen() {
        answers(
            |look| look.key_without_colon(0),
            &[
                ("\"a\" 1, \"b\": 2", true),
                ("\"a\" 1}", true),
                ("\"a\" \"x\"", true),
                ("a 1}", true),
                ("_a 1}", true),
                ("“a” “b”}", true),
                ("\"a\" {\"b\": 1}", true),
                ("\"a\" {}", true),
                ("\"a\" []", true),
                ("\"a\" [1", true),
                // Two names in a row lack theirs.
                ("\"a\" 1, \"b\" 2}", true),
                ("\"a\" 1, 2}", false),
                ("\"a\" 1]", false),
                ("\"a b\" 1}", false),
                ("\"\" 1}", false),
                ("\"a:\" 1}", false),
                ("\"a\" b}", false),
                ("\"a\" {1}", false),
                ("\"a\" [x", false),
                ("\"a\" \"x", false),
                ("1 1}", false),
                ("a", false),
                ("\"a", false),
            ],
        );
        let names = |count: usize| "\"a\" 1, ".repeat(count) + "\"b\": 1";
        assert!(ask(&names(4), |look| look.key_without_colon(0)));
        assert!(!ask(&names(5), |look| look.key_without_colon(0)));
        let text = "\"a\" {1}";
        assert!(ask_with(&["a"], text, |look| look.key_without_colon(0)));
        assert!(!ask_with(&["b"], text, |look| look.key_without_colon(0)));
    }

    #[test]
    fn members_without_colons_lead_to_the_next() {
        // Whether one stands there for sure, and where the next name is to be looked at.
        let member = |text: &str| {
            ask(text, |look| match look.member_without_colon(0) {
                WithoutColon::Yes => (true, None),
                WithoutColon::Then(next) => (false, Some(next)),
                WithoutColon::No => (false, None),
            })
        };
        for text in [
            "\"a\" 1}",
            "\"a\" 1, \"b\": 2",
            "\"a\" 1",
            "\"a\" [1",
            "\"a\" “x”}",
        ] {
            assert_eq!(member(text), (true, None), "{text}");
        }
        assert_eq!(member("\"a\" 1, \"b\" 2}"), (false, Some(7)));
        assert_eq!(member("\"a\" \"x\", 2"), (false, Some(9)));
        for text in [
            "\"a\" 1]",
            "\"a\": 1}",
            "\"a\" \"x",
            "\"a\" {1}",
            "\"a\" b}",
            "1 1}",
        ] {
            assert_eq!(member(text), (false, None), "{text}");
        }
    }

    #[test]
    fn names_of_one_word_end() {
        answers(
            |look| look.name_end(0),
            &[
                ("\"a\" 1", Some(3)),
                ("“a” 1", Some(7)),
                ("a 1", Some(1)),
                ("_a1 1", Some(3)),
                ("é 1", Some(2)),
                ("\"a=b\" 1", None),
                ("\"a b\" 1", None),
                ("\"\" 1", None),
                ("\"a", None),
                ("a: 1", None),
                ("1a 1", None),
                ("a", None),
                (" 1", None),
            ],
        );
    }
}
