//! Problems of tools, found when they are registered.
//!
//! Each kind of check is a file of its own. They go over the [`subschemas`] of a schema, which are
//! collected once, in time linear in the size of the schema, as schemas may be untrusted.

mod contradictions;
mod examples;
mod fields;
mod findings;
mod metadata;
mod names;
mod options;
mod references;
mod subschemas;
mod targets;

use std::fmt;

use llmjson_schema::Schema;
use llmjson_syntax::Document;

use super::tool::Tool;
pub(super) use findings::Findings;
use llmjson_reply::names::named;
pub(super) use subschemas::Subschemas;
pub(super) use targets::TargetCheck;

/// The severity of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The tool can be used, but a model may have trouble with it.
    Warning,
    /// The tool cannot be used.
    Error,
}

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

/// Something wrong with a tool.
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
    /// JSON Pointer into the schema, or into the text of a [`ToolList`](super::ToolList); empty for the
    /// tool as a whole.
    pub pointer: String,
    /// What is wrong, in lower case and without a full stop.
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

    pub(super) fn warning(tool: &str, code: ProblemCode, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(tool, code, message)
        }
    }

    pub(super) fn at(mut self, pointer: impl Into<String>) -> Self {
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

/// Checks a tool and the text of its schema. Examples and defaults are only checked if the schema
/// could be compiled.
pub(super) fn check(
    tool: &Tool,
    text: &Document<'_>,
    schema: Option<&Schema>,
    targets: &[TargetCheck],
    findings: &mut Findings<'_>,
) {
    options::check(tool, findings);
    let is_strict = text.repairs().is_empty();
    let Some(root) = text.root().filter(|_| is_strict) else {
        return;
    };
    let subschemas = Subschemas::of(root);
    references::check(&subschemas, findings);
    metadata::check(&subschemas, text, findings);
    contradictions::check(&subschemas, findings);
    fields::check(tool, &subschemas, findings);
    names::check(tool, &subschemas, findings);
    if let Some(schema) = schema {
        examples::check(tool, &subschemas, findings);
        targets::check(targets, schema, findings);
    }
}
