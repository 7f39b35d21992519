//! The commands `parse`, `coerce`, `validate` and `stringify`, on one input.

use llmjson::syntax::Parser;
use llmjson::{Failure, Schema, policy::Undeclared, stringify as feedback_of, syntax::Limits};

use crate::Verdict;
use crate::args::{CoerceArgs, FailOn, OutputArgs, ParseArgs, StringifyArgs, ValidateArgs};
use crate::colours::is_watched;
use crate::errors;
use crate::findings::Findings;
use crate::input::{CommandError, Reply, Source, read_json, without_mark};
use crate::terminal::{tell, write_feedback, write_json, write_json_in};

pub(crate) fn parse(args: &ParseArgs) -> Result<Verdict, CommandError> {
    let (schema, file) = (args.schema.as_deref(), args.file.as_deref());
    let reply = Reply::read(schema, file, args.policy.policy())?;
    let schema = reply.schema.as_ref();
    let schema = schema.map(|schema| schema.with_formats(reply.policy.formats()));
    let parsed = if args.arguments {
        reply.policy.arguments(&reply.text, schema)
    } else {
        reply.policy.parse(&reply.text, schema)
    };
    let fail_on = args.policy.fail_on();
    print(
        Findings::of(parsed),
        schema,
        &reply.source,
        (&args.output, fail_on),
    )
}

pub(crate) fn coerce(args: &CoerceArgs) -> Result<Verdict, CommandError> {
    let (schema, source) = schema_and_source(&args.schema, args.file.as_deref())?;
    let text = source.read_whole()?;
    let document = read_json(without_mark(&text)).map_err(|what| refuse(&source, &what))?;
    let policy = args.policy.policy();
    let schema = schema.with_formats(policy.formats());
    let findings = Findings::of(policy.coerce(document, schema));
    print(
        findings,
        Some(schema),
        &source,
        (&args.output, args.policy.fail_on()),
    )
}

pub(crate) fn validate(args: &ValidateArgs) -> Result<Verdict, CommandError> {
    let (schema, source) = schema_and_source(&args.schema, args.file.as_deref())?;
    let text = source.read_whole()?;
    let document = read_json(without_mark(&text)).map_err(|what| refuse(&source, &what))?;
    let undeclared = if args.equals {
        Undeclared::Reject
    } else {
        Undeclared::Keep
    };
    let schema = schema.with_formats(args.formats.given().unwrap_or_default());
    let findings = Findings::judge(document, schema, undeclared);
    if args.report {
        write(&findings.report().to_json())?;
    }
    let verdict = Verdict::of(findings.conforms());
    if verdict == Verdict::Differs {
        say_what_is_wrong(findings, Some(schema), &source);
    }
    Ok(verdict)
}

pub(crate) fn stringify(args: &StringifyArgs) -> Result<Verdict, CommandError> {
    let source = Source::new(args.file.as_deref());
    let text = source.read_whole()?;
    let document = read_json(without_mark(&text)).map_err(|what| refuse(&source, &what))?;
    let errors = errors::read(&document).map_err(|what| CommandError::new(&source.name(), what))?;
    // The feedback is JSON with comments, so what a terminal would act on can be escaped in it.
    write(&errors.feedback(None))?;
    Ok(Verdict::Conforms)
}

fn schema_and_source(
    schema: &std::path::Path,
    file: Option<&std::path::Path>,
) -> Result<(Schema, Source), CommandError> {
    let (schema, source) = Source::pair(Some(schema), file)?;
    let schema = schema.expect("a path was given").read_schema()?.1;
    Ok((schema, source))
}

fn refuse(source: &Source, what: &str) -> CommandError {
    let hint = if what.starts_with("not strict") {
        "; `llmjson parse` reads replies"
    } else {
        ""
    };
    CommandError::new(&source.name(), format_args!("{what}{hint}"))
}

/// Prints the value or the report, and a summary for people.
fn print(
    findings: Findings<'_>,
    schema: Option<&Schema>,
    source: &Source,
    (output, fail_on): (&OutputArgs, FailOn),
) -> Result<Verdict, CommandError> {
    let several_lines = output.pretty || is_watched();
    let failed = fail_on.reason(findings.complete, findings.certainty());
    let failed = failed.filter(|_| findings.conforms());
    let verdict = Verdict::of(findings.conforms() && failed.is_none());
    let shown = match (output.report, findings.value()) {
        (true, _) => Some(pretty(findings.report().to_json(), several_lines)),
        (false, Some(value)) if verdict == Verdict::Conforms => Some(if several_lines {
            value.to_json_pretty()
        } else {
            value.to_json()
        }),
        (false, _) => None,
    };
    if let Some(shown) = shown {
        let written = write_json_in(&shown, output.color());
        written.map_err(|error| CommandError::new("standard output", error))?;
    }
    if let Some(reason) = failed {
        tell(&format!("{}: {reason}", source.name()));
        return Ok(verdict);
    }
    match verdict {
        Verdict::Differs => say_what_is_wrong(findings, schema, source),
        Verdict::Conforms if !findings.complete => warn_of_cut(source),
        Verdict::Conforms => {}
    }
    Ok(verdict)
}

pub(crate) fn warn_of_cut(source: &Source) {
    let what = "the text was cut off, the value is what is left of it";
    tell(&format!("{}: warning: {what}", source.name()));
}

/// Writes our own JSON over several lines.
pub(crate) fn pretty(json: String, wanted: bool) -> String {
    if !wanted {
        return json;
    }
    let limits = Limits::DEFAULT
        .with_input_bytes(u32::MAX - 1)
        .with_depth(1_000);
    let document = Parser::new().with_limits(limits).parse_owned(json);
    document
        .to_json_pretty()
        .unwrap_or_else(|| document.text().to_owned())
}

/// Prints the feedback for the model, or where there was nothing to read, one line.
pub(crate) fn say_what_is_wrong(findings: Findings<'_>, schema: Option<&Schema>, source: &Source) {
    let Findings {
        document,
        violations,
        refused,
        ..
    } = findings;
    let nothing = document.text().trim().is_empty() || document.limit().is_some();
    let failure = Failure::new(document, schema, violations).with_refusals(refused);
    if nothing {
        tell(&format!("{}: {failure}", source.name()));
    } else {
        write_feedback(&feedback_of(&failure));
    }
}

/// Writes a line to standard output. If it is not read any more, the exit code still tells.
pub(crate) fn write(json: &str) -> Result<(), CommandError> {
    let written = write_json(json);
    written
        .map(|_| ())
        .map_err(|error| CommandError::new("standard output", error))
}
