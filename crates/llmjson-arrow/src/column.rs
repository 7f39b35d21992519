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
    /// A column of nothing but null.
    Nothing(TextColumn),
    Bool(BoolColumn),
    Int(NumberColumn<i64>),
    Float(NumberColumn<f64>),
    Text(TextColumn),
    Exact(TextColumn),
    Json(TextColumn),
    /// Texts of which Arrow has types of its own.
    Native(NativeColumn),
    List(Box<ListColumn>),
    Struct(StructColumn),
}

impl Column {
    /// A column without rows for values of that type.
    pub(crate) fn of(value_type: &ValueType) -> Self {
        match value_type {
            ValueType::Nothing => Self::Nothing(TextColumn::new()),
            ValueType::Bool => Self::Bool(BoolColumn::new()),
            ValueType::Int => Self::Int(NumberColumn::new()),
            ValueType::Float => Self::Float(NumberColumn::new()),
            ValueType::Text => Self::Text(TextColumn::new()),
            ValueType::Exact => Self::Exact(TextColumn::new()),
            ValueType::List(items) => Self::List(Box::new(ListColumn::of(items))),
            ValueType::Struct(members) => Self::Struct(StructColumn::of(members)),
            native => match NativeColumn::of(native) {
                Some(column) => Self::Native(column),
                None => Self::Json(TextColumn::new()),
            },
        }
    }

    /// The number of rows.
    #[inline]
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Nothing(column)
            | Self::Text(column)
            | Self::Exact(column)
            | Self::Json(column) => column.rows(),
            Self::Native(column) => column.rows(),
            Self::Bool(column) => column.rows(),
            Self::Int(column) => column.rows(),
            Self::Float(column) => column.rows(),
            Self::List(column) => column.rows(),
            Self::Struct(column) => column.rows(),
        }
    }

    /// Adds a row with a value. If it is refused, the column is to be [truncated](Self::truncate).
    pub(crate) fn push(&mut self, entry: &Entry<'_, '_>) -> Result<(), AppendError> {
        if entry.kind() == EntryKind::Null {
            self.push_null();
            return Ok(());
        }
        match self {
            Self::Nothing(_) => Err(AppendError::Misfit),
            Self::Native(column) => column.push(entry),
            Self::Bool(column) => column.push(entry),
            Self::Int(column) => column.push(entry.as_i64()),
            Self::Float(column) => column.push(entry.as_f64()),
            Self::Text(column) => column.push_string(entry),
            Self::Exact(column) => column.push_exact(entry),
            Self::Json(column) => column.push_json(entry),
            Self::List(column) => column.push(entry),
            Self::Struct(column) => column.push(entry),
        }
    }

    /// Adds a row with null.
    pub(crate) fn push_null(&mut self) {
        match self {
            Self::Nothing(column)
            | Self::Text(column)
            | Self::Exact(column)
            | Self::Json(column) => column.push_null(),
            Self::Native(column) => column.push_null(),
            Self::Bool(column) => column.push_null(),
            Self::Int(column) => column.push_null(),
            Self::Float(column) => column.push_null(),
            Self::List(column) => column.push_null(),
            Self::Struct(column) => column.push_null(),
        }
    }

    /// Drops all rows but the first ones, and what was begun of one more.
    pub(crate) fn truncate(&mut self, rows: usize) {
        match self {
            Self::Nothing(column)
            | Self::Text(column)
            | Self::Exact(column)
            | Self::Json(column) => column.truncate(rows),
            Self::Native(column) => column.truncate(rows),
            Self::Bool(column) => column.truncate(rows),
            Self::Int(column) => column.truncate(rows),
            Self::Float(column) => column.truncate(rows),
            Self::List(column) => column.truncate(rows),
            Self::Struct(column) => column.truncate(rows),
        }
    }

    /// Makes room for the rows of other columns of the same type.
    pub(crate) fn reserve(&mut self, others: &[&Self]) {
        /// Takes the columns of one sort out of `others`.
        macro_rules! of {
            ($($sort:pat => $column:expr),+) => {
                others.iter().filter_map(|other| match other {
                    $($sort => Some($column),)+
                    _ => None,
                }).collect::<Vec<_>>()
            };
        }
        match self {
            Self::Nothing(column)
            | Self::Text(column)
            | Self::Exact(column)
            | Self::Json(column) => column.reserve(&of!(
                Self::Nothing(one) | Self::Text(one) | Self::Exact(one) | Self::Json(one) => one
            )),
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
            (Self::Nothing(column), Self::Nothing(other))
            | (Self::Text(column), Self::Text(other))
            | (Self::Exact(column), Self::Exact(other))
            | (Self::Json(column), Self::Json(other)) => column.extend(other)?,
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
            Self::Nothing(column)
            | Self::Text(column)
            | Self::Exact(column)
            | Self::Json(column) => column.finish(),
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
