//! A column of texts that is being built.

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::{Buffer, NullBufferBuilder};
use llmjson::syntax::cursor::{Entry, EntryKind};

use crate::error::Error;
use crate::offsets::{AppendError, LENGTH_MAX, Offsets};

/// A column of texts that is being built.
#[derive(Debug)]
pub(crate) struct TextColumn {
    offsets: Offsets,
    texts: String,
    validity: NullBufferBuilder,
}

impl TextColumn {
    pub(crate) fn new() -> Self {
        Self::up_to(LENGTH_MAX)
    }

    /// Creates an empty column that may hold `bytes_max` bytes.
    pub(crate) fn up_to(bytes_max: usize) -> Self {
        Self {
            offsets: Offsets::new(bytes_max),
            texts: String::new(),
            validity: NullBufferBuilder::new(0),
        }
    }

    #[inline]
    pub(crate) fn rows(&self) -> usize {
        self.offsets.rows()
    }

    #[inline]
    pub(crate) fn push(&mut self, text: &str) -> Result<(), AppendError> {
        self.texts.push_str(text);
        self.end_row()
    }

    pub(crate) fn push_null(&mut self) {
        self.offsets.push_empty();
        self.validity.append_null();
    }

    /// Adds a string.
    #[inline]
    pub(crate) fn push_string(&mut self, entry: &Entry<'_, '_>) -> Result<(), AppendError> {
        match entry.kind() {
            EntryKind::String => self.push(&entry.decoded()),
            _ => Err(AppendError::Misfit),
        }
    }

    /// Adds a string, or a number digit for digit.
    pub(crate) fn push_exact(&mut self, entry: &Entry<'_, '_>) -> Result<(), AppendError> {
        match entry.kind() {
            EntryKind::String => self.push(&entry.decoded()),
            EntryKind::Integer | EntryKind::Float => self.push(entry.raw()),
            _ => Err(AppendError::Misfit),
        }
    }

    /// Adds the JSON text of a value.
    pub(crate) fn push_json(&mut self, entry: &Entry<'_, '_>) -> Result<(), AppendError> {
        entry.value().write_json(&mut self.texts);
        self.end_row()
    }

    /// Drops all rows but the first ones.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.offsets.truncate(rows);
        self.texts.truncate(self.offsets.length());
        self.validity.truncate(rows);
    }

    /// Makes room for the rows of other columns.
    pub(crate) fn reserve(&mut self, others: &[&Self]) {
        let rows = others.iter().map(|other| other.rows()).sum();
        self.offsets.reserve(rows);
        let bytes = others.iter().map(|other| other.texts.len()).sum();
        self.texts.reserve_exact(bytes);
    }

    /// Adds the rows of another column.
    pub(crate) fn extend(&mut self, other: Self) -> Result<(), AppendError> {
        self.offsets.extend(&other.offsets)?;
        self.texts.push_str(&other.texts);
        extend_validity(&mut self.validity, other.validity);
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<ArrayRef, Error> {
        let texts = Buffer::from_vec(self.texts.into_bytes());
        let validity = self.validity.build();
        let array = StringArray::try_new(self.offsets.finish(), texts, validity)?;
        Ok(Arc::new(array))
    }

    #[inline]
    fn end_row(&mut self) -> Result<(), AppendError> {
        self.offsets.push(self.texts.len())?;
        self.validity.append_non_null();
        Ok(())
    }
}

/// Adds the validity of another column's rows.
pub(crate) fn extend_validity(validity: &mut NullBufferBuilder, other: NullBufferBuilder) {
    let rows = other.len();
    match other.build() {
        Some(nulls) => validity.append_buffer(&nulls),
        None => validity.append_n_non_nulls(rows),
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;

    use super::*;

    fn column(bytes_max: usize, texts: &[&str]) -> Result<TextColumn, AppendError> {
        let mut column = TextColumn::up_to(bytes_max);
        texts.iter().try_for_each(|text| column.push(text))?;
        Ok(column)
    }

    #[test]
    fn a_column_that_would_be_too_long_is_refused() {
        assert_eq!(
            column(6, &["abc", "def"]).map(|column| column.rows()),
            Ok(2)
        );
        assert_eq!(column(5, &["abc", "def"]).err(), Some(AppendError::TooLong));
        let extended = |bytes_max| {
            let mut first = column(bytes_max, &["abc", "d"])?;
            first.extend(column(bytes_max, &["ef"])?)?;
            Ok(first.rows())
        };
        assert_eq!(extended(6), Ok(3));
        assert_eq!(extended(5), Err(AppendError::TooLong));
    }

    #[test]
    fn the_offsets_of_arrow_are_the_limit() {
        let mut offsets = Offsets::new(usize::MAX);
        assert_eq!(offsets.push(LENGTH_MAX), Ok(()));
        assert_eq!(offsets.push(LENGTH_MAX + 1), Err(AppendError::TooLong));
        let mut others = Offsets::new(usize::MAX);
        assert_eq!(others.push(1), Ok(()));
        assert_eq!(others.extend(&offsets), Err(AppendError::TooLong));
    }

    #[test]
    fn rows_that_were_begun_are_dropped() {
        let mut column = column(100, &["a", "bc", "d"]).expect("short texts");
        column.push_null();
        column.truncate(1);
        column.push_null();
        column.push("e").expect("a short text");
        let array = column.finish().expect("an array");
        let wanted = StringArray::from(vec![Some("a"), None, Some("e")]);
        assert_eq!(array.to_data(), wanted.to_data());
    }
}
