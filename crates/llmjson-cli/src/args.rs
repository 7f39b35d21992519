//! The arguments of the command line and the help texts. Nothing here reads a file.

mod batch;
mod diff;
mod explain;
#[cfg(feature = "gateway")]
mod gateway;
mod playground;
mod policy;
mod repair;
mod tools;

use std::path::PathBuf;

use anstream::ColorChoice;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args as ClapArgs, Parser, Subcommand};
use encoding_rs::Encoding;
use llmjson::Policy;
use llmjson::tools::SchemaTarget;

pub(crate) use batch::BatchArgs;
pub(crate) use diff::DiffArgs;
pub(crate) use explain::ExplainArgs;
#[cfg(feature = "gateway")]
pub(crate) use gateway::GatewayArgs;
pub(crate) use playground::PlaygroundArgs;
pub(crate) use policy::{AskedArgs, AsksArgs, FailOn, PolicyArgs, preset};
pub(crate) use repair::RepairArgs;
pub(crate) use tools::{BindArgs, CallsArgs, McpProxyArgs};

const EXAMPLES: &str = "\
Examples:
  llmjson reply.txt                                  print the repaired JSON of a reply (parse)
  llmjson parse --schema order.schema.json reply.txt print the value that the schema asks for
  llmjson explain --schema order.schema.json reply.txt
  llmjson repair --in-place settings.json            rewrite as strict JSON, keep the layout
  curl … | llmjson                                   read standard input
  llmjson bind --tools tools.json --tool send_sms call.txt
  llmjson batch -j 4 < replies.jsonl > values.jsonl
  llmjson diff before.jsonl after.jsonl              compare two reports of batch

Exit codes:
  0  there is a value and it conforms
  1  there is no value, or it does not conform
  2  a file, a schema or an argument cannot be used";

/// Parse the JSON that language models write, and coerce it to a schema.
///
/// Reads replies with prose, fences, comments, missing quotes or truncated ends, and reports every change. If a reply
/// cannot be used, writes feedback that lets the model correct itself.
#[derive(Debug, Parser)]
#[command(name = "llmjson", version, after_help = EXAMPLES, max_term_width = 96)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Parse(ParseArgs),
    Coerce(CoerceArgs),
    Validate(ValidateArgs),
    Stringify(StringifyArgs),
    Batch(BatchArgs),
    Diff(DiffArgs),
    Explain(ExplainArgs),
    Repair(RepairArgs),
    Sse(SseArgs),
    Stream(StreamArgs),
    Bind(BindArgs),
    Calls(CallsArgs),
    Schema(SchemaArgs),
    #[cfg(feature = "ask")]
    Ask(AskArgs),
    #[cfg(feature = "gateway")]
    Gateway(Box<GatewayArgs>),
    McpProxy(McpProxyArgs),
    Playground(PlaygroundArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Read a reply and print its value.
///
/// With a schema, the value is coerced to it. A value that conforms goes to standard output; otherwise only feedback
/// for the model is printed, on standard error. If a reply is truncated, prints the part that could be read, with a
/// warning.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  llmjson parse reply.txt
  llmjson parse --schema order.schema.json --pretty reply.txt
  llmjson parse --schema order.schema.json --report reply.txt | jq .repairs
  llmjson parse --arguments --policy tool --schema tool.schema.json arguments.txt

Policies:
  lenient       allows every repair and coercion except the opt-in ones
  strict        allows none: the reply must be strict JSON that satisfies the schema
  shape         strict JSON, and four coercions of properties at the root
  conservative  strict JSON in a fence or in prose: one object, possibly in an envelope
  tool          like lenient, but rejects truncated text, undeclared keys, words for booleans
                and grouped digits
  exact         like tool, but keys must match exactly and occur once, and nothing is guessed")]
pub(crate) struct ParseArgs {
    /// File with the JSON Schema of the value (JSON, JSON with comments or YAML), or the schema itself.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// Read the arguments of a tool call; without required properties, blank text and `null` are `{}`.
    #[arg(long)]
    pub(crate) arguments: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Coerce a JSON value to a schema and print it.
///
/// The input must be strict JSON; use `parse` for replies. Numbers keep every digit.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  echo '{\"days\": \"3\"}' | llmjson coerce --schema trip.schema.json")]
pub(crate) struct CoerceArgs {
    /// File with the JSON Schema of the value (JSON, JSON with comments or YAML), or the schema itself.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) schema: PathBuf,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Check whether a JSON value satisfies a schema.
///
/// Prints nothing if it does. Otherwise prints feedback on standard error: the value, with a comment at each
/// violation.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  llmjson validate --schema order.schema.json --equals order.json")]
pub(crate) struct ValidateArgs {
    /// File with the JSON Schema (JSON, JSON with comments or YAML), or the schema itself.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) schema: PathBuf,
    /// Reject keys that the schema does not declare.
    #[arg(long)]
    pub(crate) equals: bool,
    #[command(flatten)]
    pub(crate) asks: AsksArgs,
    /// Print the value and its violations as one JSON object.
    #[arg(long)]
    pub(crate) report: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Annotate a value with the errors of another validator, as feedback for a model.
///
/// Reads an object `{"data": …, "errors": [{"path": "$input.a", "expected": "number"}]}`. An error may also have a
/// `value` and a `description`.
#[derive(Debug, ClapArgs)]
pub(crate) struct StringifyArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Assemble a recorded stream of chat completion chunks.
///
/// Prints one object with the message, the finish reason and the usage, and keeps unknown keys. If the server sent an
/// error midway, prints the partial message and the error.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  llmjson sse --pretty stream.txt
  curl -N … | tee stream.txt | llmjson sse
  llmjson sse stream.txt | jq -r .message.content | llmjson parse --schema order.schema.json

Exit code: 0 if there is a message; 1 if there is none, the server sent an error or a frame is
not a chunk; 2 if the input cannot be read.")]
pub(crate) struct SseArgs {
    /// Print indented JSON.
    #[arg(long)]
    pub(crate) pretty: bool,
    /// Print the whole response with all choices, like a response that was not streamed.
    #[arg(long)]
    pub(crate) response: bool,
    /// Skip frames that are not chunks, with a warning, instead of stopping at the first.
    #[arg(long)]
    pub(crate) lenient: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Print the value of a reply while the reply is streaming.
///
/// Prints the value so far as a line of JSON whenever it has changed, at most every 0.1 seconds (--every), and finally
/// the result of the whole reply. Printed values only grow: strings and arrays get longer, numbers and keywords are
/// printed once they are complete. With a schema, the value is coerced to it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Lines:
  {\"value\": …}                                 the value so far
  {\"event\": NAME, \"path\": POINTER, …}          with --events, one change of it:
      passed   text   prose, fences and tags around the value
      opened   kind   an empty object, array or string begins
      appended text   more text of a string
      value    value  a complete number, boolean or null
      closed          an object or array has ended
      settled         later text cannot change the value at this path
      superseded      the reply means a value other than the one printed: discard that
  {\"final\": true, \"ok\": …, \"complete\": …, \"superseded\": …, \"value\": …}
      the last line: whether there is a value and it conforms, whether the text was complete,
      whether another value was printed before, and the value (null if there is none)
With --all, each line begins with \"index\", the number of the value, and each value has its own
last line.

Examples:
  curl -N … | llmjson stream
  llmjson stream --schema order.schema.json --events < reply.txt
  tail -f log | llmjson stream --all | jq -c 'select(.final).value'

Exit code: 0 if there is a value and it conforms (with --all: every value does), 1 if not, 2 if
a file, a schema or an argument cannot be used, or the text is not UTF-8.")]
pub(crate) struct StreamArgs {
    /// File with the JSON Schema of the value (JSON, JSON with comments or YAML), or the schema itself.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Print the changes instead of the value so far.
    #[arg(long)]
    pub(crate) events: bool,
    /// Minimum time between two lines with the value so far, in milliseconds; 0 prints a line for each piece that was
    /// read. The first line of a value is printed immediately.
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 100,
        conflicts_with = "events"
    )]
    pub(crate) every: u64,
    /// Print all values of the reply, one after another.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Ask a model until its reply satisfies a schema, or its tool calls can be run.
///
/// The server must offer OpenAI's chat completions API. The key is read from the environment variable OPENAI_API_KEY,
/// if it is set. A reply that does not conform is answered with feedback, which is also printed on standard error.
/// During a reply, a terminal shows the end of its value so far. Prints the value that conforms; with tools, one line
/// for each call: name, arguments, id.
#[cfg(feature = "ask")]
#[derive(Debug, ClapArgs)]
#[command(group = ArgGroup::new("wanted").required(true).args(["schema", "tools"]))]
#[command(after_help = "\
Exit codes:
  0  there is a value and it conforms
  1  no reply could be used
  2  the server cannot be reached, or a file or an argument cannot be used

Examples:
  llmjson ask --base-url http://127.0.0.1:8080/v1 --model m --schema trip.schema.json 'To Oslo!'
  llmjson ask --base-url https://llm.example/v1 --model m --schema mail.schema.json - < mail.txt
  llmjson ask --base-url https://llm.example/v1 --model m --tools tools.json 'Write to Ann.'")]
pub(crate) struct AskArgs {
    /// Base URL of the server, to which /chat/completions is appended.
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: String,
    /// Name of the model.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: String,
    /// File with the JSON Schema of the value (JSON, JSON with comments or YAML), or the schema itself.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// File with an array of tools, as for `bind`: ask until each call of the reply can be run, and print the calls.
    #[arg(long, value_name = "FILE", conflicts_with = "structured")]
    pub(crate) tools: Option<PathBuf>,
    /// Policy for repairs and coercions [default: lenient; with --tools: tool].
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Policy::PRESETS))]
    pub(crate) policy: Option<String>,
    /// Maximum number of retries.
    #[arg(long, value_name = "N", default_value_t = llmjson::retry::Retry::MAX_RETRIES)]
    pub(crate) retries: u32,
    /// System message for the model.
    #[arg(long, value_name = "TEXT")]
    pub(crate) system: Option<String>,
    /// Request structured output; if the server rejects that, put the schema into the prompt.
    #[arg(long)]
    pub(crate) structured: bool,
    /// Maximum number of tokens in a reply.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// Print indented JSON.
    #[arg(long)]
    pub(crate) pretty: bool,
    /// Prompt for the model; `-` for standard input.
    #[arg(value_name = "PROMPT")]
    pub(crate) prompt: String,
}

/// Print shell completions for llmjson.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  llmjson completions bash > ~/.local/share/bash-completion/completions/llmjson
  llmjson completions zsh > ~/.zfunc/_llmjson
  llmjson completions fish > ~/.config/fish/completions/llmjson.fish")]
pub(crate) struct CompletionsArgs {
    /// Name of the shell.
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

/// Print the manual page of llmjson, or of one of its commands.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  llmjson man > ~/.local/share/man/man1/llmjson.1
  llmjson man parse | man -l -")]
pub(crate) struct ManArgs {
    /// Name of a command, such as `parse`.
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}

/// The input of a command.
#[derive(Debug, ClapArgs)]
pub(crate) struct InputArgs {
    /// Encoding of the input, such as `latin1` or `shift_jis` [default: UTF-8, or UTF-16 with a byte order mark].
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    pub(crate) encoding: Option<&'static Encoding>,
    /// Files to read, or folders of files; standard input if missing or `-`.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Reads the name of an encoding.
fn encoding(name: &str) -> Result<&'static Encoding, String> {
    let unknown = || "there is no encoding of this name".to_owned();
    Encoding::for_label_no_replacement(name.as_bytes()).ok_or_else(unknown)
}

#[derive(Debug, ClapArgs)]
pub(crate) struct OutputArgs {
    /// Print indented JSON even if standard output is not a terminal.
    #[arg(long)]
    pub(crate) pretty: bool,
    /// Colour mode; `auto` uses colours on a terminal.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = one_of(COLORS))]
    pub(crate) color: ColorChoice,
    /// Print one object with the value, repairs, coercions and violations, even if the value does not conform.
    #[arg(long)]
    pub(crate) report: bool,
}

/// Rewrite a JSON Schema for a provider of language models.
///
/// Providers support different subsets of JSON Schema. Unsupported keywords are expressed differently or moved into
/// descriptions, and losses are reported on standard error. Validate values against the original schema.
#[derive(Debug, ClapArgs)]
#[command(group = ArgGroup::new("wanted").required(true).multiple(true).args(["target", "lint"]))]
#[command(after_help = "\
Targets:
  openai_strict   OpenAI's strict functions and structured outputs
  anthropic       Anthropic's strict tools and output format
  gemini_openapi  Gemini's responseSchema and function declarations
  gemini_json     Gemini's responseJsonSchema
  mcp             inputSchema of a Model Context Protocol tool

With --lint, one JSON object per line for each finding: an unknown keyword, a wrapper around the
schema and, with --target, a keyword that the provider rejects or does not enforce:
  severity  error if the provider rejects the schema, else warning
  code      refused, ignored or lost; schema_wrapper or unknown_keyword
  pointer   JSON Pointer to the place in the schema
  keyword   the keyword
  message   the problem, and what `llmjson schema` does about it

Examples:
  llmjson schema --target openai_strict order.schema.json
  llmjson schema --target anthropic --lint order.schema.json | jq -r .message

Exit code: 0 if the provider accepts the printed schema (with --lint: the given one), 1 if not,
2 if the file, the schema or an argument cannot be used.")]
pub(crate) struct SchemaArgs {
    /// Provider to rewrite the schema for.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(SchemaTarget::NAMES)
        .try_map(|name| name.parse::<SchemaTarget>()))]
    pub(crate) target: Option<SchemaTarget>,
    /// Print findings about the schema instead of the schema.
    #[arg(long)]
    pub(crate) lint: bool,
    /// Print indented JSON.
    #[arg(long)]
    pub(crate) pretty: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

const COLORS: &[(&str, ColorChoice)] = &[
    ("auto", ColorChoice::Auto),
    ("always", ColorChoice::Always),
    ("never", ColorChoice::Never),
];

/// Parses one of several names as its value.
fn one_of<T: Copy + Send + Sync>(
    all: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let value = |name: String| {
        all.iter()
            .find(|(one, _)| *one == name)
            .map(|(_, value)| *value)
    };
    let names = all.iter().map(|(name, _)| *name);
    PossibleValuesParser::new(names).map(move |name| value(name).expect("it is one of the names"))
}
