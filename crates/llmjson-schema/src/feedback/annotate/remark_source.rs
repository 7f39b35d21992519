//! Remarks and violations, read where they are kept: as remarks, or as the violations of a value. A
//! value may have as many of these as the text has bytes, so none is copied to be shown.

use std::fmt;

use crate::base::path::Path;
use crate::base::report::Violation;

use crate::base::remark::{Remark, RemarkPath};

/// Remarks, and behind them violations.
#[derive(Clone, Copy)]
pub(crate) struct Said<'a> {
    remarks: &'a [Remark],
    violations: &'a [Violation],
}

/// One of them.
#[derive(Clone, Copy)]
pub(crate) struct Saying<'a> {
    pub(crate) spot: Spot<'a>,
    pub(crate) expected: &'a str,
    pub(super) value: Option<&'a str>,
    pub(super) description: Option<&'a str>,
}

/// The subject of a remark, as [`RemarkPath`].
#[derive(Clone, Copy)]
pub(crate) enum Spot<'a> {
    Place(&'a Path),
    NextItem(&'a Path),
    Text(&'a str),
}

impl<'a> Said<'a> {
    pub(crate) fn new(remarks: &'a [Remark], violations: &'a [Violation]) -> Self {
        Self {
            remarks,
            violations,
        }
    }

    pub(super) fn remarks(remarks: &'a [Remark]) -> Self {
        Self::new(remarks, &[])
    }

    pub(crate) fn len(self) -> usize {
        self.remarks.len() + self.violations.len()
    }

    /// Returns a source of the first `count` remarks.
    pub(super) fn first(self, count: usize) -> Self {
        let remarks = count.min(self.remarks.len());
        Self::new(
            &self.remarks[..remarks],
            &self.violations[..count - remarks],
        )
    }

    pub(crate) fn get(self, at: usize) -> Option<Saying<'a>> {
        match self.remarks.get(at) {
            Some(remark) => Some(remark.into()),
            None => {
                let violation = self.violations.get(at - self.remarks.len())?;
                Some(violation.into())
            }
        }
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Saying<'a>> {
        let violations = self.violations.iter().map(Saying::from);
        self.remarks.iter().map(Saying::from).chain(violations)
    }
}

impl<'a> From<&'a Remark> for Saying<'a> {
    fn from(remark: &'a Remark) -> Self {
        Self {
            spot: (&remark.path).into(),
            expected: &remark.expected,
            value: remark.value.as_deref(),
            description: remark.description.as_deref(),
        }
    }
}

impl<'a> From<&'a Violation> for Saying<'a> {
    fn from(violation: &'a Violation) -> Self {
        Self {
            spot: Spot::Place(&violation.path),
            expected: &violation.expected,
            value: None,
            description: violation.description.as_deref(),
        }
    }
}

impl<'a> From<&'a RemarkPath> for Spot<'a> {
    fn from(path: &'a RemarkPath) -> Self {
        match path {
            RemarkPath::Place(path) => Self::Place(path),
            RemarkPath::NextItem(path) => Self::NextItem(path),
            RemarkPath::Text(text) => Self::Text(text),
        }
    }
}

impl fmt::Display for Spot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(path) => path.fmt(f),
            Self::NextItem(path) => write!(f, "{path}[]"),
            Self::Text(text) => f.write_str(text),
        }
    }
}
