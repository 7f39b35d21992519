//! Arguments of the command `batch`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;

use super::{InputArgs, PolicyArgs};

/// Read many replies: one JSON object per input line, one per output line.
///
/// Output lines keep the order of the input, and memory use does not grow with it. An unusable line gives {"line": N,
/// "ok": false, "error": "…"}, and processing continues. A malformed line is repaired like a reply; its output then has
/// `line` and `line_repairs`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Keys of an input line:
  id       any value; copied to the output (--id)
  input    the text of the reply (--text); any JSON value for coerce, validate, stringify
  schema   JSON Schema (--schema-from) [default: --schema]
  op       parse (default), arguments, bind, calls, coerce, validate or stringify
  equals   true to reject keys that the schema does not declare
  aliases  {\"key\": [\"alias\", …]} for properties at the root of the schema
  policy   name of a policy [default: --policy]
  finish_reason
           why the model stopped; length and similar reasons mark the value as
           truncated (--finish-reason)
--formats, --invalid, --defaults and the limits apply to every line, whatever its policy.
A place is a key, or a JSON Pointer such as /response/body/choices/0/message/content.
Rows may be lines of JSON, CSV with a header row, or Parquet (if llmjson was built with it).
Files may be compressed with gzip or zstd.

Additional keys with the op bind, whose input is a call's arguments, as text or any JSON value:
  tools    array of tools, as for `llmjson bind` [default: --tools; without tools, schema is the
           schema of the arguments]
  tool     name of the called tool
  policy   as above [default: tool]
  mode     exact to compare keys byte by byte
  unknown  reject, ignore or keep keys that the schema does not declare

Keys of an output line:
  id, ok, value, complete, certainty, repairs, coercions, violations; error if there is no
  value; refused if the policy rejects the reply; ns with --time; feedback with --feedback; with
  the op bind also issues, fields and explanation, as in `llmjson bind`

Exit code: 0 if every line is ok, 1 if one is not, 2 if the input cannot be read.

Examples:
  llmjson batch replies.jsonl > values.jsonl
  llmjson batch --only value --rejects again.jsonl --schema order.schema.json replies.csv
  llmjson batch --openai-batch --schema order.schema.json batch_output.jsonl > values.jsonl
  llmjson batch --output values.jsonl --append replies.jsonl.gz
  llmjson batch -j 8 --text /reply/text --summary page.html --counts log.jsonl > values.jsonl")]
pub(crate) struct BatchArgs {
    /// Place of the reply's text in a row: a key, or a JSON Pointer [default: input].
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
    /// Read output of OpenAI's Batch API: use its places of text, id and finish reason.
    #[arg(long)]
    pub(crate) openai_batch: bool,
    /// Format of the rows [default: by the file's extension, else jsonl].
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(["jsonl", "csv", "parquet"]))]
    pub(crate) from: Option<String>,
    /// File with the JSON Schema for lines without their own, or the schema itself as JSON.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// File with the array of tools for lines with the op bind that have no tools.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// Copy the other keys of an input line to the output, except keys of output lines.
    #[arg(long)]
    pub(crate) keep: bool,
    /// Print only this key's value, one per line; `null` if no value conforms. With `--keep`, print an object of it and the
    /// copied keys.
    #[arg(long, value_name = "KEY", value_parser = PossibleValuesParser::new(["value"]))]
    pub(crate) only: Option<String>,
    /// Add the feedback for the model to each row that is not ok.
    #[arg(long)]
    pub(crate) feedback: bool,
    /// Add the duration of each library call as `ns`, in nanoseconds.
    #[arg(long)]
    pub(crate) time: bool,
    /// Output file, Parquet if its name ends with .parquet [default: standard output].
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Append to the output file, and skip rows whose id it already has.
    #[arg(long, requires = "output", conflicts_with = "only")]
    pub(crate) append: bool,
    /// File for the rows that are not ok, each with the feedback for the model.
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,
    /// Print the numbers of repairs, coercions and violations by kind on standard error at the end.
    #[arg(long)]
    pub(crate) counts: bool,
    /// File for an HTML page with these counts and the worst replies.
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,
    /// Number of threads, at most 256 [default: all cores].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}
