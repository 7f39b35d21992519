//! Lints: complaints about a schema, by the rules of a provider or of tool checks.

use std::fmt;

use llmjson_syntax::named;

/// The severity of a [`Lint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// The schema or the tool can be used, but a model may have trouble with it.
    Warning,
    /// The provider rejects the schema, or the tool cannot be used.
    Error,
}

named!(Severity: "warning" => Warning, "error" => Error);

/// The kind of a [`Lint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LintCode {
    /// The provider accepts the keyword but does not enforce it.
    Ignored,
    /// The rendered schema cannot express it: it is less strict there, or requires another form.
    Lost,
    /// The provider rejects the schema with an error.
    Refused,
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
    /// Fields or aliases with the same name, or with names that are hard to distinguish.
    Names,
    /// A malformed annotation, such as `examples` or `x-aliases`.
    Metadata,
}

named!(LintCode:
    "ignored" => Ignored, "lost" => Lost, "refused" => Refused,
    "name" => Name, "schema" => Schema, "example" => Example, "field" => Field,
    "contradiction" => Contradiction, "options" => Options, "names" => Names,
    "metadata" => Metadata
);

impl LintCode {
    /// Returns `true` for features that a provider does not support, as [`SchemaTarget::lint`] and
    /// [`Rendered::unsupported`] list them.
    ///
    /// [`SchemaTarget::lint`]: crate::SchemaTarget::lint
    /// [`Rendered::unsupported`]: crate::Rendered::unsupported
    #[must_use]
    pub const fn is_of_provider(self) -> bool {
        matches!(self, Self::Ignored | Self::Lost | Self::Refused)
    }

    /// Returns the severity for a schema by itself: only features that a provider rejects are
    /// errors.
    pub(super) const fn severity_in_schema(self) -> Severity {
        match self {
            Self::Ignored | Self::Lost => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

/// A complaint about a schema, by the rules of a provider or of tool checks.
///
/// Displays as one line: `send_sms, /properties/phone: …`, or without a tool and for a provider
/// `ignored at /properties/phone/pattern: …`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lint {
    /// The name of the tool; empty if unknown, or if the schema does not belong to a tool.
    pub tool: String,
    /// The kind.
    pub code: LintCode,
    /// The severity.
    pub severity: Severity,
    /// JSON Pointer into the original schema, to the keyword, or, if the keyword is missing, to the
    /// subschema that lacks it; for a tool list, into its text. Empty for the root, and for the
    /// tool as a whole.
    pub pointer: String,
    /// The keyword that a provider does not support; empty otherwise.
    pub keyword: String,
    /// A sentence without a full stop that says what is wrong, and for providers how rendering
    /// remedies it.
    pub message: String,
}

impl Lint {
    /// Creates a lint about a whole schema, without a tool.
    #[must_use]
    pub fn new(severity: Severity, code: LintCode, message: impl Into<String>) -> Self {
        Self {
            tool: String::new(),
            code,
            severity,
            pointer: String::new(),
            keyword: String::new(),
            message: message.into(),
        }
    }

    /// Sets the name of the tool.
    #[must_use]
    pub fn with_tool(mut self, tool: impl Into<String>) -> Self {
        self.tool = tool.into();
        self
    }

    /// Sets the JSON Pointer.
    #[must_use]
    pub fn with_pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = pointer.into();
        self
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tool, pointer, message) = (&*self.tool, &*self.pointer, &self.message);
        match (tool, pointer) {
            ("", "") if self.code.is_of_provider() => {
                write!(f, "{} at the root: {message}", self.code)
            }
            ("", pointer) if self.code.is_of_provider() => {
                write!(f, "{} at {pointer}: {message}", self.code)
            }
            ("", "") => f.write_str(message),
            ("", place) | (place, "") => write!(f, "{place}: {message}"),
            (tool, pointer) => write!(f, "{tool}, {pointer}: {message}"),
        }
    }
}
