//! Arguments of the command `diff`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

/// Compare two reports of `batch`, such as before and after a change of the prompt.
///
/// Matches rows by id. Prints the counts of classes, repairs, coercions and violations that differ, and the rows that
/// got better or worse.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
States of a row, the best first:
  certain, likely, guess  the value conforms, with this certainty
  truncated               the value conforms, but the text was truncated
  differs                 there is a value, but it does not conform or the policy rejects it
  no value                there is no value, or the row could not be used
Within a state, a row with fewer violations is better, with more is worse. A row whose value
differs but whose state does not is changed.

Examples:
  llmjson diff before.jsonl after.jsonl
  llmjson diff --json before.jsonl after.jsonl | jq -r '.worse[].id'

Exit code: 0 if no row got worse or is missing, 1 if one did, 2 if a report cannot be read.")]
pub(crate) struct DiffArgs {
    /// Print one JSON object with all counts and all rows.
    #[arg(long)]
    pub(crate) json: bool,
    /// Maximum number of rows to list of each kind.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) rows: usize,
    /// Report of `batch` before the change.
    #[arg(value_name = "A")]
    pub(crate) before: PathBuf,
    /// Report of `batch` after the change.
    #[arg(value_name = "B")]
    pub(crate) after: PathBuf,
}
