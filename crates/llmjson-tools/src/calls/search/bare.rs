//! Calls without a marker: a name and its JSON, and the lines that agents write.

use llmjson_syntax::internal::zones::{opening_line, own_fence};
use llmjson_syntax::{Class, JsonOut, JsonText};

use super::quoting::MARKS;
use super::{ACTION, CallSearch};
use crate::calls::{
    CallDraft, Payload, Stage, arguments_at, brackets,
    family::{Family, PYTHON},
    found::NotRunReason,
    json, near, skip,
    tag::Tag,
};

/// The arrows before a name that is followed by JSON.
const ARROWS: &str = ">>>";

/// The families that have names before their JSON.
const FUNCTIONARY: &str = "functionary";
const HARMONY: &str = "harmony";
const MISTRAL: &str = "mistral";

/// The maximum length of a name before a brace, with its prefix and suffix, in bytes.
const LEAD_BYTES_MAX: usize = json::NAME_BYTES_MAX + 32;

impl<'t> CallSearch<'t, '_> {
    /// JSON after a tool's name.
    pub(super) fn behind_name(&mut self, start: usize) -> bool {
        let Some((from, name, family)) = self.name_before(start) else {
            return false;
        };
        let (mut draft, end) = arguments_at(self.text, start, &mut self.budget);
        if family == HARMONY {
            draft.complete &= self.text[..end].ends_with('}');
        }
        // All other prefixes of a name end in one of three characters.
        if !self.text[from..].starts_with(ARROWS) {
            draft.class = draft.class.max(Class::Likely);
        }
        draft.set_name(name);
        self.add(vec![draft], from, end, Family::named(family));
        true
    }

    /// Returns the tool's name before a brace, the beginning of its prefix, and the family:
    /// `>>>name` on a separate line, `name[ARGS]` and `commentary to=functions.name json` without
    /// their tokens, or a name with which the reply begins.
    pub(super) fn name_before(&mut self, start: usize) -> Option<(usize, &'t str, &'static str)> {
        let text = self.text;
        let near = text.floor_char_boundary(start.saturating_sub(LEAD_BYTES_MAX));
        let near = near.max(self.state.pending).min(start);
        let before = text[near..start].trim_end();
        if self.state.opener.is_none()
            && let Some(before) = before.strip_suffix("[ARGS]")
        {
            return without_marker(before).map(|(from, name)| (near + from, name, MISTRAL));
        }
        let ends = |one: char| "\r\n{}[]()<>,;".contains(one);
        let from = before.rfind(ends).map_or(0, |at| at + 1);
        let (lead, name) = before.split_at(from);
        self.budget.charge(name.len() + 1);
        let is_known = json::is_spaced(name) && self.schemas.knows(name);
        if let Some(lead) = lead.strip_suffix(ARROWS) {
            let is_name = (json::is_name(name) || is_known) && name != "all";
            return is_name.then_some((near + lead.len(), name, FUNCTIONARY));
        }
        if let Some((from, name)) = recipient(name) {
            return self
                .header_before(near + lead.len() + from)
                .map(|from| (from, name, HARMONY));
        }
        let is_begin = near == 0 && matches!(lead.trim(), "" | "function") && !self.is_inside;
        if !is_begin || !json::is_name(name) || name.ends_with(':') {
            return None;
        }
        let is_known = self.schemas.knows(name);
        let is_apart = text[..start].ends_with('\n') || is_known && start == before.len();
        let is_like_one = name.contains(['_', '-', '.']) && !self.schemas.has_tools();
        let is_one = is_apart && (is_known || is_like_one && self.is_last(start));
        is_one.then_some((
            if lead.trim().is_empty() { from } else { 0 },
            name,
            FUNCTIONARY,
        ))
    }

    /// Returns `true` if the reply ends with the JSON that begins at a place.
    fn is_last(&mut self, start: usize) -> bool {
        let end = json::extent(self.text, start, &mut self.budget);
        let is_last = end.is_some_and(|end| self.text[end..].trim().is_empty());
        // The following text may show that it is not a name.
        self.budget.reached_end |= is_last;
        self.is_doubtful |= is_last && self.is_open;
        is_last
    }

    /// Returns the beginning of the message header whose recipient is at a position.
    fn header_before(&self, at: usize) -> Option<usize> {
        let begin = self.state.pending.min(at);
        let lead = self.text[begin..at].trim_end();
        let lead = lead.strip_suffix("commentary").unwrap_or(lead);
        let lead = lead.strip_suffix("assistant").unwrap_or(lead);
        let from = begin + lead.len();
        let is_begun = self.text[from..at].contains("commentary");
        (is_begun || lead.is_empty() || lead.ends_with('\n')).then_some(from)
    }

    /// Reads Python, or JSON without its beginning, as the whole text, if nothing else was found.
    pub(super) fn code(&mut self) {
        const FENCE: &str = "```tool_code";
        let text = self.text;
        let start = skip(text, self.state.pending);
        if self.state.calls.is_empty() && self.state.content.trim().is_empty() {
            self.end_of_json(start);
        }
        let name = text[start..].split('(').next().unwrap_or_default();
        let is_whole = self.state.content.trim().is_empty() && text.trim_end().ends_with(')');
        if self.state.calls.is_empty() && is_whole && self.schemas.knows(name) {
            self.python(start, Some((start, FENCE.to_owned())));
            for draft in &mut self.state.calls {
                draft.class = draft.class.max(Class::Likely);
            }
        }
    }

    /// `type": "function", "name": "f", "arguments": {…}}`: the members of a call.
    fn end_of_json(&mut self, start: usize) {
        let text = self.text[start..].trim_end();
        let members = text.strip_prefix('"').unwrap_or(text);
        let key = members.split('"').next().unwrap_or_default();
        if !(text.ends_with('}') && text.contains('{') && json::is_of_call(key)) {
            return;
        }
        let json = format!("{{\"{members}");
        let document = self.budget.read(&json);
        let mut drafts = self.calls_of(&document, 0, json::Setting::Marked);
        let is_whole = document.is_complete() && document.repairs().is_empty();
        drafts.retain(|draft| is_whole && self.schemas.knows(&draft.name));
        for draft in &mut drafts {
            draft.class = Class::Likely;
            draft.arguments = Payload::Built(draft.arguments.written(&json).to_owned());
        }
        let end = start + text.len();
        if !drafts.is_empty() {
            self.add(drafts, start, end, Family::named("json"));
        }
    }

    /// A fence in which calls are written.
    pub(super) fn fence(&mut self, start: usize) {
        let text = self.text;
        // The words after the fence may continue.
        let is_cut = text.len() - start < json::NAME_BYTES_MAX && !text[start..].contains('\n');
        self.budget.reached_end |= is_cut;
        let Some(end) = own_fence(&text[start..], MARKS) else {
            return;
        };
        self.zones().zone_at(start + 1);
        let tag = Tag::of_words(text, start, start + end);
        let body = skip(text, tag.end);
        let printed = text[body..].strip_prefix(brackets::PRINT);
        if printed.is_some_and(|rest| rest.chars().all(json::is_part)) {
            // The tool's name may continue.
            self.budget.reached_end = true;
            return;
        }
        match brackets::begins(text, body, &PYTHON, self.schemas) {
            true => self.python(body, Some((start, tag.raw.to_owned()))),
            false => self.opener(tag),
        }
    }

    /// `Action: name`, followed by `Action Input: …`, or `Action: name(…)`.
    pub(super) fn action(&mut self, start: usize, head: &'static str, input: &[&'static str]) {
        let text = self.text;
        if !begins_line(text, start) {
            return;
        }
        // The text after the first action was made up: its result, and the next action.
        if head == ACTION && !self.state.calls.is_empty() {
            let line = text[start..].find('\n');
            let stop = line.map_or(text.len(), |line| start + line + 1);
            self.look_inside(start, stop, NotRunReason::Turn);
            return;
        }
        let near = near(text, start, 2 * json::NAME_BYTES_MAX);
        self.budget.charge(near.len());
        let is_all = start + near.len() == text.len();
        let place = |rest: &str| start + near.len() - rest.len();
        let (name, input) = match behind_label(near, &[head], is_all) {
            Ok(rest) if self.action_as_call(start, head, skip(text, place(rest))) => return,
            Ok(rest) => match named_input(rest, input, is_all) {
                Ok((name, input)) => (name, place(input)),
                Err(goes_on) => return self.budget.reached_end |= goes_on,
            },
            Err(goes_on) => return self.budget.reached_end |= goes_on,
        };
        let is_name = json::is_name(name) || json::is_spaced(name) && self.schemas.knows(name);
        if !is_name {
            return;
        }
        let body = text[input..].trim_start_matches(['*', ' ', '\n', '\r', '\t']);
        let body = text.len() - body.len();
        let body = opening_line(&text[body..]).map_or(body, |line| skip(text, body + line));
        let found = match text[body..].starts_with('{') {
            true => Some(arguments_at(text, body, &mut self.budget)),
            false => self.one_text(name, body),
        };
        if let Some((draft, end)) = found {
            self.react(draft, name, start, end);
        }
    }

    /// `Action: f(x)` and `Action: f[x]`: the brackets end the line.
    fn action_as_call(&mut self, start: usize, head: &str, body: usize) -> bool {
        let text = self.text;
        let line = text[body..].split('\n').next().unwrap_or_default();
        let name = line.split(['(', '[']).next().unwrap_or_default();
        self.budget.charge(line.len());
        if !self.schemas.knows(name) || name.len() == line.len() {
            return false;
        }
        match brackets::begins(text, body, &PYTHON, self.schemas) {
            true => self.python(body, Some((start, head.to_owned()))),
            false => self.bracketed_text(start, name, body, line),
        }
        true
    }

    fn react(&mut self, draft: CallDraft, name: &str, start: usize, end: usize) {
        let class = Class::Likely;
        let mut draft = CallDraft { class, ..draft };
        draft.set_name(name);
        self.add(vec![draft], start, end, Family::named("react"));
    }

    fn bracketed_text(&mut self, start: usize, name: &str, body: usize, line: &str) {
        let end = body + line.trim_end().len();
        let is_cut = body + line.len() == self.text.len();
        self.budget.reached_end |= is_cut;
        let inner = self.text[body + name.len() + 1..end].strip_suffix(']');
        if let Some(value) = inner.filter(|value| !value.trim_start().starts_with('{'))
            && let Some(arguments) = self.one_argument(name, value)
        {
            let stage = match is_cut && self.is_open {
                true => Stage::Doubtful,
                false => Stage::Begun,
            };
            let draft = CallDraft {
                arguments,
                stage,
                ..CallDraft::default()
            };
            self.react(draft, name, start, end);
        }
    }

    /// Returns the arguments of a tool whose first one is a string, which quotes may surround.
    fn one_argument(&self, name: &str, written: &str) -> Option<Payload> {
        let value = unquoted(written).unwrap_or(written.trim());
        let key = self.schemas.name_at(name, 0)?;
        let arguments = JsonText::object_of(|out| out.member(key, value));
        Some(Payload::Built(arguments))
    }

    /// A single string for a tool with one argument. Its quotes or the end of its line show that it
    /// is complete.
    fn one_text(&mut self, name: &str, body: usize) -> Option<(CallDraft, usize)> {
        let rest = &self.text[body..];
        let end = rest.find("\nObservation");
        self.budget.reached_end |= end.is_none();
        let written = &rest[..end.unwrap_or(rest.len())];
        let draft = CallDraft {
            arguments: self.one_argument(name, written)?,
            complete: end.is_some() || unquoted(written).is_some() || written.ends_with('\n'),
            ..CallDraft::default()
        };
        Some((draft, body + written.len()))
    }
}

/// Returns the text between quotes.
fn unquoted(text: &str) -> Option<&str> {
    text.trim().strip_prefix('"')?.strip_suffix('"')
}

/// Returns a text without the number with which it begins: `Action 1: …`.
fn without_number(text: &str) -> &str {
    let digits = text.trim_start_matches(' ');
    let rest = digits.trim_start_matches(|one: char| one.is_ascii_digit());
    if rest.len() < digits.len() {
        rest
    } else {
        text
    }
}

/// Returns the recipient with which a line ends, and the beginning of the text that names it:
/// `to=functions.name json`.
fn recipient(line: &str) -> Option<(usize, &str)> {
    const TO: &str = "to=functions.";
    let header = line
        .strip_suffix("json")
        .or_else(|| line.strip_suffix("code"));
    let header = header.unwrap_or(line).trim_end();
    let at = header.rfind(TO)?;
    let name = &header[at + TO.len()..];
    json::is_name(name).then_some((at, name))
}

/// Returns the name at the end of a text, and the beginning of the name or of a partial marker
/// before it: `_CALLS]name`.
fn without_marker(before: &str) -> Option<(usize, &str)> {
    let name = before.rsplit([' ', '\n', ']', '>']).next()?;
    let lead = &before[..before.len() - name.len()];
    let cut = ["[TOOL_CALLS]", "TOOL_CALLS]", "_CALLS]", "CALLS]"];
    let cut = cut.into_iter().find(|cut| lead.ends_with(cut));
    json::is_name(name).then_some((lead.len() - cut.map_or(0, str::len), name))
}

/// Returns `true` if only Markdown marks precede a position in its line.
fn begins_line(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches(['*', ' ', '#']);
    before.is_empty() || before.ends_with('\n')
}

/// Returns the text after a label and its colon, with or without a number and Markdown marks:
/// `Action 1:`, `Action:**`. The error is `true` if more text may complete it.
fn behind_label<'t>(text: &'t str, words: &[&str], is_all: bool) -> Result<&'t str, bool> {
    let behind = |rest: &'t str, word: &str| {
        let after = rest.strip_prefix(word);
        after.ok_or(is_all && word.starts_with(rest))
    };
    let mut rest = text;
    for word in words {
        rest = behind(rest.trim_start_matches(' '), word)?;
    }
    let rest = without_number(rest.trim_start_matches('*'));
    behind(rest.trim_start_matches('*'), ":")
}

/// Returns the name in a line, and the text after the label of its input on the next one.
fn named_input<'t>(
    text: &'t str,
    label: &[&str],
    is_all: bool,
) -> Result<(&'t str, &'t str), bool> {
    let around = |one: char| one.is_ascii_whitespace() || "`*\"[]".contains(one);
    let (name, rest) = (text.trim_start_matches(around).split_once('\n')).ok_or(is_all)?;
    let rest = rest.trim_start_matches(|one: char| one.is_whitespace() || "*#".contains(one));
    Ok((
        name.trim_matches(around),
        behind_label(rest, label, is_all)?,
    ))
}
