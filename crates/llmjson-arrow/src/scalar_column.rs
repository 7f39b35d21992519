//! Columns of numbers and of booleans that are being built.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray};
use arrow_buffer::{
    ArrowNativeType, BooleanBufferBuilder, NullBuffer, NullBufferBuilder, ScalarBuffer,
};
use llmjson::syntax::cursor::{Entry, EntryKind};

use crate::offsets::AppendError;
use crate::text_column::extend_validity;

/// A column of numbers that is being built.
#[derive(Debug)]
pub(crate) struct NumberColumn<T> {
    values: Vec<T>,
    validity: NullBufferBuilder,
}

/// A column of booleans that is being built.
#[derive(Debug)]
pub(crate) struct BoolColumn {
    values: BooleanBufferBuilder,
    validity: NullBufferBuilder,
}

impl<T: ArrowNativeType> NumberColumn<T> {
    pub(crate) fn new() -> Self {
        Self {
            values: Vec::new(),
            validity: NullBufferBuilder::new(0),
        }
    }

    #[inline]
    pub(crate) fn rows(&self) -> usize {
        self.values.len()
    }

    /// Adds a number, unless there is none.
    #[inline]
    pub(crate) fn push(&mut self, number: Option<T>) -> Result<(), AppendError> {
        self.values.push(number.ok_or(AppendError::Misfit)?);
        self.validity.append_non_null();
        Ok(())
    }

    pub(crate) fn push_null(&mut self) {
        self.values.push(T::default());
        self.validity.append_null();
    }

    /// Drops all rows but the first ones.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.values.truncate(rows);
        self.validity.truncate(rows);
    }

    /// Makes room for the rows of other columns.
    pub(crate) fn reserve(&mut self, others: &[&Self]) {
        let rows = others.iter().map(|other| other.rows()).sum();
        self.values.reserve_exact(rows);
    }

    /// Adds the rows of another column.
    pub(crate) fn extend(&mut self, other: Self) {
        self.values.extend_from_slice(&other.values);
        extend_validity(&mut self.validity, other.validity);
    }

    pub(crate) fn into_parts(self) -> (ScalarBuffer<T>, Option<NullBuffer>) {
        (self.values.into(), self.validity.build())
    }
}

impl BoolColumn {
    pub(crate) fn new() -> Self {
        Self {
            values: BooleanBufferBuilder::new(0),
            validity: NullBufferBuilder::new(0),
        }
    }

    #[inline]
    pub(crate) fn rows(&self) -> usize {
        self.values.len()
    }

    #[inline]
    pub(crate) fn push(&mut self, entry: &Entry<'_, '_>) -> Result<(), AppendError> {
        match entry.kind() {
            EntryKind::True => self.push_bool(true),
            EntryKind::False => self.push_bool(false),
            _ => return Err(AppendError::Misfit),
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn push_bool(&mut self, value: bool) {
        self.values.append(value);
        self.validity.append_non_null();
    }

    pub(crate) fn push_null(&mut self) {
        self.values.append(false);
        self.validity.append_null();
    }

    /// Drops all rows but the first ones.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.values.truncate(rows);
        self.validity.truncate(rows);
    }

    /// Adds the rows of another column.
    pub(crate) fn extend(&mut self, mut other: Self) {
        self.values.append_buffer(&other.values.finish());
        extend_validity(&mut self.validity, other.validity);
    }

    pub(crate) fn finish(mut self) -> ArrayRef {
        let (values, validity) = (self.values.finish(), self.validity.build());
        Arc::new(BooleanArray::new(values, validity))
    }
}
