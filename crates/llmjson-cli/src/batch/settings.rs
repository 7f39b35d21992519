//! The settings of a batch, and its result.

use llmjson::{Policy, policy::FinishReason};

use super::schemas::Schemas;
use crate::args::AskedArgs;

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
    /// What was asked for under whatever policy.
    pub(super) asked: AskedArgs,
    /// Why the model stopped writing, for lines that do not say.
    pub(super) finish: Option<FinishReason>,
}

/// Counts of lines by result.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) lines: u64,
    pub(super) ok: u64,
    /// Lines that could not be used.
    pub(super) bad: u64,
}

impl Tally {
    pub(super) fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.ok += other.ok;
        self.bad += other.bad;
    }
}
