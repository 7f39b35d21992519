//! Annotations and violations, read in place: either annotations, or the violations of a value.
//! There may be as many as bytes in the value's text, so none is copied for display.

use std::fmt;

use crate::base::path::Path;
use crate::base::report::Violation;

use crate::base::annotation::{Annotation, AnnotationPath};

/// Annotations, followed by violations.
#[derive(Clone, Copy)]
pub(crate) struct AnnotationSource<'a> {
    annotations: &'a [Annotation],
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

/// The subject of an annotation, as [`AnnotationPath`].
#[derive(Clone, Copy)]
pub(crate) enum Spot<'a> {
    Place(&'a Path),
    NextItem(&'a Path),
    Text(&'a str),
}

impl<'a> AnnotationSource<'a> {
    pub(crate) fn new(annotations: &'a [Annotation], violations: &'a [Violation]) -> Self {
        Self {
            annotations,
            violations,
        }
    }

    pub(super) fn annotations(annotations: &'a [Annotation]) -> Self {
        Self::new(annotations, &[])
    }

    pub(crate) fn len(self) -> usize {
        self.annotations.len() + self.violations.len()
    }

    /// Returns a source of the first `count` remarks.
    pub(super) fn first(self, count: usize) -> Self {
        let annotations = count.min(self.annotations.len());
        Self::new(
            &self.annotations[..annotations],
            &self.violations[..count - annotations],
        )
    }

    pub(crate) fn get(self, at: usize) -> Option<Saying<'a>> {
        match self.annotations.get(at) {
            Some(annotation) => Some(annotation.into()),
            None => {
                let violation = self.violations.get(at - self.annotations.len())?;
                Some(violation.into())
            }
        }
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Saying<'a>> {
        let violations = self.violations.iter().map(Saying::from);
        self.annotations.iter().map(Saying::from).chain(violations)
    }
}

impl<'a> From<&'a Annotation> for Saying<'a> {
    fn from(annotation: &'a Annotation) -> Self {
        Self {
            spot: (&annotation.path).into(),
            expected: &annotation.expected,
            value: annotation.value.as_deref(),
            description: annotation.description.as_deref(),
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

impl<'a> From<&'a AnnotationPath> for Spot<'a> {
    fn from(path: &'a AnnotationPath) -> Self {
        match path {
            AnnotationPath::Place(path) => Self::Place(path),
            AnnotationPath::NextItem(path) => Self::NextItem(path),
            AnnotationPath::Text(text) => Self::Text(text),
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
