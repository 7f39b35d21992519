//! A column of the result, as one piece of the replies has it.

use arrow_array::ArrayRef;

use crate::column::Column;
use crate::error::Error;
use crate::offsets::AppendError;
use crate::records::RecordsColumn;

/// A column of the result, as one piece of the replies has it.
#[derive(Debug)]
pub(crate) enum ColumnPart {
    Values(Column),
    Records(RecordsColumn),
}

impl ColumnPart {
    /// Makes room for the rows of the pieces that come next.
    pub(crate) fn reserve(&mut self, others: &[Self]) {
        let others = others.iter();
        match self {
            Self::Values(column) => {
                let columns = others.filter_map(|other| match other {
                    Self::Values(other) => Some(other),
                    Self::Records(_) => None,
                });
                column.reserve(&columns.collect::<Vec<_>>());
            }
            Self::Records(column) => {
                let columns = others.filter_map(|other| match other {
                    Self::Records(other) => Some(other),
                    Self::Values(_) => None,
                });
                column.reserve(&columns.collect::<Vec<_>>());
            }
        }
    }

    /// Adds the rows of the piece that comes next.
    pub(crate) fn extend(&mut self, other: Self) -> Result<(), AppendError> {
        match (self, other) {
            (Self::Values(column), Self::Values(other)) => column.extend(other),
            (Self::Records(column), Self::Records(other)) => column.extend(other),
            _ => Err(AppendError::Misfit),
        }
    }

    pub(crate) fn finish(self) -> Result<ArrayRef, Error> {
        match self {
            Self::Values(column) => column.finish(),
            Self::Records(column) => column.finish(),
        }
    }
}
