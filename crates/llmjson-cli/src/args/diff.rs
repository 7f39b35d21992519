//! Arguments of the command `diff`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

/// Compare two reports of `batch`: what a change of the model, the prompt or the schema did.
///
/// Rows belong together that have the same id. Prints the counts that differ, of classes, repairs,
/// coercions and violations, and the rows that got better or worse.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
States of a row, the best first:
  certain, likely, guess  the value conforms and is as sure as that
  cut off                 it conforms, and is what is left of a text
  differs                 there is a value, and it does not conform or was refused
  no value                there is none, or the row could not be used
A row with as many violations less or more as before is also better or worse; one whose value is
another one, in the same state, has changed.

Examples:
  llmjson diff before.jsonl after.jsonl
  llmjson diff --json before.jsonl after.jsonl | jq -r '.worse[].id'

Exit code: 0 if no row got worse or is missing, 1 if one did, 2 if a report cannot be read.")]
pub(crate) struct DiffArgs {
    /// Print one JSON object with all counts and all rows.
    #[arg(long)]
    pub(crate) json: bool,
    /// Maximum number of rows that are listed of each kind.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) rows: usize,
    /// Report of `batch` before the change.
    #[arg(value_name = "A")]
    pub(crate) before: PathBuf,
    /// Report after it.
    #[arg(value_name = "B")]
    pub(crate) after: PathBuf,
}
