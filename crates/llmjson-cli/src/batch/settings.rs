//! The settings of a batch, and its result.

use llmjson::{Policy, policy::FinishReason};

use llmjson_page::Batch;

use crate::args::{AskedArgs, FailOn};

use super::schemas::Schemas;
use super::worst::Worst;

/// The settings that all lines share.
pub(super) struct Settings {
    pub(super) input_key: String,
    pub(super) schema_key: String,
    /// The text of the schema for lines without one.
    pub(super) schema: Option<String>,
    /// The text of the list of tools for lines without one.
    pub(super) tools: Option<String>,
    pub(super) schemas: Schemas,
    /// The policy for lines without one.
    pub(super) policy: Policy,
    /// Its name, if one was asked for.
    pub(super) policy_name: Option<String>,
    /// The options that hold under whatever policy.
    pub(super) asked: AskedArgs,
    /// Properties that a value must not have.
    pub(super) fail_on: FailOn,
    /// `true` if other members of a line are printed, too.
    pub(super) keep: bool,
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
    /// The worst rows, if a page is wanted.
    pub(super) worst: Worst,
}

impl Tally {
    pub(super) fn add(&mut self, other: Self) {
        self.counts.add(&other.counts);
        self.failed += other.failed;
        self.worst.add(other.worst);
    }

    /// Returns the number of lines that are not ok, though they can be used.
    pub(super) fn differing(&self) -> u64 {
        self.counts.rows - self.counts.ok - self.counts.bad
    }
}
