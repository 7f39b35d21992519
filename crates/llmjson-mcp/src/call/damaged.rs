//! Lines that call tools and are not strict JSON.

use llmjson_reply::Policy;
use llmjson_syntax::{Kind, Parser, ValueRef};

use super::{Judged, batch_of, is_call, judge_strict, refuse};
use crate::shared::{Asked, Shared};
use crate::skim::Skim;

/// The messages of a line that is not strict JSON.
struct Damaged<'d> {
    root: ValueRef<'d>,
    messages: Vec<ValueRef<'d>>,
    is_batch: bool,
}

impl<'d> Damaged<'d> {
    /// Returns `None` unless the line clearly consists of messages that include a call: a call
    /// inside or after something else is not carried out.
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
    fn refuse(&self, line: &str, reason: &str, shared: &Shared, policy: &Policy) -> Judged {
        let messages = self.messages.iter();
        let responses =
            messages.filter_map(|message| refuse(*message, line, reason, shared, policy));
        let responses: Vec<String> = responses.collect();
        Judged::dropped(match self.is_batch {
            true => vec![batch_of(&responses)],
            false => responses,
        })
    }

    /// Returns the line as strict JSON. Messages without a line break between them are put on
    /// separate lines.
    fn lines(&self) -> Vec<String> {
        match self.is_batch {
            true => vec![self.root.to_json()],
            false => self.messages.iter().map(|one| one.to_json()).collect(),
        }
    }
}

/// Handles a line that is not strict JSON. Returns `None` if it is not clear that it calls tools: then only
/// the server may answer it.
pub(super) fn judge_damaged(line: &str, shared: &Shared, policy: &Policy) -> Option<Judged> {
    if !trim_start(line).starts_with(['{', '[']) {
        return None;
    }
    let parsed = llmjson_reply::internal::read(line, None, policy);
    let damaged = Damaged::read(line, parsed.value()?)?;
    if !parsed.conforms() || !parsed.is_complete() {
        let reason = match parsed.conforms() {
            true => "it was cut off".to_owned(),
            false => parsed.clone().into_failure().to_string(),
        };
        return Some(damaged.refuse(line, &reason, shared, policy));
    }
    let lines = damaged.lines().into_iter();
    Some(Judged::together(
        lines.map(|line| judge_repaired(line, shared, policy)),
    ))
}

/// Returns a line without a leading byte order mark, spaces and tabs.
fn trim_start(line: &str) -> &str {
    line.trim_start_matches(['\u{feff}', ' ', '\t'])
}

/// Handles a line that was written as strict JSON after it had been parsed leniently.
fn judge_repaired(line: String, shared: &Shared, policy: &Policy) -> Judged {
    Skim::default().feed(line.as_bytes(), |head| {
        if let Some(id) = head.request() {
            shared.lock().ask(id, Asked::Else);
        }
    });
    let document = Parser::new().parse(&line);
    let judged = judge_strict(&document, &line, shared, policy);
    match judged.instead {
        Some(_) => judged,
        None => Judged {
            instead: Some(line),
            ..judged
        },
    }
}
