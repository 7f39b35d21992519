//! Texts between marks of emphasis: `*"name"*`, `**name**`, `_"a"_`.

use crate::parser::look::Look;
use crate::parser::look::quotes::quote_at;
use crate::scan;
use crate::scan::peek;

/// Maximum number of marks of emphasis on either side: `***bold italics***`.
const MARKS_MAX: usize = 3;

/// A text between marks, with or without quotes.
#[derive(Clone, Copy)]
pub(crate) struct Marked {
    pub(crate) end: usize,
    /// The offset behind the colon inside the marks or behind them, if there is one.
    pub(crate) value: Option<usize>,
}

impl Look<'_> {
    /// Returns the place of the text between marks at `k`, in quotes or one word between stars: that of the `a`
    /// of `**a**: 1`.
    pub(crate) fn marked_at(&self, k: usize) -> Option<Marked> {
        let mark = peek(self.bytes, k);
        if !matches!(mark, b'*' | b'_' | b'~') {
            return None;
        }
        let window = self.window(k).as_bytes();
        let count = window.iter().take_while(|&&byte| byte == mark).count();
        let begin = k + count;
        let inside = self.window(begin);
        let (start, end, mut next) = match inside.as_bytes().first()? {
            // `_"a"_`: in quotes the text may be anything.
            quote @ (b'"' | b'\'') => {
                let end = scan::find_near(inside.as_bytes(), 1, *quote, b'\n')?;
                if inside.as_bytes()[end] == b'\n' {
                    return None;
                }
                (begin + 1, begin + end, begin + end + 1)
            }
            // `*a*`: one word. `_a_` would be a name of programs.
            _ if mark == b'*' => {
                let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-');
                let end = begin + inside.find(|c| !name(c))?;
                (begin, end, end)
            }
            _ => return None,
        };
        let colon = peek(self.bytes, next) == b':';
        next += usize::from(colon);
        let closing = self.bytes.get(next..next + count)?;
        if count > MARKS_MAX || start == end || closing.iter().any(|&byte| byte != mark) {
            return None;
        }
        next += count;
        let (byte, behind) = self.beyond_space(next);
        let value = match byte {
            _ if colon => Some(next),
            b':' => Some(behind + 1),
            _ => self.colon_like(behind).map(|length| behind + length),
        };
        Some(Marked { end, value })
    }

    /// Returns the offset past the colon of the name between marks at `k`: 4 of `*a*: 1`.
    pub(crate) fn marked_key_end(&self, k: usize) -> Option<usize> {
        let marked = self.marked_at(k)?;
        let value = marked.value?;
        let quoted = quote_at(self.text, marked.end).is_some();
        (quoted || self.begins_value(value)).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::{answers, ask};

    /// The offset behind the text, and that behind the colon.
    fn marked(text: &str) -> Option<(usize, Option<usize>)> {
        ask(text, |look| {
            let one = look.marked_at(0)?;
            Some((one.end, one.value))
        })
    }

    #[test]
    fn texts_between_marks_are_found() {
        for (text, expected) in [
            ("*\"a b\"*: 1", (5, Some(8))),
            ("**a**: 1", (3, Some(6))),
            ("**a:** 1", (3, Some(6))),
            ("***a*** 1", (4, None)),
            ("_'a'_ => 1", (3, Some(8))),
            ("~\"a\"~ ,", (3, None)),
            ("*a**b", (2, None)),
            ("*a-b_$*", (6, None)),
        ] {
            assert_eq!(marked(text), Some(expected), "{text}");
        }
        for text in [
            "_a_: 1",
            "~a~: 1",
            "****a****",
            "*a",
            "*a_",
            "**a*",
            "**",
            "*\"a\n\"*",
            "*\"\"*",
            "*\"a",
            "a",
            "",
        ] {
            assert_eq!(marked(text), None, "{text}");
        }
    }

    #[test]
    fn names_between_marks_end_behind_their_colons() {
        answers(
            |look| look.marked_key_end(0),
            &[
                ("*a*: 1", Some(4)),
                ("*\"a\"*: ?", Some(6)),
                ("*a*: ?", None),
                ("*a* 1", None),
                ("a: 1", None),
            ],
        );
    }
}
