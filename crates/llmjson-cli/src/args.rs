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
use clap::builder::PossibleValuesParser;
use clap::{Args as ClapArgs, Parser, Subcommand};
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
  llmjson reply.txt                                  the JSON of a reply, repaired (parse)
  llmjson parse --schema order.schema.json reply.txt the value that the schema asks for
  llmjson explain --schema order.schema.json reply.txt
  llmjson repair --in-place settings.json            strict JSON, the layout kept
  curl … | llmjson                                   from standard input
  llmjson bind --tools tools.json --tool send_sms call.txt
  llmjson batch -j 4 < replies.jsonl > values.jsonl
  llmjson diff before.jsonl after.jsonl              two reports of batch

Exit codes:
  0  there is a value and it conforms
  1  there is none, or it does not conform
  2  a file, a schema or an argument cannot be used";

/// Parse the JSON that language models write, and coerce it to a schema.
///
/// Reads replies with prose, fences, comments, missing quotes and lost ends, says what it changed,
/// and where it cannot, writes the feedback that lets the model correct itself.
#[derive(Debug, Parser)]
#[command(name = "llmjson", version, after_help = EXAMPLES, max_term_width = 100)]
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
/// With a schema the value is made to fit. If it conforms, it is printed on standard output; if
/// not, nothing is, and the feedback for the model goes to standard error. A reply that was cut
/// off still gives what is left of it, with a warning on standard error.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  llmjson parse reply.txt
  llmjson parse --schema order.schema.json --pretty reply.txt
  llmjson parse --schema order.schema.json --report reply.txt | jq .repairs
  llmjson parse --arguments --policy tool --schema tool.schema.json arguments.txt

Policies:
  lenient  whatever helps
  strict   nothing: strict JSON that satisfies the schema
  shape    strict JSON; single items, lists in strings and nulls put right at the top
  conservative
           strict JSON in a fence or among prose, one object, perhaps in an envelope
  tool     read leniently; whole, nothing undeclared, no words for booleans, no grouped digits
  exact    as tool; names exact, no guesses, no name twice")]
pub(crate) struct ParseArgs {
    /// File with the JSON Schema of the value, or the schema itself if it begins with a brace.
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) policy: PolicyArgs,
    /// Read the arguments of a tool call: blank text and `null` are `{}` where nothing is required.
    #[arg(long)]
    pub(crate) arguments: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Coerce a JSON value to a schema and print it.
///
/// The value has to be strict JSON; `parse` reads replies. Numbers keep every digit.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  echo '{\"days\": \"3\"}' | llmjson coerce --schema trip.schema.json")]
pub(crate) struct CoerceArgs {
    /// File with the JSON Schema of the value, or the schema itself if it begins with a brace.
    #[arg(long, value_name = "FILE")]
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
/// Prints nothing if it does; if not, the feedback goes to standard error: the value with a
/// comment beside whatever is wrong.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example:
  llmjson validate --schema order.schema.json --equals order.json")]
pub(crate) struct ValidateArgs {
    /// File with the JSON Schema, or the schema itself if it begins with a brace.
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: PathBuf,
    /// Reject members that the schema does not declare.
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

/// Write errors beside their places in a value, as feedback for a model.
///
/// Reads an object `{"data": …, "errors": [{"path": "$input.a", "expected": "number"}]}`; an error
/// may have a `value` and a `description` too.
#[derive(Debug, ClapArgs)]
pub(crate) struct StringifyArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Assemble a recorded stream of chat completion chunks.
///
/// Prints one object with the message, the finish reason and the usage; unknown members are kept.
/// An error that the server sent in the middle is printed with what came before it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  llmjson sse --pretty stream.txt
  curl -N … | tee stream.txt | llmjson sse
  llmjson sse stream.txt | jq -r .message.content | llmjson parse --schema order.schema.json

Exit code: 0 if there is a message, 1 if there is none, an error was sent or a frame is no chunk, 2
if the input cannot be read.")]
pub(crate) struct SseArgs {
    /// Print on several lines.
    #[arg(long)]
    pub(crate) pretty: bool,
    /// Print the whole response, with all choices, as it would have come at once.
    #[arg(long)]
    pub(crate) response: bool,
    /// Skip frames that are not chunks, with a warning, instead of stopping at the first.
    #[arg(long)]
    pub(crate) lenient: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Show the value of a reply while the reply is coming.
///
/// Reads what there is, prints the value so far as a line of JSON when it has changed, at most once in
/// a tenth of a second (--every), and at the end the result of the whole reply. What was shown only
/// grows: strings and lists get longer, numbers and words are shown when they are whole. With a schema
/// the value is coerced to it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Lines:
  {\"value\": …}                                 the value so far
  {\"event\": NAME, \"path\": POINTER, …}          with --events, one change of it:
      passed   text   prose, fences and tags around the value
      opened   kind   an object, array or string begins, empty
      appended text   more of a string
      value    value  a number, boolean or null, whole
      closed          an object or array has been closed
      settled         no later text changes the value at this path
      superseded      the reply means another value than was shown: set it aside
  {\"final\": true, \"ok\": …, \"complete\": …, \"superseded\": …, \"value\": …}
      the last line: whether there is a value and it conforms, whether the text was whole,
      whether another value was shown, and the value, null if there is none
With --all each line begins with \"index\", which counts the values, and each has a last line of
its own.

Examples:
  curl -N … | llmjson stream
  llmjson stream --schema order.schema.json --events < reply.txt
  tail -f log | llmjson stream --all | jq -c 'select(.final).value'

Exit code: 0 if there is a value and it conforms, with --all every value; 1 if not; 2 if a file, a
schema or an argument cannot be used, or the text is not UTF-8.")]
pub(crate) struct StreamArgs {
    /// File with the JSON Schema of the value, or the schema itself if it begins with a brace.
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Print the changes instead of the value so far.
    #[arg(long)]
    pub(crate) events: bool,
    /// Minimum time between two lines with the value so far, in milliseconds; 0 for a line for each piece
    /// that was read. The first line of a value comes at once.
    #[arg(
        long,
        value_name = "MS",
        default_value_t = 100,
        conflicts_with = "events"
    )]
    pub(crate) every: u64,
    /// Print all values of the reply, one after the other.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Ask a model until its reply satisfies a schema, or calls tools as they are declared.
///
/// The server has to speak OpenAI's chat completions. Its key is taken from the environment variable
/// OPENAI_API_KEY, if there is one. A reply that does not fit is answered with feedback, which also
/// goes to standard error. While a reply comes, a terminal shows the end of its value so far. The
/// value that fits is printed on standard output; with tools, each call on a line: name, arguments, id.
#[cfg(feature = "ask")]
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Exit codes:
  0  there is a value and it conforms
  1  no reply could be used
  2  the server cannot be asked, or a file or an argument cannot be used

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
    /// File with the JSON Schema of the value, or the schema itself if it begins with a brace.
    #[arg(long, value_name = "FILE", required_unless_present = "tools")]
    pub(crate) schema: Option<PathBuf>,
    /// File with a list of tools, as for `bind`: ask until each call of the reply can be run, and print the calls.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["schema", "structured"])]
    pub(crate) tools: Option<PathBuf>,
    /// Policy for repairs and coercions [default: lenient, and tool for calls of tools].
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Policy::PRESETS))]
    pub(crate) policy: Option<String>,
    /// Maximum number of times to ask again.
    #[arg(long, value_name = "N", default_value_t = llmjson::retry::Retry::MAX_RETRIES)]
    pub(crate) retries: u32,
    /// System message for the model.
    #[arg(long, value_name = "TEXT")]
    pub(crate) system: Option<String>,
    /// Request structured output; if the server refuses it, tell the model the schema in words.
    #[arg(long)]
    pub(crate) structured: bool,
    /// Maximum number of tokens in a reply.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// Print on several lines.
    #[arg(long)]
    pub(crate) pretty: bool,
    /// Prompt for the model; `-` for standard input.
    #[arg(value_name = "PROMPT")]
    pub(crate) prompt: String,
}

/// Print the completions of a shell for this command.
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

/// Print the manual page of this command, or of one of its commands.
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

/// What a command reads.
#[derive(Debug, ClapArgs)]
pub(crate) struct InputArgs {
    /// Encoding of the input, such as `latin1` or `shift_jis` [default: UTF-8, or UTF-16 if it begins with that mark].
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    pub(crate) encoding: Option<&'static Encoding>,
    /// Files to read, and folders of them; standard input if missing or `-`.
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
    /// Print on several lines, as on a terminal.
    #[arg(long)]
    pub(crate) pretty: bool,
    /// Use of colours; `auto` uses them on a terminal.
    #[arg(long, value_name = "WHEN", default_value = "auto",
        value_parser = PossibleValuesParser::new(["auto", "always", "never"]))]
    color: String,
    /// Print one object with the value, repairs, coercions and violations, whether it conforms or
    /// not.
    #[arg(long)]
    pub(crate) report: bool,
}

/// Rewrite a JSON Schema for a provider of language models.
///
/// Providers support different parts of JSON Schema. What a provider does not support is written in
/// another form or put into a description; what is lost is reported on standard error. Values are
/// still to be validated against the original schema.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Targets:
  openai_strict   OpenAI's strict functions and structured outputs
  anthropic       Anthropic's strict tools and output format
  gemini_openapi  Gemini's responseSchema and function declarations
  gemini_json     Gemini's responseJsonSchema
  mcp             inputSchema of a tool of the Model Context Protocol

With --lint a line for each name that is no keyword, for the wrapper that the schema was taken out of, and, with
--target, for each thing that the provider does not take as it stands:
  severity  refused: the provider answers with an error; ignored: the model is not held to it
  pointer   JSON Pointer to it in the schema
  keyword   the keyword that it is about
  message   what is wrong, and what becomes of it

Examples:
  llmjson schema --target openai_strict order.schema.json
  llmjson schema --target anthropic --lint order.schema.json | jq -r .message

Exit code: 0 if the provider takes the schema that was printed, or with --lint the one that was given;
1 if not; 2 if the file, the schema or an argument cannot be used.")]
pub(crate) struct SchemaArgs {
    /// Provider that the schema is for.
    #[arg(long, value_name = "NAME", required_unless_present = "lint", value_parser = PossibleValuesParser::new(SchemaTarget::NAMES))]
    target: Option<String>,
    /// Print what is worth knowing about the schema, and the keywords that the provider refuses or ignores, instead
    /// of the schema.
    #[arg(long)]
    pub(crate) lint: bool,
    /// Print on several lines.
    #[arg(long)]
    pub(crate) pretty: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

impl SchemaArgs {
    pub(crate) fn target(&self) -> Option<SchemaTarget> {
        self.target.as_deref().and_then(SchemaTarget::named)
    }
}

impl OutputArgs {
    pub(crate) fn color(&self) -> ColorChoice {
        color(&self.color)
    }
}

/// Returns the choice of colours with this valid name.
fn color(name: &str) -> ColorChoice {
    match name {
        "always" => ColorChoice::Always,
        "never" => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}
