//! The command `llmjson`.
//!
//! This file dispatches commands and maps results to exit codes. The commands are in [`commands`], [`batch`], [`mod@diff`],
//! [`bind`], [`calls`], [`schema`], [`explain`], [`repair`], [`sse`], [`stream`], [`mcp_proxy`], [`playground`],
//! [`manual`], `ask`, `gateway` and `mcp_http`, and input and output in [`input`], [`mod@decode`], [`notation`],
//! [`tools`] and [`terminal`].

#![forbid(unsafe_code)]

mod args;
#[cfg(feature = "ask")]
mod ask;
mod batch;
mod bind;
mod calls;
mod colours;
mod commands;
mod decode;
mod diff;
mod errors;
mod explain;
mod findings;
#[cfg(feature = "gateway")]
mod gateway;
mod input;
mod log;
mod manual;
#[cfg(feature = "gateway")]
mod mcp_http;
mod mcp_proxy;
mod notation;
mod playground;
mod repair;
mod schema;
mod sse;
mod stream;
mod terminal;
mod tools;

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use args::{Args, Command};
use input::CommandError;
use terminal::picture_text;

/// The result of a command that could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A value that conforms.
    Conforms,
    /// No value, or a value that does not conform.
    Differs,
}

impl Verdict {
    fn of(conforms: bool) -> Self {
        if conforms {
            Self::Conforms
        } else {
            Self::Differs
        }
    }

    fn and(self, other: Self) -> Self {
        Self::of(self == Self::Conforms && other == Self::Conforms)
    }
}

fn main() -> ExitCode {
    let given: Vec<OsString> = std::env::args_os().collect();
    let given = with_command(given, io::stdin().is_terminal());
    let args = Args::try_parse_from(&given).unwrap_or_else(|error| refuse(&error, &given));
    match run(&args.command) {
        Ok(Verdict::Conforms) => ExitCode::from(0),
        Ok(Verdict::Differs) => ExitCode::from(1),
        Err(error) => {
            terminal::tell(&error.to_string());
            ExitCode::from(2)
        }
    }
}

/// Returns the arguments, with the command `parse` inserted if they begin without a command: with a file or folder, with
/// an option, or with nothing while a pipe is read. An unknown word remains, to be refused.
fn with_command(mut given: Vec<OsString>, is_terminal: bool) -> Vec<OsString> {
    let has_command = |name: &str| Args::command().find_subcommand(name).is_some();
    let parses = match given.get(1) {
        None => !is_terminal,
        Some(first) => match first.to_str() {
            Some("-") => true,
            Some("-h" | "--help" | "-V" | "--version" | "help") => false,
            Some(option) if option.starts_with('-') => true,
            Some(name) if has_command(name) => false,
            _ => Path::new(first).exists() || names_file(first),
        },
    };
    if parses {
        given.insert(1.min(given.len()), OsString::from("parse"));
    }
    given
}

/// Returns `true` if a word has the form of a file name, so that the error for a missing file names the file.
fn names_file(word: &OsString) -> bool {
    let word = word.to_string_lossy();
    word.contains(['/', '\\']) || Path::new(&*word).extension().is_some()
}

/// Exits with the error about the arguments, or with the help that they ask for.
fn refuse(error: &clap::Error, given: &[OsString]) -> ! {
    // The message repeats arguments, which may hold what a terminal acts on: so it is made once more, of
    // arguments in which every character shows.
    let shown = given.iter().map(|one| picture_text(&one.to_string_lossy()));
    match Args::try_parse_from(shown) {
        Err(shown) => shown.exit(),
        // Only the replaced characters were invalid: the arguments are not UTF-8.
        Ok(_) => error.exit(),
    }
}

fn run(command: &Command) -> Result<Verdict, CommandError> {
    match command {
        Command::Parse(args) => commands::parse(args),
        Command::Coerce(args) => commands::coerce(args),
        Command::Validate(args) => commands::validate(args),
        Command::Stringify(args) => commands::stringify(args),
        Command::Batch(args) => batch::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Repair(args) => repair::run(args),
        Command::Sse(args) => sse::run(args),
        Command::Stream(args) => stream::run(args),
        Command::Bind(args) => bind::run(args),
        Command::Calls(args) => calls::run(args),
        Command::Schema(args) => schema::run(args),
        #[cfg(feature = "ask")]
        Command::Ask(args) => ask::run(args),
        #[cfg(feature = "gateway")]
        Command::Gateway(args) => gateway::run(args),
        Command::Completions(args) => manual::completions(args),
        Command::Man(args) => manual::man(args),
        Command::McpProxy(args) => mcp_proxy::run(args),
        Command::Playground(args) => playground::run(args).map(|never| match never {}),
    }
}
