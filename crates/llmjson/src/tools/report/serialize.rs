//! Serialization of reports.

use std::collections::BTreeSet;

use llmjson_schema::Path;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::{BindReport, FieldEntry};
use crate::tools::extend::{Redaction, guarded};
use crate::tools::issue::{Issue, json, serialize_issue};

/// Replaces hidden values.
const REDACTED: &str = "\"[redacted]\"";

impl Serialize for BindReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let redaction = self.contract.extensions().redaction.as_ref();
        let fields = self.fields();
        let fields: Vec<_> = fields
            .iter()
            .map(|field| Redacted(field, redaction))
            .collect();
        let issues = self.issues().iter();
        let issues: Vec<_> = issues.map(|issue| Redacted(issue, redaction)).collect();
        let repairs = self.text_repairs().iter();
        let repairs: BTreeSet<_> = repairs.map(|repair| repair.kind.name()).collect();
        let warnings = self.contract.warnings().iter();
        let warnings: Vec<_> = warnings.map(ToString::to_string).collect();
        let mode = if self.contract.is_exact() {
            "exact"
        } else {
            "layered"
        };
        let mut report = serializer.serialize_struct("BindReport", 11)?;
        report.serialize_field("tool", self.contract.name())?;
        report.serialize_field("mode", mode)?;
        report.serialize_field("ok", &self.is_ok())?;
        report.serialize_field("complete", &self.is_complete())?;
        report.serialize_field("certainty", self.certainty().name())?;
        report.serialize_field("has_repairs", &self.has_repairs())?;
        report.serialize_field("uncertain", &self.is_uncertain())?;
        report.serialize_field("fields", &fields)?;
        report.serialize_field("issues", &issues)?;
        report.serialize_field("repairs", &repairs)?;
        report.serialize_field("warnings", &warnings)?;
        report.end()
    }
}

/// A part of a report whose values are hidden where the redaction says so.
struct Redacted<'r, T>(&'r T, Option<&'r Redaction>);

impl<T> Redacted<'_, T> {
    fn shows(&self, path: Option<&Path>) -> bool {
        match (self.1, path) {
            // What cannot be told is not shown.
            (Some(is_secret), Some(path)) => {
                guarded(|| is_secret(path)).is_ok_and(|is_secret| !is_secret)
            }
            _ => true,
        }
    }
}

impl Serialize for Redacted<'_, Issue> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let issue = self.0;
        let is_shown = self.shows(Some(&issue.path));
        if is_shown {
            return issue.serialize(serializer);
        }
        // The message repeats the value.
        let mut hidden = issue.clone();
        hidden.message = format!("{} at {}", issue.code, issue.path);
        serialize_issue(&hidden, Some(REDACTED), serializer)
    }
}

impl Serialize for Redacted<'_, FieldEntry> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let field = self.0;
        let path = field.field_path.as_ref().or(field.input_path.as_ref());
        let is_shown = self.shows(path) && self.shows(field.input_path.as_ref());
        let value = |text: &Option<String>| {
            let text = text.as_deref();
            text.map(|text| json(if is_shown { text } else { REDACTED }))
        };
        let place = |path: &Option<Path>| path.as_ref().map(ToString::to_string);
        let mut entry = serializer.serialize_struct("FieldEntry", 10)?;
        entry.serialize_field("input_path", &place(&field.input_path))?;
        entry.serialize_field("field_path", &place(&field.field_path))?;
        entry.serialize_field("layer", &field.layer.map(super::Layer::name))?;
        entry.serialize_field("status", field.status.name())?;
        entry.serialize_field("before", &value(&field.before))?;
        entry.serialize_field("after", &value(&field.after))?;
        entry.serialize_field("candidates", &field.candidates)?;
        entry.serialize_field("changes", &field.changes)?;
        entry.serialize_field("score", &field.score)?;
        entry.serialize_field("runner_up", &field.runner_up)?;
        entry.end()
    }
}

/// Serializes without redaction.
impl Serialize for FieldEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Redacted(self, None).serialize(serializer)
    }
}
