//! `llmjson calls`: finds the tool calls in a text and prints each on a line.

use std::io::Read as _;
use std::path::Path;

use llmjson::syntax::{JsonOut, JsonText, Raw};
use llmjson::{
    report::Issue,
    stream::CallEvent,
    tools::{CallReader, Families, Family, NotRun, TextCall, TextCalls},
};

use crate::Verdict;
use crate::args::CallsArgs;
use crate::bind::CallOutcome;
use crate::commands::write;
use crate::findings::write_repair;
use crate::input::{CommandError, Source, apart, each};
use crate::terminal::tell;
use crate::tools::{Rules, Tools};

pub(crate) fn run(args: &CallsArgs) -> Result<Verdict, CommandError> {
    let sources = args.input.sources(|_| true)?;
    let tools = match &args.tools {
        None => Tools::none(),
        Some(path) => {
            let list = Source::new(Some(path));
            apart(&sources, Some(&list), "the tools")?;
            let rules = Rules::of_policy(&args.policy);
            Tools::of_file(&list.read_whole()?, &list, &rules, Tools::read_any, None)?
        }
    };
    let mut reader = CallReader::new(tools.registry());
    let own = args.family_file.as_deref().map(family_of).transpose()?;
    let families = args.family.iter().copied().chain(own.map(Families::from));
    if let Some(families) = families.reduce(Families::and) {
        reader = reader.with_families(families);
    }
    each(&sources, |source| one(args, source, &reader))
}

fn one(
    args: &CallsArgs,
    source: &Source,
    reader: &CallReader<'_>,
) -> Result<Verdict, CommandError> {
    let found = match args.stream {
        true => stream(reader, source)?,
        false => reader.read(&source.read()?.text),
    };
    for call in found.calls() {
        write(&to_json(call))?;
    }
    for shown in found.not_run() {
        let line = |out: &mut JsonText<'_>| {
            out.object_in("not_run", |out| write_not_run(shown, out));
        };
        write(&JsonText::object_of(line))?;
    }
    if let Some(rest) = found.unsearched() {
        let line = |out: &mut JsonText<'_>| out.member("unsearched", [rest.start, rest.end]);
        write(&JsonText::object_of(line))?;
        tell(&format!(
            "{}: warning: stopped searching for calls at byte {}: work limit reached",
            source.name(),
            rest.start
        ));
    }
    let all = found.calls().iter().all(TextCall::is_ok);
    Ok(Verdict::of(all && found.unsearched().is_none()))
}

/// Reads the family that a file describes, which has the name of the file.
fn family_of(path: &Path) -> Result<Family, CommandError> {
    let source = Source::new(Some(path));
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let family = Family::from_response_schema(&name, &source.read_whole()?);
    family.map_err(|error| source.error(error))
}

/// Reads the text in pieces as they arrive, and prints each event on a line.
fn stream(reader: &CallReader<'_>, source: &Source) -> Result<TextCalls, CommandError> {
    let mut input = source.open()?;
    let mut stream = reader.stream();
    let mut piece = [0; 4096];
    loop {
        let length = input
            .read(&mut piece)
            .map_err(|error| source.error(error))?;
        if length == 0 {
            break;
        }
        let pushed = stream.push_bytes(&piece[..length]);
        pushed.map_err(|error| source.error(error))?;
        write_events(&stream.events())?;
    }
    let (found, events) = stream.finish_with_events();
    write_events(&events)?;
    Ok(found)
}

fn write_events(events: &[CallEvent]) -> Result<(), CommandError> {
    for event in events {
        let (kind, call, member) = match event {
            CallEvent::Started { call, name } => ("started", call, Some(("name", name))),
            CallEvent::Arguments { call, text } => ("arguments", call, Some(("text", text))),
            CallEvent::Finished { call, .. } => ("finished", call, None),
            CallEvent::Superseded { call } => ("superseded", call, None),
            _ => continue,
        };
        write(&JsonText::object_of(|out| {
            out.member("event", kind);
            out.member("call", *call);
            if let Some((name, text)) = member {
                out.member(name, text);
            }
            if let CallEvent::Finished {
                complete,
                ok,
                reason,
                arguments,
                ..
            } = event
            {
                out.member("complete", *complete);
                out.member("ok", *ok);
                if let Some(reason) = reason {
                    out.member("reason", reason);
                }
                if let Some(arguments) = arguments {
                    out.member("arguments", Raw(arguments));
                }
            }
        }))?;
    }
    Ok(())
}

/// Writes what has the form of a call and is none.
pub(crate) fn write_not_run(shown: &NotRun, out: &mut JsonText<'_>) {
    let span = shown.span();
    out.member("name", shown.name());
    out.member("arguments", shown.arguments());
    out.member("span", [span.start, span.end]);
    out.member("family", shown.family().name());
    out.member("reason", shown.reason().name());
}

/// Returns a call as a JSON object.
fn to_json(call: &TextCall) -> String {
    JsonText::object_of(|out| write_members(call, out))
}

/// Writes the members of a call.
pub(crate) fn write_members(call: &TextCall, out: &mut JsonText<'_>) {
    write_call(call, out);
    if let Some(id) = call.id() {
        out.member("id", id);
    }
    let span = call.span();
    out.member("span", [span.start, span.end]);
    out.member("family", call.family().name());
    out.member("ok", call.is_ok());
    out.member("complete", call.is_complete());
    out.member("certainty", call.certainty().name());
    out.objects("repairs", call.repairs(), write_repair);
    let unknown = call.unknown().map(|unknown| vec![unknown.issue()]);
    let issues: &[Issue] = match (call.report(), &unknown) {
        (Some(report), _) => report.issues(),
        (None, Some(issues)) => issues,
        (None, None) => &[],
    };
    out.member("issues", issues);
    if let Some(explanation) = explanation_of(call) {
        out.member("explanation", explanation);
    }
}

/// Returns the feedback about a call that cannot be run.
pub(crate) fn explanation_of(call: &TextCall) -> Option<String> {
    match (call.report(), call.unknown()) {
        _ if call.is_ok() => None,
        (Some(report), _) => Some(report.explain()),
        (None, Some(unknown)) => CallOutcome::Unknown(unknown.clone()).explanation(),
        (None, None) => Some("The call is truncated. Write it again in full.".to_owned()),
    }
}

/// Writes the name and the arguments of a call. Text that does not contain arguments is shown as a string.
pub(crate) fn write_call(call: &TextCall, out: &mut JsonText<'_>) {
    out.member("name", call.name());
    let arguments = call.arguments();
    if arguments.starts_with('{') {
        out.member("arguments", Raw(arguments));
    } else {
        out.member("arguments", arguments);
    }
}
