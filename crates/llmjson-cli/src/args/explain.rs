//! Arguments of the command `explain`.

use std::path::PathBuf;

use anstream::ColorChoice;
use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;
use llmjson::syntax::{OffsetUnit, Span};

use super::{InputArgs, PolicyArgs};

/// Show a reply with every repair marked in place, for people.
///
/// Marks are of three tones: certain, likely and guess. Below come what the policy does not allow, the
/// changes made to fit the schema, what does not fit, and the value. Control characters are shown as
/// pictures. Of a large reply only the places around repairs are shown.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
With --json one object, for editors and other programs:
  ok        whether there is a value, the policy allows it and, with a schema, it conforms
  certainty certain, likely or guess; null without a value
  edits     what to change in the text to make it strict JSON of the value, in its order: start, end,
            replacement, kind, class, sentence, line, column; start and end count bytes or what
            --offsets says, line and column characters from 1
  report    what `llmjson parse --report` prints

With --json and --readings one object:
  start, end  the stretch
  margin      the lead of the cheapest reading over the best one of another value; null without one
  readings    the cheapest first: price, end (how far it has read), value (what it takes the stretch
              for), moves (what it did: move, start, end)

Examples:
  llmjson explain --readings=12..30 reply.txt
  llmjson explain --schema order.schema.json reply.txt
  llmjson explain --json --offsets utf16 reply.txt | jq .edits")]
pub(crate) struct ExplainArgs {
    /// File with the JSON Schema of the value, or the schema itself if it begins with a brace.
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// Print the table of forms in which values are read where they do not fit, and read no reply.
    #[arg(long, conflicts_with_all = ["schema", "json", "html", "files"])]
    pub(crate) forms: bool,
    /// Print the table of changes that are made to values that do not fit, and read no reply.
    #[arg(long, conflicts_with_all = ["schema", "json", "html", "files", "forms"])]
    pub(crate) rules: bool,
    /// Print the edits and the report as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print a page for browsers that loads nothing from elsewhere.
    #[arg(long, conflicts_with = "json")]
    pub(crate) html: bool,
    /// Unit of the offsets of edits.
    #[arg(long, value_name = "UNIT", default_value = "bytes", requires = "json",
        value_parser = PossibleValuesParser::new(["bytes", "chars", "utf16"]))]
    offsets: String,
    /// Mark prose, fences and tags around the value, too, which are certain.
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Print the readings that the search weighs at these bytes of the reply (`12..30`) side by side, with their prices
    /// and the margin, or of all that was repaired; with --json as an object.
    #[arg(long, value_name = "START..END", conflicts_with_all = ["forms", "rules", "html"], num_args = 0..=1,
        require_equals = true, value_parser = span)]
    pub(crate) readings: Option<Option<Span>>,
    /// Print the values of a reply with several, the likeliest first, with what speaks against each.
    #[arg(long, conflicts_with_all = ["forms", "rules", "html", "json", "readings"])]
    pub(crate) why: bool,
    /// Width of the picture in columns [default: that of the terminal, at most 100].
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) width: Option<u16>,
    /// Use of colours; `auto` uses them on a terminal.
    #[arg(long, value_name = "WHEN", default_value = "auto",
        value_parser = PossibleValuesParser::new(["auto", "always", "never"]))]
    color: String,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

impl ExplainArgs {
    pub(crate) fn color(&self) -> ColorChoice {
        super::color(&self.color)
    }

    pub(crate) fn offsets(&self) -> OffsetUnit {
        match &*self.offsets {
            "chars" => OffsetUnit::Chars,
            "utf16" => OffsetUnit::Utf16,
            _ => OffsetUnit::Bytes,
        }
    }
}

/// Reads `12..30`, or one place.
fn span(text: &str) -> Result<Span, String> {
    let (start, end) = text.split_once("..").unwrap_or((text, text));
    let place = |text: &str| text.trim().parse::<u32>().ok();
    match (place(start), place(end)) {
        (Some(start), Some(end)) if start <= end => Ok(Span { start, end }),
        _ => Err("it must be two offsets, as in 12..30".to_owned()),
    }
}
