//! The caller's checks and serde's errors, whose rejections become violations.

use std::fmt;
use std::sync::Arc;

use llmjson_schema::{Found, Path, Violation};
use llmjson_syntax::Document;
use serde::de::DeserializeOwned;

use llmjson_reply::report::Issues;
use llmjson_reply::report::{Issue, IssueCode};
use llmjson_reply::{DeserializeExt, Parsed};

/// A check of values that satisfy the schema.
#[derive(Clone)]
pub(super) struct Check(Arc<Run>);

type Run = dyn Fn(&Parsed<'_>) -> Vec<Violation> + Send + Sync;

impl Check {
    pub(super) fn new<T: DeserializeOwned>(
        check: impl Fn(&T, &mut Issues<'_>) + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(move |parsed| {
            match parsed.document.deserialize() {
                Ok(value) => {
                    let document = &parsed.document;
                    let mut found = Issues::about(document.root());
                    check(&value, &mut found);
                    let issues = found.into_issues().into_iter();
                    issues.map(|issue| rejected(document, issue)).collect()
                }
                Err(error) => vec![error.violation(&parsed.document, parsed.schema.as_ref())],
            }
        }))
    }

    /// Adds the check's rejections to the violations.
    pub(super) fn run(&self, parsed: &mut Parsed<'_>) {
        for violation in (self.0)(parsed) {
            if !parsed.violations.contains(&violation) {
                parsed.violations.push(violation);
            }
        }
    }
}

/// Judges the values that were read, instead of the schema.
#[derive(Clone)]
pub(super) struct Judge(pub(super) Arc<Rule>);

type Rule = dyn Fn(&mut Parsed<'_>) + Send + Sync;

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Judge(..)")
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Check(..)")
    }
}

/// Returns `true` if the expectation of a violation is a sentence of the check that rejects the
/// value.
pub(super) fn is_sentence(violation: &Violation) -> bool {
    violation.keyword == IssueCode::CheckFailed.name()
}

/// The violation for a rejection by the caller's check.
fn rejected(document: &Document<'_>, issue: Issue) -> Violation {
    let (expected, description) = match issue.expected.is_empty() {
        true => (issue.message, issue.suggestion),
        false => (issue.expected, Some(issue.message)),
    };
    let violation = violation(document, issue.path, issue.code.name(), &expected);
    match description {
        Some(description) => violation.with_description(description),
        None => violation,
    }
}

fn violation(
    document: &Document<'_>,
    path: Path,
    keyword: &'static str,
    expected: &str,
) -> Violation {
    let root = document.root();
    let found = root.and_then(|root| root.pointer(&path.to_pointer()));
    let found = found.map_or(Found::Missing, |value| Found::Value(value.id()));
    Violation::new(path, keyword, expected, found)
}
