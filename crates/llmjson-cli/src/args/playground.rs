//! Arguments of the command `playground`.

use clap::Args as ClapArgs;

/// Serve a page on which replies are tried out, to this machine alone.
///
/// Prints the address, and answers until it is interrupted. The page shows the value, each repair in its
/// place, the feedback, the calls of tools, the reply as a stream, and what the policies and other libraries
/// make of it. Nothing that is put into it leaves this machine.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  llmjson playground
  llmjson playground --port 8080

The address holds a secret that is new at each start: requests without it are not answered.

Exit code: 2 if the port cannot be used.")]
pub(crate) struct PlaygroundArgs {
    /// Port on the loopback address; 0 for one that is free.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
}
