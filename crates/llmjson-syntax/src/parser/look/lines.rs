//! Columns of tokens on their lines.

use crate::parser::look::Look;

/// Maximum indentation that is measured; a deeper one says nothing.
pub(crate) const COLUMNS_MAX: usize = 256;

/// Number of bytes in which the lines of a string without its closing quote, and those behind a value that
/// seemed to end, are looked at.
pub(crate) const LINES_AHEAD: usize = 4096;

impl Look<'_> {
    /// The column of what stands at `at`, if nothing stands before it on its line.
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

    /// Returns the indentation of the line of `at`.
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
