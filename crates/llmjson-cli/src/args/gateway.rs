//! Arguments of the command `gateway`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use clap::builder::PossibleValuesParser;
use llmjson_gateway::server::Settings;

/// Serve OpenAI's API in front of another server, and correct its calls of tools and its structured output.
///
/// Point a client at this address instead of the server's. Calls that the model wrote as text become calls, their
/// arguments are bound to the tools of the request, and content is made to fit the schema that the request asks for,
/// whole and streamed. All else passes as it is.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  llmjson gateway --upstream http://127.0.0.1:11434/v1
  llmjson gateway --upstream http://127.0.0.1:8080/v1 --retries 2 --tool-policy pay=exact
  llmjson gateway --upstream 'qwen*=http://127.0.0.1:8000/v1' --upstream https://llm.example/v1
  llmjson gateway --config gateway.toml

What follows /v1 in a path is appended to the URL of the upstream, any other path to its origin. Keys are those of
the clients, and pass through. /metrics and /healthz are answered by the gateway.

In a file the options are keys of the same names:
  retries = 2
  [[upstream]]
  url = \"http://127.0.0.1:8000/v1\"
  models = [\"qwen*\"]

Exit code: 0 after SIGTERM or ctrl-c, 2 if a setting or the address cannot be used.")]
pub(crate) struct GatewayArgs {
    /// TOML file with settings, each named as its option; options count for more.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Least importance of the messages on standard error.
    #[arg(long, value_name = "LEVEL", default_value = "info",
        value_parser = PossibleValuesParser::new(["off", "error", "warn", "info", "debug"]))]
    pub(crate) log: String,
    #[command(flatten)]
    pub(crate) settings: Settings,
}
