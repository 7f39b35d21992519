//! Renders a schema for a provider, or lists what the provider does not support in it.

use llmjson::tools::{Lint, Severity};

use crate::Verdict;
use crate::args::SchemaArgs;
use crate::commands::{pretty, write};
use crate::input::{CommandError, Source};
use crate::terminal::tell;
use llmjson::syntax::ObjectWriter;

pub(crate) fn run(args: &SchemaArgs) -> Result<Verdict, CommandError> {
    let source = Source::new(args.file.as_deref());
    let (_, schema) = source.read_schema()?;
    let target = args.target();
    if args.lint {
        let lints = target.lint(&schema);
        for lint in &lints {
            write(&pretty(to_json(lint), args.pretty))?;
        }
        return Ok(verdict(&lints));
    }
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

fn to_json(lint: &Lint) -> String {
    let mut json = String::new();
    let mut object = ObjectWriter::open(&mut json);
    object.text("severity", lint.severity.name());
    object.text("code", lint.code.name());
    object.text("pointer", &lint.pointer);
    object.text("keyword", &lint.keyword);
    object.text("message", &lint.message);
    object.close();
    json
}
