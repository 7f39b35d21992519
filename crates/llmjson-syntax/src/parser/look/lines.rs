//! Columns of tokens on their lines.

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
    use super::COLUMNS_MAX;
    use crate::parser::look::ask;

    #[test]
    fn columns_are_those_of_first_tokens() {
        let column = |text: &str| ask(text, |look| look.column(text.len()));
        assert_eq!(column("{\n  "), Some(2));
        assert_eq!(column("{\n\t "), Some(2));
        assert_eq!(column("\n"), Some(0));
        assert_eq!(column("\n a"), None);
        assert_eq!(column("  "), None);
        let deep = |spaces: usize| alloc::format!("\n{}", " ".repeat(spaces));
        assert_eq!(column(&deep(COLUMNS_MAX - 1)), Some(COLUMNS_MAX - 1));
        assert_eq!(column(&deep(COLUMNS_MAX)), None);
    }

    #[test]
    fn columns_are_those_of_lines() {
        let column = |text: &str| ask(text, |look| look.column_of_line(text.len()));
        assert_eq!(column("{\n  \"a\": 1"), Some(2));
        assert_eq!(column("  a"), Some(2));
        assert_eq!(column("a"), Some(0));
        let long = |letters: usize| alloc::format!("  {}", "a".repeat(letters));
        assert_eq!(column(&long(COLUMNS_MAX - 2)), Some(2));
        assert_eq!(column(&long(COLUMNS_MAX)), None);
    }
}
