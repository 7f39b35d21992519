//! A column of lists that is being built.

use std::sync::Arc;

use arrow_array::{ArrayRef, ListArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::Field;
use llmjson::syntax::cursor::{Entry, EntryKind};

use crate::column::Column;
use crate::error::Error;
use crate::offsets::{AppendError, LENGTH_MAX, Offsets};
use crate::text_column::extend_validity;
use crate::value_type::ValueType;

/// A column of lists that is being built.
#[derive(Debug)]
pub(crate) struct ListColumn {
    offsets: Offsets,
    items: Column,
    field: Arc<Field>,
    validity: NullBufferBuilder,
}

impl ListColumn {
    /// A column without rows for lists of items of that type.
    pub(crate) fn of(items: &ValueType) -> Self {
        Self {
            offsets: Offsets::new(LENGTH_MAX),
            items: Column::of(items),
            field: items.item_field(),
            validity: NullBufferBuilder::new(0),
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.offsets.rows()
    }

    pub(crate) fn push(&mut self, entry: &Entry<'_, '_>) -> Result<(), AppendError> {
        if entry.kind() != EntryKind::Array {
            return Err(AppendError::Misfit);
        }
        for item in entry.children() {
            self.items.push(&item)?;
        }
        self.offsets.push(self.items.rows())?;
        self.validity.append_non_null();
        Ok(())
    }

    pub(crate) fn push_null(&mut self) {
        self.offsets.push_empty();
        self.validity.append_null();
    }

    /// Drops all rows but the first ones.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.offsets.truncate(rows);
        self.items.truncate(self.offsets.length());
        self.validity.truncate(rows);
    }

    /// Makes room for the rows of other columns.
    pub(crate) fn reserve(&mut self, others: &[&Self]) {
        let rows = others.iter().map(|other| other.rows()).sum();
        self.offsets.reserve(rows);
        let items: Vec<_> = others.iter().map(|other| &other.items).collect();
        self.items.reserve(&items);
    }

    /// Adds the rows of another column.
    pub(crate) fn extend(&mut self, other: Self) -> Result<(), AppendError> {
        self.offsets.extend(&other.offsets)?;
        self.items.extend(other.items)?;
        extend_validity(&mut self.validity, other.validity);
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<ArrayRef, Error> {
        let items = self.items.finish()?;
        let (offsets, validity) = (self.offsets.finish(), self.validity.build());
        Ok(Arc::new(ListArray::try_new(
            self.field, offsets, items, validity,
        )?))
    }
}
