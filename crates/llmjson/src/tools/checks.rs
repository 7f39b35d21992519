//! What is wrong with tools themselves, found when they are registered.
//!
//! Each sort of check is a file of its own. All of them go over the places of a schema
//! ([`places`](places)), which are found once, and take time that grows with the schema alone: schemas
//! come from strangers.

mod contradictions;
mod declared;
mod examples;
mod findings;
mod metadata;
mod names;
mod options;
mod places;
mod references;
mod targets;

use std::fmt;

use llmjson_schema::Schema;
use llmjson_syntax::Document;

use super::tool::Tool;
pub(super) use findings::Findings;
pub(super) use places::{Places, Pointers};
pub(super) use targets::Meant;

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
    /// The tool has no name, or one that comes twice or that providers refuse.
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
    /// Fields of the same name, or with names that are hard to tell apart.
    Names,
    /// A keyword that says more about a field is not as it has to be.
    Metadata,
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
            Self::Metadata => "metadata",
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
    /// The tool; empty where its name is not known.
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

/// Checks a tool and the text of its schema. What has to be compiled for that, which is little and
/// only where there are examples or defaults, is compiled if the schema itself could be.
pub(super) fn check(
    tool: &Tool,
    text: &Document<'_>,
    schema: Option<&Schema>,
    targets: &[Meant],
    findings: &mut Findings<'_>,
) {
    options::check(tool, findings);
    let is_strict = text.repairs().is_empty();
    let Some(root) = text.root().filter(|_| is_strict) else {
        return;
    };
    let places = Places::of(root);
    references::check(&places, findings);
    metadata::check(&places, text, findings);
    contradictions::check(&places, findings);
    declared::check(tool, &places, findings);
    names::check(tool, &places, findings);
    if let Some(schema) = schema {
        examples::check(tool, &places, findings);
        targets::check(targets, schema, findings);
    }
}
