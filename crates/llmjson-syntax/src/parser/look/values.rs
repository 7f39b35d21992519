//! Values further on, and the signs that part them.

use crate::parser::look::Look;
use crate::parser::look::quotes::quote_at;
use crate::scan::{peek, skip_space};

impl Look<'_> {
    /// Returns `true` if a value as JSON or its relatives write it stands after `at`: `ObjectId("a")`, not
    /// `name`.
    pub(crate) fn begins_value(&self, at: usize) -> bool {
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

    use crate::parser::look::{answers, ask};

    #[test]
    fn values_are_seen() {
        answers(
            |look| look.begins_value(0),
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
