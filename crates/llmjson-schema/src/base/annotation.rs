//! An annotation about a place in a value, without the feedback around it.

use crate::base::path::Path;
use crate::base::report::Violation;
use crate::base::text::SharedText;

/// An annotation about a place in a value.
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
    /// The place.
    pub path: AnnotationPath,
    /// The expected value there.
    pub expected: SharedText,
    /// The JSON text of the value there, if known. It is shown only if the place is not in the
    /// value that is shown.
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

    /// Sets the JSON text of the value that was found.
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
    /// A value, or a member that is missing.
    Place(Path),
    /// An item that is missing at the end of the array at this place, written `$input.a[]`.
    NextItem(Path),
    /// A text that names no place. Such an annotation is listed behind the value.
    Text(String),
}

impl AnnotationPath {
    /// Parses a place as [`Display`](std::fmt::Display) writes it; any other text is kept as it is.
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
