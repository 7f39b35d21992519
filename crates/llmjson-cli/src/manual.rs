//! Completions for shells, and manual pages, made from the arguments themselves.

use clap::CommandFactory as _;

use crate::Verdict;
use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::input::CommandError;
use crate::terminal::write_out;

pub(crate) fn completions(args: &CompletionsArgs) -> Result<Verdict, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "llmjson", &mut script);
    print(script)
}

pub(crate) fn man(args: &ManArgs) -> Result<Verdict, CommandError> {
    let mut command = Args::command();
    command.build();
    if let Some(name) = &args.command {
        let found = command.find_subcommand(name);
        let unknown = || CommandError::new(name, "there is no command of this name");
        command = found.ok_or_else(unknown)?.clone();
    }
    let mut page = Vec::new();
    let made = clap_mangen::Man::new(command).render(&mut page);
    made.map_err(|error| CommandError::new("the manual page", error))?;
    print(page)
}

fn print(text: Vec<u8>) -> Result<Verdict, CommandError> {
    let text = String::from_utf8(text);
    let text = text.map_err(|error| CommandError::new("the text", error))?;
    write_out(&text)?;
    Ok(Verdict::Conforms)
}
