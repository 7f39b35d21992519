//! Values further on, and the signs that part them.

use crate::parser::look::notice::ellipsis_at;
use crate::parser::look::quotes::quote_at;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::scan::peek;

impl Look<'_> {
    /// Returns `true` if a value as JSON or its relatives write it stands after `at`.
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

    /// Returns `true` if an item without quotes stands at `k`: its text ends before any quote does.
    pub(crate) fn bare_item_ahead(&self, k: usize) -> bool {
        let window = self.window(k);
        match window.find([',', ']', '\n', '"', '\'', ':']) {
            Some(end) => !window[end..].starts_with(['"', '\'', ':']),
            None => window.len() < LOOK_AHEAD,
        }
    }

    /// Returns the offset at which a text without quotes that begins at `k` ends: before a comma,
    /// brace or line break, or with the text. Brackets of calls in it are passed over; quotes stand
    /// in those alone.
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

    /// Returns the offset of the backslash of the next escaped quote from `start` on, if no other
    /// quote and no line break comes first.
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
}

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn values_of_any_spelling_are_ahead() {
        for (text, expected) in [
            ("{", true),
            ("[", true),
            ("(", true),
            ("\"", true),
            ("'x", true),
            ("“x", true),
            ("", true),
            (" ", true),
            ("1", true),
            (" true", true),
            ("\u{a0}1", true),
            ("ObjectId(\"x\")", true),
            ("u\"x\"", true),
            ("Point { x: 1 }", true),
            ("?", false),
            ("x", false),
            ("}", false),
            (",", false),
            ("\0x", false),
            ("é", false),
        ] {
            assert_eq!(ask(text, |look| look.value_ahead(0)), expected, "{text:?}");
        }
    }

    #[test]
    fn values_that_end_properly_follow() {
        for (text, expected) in [
            ("{", true),
            ("[", true),
            ("\"a\",", true),
            ("\"a\"}", true),
            ("\"a\" ,", true),
            ("\"a\"", true),
            ("\"a\"\n```", true),
            ("1", true),
            ("\"a\" x", false),
            ("\"a", false),
            ("\"a\"]", false),
            ("x", false),
            ("", false),
        ] {
            assert_eq!(
                ask(text, |look| look
                    .value_follows(look.bytes.first().copied().unwrap_or(0), 0)),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn calls_hold_values() {
        for (text, expected) in [
            ("ObjectId(\"x\")", true),
            ("new Date(0)", true),
            ("f('x')", true),
            ("a.b_1({})", true),
            ("f([", true),
            ("f()", false),
            ("f(x)", false),
            ("(1)", false),
            ("1(1)", false),
            ("f [1]", false),
            ("f", false),
            ("new ", false),
            ("é(1)", false),
            ("_f(1)", false),
            ("", false),
        ] {
            assert_eq!(ask(text, |look| look.call_ahead(0)), expected, "{text:?}");
        }
    }

    #[test]
    fn scalars_end_as_such() {
        for (text, expected) in [
            ("1", true),
            ("-1", true),
            ("+.5", true),
            ("12 ", true),
            ("true", true),
            ("false,", true),
            ("null}", true),
            ("True]", true),
            ("False)", true),
            ("None\n", true),
            ("undefined\r", true),
            ("NaN\t", true),
            ("Infinity;", true),
            ("-Infinity，", true),
            ("true ", true),
            ("1x", true),
            ("truex", false),
            ("nul", false),
            ("x", false),
            ("-", false),
            ("\"1\"", false),
            ("true:", false),
            ("é", false),
            ("", false),
        ] {
            assert_eq!(ask(text, |look| look.scalar_ahead(0)), expected, "{text:?}");
        }
    }

    #[test]
    fn bare_items_end_before_quotes() {
        for (text, expected) in [
            ("a b, c\"", true),
            ("a]", true),
            ("a\n\"", true),
            ("é", true),
            ("", true),
            ("a\"b", false),
            ("a'b", false),
            ("a: 1", false),
        ] {
            assert_eq!(
                ask(text, |look| look.bare_item_ahead(0)),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn bare_texts_end_within_the_look_ahead() {
        for (length, ends) in [(255, true), (256, false)] {
            let text = "a".repeat(length);
            assert_eq!(ask(&text, |look| look.bare_item_ahead(0)), ends);
            assert_eq!(
                ask(&text, |look| look.bare_text_end(0)),
                ends.then_some(length)
            );
        }
    }

    #[test]
    fn bare_texts_end_outside_their_calls() {
        for (text, expected) in [
            ("a b, c", Some(3)),
            ("a}", Some(1)),
            ("a\n", Some(1)),
            ("é", Some(2)),
            ("", Some(0)),
            ("f(\"x\", 1), 2", Some(9)),
            ("x[1, 2], 3", Some(7)),
            ("f(x\n", Some(3)),
            ("f(a)b)", Some(6)),
            ("f((a), b), c", Some(9)),
            (",", None),
            ("a\"b", None),
            ("a{", None),
            ("[a]", None),
            ("a]", None),
            ("a “b”, c", None),
        ] {
            assert_eq!(
                ask(text, |look| look.bare_text_end(0)),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn marks_of_strings_are_measured() {
        for (text, expected) in [
            ("u\"x", Some(1)),
            ("b'x", Some(1)),
            ("F\"", Some(1)),
            ("R'", Some(1)),
            ("rb\"x", Some(2)),
            ("Br'", Some(2)),
            ("uu\"", None),
            ("bb'", None),
            ("x\"", None),
            ("xu\"", None),
            ("ux\"", None),
            ("u", None),
            ("u:", None),
            ("ub:", None),
            ("", None),
        ] {
            assert_eq!(ask(text, |look| look.mark_length(0)), expected, "{text:?}");
        }
    }

    #[test]
    fn dots_are_measured_with_the_name_they_spread() {
        for (text, expected) in [
            ("...base}", 7),
            ("...more.items,", 13),
            ("..._x ]", 5),
            ("...$a,", 5),
            ("...", 3),
            ("... x", 3),
            ("...base x", 3),
            ("...base", 3),
            ("...1}", 3),
            ("....", 4),
            ("…", 3),
            ("…base}", 3),
            ("a", 0),
            ("a}", 0),
            ("..a", 0),
            ("", 0),
        ] {
            assert_eq!(
                ask(text, |look| look.ellipsis_length(0)),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn escaped_quotes_come_first() {
        for (text, expected) in [
            ("a\\\" b", Some(1)),
            ("\\\"", Some(0)),
            ("é\\\"", Some(2)),
            ("a\"", None),
            ("a\n\\\"", None),
            ("a\\\n", Some(1)),
            ("a", None),
            ("", None),
        ] {
            assert_eq!(
                ask(text, |look| look.escaped_quote(0)),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn signs_like_commas_are_measured() {
        for (text, expected) in [
            (";", Some(1)),
            ("，", Some(3)),
            ("；", Some(3)),
            ("、", Some(3)),
            ("﹐", Some(3)),
            (",", None),
            ("é", None),
            ("", None),
        ] {
            assert_eq!(ask(text, |look| look.comma_like(0)), expected, "{text:?}");
        }
    }
}
