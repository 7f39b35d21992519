//! What the providers for which tools are meant do not take.

use llmjson_schema::Schema;

use super::{Findings, ProblemCode};
use crate::tools::target::{Lint, SchemaTarget};

/// A provider for which the tools are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meant {
    /// Tells what it does not take.
    For(SchemaTarget),
    /// Refuses tools that cannot be written for it.
    Required(SchemaTarget),
}

pub(super) fn check(targets: &[Meant], schema: &Schema, findings: &mut Findings<'_>) {
    for meant in targets {
        let (target, left) = match meant {
            Meant::For(target) => (target, Vec::new()),
            Meant::Required(target) => (target, target.render(schema).unsupported().to_vec()),
        };
        let words = |lint: &Lint| format!("{target}: {}", lint.message);
        for lint in &left {
            findings.error(ProblemCode::Target, lint.pointer.clone(), words(lint));
        }
        let is_left = |lint: &Lint| {
            let mut left = left.iter();
            left.any(|one| (&one.pointer, &one.keyword) == (&lint.pointer, &lint.keyword))
        };
        for lint in target.lint(schema) {
            if !is_left(&lint) {
                findings.warning(ProblemCode::Target, lint.pointer.clone(), words(&lint));
            }
        }
    }
}
