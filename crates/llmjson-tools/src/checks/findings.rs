//! The lints of a tool, up to a limit.

use llmjson_targets::sentences;
use llmjson_targets::{Lint, LintCode, Severity};

/// The maximum number of lints listed for a tool; the rest is counted.
const LINTS_MAX: usize = 100;

/// The maximum length of a name or value in a message, in characters.
const SHOWN_MAX: usize = 60;

/// The lints of one tool.
pub(crate) struct Findings<'t> {
    tool: &'t str,
    lints: Vec<Lint>,
    left_out: usize,
    has_errors: bool,
    has_schema_errors: bool,
}

impl<'t> Findings<'t> {
    pub(crate) fn of(tool: &'t str) -> Self {
        Self {
            tool,
            lints: Vec::new(),
            left_out: 0,
            has_errors: false,
            has_schema_errors: false,
        }
    }

    pub(crate) fn error(&mut self, code: LintCode, pointer: String, message: String) {
        self.add(Severity::Error, code, pointer, message);
    }

    pub(crate) fn warning(&mut self, code: LintCode, pointer: String, message: String) {
        self.add(Severity::Warning, code, pointer, message);
    }

    pub(crate) fn add(
        &mut self,
        severity: Severity,
        code: LintCode,
        pointer: String,
        message: String,
    ) {
        let lint = Lint::new(severity, code, message);
        self.push(lint.with_tool(self.tool).with_pointer(pointer));
    }

    fn push(&mut self, lint: Lint) {
        let is_error = lint.severity == Severity::Error;
        self.has_errors |= is_error;
        self.has_schema_errors |= is_error && lint.code == LintCode::Schema;
        if self.lints.contains(&lint) {
            return;
        }
        match self.lints.len() < LINTS_MAX {
            true => self.lints.push(lint),
            false => self.left_out += 1,
        }
    }

    /// Returns `true` if the limit is reached, so that messages are no longer needed.
    pub(crate) fn is_full(&self) -> bool {
        self.lints.len() >= LINTS_MAX
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Returns `true` if there are errors in the schema itself.
    pub(crate) fn has_schema_errors(&self) -> bool {
        self.has_schema_errors
    }

    pub(crate) fn has_error_at(&self, pointer: &str) -> bool {
        let mut lints = self.lints.iter();
        lints.any(|one| one.severity == Severity::Error && one.pointer == pointer)
    }

    pub(crate) fn into_lints(mut self) -> Vec<Lint> {
        if self.left_out > 0 {
            let message = format!("{} more problems are not listed", self.left_out);
            let mut lint =
                Lint::new(Severity::Warning, LintCode::Schema, message).with_tool(self.tool);
            if self.has_errors {
                lint.severity = Severity::Error;
            }
            self.lints.push(lint);
        }
        self.lints
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

/// Formats names as a list with a conjunction; if there are many, only the first are listed.
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
