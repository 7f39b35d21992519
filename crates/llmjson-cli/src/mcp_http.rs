//! `llmjson mcp-proxy` with `--url` or `--listen`: the proxy of [`llmjson_gateway`] over Streamable HTTP.

use llmjson_gateway::server::mcp::{Config, relay, serve};

use crate::Verdict;
use crate::args::McpProxyArgs;
use crate::gateway;
use crate::input::CommandError;

const COMMAND: &str = "mcp-proxy";

/// Serves until a signal ends the program, or forwards messages until standard input ends.
pub(crate) fn run(args: &McpProxyArgs) -> Result<Verdict, CommandError> {
    let wrong = |error: &dyn std::fmt::Display| CommandError::new(COMMAND, error);
    let config = Config::new(&args.http, args.policy(), &args.server);
    let config = config.map_err(|error| wrong(&error))?;
    let log = gateway::log(&args.log);
    let runtime = gateway::runtime(COMMAND)?;
    match config.listen() {
        Some(address) => {
            let path = config.path().to_owned();
            let served = runtime.block_on(gateway::listen(
                COMMAND,
                address,
                |address| format!("http://{address}{path}"),
                async |listener, ended| serve(config, listener, ended).await,
            ));
            log.finish();
            served?;
        }
        None => {
            let relayed = relay(config, tokio::io::stdin(), tokio::io::stdout());
            let relayed = runtime.block_on(relayed);
            // A thread may still wait for input.
            runtime.shutdown_background();
            log.finish();
            relayed.map_err(|error| wrong(&error))?;
        }
    }
    Ok(Verdict::Conforms)
}
