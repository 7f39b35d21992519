//! Where tokens stand on their lines.

use crate::parser::look::Look;

/// Maximum indentation that is measured; a deeper one says nothing.
pub(crate) const COLUMNS_MAX: usize = 256;

/// Number of bytes in which the lines of a string without its closing quote, and those behind a value that
/// seemed to end, are looked at.
pub(crate) const LINES_AHEAD: usize = 4096;

impl Look<'_> {
    /// Returns the column of what stands at `at`, if nothing stands before it on its line but the line break of
    /// the one before: 2 at the `x` of `"\n  x"`.
    pub(crate) fn column(&self, at: usize) -> Option<usize> {
        let before = &self.bytes[at.saturating_sub(COLUMNS_MAX)..at];
        let newline = memchr::memrchr(b'\n', before)?;
        let indent = &before[newline + 1..];
        self.charge_search(COLUMNS_MAX);
        indent
            .iter()
            .all(u8::is_ascii_whitespace)
            .then_some(indent.len())
    }

    /// Returns the indentation of the line of `at`: 2 at the `y` of `"  x y"`.
    pub(crate) fn column_of_line(&self, at: usize) -> Option<usize> {
        let from = at.saturating_sub(COLUMNS_MAX);
        let before = &self.bytes[from..at];
        let line = match memchr::memrchr(b'\n', before) {
            Some(newline) => &before[newline + 1..],
            None if from == 0 => before,
            None => return None,
        };
        let space = |byte: &&u8| byte.is_ascii_whitespace();
        Some(line.iter().take_while(space).count())
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn columns_are_those_of_what_stands_first() {
        for (text, at, expected) in [
            ("\n  x", 3, Some(2)),
            ("\n\tx", 2, Some(1)),
            ("a\nx", 2, Some(0)),
            ("  x", 2, None),
            ("\nx y", 3, None),
            ("", 0, None),
        ] {
            assert_eq!(ask(text, |look| look.column(at)), expected, "{text:?}");
        }
    }

    #[test]
    fn lines_have_the_column_of_their_first_token() {
        for (text, at, expected) in [
            ("  x", 2, Some(2)),
            ("  xy", 3, Some(2)),
            ("\n  x y", 5, Some(2)),
            ("a\nx", 2, Some(0)),
            ("", 0, Some(0)),
        ] {
            assert_eq!(
                ask(text, |look| look.column_of_line(at)),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn deep_indentation_is_not_measured() {
        let text = alloc::format!("\n{}x", " ".repeat(256));
        assert_eq!(ask(&text, |look| look.column(256)), Some(255));
        assert_eq!(ask(&text, |look| look.column(257)), None);
        assert_eq!(ask(&text, |look| look.column_of_line(256)), Some(255));
        assert_eq!(ask(&text, |look| look.column_of_line(257)), None);
        assert_eq!(
            ask(&"a".repeat(300), |look| look.column_of_line(256)),
            Some(0)
        );
        assert_eq!(ask(&"a".repeat(300), |look| look.column_of_line(257)), None);
    }
}
