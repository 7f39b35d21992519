//! The settings of a batch, and its result.

use std::fmt;

use llmjson::{Policy, policy::FinishReason, syntax::ValueRef};

use llmjson_page::Batch;

use crate::args::{AskedArgs, FailOn};

use super::output::Answered;
use super::schemas::Schemas;
use super::worst::Worst;

/// A place in a row: a JSON Pointer, which begins with `/`, or the name of a member.
#[derive(Clone, Debug)]
pub(super) struct Place(pub(super) String);

impl Place {
    pub(super) fn of<'d>(&self, row: ValueRef<'d>) -> Option<ValueRef<'d>> {
        match self.0.starts_with('/') {
            true => row.pointer(&self.0),
            false => row.get(&self.0),
        }
    }

    /// Returns a hint for a path in another notation: `choices[0].text`, `.text`.
    pub(super) fn hint(&self) -> String {
        if self.0.starts_with('/') || !self.0.contains(['.', '[']) {
            return String::new();
        }
        let steps = self.0.trim_start_matches('$').split(['.', '[', ']']);
        let steps = steps.filter(|step| !step.is_empty());
        let pointer: String = steps.map(|step| format!("/{step}")).collect();
        format!("; as a JSON Pointer: {pointer}")
    }

    /// Returns the member of a row that it is, and not only lies in.
    pub(super) fn member(&self) -> Option<&str> {
        let name = self.0.strip_prefix('/').unwrap_or(&self.0);
        (!name.contains('/')).then_some(name)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The settings that all lines share.
pub(super) struct Settings {
    pub(super) text: Place,
    pub(super) id: Place,
    pub(super) schema_from: Place,
    pub(super) finish_from: Place,
    /// `true` if rows are from OpenAI's Batch API, which includes its errors.
    pub(super) openai: bool,
    /// The text of the schema for lines without one.
    pub(super) schema: Option<String>,
    /// The text of the list of tools for lines without one.
    pub(super) tools: Option<String>,
    pub(super) schemas: Schemas,
    /// The policy for lines without one.
    pub(super) policy: Policy,
    /// The name of the policy, if it was given.
    pub(super) policy_name: Option<String>,
    /// The options that hold under whatever policy.
    pub(super) asked: AskedArgs,
    /// Properties that a value must not have.
    pub(super) fail_on: FailOn,
    /// `true` if other members of a line are printed, too.
    pub(super) keep: bool,
    /// `true` if only values are printed.
    pub(super) only_values: bool,
    pub(super) feedback: bool,
    /// `true` if the rows that are not ok are wanted.
    pub(super) rejects: bool,
    pub(super) time: bool,
    /// The rows that are not to be answered again.
    pub(super) answered: Answered,
    /// `true` if the worst rows are wanted.
    pub(super) worst: bool,
    /// The reason why the model stopped writing, for lines that do not say.
    pub(super) finish: Option<FinishReason>,
}

/// The results of lines, counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) counts: Batch,
    /// Number of values that `--fail-on` counts as not conforming.
    pub(super) failed: u64,
    /// Number of rows that were answered before.
    pub(super) skipped: u64,
    /// Number of lines that were damaged and read all the same.
    pub(super) mended: u64,
    /// The first line that cannot be used, and why.
    pub(super) first_bad: Option<(u64, String)>,
    /// The worst rows, if a page is wanted.
    pub(super) worst: Worst,
}

impl Tally {
    pub(super) fn add(&mut self, other: Self) {
        self.counts.add(&other.counts);
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.mended += other.mended;
        self.first_bad = self.first_bad.take().or(other.first_bad);
        self.worst.add(other.worst);
    }

    /// Returns the number of lines that are not ok, though they can be used.
    pub(super) fn differing(&self) -> u64 {
        self.counts.rows - self.counts.ok - self.counts.bad
    }
}
