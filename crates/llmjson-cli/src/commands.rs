//! The commands `parse`, `coerce`, `validate` and `stringify`, on one input.

use llmjson::syntax::{Document, JsonOut, JsonText, Parser};
use llmjson::{
    Failure, Policy, Schema, policy::Undeclared, stringify as feedback_of, syntax::Limits,
};

use crate::Verdict;
use crate::args::{CoerceArgs, FailOn, OutputArgs, ParseArgs, StringifyArgs, ValidateArgs};
use crate::colours::is_watched;
use crate::errors;
use crate::findings::Findings;
use crate::input::{CommandError, Reply, Source, each, read_json, without_mark};
use crate::terminal::{tell, write_feedback, write_json, write_json_in};

pub(crate) fn parse(args: &ParseArgs) -> Result<Verdict, CommandError> {
    let (schema, sources) = args.input.with_schema(args.schema.as_deref())?;
    let policy = args.policy.policy();
    let schema = schema.as_ref();
    let schema = schema.map(|schema| policy.asks(schema));
    let shown = Shown::of(&args.output, args.policy.fail_on(), &policy, &sources);
    each(&sources, |source| {
        let reply = Reply::read(source, policy.clone())?;
        let parsed = if args.arguments {
            reply.policy.arguments(&reply.text, schema)
        } else {
            reply.policy.parse(&reply.text, schema)
        };
        shown.print(Findings::of(parsed), schema, &reply.source)
    })
}

pub(crate) fn coerce(args: &CoerceArgs) -> Result<Verdict, CommandError> {
    let (schema, sources) = args.input.with_schema(Some(&args.schema))?;
    let policy = args.policy.policy();
    let schema = schema.expect("a path was given");
    let schema = policy.asks(&schema);
    let shown = Shown::of(&args.output, args.policy.fail_on(), &policy, &sources);
    each(&sources, |source| {
        let text = source.read_whole()?;
        let document = read_json(without_mark(&text)).map_err(|what| refuse(source, &what))?;
        let findings = Findings::of(policy.coerce(document, schema));
        shown.print(findings, Some(schema), source)
    })
}

pub(crate) fn validate(args: &ValidateArgs) -> Result<Verdict, CommandError> {
    let (schema, sources) = args.input.with_schema(Some(&args.schema))?;
    let schema = schema.expect("a path was given");
    let policy = args.asks.of(Policy::lenient());
    let schema = policy.asks(&schema);
    let undeclared = if args.equals {
        Undeclared::Reject
    } else {
        Undeclared::Keep
    };
    let is_named = sources.len() > 1;
    each(&sources, |source| {
        let text = source.read_whole()?;
        let document = read_json(without_mark(&text)).map_err(|what| refuse(source, &what))?;
        let findings = Findings::judge(document, schema, undeclared);
        if args.report {
            write(&report(&findings, is_named.then_some(source)))?;
        }
        let verdict = Verdict::of(findings.conforms());
        if verdict == Verdict::Differs {
            say_what_is_wrong(findings, Some(schema), source, is_named);
        }
        Ok(verdict)
    })
}

pub(crate) fn stringify(args: &StringifyArgs) -> Result<Verdict, CommandError> {
    each(&args.input.sources(|_| true)?, |source| {
        let text = source.read_whole()?;
        let document = read_json(without_mark(&text)).map_err(|what| refuse(source, &what))?;
        let errors = errors::read(&document);
        let errors = errors.map_err(|what| source.error(what))?;
        // The feedback is JSON with comments, so what a terminal would act on can be escaped in it.
        write(&errors.feedback(None))?;
        Ok(Verdict::Conforms)
    })
}

fn refuse(source: &Source, what: &str) -> CommandError {
    let hint = if what.starts_with("not strict") {
        "; `llmjson parse` reads replies"
    } else {
        ""
    };
    source.error(format_args!("{what}{hint}"))
}

/// The report of findings, with the name of their file where there are several.
fn report(findings: &Findings<'_>, named: Option<&Source>) -> String {
    let report = findings.report().to_json();
    named.map_or(report.clone(), |source| {
        let mut file = JsonText::object_of(|out| out.member("file", source.name()));
        file.pop();
        file + "," + &report[1..]
    })
}

/// The way in which the results of all inputs are printed.
struct Shown<'a> {
    output: &'a OutputArgs,
    fail_on: FailOn,
    allow_truncated: bool,
    /// `true` if there are several inputs, which are told apart by their names.
    is_named: bool,
}

impl<'a> Shown<'a> {
    fn of(output: &'a OutputArgs, fail_on: FailOn, policy: &Policy, sources: &[Source]) -> Self {
        Self {
            output,
            fail_on,
            allow_truncated: policy.allows_truncated(),
            is_named: sources.len() > 1,
        }
    }

    /// Prints the value or the report, and a summary for people.
    fn print(
        &self,
        findings: Findings<'_>,
        schema: Option<&Schema>,
        source: &Source,
    ) -> Result<Verdict, CommandError> {
        let several_lines = self.output.pretty || is_watched();
        let failed = (self.fail_on).reason(findings.complete, findings.certainty());
        let failed = failed.filter(|_| findings.conforms());
        let verdict = Verdict::of(findings.conforms() && failed.is_none());
        let shown = match (self.output.report, findings.value()) {
            (true, _) => {
                let report = report(&findings, self.is_named.then_some(source));
                Some(pretty(report, several_lines))
            }
            (false, Some(value)) if verdict == Verdict::Conforms => Some(if several_lines {
                value.to_json_pretty()
            } else {
                value.to_json()
            }),
            (false, _) => None,
        };
        if let Some(shown) = shown {
            write_json_in(&shown, self.output.color)?;
        }
        if let Some(reason) = failed {
            tell(&format!("{}: {reason}", source.name()));
            return Ok(verdict);
        }
        match verdict {
            Verdict::Differs => say_what_is_wrong(findings, schema, source, self.is_named),
            Verdict::Conforms if !findings.complete && !self.allow_truncated => {
                warn_of_truncation(source, " (--allow-truncated accepts it)");
                return Ok(Verdict::Differs);
            }
            Verdict::Conforms => {}
        }
        Ok(verdict)
    }
}

pub(crate) fn warn_of_truncation(source: &Source, hint: &str) {
    let what = "the text is truncated; printed the part that could be read";
    tell(&format!("{}: warning: {what}{hint}", source.name()));
}

/// Writes our own JSON over several lines.
pub(crate) fn pretty(json: String, wanted: bool) -> String {
    if !wanted {
        return json;
    }
    let document = own_json(&json);
    document
        .to_json_pretty()
        .unwrap_or_else(|| document.text().to_owned())
}

/// Reads JSON that was written here, however long it is and however deep.
pub(crate) fn own_json(json: &str) -> Document<'_> {
    let limits = Limits::DEFAULT
        .with_input_bytes(u32::MAX - 1)
        .with_depth(1_000);
    Parser::new().with_limits(limits).parse(json)
}

/// Prints the feedback for the model. If the reply holds no value, one line for the caller precedes
/// the feedback; if there was nothing to read, that line is all.
pub(crate) fn say_what_is_wrong(
    findings: Findings<'_>,
    schema: Option<&Schema>,
    source: &Source,
    is_named: bool,
) {
    let Findings {
        document,
        violations,
        refused,
        ..
    } = findings;
    let limit = document.limit();
    let nothing = document.text().trim().is_empty() || limit.is_some();
    let has_value = document.root().is_some();
    let failure = Failure::new(document, schema, violations).with_refusals(refused);
    if nothing {
        tell(&format!(
            "{}: {failure}{}",
            source.name(),
            source.hint(limit)
        ));
    } else {
        if is_named || !has_value {
            tell(&format!("{}: {failure}", source.name()));
        }
        write_feedback(&feedback_of(&failure));
    }
}

/// Writes a line to standard output. If it is not read any more, the exit code still tells.
pub(crate) fn write(json: &str) -> Result<(), CommandError> {
    write_json(json).map(|_| ())
}
