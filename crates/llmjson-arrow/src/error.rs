//! Errors of a column as a whole.

use std::fmt;

use arrow_schema::{ArrowError, DataType};

/// The reason why a column was not read. What is wrong with a single reply is never one: that is a row
/// of the result.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The column is of a type that holds no texts.
    NotText(DataType),
    /// A column of the result that would hold more than 2 GiB of text, or more than 2³¹ items.
    TooLong {
        /// The name of the column.
        column: &'static str,
    },
    /// The [cancel flag](crate::Options::with_cancel) was set.
    Cancelled,
    /// Arrow refused the columns that were built.
    Arrow(ArrowError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotText(found) => {
                write!(f, "replies are texts or bytes, and not of the type {found}")
            }
            Self::TooLong { column } => write!(
                f,
                "the column {column} would be longer than 2 GiB: pass the replies in smaller pieces"
            ),
            Self::Cancelled => f.write_str("reading was cancelled"),
            Self::Arrow(error) => write!(f, "the columns do not make an array: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Arrow(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ArrowError> for Error {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_is_too_long_says_what_to_do() {
        let error = Error::TooLong { column: "feedback" };
        let wanted =
            "the column feedback would be longer than 2 GiB: pass the replies in smaller pieces";
        assert_eq!(error.to_string(), wanted);
    }
}
