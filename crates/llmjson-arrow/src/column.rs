//! A column of values that is being built.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array};
use llmjson::syntax::cursor::{Entry, EntryKind};

use crate::error::Error;
use crate::list_column::ListColumn;
use crate::native_column::NativeColumn;
use crate::offsets::AppendError;
use crate::scalar_column::{BoolColumn, NumberColumn};
use crate::struct_column::StructColumn;
use crate::text_column::TextColumn;
use crate::value_type::ValueType;

/// A column of values that is being built.
#[derive(Debug)]
pub(crate) enum Column {
    Text(TextColumn, TextSort),
    Bool(BoolColumn),
    Int(NumberColumn<i64>),
    Float(NumberColumn<f64>),
    /// Texts of which Arrow has types of its own.
    Native(NativeColumn),
    List(Box<ListColumn>),
    Struct(StructColumn),
}

/// The values that a column of texts takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextSort {
    /// Only null.
    Nothing,
    Strings,
    /// Strings, and numbers as written.
    Exact,
    /// Any value, as JSON.
    Json,
}

/// Does the same with a column of any type.
macro_rules! each {
    ($self:expr, $column:ident => $what:expr) => {
        match $self {
            Self::Text($column, _) => $what,
            Self::Bool($column) => $what,
            Self::Int($column) => $what,
            Self::Float($column) => $what,
            Self::Native($column) => $what,
            Self::List($column) => $what,
            Self::Struct($column) => $what,
        }
    };
}

impl Column {
    /// A column without rows for values of that type.
    pub(crate) fn of(value_type: &ValueType) -> Self {
        let text = |sort| Self::Text(TextColumn::new(), sort);
        match value_type {
            ValueType::Nothing => text(TextSort::Nothing),
            ValueType::Bool => Self::Bool(BoolColumn::new()),
            ValueType::Int => Self::Int(NumberColumn::new()),
            ValueType::Float => Self::Float(NumberColumn::new()),
            ValueType::Text => text(TextSort::Strings),
            ValueType::Exact => text(TextSort::Exact),
            ValueType::List(items) => Self::List(Box::new(ListColumn::of(items))),
            ValueType::Struct(members) => Self::Struct(StructColumn::of(members)),
            native => match NativeColumn::of(native) {
                Some(column) => Self::Native(column),
                None => text(TextSort::Json),
            },
        }
    }

    /// The number of rows.
    #[inline]
    pub(crate) fn rows(&self) -> usize {
        each!(self, column => column.rows())
    }

    /// Adds a row with a value. If it is refused, the column is to be [truncated](Self::truncate).
    pub(crate) fn push(&mut self, entry: &Entry<'_, '_>) -> Result<(), AppendError> {
        if entry.kind() == EntryKind::Null {
            self.push_null();
            return Ok(());
        }
        match self {
            Self::Text(column, TextSort::Strings) => column.push_string(entry),
            Self::Text(column, TextSort::Exact) => column.push_exact(entry),
            Self::Text(column, TextSort::Json) => column.push_json(entry),
            Self::Text(_, TextSort::Nothing) => Err(AppendError::Misfit),
            Self::Native(column) => column.push(entry),
            Self::Bool(column) => column.push(entry),
            Self::Int(column) => column.push(entry.as_i64()),
            Self::Float(column) => column.push(entry.as_f64()),
            Self::List(column) => column.push(entry),
            Self::Struct(column) => column.push(entry),
        }
    }

    /// Adds a row with null.
    pub(crate) fn push_null(&mut self) {
        each!(self, column => column.push_null());
    }

    /// Drops all rows but the first ones, and what was begun of one more.
    pub(crate) fn truncate(&mut self, rows: usize) {
        each!(self, column => column.truncate(rows));
    }

    /// Makes room for the rows of other columns of the same type.
    pub(crate) fn reserve(&mut self, others: &[&Self]) {
        /// Takes the columns of one sort out of `others`.
        macro_rules! of {
            ($sort:pat => $column:expr) => {
                others
                    .iter()
                    .filter_map(|other| match other {
                        $sort => Some($column),
                        _ => None,
                    })
                    .collect::<Vec<_>>()
            };
        }
        match self {
            Self::Text(column, _) => column.reserve(&of!(Self::Text(one, _) => one)),
            // A bit, or some bytes, for each row.
            Self::Bool(_) | Self::Native(_) => {}
            Self::Int(column) => column.reserve(&of!(Self::Int(one) => one)),
            Self::Float(column) => column.reserve(&of!(Self::Float(one) => one)),
            Self::List(column) => column.reserve(&of!(Self::List(one) => &**one)),
            Self::Struct(column) => column.reserve(&of!(Self::Struct(one) => one)),
        }
    }

    /// Adds the rows of another column of the same type.
    pub(crate) fn extend(&mut self, other: Self) -> Result<(), AppendError> {
        match (self, other) {
            (Self::Text(column, _), Self::Text(other, _)) => column.extend(other)?,
            (Self::Native(column), Self::Native(other)) => column.extend(other)?,
            (Self::Bool(column), Self::Bool(other)) => column.extend(other),
            (Self::Int(column), Self::Int(other)) => column.extend(other),
            (Self::Float(column), Self::Float(other)) => column.extend(other),
            (Self::List(column), Self::List(other)) => column.extend(*other)?,
            (Self::Struct(column), Self::Struct(other)) => column.extend(other)?,
            _ => return Err(AppendError::Misfit),
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<ArrayRef, Error> {
        match self {
            Self::Text(column, _) => column.finish(),
            Self::Native(column) => column.finish(),
            Self::Bool(column) => Ok(column.finish()),
            Self::Int(column) => {
                let (values, validity) = column.into_parts();
                Ok(Arc::new(Int64Array::try_new(values, validity)?))
            }
            Self::Float(column) => {
                let (values, validity) = column.into_parts();
                Ok(Arc::new(Float64Array::try_new(values, validity)?))
            }
            Self::List(column) => column.finish(),
            Self::Struct(column) => column.finish(),
        }
    }
}
