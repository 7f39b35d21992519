//! Serialization of reports.

use std::collections::BTreeSet;

use llmjson_schema::Path;
use llmjson_syntax::{JsonOut, JsonText, Kind, Raw, ToJson};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::{BindReport, FieldEntry};
use crate::extend::Redaction;
use crate::layer::Layer;
use llmjson_reply::internal::guarded;
use llmjson_reply::internal::serialize_record;
use llmjson_reply::report::Issue;

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
        let members = 11 + usize::from(self.called.is_some());
        let mut report = serializer.serialize_struct("BindReport", members)?;
        report.serialize_field("tool", self.contract.name())?;
        if let Some(called) = self.called() {
            report.serialize_field("called", called)?;
        }
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

/// A part of a report with the values that the redaction hides.
struct Redacted<'r, T>(&'r T, Option<&'r Redaction>);

impl<T> Redacted<'_, T> {
    fn shows(&self, path: Option<&Path>) -> bool {
        match (self.1, path) {
            // If the path is unknown, the value is not shown.
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
        hidden.received = Some(REDACTED.to_owned());
        hidden.serialize(serializer)
    }
}

impl Serialize for Redacted<'_, FieldEntry> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let field = self.0;
        let path = field.field_path.as_ref().or(field.input_path.as_ref());
        if self.shows(path) && self.shows(field.input_path.as_ref()) {
            return field.serialize(serializer);
        }
        let mut hidden = field.clone();
        for value in [&mut hidden.before, &mut hidden.after]
            .into_iter()
            .flatten()
        {
            *value = REDACTED.to_owned();
        }
        hidden.serialize(serializer)
    }
}

impl FieldEntry {
    /// Returns the serialized form as JSON, with every digit of its numbers.
    #[must_use]
    pub fn to_json(&self) -> String {
        JsonText::of(self)
    }
}

impl ToJson for FieldEntry {
    fn put<O: JsonOut>(&self, out: &mut O) {
        let place = |path: &Option<Path>| path.as_ref().map(ToString::to_string);
        out.object(|out| {
            out.member("input_path", place(&self.input_path));
            out.member("field_path", place(&self.field_path));
            out.member("layer", self.layer.map(Layer::name));
            out.member("status", self.status.name());
            out.member("before", self.before.as_deref().map(Raw));
            out.member("after", self.after.as_deref().map(Raw));
            out.member("candidates", &self.candidates[..]);
            out.member("changes", &self.changes[..]);
            out.member("score", self.score.map(Score));
            out.name("runner_up");
            match &self.runner_up {
                None => out.null(),
                Some((name, score)) => {
                    out.open(Kind::Array);
                    name.put(out);
                    Score(*score).put(out);
                    out.close(Kind::Array);
                }
            }
        });
    }
}

/// A share of one, with its fraction.
struct Score(f64);

impl ToJson for Score {
    fn put<O: JsonOut>(&self, out: &mut O) {
        out.number(&format!("{:?}", self.0));
    }
}

/// Serializes without redaction.
impl Serialize for FieldEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_record(self, serializer)
    }
}
