//! Annotations of places in a value, without the feedback around them.

use crate::base::path::Path;
use crate::base::report::Violation;
use crate::base::text::SharedText;

/// An annotation of a place in a value.
///
/// ```
/// use llmjson_schema::{Annotation, AnnotationPath};
///
/// let annotation = Annotation::new(AnnotationPath::parse("$input.age"), "number")
///     .with_description("an age in years");
/// assert_eq!(annotation.path.to_string(), "$input.age");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Annotation {
    /// The path of the value.
    pub path: AnnotationPath,
    /// The expected value.
    pub expected: SharedText,
    /// The value there as JSON, if known. It is shown only if the path is not in the displayed
    /// value.
    pub value: Option<String>,
    /// A hint for the model.
    pub description: Option<SharedText>,
}

impl Annotation {
    /// Creates an annotation without a value and a description.
    #[must_use]
    pub fn new(path: impl Into<AnnotationPath>, expected: impl Into<SharedText>) -> Self {
        Self {
            path: path.into(),
            expected: expected.into(),
            value: None,
            description: None,
        }
    }

    /// Sets a hint for the model.
    #[must_use]
    pub fn with_description(self, description: impl Into<SharedText>) -> Self {
        Self {
            description: Some(description.into()),
            ..self
        }
    }

    /// Sets the value that was found, as JSON.
    #[must_use]
    pub fn with_value(self, value: impl Into<String>) -> Self {
        Self {
            value: Some(value.into()),
            ..self
        }
    }
}

impl From<&Violation> for Annotation {
    fn from(violation: &Violation) -> Self {
        Self {
            path: AnnotationPath::Place(violation.path.clone()),
            expected: violation.expected.clone(),
            value: None,
            description: violation.description.clone(),
        }
    }
}

/// The place of an [`Annotation`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnnotationPath {
    /// A value, or a missing member.
    Place(Path),
    /// A missing item at the end of the array at this path, written `$input.a[]`.
    NextItem(Path),
    /// Text that is not a path. The annotation is listed after the value.
    Text(String),
}

impl AnnotationPath {
    /// Parses a path in the format of [`Display`](std::fmt::Display); any other text is kept
    /// unchanged.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        if let Some(path) = Path::parse(text) {
            return Self::Place(path);
        }
        match text.strip_suffix("[]").and_then(Path::parse) {
            Some(path) => Self::NextItem(path),
            None => Self::Text(text.to_owned()),
        }
    }
}

impl From<Path> for AnnotationPath {
    fn from(path: Path) -> Self {
        Self::Place(path)
    }
}
