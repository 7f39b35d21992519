//! Violations in a streamed reply that later text cannot resolve.

use llmjson_schema::{Found, Path, Step, Violation};
use llmjson_syntax::ValueRef;

use super::reply::Stream;
use crate::policy::Invalid;

/// A violation that later text cannot resolve, since its value is complete.
///
/// Unlike a [`Violation`], it stores what was found, because the value keeps growing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LastingViolation {
    /// The path of the value.
    pub path: Path,
    /// The type that the schema expects there, in typia's notation.
    pub expected: Box<str>,
    /// The value found there as JSON, or `None` if it is missing.
    pub found: Option<Box<str>>,
    /// The schema keyword that is violated.
    pub keyword: &'static str,
    /// A hint for the model.
    pub description: Option<Box<str>>,
}

/// The text must grow by this fraction before the value is validated again, so that all validations
/// cost no more than a few times the last one.
const GROWTH: usize = 16;

/// The violations found so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Lasting {
    found: Vec<LastingViolation>,
    /// Length that the text must reach before the next check.
    due: usize,
}

impl Stream {
    /// Returns the violations found so far that later text cannot resolve, because their values are
    /// complete. They don't apply if the reply turns out to mean another value than was shown
    /// ([`Finished::superseded`](super::Finished::superseded)).
    ///
    /// None are reported before the end if the policy drops invalid values, or if the schema has
    /// conditions (`if`) that may depend on later text.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Schema, stream::Stream};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"properties": {"days": {"type": "integer", "maximum": 31}, "city": {"type": "string"}}}"#,
    /// )?;
    /// let mut stream = Stream::new(Some(&schema));
    /// stream.push(r#"{"days": 4"#);
    /// assert!(stream.violations().is_empty());
    /// stream.push(r#"00, "city": "Os"#);
    /// let violation = &stream.violations()[0];
    /// assert_eq!(violation.path.to_string(), "$input.days");
    /// assert_eq!(violation.found.as_deref(), Some("400"));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    pub fn violations(&mut self) -> &[LastingViolation] {
        let length = self.stream().text().len();
        if length >= self.lasting.due {
            self.lasting.due = length + length / GROWTH + 1;
            self.look_for_lasting();
        }
        &self.lasting.found
    }

    fn look_for_lasting(&mut self) {
        let Some((schema, root)) = self.schema.as_ref().zip(self.value()) else {
            return;
        };
        let judging = self.policy.judges_by(schema);
        if !judging.judges_parts_alone() || self.policy.invalid() != Invalid::Report {
            return;
        }
        let mut news = Vec::new();
        for violation in judging.violations(root, self.policy.undeclared()) {
            let known = |one: &LastingViolation| {
                one.keyword == violation.keyword && one.path == violation.path
            };
            let lasts = whole_at(root, &violation).is_some_and(|at| self.is_settled(at));
            if lasts && !self.lasting.found.iter().chain(&news).any(known) {
                news.push(LastingViolation::of(root, &violation));
            }
        }
        self.lasting.found.append(&mut news);
    }
}

impl LastingViolation {
    fn of(root: ValueRef<'_>, violation: &Violation) -> Self {
        let found = match violation.found {
            Found::Value(_) => value_at(root, &violation.path.steps()),
            _ => None,
        };
        Self {
            path: violation.path.clone(),
            expected: (*violation.expected).into(),
            found: found.map(|value| value.to_json().into()),
            keyword: violation.keyword,
            description: violation.description.as_deref().map(Into::into),
        }
    }
}

/// Returns the value that must be complete for a violation to be final: the violating value, or the
/// object without the member. The root never is.
fn whole_at<'d>(root: ValueRef<'d>, violation: &Violation) -> Option<ValueRef<'d>> {
    let mut steps = violation.path.steps();
    if matches!(violation.found, Found::Missing) {
        steps.pop();
    }
    if steps.is_empty() {
        return None;
    }
    value_at(root, &steps)
}

fn value_at<'d>(root: ValueRef<'d>, steps: &[&Step]) -> Option<ValueRef<'d>> {
    steps.iter().try_fold(root, |value, step| match step {
        Step::Member(name) => value.get(name),
        Step::Index(at) => value.item(*at as usize),
    })
}
