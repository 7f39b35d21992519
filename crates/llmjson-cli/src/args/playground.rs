//! Arguments of the command `playground`.

use clap::Args as ClapArgs;

/// Serve a page for trying out replies, only to this machine.
///
/// Prints the address and serves until it is interrupted. The page shows the value, each repair in place, the feedback,
/// tool calls, the reply as a stream, and the results of other policies and libraries. Text entered there never leaves
/// this machine.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  llmjson playground
  llmjson playground --port 8080

The address contains a secret that changes with each start. Requests without it are rejected.

Exit code: 2 if the port cannot be used.")]
pub(crate) struct PlaygroundArgs {
    /// Port on the loopback address; 0 picks a free port.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
}
