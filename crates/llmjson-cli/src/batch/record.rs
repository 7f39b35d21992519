//! The answer to one line, as a line.

use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use llmjson::tools::{Arguments, CallReader, Families, TextCall};
use llmjson::{Failure, policy::Undeclared, report::Violation, syntax::Class};

use crate::bind::{CallOutcome, with_finish};
use crate::calls::{write_call, write_members, write_not_run};
use crate::commands::own_json;
use crate::errors;
use crate::findings::{Findings, write_repair};
use crate::input::{hint_of, read_json};
use crate::tools::Tools;
use llmjson::syntax::{JsonOut, JsonText, Raw, parse};
use llmjson_page::OtherRow;

use super::line::{self, Call, Op, Task};
use super::reader::{LINE_BYTES_MAX, Line};
use super::settings::{Settings, Tally};
use super::told::Told;
use super::worst::Bad;

/// Appends the answer to a line.
pub(super) fn answer(
    line: Line<'_>,
    file: Option<&str>,
    settings: &Settings,
    out: &mut Answers,
) -> Tally {
    let start = out.text.len();
    let number = line.number;
    let mut told = Told::default();
    let done = catch_unwind(AssertUnwindSafe(|| {
        let out = &mut JsonText::at_end_of(&mut out.text);
        respond(line, settings, &mut told, out)
    }));
    let done = done.unwrap_or_else(|_| Err("internal error on this line".to_owned()));
    let mut tally = take(&mut told.tally);
    let mut ok = matches!(done, Ok(Answer::Row { ok: true }));
    let is_usable = done.is_ok();
    match done {
        Ok(Answer::Skipped) => {
            tally.skipped += 1;
            return tally;
        }
        Ok(Answer::Row { ok }) if tally.counts.rows == 0 => tally.counts.count_other(match ok {
            true => OtherRow::Conforms,
            false => OtherRow::Differs,
        }),
        Ok(Answer::Row { .. }) => ok &= tally.failed == 0,
        Err(error) => {
            out.text.truncate(start);
            let text = &mut JsonText::at_end_of(&mut out.text);
            write_bad_line(number, file, told.id.as_deref(), &error, text);
            tally = Tally::default();
            tally.counts.count_other(OtherRow::Unusable);
            tally.first_bad = Some((number, error.clone()));
            if settings.worst {
                let id = told.id.as_deref().unwrap_or_default();
                tally.worst.put(Bad::of_error(number, id, &error));
            }
        }
    }
    if let Some((repairs, _)) = &told.mended {
        tally.mended += 1;
        // The answer to a line that cannot be used has its number.
        let line = is_usable.then(|| format!("\"line\":{number},"));
        let line = line.unwrap_or_default();
        told.kept
            .insert_str(0, &format!(",{line}{}", inner(repairs)));
    }
    if let Some(feedback) = told.feedback.as_deref().filter(|_| settings.feedback) {
        let feedback = JsonText::object_of(|out| out.member("feedback", feedback));
        told.kept.insert_str(0, &format!(",{}", inner(&feedback)));
    }
    // The members are inserted before the brace that closes the answer, which has members already.
    out.text.pop();
    out.text.push_str(&told.kept);
    out.text.push('}');
    if settings.rejects && !ok {
        told.reject(&out.text[start..], &mut out.rejects);
    }
    if settings.only_values {
        let value = ok.then(|| own_json(&out.text[start..]));
        let value = value.and_then(|answer| Some(answer.root()?.get("value")?.to_json()));
        out.text.truncate(start);
        let value = value.as_deref().unwrap_or("null");
        match settings.keep {
            true => out
                .text
                .push_str(&format!("{{\"value\":{value}{}}}", told.kept)),
            false => out.text.push_str(value),
        }
    }
    out.text.push('\n');
    tally
}

/// The answers to lines.
#[derive(Default)]
pub(super) struct Answers {
    pub(super) text: String,
    /// The rows that are not ok, if they are wanted.
    pub(super) rejects: String,
}

/// The outcome of a line.
enum Answer {
    Row {
        ok: bool,
    },
    /// No answer, since there is one from before.
    Skipped,
}

/// The members of an object, without its brackets.
fn inner(object: &str) -> &str {
    &object[1..object.len() - 1]
}

fn write_bad_line(
    number: u64,
    file: Option<&str>,
    id: Option<&str>,
    error: &str,
    out: &mut JsonText<'_>,
) {
    out.object(|out| {
        if let Some(file) = file {
            out.member("file", file);
        }
        out.member("line", number);
        if let Some(id) = id {
            out.member("id", Raw(id));
        }
        out.member("ok", false);
        out.member("error", error);
    });
}

/// Answers a line.
///
/// # Errors
///
/// Why the line cannot be used. Its id is known if it could be read.
fn respond(
    line: Line<'_>,
    settings: &Settings,
    told: &mut Told,
    out: &mut JsonText<'_>,
) -> Result<Answer, String> {
    let too_long = || format!("the line is longer than {LINE_BYTES_MAX} bytes");
    let number = line.number;
    let text = str::from_utf8(line.bytes.ok_or_else(too_long)?);
    let foreign = |error: std::str::Utf8Error| {
        format!("the text is not UTF-8 at byte {}", error.valid_up_to())
    };
    let text = text.map_err(foreign)?;
    let row = line::read(text, settings)?;
    let root = row.document.root();
    let id = root.and_then(|root| settings.id.of(root));
    told.id = id.map(|id| id.to_json());
    if told
        .id
        .as_ref()
        .is_some_and(|id| settings.answered.contains(id))
    {
        return Ok(Answer::Skipped);
    }
    if settings.keep {
        told.keep(&line::others(&row.document, settings));
    }
    told.mended.clone_from(&row.mended);
    told.row = settings.rejects.then(|| row.document.text().to_owned());
    let task = Task::read(&row, settings)?;
    let id = told.id.clone();
    let id = id.as_deref().unwrap_or("null");
    let ok = if task.op == Op::Stringify {
        stringify(id, &task, settings, out)?
    } else if let Some(call) = &task.call {
        let outcome = bind(id, &task.input, call, settings, out)?;
        told.feedback = outcome.explanation().filter(|_| !outcome.is_ok());
        outcome.is_ok()
    } else if let Some((tools, family)) = &task.tools {
        calls(id, &task.input, tools, *family, settings, out)
    } else {
        let (mut findings, time) = work(&task)?;
        if let Some((_, class)) = row.mended {
            findings.row = class;
        }
        if settings.feedback || settings.rejects {
            told.feedback = findings.feedback(task.schema.as_ref());
        }
        told.count(&findings, number, text.as_bytes(), settings);
        write_findings(id, &findings, time, settings, out);
        findings.conforms()
    };
    Ok(Answer::Row { ok })
}

fn write_findings(
    id: &str,
    findings: &Findings<'_>,
    time: Duration,
    settings: &Settings,
    out: &mut JsonText<'_>,
) {
    let error = findings.value().is_none().then(|| {
        let failure = Failure::new(findings.document.clone(), None, Vec::new());
        let failure = failure.with_refusals(findings.refused.clone());
        let hint = findings.document.limit().map_or_else(String::new, hint_of);
        format!("{failure}{hint}")
    });
    out.object(|out| {
        out.member("id", Raw(id));
        out.member("ok", findings.conforms());
        write(findings, time, settings, out);
        if let Some(error) = error {
            out.member("error", &error);
        }
    });
}

/// Binds the arguments of a call.
fn bind(
    id: &str,
    input: &str,
    call: &Call,
    settings: &Settings,
    out: &mut JsonText<'_>,
) -> Result<CallOutcome, String> {
    if call.tools.is_broken(&call.name) {
        let lints = call.tools.lints().map(ToString::to_string);
        let lints: Vec<_> = lints.collect();
        return Err(format!(
            "the tool {:?} cannot be used: {}",
            call.name,
            lints.join("; ")
        ));
    }
    let arguments = match call.is_value {
        true => Arguments::from(read_json(input)?),
        false => Arguments::from(input),
    };
    let arguments = with_finish(arguments, call.finish.clone());
    let start = Instant::now();
    let outcome = call.tools.bind(&call.name, arguments);
    let time = start.elapsed();
    let findings = match &outcome {
        CallOutcome::Known(report) => Findings::of_report(report),
        CallOutcome::Unknown(_) => Findings::read(parse("")),
    };
    write_call_outcome(id, &findings, time, &outcome, settings, out);
    Ok(outcome)
}

fn write_call_outcome(
    id: &str,
    findings: &Findings<'_>,
    time: Duration,
    outcome: &CallOutcome,
    settings: &Settings,
    out: &mut JsonText<'_>,
) {
    let error = match outcome {
        CallOutcome::Unknown(unknown) => Some(unknown.to_string()),
        CallOutcome::Known(report) => {
            let failure = || report.failure().to_string();
            findings.value().is_none().then(failure)
        }
    };
    out.object(|out| {
        out.member("id", Raw(id));
        out.member("ok", outcome.is_ok());
        write(findings, time, settings, out);
        if let Some(error) = error {
            out.member("error", error);
        }
        outcome.write(out);
    });
}

/// Finds the calls in a text. Its value is the array of complete calls of known tools.
fn calls(
    id: &str,
    input: &str,
    tools: &Tools,
    family: Option<Families>,
    settings: &Settings,
    out: &mut JsonText<'_>,
) -> bool {
    let mut reader = CallReader::new(tools.registry());
    if let Some(family) = family {
        reader = reader.with_families(family);
    }
    let start = Instant::now();
    let found = reader.read(input);
    let time = start.elapsed();
    let all = found.calls();
    let is_ok = found.is_ok();
    out.object(|out| {
        out.member("id", Raw(id));
        out.member("ok", is_ok);
        let usable = all.iter();
        let usable = usable.filter(|call| call.is_complete() && call.unknown().is_none());
        out.objects("value", usable, write_call);
        out.member("complete", all.iter().all(TextCall::is_complete));
        out.member("certainty", found.certainty().name());
        out.objects("calls", all, write_members);
        out.objects("not_run", found.not_run(), write_not_run);
        out.member(
            "unsearched",
            found.unsearched().map(|rest| [rest.start, rest.end]),
        );
        out.member("content", found.content());
        out.member("reasoning", found.reasoning());
        write_time(time, settings, out);
    });
    is_ok
}

/// Calls the library, and returns the duration of only that call.
pub(super) fn work(task: &Task) -> Result<(Findings<'_>, Duration), String> {
    let (input, schema) = (task.input.as_str(), task.schema.as_ref());
    let undeclared = if task.equals {
        Undeclared::Reject
    } else {
        Undeclared::Keep
    };
    let start;
    let parsed = match (task.op, schema) {
        (Op::Parse, _) => {
            start = Instant::now();
            task.policy.parse(input, schema)
        }
        (Op::Arguments, _) => {
            start = Instant::now();
            task.policy.arguments(input, schema)
        }
        (Op::Coerce, Some(schema)) => {
            let document = read_json(input)?;
            start = Instant::now();
            task.policy.coerce(document, schema)
        }
        (Op::Validate, Some(schema)) => {
            let document = read_json(input)?;
            start = Instant::now();
            let schema = task.policy.asks(schema);
            let findings = Findings::judge(document, schema, undeclared);
            return Ok((findings, start.elapsed()));
        }
        (Op::Bind | Op::Calls | Op::Coerce | Op::Validate | Op::Stringify, _) => {
            return Err("there is no schema".to_owned());
        }
    };
    let time = start.elapsed();
    let mut findings = Findings::of(parsed);
    if let (Some(schema), true) = (schema, task.equals) {
        findings.reject_undeclared(task.policy.asks(schema));
    }
    Ok((findings, time))
}

fn stringify(
    id: &str,
    task: &Task,
    settings: &Settings,
    out: &mut JsonText<'_>,
) -> Result<bool, String> {
    let document = read_json(&task.input)?;
    let errors = errors::read(&document)?;
    let start = Instant::now();
    let feedback = errors.feedback(task.schema.as_ref());
    let time = start.elapsed();
    out.object(|out| {
        out.member("id", Raw(id));
        out.member("ok", true);
        out.member("value", feedback);
        out.member("complete", true);
        out.member("certainty", Class::Certain.name());
        for empty in ["repairs", "coercions", "violations"] {
            out.member(empty, Raw("[]"));
        }
        write_time(time, settings, out);
    });
    Ok(true)
}

fn write_violation(violation: &Violation, out: &mut JsonText<'_>) {
    out.member("path", violation.path.to_string());
    out.member("expected", &*violation.expected);
    if let Some(description) = &violation.description {
        out.member("description", &**description);
    }
}

/// Writes the value, its repairs, coercions and violations.
fn write(findings: &Findings<'_>, time: Duration, settings: &Settings, out: &mut JsonText<'_>) {
    let document = &findings.document;
    out.member("value", document.root());
    out.member("complete", findings.complete);
    if let Some(cut) = findings.report().truncation() {
        out.member("cut", cut.name());
    }
    findings.write_certainty(out);
    out.objects("repairs", document.repairs(), write_repair);
    out.objects("coercions", &findings.coercions, |coercion, out| {
        out.member("kind", coercion.kind.name());
        out.member("class", coercion.class.name());
        out.member("path", coercion.path.to_string());
        if !coercion.violations.is_empty() {
            let before = document.node(coercion.before);
            out.member("before", before.to_json());
            out.objects("violations", &coercion.violations, write_violation);
        }
    });
    out.objects("violations", &findings.violations, write_violation);
    let notes = findings.shown(None).notes();
    if !notes.is_empty() {
        out.objects("notes", &notes, |note, out| {
            out.member("kind", note.name);
            out.member("class", note.class.name());
            out.member("start", note.span.start);
            out.member("end", note.span.end);
        });
    }
    if !findings.refused.is_empty() {
        out.objects("refused", &findings.refused, |refusal, out| {
            out.member("kind", refusal.name());
            out.member("start", refusal.span().start);
            out.member("end", refusal.span().end);
        });
    }
    write_time(time, settings, out);
}

/// Writes the time of the library call, which differs from run to run, if it is asked for.
fn write_time(time: Duration, settings: &Settings, out: &mut JsonText<'_>) {
    if settings.time {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        out.member("ns", nanoseconds);
    }
}
