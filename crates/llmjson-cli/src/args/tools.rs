//! The arguments of the commands for tools.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;
use llmjson::{Policy, Unknown};

/// Binds the arguments of a call to what a tool asks for.
///
/// Reads what a model wrote as the arguments, puts names and types right as far as the policy allows,
/// and prints one JSON object with the arguments as they were understood, everything that is wrong
/// with them, and what to tell the model about it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Members of the object:
  tool         the name of the tool
  ok           whether the arguments can be used
  arguments    what was understood, null if nothing could be read
  complete     whether the text was whole
  certainty    how sure that is: certain, likely or guess
  issues       what is wrong: code, path, pointer, message, expected, received, examples,
               candidates, suggestion, retryable
  explanation  what to tell the model, null if the arguments can be used
  fields       what became of each member: input_path, field_path, layer, status, before, after,
               candidates, changes, score, runner_up
  repairs      what was done to read the text

A tool of the list has the shape of OpenAI, Anthropic, Gemini or MCP, or is
{\"name\": …, \"description\": …, \"parameters\": …}. Tools that cannot be used are named on standard
error; the others can be called.

Examples:
  llmjson bind --tools tools.json --tool send_sms call.txt
  llmjson bind --tools tools.json --tool pay --policy exact < call.txt | jq -r .explanation

Exit code: 0 if the arguments can be used, 1 if not or if there is no such tool, 2 if a file, the
tool or an argument cannot be used.")]
pub(crate) struct BindArgs {
    /// File with the list of tools.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: PathBuf,
    /// Name of the tool that was called.
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: String,
    /// What may be done to the arguments: `exact` for tools that pay or delete.
    #[arg(long, value_name = "NAME", default_value = "tool",
        value_parser = PossibleValuesParser::new(Policy::PRESETS))]
    pub(crate) policy: String,
    /// Why the model stopped writing: `length` and the like make the call count as cut off.
    #[arg(long, value_name = "REASON")]
    pub(crate) finish_reason: Option<String>,
    /// Print over several lines.
    #[arg(long)]
    pub(crate) pretty: bool,
    /// The arguments; standard input without one or with `-`.
    #[arg(value_name = "ARGUMENTS")]
    pub(crate) file: Option<PathBuf>,
}

/// Stands between a client and a server of the Model Context Protocol and puts calls of tools right.
///
/// Starts the server and speaks for it on standard input and output. It reads the list of tools as it
/// passes. Arguments of a call that do not fit the schema of their tool are put right, and where that
/// cannot be done, the answer is a tool result with the flag `isError` that tells the model what to
/// write. All else passes byte for byte, standard error too.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example, in the configuration of a client:
  {\"mcpServers\": {\"files\": {\"command\": \"llmjson\",
    \"args\": [\"mcp-proxy\", \"--\", \"npx\", \"-y\", \"@modelcontextprotocol/server-filesystem\", \".\"]}}}

Policies:
  tool   read leniently; whole, no words for booleans, no grouped digits. Members that a schema
         does not declare are left to the server, unless their names are like declared ones
  exact  for tools that pay or delete: as tool; names exact, nothing undeclared, no guesses, no
         name twice

Exit code: that of the server (128 and the number of a signal that ended it), 2 if it cannot be started.")]
pub(crate) struct McpProxyArgs {
    /// What may be done to make arguments fit.
    #[arg(long, value_name = "NAME", default_value = "tool",
        value_parser = PossibleValuesParser::new(["tool", "exact"]))]
    policy: String,
    /// The program of the server and its arguments.
    #[arg(last = true, required = true, value_name = "SERVER")]
    pub(crate) server: Vec<OsString>,
}

impl McpProxyArgs {
    pub(crate) fn policy(&self) -> Policy {
        match self.policy.as_str() {
            "exact" => Policy::exact(),
            _ => Policy::tool().with_undeclared(Unknown::Keep),
        }
    }
}
