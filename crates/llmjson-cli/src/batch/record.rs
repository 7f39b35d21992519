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
            JsonText::at_end_of(&mut out.text).object(|out| {
                if let Some(file) = file {
                    out.member("file", file);
                }
                out.member("line", number);
                if let Some(id) = &told.id {
                    out.member("id", Raw(id));
                }
                out.member("ok", false);
                out.member("error", &*error);
            });
            tally = told.unusable(number, error, settings);
        }
    }
    if let Some((repairs, _)) = &told.mended {
        tally.mended += 1;
        // The answer to a line that cannot be used has its number.
        let line = is_usable.then(|| format!("\"line\":{number},"));
        let repairs = format!(",{}{}", line.unwrap_or_default(), inner(repairs));
        told.kept.insert_str(0, &repairs);
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
            true => out.text.extend(["{\"value\":", value, &told.kept, "}"]),
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
    let text = str::from_utf8(line.bytes.ok_or_else(too_long)?);
    let text =
        text.map_err(|error| format!("the text is not UTF-8 at byte {}", error.valid_up_to()))?;
    let row = line::read(text, settings)?;
    let id = row.document.root().and_then(|root| settings.id.of(root));
    let id = id.map(|id| id.to_json());
    told.id.clone_from(&id);
    if id.as_ref().is_some_and(|id| settings.answered.contains(id)) {
        return Ok(Answer::Skipped);
    }
    if settings.keep {
        told.keep(&line::others(&row.document, settings));
    }
    told.mended.clone_from(&row.mended);
    told.row = settings.rejects.then(|| row.document.text().to_owned());
    let task = Task::read(&row, settings)?;
    let reply = Reply {
        id: id.as_deref().unwrap_or("null"),
        settings,
        out,
    };
    let ok = if task.op == Op::Stringify {
        reply.stringify(&task)?
    } else if let Some(call) = &task.call {
        let outcome = reply.bind(&task.input, call)?;
        told.feedback = outcome.explanation().filter(|_| !outcome.is_ok());
        outcome.is_ok()
    } else if let Some((tools, family)) = &task.tools {
        reply.calls(&task.input, tools, *family)
    } else {
        let (mut findings, time) = work(&task)?;
        if let Some((_, class)) = row.mended {
            findings.row = class;
        }
        if settings.feedback || settings.rejects {
            told.feedback = findings.feedback(task.schema.as_ref());
        }
        told.count(&findings, line.number, text.as_bytes(), settings);
        reply.findings(&findings, time)
    };
    Ok(Answer::Row { ok })
}

/// The answer to a row that can be used, while it is written.
struct Reply<'a, 'o> {
    id: &'a str,
    settings: &'a Settings,
    out: &'a mut JsonText<'o>,
}

impl<'o> Reply<'_, 'o> {
    /// Writes the answer with its own members.
    fn write(self, ok: bool, members: impl FnOnce(&mut JsonText<'o>, &Settings)) {
        self.out.object(|out| {
            out.member("id", Raw(self.id));
            out.member("ok", ok);
            members(out, self.settings);
        });
    }

    fn findings(self, findings: &Findings<'_>, time: Duration) -> bool {
        let error = || {
            let failure = Failure::new(findings.document.clone(), None, Vec::new());
            let failure = failure.with_refusals(findings.refused.clone());
            let hint = findings.document.limit().map_or_else(String::new, hint_of);
            format!("{failure}{hint}")
        };
        let error = findings.value().is_none().then(error);
        self.write(findings.conforms(), |out, settings| {
            write(findings, time, error, settings, out);
        });
        findings.conforms()
    }

    /// Binds the arguments of a call.
    fn bind(self, input: &str, call: &Call) -> Result<CallOutcome, String> {
        if call.tools.is_broken(&call.name) {
            let lints = call.tools.lints().map(ToString::to_string);
            let lints = lints.collect::<Vec<_>>().join("; ");
            return Err(format!("the tool {:?} cannot be used: {lints}", call.name));
        }
        let arguments = match call.is_value {
            true => Arguments::from(read_json(input)?),
            false => Arguments::from(input),
        };
        let arguments = with_finish(arguments, call.finish.clone());
        let start = Instant::now();
        let outcome = call.tools.bind(&call.name, arguments);
        let time = start.elapsed();
        let (findings, error) = match &outcome {
            CallOutcome::Known(report) => {
                let findings = Findings::of_report(report);
                let is_failed = findings.value().is_none();
                (findings, is_failed.then(|| report.failure().to_string()))
            }
            CallOutcome::Unknown(unknown) => (Findings::read(parse("")), Some(unknown.to_string())),
        };
        self.write(outcome.is_ok(), |out, settings| {
            write(&findings, time, error, settings, out);
            outcome.write(out);
        });
        Ok(outcome)
    }

    /// Finds the calls in a text. The value is the array of complete calls of known tools.
    fn calls(self, input: &str, tools: &Tools, families: Option<Families>) -> bool {
        let mut reader = CallReader::new(tools.registry());
        if let Some(families) = families {
            reader = reader.with_families(families);
        }
        let start = Instant::now();
        let found = reader.read(input);
        let time = start.elapsed();
        let all = found.calls();
        self.write(found.is_ok(), |out, settings| {
            let usable = all.iter();
            let usable = usable.filter(|call| call.is_complete() && call.unknown().is_none());
            out.objects("value", usable, write_call);
            out.member("complete", all.iter().all(TextCall::is_complete));
            out.member("certainty", found.certainty().name());
            out.objects("calls", all, write_members);
            out.objects("not_run", found.not_run(), write_not_run);
            let unsearched = found.unsearched().map(|rest| [rest.start, rest.end]);
            out.member("unsearched", unsearched);
            out.member("content", found.content());
            out.member("reasoning", found.reasoning());
            write_time(time, settings, out);
        });
        found.is_ok()
    }

    fn stringify(self, task: &Task) -> Result<bool, String> {
        let document = read_json(&task.input)?;
        let errors = errors::read(&document)?;
        let start = Instant::now();
        let feedback = errors.feedback(task.schema.as_ref());
        let time = start.elapsed();
        self.write(true, |out, settings| {
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
}

/// Calls the library, and returns the duration of only that call.
pub(super) fn work(task: &Task) -> Result<(Findings<'_>, Duration), String> {
    let (input, schema) = (task.input.as_str(), task.schema.as_ref());
    let document = match task.op {
        Op::Coerce | Op::Validate if schema.is_some() => Some(read_json(input)?),
        _ => None,
    };
    let start = Instant::now();
    let parsed = match (task.op, schema, document) {
        (Op::Parse, ..) => task.policy.parse(input, schema),
        (Op::Arguments, ..) => task.policy.arguments(input, schema),
        (Op::Coerce, Some(schema), Some(document)) => task.policy.coerce(document, schema),
        (Op::Validate, Some(schema), Some(document)) => {
            let undeclared = match task.equals {
                true => Undeclared::Reject,
                false => Undeclared::Keep,
            };
            let findings = Findings::judge(document, task.policy.asks(schema), undeclared);
            return Ok((findings, start.elapsed()));
        }
        _ => return Err("there is no schema".to_owned()),
    };
    let time = start.elapsed();
    let mut findings = Findings::of(parsed);
    if let (Some(schema), true) = (schema, task.equals) {
        findings.reject_undeclared(task.policy.asks(schema));
    }
    Ok((findings, time))
}

fn write_violation(violation: &Violation, out: &mut JsonText<'_>) {
    out.member("path", violation.path.to_string());
    out.member("expected", &*violation.expected);
    if let Some(description) = &violation.description {
        out.member("description", &**description);
    }
}

/// Writes the value, its repairs, coercions and violations, and why there is none.
fn write(
    findings: &Findings<'_>,
    time: Duration,
    error: Option<String>,
    settings: &Settings,
    out: &mut JsonText<'_>,
) {
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
    if let Some(error) = error {
        out.member("error", error);
    }
}

/// Writes the time of the library call, which differs from run to run, if it is asked for.
fn write_time(time: Duration, settings: &Settings, out: &mut JsonText<'_>) {
    if settings.time {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        out.member("ns", nanoseconds);
    }
}
