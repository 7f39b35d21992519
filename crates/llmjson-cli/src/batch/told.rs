//! The result of a line apart from its answer.

use std::borrow::Cow;

use llmjson::syntax::{Class, JsonOut, JsonText, write_string};
use llmjson_page::OtherRow;

use crate::commands::own_json;
use crate::findings::Findings;

use super::settings::{Settings, Tally};
use super::worst::Bad;

/// The result of a line.
#[derive(Default)]
pub(super) struct Told {
    pub(super) id: Option<String>,
    pub(super) tally: Tally,
    /// Other members of the line, each with a comma before it.
    pub(super) kept: String,
    /// Feedback for the model, if something is wrong and this is asked for.
    pub(super) feedback: Option<String>,
    /// The text of the row, if rows are wanted that are not ok.
    pub(super) row: Option<String>,
    pub(super) mended: Option<(String, Class)>,
}

impl Told {
    /// Counts the result of a reply.
    pub(super) fn count(
        &mut self,
        findings: &Findings<'_>,
        number: u64,
        line: &[u8],
        settings: &Settings,
    ) {
        self.tally.counts.count(&findings.shown(None));
        let failed = (settings.fail_on).reason(findings.complete, findings.certainty());
        let failed = failed.filter(|_| findings.value().is_some());
        self.tally.failed += u64::from(failed.is_some());
        if let Some(reason) = failed.filter(|_| self.feedback.is_none()) {
            self.feedback = Some(reason.to_owned());
        }
        if settings.worst {
            let id = self.id.as_deref().unwrap_or_default();
            let bad = Bad::of(number, id, line, findings);
            bad.into_iter().for_each(|bad| self.tally.worst.put(bad));
        }
    }

    /// Counts a line that cannot be used.
    pub(super) fn unusable(&self, number: u64, error: String, settings: &Settings) -> Tally {
        let mut tally = Tally::default();
        tally.counts.count_other(OtherRow::Unusable);
        if settings.worst {
            let id = self.id.as_deref().unwrap_or_default();
            tally.worst.put(Bad::of_error(number, id, &error));
        }
        tally.first_bad = Some((number, error));
        tally
    }

    /// Appends the row with its feedback, to be asked again; without a row, what is wrong with the line.
    pub(super) fn reject(&self, answer: &str, out: &mut String) {
        let row = self.row.as_deref().map(own_json);
        let Some(row) = row.as_ref().and_then(|row| row.root()) else {
            out.extend([answer, "\n"]);
            return;
        };
        let answer = own_json(answer);
        let error = answer.root().and_then(|answer| answer.get("error"));
        JsonText::at_end_of(out).object(|out| {
            let said = ["feedback", "error"];
            for (name, value) in row.members().filter(|(name, _)| !said.contains(&&**name)) {
                out.member(&name, value);
            }
            if let Some(feedback) = &self.feedback {
                out.member("feedback", feedback);
            }
            if let Some(error) = error {
                out.member("error", error);
            }
        });
        out.push('\n');
    }

    pub(super) fn keep(&mut self, others: &[(Cow<'_, str>, Cow<'_, str>)]) {
        for (name, value) in others {
            self.kept.push(',');
            write_string(name, &mut self.kept);
            self.kept.push(':');
            self.kept.push_str(value);
        }
    }
}
