//! Byte ranges, and their conversion to lines and columns for people.

use alloc::vec::Vec;
use core::ops::Range;

/// A range of bytes in the parsed text.
///
/// An empty span marks an insertion: it has no text, and belongs before the byte at `start`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset just past the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the span from `start` up to, but not including, `end`.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Creates the empty span before the byte at `offset`.
    #[must_use]
    pub const fn at(offset: u32) -> Self {
        Self {
            start: offset,
            end: offset,
        }
    }

    /// Returns the number of bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Returns `true` if the span has no text.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Returns the range with `usize` ends, for slicing.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Creates a span from offsets that are known to fit, because longer texts are rejected before
    /// reading.
    pub(crate) fn of(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
        }
    }
}

/// A position in a text as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters (Unicode scalar values), from 1.
    pub column: usize,
}

/// Finds lines and columns of byte offsets. Built when a report is read, never during parsing.
///
/// ```
/// use llmjson_syntax::LineIndex;
///
/// let index = LineIndex::new("{\n  \"é\": oops\n}");
/// let position = index.position(10);
/// assert_eq!((position.line, position.column), (2, 8));
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    /// Creates an index of the lines of a text in one pass. A line ends with a line feed.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let starts = core::iter::once(0)
            .chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|newline| newline + 1))
            .collect();
        Self { text, starts }
    }

    /// Returns the line and column of a byte offset. An offset past the end counts as the end, and
    /// one inside a character as the beginning of that character.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let column = self.text[self.starts[line]..offset].chars().count() + 1;
        Position {
            line: line + 1,
            column,
        }
    }
}
