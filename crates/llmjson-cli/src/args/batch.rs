//! Arguments of the command `batch`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::{InputArgs, PolicyArgs};

/// Read many replies: one JSON object on each line in, one on each line out.
///
/// Lines come out in the order in which they went in. Memory does not grow with the input. A line
/// that cannot be used gives {"line": N, "ok": false, "error": "…"}, and the rest goes on.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Members of an input line:
  id       anything; comes back as it is
  input    the text of the reply (--input-key); any JSON value for coerce, validate, stringify
  schema   JSON Schema (--schema-key); without one, that of --schema
  op       parse (default), arguments, bind, coerce, validate or stringify
  equals   true to reject members that the schema does not declare
  aliases  {\"name\": [\"other name\", …]} for properties at the root of the schema
  policy   what may be done to get a value, a name as for --policy; without one, that of --policy
  finish_reason
           why the model stopped writing; length and the like make the value count as cut off
--formats, --invalid, --defaults and the limits hold for every line, whatever its policy.

Further members of an input line with the op bind, whose input is the text of the arguments of a
call, or any JSON value:
  tools    list of tools, as for `llmjson bind`; without one, that of --tools; without that, the
           schema is that of the arguments
  tool     name of the tool that was called
  policy   as above, but tool without one
  mode     exact to compare the names of members byte by byte
  unknown  reject, ignore or keep members that the schema does not declare

Members of an output line:
  id, ok, value, complete, repairs, coercions, violations, ns (time of the library call), and
  error where there is no value; where the policy allows no way to read the text, also refused
  with the op bind also issues, fields and explanation, as `llmjson bind` prints them

Exit code: 0 if every line is ok, 1 if one is not, 2 if the input cannot be read.

Examples:
  llmjson batch replies.jsonl > values.jsonl
  llmjson batch --summary page.html --counts replies.jsonl > values.jsonl
  llmjson batch -j 8 --input-key completion --schema order.schema.json < log.jsonl")]
pub(crate) struct BatchArgs {
    /// Member that holds the text of the reply.
    #[arg(long, value_name = "NAME", default_value = "input")]
    pub(crate) input_key: String,
    /// Member that holds the schema.
    #[arg(long, value_name = "NAME", default_value = "schema")]
    pub(crate) schema_key: String,
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
