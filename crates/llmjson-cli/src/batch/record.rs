//! The answer to one line, as a line.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use llmjson::tools::{Arguments, CallReader, Families, TextCall, UnknownTool};
use llmjson::{Failure, policy::Undeclared, report::Violation, syntax::Class};

use crate::bind::{CallOutcome, with_finish};
use crate::calls::{write_call, write_members, write_not_run};
use crate::errors;
use crate::findings::{Findings, write_repair};
use crate::input::{InputText, hint_of, read_json};
use crate::tools::{ToolLookup, Tools};
use llmjson::syntax::{JsonOut, JsonText, Raw, write_string};
use llmjson_page::OtherRow;

use super::line::{self, Call, Op, Task};
use super::reader::{LINE_BYTES_MAX, Line};
use super::settings::{Settings, Tally};
use super::worst::Bad;

/// Appends the answer to a line.
pub(super) fn answer(
    line: Line,
    file: Option<&str>,
    settings: &Settings,
    out: &mut String,
) -> Tally {
    let start = out.len();
    let number = line.number;
    let mut told = Told::default();
    let done = catch_unwind(AssertUnwindSafe(|| {
        respond(line, settings, &mut told, &mut JsonText::at_end_of(out))
    }));
    let done = done.unwrap_or_else(|_| Err("this line made the program fail".to_owned()));
    let Told {
        id,
        mut tally,
        kept,
    } = told;
    match done {
        Ok(ok) if tally.counts.rows == 0 => tally.counts.count_other(match ok {
            true => OtherRow::Conforms,
            false => OtherRow::Differs,
        }),
        Ok(_) => {}
        Err(error) => {
            out.truncate(start);
            let out = &mut JsonText::at_end_of(out);
            write_bad_line(number, file, id.as_deref(), &error, out);
            tally = Tally::default();
            tally.counts.count_other(OtherRow::Unusable);
            if settings.worst {
                let id = id.as_deref().unwrap_or_default();
                tally.worst.put(Bad::of_error(number, id, &error));
            }
        }
    }
    if !kept.is_empty() {
        // Behind the members of the answer, which is an object and has some.
        out.pop();
        out.push_str(&kept);
        out.push('}');
    }
    out.push('\n');
    tally
}

/// The result of a line.
#[derive(Default)]
struct Told {
    id: Option<String>,
    tally: Tally,
    /// The other members of the line, each behind a comma.
    kept: String,
}

impl Told {
    /// Takes in what came of a reply.
    fn count(&mut self, findings: &Findings<'_>, number: u64, line: &[u8], settings: &Settings) {
        self.tally.counts.count(&findings.shown(None));
        let failed = (settings.fail_on).reason(findings.complete, findings.certainty());
        self.tally.failed += u64::from(findings.value().is_some() && failed.is_some());
        if settings.worst {
            let id = self.id.as_deref().unwrap_or_default();
            let bad = Bad::of(number, id, line, findings);
            bad.into_iter().for_each(|bad| self.tally.worst.put(bad));
        }
    }

    fn keep(&mut self, others: &[(Cow<'_, str>, Cow<'_, str>)]) {
        for (name, value) in others {
            self.kept.push(',');
            write_string(name, &mut self.kept);
            self.kept.push(':');
            self.kept.push_str(value);
        }
    }
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

/// Returns whether the line is ok.
///
/// # Errors
///
/// Why the line cannot be used. Its id is known if it could be read.
fn respond(
    line: Line,
    settings: &Settings,
    told: &mut Told,
    out: &mut JsonText<'_>,
) -> Result<bool, String> {
    let too_long = || format!("the line is longer than {LINE_BYTES_MAX} bytes");
    let number = line.number;
    let InputText { text, cut } = InputText::decode(line.bytes.ok_or_else(too_long)?)?;
    if cut {
        return Err(format!("the text is not UTF-8 at byte {}", text.len()));
    }
    let document = line::read(&text)?;
    told.id = document
        .root()
        .and_then(|root| root.get("id"))
        .map(|id| id.to_json());
    if settings.keep {
        told.keep(&line::others(&document, settings));
    }
    let task = Task::read(&document, settings)?;
    let id = told.id.clone();
    let id = id.as_deref().unwrap_or("null");
    if task.op == Op::Stringify {
        return stringify(id, &task, out);
    }
    if let Some(call) = &task.call {
        return bind(id, &task.input, call, out);
    }
    if let Some((tools, family)) = &task.tools {
        return Ok(calls(id, &task.input, tools, *family, out));
    }
    let (findings, time) = work(&task)?;
    told.count(&findings, number, text.as_bytes(), settings);
    let error = findings.value().is_none().then(|| {
        let failure = Failure::new(findings.document.clone(), None, Vec::new());
        let failure = failure.with_refusals(findings.refused.clone());
        let hint = findings.document.limit().map_or_else(String::new, hint_of);
        format!("{failure}{hint}")
    });
    out.object(|out| {
        out.member("id", Raw(id));
        out.member("ok", findings.conforms());
        write(&findings, time, out);
        if let Some(error) = error {
            out.member("error", &error);
        }
    });
    Ok(findings.conforms())
}

/// Binds the arguments of a call.
fn bind(id: &str, input: &str, call: &Call, out: &mut JsonText<'_>) -> Result<bool, String> {
    let contract = match call.tools.find(&call.name) {
        ToolLookup::Tool(contract) => contract,
        ToolLookup::Unknown(unknown) => {
            write_unknown(id, unknown, out);
            return Ok(false);
        }
        ToolLookup::Broken => {
            let lints = call.tools.lints().map(ToString::to_string);
            let lints: Vec<_> = lints.collect();
            return Err(format!(
                "the tool {:?} cannot be used: {}",
                call.name,
                lints.join("; ")
            ));
        }
    };
    let arguments = match call.is_value {
        true => Arguments::from(read_json(input)?),
        false => Arguments::from(input),
    };
    let arguments = with_finish(arguments, call.finish.clone());
    let start = Instant::now();
    let report = contract.report(arguments);
    let time = start.elapsed();
    let is_ok = report.is_ok();
    out.object(|out| {
        let findings = Findings::of_report(&report);
        out.member("id", Raw(id));
        out.member("ok", is_ok);
        write(&findings, time, out);
        if findings.value().is_none() {
            out.member("error", report.failure().to_string());
        }
        CallOutcome::Known(Box::new(report)).write(out);
    });
    Ok(is_ok)
}

/// Finds the calls in a text. Its value is the list of those that are whole and whose tool is known.
fn calls(
    id: &str,
    input: &str,
    tools: &Tools,
    family: Option<Families>,
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
        out.member("ns", nanoseconds(time));
    });
    is_ok
}

/// Answers a line that calls an unknown tool.
fn write_unknown(id: &str, unknown: UnknownTool, out: &mut JsonText<'_>) {
    let findings = Findings::read(llmjson::syntax::parse(""));
    out.object(|out| {
        out.member("id", Raw(id));
        out.member("ok", false);
        write(&findings, Duration::ZERO, out);
        out.member("error", unknown.to_string());
        CallOutcome::Unknown(unknown).write(out);
    });
}

/// Calls the library; the time is that of the call alone.
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
            let schema = schema.with_formats(task.policy.formats());
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
        findings.reject_undeclared(schema.with_formats(task.policy.formats()));
    }
    Ok((findings, time))
}

fn stringify(id: &str, task: &Task, out: &mut JsonText<'_>) -> Result<bool, String> {
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
        out.member("ns", nanoseconds(time));
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
fn write(findings: &Findings<'_>, time: Duration, out: &mut JsonText<'_>) {
    let document = &findings.document;
    out.member("value", document.root());
    out.member("complete", findings.complete);
    findings.write_certainty(out);
    out.objects("repairs", document.repairs(), write_repair);
    out.objects("coercions", &findings.coercions, |coercion, out| {
        out.member("kind", coercion.kind.name());
        out.member("class", coercion.class.name());
        out.member("path", coercion.path.to_string());
        if !coercion.violations.is_empty() {
            let before = document.value(coercion.before);
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
    out.member("ns", nanoseconds(time));
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
