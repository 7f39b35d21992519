//! Judges one choice of a reply: its calls, and its structured content.

use llmjson::Parsed;
use llmjson::policy::FinishReason;
use llmjson::report::Coercion;
use llmjson::syntax::{Class, Repair};
use llmjson::tools::{Arguments, BindReport, CallReader, TextCall};
use serde_json::value::RawValue;

use super::request::Plan;
use super::tools::is_careful;
use crate::json;
use crate::report::{NoteKind, Outcome, Report};

/// A choice of a reply, as the model wrote it.
#[derive(Debug, Default)]
pub(super) struct Given {
    pub(super) choice: u32,
    pub(super) content: Option<String>,
    pub(super) reasoning: String,
    pub(super) calls: Vec<GivenCall>,
    pub(super) finish: Option<String>,
    /// `true` if the model refuses to answer, or answers by other means than content and
    /// `tool_calls`.
    pub(super) is_else: bool,
}

/// A choice of the reply, and the part of it that a note is about.
type Place<'p> = (u32, &'p str);

/// A call in `tool_calls`.
#[derive(Clone, Debug, Default)]
pub(super) struct GivenCall {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    /// `true` if the arguments were plain JSON instead of a string.
    pub(super) is_json: bool,
}

/// The result for a choice.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// The client's content, if it differs; the inner `None` means no content.
    pub(super) content: Option<Option<String>>,
    /// The changes to each call in `tool_calls`.
    pub(super) calls: Vec<Change>,
    /// The calls found in text.
    pub(super) extracted: Vec<Extracted>,
    /// Further calls, after those in `tool_calls`, if some of these had several arguments.
    pub(super) split: Vec<Extracted>,
    /// `true` if the finish reason becomes `tool_calls`, since there are calls.
    pub(super) ends_with_calls: bool,
    /// The reason to retry, if there is one.
    pub(super) wrong: Option<Wrong>,
}

/// The changes to a call in `tool_calls`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) name: Option<String>,
    pub(super) arguments: Option<String>,
}

/// A call found in text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Extracted {
    pub(super) name: String,
    pub(super) arguments: String,
}

/// The reason to retry.
#[derive(Debug)]
pub(super) enum Wrong {
    /// The coerced arguments of each call in `tool_calls`, and the feedback on them.
    Calls(Vec<(String, Option<String>)>),
    /// The calls in the content cannot be used; holds the feedback.
    Text(String),
    /// The content does not conform to the schema.
    Content,
}

impl Given {
    /// Returns `true` if the reply was truncated by its token limit or by a filter.
    pub(super) fn is_cut(&self) -> bool {
        let finish = self.finish.as_deref().map(FinishReason::named);
        finish.is_some_and(|finish| finish.cuts_off())
    }

    /// Returns `true` if its texts may contain calls, according to its finish reason.
    fn may_call(&self) -> bool {
        let finish = self.finish.as_deref().map(FinishReason::named);
        finish.is_none_or(|finish| !matches!(finish, FinishReason::ContentFilter))
    }
}

/// Judges a choice, and records the changes.
pub(super) fn judge(plan: &Plan, given: &Given, report: &mut Report) -> Verdict {
    let mut verdict = Verdict::default();
    if given.is_cut() {
        report.reason("cut");
    }
    let content = given.content.as_deref().unwrap_or_default();
    if let Some(tools) = &plan.tools {
        if tools.has_left_out {
            report.reason("tool_schema");
        }
        judge_calls(plan, given, report, &mut verdict);
        if given.calls.is_empty() && given.may_call() {
            let found = lift(plan, (given.choice, "content"), content, report);
            if !found.extracted.is_empty() {
                let rest = Some(found.rest).filter(|rest| !rest.trim().is_empty());
                verdict.content = Some(rest);
            }
            verdict.extracted = found.extracted;
            verdict.wrong = found.wrong.map(Wrong::Text);
            // A server whose parser treats everything as reasoning has left the calls there.
            if verdict.extracted.is_empty() && content.trim().is_empty() && !given.is_cut() {
                let found = lift(plan, (given.choice, "reasoning"), &given.reasoning, report);
                verdict.extracted = found.extracted;
            }
        }
    }
    let rest = match &verdict.content {
        Some(rest) => rest.as_deref().unwrap_or_default(),
        None => content,
    };
    let is_called = !given.calls.is_empty() || !verdict.extracted.is_empty();
    let finish = given.finish.as_deref();
    verdict.ends_with_calls = match verdict.extracted.is_empty() {
        true => is_called && plan.tools.is_some() && finish == Some("stop"),
        false => matches!(finish, None | Some("stop" | "")),
    };
    if verdict.ends_with_calls && verdict.extracted.is_empty() {
        report.raise(Outcome::Repaired);
        report.sure(Class::Certain);
        let place = (given.choice, "finish_reason");
        report.note(NoteKind::Repair, place, "finish_reason", None);
    }
    if plan.format.is_some() && !(is_called && rest.trim().is_empty()) && !given.is_else {
        let rest = rest.to_owned();
        judge_content(plan, given, &rest, report, &mut verdict);
    }
    verdict
}

fn judge_calls(plan: &Plan, given: &Given, report: &mut Report, verdict: &mut Verdict) {
    let (mut told, mut is_wrong) = (Vec::new(), false);
    for (index, call) in given.calls.iter().enumerate() {
        let is_last = index + 1 == given.calls.len();
        let finish = given.finish.as_deref().filter(|_| is_last);
        let bound = bind(plan, call, finish);
        let part = format!("tool_calls[{index}]");
        let place = (given.choice, &*part);
        if matches!(bound, Bound::Refused(_))
            && let Some((first, rest)) = split(plan, call)
        {
            report.raise(Outcome::Repaired);
            report.sure(Class::Likely);
            report.note(NoteKind::Call, place, "split", None);
            told.push((first.arguments.clone().unwrap_or_default(), None));
            verdict.calls.push(first);
            verdict.split.extend(rest);
            continue;
        }
        let change = note_bound(place, call, &bound, report);
        verdict.calls.push(change);
        let (understood, wrong) = match &bound {
            Bound::Ok(bind) => (bind.canonical_arguments(), None),
            Bound::Refused(bind) => (bind.canonical_arguments(), Some(bind.explain())),
            Bound::Unknown(sentence) => (call.arguments.clone(), Some(sentence.clone())),
            Bound::Passed => (call.arguments.clone(), None),
        };
        is_wrong |= wrong.is_some();
        told.push((understood, wrong));
    }
    if is_wrong {
        verdict.wrong = Some(Wrong::Calls(told));
    }
}

/// The arguments of a call, bound to the contract of its tool.
enum Bound {
    Ok(Box<BindReport>),
    Refused(Box<BindReport>),
    /// No tool has this name.
    Unknown(String),
    /// The tool's schema is unusable.
    Passed,
}

/// Binds a call to its tool.
fn bind(plan: &Plan, call: &GivenCall, finish: Option<&str>) -> Bound {
    let Some(tools) = &plan.tools else {
        return Bound::Passed;
    };
    let mut arguments = Arguments::from(call.arguments.as_str());
    if let Some(finish) = finish {
        arguments = arguments.with_finish_reason(FinishReason::named(finish));
    }
    match tools.registry.report(&call.name, arguments) {
        Ok(report) => {
            let least = plan.treatment.certainty.unwrap_or(Class::Guess);
            let is_sure = report.certainty() <= least && !report.is_uncertain();
            match report.is_ok() && is_sure {
                true => Bound::Ok(Box::new(report)),
                false => Bound::Refused(Box::new(report)),
            }
        }
        Err(_) if tools.has_left_out => Bound::Passed,
        Err(unknown) => Bound::Unknown(unknown.to_string()),
    }
}

/// Splits a call whose arguments are several objects, which is how some servers write parallel
/// calls. Returns the change to the call, and the further ones; `None` unless there clearly are
/// several.
fn split(plan: &Plan, call: &GivenCall) -> Option<(Change, Vec<Extracted>)> {
    let parts = serde_json::Deserializer::from_str(&call.arguments).into_iter::<&RawValue>();
    let parts: Vec<&RawValue> = parts.collect::<Result<_, _>>().ok()?;
    let is_likely_enough = plan.treatment.certainty != Some(Class::Certain);
    (parts.len() > 1 && plan.is_parallel && is_likely_enough).then_some(())?;
    let mut calls = Vec::new();
    for part in parts.iter().map(|part| part.get()) {
        let arguments = part.to_owned();
        let part = GivenCall {
            arguments,
            ..call.clone()
        };
        match bind(plan, &part, None) {
            // `exact`: a tool that pays must not be called twice on a guess.
            Bound::Ok(bind)
                if part.arguments.starts_with('{') && !is_careful(bind.contract().policy()) =>
            {
                calls.push(Extracted {
                    name: bind.contract().name().to_owned(),
                    arguments: bind.canonical_arguments(),
                });
            }
            _ => return None,
        }
    }
    let rest = calls.split_off(1);
    let first = calls.pop()?;
    let change = Change {
        name: (first.name != call.name).then_some(first.name),
        arguments: Some(first.arguments),
    };
    Some((change, rest))
}

/// Records a call in `tool_calls`, and returns its changes.
fn note_bound(place: Place<'_>, call: &GivenCall, bound: &Bound, report: &mut Report) -> Change {
    match bound {
        Bound::Ok(bind) => {
            let change = change_of(call, bind);
            if change != Change::default() {
                report.raise(Outcome::Repaired);
                note_changes(place, bind, report);
            }
            change
        }
        Bound::Refused(bind) => {
            report.raise(Outcome::Refused);
            note_issues(place, bind, report);
            Change::default()
        }
        Bound::Unknown(_) => {
            report.raise(Outcome::Refused);
            report.note(NoteKind::Violation, place, "unknown_tool", None);
            Change::default()
        }
        Bound::Passed => Change::default(),
    }
}

/// Returns the changes to a call whose arguments were bound.
pub(super) fn change_of(call: &GivenCall, bind: &BindReport) -> Change {
    let is_blank = matches!(call.arguments.trim(), "" | "null");
    Change {
        name: bind.called().map(|_| bind.contract().name().to_owned()),
        arguments: (has_changes(bind) || is_blank || call.is_json)
            .then(|| bind.canonical_arguments()),
    }
}

/// Returns `true` if arguments differ from the model's text.
fn has_changes(bind: &BindReport) -> bool {
    !bind.text_repairs().is_empty() || !bind.coercions().is_empty()
}

fn note_changes(place: Place<'_>, bind: &BindReport, report: &mut Report) {
    report.sure(bind.certainty());
    note_repairs(place, bind.text_repairs(), report);
    note_coercions(place, bind.coercions(), report);
    if bind.called().is_some() {
        report.note(NoteKind::Repair, place, "tool_name", None);
    }
}

fn note_repairs(place: Place<'_>, repairs: &[Repair], report: &mut Report) {
    for repair in repairs {
        let span = Some((repair.span.start as usize, repair.span.end as usize));
        let name = repair.kind.name();
        report.note(NoteKind::Repair, place, name, span);
    }
}

fn note_coercions(place: Place<'_>, coercions: &[Coercion], report: &mut Report) {
    for coercion in coercions {
        let name = coercion.kind.name();
        report.note(NoteKind::Coercion, place, name, None);
    }
}

fn note_issues(place: Place<'_>, bind: &BindReport, report: &mut Report) {
    for issue in bind.issues() {
        report.note(NoteKind::Violation, place, issue.code.name(), None);
    }
    if bind.is_ok() {
        report.note(NoteKind::Violation, place, "uncertain", None);
    }
}

/// The calls found in a text.
#[derive(Default)]
struct Found {
    extracted: Vec<Extracted>,
    /// The text without these calls.
    rest: String,
    /// The feedback on calls that stay in the text.
    wrong: Option<String>,
}

/// Finds the calls in a text that may be run.
fn lift(plan: &Plan, place: Place<'_>, text: &str, report: &mut Report) -> Found {
    let mut result = Found::default();
    let Some(tools) = plan.tools.as_ref().filter(|_| !text.trim().is_empty()) else {
        return result;
    };
    let reader = CallReader::new(&tools.registry);
    let found = reader.read(text);
    let is_searched = found.unsearched().is_none();
    let least = plan.treatment.certainty.unwrap_or(Class::Guess);
    let mut kept = Vec::new();
    let mut first = None;
    for call in found.calls() {
        let (start, end) = span_of(call);
        let is_known = tools.registry.get(call.name()).is_some();
        let is_free = plan.is_parallel || result.extracted.is_empty();
        let is_ok = call.is_ok() && is_searched && call.certainty() <= least;
        let reason = match is_known {
            false => Some("unknown_tool"),
            _ if !plan.allows(call.name()) => Some("not_allowed"),
            _ if !is_free => Some("not_parallel"),
            _ if !call.is_complete() => Some("cut_call"),
            _ if !is_ok => Some("not_extracted"),
            _ => None,
        };
        let Some(reason) = reason else {
            report.raise(Outcome::Extracted);
            report.sure(call.certainty());
            let span = Some((start, end));
            report.note(NoteKind::Call, place, "extracted", span);
            note_repairs(place, call.repairs(), report);
            if let Some(bind) = call.report() {
                note_coercions(place, bind.coercions(), report);
            }
            first.get_or_insert(start);
            result.extracted.push(Extracted {
                name: call.name().to_owned(),
                arguments: call.arguments().to_owned(),
            });
            continue;
        };
        report.note(NoteKind::Call, place, reason, Some((start, end)));
        kept.push((start, end));
        if reason == "not_extracted" || reason == "cut_call" {
            report.raise(Outcome::Refused);
            if let Some(bind) = call.report() {
                note_issues(place, bind, report);
                result.wrong.get_or_insert_with(|| bind.explain());
            }
        } else if reason != "unknown_tool" {
            report.raise(Outcome::Refused);
        }
    }
    if let Some(first) = first {
        result.rest = rest_of(&reader, text, found.content(), first, &kept);
    }
    result
}

fn span_of(call: &TextCall) -> (usize, usize) {
    (call.span().start as usize, call.span().end as usize)
}

/// Returns a text without its calls: the text before the first call unchanged, the remaining text
/// without markers, then the calls that stay.
pub(super) fn rest_of(
    reader: &CallReader<'_>,
    text: &str,
    content: &str,
    first: usize,
    kept: &[(usize, usize)],
) -> String {
    let head = &text[..first];
    let known = reader.read(head);
    let mut rest = match head.trim().is_empty() {
        true => String::new(),
        false => head.to_owned(),
    };
    let tail = content.strip_prefix(known.content()).unwrap_or_default();
    if !tail.trim().is_empty() {
        rest.push_str(tail);
    }
    for (start, end) in kept.iter().filter(|(start, _)| *start >= first) {
        rest.push_str(&text[*start..*end]);
    }
    rest
}

fn judge_content(
    plan: &Plan,
    given: &Given,
    content: &str,
    report: &mut Report,
    verdict: &mut Verdict,
) {
    if plan.schema().is_none() {
        report.reason("response_schema");
        return;
    }
    let place = (given.choice, "content");
    let parsed = read_content(plan, content, given.finish.as_deref());
    let least = plan.treatment.certainty.unwrap_or(Class::Guess);
    if parsed.conforms() && parsed.is_complete() && parsed.certainty() <= least {
        if let Some(json) = content_instead(content, &parsed) {
            report.raise(Outcome::Repaired);
            report.sure(parsed.certainty());
            note_repairs(place, parsed.repairs(), report);
            note_coercions(place, parsed.coercions(), report);
            verdict.content = Some(Some(json));
        }
        return;
    }
    report.raise(Outcome::Refused);
    let violations = parsed.violations().iter().map(|one| one.keyword);
    let refused = parsed.refused().iter().map(|one| one.name());
    let other = match parsed.value() {
        None => Some("no_value"),
        Some(_) => parsed.conforms().then_some("uncertain"),
    };
    for name in violations.chain(refused).chain(other) {
        report.note(NoteKind::Violation, place, name, None);
    }
    verdict.wrong = verdict.wrong.take().or(Some(Wrong::Content));
}

/// Reads structured content.
pub(super) fn read_content<'t>(plan: &Plan, content: &'t str, finish: Option<&str>) -> Parsed<'t> {
    let mut policy = plan.policy.clone();
    if let Some(finish) = finish {
        policy = policy.with_finish_reason(FinishReason::named(finish));
    }
    policy.parse(content, plan.schema())
}

/// Returns the JSON text of a conforming value, unless the content already equals it.
pub(super) fn content_instead(content: &str, parsed: &Parsed<'_>) -> Option<String> {
    let json = parsed.to_json()?;
    let is_strict = parsed.repairs().is_empty() && parsed.coercions().is_empty();
    let is_alone = is_strict && json::is_json(content);
    (!is_alone).then_some(json)
}
