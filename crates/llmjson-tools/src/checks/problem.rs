//! Problems of tools.

use std::fmt;

use llmjson_reply::names::named;

/// The severity of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// The tool can be used, but a model may have trouble with it.
    Warning,
    /// The tool cannot be used.
    Error,
}

named!(Severity: "warning" => Warning, "error" => Error);

/// The kind of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProblemCode {
    /// The name of the tool is missing, duplicated, or rejected by providers.
    Name,
    /// The schema cannot be compiled, or does not allow an object.
    Schema,
    /// An example or default does not match the schema of its field.
    Example,
    /// A required group, alias or example refers to an undeclared field, or a group is empty, has only
    /// one field or repeats a field.
    Field,
    /// No value satisfies the schema: conflicting bounds, an `enum` without values, a required field
    /// that is not declared.
    Contradiction,
    /// Conflicting options of the tool.
    Options,
    /// Fields or aliases with the same name, or with names that are hard to tell apart.
    Names,
    /// A malformed annotation, such as `examples` or `x-aliases`.
    Metadata,
    /// A provider rejects or ignores a keyword.
    Target,
}

named!(ProblemCode:
    "name" => Name, "schema" => Schema, "example" => Example, "field" => Field,
    "contradiction" => Contradiction, "options" => Options, "names" => Names,
    "metadata" => Metadata, "target" => Target
);

/// A problem of a tool.
///
/// Displays as one line: `send_sms, /properties/phone: …`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The name of the tool; empty if unknown.
    pub tool: String,
    /// The kind.
    pub code: ProblemCode,
    /// The severity.
    pub severity: Severity,
    /// JSON Pointer into the schema, or into the text of a [`ToolList`](crate::ToolList); empty for the
    /// tool as a whole.
    pub pointer: String,
    /// The problem in words: lower case, without a full stop.
    pub message: String,
}

impl Problem {
    pub(crate) fn error(tool: &str, code: ProblemCode, message: impl Into<String>) -> Self {
        Self {
            tool: tool.to_owned(),
            code,
            severity: Severity::Error,
            pointer: String::new(),
            message: message.into(),
        }
    }

    pub(crate) fn warning(tool: &str, code: ProblemCode, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(tool, code, message)
        }
    }

    pub(crate) fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = pointer.into();
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [&self.tool, &self.pointer].into_iter();
        let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
        for (at, part) in parts.iter().enumerate() {
            write!(f, "{}{part}", if at == 0 { "" } else { ", " })?;
        }
        write!(
            f,
            "{}{}",
            if parts.is_empty() { "" } else { ": " },
            self.message
        )
    }
}
