//! A column of the result, as one piece of the replies has it.

use arrow_array::ArrayRef;

use crate::column::Column;
use crate::error::Error;
use crate::offsets::Refusal;
use crate::records::RecordsColumn;

/// A column of the result, as one piece of the replies has it.
#[derive(Debug)]
pub(crate) enum Part {
    Values(Column),
    Records(RecordsColumn),
}

impl Part {
    /// Adds the rows of the piece that comes next.
    pub(crate) fn extend(&mut self, other: Self) -> Result<(), Refusal> {
        match (self, other) {
            (Self::Values(column), Self::Values(other)) => column.extend(other),
            (Self::Records(column), Self::Records(other)) => column.extend(other),
            _ => Err(Refusal::Misfit),
        }
    }

    pub(crate) fn finish(self) -> Result<ArrayRef, Error> {
        match self {
            Self::Values(column) => column.finish(),
            Self::Records(column) => column.finish(),
        }
    }
}
