//! Warnings about schema features that providers do not support.

use llmjson_schema::Schema;

use super::findings::Findings;
use llmjson_targets::{Lint, SchemaTarget};

/// A provider to check schemas for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetCheck {
    /// Warns about unsupported features.
    Warn(SchemaTarget),
    /// Rejects tools whose schema the provider cannot express, too.
    Require(SchemaTarget),
}

pub(super) fn check(targets: &[TargetCheck], schema: &Schema, findings: &mut Findings<'_>) {
    for check in targets {
        let (target, left) = match check {
            TargetCheck::Warn(target) => (target, Vec::new()),
            TargetCheck::Require(target) => (target, target.render(schema).unsupported().to_vec()),
        };
        let words = |lint: &Lint| format!("{target}: {}", lint.message);
        for lint in &left {
            findings.error(lint.code, lint.pointer.clone(), words(lint));
        }
        let is_left = |lint: &Lint| {
            let mut left = left.iter();
            left.any(|one| (&one.pointer, &one.keyword) == (&lint.pointer, &lint.keyword))
        };
        for lint in target.lint(schema) {
            if !is_left(&lint) {
                findings.warning(lint.code, lint.pointer.clone(), words(&lint));
            }
        }
    }
}
