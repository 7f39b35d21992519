//! Handling lines of the client that call tools.
//!
//! In a line of strict JSON, only the bytes of the arguments are replaced. A line that is not strict JSON,
//! which a server would not answer, is parsed leniently, written as strict JSON, and then handled like any
//! other line.

mod damaged;

use std::ops::Range;

use llmjson_syntax::{Document, JsonOut, JsonText, Kind, Parser, ValueRef};

use super::answer;
use super::arguments::{self, Fit, Listed};
use super::client::Output;
use super::shared::{Asked, Id, Shared};
use super::unchecked;
use llmjson_reply::{Policy, policy::Names};

/// The prefix of the members of `_meta` that the protocol itself defines.
const META_PREFIX: &str = "io.modelcontextprotocol/";
/// The member of `_meta` with the version of the protocol.
pub(super) const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The first version of the protocol in which results have a type.
const TYPED_SINCE: &str = "2026-07-28";

/// The handling of a line. The default is to forward it unchanged.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// The text to send to the server instead of the line.
    pub(super) instead: Option<String>,
    /// `true` if nothing is sent to the server, not even a line break.
    pub(super) is_dropped: bool,
    /// Responses to the client, a line each.
    pub(super) answers: Vec<String>,
}

impl Judged {
    pub(super) fn dropped(answers: Vec<String>) -> Self {
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

/// A range of bytes of the line, and the text that replaces it.
type Splice = (Range<usize>, String);

/// The handling of a message.
enum Verdict {
    /// Forwards it with these changes.
    Forward(Vec<Splice>),
    /// Keeps it back, and sends this response to the client.
    Answer(String),
}

/// A request that calls a tool.
struct Call<'d> {
    id: Id,
    /// `None` if the line was truncated before the parameters.
    params: Option<ValueRef<'d>>,
    name: Option<String>,
    /// `true` if results say that they are complete, as from the protocol of 2026-07-28 on.
    is_typed: bool,
}

/// Forwards or answers a line of the client.
pub(super) fn forward(
    line: Vec<u8>,
    line_break: &[u8],
    shared: &Shared,
    policy: &Policy,
    out: &mut Output,
) {
    let has_ended = shared.lock().ended().is_some();
    let judged = match has_ended {
        true => Judged::default(),
        false => judge_bytes(&line, shared, policy, &mut out.notices),
    };
    for answer in judged.answers {
        out.answer(&answer);
    }
    match judged.instead {
        None => out.to_server.extend_from_slice(&line),
        Some(line) => out.to_server.extend_from_slice(line.as_bytes()),
    }
    if !judged.is_dropped {
        out.to_server.extend_from_slice(line_break);
    }
}

/// Decides how to handle the bytes of a line.
pub(super) fn judge_bytes(
    line: &[u8],
    shared: &Shared,
    policy: &Policy,
    notices: &mut Vec<String>,
) -> Judged {
    match std::str::from_utf8(line) {
        Ok(line) => judge(line, shared, policy, notices),
        Err(_) if !mentions_call(line) => Judged::default(),
        Err(_) => unchecked::judge(line, "it is not UTF-8", shared, policy, notices),
    }
}

/// Returns `true` if a line may call a tool. Any letter of the method may be written as an escape.
pub(super) fn mentions_call(line: &[u8]) -> bool {
    let mut marks = ["tools/call", "tools\\/call", "\\u00"].iter();
    marks.any(|mark| memchr::memmem::find(line, mark.as_bytes()).is_some())
        && line
            .first()
            .is_some_and(|byte| !byte.is_ascii_alphanumeric())
}

/// Returns the members of `_meta` that every request of this client has, as JSON; empty if there
/// are none.
pub(super) fn meta(line: &[u8]) -> String {
    let document = Parser::new().parse(std::str::from_utf8(line).unwrap_or_default());
    let meta = document
        .root()
        .and_then(|message| message.get("params")?.get("_meta"));
    let members = meta.into_iter().flat_map(ValueRef::members);
    let members = members.filter(|(name, _)| name.starts_with(META_PREFIX));
    let mut written = JsonText::object_of(|out| {
        members.for_each(|(name, value)| out.member(&name, value));
    });
    if written == "{}" {
        written.clear();
    }
    written
}

/// Decides how to handle a line that may call tools or request the list of tools.
fn judge(line: &str, shared: &Shared, policy: &Policy, notices: &mut Vec<String>) -> Judged {
    // Any letter of the method may be written as an escape.
    if !["tools/", "tools\\/", "\\u00"]
        .iter()
        .any(|name| line.contains(name))
    {
        return Judged::default();
    }
    let document = Parser::new().parse(line);
    if document.root().is_none() || document.limit().is_some() {
        let line = line.as_bytes();
        return unchecked::judge(line, "it is nested too deep", shared, policy, notices);
    }
    match document.repairs().is_empty() && document.is_complete() {
        true => judge_strict(&document, line, shared, policy),
        false => damaged::judge_damaged(line, shared, policy).unwrap_or_default(),
    }
}

fn judge_strict(document: &Document<'_>, line: &str, shared: &Shared, policy: &Policy) -> Judged {
    match document.root() {
        Some(root) if root.kind() == Kind::Array => judge_batch(root, line, shared, policy),
        Some(root) => match judge_message(root, line, shared, policy) {
            Verdict::Answer(answer) => Judged::dropped(vec![answer]),
            Verdict::Forward(changes) if changes.is_empty() => Judged::default(),
            Verdict::Forward(changes) => Judged {
                instead: Some(changed(line, 0..line.len(), changes)),
                ..Judged::default()
            },
        },
        None => Judged::default(),
    }
}

/// Handles the messages of a batch one by one. The proxy's responses form a separate batch; the
/// server gets a batch of the remaining messages, if any.
fn judge_batch(batch: ValueRef<'_>, line: &str, shared: &Shared, policy: &Policy) -> Judged {
    let (mut answers, mut kept, mut is_changed) = (Vec::new(), Vec::new(), false);
    for message in batch.items() {
        let Some(place) = place(message) else {
            return Judged::default();
        };
        match judge_message(message, line, shared, policy) {
            Verdict::Answer(answer) => answers.push(answer),
            Verdict::Forward(changes) => {
                is_changed |= !changes.is_empty();
                kept.push(changed(line, place, changes));
            }
        }
    }
    if answers.is_empty() && !is_changed {
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

pub(super) fn batch_of(messages: &[String]) -> String {
    format!("[{}]", messages.join(","))
}

fn judge_message(message: ValueRef<'_>, line: &str, shared: &Shared, policy: &Policy) -> Verdict {
    let mut changes = Vec::new();
    if asks_for(message, "tools/list") {
        note_list(message, shared);
        return Verdict::Forward(changes);
    }
    let Some(call) = Call::read(message) else {
        return Verdict::Forward(changes);
    };
    if let Some(name) = unchecked::doubled(message, policy) {
        let text = format!(
            "The tool was not called, because `{name}` comes more than once. Send the call again, with each member once."
        );
        shared.lock().answer(&call.id);
        return Verdict::Answer(answer::feedback(&call.id, &text, call.is_typed));
    }
    let found = call.contract(shared, policy);
    if let Err(reason) = &found
        && !unchecked::are_forwarded(policy)
    {
        let text = format!("The tool was not called, because {reason}.");
        shared.lock().answer(&call.id);
        return Verdict::Answer(answer::feedback(&call.id, &text, call.is_typed));
    }
    let (Ok(Some((contract, renamed))), Some(params)) = (found, call.params) else {
        return Verdict::Forward(changes);
    };
    if let (Some(name), Some(place)) = (renamed, params.get("name").and_then(place)) {
        changes.push((place, JsonText::of(&*name)));
    }
    let place = params.get("arguments").map(place);
    let raw = match &place {
        None => "",
        Some(Some(place)) => &line[place.clone()],
        Some(None) => return Verdict::Forward(Vec::new()),
    };
    match arguments::fit(&contract, raw) {
        Fit::Untouched => {}
        Fit::Instead(json) => changes.extend(match place.flatten() {
            Some(place) => Some((place, json)),
            None => inserted(params, &json),
        }),
        Fit::Feedback(text) => {
            shared.lock().answer(&call.id);
            return Verdict::Answer(answer::feedback(&call.id, &text, call.is_typed));
        }
    }
    Verdict::Forward(changes)
}

/// The change that inserts arguments into the parameters of a call without any.
fn inserted(params: ValueRef<'_>, json: &str) -> Option<Splice> {
    // The parameters are not empty, since they name the tool: a comma must follow.
    let after = place(params)?.start + 1;
    Some((after..after, format!(r#""arguments":{json},"#)))
}

/// Records a request for a page of the tool list.
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

/// Returns the response to a request in a line that cannot be forwarded.
fn refuse(
    message: ValueRef<'_>,
    line: &str,
    reason: &str,
    shared: &Shared,
    policy: &Policy,
) -> Option<String> {
    let id = id_of(message).filter(|_| message.get("method").is_some())?;
    shared.lock().answer(&id);
    Some(match Call::read(message) {
        Some(call) => {
            let text = explain(&call, line, reason, shared, policy);
            answer::feedback(&id, &text, call.is_typed)
        }
        None => answer::unreadable(&id),
    })
}

/// Returns the feedback on a call that cannot be read: the feedback on its arguments if they are
/// complete enough.
fn explain(call: &Call<'_>, line: &str, reason: &str, shared: &Shared, policy: &Policy) -> String {
    let arguments = call.params.and_then(|params| params.get("arguments"));
    let raw = arguments.and_then(place).and_then(|place| line.get(place));
    if let (Ok(Some((contract, _))), Some(raw)) = (call.contract(shared, policy), raw)
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
        let version = params.and_then(|params| params.get("_meta")?.get(VERSION)?.as_str());
        Some(Self {
            id: id_of(message)?,
            params,
            name,
            is_typed: version.is_some_and(|version| &*version >= TYPED_SINCE),
        })
    }

    /// Returns the contract of the tool, and its name if the call spells it differently: `get-sum`
    /// for `getSum`. `None` if the server has no such tool.
    ///
    /// # Errors
    ///
    /// The reason why the call cannot be checked, if the tools are unknown or this one's schema is
    /// unusable.
    fn contract(
        &self,
        shared: &Shared,
        policy: &Policy,
    ) -> Result<Option<(Listed, Option<String>)>, String> {
        let state = shared.lock();
        let name = self.name.as_deref().unwrap_or_default();
        let alike = || {
            let alike = state.spelled_like(name);
            alike.filter(|_| policy.names() != Names::Exact)
        };
        let named = state.tool(name).map(|known| (known, None));
        let named = named.or_else(|| alike().and_then(|one| Some((state.tool(one)?, Some(one)))));
        match named {
            Some((known, alike)) => match &known.contract {
                Ok(contract) => Ok(Some((contract.clone(), alike.map(str::to_owned)))),
                Err(error) => Err(format!(
                    "its arguments cannot be checked: its schema cannot be used: {error}"
                )),
            },
            None if state.knows_all_tools() => Ok(None),
            None => Err("its arguments cannot be checked: the server did not list it".to_owned()),
        }
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

/// Returns the `id` of a message, or `None` if it is missing or possibly truncated.
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

/// Returns a part of a line with some changes.
fn changed(line: &str, part: Range<usize>, mut changes: Vec<Splice>) -> String {
    changes.sort_by_key(|(place, _)| place.start);
    let (mut out, mut from) = (String::new(), part.start);
    for (place, text) in changes {
        out.push_str(&line[from..place.start]);
        out.push_str(&text);
        from = place.end;
    }
    out.push_str(&line[from..part.end]);
    out
}
