//! Arguments of the command `explain`.

use std::path::PathBuf;

use anstream::ColorChoice;
use clap::Args as ClapArgs;
use llmjson::syntax::{OffsetUnit, Span};

use super::{COLORS, InputArgs, PolicyArgs, one_of};

/// Show a reply with every repair marked in place.
///
/// Marks have three tones: certain, likely and guess. The marked reply is followed by the repairs that the policy
/// rejects, the coercions, the violations and the value. Control characters are shown as pictures. For a large reply,
/// only the lines around repairs are shown.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
With --json, prints one object for editors and other programs:
  ok        whether there is a value, the policy allows it and, with a schema, it conforms
  certainty certain, likely or guess; null without a value
  edits     the edits that turn the text into strict JSON, in the order of the text: start,
            end, replacement, kind, class, sentence, line, column; start and end are byte
            offsets (see --offsets), line and column count characters from 1
  report    the output of `llmjson parse --report`

With --json and --readings, prints one object:
  start, end  the byte range
  margin      how much more the best reading with another value costs; null without one
  readings    the cheapest first: cost, end (how far it has read), value (of the range),
              moves (its steps: move, start, end)

Examples:
  llmjson explain --readings=12..30 reply.txt
  llmjson explain --schema order.schema.json reply.txt
  llmjson explain --json --offsets utf16 reply.txt | jq .edits")]
pub(crate) struct ExplainArgs {
    /// File with the JSON Schema of the value (JSON, JSON with comments or YAML), or the schema itself.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// Print the table of accepted forms for values that do not fit, without reading a reply.
    #[arg(long, conflicts_with_all = ["schema", "json", "html", "files"])]
    pub(crate) forms: bool,
    /// Print the table of coercions for values that do not fit, without reading a reply.
    #[arg(long, conflicts_with_all = ["schema", "json", "html", "files", "forms"])]
    pub(crate) rules: bool,
    /// Print the table of sources, the ways to see a reply, without reading one.
    #[arg(long, conflicts_with_all = ["schema", "json", "html", "files", "forms", "rules"])]
    pub(crate) sources: bool,
    /// Print the edits and the report as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print a self-contained HTML page.
    #[arg(long, conflicts_with = "json")]
    pub(crate) html: bool,
    /// Unit of the edits' offsets.
    #[arg(long, value_name = "UNIT", default_value = "bytes", requires = "json",
        value_parser = one_of(UNITS))]
    pub(crate) offsets: OffsetUnit,
    /// Mark also prose, fences and tags around the value.
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Print the readings that the search compares for a byte range of the reply (`12..30`), or for all repairs, with
    /// their costs and the margin; with --json, as one object.
    #[arg(long, value_name = "START..END", conflicts_with_all = ["forms", "rules", "html"], num_args = 0..=1,
        require_equals = true, value_parser = span)]
    pub(crate) readings: Option<Option<Span>>,
    /// Print the values of a reply that has several, cheapest first, with their costs.
    #[arg(long, conflicts_with_all = ["forms", "rules", "html", "json", "readings"])]
    pub(crate) why: bool,
    /// Width of the output in columns [default: the terminal's, at most 100].
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) width: Option<u16>,
    /// Colour mode; `auto` uses colours on a terminal.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = one_of(COLORS))]
    pub(crate) color: ColorChoice,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

const UNITS: &[(&str, OffsetUnit)] = &[
    ("bytes", OffsetUnit::Bytes),
    ("chars", OffsetUnit::Chars),
    ("utf16", OffsetUnit::Utf16),
];

/// Reads `12..30`, or one offset.
fn span(text: &str) -> Result<Span, String> {
    let (start, end) = text.split_once("..").unwrap_or((text, text));
    let place = |text: &str| text.trim().parse::<u32>().ok();
    match (place(start), place(end)) {
        (Some(start), Some(end)) if start <= end => Ok(Span { start, end }),
        _ => Err("expected two offsets, as in 12..30".to_owned()),
    }
}
