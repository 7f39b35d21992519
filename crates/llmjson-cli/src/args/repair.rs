//! Arguments of the command `repair`.

use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;
use llmjson::Policy;
use llmjson::syntax::{Comments, EditOptions, Unfinished};

use super::{InputArgs, preset};
use crate::input::INPUT_BYTES_MAX;

/// Print the text with its repairs made: strict JSON with the layout of the text.
///
/// White space, the order of members and the spelling of numbers stay as they are; comments, fences
/// and prose go, quotes, commas and brackets are put right. No schema is asked. With comments kept it
/// is JSON with comments.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  llmjson repair settings.json                     the repaired text
  llmjson repair --diff settings.json              what it changes
  llmjson repair --in-place *.json
  llmjson repair --check *.json                    exit code 1 if a file is no strict JSON
  llmjson repair --comments keep settings.jsonc    JSON with comments

Exit code: 0 if every text holds a value that the policy allows, with --check if every one is as it
would be printed; 1 if not; 2 if a file cannot be read or written.")]
pub(crate) struct RepairArgs {
    /// Rewrite each file instead of printing its text.
    #[arg(long, short, conflicts_with_all = ["diff", "check"])]
    pub(crate) in_place: bool,
    /// Print the changes as a unified diff.
    #[arg(long)]
    pub(crate) diff: bool,
    /// Print the names of the files that are not strict JSON, or not JSON with comments where these are kept.
    #[arg(long)]
    pub(crate) check: bool,
    /// Treatment of a member or number that the end of the text cut off: drop it, or complete it
    /// with null or the digit 0.
    #[arg(long, value_name = "HOW", default_value = "drop",
        value_parser = PossibleValuesParser::new(["drop", "complete"]))]
    unfinished: String,
    /// Treatment of comments: drop them, or keep those of `//` and `/*`, and those of `#` as `//`.
    #[arg(long, value_name = "HOW", default_value = "drop",
        value_parser = PossibleValuesParser::new(["drop", "keep"]))]
    comments: String,
    /// Policy for repairs: a value that it does not allow is an error [default: lenient].
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Policy::PRESETS))]
    policy: Option<String>,
    /// Maximum number of bytes of a text.
    #[arg(long, value_name = "N", default_value_t = INPUT_BYTES_MAX,
        value_parser = clap::value_parser!(u32).range(..i64::from(u32::MAX)))]
    pub(crate) max_bytes: u32,
    /// Read a text without JSON in it as a string.
    #[arg(long)]
    pub(crate) text: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

impl RepairArgs {
    pub(crate) fn options(&self) -> EditOptions {
        let mut options = EditOptions::default();
        if self.unfinished == "complete" {
            options.unfinished = Unfinished::Complete;
        }
        if self.comments == "keep" {
            options.comments = Comments::Keep;
        }
        options
    }

    /// Returns the policy, if one was given.
    pub(crate) fn policy(&self) -> Option<Policy> {
        self.policy.as_deref().map(preset)
    }
}
