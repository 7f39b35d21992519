//! Whether a line of the client calls tools, and what is to be done about it.
//!
//! A line that is strict JSON is cut up by the places at which its values stand, so that all but the
//! arguments stays as it is. Another one, which a server would not answer at all, is read as the
//! reply of a model is, and judged again as it was written down then.

use std::ops::Range;

use llmjson_syntax::{Document, Kind, Parser, ValueRef};

use super::answer;
use super::arguments::{self, Fit, Listed};
use super::shared::{Asked, Id, Shared};
use super::skim::Skim;
use crate::policy::Policy;

/// What is to be done with a line.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// Goes to the server instead of the line.
    pub(super) instead: Option<String>,
    /// Nothing of the line goes to the server.
    pub(super) is_dropped: bool,
    /// Lines for the client.
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

    /// Several lines that were one.
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

/// What is to be done with one message.
enum Verdict {
    Pass,
    /// Something else takes the place of a part of the line.
    Replace(Range<usize>, String),
    /// The proxy answers.
    Answer(String),
}

/// A request that calls a tool.
struct Call<'d> {
    id: Id,
    /// Missing where the line was cut before them.
    params: Option<ValueRef<'d>>,
    name: Option<String>,
}

/// Judges a line that may call tools or ask for their list.
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

/// The answers to members of a batch are a batch of their own, which is what its sender understands.
/// The server is given a batch of the other members, if any are left.
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

/// Arguments for a call without any, before the other parameters.
fn insert(params: ValueRef<'_>, json: &str) -> Verdict {
    match place(params) {
        // A call names its tool, so something stands behind it.
        Some(place) => {
            let after = place.start + 1;
            Verdict::Replace(after..after, format!(r#""arguments":{json},"#))
        }
        None => Verdict::Pass,
    }
}

/// Which page of tools it is that a request is about.
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

/// `None` where it is not clear that this is a call, so that nobody may answer it but the server.
fn judge_damaged(line: &str, shared: &Shared, policy: &Policy) -> Option<Judged> {
    let begins = line.trim_start_matches(['\u{feff}', ' ', '\t']);
    if !begins.starts_with(['{', '[']) {
        return None;
    }
    let parsed = crate::reply::read(line, None, policy);
    let root = parsed.value()?;
    let messages: Vec<ValueRef<'_>> = match root.kind() {
        Kind::Array => root.items().collect(),
        _ => vec![root],
    };
    // Where several values are read as a list, the first of them stands where the list begins.
    let start = line.len() - begins.len();
    let starts_here = |value: ValueRef<'_>| {
        value
            .span()
            .is_some_and(|span| span.start as usize == start)
    };
    let is_run = starts_here(*messages.first()?);
    let is_batch = root.kind() == Kind::Array && !is_run;
    let are_objects = messages
        .iter()
        .all(|message| message.kind() == Kind::Object);
    // A call that stands inside of something else, or behind it, is not called.
    let is_clear = if is_batch {
        starts_here(root)
    } else {
        is_run && are_objects
    };
    if !is_clear || !messages.iter().any(is_call) {
        return None;
    }
    if !parsed.conforms() || !parsed.is_complete() {
        let reason = match parsed.clone().into_result() {
            Ok(_) => "it was cut off".to_owned(),
            Err(failure) => failure.to_string(),
        };
        let refused = messages
            .iter()
            .filter_map(|message| refuse(*message, line, &reason, shared));
        let refused: Vec<String> = refused.collect();
        return Some(Judged::dropped(match is_batch {
            true => vec![batch_of(&refused)],
            false => refused,
        }));
    }
    // Messages without a line break between them are put on lines of their own.
    let lines = match is_batch {
        true => vec![root.to_json()],
        false => messages.iter().map(|message| message.to_json()).collect(),
    };
    let judged = lines.into_iter().map(|line| judge_repaired(line, shared));
    Some(Judged::together(judged))
}

/// Judges a message as it was read and written down again.
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

/// The answer to a request of a line that cannot be passed on.
fn refuse(message: ValueRef<'_>, line: &str, reason: &str, shared: &Shared) -> Option<String> {
    let id = id_of(message).filter(|_| message.get("method").is_some())?;
    shared.lock().answer(&id);
    Some(match Call::read(message) {
        Some(call) => answer::feedback(&id, &explain(&call, line, reason, shared)),
        None => answer::unreadable(&id),
    })
}

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

/// The `id` of a message; a cut one may be another.
fn id_of(message: ValueRef<'_>) -> Option<Id> {
    let id = message.get("id").filter(|id| id.is_complete())?;
    Id::read(id.to_json().as_bytes())
}

/// Where a value stands in its text, quotes and brackets included.
fn place(value: ValueRef<'_>) -> Option<Range<usize>> {
    let span = value.span()?;
    let (start, end) = (span.start as usize, span.end as usize);
    match value.kind() {
        Kind::String => Some(start.checked_sub(1)?..end + 1),
        _ => Some(start..end),
    }
}

/// A part of a line with something else in one place of it.
fn replaced(line: &str, part: Range<usize>, change: Option<(Range<usize>, String)>) -> String {
    match change {
        None => line[part].to_owned(),
        Some((place, text)) => {
            let (before, after) = (&line[part.start..place.start], &line[place.end..part.end]);
            [before, &text, after].concat()
        }
    }
}
