//! Failures, and the feedback for them.

use std::fmt;

use llmjson_syntax::{Document, Kind, LimitReached, Limits, LineIndex};
use serde_json::Value;

use crate::base::annotation::{Annotation, AnnotationPath};
use crate::base::path::Path;
use crate::base::refusal::{self, Refusal};
use crate::base::report::{Found, Violation};
use crate::base::undeclared::Undeclared;
use crate::coerce::invalid::keep_conforming;
use crate::convert::document_from_value;
use crate::feedback::annotate::{AnnotateOptions, AnnotationSource, FEEDBACK_BYTES, annotate_said};
use crate::schema::Schema;

/// Length beyond which values are truncated in messages.
const FOUND_SHOWN: usize = 60;

/// The reason for a failure.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// The reply holds no JSON.
    NoValue,
    /// A limit was exceeded before there was a value.
    Limit(LimitReached),
    /// The value does not satisfy the schema.
    Violations,
    /// The value could be read only with a change that is not allowed. Holds the first of these;
    /// [`Failure::refusals`] returns all.
    Refused(Refusal),
}

/// A reply or a value that cannot be used: the best value, its violations, and everything else that
/// [`stringify()`] writes.
/// It owns its text, so it can be kept, sent to other threads, and returned by `?`.
#[derive(Clone)]
pub struct Failure {
    // Boxed, so that a `Result` is no larger for the rare failure.
    parts: Box<Parts>,
}

#[derive(Clone)]
struct Parts {
    document: Document<'static>,
    reason: Reason,
    violations: Vec<Violation>,
    refusals: Vec<Refusal>,
    /// The annotations in addition to the violations.
    annotations: Vec<Annotation>,
    schema: Option<Schema>,
    feedback_bytes: usize,
    /// `true` if the text was borrowed for reading. A value that was given directly has no lines.
    is_lent: bool,
}

impl Failure {
    fn of(parts: Parts) -> Self {
        Self {
            parts: Box::new(parts),
        }
    }

    /// Creates a failure for a document without a value, or with a value that has these violations.
    #[must_use]
    pub fn new(
        document: Document<'_>,
        schema: Option<&Schema>,
        violations: Vec<Violation>,
    ) -> Self {
        let reason = match (document.limit(), document.root()) {
            (Some(limit), _) => Reason::Limit(limit),
            (None, None) => Reason::NoValue,
            (None, Some(_)) => Reason::Violations,
        };
        let annotations = match reason {
            Reason::Violations => Vec::new(),
            _ => vec![nothing_to_read(&reason, schema)],
        };
        Self::of(Parts {
            is_lent: document.borrowed_text().is_some(),
            document: document.into_owned(),
            reason,
            violations,
            refusals: Vec::new(),
            annotations,
            schema: schema.cloned(),
            feedback_bytes: FEEDBACK_BYTES,
        })
    }

    /// Adds the refusals of a value. Without a value they are ignored, except the refusal of a
    /// reply that repeats the schema.
    #[must_use]
    pub fn with_refusals(mut self, refusals: Vec<Refusal>) -> Self {
        if let Some(first @ Refusal::Schema(_)) = refusals.first() {
            self.parts.reason = Reason::Refused(*first);
            self.parts.annotations = vec![nothing_to_read(
                &self.parts.reason,
                self.parts.schema.as_ref(),
            )];
            self.parts.refusals = refusals;
            return self;
        }
        if let (Some(first), Some(_)) = (refusals.first(), self.parts.document.root()) {
            self.parts.reason = Reason::Refused(*first);
            let annotations = refusal::annotations(&self.parts.document, &refusals);
            self.parts.annotations.splice(0..0, annotations);
            self.parts.refusals = refusals;
        }
        self
    }

    /// Adds annotations to the violations, for rules that are not in a schema.
    #[must_use]
    pub fn with_annotations(mut self, annotations: Vec<Annotation>) -> Self {
        self.parts.annotations.extend(annotations);
        self
    }

    /// Creates a failure for a value with errors from another source.
    ///
    /// ```
    /// use llmjson_schema::{Failure, Annotation, AnnotationPath, stringify};
    ///
    /// let value = serde_json::json!({"age": -4});
    /// let annotation = Annotation::new(AnnotationPath::parse("$input.age"), "number & Minimum<0>");
    /// let feedback = stringify(&Failure::from_annotations(&value, vec![annotation]));
    /// assert!(feedback.contains(r#""age": -4 // ❌ [{"path":"$input.age","#));
    /// ```
    #[must_use]
    pub fn from_annotations(value: &Value, annotations: Vec<Annotation>) -> Failure {
        let document = document_from_value(value);
        let (reason, violations) = (Reason::Violations, Vec::new());
        Failure::of(Parts {
            document,
            reason,
            violations,
            refusals: Vec::new(),
            annotations,
            schema: None,
            feedback_bytes: FEEDBACK_BYTES,
            is_lent: false,
        })
    }

    /// Returns the value without its nonconforming parts, even required members, for callers that
    /// keep the valid part of a row. `None` if there is no value, or if the violation concerns the
    /// whole value.
    ///
    /// ```
    /// use llmjson_schema::Schema;
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"]}"#,
    /// )?;
    /// let failure = schema.validate(&serde_json::json!({"a": "x", "b": 2})).unwrap_err();
    /// let part = failure.conforming_part().expect("a member conforms");
    /// assert_eq!(part.to_json().as_deref(), Some(r#"{"b":2}"#));
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn conforming_part(&self) -> Option<Document<'static>> {
        let schema = self.parts.schema.as_ref()?;
        let mut document = self.parts.document.clone();
        keep_conforming(&mut document, schema, &self.parts.violations).then_some(document)
    }

    /// Returns the best value, with the record of how it was read.
    #[must_use]
    pub fn document(&self) -> &Document<'static> {
        &self.parts.document
    }

    /// Returns the reason.
    #[must_use]
    pub fn reason(&self) -> &Reason {
        &self.parts.reason
    }

    /// Returns the stable name of the reason.
    ///
    /// | name | meaning |
    /// |---|---|
    /// | `input_too_large` | the text is longer than the limit and was not looked at |
    /// | `limit_reached` | another limit was reached |
    /// | `json_parse_error` | there is no JSON, or none that could be read in a way that is allowed |
    /// | `unexpected_parse_result` | there is a value, but it is not of the type asked for |
    /// | `validation_error` | the value does not fit the schema |
    ///
    /// ```
    /// let schema = llmjson_schema::Schema::from_text(r#"{"type": "object"}"#)?;
    /// let failure = schema.validate(&serde_json::json!([1, 2])).unwrap_err();
    /// assert_eq!(failure.code(), "unexpected_parse_result");
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        let of_another_type =
            |one: &Violation| one.keyword == "type" && one.path.steps().is_empty();
        match &self.parts.reason {
            Reason::Limit(LimitReached::InputBytes { .. }) => "input_too_large",
            Reason::Limit(_) => "limit_reached",
            Reason::NoValue | Reason::Refused(_) => "json_parse_error",
            Reason::Violations if self.parts.violations.iter().any(of_another_type) => {
                "unexpected_parse_result"
            }
            Reason::Violations => "validation_error",
        }
    }

    /// Returns every violation of the schema.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.parts.violations
    }

    /// Returns everything in the reply that is not allowed, in text order.
    #[must_use]
    pub fn refusals(&self) -> &[Refusal] {
        &self.parts.refusals
    }

    /// Returns the annotations that [`stringify()`] writes next to the value, as a new vector.
    #[must_use]
    pub fn annotations(&self) -> Vec<Annotation> {
        let violations = self.told().iter().map(Annotation::from);
        self.parts
            .annotations
            .iter()
            .cloned()
            .chain(violations)
            .collect()
    }

    /// Returns the violations that are shown: none if reading did not end, since there is nothing
    /// to correct.
    fn told(&self) -> &[Violation] {
        match (self.parts.document.limit(), self.parts.document.root()) {
            // No violation of a truncated value is certain.
            (None, Some(_)) => &self.parts.violations,
            _ => &[],
        }
    }

    fn said(&self) -> AnnotationSource<'_> {
        AnnotationSource::new(&self.parts.annotations, self.told())
    }

    /// Sets the limits. Only [`feedback_bytes`](Limits::feedback_bytes) applies.
    ///
    /// ```
    /// use llmjson_schema::{Schema, stringify};
    /// use llmjson_syntax::Limits;
    ///
    /// let schema = Schema::from_text(r#"{"items": {"type": "string"}}"#)?;
    /// let value = serde_json::json!([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    /// let failure = schema.validate(&value).unwrap_err();
    /// let failure = failure.with_limits(Limits::DEFAULT.with_feedback_bytes(500));
    /// assert!(stringify(&failure).ends_with(" more validation errors not shown.**"));
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.parts.feedback_bytes = limits.feedback_bytes as usize;
        self
    }

    /// Returns the feedback, at most `max_bytes` long (the minimum is 256), or if `None`, within
    /// the [limits](Self::with_limits), by default 1,000,000 bytes. Valid parts are folded first;
    /// violations that do not fit are counted. If a reply holds no JSON value, this is stated
    /// before the block with the expectations.
    #[must_use]
    pub fn feedback(&self, max_bytes: Option<usize>) -> String {
        let lead = match self.parts.reason {
            Reason::NoValue => "The reply holds no JSON value.\n\n",
            _ => "",
        };
        let max_bytes = max_bytes.unwrap_or(self.parts.feedback_bytes);
        let options = AnnotateOptions {
            schema: self.parts.schema.as_ref(),
            max_bytes: Some(max_bytes.saturating_sub(lead.len())),
        };
        let mut feedback = annotate_said(self.parts.document.root(), self.said(), &options);
        feedback.insert_str(0, lead);
        feedback
    }
}

impl Failure {
    /// Writes the value at the place of the first violation.
    fn show_found(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.parts.violations.first() else {
            return Ok(());
        };
        let description = first.description.as_deref().unwrap_or_default();
        if first.keyword == "deserialize" && description.contains(", found ") {
            return Ok(());
        }
        let Found::Value(found) = first.found else {
            return f.write_str(", found nothing");
        };
        let value = self.parts.document.node(found);
        match value.kind() {
            Kind::Object => f.write_str(", found an object"),
            Kind::Array => f.write_str(", found an array"),
            _ => {
                let json = value.to_json();
                match json.char_indices().nth(FOUND_SHOWN) {
                    Some((end, _)) => write!(f, ", found {}…", &json[..end]),
                    None => write!(f, ", found {json}"),
                }
            }
        }
    }

    /// Returns the line and column of the first violation, or of the innermost enclosing value that
    /// has a span in the text.
    fn show_position(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(first), Some(root)) = (self.parts.violations.first(), self.parts.document.root())
        else {
            return Ok(());
        };
        match first.path.span_in(root) {
            Some(span) if self.parts.is_lent => {
                let place = LineIndex::new(self.parts.document.text()).position(span.start);
                write!(f, ", line {} column {}", place.line, place.column)
            }
            _ => Ok(()),
        }
    }
}

/// Returns the annotation for a reply in which nothing was read.
fn nothing_to_read(reason: &Reason, schema: Option<&Schema>) -> Annotation {
    let expected = schema.map_or_else(|| "JSON value".to_owned(), Schema::expected);
    let description = match reason {
        Reason::Limit(limit) => format!("Nothing could be read: {limit}."),
        Reason::Refused(Refusal::Schema(_)) => {
            "The reply repeats the schema. Please answer with a value that satisfies it next time."
                .to_owned()
        }
        _ => "Please answer with the JSON value alone next time.".to_owned(),
    };
    Annotation::new(AnnotationPath::Place(Path::root()), expected).with_description(description)
}

/// Returns one sentence: the problem, and its first place.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.parts.reason {
            Reason::Limit(limit) => limit.fmt(f),
            Reason::NoValue if self.parts.document.text().trim().is_empty() => {
                f.write_str("the text is empty: there is no value to read")
            }
            Reason::NoValue => f.write_str("the reply holds no JSON value"),
            Reason::Refused(first @ Refusal::Schema(_)) => f.write_str(first.sentence()),
            Reason::Refused(first) => {
                let lines = LineIndex::new(self.parts.document.text());
                write!(f, "not allowed: {}", first.located(&lines))?;
                match self.parts.refusals.len().saturating_sub(1) {
                    0 => Ok(()),
                    more => write!(f, " (and {more} more)"),
                }
            }
            Reason::Violations => {
                let Some(first) = self.said().get(0) else {
                    return f.write_str("the value does not fit the schema");
                };
                match self.parts.violations.first() {
                    Some(one) if one.keyword == "check_failed" => {
                        f.write_str(first.expected.trim_end_matches('.'))?;
                    }
                    Some(one) if one.keyword == "deserialize" => {
                        let reason = one.description.as_deref().unwrap_or_default();
                        f.write_str(reason.trim_end_matches('.'))?;
                    }
                    _ => write!(f, "expected {}", first.expected)?,
                }
                self.show_found(f)?;
                write!(f, " at {}", first.spot)?;
                self.show_position(f)?;
                match self.said().len() - 1 {
                    0 => Ok(()),
                    more => write!(f, " (and {more} more)"),
                }
            }
        }
    }
}

/// Shows the code and the sentence; [`stringify()`] writes the whole value.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failure")
            .field("code", &self.code())
            .field("message", &format_args!("{self}"))
            .finish_non_exhaustive()
    }
}

impl std::error::Error for Failure {}

/// Writes feedback for the model: its value as JSON with the violations next to it.
///
/// The layout follows typia's `LlmJson.stringify`, because prompts and models are tuned to it. Its
/// length is [bounded](Failure::with_limits), by default to 1,000,000 bytes; [`Failure::feedback`]
/// takes another bound.
///
/// ```
/// use llmjson_schema::{Schema, stringify};
///
/// let schema = Schema::compile(&serde_json::json!({
///     "type": "object",
///     "properties": {"age": {"type": "number", "minimum": 0}},
///     "required": ["age"]
/// }))?;
/// let failure = schema.validate(&serde_json::json!({"age": -4})).unwrap_err();
/// assert_eq!(
///     stringify(&failure),
///     "```json\n\
///      {\n  \"age\": -4 // ❌ [{\"path\":\"$input.age\",\"expected\":\"number & Minimum<0>\"}]\n}\n\
///      ```"
/// );
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
#[must_use]
pub fn stringify(failure: &Failure) -> String {
    failure.feedback(None)
}

impl Schema {
    /// Checks whether a value satisfies the schema. Undeclared members are allowed unless the
    /// schema forbids them.
    ///
    /// # Errors
    ///
    /// Every violation, in a form that [`stringify()`] turns into feedback.
    pub fn validate(&self, value: &Value) -> Result<(), Failure> {
        self.validate_with(value, Undeclared::Keep)
    }

    /// Checks a value as [`validate`](Self::validate) does, and also rejects undeclared members,
    /// except in objects for which the schema allows them explicitly.
    ///
    /// # Errors
    ///
    /// Every violation, in a form that [`stringify()`] turns into feedback.
    pub fn validate_equals(&self, value: &Value) -> Result<(), Failure> {
        self.validate_with(value, Undeclared::Reject)
    }

    fn validate_with(&self, value: &Value, undeclared: Undeclared) -> Result<(), Failure> {
        let document = document_from_value(value);
        let violations = document
            .root()
            .map_or_else(Vec::new, |root| self.violations(root, undeclared));
        if violations.is_empty() && document.root().is_some() {
            return Ok(());
        }
        Err(Failure::new(document, Some(self), violations))
    }
}
