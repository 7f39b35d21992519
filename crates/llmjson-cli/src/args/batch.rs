//! Arguments of the command `batch`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;

use super::{InputArgs, PolicyArgs};

/// Read many replies: one JSON object on each line in, one on each line out.
///
/// Lines come out in the order in which they went in. Memory does not grow with the input. A line
/// that cannot be used gives {"line": N, "ok": false, "error": "…"}, and the rest goes on. A line that is
/// damaged is read as a reply is; its answer then has `line` and `line_repairs`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Members of an input line:
  id       anything; comes back as it is (--id)
  input    the text of the reply (--text); any JSON value for coerce, validate, stringify
  schema   JSON Schema (--schema-from); without one, that of --schema
  op       parse (default), arguments, bind, calls, coerce, validate or stringify
  equals   true to reject members that the schema does not declare
  aliases  {\"name\": [\"other name\", …]} for properties at the root of the schema
  policy   what may be done to get a value, a name as for --policy; without one, that of --policy
  finish_reason
           why the model stopped writing; length and the like make the value count as cut off
           (--finish-reason)
--formats, --invalid, --defaults and the limits hold for every line, whatever its policy.
A place is the name of a member, or a JSON Pointer such as /response/body/choices/0/message/content.
Rows may be lines of JSON, a table in CSV, whose first row has the names, or in Parquet (if the program
was built with it), and files may be packed with gzip or zstd.

Further members of an input line with the op bind, whose input is the text of the arguments of a
call, or any JSON value:
  tools    list of tools, as for `llmjson bind`; without one, that of --tools; without that, the
           schema is that of the arguments
  tool     name of the tool that was called
  policy   as above, but tool without one
  mode     exact to compare the names of members byte by byte
  unknown  reject, ignore or keep members that the schema does not declare

Members of an output line:
  id, ok, value, complete, certainty, repairs, coercions, violations, and error where there is no
  value; where the policy allows no way to read the text, also refused; ns with --time; feedback with
  --feedback
  with the op bind also issues, fields and explanation, as `llmjson bind` prints them

Exit code: 0 if every line is ok, 1 if one is not, 2 if the input cannot be read.

Examples:
  llmjson batch replies.jsonl > values.jsonl
  llmjson batch --only value --rejects again.jsonl --schema order.schema.json replies.csv
  llmjson batch --openai-batch --schema order.schema.json --output values.jsonl batch_output.jsonl
  llmjson batch --output values.jsonl --append replies.jsonl.gz      what is not done yet
  llmjson batch -j 8 --text /reply/text --summary page.html --counts log.jsonl > values.jsonl")]
pub(crate) struct BatchArgs {
    /// Place of the reply's text in a row: the name of a member, or a JSON Pointer [default: input].
    #[arg(long, value_name = "PLACE", visible_alias = "input-key")]
    pub(crate) text: Option<String>,
    /// Place of the row's id [default: id].
    #[arg(long, value_name = "PLACE")]
    pub(crate) id: Option<String>,
    /// Place of the row's schema.
    #[arg(
        long,
        value_name = "PLACE",
        visible_alias = "schema-key",
        default_value = "schema"
    )]
    pub(crate) schema_from: String,
    /// Read the output of OpenAI's batches: the places of text, id and finish reason are those of its rows.
    #[arg(long)]
    pub(crate) openai_batch: bool,
    /// Format of the rows [default: that of the file's name, else jsonl].
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(["jsonl", "csv", "parquet"]))]
    pub(crate) from: Option<String>,
    /// File with the JSON Schema for lines without one.
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// File with the list of tools for lines with the op bind that have none.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// Print the other members of an input line, too, unless they are named like one of the output.
    #[arg(long)]
    pub(crate) keep: bool,
    /// Print this member alone, one a line: of rows without a value that conforms, `null`.
    #[arg(long, value_name = "MEMBER", value_parser = PossibleValuesParser::new(["value"]))]
    pub(crate) only: Option<String>,
    /// Print the feedback for the model with each row that is not ok.
    #[arg(long)]
    pub(crate) feedback: bool,
    /// Print the time of each library call as `ns`, in nanoseconds.
    #[arg(long)]
    pub(crate) time: bool,
    /// File for the answers [default: standard output]; one whose name ends with .parquet becomes a table.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Continue that file: rows whose id it has are skipped.
    #[arg(long, requires = "output", conflicts_with = "only")]
    pub(crate) append: bool,
    /// File for the rows that are not ok, each with the feedback for the model.
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,
    /// Print on standard error at the end how many repairs, coercions and violations there were, by kind.
    #[arg(long)]
    pub(crate) counts: bool,
    /// Write a page with these counts and the worst replies into a file.
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,
    /// Number of threads, at most 256 [default: all cores].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}
