//! Arguments of the command `gateway`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;
use llmjson_gateway::server::Settings;

/// Serve OpenAI's API in front of another server, and correct its tool calls and structured output.
///
/// Point a client at this address instead of the server's. Tool calls that the model wrote as text become `tool_calls`,
/// arguments are bound to the request's tools, and content is coerced to the requested schema, whether streamed or not.
/// Everything else passes through unchanged.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  llmjson gateway --upstream http://127.0.0.1:11434/v1
  llmjson gateway --upstream http://127.0.0.1:8080/v1 --retries 2 --tool-policy pay=exact
  llmjson gateway --upstream 'qwen*=http://127.0.0.1:8000/v1' --upstream https://llm.example/v1
  llmjson gateway --config gateway.toml

The part of a path after /v1 is appended to the upstream's URL, any other path to its origin.
Clients' API keys pass through, unless the upstream has one in a variable that `key-env` names.
The gateway itself answers /metrics and /healthz. SIGHUP loads the settings again.

In a settings file, options are keys with the same names:
  retries = 2
  [[upstream]]
  url = \"http://127.0.0.1:8000/v1\"
  models = [\"qwen*\"]
  key-env = \"QWEN_KEY\"

Exit code: 0 after SIGTERM or ctrl-c, 2 if a setting or the address cannot be used.")]
pub(crate) struct GatewayArgs {
    /// TOML file with settings, named like the options, which override them.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Minimum level of messages on standard error.
    #[arg(long, value_name = "LEVEL", default_value = "info",
        value_parser = PossibleValuesParser::new(["off", "error", "warn", "info", "debug"]))]
    pub(crate) log: String,
    #[command(flatten)]
    pub(crate) settings: Settings,
}
