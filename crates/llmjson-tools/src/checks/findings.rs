//! The problems of a tool, up to a limit.

use super::problem::{Problem, ProblemCode, Severity};
use llmjson_targets::sentences;

/// The maximum number of problems listed for a tool; the rest is counted.
const PROBLEMS_MAX: usize = 100;

/// The maximum length of a name or value in a message, in characters.
const SHOWN_MAX: usize = 60;

/// The problems of one tool.
pub(crate) struct Findings<'t> {
    tool: &'t str,
    problems: Vec<Problem>,
    left_out: usize,
    has_errors: bool,
    has_schema_errors: bool,
}

impl<'t> Findings<'t> {
    pub(crate) fn of(tool: &'t str) -> Self {
        Self {
            tool,
            problems: Vec::new(),
            left_out: 0,
            has_errors: false,
            has_schema_errors: false,
        }
    }

    pub(crate) fn error(&mut self, code: ProblemCode, pointer: String, message: String) {
        self.push(Problem::error(self.tool, code, message).at(pointer));
    }

    pub(crate) fn warning(&mut self, code: ProblemCode, pointer: String, message: String) {
        self.push(Problem::warning(self.tool, code, message).at(pointer));
    }

    fn push(&mut self, problem: Problem) {
        let is_error = problem.severity == Severity::Error;
        self.has_errors |= is_error;
        self.has_schema_errors |= is_error && problem.code == ProblemCode::Schema;
        if self.problems.contains(&problem) {
            return;
        }
        match self.problems.len() < PROBLEMS_MAX {
            true => self.problems.push(problem),
            false => self.left_out += 1,
        }
    }

    /// Returns whether the limit is reached, so that messages are no longer needed.
    pub(crate) fn is_full(&self) -> bool {
        self.problems.len() >= PROBLEMS_MAX
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Returns whether there are errors in the schema itself.
    pub(crate) fn has_schema_errors(&self) -> bool {
        self.has_schema_errors
    }

    pub(crate) fn has_error_at(&self, pointer: &str) -> bool {
        let mut problems = self.problems.iter();
        problems.any(|one| one.severity == Severity::Error && one.pointer == pointer)
    }

    pub(crate) fn into_problems(mut self) -> Vec<Problem> {
        if self.left_out > 0 {
            let message = format!("{} more problems are not listed", self.left_out);
            let mut problem = Problem::warning(self.tool, ProblemCode::Schema, message);
            if self.has_errors {
                problem.severity = Severity::Error;
            }
            self.problems.push(problem);
        }
        self.problems
    }
}

/// Truncates a name or value for a message.
pub(super) fn shown(text: &str) -> String {
    shown_to(text, SHOWN_MAX)
}

/// Truncates a text to a number of characters.
pub(super) fn shown_to(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Formats names as a list with a conjunction; of many names only the first are listed.
pub(super) fn listed<'n>(names: impl IntoIterator<Item = &'n str>, word: &str) -> String {
    const NAMES_MAX: usize = 8;
    let mut names = names.into_iter();
    let first: Vec<String> = (names.by_ref().take(NAMES_MAX))
        .map(|name| format!("`{}`", shown(name)))
        .collect();
    let more = names.count();
    match &first[..] {
        names if more > 0 => format!("{} {word} {more} more", names.join(", ")),
        names => sentences::list(names, word),
    }
}
