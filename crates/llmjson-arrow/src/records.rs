//! A column of lists of records that is being built.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, ListArray, StructArray};
use arrow_schema::{DataType, Field, Fields};

use crate::error::Error;
use crate::offsets::{AppendError, LENGTH_MAX, Offsets};
use crate::text_column::TextColumn;
use crate::value_type::item_field;

/// The members of a record: first texts, then numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) texts: &'static [&'static str],
    pub(crate) numbers: &'static [&'static str],
}

impl Layout {
    /// The type of the column.
    pub(crate) fn data_type(self) -> DataType {
        DataType::List(item_field(DataType::Struct(self.fields())))
    }

    fn fields(self) -> Fields {
        let texts = self.texts.iter().map(|name| (name, DataType::Utf8));
        let numbers = self.numbers.iter().map(|name| (name, DataType::Int64));
        let fields = texts.chain(numbers);
        fields
            .map(|(name, data_type)| Field::new(*name, data_type, true))
            .collect()
    }
}

/// A column of lists of records that is being built.
#[derive(Debug)]
pub(crate) struct RecordsColumn {
    layout: Layout,
    texts: Box<[TextColumn]>,
    numbers: Box<[Vec<i64>]>,
    offsets: Offsets,
}

impl RecordsColumn {
    pub(crate) fn new(layout: Layout) -> Self {
        Self {
            layout,
            texts: layout.texts.iter().map(|_| TextColumn::new()).collect(),
            numbers: layout.numbers.iter().map(|_| Vec::new()).collect(),
            offsets: Offsets::new(LENGTH_MAX),
        }
    }

    /// Adds a record to the row that comes next.
    pub(crate) fn push(&mut self, texts: &[&str], numbers: &[i64]) -> Result<(), AppendError> {
        for (column, text) in self.texts.iter_mut().zip(texts) {
            column.push(text)?;
        }
        for (column, number) in self.numbers.iter_mut().zip(numbers) {
            column.push(*number);
        }
        Ok(())
    }

    /// Ends the row, with the records that were added since the one before.
    pub(crate) fn end_row(&mut self) -> Result<(), AppendError> {
        let records = self.texts.first().map_or(0, TextColumn::rows);
        self.offsets.push(records)
    }

    /// Makes room for the rows of other columns.
    pub(crate) fn reserve(&mut self, others: &[&Self]) {
        let rows = others.iter().map(|other| other.offsets.rows()).sum();
        self.offsets.reserve(rows);
        for (at, column) in self.texts.iter_mut().enumerate() {
            let others = others.iter().filter_map(|other| other.texts.get(at));
            column.reserve(&others.collect::<Vec<_>>());
        }
    }

    /// Adds the rows of another column.
    pub(crate) fn extend(&mut self, other: Self) -> Result<(), AppendError> {
        self.offsets.extend(&other.offsets)?;
        for (column, other) in self.texts.iter_mut().zip(other.texts) {
            column.extend(other)?;
        }
        for (column, other) in self.numbers.iter_mut().zip(other.numbers) {
            column.extend(other);
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<ArrayRef, Error> {
        let records = self.offsets.length();
        let texts = self.texts.into_iter().map(TextColumn::finish);
        let mut columns = texts.collect::<Result<Vec<_>, _>>()?;
        let numbers = self.numbers.into_iter();
        columns.extend(numbers.map(|one| Arc::new(Int64Array::from(one)) as ArrayRef));
        let fields = self.layout.fields();
        let records = StructArray::try_new_with_length(fields.clone(), columns, None, records)?;
        let field = item_field(DataType::Struct(fields));
        let (offsets, records) = (self.offsets.finish(), Arc::new(records));
        Ok(Arc::new(ListArray::try_new(field, offsets, records, None)?))
    }
}
