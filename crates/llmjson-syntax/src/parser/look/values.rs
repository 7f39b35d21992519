//! Values further on, and the signs that part them.

use crate::parser::look::notice::ellipsis_at;
use crate::parser::look::quotes::quote_at;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::scan::{peek, skip_space};

impl Look<'_> {
    /// Returns `true` if a value as JSON or its relatives write it stands after `at`: `ObjectId("a")`, not
    /// `name`.
    pub(crate) fn value_ahead(&self, at: usize) -> bool {
        let (byte, k) = self.beyond_space(at);
        match byte {
            b'{' | b'[' | b'(' => true,
            _ if quote_at(self.text, k).is_some() => true,
            0 => k >= self.bytes.len(),
            _ => {
                self.scalar_ahead(k)
                    || self.call_ahead(k)
                    || self.mark_length(k).is_some()
                    || self.typed_container(k).is_some()
            }
        }
    }

    /// Returns `true` if a value that ends properly begins with `byte` at `k`: `"a",`, not `"a" x`.
    pub(crate) fn value_follows(&self, byte: u8, k: usize) -> bool {
        match byte {
            b'{' | b'[' => true,
            b'"' => self.quoted_at(k + 1).is_some_and(|quoted| {
                let (byte, next) = self.beyond_space(quoted.end + 1);
                let ends = next >= self.bytes.len() || self.closing_mark_at(next);
                matches!(byte, b',' | b'}') || ends
            }),
            _ => self.scalar_ahead(k),
        }
    }

    /// Returns `true` if a call around a value stands at `k`: `ObjectId("…")`, `new Date(0)`.
    pub(crate) fn call_ahead(&self, k: usize) -> bool {
        let window = self.window(k);
        let window = window.strip_prefix("new ").unwrap_or(window);
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let length = window.find(|c| !name(c)).unwrap_or(0);
        let value = |c: char| c.is_ascii_digit() || matches!(c, '"' | '\'' | '{' | '[');
        window.starts_with(|c: char| c.is_ascii_alphabetic())
            && window[length..]
                .strip_prefix('(')
                .is_some_and(|inside| inside.starts_with(value))
    }

    /// Returns `true` if a keyword stands at `k` and ends as one, or something begins as a number does:
    /// `true,`, `-1`, `1x`, not `truex`.
    pub(crate) fn scalar_ahead(&self, k: usize) -> bool {
        let word = self.window(k);
        let end = word
            .find([',', '}', ']', ')', ' ', '\n', '\r', '\t', ';', '，'])
            .unwrap_or(word.len());
        let word = &word[..end];
        let number = word
            .trim_start_matches(['-', '+', '.'])
            .starts_with(|c: char| c.is_ascii_digit());
        number
            || matches!(
                word,
                "true"
                    | "false"
                    | "null"
                    | "True"
                    | "False"
                    | "None"
                    | "undefined"
                    | "NaN"
                    | "Infinity"
                    | "-Infinity"
            )
    }

    /// Returns `true` if an item without quotes stands at `k`, whose text ends before any quote: `one, "two"`,
    /// not `one"`.
    pub(crate) fn bare_item_ahead(&self, k: usize) -> bool {
        let window = self.window(k);
        match window.find([',', ']', '\n', '"', '\'', ':']) {
            Some(end) => !window[end..].starts_with(['"', '\'', ':']),
            None => window.len() < LOOK_AHEAD,
        }
    }

    /// Returns the offset at which a text without quotes that begins at `k` ends: before a comma, brace or line
    /// break, or with the text. Brackets of calls in it are passed over, and quotes stand in those alone: 9 of
    /// `f(a, "b"), c`.
    pub(crate) fn bare_text_end(&self, k: usize) -> Option<usize> {
        let window = self.window(k);
        let mut calls = 0u32;
        for (at, &byte) in window.as_bytes().iter().enumerate() {
            match byte {
                b'(' => calls += 1,
                b'[' if at > 0 => calls += 1,
                b')' | b']' if calls > 0 => calls -= 1,
                _ if calls > 0 && byte != b'\n' => {}
                b',' | b'}' | b'\n' => return (at > 0).then_some(k + at),
                b'{' | b'[' | b']' => return None,
                _ if quote_at(window, at).is_some() => return None,
                _ => {}
            }
        }
        (window.len() < LOOK_AHEAD).then_some(k + window.len())
    }

    /// Returns the number of letters before the quote of a marked string at `k`: 2 of `rb"…"`.
    pub(crate) fn mark_length(&self, k: usize) -> Option<usize> {
        let rest = &self.bytes[k..];
        let mark = |byte: u8| b"bfru".contains(&byte.to_ascii_lowercase());
        match rest {
            [one, b'"' | b'\'', ..] if mark(*one) => Some(1),
            [one, two, b'"' | b'\'', ..] if mark(*one) && mark(*two) && one != two => Some(2),
            _ => None,
        }
    }

    /// Returns the number of bytes of the dots at `k` and, right behind them, of the name of what a
    /// program spreads out there: `...base`, `...more.items`.
    pub(crate) fn ellipsis_length(&self, k: usize) -> usize {
        let dots = ellipsis_at(self.text, k).unwrap_or(0);
        let window = self.window(k + dots);
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
        let length = window.find(|c| !part(c)).unwrap_or(window.len());
        let named = window.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$'));
        let ends = window[length..].trim_start().starts_with([',', '}', ']']);
        let ascii = peek(self.bytes, k) == b'.';
        dots + if named && ends && ascii { length } else { 0 }
    }

    /// Returns the offset of the backslash of the next escaped quote from `start` on, if no other quote and no
    /// line break comes first: 1 of `a\"`.
    pub(crate) fn escaped_quote(&self, start: usize) -> Option<usize> {
        let window = self.window(start);
        let quote = window.find(['"', '\n'])?;
        window[..quote].ends_with('\\').then(|| start + quote - 1)
    }

    /// Returns the length of a sign at `k` that stands for a comma: 1 of `;`.
    pub(crate) fn comma_like(&self, k: usize) -> Option<usize> {
        match peek(self.bytes, k) {
            b';' => Some(1),
            ..0x80 => None,
            _ => ["，", "；", "、", "﹐"]
                .into_iter()
                .find(|sign| self.text[k..].starts_with(sign))
                .map(str::len),
        }
    }

    /// Returns `true` if something stands behind the root that could belong to it: `}` could, `1` could not.
    #[inline]
    pub(crate) fn more_follows(&self, end: usize) -> bool {
        matches!(
            skip_space(self.bytes, end).0,
            b',' | b'}' | b']' | b'"' | b'\'' | b'`' | b'\\' | b'A'..=b'Z' | b'a'..=b'z' | 0x80..
        )
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use crate::parser::look::{LOOK_AHEAD, answers, ask};

    #[test]
    fn values_are_seen() {
        answers(
            |look| look.value_ahead(0),
            &[
                (" {", true),
                ("[", true),
                ("(1, 2)", true),
                ("“a”", true),
                ("'a'", true),
                ("-1.5", true),
                ("null", true),
                ("ObjectId(\"a\")", true),
                ("b'a'", true),
                ("Point { x: 1 }", true),
                ("  ", true),
                ("name", false),
                ("name of", false),
                (",", false),
                ("}", false),
            ],
        );
    }

    #[test]
    fn values_that_end_follow() {
        let follows = |text: &str| ask(text, |look| look.value_follows(look.bytes[0], 0));
        for text in [
            "{",
            "[",
            "\"a\",",
            "\"a\" }",
            "\"a\"",
            "\"a\"\n```\n",
            "1",
            "true",
        ] {
            assert!(follows(text), "{text}");
        }
        for text in ["\"a", "\"a\": 1", "\"a\" b", "\"a\"]", "a", "'a'", "}"] {
            assert!(!follows(text), "{text}");
        }
    }

    #[test]
    fn calls_are_seen() {
        answers(
            |look| look.call_ahead(0),
            &[
                ("ObjectId(\"5f\")", true),
                ("new Date(0)", true),
                ("datetime.date('2020')", true),
                ("f({})", true),
                ("f_1([])", true),
                ("f()", false),
                ("f(a)", false),
                ("f (1)", false),
                ("_f(1)", false),
                ("1(1)", false),
                ("(1)", false),
                ("f", false),
            ],
        );
    }

    #[test]
    fn scalars_are_seen() {
        answers(
            |look| look.scalar_ahead(0),
            &[
                ("1", true),
                ("-1}", true),
                (".5", true),
                ("+.5", true),
                ("12 apples", true),
                ("true", true),
                ("false,", true),
                ("None]", true),
                ("NaN)", true),
                ("-Infinity;", true),
                ("undefined\n", true),
                ("null，", true),
                ("trueish", false),
                ("nulls,", false),
                ("-", false),
                ("\"1\"", false),
                ("", false),
            ],
        );
    }

    #[test]
    fn items_without_quotes_are_seen() {
        answers(
            |look| look.bare_item_ahead(0),
            &[
                ("one, \"two\"", true),
                ("one]", true),
                ("one\n\"two\"", true),
                ("one", true),
                ("one\"", false),
                ("it's", false),
                ("a: 1", false),
            ],
        );
        let long = "a".repeat(LOOK_AHEAD);
        assert!(!ask(&long, |look| look.bare_item_ahead(0)));
        assert!(ask(&long[1..], |look| look.bare_item_ahead(0)));
    }

    #[test]
    fn texts_without_quotes_end() {
        answers(
            |look| look.bare_text_end(0),
            &[
                ("red, blue", Some(3)),
                ("red}", Some(3)),
                ("red\nblue", Some(3)),
                ("red", Some(3)),
                ("f(a, \"b\"), c", Some(9)),
                ("a[0], b", Some(4)),
                ("f(a\nb", Some(3)),
                (",", None),
                ("a{", None),
                ("[a", None),
                ("a]", None),
                ("a\"b\"", None),
                ("it's", None),
            ],
        );
        let long = "a".repeat(LOOK_AHEAD);
        assert_eq!(ask(&long, |look| look.bare_text_end(0)), None);
        assert_eq!(ask(&long, |look| look.bare_text_end(1)), Some(LOOK_AHEAD));
    }

    #[test]
    fn marks_of_strings_are_measured() {
        answers(
            |look| look.mark_length(0),
            &[
                ("b\"a\"", Some(1)),
                ("U'a'", Some(1)),
                ("rb\"a\"", Some(2)),
                ("fR'a'", Some(2)),
                ("bb\"a\"", None),
                ("x\"a\"", None),
                ("rx\"a\"", None),
                ("xr\"a\"", None),
                ("b a", None),
                ("b", None),
                ("", None),
            ],
        );
    }

    #[test]
    fn ellipses_are_measured_with_what_they_spread() {
        answers(
            |look| look.ellipsis_length(0),
            &[
                ("...", 3),
                ("...base, \"a\"", 7),
                ("...more.items }", 13),
                ("...$a]", 5),
                ("..._b ,", 5),
                ("... base,", 3),
                ("...base is", 3),
                ("...1,", 3),
                ("…base,", 3),
                ("a", 0),
            ],
        );
    }

    #[test]
    fn escaped_quotes_are_found() {
        answers(
            |look| look.escaped_quote(0),
            &[
                ("a\\\"", Some(1)),
                ("\\\"a\"", Some(0)),
                ("a\"", None),
                ("a\n\\\"", None),
                ("a", None),
            ],
        );
        assert_eq!(ask("xxa\\\"", |look| look.escaped_quote(2)), Some(3));
    }

    #[test]
    fn signs_for_commas_are_measured() {
        for (sign, length) in [(";", 1), ("，", 3), ("；", 3), ("、", 3), ("﹐", 3)] {
            assert_eq!(ask(sign, |look| look.comma_like(0)), Some(length), "{sign}");
        }
        for sign in [",", ":", "é", "", "："] {
            assert_eq!(ask(sign, |look| look.comma_like(0)), None, "{sign}");
        }
        let text = "a；".to_string();
        assert_eq!(ask(&text, |look| look.comma_like(1)), Some(3));
    }

    #[test]
    fn more_of_a_root_is_seen() {
        answers(
            |look| look.more_follows(0),
            &[
                (" , 1", true),
                ("}", true),
                ("]", true),
                ("\"a\"", true),
                ("'a'", true),
                ("`a`", true),
                ("\\n", true),
                ("Zz", true),
                ("az", true),
                ("é", true),
                ("  ", false),
                ("", false),
                ("{", false),
                ("1", false),
                ("//", false),
            ],
        );
    }
}
