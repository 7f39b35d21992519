//! Offsets at which each row's part of a column ends.

use arrow_buffer::{OffsetBuffer, ScalarBuffer};

/// The most bytes or items of a column: what its offsets can count.
pub(crate) const LENGTH_MAX: usize = i32::MAX as usize;

/// The reason why a value was not appended to a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AppendError {
    /// The type of the column does not hold it.
    Misfit,
    /// The column would be too long.
    TooLong,
}

/// The offsets at which each row's part of a column ends.
#[derive(Debug)]
pub(crate) struct Offsets {
    /// Begins with 0.
    ends: Vec<i32>,
    /// The longest that the column may be.
    length_max: usize,
}

impl Offsets {
    /// Creates the offsets of a column without rows whose length is at most `length_max`.
    pub(crate) fn new(length_max: usize) -> Self {
        Self {
            ends: vec![0],
            length_max: length_max.min(LENGTH_MAX),
        }
    }

    /// The number of rows.
    #[inline]
    pub(crate) fn rows(&self) -> usize {
        self.ends.len() - 1
    }

    /// The length of the column up to the end of its last row.
    pub(crate) fn length(&self) -> usize {
        self.ends.last().copied().unwrap_or_default() as usize
    }

    /// Adds a row, which ends where the column does now.
    #[inline]
    pub(crate) fn push(&mut self, length: usize) -> Result<(), AppendError> {
        if length > self.length_max {
            return Err(AppendError::TooLong);
        }
        self.ends.push(length as i32);
        Ok(())
    }

    /// Adds an empty row.
    #[inline]
    pub(crate) fn push_empty(&mut self) {
        self.ends
            .push(self.ends.last().copied().unwrap_or_default());
    }

    /// Drops all rows but the first ones.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows + 1);
    }

    /// Makes room for `rows` more rows.
    pub(crate) fn reserve(&mut self, rows: usize) {
        self.ends.reserve_exact(rows);
    }

    /// Adds the rows of another column.
    pub(crate) fn extend(&mut self, other: &Self) -> Result<(), AppendError> {
        let before = self.length();
        if before + other.length() > self.length_max {
            return Err(AppendError::TooLong);
        }
        let before = before as i32;
        self.ends
            .extend(other.ends[1..].iter().map(|end| before + end));
        Ok(())
    }

    pub(crate) fn finish(self) -> OffsetBuffer<i32> {
        OffsetBuffer::new(ScalarBuffer::from(self.ends))
    }
}
