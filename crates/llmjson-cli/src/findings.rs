//! The result of one reply or value, in the form in which every command reports it.

use llmjson::tools::BindReport;
use llmjson::{
    Failure, Parsed, Schema,
    policy::Undeclared,
    report::{Coercion, FormatNote, Refusal, Report, Violation},
    stringify,
    syntax::{Class, Document, JsonOut, JsonText, Repair, ValueRef},
};
use llmjson_page::Reply;

/// A value and its report.
pub(crate) struct Findings<'t> {
    pub(crate) document: Document<'t>,
    pub(crate) coercions: Vec<Coercion>,
    pub(crate) violations: Vec<Violation>,
    /// The changes that the policy does not allow.
    pub(crate) refused: Vec<Refusal>,
    format_notes: Vec<FormatNote>,
    pub(crate) complete: bool,
    /// Class of the row that it came from, which is less than certain if that was damaged.
    pub(crate) row: Class,
}

impl<'t> Findings<'t> {
    /// The findings of a reply.
    pub(crate) fn of(parsed: Parsed<'t>) -> Self {
        Self {
            coercions: parsed.coercions().to_vec(),
            violations: parsed.violations().to_vec(),
            refused: parsed.refused().to_vec(),
            format_notes: parsed.format_notes().to_vec(),
            complete: parsed.is_complete(),
            row: Class::Certain,
            document: parsed.into_document(),
        }
    }

    /// The findings of the arguments of a call.
    pub(crate) fn of_report(report: &BindReport) -> Self {
        let failure = report.failure();
        Self {
            coercions: report.coercions().to_vec(),
            violations: failure.violations().to_vec(),
            refused: failure.refusals().to_vec(),
            format_notes: report.format_notes().to_vec(),
            complete: report.is_complete(),
            row: Class::Certain,
            document: report.document().clone(),
        }
    }

    /// The findings of a document without a schema.
    pub(crate) fn read(document: Document<'t>) -> Self {
        Self {
            complete: document.is_complete(),
            document,
            coercions: Vec::new(),
            violations: Vec::new(),
            refused: Vec::new(),
            format_notes: Vec::new(),
            row: Class::Certain,
        }
    }

    /// Judges a value that was read strictly.
    pub(crate) fn judge(document: Document<'t>, schema: &Schema, undeclared: Undeclared) -> Self {
        let violations = violations(&document, schema, undeclared);
        let format_notes = document.root().map(|root| schema.format_notes(root));
        Self {
            violations,
            format_notes: format_notes.unwrap_or_default(),
            ..Self::read(document)
        }
    }

    /// Validates the value again, and rejects undeclared keys.
    pub(crate) fn reject_undeclared(&mut self, schema: &Schema) {
        self.violations = violations(&self.document, schema, Undeclared::Reject);
    }

    pub(crate) fn value(&self) -> Option<ValueRef<'_>> {
        self.document.root()
    }

    /// Returns how certain the value is.
    pub(crate) fn certainty(&self) -> Class {
        self.report().certainty().max(self.row)
    }

    /// Returns the report, as `--report` prints it.
    pub(crate) fn report(&self) -> Report<'_> {
        let Self {
            document,
            coercions,
            violations,
            refused,
            format_notes,
            complete,
            ..
        } = self;
        Report::of(document, coercions, violations, refused)
            .with_complete(*complete)
            .with_format_notes(format_notes)
    }

    /// Returns what is shown of it to people.
    pub(crate) fn shown(&self, feedback: Option<String>) -> Reply<'_> {
        let mut reply = Reply::read(&self.document);
        reply.coercions = &self.coercions;
        reply.violations = &self.violations;
        reply.refused = &self.refused;
        reply.format_notes = &self.format_notes;
        reply.is_complete = self.complete;
        reply.feedback = feedback;
        reply
    }

    /// Returns the feedback for the model, if the value cannot be used.
    pub(crate) fn feedback(&self, schema: Option<&Schema>) -> Option<String> {
        if self.conforms() {
            return None;
        }
        let (violations, refused) = (self.violations.clone(), self.refused.clone());
        let failure = Failure::new(self.document.clone(), schema, violations);
        Some(stringify(&failure.with_refusals(refused)))
    }

    /// Writes how sure the value is, `null` if there is none.
    pub(crate) fn write_certainty(&self, out: &mut JsonText<'_>) {
        let certainty = self.value().map(|_| self.certainty().name());
        out.member("certainty", certainty);
    }

    /// Returns `true` if there is a value, with a schema it fits, and the policy allows it.
    pub(crate) fn conforms(&self) -> bool {
        self.value().is_some() && self.violations.is_empty() && self.refused.is_empty()
    }
}

/// Writes a repair with its place in the text.
pub(crate) fn write_repair(repair: &Repair, out: &mut JsonText<'_>) {
    out.member("kind", repair.kind.name());
    out.member("class", repair.class.name());
    out.member("start", repair.span.start);
    out.member("end", repair.span.end);
}

fn violations(document: &Document<'_>, schema: &Schema, undeclared: Undeclared) -> Vec<Violation> {
    document
        .root()
        .map_or_else(Vec::new, |root| schema.violations(root, undeclared))
}
