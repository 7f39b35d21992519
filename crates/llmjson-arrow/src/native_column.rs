//! Columns of Arrow's own types for texts: dates, times, decimals, UUIDs and enumerated texts.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, Date32Array, Decimal128Array, DictionaryArray, FixedSizeBinaryArray, Int32Array,
    StringArray, Time64MicrosecondArray, TimestampMicrosecondArray,
};
use arrow_buffer::Buffer;
use llmjson::syntax::cursor::{Entry, EntryKind};

use crate::error::Error;
use crate::moment::{self, PRECISION, SCALE};
use crate::offsets::AppendError;
use crate::scalar_column::NumberColumn;
use crate::value_type::{UTC, UUID_BYTES, ValueType};

/// A column of texts that is being built, of which Arrow keeps numbers.
#[derive(Debug)]
pub(crate) enum NativeColumn {
    Date(NumberColumn<i32>),
    Time(NumberColumn<i64>),
    Moment(NumberColumn<i64>),
    Decimal(NumberColumn<i128>),
    Uuid(NumberColumn<i128>),
    Enum(NumberColumn<i32>, Texts),
}

/// Enumerated texts, and the place of each.
#[derive(Debug)]
pub(crate) struct Texts {
    texts: Arc<[Box<str>]>,
    places: HashMap<Box<str>, i32>,
}

/// Calls a closure with the numbers of a column, of whatever width.
macro_rules! numbers {
    ($self:expr, $column:ident => $what:expr) => {
        match $self {
            Self::Date($column) | Self::Enum($column, _) => $what,
            Self::Time($column) | Self::Moment($column) => $what,
            Self::Decimal($column) | Self::Uuid($column) => $what,
        }
    };
}

impl NativeColumn {
    /// A column without rows, if Arrow has a type of its own for such values.
    pub(crate) fn of(value_type: &ValueType) -> Option<Self> {
        Some(match value_type {
            ValueType::Date => Self::Date(NumberColumn::new()),
            ValueType::Time => Self::Time(NumberColumn::new()),
            ValueType::Moment => Self::Moment(NumberColumn::new()),
            ValueType::Decimal => Self::Decimal(NumberColumn::new()),
            ValueType::Uuid => Self::Uuid(NumberColumn::new()),
            ValueType::Enum(texts) => Self::Enum(NumberColumn::new(), Texts::of(texts)),
            _ => return None,
        })
    }

    #[inline]
    pub(crate) fn rows(&self) -> usize {
        numbers!(self, column => column.rows())
    }

    pub(crate) fn push(&mut self, entry: &Entry<'_, '_>) -> Result<(), AppendError> {
        let is_number = matches!(entry.kind(), EntryKind::Integer | EntryKind::Float);
        if let (Self::Decimal(column), true) = (&mut *self, is_number) {
            return column.push(moment::decimal(entry.raw()));
        }
        if entry.kind() != EntryKind::String {
            return Err(AppendError::Misfit);
        }
        let text = entry.decoded();
        match self {
            Self::Date(column) => column.push(moment::days(&text)),
            Self::Time(column) => column.push(moment::micros_of_day(&text)),
            Self::Moment(column) => column.push(moment::micros(&text)),
            Self::Decimal(column) => column.push(moment::decimal(&text)),
            Self::Uuid(column) => column.push(moment::uuid(&text)),
            Self::Enum(column, texts) => column.push(texts.places.get(&*text).copied()),
        }
    }

    pub(crate) fn push_null(&mut self) {
        numbers!(self, column => column.push_null());
    }

    /// Drops all rows but the first ones.
    pub(crate) fn truncate(&mut self, rows: usize) {
        numbers!(self, column => column.truncate(rows));
    }

    /// Adds the rows of another column of the same type.
    pub(crate) fn extend(&mut self, other: Self) -> Result<(), AppendError> {
        match (self, other) {
            (Self::Date(column), Self::Date(other))
            | (Self::Enum(column, _), Self::Enum(other, _)) => column.extend(other),
            (Self::Time(column), Self::Time(other))
            | (Self::Moment(column), Self::Moment(other)) => column.extend(other),
            (Self::Decimal(column), Self::Decimal(other))
            | (Self::Uuid(column), Self::Uuid(other)) => column.extend(other),
            _ => return Err(AppendError::Misfit),
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<ArrayRef, Error> {
        Ok(match self {
            Self::Date(column) => {
                let (values, validity) = column.into_parts();
                Arc::new(Date32Array::try_new(values, validity)?)
            }
            Self::Time(column) => {
                let (values, validity) = column.into_parts();
                Arc::new(Time64MicrosecondArray::try_new(values, validity)?)
            }
            Self::Moment(column) => {
                let (values, validity) = column.into_parts();
                let array = TimestampMicrosecondArray::try_new(values, validity)?;
                Arc::new(array.with_timezone(UTC))
            }
            Self::Decimal(column) => {
                let (values, validity) = column.into_parts();
                let array = Decimal128Array::try_new(values, validity)?;
                Arc::new(array.with_precision_and_scale(PRECISION, SCALE)?)
            }
            Self::Uuid(column) => {
                let (values, validity) = column.into_parts();
                let bytes: Vec<u8> = values
                    .iter()
                    .flat_map(|value| value.to_be_bytes())
                    .collect();
                let bytes = Buffer::from_vec(bytes);
                Arc::new(FixedSizeBinaryArray::try_new(UUID_BYTES, bytes, validity)?)
            }
            Self::Enum(column, texts) => {
                let (values, validity) = column.into_parts();
                let keys = Int32Array::try_new(values, validity)?;
                let texts = StringArray::from_iter_values(texts.texts.iter());
                Arc::new(DictionaryArray::<Int32Type>::try_new(
                    keys,
                    Arc::new(texts),
                )?)
            }
        })
    }
}

impl Texts {
    fn of(texts: &Arc<[Box<str>]>) -> Self {
        Self {
            texts: Arc::clone(texts),
            places: texts.iter().cloned().zip(0..).collect(),
        }
    }
}
