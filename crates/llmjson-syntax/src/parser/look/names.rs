//! Names of members further on, with their colons.

use core::ops::Range;

use crate::parser::look::quotes::{closers, quote_at};
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::scan;
use crate::scan::{peek, skip_space};

impl Look<'_> {
    /// Returns `true` if a member begins at `at` whose name has no quotes and is expected: `b: 1`, where `b` is.
    pub(crate) fn named_member(&self, at: usize) -> bool {
        self.expected_at(at) && self.name_ahead(at)
    }

    /// Returns `true` if a name and a colon stand at `k`, and a value behind a name without quotes: `"a": ?`,
    /// not `a: ?`.
    pub(crate) fn key_ahead(&self, k: usize) -> bool {
        self.key_end(k).is_some()
    }

    /// Returns the offset just past the colon of the name at `k`, or past what stands for one: 4 of `"a": 1`,
    /// 4 of `a => 1`. Behind a bare name a value must follow, or the end: `a: ?` has none.
    pub(crate) fn key_end(&self, k: usize) -> Option<usize> {
        let quoted = quote_at(self.text, k);
        let end = match quoted {
            Some(quote @ ('"' | '\'')) => {
                let rest = &self.bytes[k + 1..];
                let window = &rest[..rest.len().min(LOOK_AHEAD)];
                let end = memchr::memchr2(quote as u8, b'\n', window);
                self.charge_search(end.unwrap_or(window.len()));
                let end = end?;
                if window[end] == b'\n' {
                    return None;
                }
                k + 1 + end + 1
            }
            Some(quote) => {
                let start = k + quote.len_utf8();
                let window = self.window(start);
                let end = window.find(closers(quote))?;
                if window[..end].contains('\n') {
                    return None;
                }
                start + end + window[end..].chars().next()?.len_utf8()
            }
            None if let Some(value) = self.marked_key_end(k) => return Some(value),
            None => {
                if let Some((_, arrow)) = self.symbol_at(k) {
                    return Some(arrow + 2);
                }
                if let Some((_, _, sign, length)) = self.bracketed_name_at(k) {
                    return Some(sign + length);
                }
                let word = self.window(k);
                let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.');
                let length = word.find(|c| !name(c)).unwrap_or(word.len());
                if length == 0 {
                    return None;
                }
                if self.marked_name_ahead(k) {
                    return self.key_end(k + 1);
                }
                k + length + usize::from(word[length..].starts_with(['"', '\'']))
            }
        };
        let (byte, colon) = self.beyond_space(end);
        if byte == b':' && quoted.is_some() {
            return Some(colon + 1);
        }
        let rest = self.text.get(colon..)?;
        let after = match byte {
            b':' => colon + 1,
            b'=' => colon + 1 + usize::from(rest.starts_with("=>")),
            _ if rest.starts_with('：') => colon + '：'.len_utf8(),
            _ => return None,
        };
        (quoted.is_some() || self.begins_value(after)).then_some(after)
    }

    /// Returns the range of the name in quotes and square brackets at `k`, where its closing bracket and the
    /// sign behind that stand, and how long the sign is: `2..3`, 4, 5 and 1 of `["a"]: 1`.
    pub(crate) fn bracketed_name_at(
        &self,
        k: usize,
    ) -> Option<(Range<usize>, usize, usize, usize)> {
        if peek(self.bytes, k) != b'[' {
            return None;
        }
        let (byte, quote) = self.beyond_space(k + 1);
        let window = self.window(quote + 1);
        let end = match byte {
            b'"' | b'\'' => quote + 1 + window.find([char::from(byte), '\\', '\n'])?,
            _ => return None,
        };
        let (closer, bracket) = self.beyond_space(end + 1);
        let (_, sign) = self.beyond_space(bracket + 1);
        let length = match peek(self.bytes, sign) {
            b':' => 1,
            b'=' => self.colon_like(sign)?,
            _ => return None,
        };
        let named = self.bytes[end] == byte && closer == b']';
        (named && self.begins_value(sign + length)).then_some((
            quote + 1..end,
            bracket,
            sign,
            length,
        ))
    }

    /// Returns the length of the symbol of Ruby at `k`, and the offset of the arrow behind it: 2 and 3 of
    /// `:a => 1`.
    pub(crate) fn symbol_at(&self, k: usize) -> Option<(usize, usize)> {
        if peek(self.bytes, k) != b':' {
            return None;
        }
        let window = self.window(k + 1);
        let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '?' | '!');
        let length = match window.strip_prefix('"') {
            Some(inside) => inside.find(['"', '\\', '\n'])? + 2,
            None => window.find(|c| !name(c)).filter(|&length| length > 0)?,
        };
        let arrow = k + 1 + length + window[length..].len() - window[length..].trim_start().len();
        self.bytes[arrow..]
            .starts_with(b"=>")
            .then_some((1 + length, arrow))
    }

    /// Returns `true` if a name in quotes and its colon stand behind a letter at `k` that marks a
    /// string, as Python 2 prints names: `u'name': 1`.
    pub(crate) fn marked_name_ahead(&self, k: usize) -> bool {
        let marked = matches!(
            self.bytes[k..],
            [b'b' | b'f' | b'r' | b'u', b'\'' | b'"', next, ..] if next != b':'
        );
        marked && self.key_ahead(k + 1)
    }

    /// Returns `true` if an unquoted name and a colon stand at `k`, whatever follows them: `a:`, not
    /// `http://a`.
    pub(crate) fn name_ahead(&self, k: usize) -> bool {
        let window = self.window(k);
        let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-');
        let length = window.find(|c| !name(c)).unwrap_or(0);
        let rest = window[length..].trim_start_matches(' ');
        length > 0 && rest.starts_with(':') && !rest.starts_with("://")
    }

    /// Returns `true` if the name at `k`, in quotes or not, is one that is expected: `c: 1`, not `d: 1`, where
    /// `c` is.
    pub(crate) fn expected_at(&self, k: usize) -> bool {
        let Some(names) = self.names else {
            return false;
        };
        let quoted = quote_at(self.text, k);
        let window = self.window(k + quoted.map_or(0, char::len_utf8));
        let end = match quoted {
            Some(quote) => window.find(closers(quote)),
            None => window.find([':', '=', ' ']),
        };
        end.is_some_and(|end| names.contains(&window[..end]))
    }

    /// Returns the length of a sign at `k` that stands for a colon: 2 of `=> 1`.
    pub(crate) fn colon_like(&self, k: usize) -> Option<usize> {
        let rest = &self.text[k..];
        ["=>", "->", "=", "：", "﹕", "꞉"]
            .into_iter()
            .find(|sign| rest.starts_with(sign))
            .map(str::len)
    }

    /// Returns whether a plain name with its colon stands at `k`, in quotes or without: `"a": 1` has one,
    /// `"a" 1` none. `None` if the text ends before that can be told, as `"a"` does.
    pub(crate) fn name_at(&self, k: usize) -> Option<bool> {
        let length = self.bytes.len();
        let quote = peek(self.bytes, k);
        let end = match quote {
            b'"' => scan::closing_quote(self.bytes, k + 1, k + 1)? + 1,
            b'\'' => k + 1 + memchr::memchr(b'\'', self.bytes.get(k + 1..)?)? + 1,
            _ => {
                let name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$-".contains(byte);
                let name = self.bytes[k..].iter().take_while(|byte| name(byte)).count();
                if name == 0 && k < length {
                    return Some(false);
                }
                k + name
            }
        };
        let (byte, colon) = skip_space(self.bytes, end);
        (colon < length).then_some(byte == b':')
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::{answers, ask, ask_with};

    #[test]
    fn key_end_is_past_the_colon() {
        for (text, end) in [
            (r#""a": 1"#, Some(4)),
            ("'a' : 1", Some(5)),
            ("“a”: 1", Some(8)),
            ("a: 1", Some(2)),
            ("a => 1", Some(4)),
            (r#"a": 1"#, Some(3)),
            ("a：1", Some(4)),
            // Behind a name in quotes its colon suffices; behind a bare one a value follows, or the end.
            (r#""a": ?"#, Some(4)),
            ("a: ?", None),
            ("a:", Some(2)),
            (r#""a" 1"#, None),
            ("\"a\n\": 1", None),
            ("", None),
        ] {
            assert_eq!(ask(text, |look| look.key_end(0)), end, "{text}");
            assert_eq!(ask(text, |look| look.key_ahead(0)), end.is_some(), "{text}");
        }
    }

    #[test]
    fn names_in_brackets_are_found() {
        answers(
            |look| look.bracketed_name_at(0),
            &[
                ("[\"a\"]: 1", Some((2..3, 4, 5, 1))),
                ("['a'] = 1", Some((2..3, 4, 6, 1))),
                ("[ \"a\" ]=> 1", Some((3..4, 6, 7, 2))),
                ("[\"a\"]: ?", None),
                ("[\"a\"] 1", None),
                ("[\"a\": 1", None),
                ("[\"a\\\"]: 1", None),
                ("[a]: 1", None),
                ("\"a\"]: 1", None),
            ],
        );
    }

    #[test]
    fn symbols_are_measured() {
        answers(
            |look| look.symbol_at(0),
            &[
                (":a => 1", Some((2, 3))),
                (":ok?=> 1", Some((4, 4))),
                (":\"a b\" => 1", Some((6, 7))),
                (":a 1", None),
                (": => 1", None),
                ("a => 1", None),
                (":\"a\n\" => 1", None),
            ],
        );
    }

    #[test]
    fn marked_names_are_seen() {
        answers(
            |look| look.marked_name_ahead(0),
            &[
                ("u'a': 1", true),
                ("b\"a\": 1", true),
                ("u'a' 1", false),
                ("u': 1", false),
                ("x'a': 1", false),
                ("u", false),
            ],
        );
    }

    #[test]
    fn names_without_quotes_are_seen() {
        answers(
            |look| look.name_ahead(0),
            &[
                ("a:", true),
                ("a-b_$1 : x", true),
                ("é: 1", true),
                ("http://a", false),
                (": 1", false),
                ("a b: 1", false),
                ("a", false),
            ],
        );
    }

    #[test]
    fn expected_names_are_known() {
        let expected = |text: &str| ask_with(&["a b", "c"], text, |look| look.expected_at(0));
        for text in ["\"a b\": 1", "“c”", "c: 1", "c = 1", "c "] {
            assert!(expected(text), "{text}");
        }
        for text in ["\"a\": 1", "a b: 1", "c", "d: 1", "\"c"] {
            assert!(!expected(text), "{text}");
        }
        assert!(!ask("c: 1", |look| look.expected_at(0)));
    }

    #[test]
    fn signs_for_colons_are_measured() {
        answers(
            |look| look.colon_like(0),
            &[
                ("=> 1", Some(2)),
                ("-> 1", Some(2)),
                ("= 1", Some(1)),
                ("：1", Some(3)),
                ("﹕1", Some(3)),
                ("꞉1", Some(3)),
                (": 1", None),
                ("- 1", None),
                ("", None),
            ],
        );
    }

    #[test]
    fn plain_names_have_their_colons() {
        answers(
            |look| look.name_at(0),
            &[
                ("\"a\": 1", Some(true)),
                ("\"a\\\"\" : 1", Some(true)),
                ("'a b':1", Some(true)),
                ("a-b_$1 :", Some(true)),
                ("\"a\" 1", Some(false)),
                ("'a' 1", Some(false)),
                ("a 1", Some(false)),
                ("é: 1", Some(false)),
                (": 1", Some(false)),
                ("\"a\"", None),
                ("\"a", None),
                ("'a", None),
                ("a ", None),
                ("", None),
            ],
        );
    }
}
