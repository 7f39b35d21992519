//! A reply as it would come, piece by piece.

use std::collections::BTreeSet;

use llmjson::stream::Stream;
use llmjson::syntax::{Change, Event, Kind, ValueRef, write_string};
use llmjson::{Policy, Schema};
use serde_json::{Value, json};

/// A word is not a longer piece.
const WORD_MAX: usize = 8;

/// Tells what is known when `at` pieces have come, and the end if that is more than there are.
pub(crate) fn answer(reply: &str, schema: Option<&Schema>, policy: &Policy, at: usize) -> Value {
    let pieces = pieces(reply);
    let mut stream = Stream::new(schema).with_policy(policy.clone());
    let (mut settled, mut last) = (BTreeSet::new(), Vec::new());
    for piece in pieces.iter().take(at) {
        stream.push(piece);
        last = stream.events();
        let changes = last.iter();
        let changes = changes.filter(|event| event.change == Change::Settled);
        settled.extend(changes.map(|event| event.path.to_string()));
    }
    let come: usize = pieces.iter().take(at).map(|piece| piece.len()).sum();
    let held = held_from(stream.stream());
    let (read, held, to_come) = (&reply[..held], &reply[held..come], &reply[come..]);
    let mut answer = json!({"pieces": pieces.len(), "read": read, "held": held, "toCome": to_come});
    if at <= pieces.len() {
        answer["shown"] = segments(stream.value(), &settled);
    } else {
        let finished = stream.finish();
        answer["superseded"] = json!(finished.superseded);
        answer["read"] = json!(reply);
        answer["held"] = json!("");
        answer["shown"] = segments(finished.parsed.value(), &BTreeSet::from([String::new()]));
        last = finished.events;
    }
    let events = last.iter().take(EVENTS_MAX).map(told);
    answer["events"] = events.collect();
    answer
}

/// Maximum number of events that are told about.
const EVENTS_MAX: usize = 50;

/// Cuts a text about as a tokenizer does: words with the space before them, and everything else one by one.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        if first.is_alphanumeric() || first == ' ' {
            let more = rest[length..].chars();
            let more = more.take(WORD_MAX).take_while(|one| one.is_alphanumeric());
            length += more.map(char::len_utf8).sum::<usize>();
        }
        let (piece, behind) = rest.split_at(length);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

/// Returns the offset up to which the text is read: what is shown comes from before it. What stands behind it is held
/// back, since more text could change what it means.
fn held_from(stream: &llmjson::syntax::Stream) -> usize {
    let text = stream.text();
    let Some(root) = stream.document().root() else {
        return stream.passed().min(text.len());
    };
    if let Some(end) = stream.end() {
        return end.min(text.len());
    }
    let mut leaf = root;
    while let Some(child) = last_child(leaf) {
        leaf = child;
    }
    let span = leaf.span();
    let end = span.map_or(0, |span| match leaf.kind() {
        Kind::Array | Kind::Object => span.start as usize + 1,
        _ => span.end as usize,
    });
    let end = text.floor_char_boundary(end.max(stream.passed()));
    let rest = &text[end..];
    let rest = match leaf.kind() {
        Kind::String => rest.strip_prefix(['"', '\'']).unwrap_or(rest),
        _ => rest,
    };
    text.len() - rest.trim_start_matches([' ', '\n', '\r', '\t', ',']).len()
}

fn last_child(value: ValueRef<'_>) -> Option<ValueRef<'_>> {
    match value.kind() {
        Kind::Object => value.members().last().map(|(_, child)| child),
        _ => value.items().last(),
    }
}

fn told(event: &Event) -> Value {
    let about = match &event.change {
        Change::Passed(text) | Change::Appended(text) | Change::Value(text) => text.as_str(),
        Change::Opened(kind) => kind.name(),
        _ => "",
    };
    json!([event.change.name(), event.path.to_string(), about])
}

/// Writes a value over several lines, as runs of text with whether they are settled.
fn segments(value: Option<ValueRef<'_>>, settled: &BTreeSet<String>) -> Value {
    let mut writer = ReplayWriter {
        settled,
        runs: Vec::new(),
    };
    if let Some(value) = value {
        writer.write(value, &mut String::new(), 0, RunState::Growing);
    }
    let runs = writer.runs.into_iter();
    runs.map(|(text, state)| json!([text, state == RunState::Settled]))
        .collect()
}

struct ReplayWriter<'s> {
    settled: &'s BTreeSet<String>,
    runs: Vec<(String, RunState)>,
}

/// The state of a part of a value that is coming.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RunState {
    Growing,
    /// Later text cannot change it.
    Settled,
}

impl ReplayWriter<'_> {
    fn state_of(&self, path: &str, around: RunState) -> RunState {
        match self.settled.contains(path) {
            true => RunState::Settled,
            false => around,
        }
    }

    fn put(&mut self, text: &str, state: RunState) {
        match self.runs.last_mut() {
            Some((run, of)) if *of == state => run.push_str(text),
            _ => self.runs.push((text.to_owned(), state)),
        }
    }

    /// Values nest no deeper than the limit of the policy.
    fn write(&mut self, value: ValueRef<'_>, path: &mut String, depth: usize, around: RunState) {
        let state = self.state_of(path, around);
        let (open, close) = match value.kind() {
            Kind::Object => ("{", "}"),
            Kind::Array => ("[", "]"),
            _ => return self.put(&value.to_json(), state),
        };
        self.put(open, state);
        let members = value.members();
        let members = members.map(|(name, child)| (Some(name), child));
        let items = value.items().map(|child| (None, child));
        let mut count = 0;
        for (name, child) in members.chain(items) {
            let length = path.len();
            path.push('/');
            match &name {
                Some(name) => path.push_str(&name.replace('~', "~0").replace('/', "~1")),
                None => path.push_str(&count.to_string()),
            }
            let child_state = self.state_of(path, state);
            let mut before = String::from(if count > 0 { "," } else { "" });
            before.push('\n');
            before.push_str(&"  ".repeat(depth + 1));
            if let Some(name) = &name {
                write_string(name, &mut before);
                before.push_str(": ");
            }
            self.put(&before, child_state);
            self.write(child, path, depth + 1, state);
            path.truncate(length);
            count += 1;
        }
        if count > 0 {
            self.put(&format!("\n{}", "  ".repeat(depth)), state);
        }
        self.put(close, state);
    }
}
