//! What came of one reply or value, in the form in which every command reports it.

use llmjson::{Coercion, Document, Parsed, Schema, Undeclared, ValueRef, Violation};

/// A value, and all that is to be said about it.
pub(crate) struct Findings<'t> {
    pub(crate) document: Document<'t>,
    pub(crate) coercions: Vec<Coercion>,
    pub(crate) violations: Vec<Violation>,
    pub(crate) complete: bool,
}

impl<'t> Findings<'t> {
    /// What a reply gave.
    pub(crate) fn of(parsed: Parsed<'t>) -> Self {
        Self {
            coercions: parsed.coercions().to_vec(),
            violations: parsed.violations().to_vec(),
            complete: parsed.is_complete(),
            document: parsed.into_document(),
        }
    }

    /// What a value that was read strictly is worth.
    pub(crate) fn judge(document: Document<'t>, schema: &Schema, undeclared: Undeclared) -> Self {
        let violations = violations(&document, schema, undeclared);
        let (coercions, complete) = (Vec::new(), document.is_complete());
        Self {
            document,
            coercions,
            violations,
            complete,
        }
    }

    /// Judges anew, members that the schema does not declare included.
    pub(crate) fn reject_undeclared(&mut self, schema: &Schema) {
        self.violations = violations(&self.document, schema, Undeclared::Reject);
    }

    pub(crate) fn value(&self) -> Option<ValueRef<'_>> {
        self.document.root()
    }

    /// Whether there is a value and, with a schema, it fits.
    pub(crate) fn conforms(&self) -> bool {
        self.value().is_some() && self.violations.is_empty()
    }
}

fn violations(document: &Document<'_>, schema: &Schema, undeclared: Undeclared) -> Vec<Violation> {
    document
        .root()
        .map_or_else(Vec::new, |root| schema.violations(root, undeclared))
}
