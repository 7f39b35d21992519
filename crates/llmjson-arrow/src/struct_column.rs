//! A column of objects that is being built.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, StructArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::Fields;
use llmjson::syntax::cursor::{Entry, EntryKind};

use crate::column::Column;
use crate::error::Error;
use crate::offsets::AppendError;
use crate::text_column::extend_validity;
use crate::value_type::ValueType;

/// Maximum number of members that are searched one by one.
const FEW: usize = 16;

/// A column of objects that is being built: a column for each declared member.
#[derive(Debug)]
pub(crate) struct StructColumn {
    names: Box<[Arc<str>]>,
    fields: Fields,
    columns: Box<[Column]>,
    /// The index of the column of each name, if there are many.
    index: Option<HashMap<Arc<str>, usize>>,
    validity: NullBufferBuilder,
}

impl StructColumn {
    pub(crate) fn of(members: &[(Arc<str>, ValueType)]) -> Self {
        let names: Box<[_]> = members.iter().map(|(name, _)| Arc::clone(name)).collect();
        let index = || names.iter().cloned().zip(0..).collect();
        Self {
            index: (names.len() > FEW).then(index),
            fields: members.iter().map(|(name, one)| one.field(name)).collect(),
            columns: members.iter().map(|(_, one)| Column::of(one)).collect(),
            names,
            validity: NullBufferBuilder::new(0),
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.validity.len()
    }

    pub(crate) fn push(&mut self, entry: &Entry<'_, '_>) -> Result<(), AppendError> {
        if entry.kind() != EntryKind::Object {
            return Err(AppendError::Misfit);
        }
        let row = self.rows();
        // Members mostly come in the order of the schema.
        let (mut expected, mut filled) = (0, 0);
        for member in entry.children() {
            let Some(at) = self.find(&member, expected) else {
                continue;
            };
            let column = &mut self.columns[at];
            if column.rows() == row {
                column.push(&member)?;
                filled += 1;
            }
            expected = at + 1;
        }
        if filled < self.columns.len() {
            self.fill_up(row + 1);
        }
        self.validity.append_non_null();
        Ok(())
    }

    pub(crate) fn push_null(&mut self) {
        self.validity.append_null();
        self.fill_up(self.rows());
    }

    /// Drops all rows but the first ones.
    pub(crate) fn truncate(&mut self, rows: usize) {
        let columns = self.columns.iter_mut();
        columns.for_each(|column| column.truncate(rows));
        self.validity.truncate(rows);
    }

    /// Makes room for the rows of other columns.
    pub(crate) fn reserve(&mut self, others: &[&Self]) {
        for (at, column) in self.columns.iter_mut().enumerate() {
            let others = others.iter().filter_map(|other| other.columns.get(at));
            column.reserve(&others.collect::<Vec<_>>());
        }
    }

    /// Adds the rows of another column.
    pub(crate) fn extend(&mut self, other: Self) -> Result<(), AppendError> {
        for (column, other) in self.columns.iter_mut().zip(other.columns) {
            column.extend(other)?;
        }
        extend_validity(&mut self.validity, other.validity);
        Ok(())
    }

    /// Takes out the columns of the members, to be put in again as arrays.
    pub(crate) fn take_columns(&mut self) -> Box<[Column]> {
        std::mem::take(&mut self.columns)
    }

    pub(crate) fn finish(mut self) -> Result<ArrayRef, Error> {
        let columns = self.take_columns().into_iter().map(Column::finish);
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        self.finish_with(columns)
    }

    /// The same with the columns of the members.
    pub(crate) fn finish_with(self, columns: Vec<ArrayRef>) -> Result<ArrayRef, Error> {
        let rows = self.rows();
        let validity = self.validity.build();
        let array = StructArray::try_new_with_length(self.fields, columns, validity, rows)?;
        Ok(Arc::new(array))
    }

    /// The place of a member's column; the expected one is looked at first.
    #[inline]
    fn find(&self, member: &Entry<'_, '_>, expected: usize) -> Option<usize> {
        let (name, escaped) = member.name_bytes();
        if escaped {
            let name = member.name();
            return self.names.iter().position(|known| **known == *name);
        }
        let is_expected = |known: &Arc<str>| known.as_bytes() == name;
        if self.names.get(expected).is_some_and(is_expected) {
            return Some(expected);
        }
        match &self.index {
            Some(index) => index.get(&*member.name()).copied(),
            None => self.names.iter().position(is_expected),
        }
    }

    /// Adds null to the columns that have fewer rows.
    fn fill_up(&mut self, rows: usize) {
        for column in &mut self.columns {
            if column.rows() < rows {
                column.push_null();
            }
        }
    }
}
