//! Arguments of the commands `bind`, `calls` and `mcp-proxy`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;
use llmjson::{Policy, policy::Undeclared, tools::Families};

use super::InputArgs;

/// Bind the arguments of a tool call to the schema of the tool.
///
/// Parses the arguments, repairs keys and types as far as the policy allows, and prints one JSON object with the repaired
/// arguments, all issues and feedback for the model.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Keys of the object:
  tool         name of the tool
  ok           whether the arguments can be used
  arguments    the repaired arguments, null if the text could not be parsed
  complete     whether the text was complete
  certainty    how reliable the arguments are: certain, likely or guess
  issues       array of issues: code, path, pointer, message, expected, received, examples,
               candidates, suggestion, retryable
  explanation  feedback for the model, null if the arguments can be used
  fields       array of fields: input_path, field_path, layer, status, before, after,
               candidates, changes, score, runner_up
  repairs      array of repairs of the JSON text

A tool has the format of OpenAI, Anthropic, Gemini or MCP, or is
{\"name\": …, \"description\": …, \"parameters\": …}. Tools that cannot be used are reported on
standard error; the others can be called.

Examples:
  llmjson bind --tools tools.json --tool send_sms call.txt
  llmjson bind --tools tools.json --tool pay --policy exact < call.txt | jq -r .explanation

Exit code: 0 if the arguments can be used; 1 if not, or if there is no tool with this name;
2 if a file, the tool or an argument cannot be used.")]
pub(crate) struct BindArgs {
    /// File with an array of tools.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: PathBuf,
    /// Name of the called tool.
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: String,
    /// Policy for repairs: `exact` for tools that pay or delete.
    #[arg(long, value_name = "NAME", default_value = "tool",
        value_parser = PossibleValuesParser::new(Policy::PRESETS))]
    pub(crate) policy: String,
    /// Reason why the model stopped, such as `length`, which marks the call as truncated.
    #[arg(long, value_name = "REASON")]
    pub(crate) finish_reason: Option<String>,
    /// Print indented JSON.
    #[arg(long)]
    pub(crate) pretty: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Find tool calls that a model wrote as text, and bind them.
///
/// Open models, and the servers that run them, leave calls in the text of a reply, each family in its own format. Prints
/// one line of JSON for each call. Calls in reasoning, quotations and declarations are skipped.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Keys of each object:
  name       name of the tool
  arguments  the bound arguments, or the arguments as read if they cannot be bound
  id         the id that the model wrote, if any
  span       byte offsets of the call's start and end
  family     the format: hermes, mistral, qwen3-coder, harmony and others
  ok         whether the call can be run
  complete   whether the call's text was complete
  certainty  how certain it is that this call was meant: certain, likely or guess
  issues     array of issues, as in bind

The calls are followed by lines with one key:
  not_run    looks like a call but is not one: name, arguments, span, family and the reason
  unsearched start and end of the part that was not searched, since the work limit was reached

Without --tools, finds calls of any name and reads their arguments without a schema.

Examples:
  llmjson calls --tools tools.json reply.txt
  llmjson calls --family glm-4.6 --family hermes reply.txt
  llmjson calls --family mistral < reply.txt | jq -c 'select(.name) | [.name, .arguments]'

Exit code: 0 if all calls can be run, 1 if one cannot, 2 if a file, the tools or an argument
cannot be used.")]
pub(crate) struct CallsArgs {
    /// File with an array of tools.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
    /// Find only calls of this family, or of this model's families. May be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) family: Vec<Families>,
    /// File with the response template or response schema of a model's tokenizer: find only calls of this family and of
    /// the families named with --family.
    #[arg(long, value_name = "FILE")]
    pub(crate) family_file: Option<PathBuf>,
    /// Policy for repairs: `exact` for tools that pay or delete.
    #[arg(long, value_name = "NAME", default_value = "tool",
        value_parser = PossibleValuesParser::new(Policy::PRESETS))]
    pub(crate) policy: String,
    /// Print changes while the text is being read: objects with `event` (`started`, `arguments`, `finished`,
    /// `superseded`), `call` (its number), `name`, `text`, `complete`, `ok`, `reason`, and
    /// `arguments` if the bound ones are another value. The calls follow at the end.
    #[arg(long)]
    pub(crate) stream: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// Run a Model Context Protocol (MCP) server behind a proxy that repairs tool calls.
///
/// Starts the server, and forwards standard input and output. Use `--url` for a server that speaks Streamable HTTP, and
/// `--listen` for clients that do. If the arguments of a call do not satisfy the schema that the server lists for the
/// tool, they are repaired. If that is impossible, the response is a tool result with `isError` that explains to the
/// model what to write instead. Everything else is forwarded byte for byte.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Example, in a client's configuration:
  {\"mcpServers\": {\"files\": {\"command\": \"llmjson\",
    \"args\": [\"mcp-proxy\", \"--\", \"npx\", \"-y\", \"@modelcontextprotocol/server-filesystem\", \".\"]}}}

A server on the network for a client that starts programs, and servers for clients with a URL:
  llmjson mcp-proxy --url https://mcp.example/mcp --header 'Authorization: Bearer ${TOKEN}'
  llmjson mcp-proxy --url https://mcp.example/mcp --listen 127.0.0.1:8378
  llmjson mcp-proxy --listen 127.0.0.1:8378 -- npx -y @modelcontextprotocol/server-filesystem .

Policies:
  tool   like lenient, but rejects truncated text, words read as booleans and grouped digits.
         Undeclared keys are forwarded, unless they are similar to declared keys
  exact  for tools that pay or delete: like tool, but keys must match exactly and occur once,
         undeclared keys are rejected, and nothing is guessed

Exit code: the server's (128 plus the number of the signal that ended it), or 2 if the server
cannot be started. With --url or --listen: 0, or 2 if a setting or the address cannot be used.")]
pub(crate) struct McpProxyArgs {
    /// Policy for repairs.
    #[arg(long, value_name = "NAME", default_value = "tool",
        value_parser = PossibleValuesParser::new(["tool", "exact"]))]
    policy: String,
    /// Minimum level of messages on standard error, with `--url` or `--listen`.
    #[cfg(feature = "gateway")]
    #[arg(long, value_name = "LEVEL", default_value = "info",
        value_parser = PossibleValuesParser::new(["off", "error", "warn", "info", "debug"]))]
    pub(crate) log: String,
    #[cfg(feature = "gateway")]
    #[command(flatten)]
    pub(crate) http: llmjson_gateway::server::mcp::Settings,
    /// Server program and its arguments.
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
