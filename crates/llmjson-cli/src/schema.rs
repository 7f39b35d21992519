//! Renders a schema for a provider, or lists what the provider does not support in it.

use llmjson::SchemaNote;
use llmjson::tools::{Lint, Severity};

use crate::Verdict;
use crate::args::SchemaArgs;
use crate::commands::{pretty, write};
use crate::input::{CommandError, Source, each};
use crate::terminal::tell;
use llmjson::syntax::{JsonOut, JsonText};

pub(crate) fn run(args: &SchemaArgs) -> Result<Verdict, CommandError> {
    each(&args.input.sources(|_| true)?, |source| one(args, source))
}

fn one(args: &SchemaArgs, source: &Source) -> Result<Verdict, CommandError> {
    let (_, schema) = source.read_schema()?;
    let target = args.target;
    if args.lint {
        let lints = target.map_or_else(Vec::new, |target| target.lint(&schema));
        let is_listed = |note: &&SchemaNote| {
            let mut lints = lints.iter();
            lints.any(|lint| lint.pointer == note.pointer && lint.keyword == note.keyword)
        };
        for note in schema.notes().iter().filter(|note| !is_listed(note)) {
            let (severity, code) = (Severity::Warning.name(), note.kind.name());
            let words = [severity, code, &note.pointer, &note.keyword, &note.message];
            write(&pretty(to_json(words), args.pretty))?;
        }
        for lint in &lints {
            let (severity, code) = (lint.severity.name(), lint.code.name());
            let words = [severity, code, &lint.pointer, &lint.keyword, &lint.message];
            write(&pretty(to_json(words), args.pretty))?;
        }
        return Ok(verdict(&lints));
    }
    for note in schema.notes() {
        tell(&format!("{}: {}", source.name(), note.message));
    }
    let target = target.expect("it is required without `--lint`");
    let rendered = target.render(&schema);
    write(&pretty(rendered.as_json().to_owned(), args.pretty))?;
    let name = source.name();
    for lint in rendered.unsupported() {
        tell(&format!("{name}: {lint}"));
    }
    if let Some(member) = rendered.wrapper() {
        tell(&format!(
            "{name}: the root is wrapped in an object with the member `{member}`"
        ));
    }
    Ok(verdict(rendered.unsupported()))
}

fn verdict(lints: &[Lint]) -> Verdict {
    let mut lints = lints.iter();
    Verdict::of(lints.all(|lint| lint.severity != Severity::Error))
}

fn to_json(words: [&str; 5]) -> String {
    JsonText::object_of(|out| {
        for (name, word) in ["severity", "code", "pointer", "keyword", "message"]
            .iter()
            .zip(words)
        {
            out.member(name, word);
        }
    })
}
