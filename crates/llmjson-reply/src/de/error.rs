//! Errors of reading a value into a type.

use std::fmt;

use llmjson_schema::{
    ConvertError, Failure, Found, Path, Reason, Refusal, Schema, Step, Violation,
};
use llmjson_syntax::{Document, LineIndex, Position, Span};
use serde::de::{self, Expected, Unexpected};

use crate::issue::IssueCode;

/// The end of a description if a string has its format only leniently.
const STRICT: &str =
    "; write it exactly as its format requires: 10:00:00Z, for example, instead of 10:00";

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The reply holds no value.
    NoValue,
    /// The value does not fit the type.
    Mismatch,
    /// A limit on length or depth was exceeded.
    Limit,
    /// The policy does not allow a change that reading the text requires.
    Refused,
    /// The value does not satisfy its schema.
    Violations,
}

/// A failure to read a value into a type.
///
/// Displays as one sentence with the path and, if known, the line and column.
#[derive(Clone, Debug)]
pub struct Error(Box<Details>);

#[derive(Clone, Debug)]
struct Details {
    kind: ErrorKind,
    message: String,
    expected: Option<String>,
    found: Option<String>,
    /// The steps to the place, the last one first: they are collected on the way out.
    steps: Vec<Step>,
    span: Option<Span>,
    position: Option<Position>,
    failure: Option<Failure>,
}

impl Error {
    fn new(kind: ErrorKind, message: String) -> Self {
        let (expected, found, span, position, failure) = (None, None, None, None, None);
        Self(Box::new(Details {
            kind,
            message,
            expected,
            found,
            steps: Vec::new(),
            span,
            position,
            failure,
        }))
    }

    /// Creates the error for a nonconforming value, at the place of its first violation.
    pub(crate) fn of_failure(failure: Failure) -> Self {
        let kind = match failure.reason() {
            Reason::NoValue => ErrorKind::NoValue,
            Reason::Limit(_) => ErrorKind::Limit,
            Reason::Refused(_) => ErrorKind::Refused,
            _ => ErrorKind::Violations,
        };
        let mut error = Self::new(kind, failure.to_string());
        match (failure.reason(), failure.violations().first()) {
            (Reason::Refused(first), _) => error.within(Some(first.span())),
            (Reason::Violations, Some(first)) => {
                let steps = first.path.steps().into_iter().rev().cloned();
                error.0.steps = steps.collect();
                error.0.expected = Some(first.expected.to_string());
                if let Found::Value(found) = first.found {
                    error.within(failure.document().node(found).span());
                }
            }
            _ => {}
        }
        let mut error = error.located(failure.document().text());
        error.0.failure = Some(failure);
        error
    }

    pub(super) fn no_value(text: &str) -> Self {
        let message = if text.trim().is_empty() {
            "the text is empty"
        } else {
            "no JSON in the text"
        };
        let mut error = Self::new(ErrorKind::NoValue, message.to_owned());
        // All of it was visited, so a missing part is missing at the end.
        error.0.span = u32::try_from(text.len()).ok().map(Span::at);
        error.located(text)
    }

    pub(super) fn limit(message: String) -> Self {
        Self::new(ErrorKind::Limit, message)
    }

    /// Returns the error for a value that no [`serde_json::Value`] can represent.
    pub(crate) fn convert(error: &ConvertError) -> Self {
        let kind = match error.is_too_deep() {
            true => ErrorKind::Limit,
            false => ErrorKind::Mismatch,
        };
        let mut converted = Self::new(kind, error.message());
        let steps = error.path().steps().into_iter().rev().cloned();
        converted.0.steps = steps.collect();
        converted
    }

    pub(super) fn refused(refusal: Refusal) -> Self {
        let message = format!("not allowed: {} ({})", refusal.sentence(), refusal.name());
        let mut error = Self::new(ErrorKind::Refused, message);
        error.0.span = Some(refusal.span());
        error
    }

    /// Returns the error for a number that the type does not accept. Its own text is more
    /// informative than a rounded value.
    pub(super) fn number(text: &str, expected: &dyn Expected) -> Self {
        let whole = text
            .bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_digit());
        Self::unfit(
            expected.to_string(),
            number_name(if whole { INTEGER } else { NUMBER }, text),
        )
    }

    fn unfit(expected: String, found: String) -> Self {
        let mut error = Self::new(
            ErrorKind::Mismatch,
            format!("expected {expected}, found {found}"),
        );
        error.0.expected = Some(expected);
        error.0.found = Some(found);
        error
    }

    /// Records that the error is below that step of a container.
    #[cold]
    pub(super) fn under(&mut self, step: Step) {
        self.0.steps.push(step);
    }

    /// Records that the error is inside a value; the innermost value with a span in the text wins.
    #[cold]
    pub(super) fn within(&mut self, span: Option<Span>) {
        self.0.span = self.0.span.or(span);
    }

    /// Returns the error with line and column in that text.
    pub(super) fn located(mut self, text: &str) -> Self {
        let start = self.0.span.map(|span| span.start);
        self.0.position = start.map(|start| LineIndex::new(text).position(start));
        self
    }

    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the path in the value; for a missing member, the path where it was expected.
    #[must_use]
    pub fn path(&self) -> Path {
        let mut path = Path::root();
        self.0
            .steps
            .iter()
            .rev()
            .for_each(|step| path.push(step.clone()));
        path
    }

    /// Returns what was expected, or `None` if that is not known.
    #[must_use]
    pub fn expected(&self) -> Option<&str> {
        self.0.expected.as_deref()
    }

    /// Returns what was found instead, or `None` if that is not known.
    #[must_use]
    pub fn found(&self) -> Option<&str> {
        self.0.found.as_deref()
    }

    /// Returns the byte span of the value in the text, if known.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.0.span
    }

    /// Returns the line and column where [`span`](Self::span) begins.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// Returns the message, in lower case and without a full stop. It excludes the position, except
    /// for a [failure](Self::failure).
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the error as a violation at its place in the document's value. It has the schema's
    /// expectation, or serde's without a schema. The description is serde's message.
    #[must_use]
    pub fn violation(&self, document: &Document<'_>, schema: Option<&Schema>) -> Violation {
        let path = self.path();
        let root = document.root();
        let value = root.and_then(|root| root.pointer(&path.to_pointer()));
        let found = value.map_or(Found::Missing, |value| Found::Value(value.id()));
        let asked = schema.and_then(|schema| schema.expected_at(&path));
        match (asked, self.expected()) {
            (Some(asked), _) => {
                let notes = root
                    .zip(schema)
                    .map(|(root, schema)| schema.format_notes(root));
                let is_lenient =
                    notes.is_some_and(|notes| notes.iter().any(|one| one.path == path));
                let strict = if is_lenient { STRICT } else { "" };
                let description = format!("{}{strict}", self.message());
                Violation::new(path, "deserialize", asked, found).with_description(description)
            }
            (None, Some(expected)) => Violation::new(path, "type", expected, found),
            (None, None) => {
                let keyword = IssueCode::CheckFailed.name();
                Violation::new(path, keyword, self.message(), found)
            }
        }
    }

    /// Returns why the value does not conform, for [`stringify()`](crate::stringify), or `None` if
    /// the error has another cause.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        self.0.failure.as_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if self.0.failure.is_some() {
            return Ok(());
        }
        write!(f, " at {}", self.path())?;
        match self.0.position {
            Some(Position { line, column }) => write!(f, ", line {line} column {column}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(ErrorKind::Mismatch, message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::unfit(expected.to_string(), name(&found))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::unfit(expected.to_string(), name(&found))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::unfit(expected.to_string(), format!("length {length}"))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let found = name(&Unexpected::Str(variant));
        Self::unfit(one_of(expected, "no variant"), found)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let found = format!("member {}", name(&Unexpected::Str(field)));
        Self::unfit(one_of(expected, "no members"), found)
    }

    fn missing_field(field: &'static str) -> Self {
        let mut error = Self::new(ErrorKind::Mismatch, format!("missing member `{field}`"));
        error.0.found = Some("nothing".to_owned());
        error.under(Step::Member(field.into()));
        error
    }
}

/// Returns the value that was found, in JSON terms. Long strings are truncated.
fn name(found: &Unexpected<'_>) -> String {
    const TEXT_BYTES_MAX: usize = 60;
    match found {
        Unexpected::Bool(value) => format!("`{value}`"),
        Unexpected::Unsigned(value) => number_name(INTEGER, &value.to_string()),
        Unexpected::Signed(value) => number_name(INTEGER, &value.to_string()),
        Unexpected::Float(value) => number_name(NUMBER, &value.to_string()),
        Unexpected::Str(text) if text.len() > TEXT_BYTES_MAX => {
            format!(
                "string {:?}…",
                &text[..text.floor_char_boundary(TEXT_BYTES_MAX)]
            )
        }
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::Seq => "an array".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        other => other.to_string(),
    }
}

const INTEGER: &str = "integer";
const NUMBER: &str = "number";

fn number_name(kind: &str, text: &str) -> String {
    const DIGITS_MAX: usize = 60;
    match text.get(..DIGITS_MAX) {
        Some(head) if text.len() > DIGITS_MAX => format!("{kind} `{head}…`"),
        _ => format!("{kind} `{text}`"),
    }
}

fn one_of(names: &[&str], none: &str) -> String {
    if names.is_empty() {
        return none.to_owned();
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(" or ")
}
