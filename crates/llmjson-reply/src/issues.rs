//! Rejections by the caller's checks.

use llmjson_schema::{Path, Step};
use llmjson_syntax::{Kind, ValueRef};

use crate::issue::{Issue, IssueCode};
use crate::pointer;

/// Collects rejections by the caller's checks: see `Bound::check` and `Retry::with_check`.
#[derive(Debug)]
pub struct Issues<'r> {
    arguments: Option<ValueRef<'r>>,
    issues: Vec<Issue>,
}

impl<'r> Issues<'r> {
    /// Starts without issues for these arguments.
    #[must_use]
    pub fn about(arguments: Option<ValueRef<'r>>) -> Self {
        let issues = Vec::new();
        Self { arguments, issues }
    }

    /// Returns the collected issues.
    #[must_use]
    pub fn into_issues(self) -> Vec<Issue> {
        self.issues
    }

    /// Rejects the value at a path, with a reason that is shown to the model. The path is a member
    /// name, a JSON Pointer (`/guests/0`) or a path as in feedback (`$input.guests[0]`).
    pub fn reject(&mut self, place: &str, reason: impl Into<String>) {
        let path = path_of(place, self.arguments);
        self.issues
            .push(Issue::new(IssueCode::CheckFailed, path, reason));
    }

    /// Adds an issue.
    pub fn push(&mut self, issue: Issue) {
        self.issues.push(issue);
    }
}

fn path_of(place: &str, arguments: Option<ValueRef<'_>>) -> Path {
    if let Some(path) = Path::parse(place) {
        return path;
    }
    let mut path = Path::root();
    let Some(steps) = place.strip_prefix('/') else {
        return if place.is_empty() {
            path
        } else {
            path.member(place)
        };
    };
    let mut value = arguments;
    for step in steps.split('/') {
        let name = pointer::unescaped(step);
        let is_list = value.is_some_and(|value| value.kind() == Kind::Array);
        let index = name.parse().ok().filter(|_| is_list);
        value = value.and_then(|value| match index {
            Some(index) => value.item(index as usize),
            None => value.get(&name),
        });
        path.push(match index {
            Some(index) => Step::Index(index),
            None => Step::Member(name.into()),
        });
    }
    path
}
