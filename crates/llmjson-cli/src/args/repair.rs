//! Arguments of the command `repair`.

use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;
use llmjson::Policy;
use llmjson::syntax::{Comments, EditOptions, Unfinished};

use super::{InputArgs, one_of, preset};
use crate::input::INPUT_BYTES_MAX;

/// Repair a text: print strict JSON that keeps the layout of the text.
///
/// Keeps white space, the order of keys and the spelling of numbers. Removes comments, fences and prose, and fixes
/// quotes, commas and brackets. Needs no schema. If comments are kept, the result is JSON with comments.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  llmjson repair settings.json                     print the repaired text
  llmjson repair --diff settings.json              print the changes
  llmjson repair --in-place *.json
  llmjson repair --check *.json                    exit with 1 if a file is not strict JSON
  llmjson repair --comments keep settings.jsonc    print JSON with comments

Exit code: 0 if every text has a value that the policy allows (with --check: needs no changes),
1 if not, 2 if a file cannot be read or written.")]
pub(crate) struct RepairArgs {
    /// Rewrite each file instead of printing its text.
    #[arg(long, short, conflicts_with_all = ["diff", "check"])]
    pub(crate) in_place: bool,
    /// Print the changes as a unified diff.
    #[arg(long)]
    pub(crate) diff: bool,
    /// Print the names of files that are not strict JSON; with `--comments keep`, not JSON with comments.
    #[arg(long)]
    pub(crate) check: bool,
    /// Treatment of a truncated member or number: drop it, or complete it with null or 0.
    #[arg(long, value_name = "HOW", default_value = "drop",
        value_parser = one_of(&[("drop", Unfinished::Drop), ("complete", Unfinished::Complete)]))]
    unfinished: Unfinished,
    /// Treatment of comments: drop them, or keep them (`#` becomes `//`).
    #[arg(long, value_name = "HOW", default_value = "drop",
        value_parser = one_of(&[("drop", Comments::Drop), ("keep", Comments::Keep)]))]
    comments: Comments,
    /// Policy for repairs: a value that it rejects is an error [default: lenient].
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Policy::PRESETS))]
    policy: Option<String>,
    /// Maximum length of a text, in bytes.
    #[arg(long, value_name = "N", default_value_t = INPUT_BYTES_MAX,
        value_parser = clap::value_parser!(u32).range(..i64::from(u32::MAX)))]
    pub(crate) max_bytes: u32,
    /// Read a text without JSON as a string.
    #[arg(long)]
    pub(crate) text: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

impl RepairArgs {
    pub(crate) fn options(&self) -> EditOptions {
        EditOptions::from(self.unfinished).with_comments(self.comments)
    }

    /// Returns the policy, if one was given.
    pub(crate) fn policy(&self) -> Option<Policy> {
        self.policy.as_deref().map(preset)
    }
}
