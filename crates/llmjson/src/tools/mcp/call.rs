//! Handling lines of the client that call tools.
//!
//! In a line of strict JSON, only the bytes of the arguments are replaced. A line that is not strict JSON,
//! which a server would not answer, is parsed leniently, written as strict JSON, and then handled like any
//! other line.

use std::ops::Range;

use llmjson_syntax::{Document, Kind, Parser, ValueRef};

use super::answer;
use super::arguments::{self, Fit, Listed};
use super::shared::{Asked, Id, Shared};
use super::skim::Skim;
use crate::policy::Policy;

/// How to handle a line. The default is to forward it unchanged.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// The text to send to the server instead of the line.
    pub(super) instead: Option<String>,
    /// Nothing is sent to the server, not even a line break.
    pub(super) is_dropped: bool,
    /// Responses to the client, a line each.
    pub(super) answers: Vec<String>,
}

impl Judged {
    fn dropped(answers: Vec<String>) -> Self {
        Self {
            instead: Some(String::new()),
            is_dropped: true,
            answers,
        }
    }

    /// Combines the parts of a line that contained several messages.
    fn together(all: impl Iterator<Item = Self>) -> Self {
        let mut together = Self::dropped(Vec::new());
        for judged in all {
            together.answers.extend(judged.answers);
            let lines = together.instead.get_or_insert_default();
            if !judged.is_dropped {
                if !together.is_dropped {
                    lines.push('\n');
                }
                lines.push_str(&judged.instead.unwrap_or_default());
                together.is_dropped = false;
            }
        }
        together
    }
}

/// How to handle a message.
enum Verdict {
    /// Forward it unchanged.
    Pass,
    /// Replace a range of bytes of the line by a text.
    Replace(Range<usize>, String),
    /// Do not forward it, and send this response to the client.
    Answer(String),
}

/// A request that calls a tool.
struct Call<'d> {
    id: Id,
    /// `None` if the line was cut off before the parameters.
    params: Option<ValueRef<'d>>,
    name: Option<String>,
}

/// Decides how to handle a line that may call tools or request the list of tools.
pub(super) fn judge(line: &str, shared: &Shared, policy: &Policy) -> Judged {
    if !["tools/", "tools\\/"]
        .iter()
        .any(|name| line.contains(name))
    {
        return Judged::default();
    }
    let document = Parser::new().parse(line);
    if document.root().is_none() || document.limit().is_some() {
        return Judged::default();
    }
    match document.repairs().is_empty() && document.is_complete() {
        true => judge_strict(&document, line, shared),
        false => judge_damaged(line, shared, policy).unwrap_or_default(),
    }
}

fn judge_strict(document: &Document<'_>, line: &str, shared: &Shared) -> Judged {
    match document.root() {
        Some(root) if root.kind() == Kind::Array => judge_batch(root, line, shared),
        Some(root) => match judge_message(root, line, shared) {
            Verdict::Pass => Judged::default(),
            Verdict::Answer(answer) => Judged::dropped(vec![answer]),
            Verdict::Replace(place, text) => Judged {
                instead: Some(replaced(line, 0..line.len(), Some((place, text)))),
                ..Judged::default()
            },
        },
        None => Judged::default(),
    }
}

/// Handles the messages of a batch one by one. Responses of the proxy form a batch of their own; the
/// server gets a batch of the remaining messages, if any.
fn judge_batch(batch: ValueRef<'_>, line: &str, shared: &Shared) -> Judged {
    let (mut answers, mut kept, mut changed) = (Vec::new(), Vec::new(), false);
    for message in batch.items() {
        let Some(place) = place(message) else {
            return Judged::default();
        };
        let change = match judge_message(message, line, shared) {
            Verdict::Answer(answer) => {
                answers.push(answer);
                continue;
            }
            Verdict::Pass => None,
            Verdict::Replace(place, text) => Some((place, text)),
        };
        changed |= change.is_some();
        kept.push(replaced(line, place, change));
    }
    if answers.is_empty() && !changed {
        return Judged::default();
    }
    let answers = match answers.is_empty() {
        true => Vec::new(),
        false => vec![batch_of(&answers)],
    };
    match kept.is_empty() {
        true => Judged::dropped(answers),
        false => Judged {
            instead: Some(batch_of(&kept)),
            is_dropped: false,
            answers,
        },
    }
}

fn batch_of(messages: &[String]) -> String {
    format!("[{}]", messages.join(","))
}

fn judge_message(message: ValueRef<'_>, line: &str, shared: &Shared) -> Verdict {
    if asks_for(message, "tools/list") {
        note_list(message, shared);
        return Verdict::Pass;
    }
    let Some(call) = Call::read(message) else {
        return Verdict::Pass;
    };
    let (Some(contract), Some(params)) = (call.contract(shared), call.params) else {
        return Verdict::Pass;
    };
    let place = params.get("arguments").map(place);
    let raw = match &place {
        None => "",
        Some(Some(place)) => &line[place.clone()],
        Some(None) => return Verdict::Pass,
    };
    match arguments::fit(&contract, raw) {
        Fit::Untouched => Verdict::Pass,
        Fit::Instead(json) => match place.flatten() {
            Some(place) => Verdict::Replace(place, json),
            None => insert(params, &json),
        },
        Fit::Feedback(text) => {
            shared.lock().answer(&call.id);
            Verdict::Answer(answer::feedback(&call.id, &text))
        }
    }
}

/// Inserts arguments into the parameters of a call that has none.
fn insert(params: ValueRef<'_>, json: &str) -> Verdict {
    match place(params) {
        // The parameters are not empty, since they name the tool: a comma must follow.
        Some(place) => {
            let after = place.start + 1;
            Verdict::Replace(after..after, format!(r#""arguments":{json},"#))
        }
        None => Verdict::Pass,
    }
}

/// Records a request for a page of the list of tools.
fn note_list(message: ValueRef<'_>, shared: &Shared) {
    let Some(id) = id_of(message) else {
        return;
    };
    let params = message.get("params");
    let cursor = params.and_then(|params| params.get("cursor"));
    let asked = match cursor.filter(|cursor| !cursor.is_null()) {
        None => Asked::Tools,
        Some(_) => Asked::MoreTools,
    };
    shared.lock().ask(id, asked);
}

/// The messages of a line that is not strict JSON.
struct Damaged<'d> {
    root: ValueRef<'d>,
    messages: Vec<ValueRef<'d>>,
    is_batch: bool,
}

impl<'d> Damaged<'d> {
    /// Returns `None` unless the line clearly consists of messages that include a call: a call inside of
    /// or after something else is not carried out.
    fn read(line: &str, root: ValueRef<'d>) -> Option<Self> {
        let start = line.len() - trim_start(line).len();
        let starts_line = |value: ValueRef<'_>| {
            let span = value.span();
            span.is_some_and(|span| span.start as usize == start)
        };
        let messages: Vec<ValueRef<'_>> = match root.kind() {
            Kind::Array => root.items().collect(),
            _ => vec![root],
        };
        // The parser reads several values without brackets as an array, whose first item starts the line.
        let is_sequence = starts_line(*messages.first()?);
        let is_batch = root.kind() == Kind::Array && !is_sequence;
        let is_clear = match is_batch {
            true => starts_line(root),
            false => is_sequence && messages.iter().all(|one| one.kind() == Kind::Object),
        };
        let damaged = Self {
            root,
            messages,
            is_batch,
        };
        (is_clear && damaged.messages.iter().any(is_call)).then_some(damaged)
    }

    /// Answers all requests of the line without forwarding any.
    fn refuse(&self, line: &str, reason: &str, shared: &Shared) -> Judged {
        let messages = self.messages.iter();
        let responses = messages.filter_map(|message| refuse(*message, line, reason, shared));
        let responses: Vec<String> = responses.collect();
        Judged::dropped(match self.is_batch {
            true => vec![batch_of(&responses)],
            false => responses,
        })
    }

    /// Returns the line as strict JSON. Messages without a line break between them get lines of their own.
    fn lines(&self) -> Vec<String> {
        match self.is_batch {
            true => vec![self.root.to_json()],
            false => self.messages.iter().map(|one| one.to_json()).collect(),
        }
    }
}

/// Handles a line that is not strict JSON. Returns `None` if it is not clear that it calls tools: then only
/// the server may answer it.
fn judge_damaged(line: &str, shared: &Shared, policy: &Policy) -> Option<Judged> {
    if !trim_start(line).starts_with(['{', '[']) {
        return None;
    }
    let parsed = crate::reply::read(line, None, policy);
    let damaged = Damaged::read(line, parsed.value()?)?;
    if !parsed.conforms() || !parsed.is_complete() {
        let reason = match parsed.clone().into_result() {
            Ok(_) => "it was cut off".to_owned(),
            Err(failure) => failure.to_string(),
        };
        return Some(damaged.refuse(line, &reason, shared));
    }
    let lines = damaged.lines().into_iter();
    Some(Judged::together(
        lines.map(|line| judge_repaired(line, shared)),
    ))
}

/// Returns a line without a leading byte order mark, spaces and tabs.
fn trim_start(line: &str) -> &str {
    line.trim_start_matches(['\u{feff}', ' ', '\t'])
}

/// Handles a line that was written as strict JSON after it had been parsed leniently.
fn judge_repaired(line: String, shared: &Shared) -> Judged {
    Skim::default().feed(line.as_bytes(), |head| {
        if let Some(id) = head.request() {
            shared.lock().ask(id, Asked::Else);
        }
    });
    let document = Parser::new().parse(&line);
    let judged = judge_strict(&document, &line, shared);
    match judged.instead {
        Some(_) => judged,
        None => Judged {
            instead: Some(line),
            ..judged
        },
    }
}

/// Returns the response to a request in a line that cannot be forwarded.
fn refuse(message: ValueRef<'_>, line: &str, reason: &str, shared: &Shared) -> Option<String> {
    let id = id_of(message).filter(|_| message.get("method").is_some())?;
    shared.lock().answer(&id);
    Some(match Call::read(message) {
        Some(call) => answer::feedback(&id, &explain(&call, line, reason, shared)),
        None => answer::unreadable(&id),
    })
}

/// Returns the feedback on a call that cannot be read: that on its arguments if they are complete enough.
fn explain(call: &Call<'_>, line: &str, reason: &str, shared: &Shared) -> String {
    let arguments = call.params.and_then(|params| params.get("arguments"));
    let raw = arguments.and_then(place).and_then(|place| line.get(place));
    if let (Some(contract), Some(raw)) = (call.contract(shared), raw)
        && let Fit::Feedback(text) = arguments::fit(&contract, raw)
    {
        return text;
    }
    format!(
        "The tool was not called, because the call cannot be read: {reason}. Send the whole call again."
    )
}

impl<'d> Call<'d> {
    fn read(message: ValueRef<'d>) -> Option<Self> {
        if !asks_for(message, "tools/call") {
            return None;
        }
        let params = message
            .get("params")
            .filter(|params| params.kind() == Kind::Object);
        let name = params.and_then(|params| params.get("name")?.as_str());
        let name = name.map(|name| name.into_owned());
        Some(Self {
            id: id_of(message)?,
            params,
            name,
        })
    }

    /// `None` if the tool was not listed or its schema cannot be used.
    fn contract(&self, shared: &Shared) -> Option<Listed> {
        shared.lock().tool(self.name.as_deref()?)?.contract.clone()
    }
}

fn is_call(message: &ValueRef<'_>) -> bool {
    Call::read(*message).is_some()
}

fn asks_for(message: ValueRef<'_>, method: &str) -> bool {
    message
        .get("method")
        .and_then(ValueRef::as_str)
        .is_some_and(|named| named == method)
}

/// Returns the `id` of a message, or `None` if it is missing or may have been cut off.
fn id_of(message: ValueRef<'_>) -> Option<Id> {
    let id = message.get("id").filter(|id| id.is_complete())?;
    Id::read(id.to_json().as_bytes())
}

/// Returns the range of bytes of a value in its text, including quotes and brackets.
fn place(value: ValueRef<'_>) -> Option<Range<usize>> {
    let span = value.span()?;
    let (start, end) = (span.start as usize, span.end as usize);
    match value.kind() {
        Kind::String => Some(start.checked_sub(1)?..end + 1),
        _ => Some(start..end),
    }
}

/// Returns a part of a line with a range of bytes replaced.
fn replaced(line: &str, part: Range<usize>, change: Option<(Range<usize>, String)>) -> String {
    match change {
        None => line[part].to_owned(),
        Some((place, text)) => {
            let (before, after) = (&line[part.start..place.start], &line[place.end..part.end]);
            [before, &text, after].concat()
        }
    }
}
