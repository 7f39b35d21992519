//! What is wrong with tools themselves, found when they are registered.

use std::fmt;

/// How bad a [`Problem`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The tool can be used; a model may have trouble with it.
    Warning,
    /// The tool cannot be used.
    Error,
}

/// What sort of thing is wrong with a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProblemCode {
    /// The tool has no name, or one that comes twice.
    Name,
    /// The schema cannot be compiled, or takes no object.
    Schema,
    /// An example or default does not fit its own field.
    Example,
    /// A required group, alias or example names a field that is not declared, or a group is empty,
    /// of one or repeats a field.
    Field,
    /// No value can satisfy the schema: bounds that exclude each other, an enum without values.
    Contradiction,
    /// Options that exclude each other.
    Options,
    /// Names that are hard to tell apart.
    Names,
    /// What a provider refuses or ignores.
    Target,
}

impl ProblemCode {
    /// The stable snake_case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Schema => "schema",
            Self::Example => "example",
            Self::Field => "field",
            Self::Contradiction => "contradiction",
            Self::Options => "options",
            Self::Names => "names",
            Self::Target => "target",
        }
    }
}

/// One thing that is wrong with a tool.
///
/// Shown as one line: `send_sms, /properties/phone: …`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The tool.
    pub tool: String,
    /// What sort of thing.
    pub code: ProblemCode,
    /// How bad.
    pub severity: Severity,
    /// JSON Pointer to the place in the tool's schema; empty for the tool as a whole.
    pub pointer: String,
    /// What is wrong: lower case, without a full stop.
    pub message: String,
}

impl Problem {
    pub(super) fn error(tool: &str, code: ProblemCode, message: impl Into<String>) -> Self {
        Self {
            tool: tool.to_owned(),
            code,
            severity: Severity::Error,
            pointer: String::new(),
            message: message.into(),
        }
    }

    pub(super) fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = pointer.into();
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tool)?;
        if !self.pointer.is_empty() {
            write!(f, ", {}", self.pointer)?;
        }
        write!(f, ": {}", self.message)
    }
}
