//! Arguments of the commands `bind`, `calls` and `mcp-proxy`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;
use llmjson::{Policy, policy::Undeclared, tools::Families};

use super::InputArgs;

/// Bind the arguments of a tool call to the schema of the tool.
///
/// Parses the arguments that a model wrote, repairs names and types as far as the policy allows, and
/// prints one JSON object with the repaired arguments, all issues, and feedback for the model.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Members of the object:
  tool         the name of the tool
  ok           whether the arguments can be used
  arguments    the repaired arguments, null if the text could not be parsed
  complete     whether the text was complete
  certainty    how reliable the arguments are: certain, likely or guess
  issues       list of issues: code, path, pointer, message, expected, received, examples,
               candidates, suggestion, retryable
  explanation  feedback for the model, null if the arguments can be used
  fields       list of fields: input_path, field_path, layer, status, before, after, candidates,
               changes, score, runner_up
  repairs      list of repairs of the JSON text

A tool of the list has the format of OpenAI, Anthropic, Gemini or MCP, or is
{\"name\": …, \"description\": …, \"parameters\": …}. Tools that cannot be used are listed on standard
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
    /// Policy for repairs: `exact` for tools that pay or delete.
    #[arg(long, value_name = "NAME", default_value = "tool",
        value_parser = PossibleValuesParser::new(Policy::PRESETS))]
    pub(crate) policy: String,
    /// Reason why the model stopped, such as `length`, which marks the call as cut off.
    #[arg(long, value_name = "REASON")]
    pub(crate) finish_reason: Option<String>,
    /// Print the object on several lines.
    #[arg(long)]
    pub(crate) pretty: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Find the tool calls that a model wrote as text, and bind them.
///
/// Open models and the servers in front of them leave calls in the text of a reply, each family in its own
/// format. Prints one JSON object for each call, on a line of its own. What is thought, quoted or declared is
/// no call.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Members of each object:
  name       the name of the tool
  arguments  the bound arguments; those that were read if they cannot be bound
  id         the id that the model wrote, if any
  span       where the call begins and ends, in bytes
  family     the format: hermes, mistral, qwen3-coder, harmony and others
  ok         whether the call can be run
  complete   whether its text was complete
  certainty  how reliable it is that this call was meant: certain, likely or guess
  issues     list of issues, as bind prints them

Behind them come lines with one member:
  not_run    what has the form of a call and is none: name, arguments, span, family, and the reason
  unsearched where the part begins and ends that was not searched, as the limit on the work was reached

Without --tools, calls of any name are found, and their arguments are read without a schema.

Examples:
  llmjson calls --tools tools.json reply.txt
  llmjson calls --family glm-4.6 --family hermes reply.txt
  llmjson calls --family mistral < reply.txt | jq -c 'select(.name) | [.name, .arguments]'

Exit code: 0 if all calls can be run, 1 if one cannot, 2 if a file, the tools or an argument cannot be
used.")]
pub(crate) struct CallsArgs {
    /// File with the list of tools.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
    /// Find only calls of this family, or of the families that this model writes. May be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) family: Vec<Families>,
    /// File with the response template (or response schema) of a model's tokenizer: find only calls of this family, or
    /// of those that are named.
    #[arg(long, value_name = "FILE")]
    pub(crate) family_file: Option<PathBuf>,
    /// Policy for repairs: `exact` for tools that pay or delete.
    #[arg(long, value_name = "NAME", default_value = "tool",
        value_parser = PossibleValuesParser::new(Policy::PRESETS))]
    pub(crate) policy: String,
    /// Print the changes while the text is read: objects with `event` (`started`, `arguments`, `finished`,
    /// `superseded`), `call` (its number), `name`, `text` and `complete`. The calls follow at the end.
    #[arg(long)]
    pub(crate) stream: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Run a server of the Model Context Protocol behind a proxy that repairs calls of tools.
///
/// Starts the server, and forwards standard input and output. With `--url` the server is one that speaks Streamable
/// HTTP, with `--listen` the clients are. Arguments of a call that do not satisfy the
/// schema that the server lists for the tool are repaired. If that is impossible, the response is a tool
/// result with `isError` that tells the model what to write instead. Everything else is forwarded byte for
/// byte.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example, in the configuration of a client:
  {\"mcpServers\": {\"files\": {\"command\": \"llmjson\",
    \"args\": [\"mcp-proxy\", \"--\", \"npx\", \"-y\", \"@modelcontextprotocol/server-filesystem\", \".\"]}}}

Before a server on the network, for a client that starts programs, and for one that is given a URL:
  llmjson mcp-proxy --url https://mcp.example/mcp --header 'Authorization: Bearer ${TOKEN}'
  llmjson mcp-proxy --url https://mcp.example/mcp --listen 127.0.0.1:8378
  llmjson mcp-proxy --listen 127.0.0.1:8378 -- npx -y @modelcontextprotocol/server-filesystem .

Policies:
  tool   lenient, but the text must be complete, and words are not read as booleans, nor grouped
         digits as numbers. Undeclared members are forwarded, unless their names are similar to
         declared ones
  exact  for tools that pay or delete: as tool, but names must be exact and unique, undeclared
         members are rejected, and nothing is guessed

Exit code: that of the server (128 plus the number of a signal that ended it), 2 if it cannot be
started; with --url or --listen 0 at the end, 2 if a setting or the address cannot be used.")]
pub(crate) struct McpProxyArgs {
    /// Policy for repairs.
    #[arg(long, value_name = "NAME", default_value = "tool",
        value_parser = PossibleValuesParser::new(["tool", "exact"]))]
    policy: String,
    /// Least importance of the messages on standard error, with `--url` or `--listen`.
    #[cfg(feature = "gateway")]
    #[arg(long, value_name = "LEVEL", default_value = "info",
        value_parser = PossibleValuesParser::new(["off", "error", "warn", "info", "debug"]))]
    pub(crate) log: String,
    #[cfg(feature = "gateway")]
    #[command(flatten)]
    pub(crate) http: llmjson_gateway::server::mcp::Settings,
    /// Program of the server and its arguments.
    #[arg(last = true, value_name = "SERVER")]
    #[cfg_attr(feature = "gateway", arg(required_unless_present = "url"))]
    #[cfg_attr(not(feature = "gateway"), arg(required = true))]
    pub(crate) server: Vec<OsString>,
}

impl McpProxyArgs {
    /// Returns `true` if clients, the server or both speak HTTP.
    #[cfg(feature = "gateway")]
    pub(crate) fn is_over_http(&self) -> bool {
        self.http != llmjson_gateway::server::mcp::Settings::default()
    }

    pub(crate) fn policy(&self) -> Policy {
        match self.policy.as_str() {
            "exact" => Policy::exact(),
            _ => Policy::tool().with_undeclared(Undeclared::Keep),
        }
    }
}
