//! The text after a marker, in each of the formats.

use llmjson_syntax::internal::zones::{fence_run, opening_line};
use llmjson_syntax::{Class, Document, RepairKind};

use super::CallSearch;
use super::quoting::is_fence_line;
use crate::calls::{
    CallDraft, Stage, bounded, brackets,
    family::{Family, PYTHON, Shape},
    is_ended,
    json::{self, Finder, Setting},
    members, named, skip,
    tag::{PREFIX, Tag},
};

/// Maximum length of the label of a result.
const LABEL_BYTES_MAX: usize = 16;

impl<'t> CallSearch<'t, '_> {
    /// A marker with which calls begin.
    pub(super) fn opener(&mut self, tag: Tag<'t>) {
        let name = tag.raw.to_owned();
        let before = self.state.opener.as_ref();
        let before = before.filter(|(_, end)| is_joined(&self.text[*end..tag.start]));
        let start = before.map_or(tag.start, |_| self.state.pending.min(tag.start));
        let body = skip(self.text, tag.end);
        let rest = &self.text[body..];
        if rest.is_empty()
            && !self.state.calls.is_empty()
            && is_surplus(&self.text[self.state.pending..start])
        {
            // This marker was meant to close the previous call.
            self.state.pending = self.text.len();
            return;
        }
        self.state.opener = Some((name.clone(), tag.end));
        let is_step = rest.starts_with(['{', '[', '<', '`']) || rest.starts_with(PREFIX);
        let is_name = named::begins_with_element(self.text, body, self.schemas, &mut self.budget);
        if is_step && !is_name && !rest.starts_with("[Calling") {
            // The following text is a separate step, after this marker.
            if !self.leads_somewhere(body) {
                self.state.opener = None;
                return;
            }
            self.keep_until(start);
            self.state.pending = start;
            self.state.at = body;
            return;
        }
        let braced = self.family(Some(&name), Shape::Braces);
        let (schemas, budget) = (self.schemas, &mut self.budget);
        let signs = braced.signs();
        if let Some((drafts, end)) = brackets::calls(self.text, body, signs, schemas, budget) {
            return self.add(drafts, start, end, braced);
        }
        if let Some(lost) = Tag::without_bracket(self.text, body).filter(Tag::is_call) {
            self.keep_until(start);
            self.state.pending = start;
            let opener = self.state.opener.take();
            return self.xml(lost, opener);
        }
        if brackets::begins(self.text, body, &PYTHON, self.schemas) {
            return self.python(body, Some((start, name)));
        }
        let may_be_alone = Family::names_alone(&name);
        let Some((draft, mut end, shape)) = self.named(body, tag, may_be_alone) else {
            return;
        };
        let mut drafts = vec![draft];
        // A fence may hold several calls.
        while fence_run(&name).is_some() && self.names_tool(end) {
            let Some((next, after, _)) = self.named(skip(self.text, end), tag, false) else {
                break;
            };
            drafts.push(next);
            end = after;
        }
        self.add(drafts, start, end, self.family(Some(&name), shape));
    }

    /// Returns `true` if the next line is the name of a tool.
    fn names_tool(&self, at: usize) -> bool {
        let rest = self.text[at..].trim_start();
        let line = rest.split(['\n', '{']).next().unwrap_or_default();
        let is_apart = rest.len() < self.text.len() - at;
        is_apart && line.len() <= json::NAME_BYTES_MAX && self.schemas.knows(line.trim())
    }

    /// Reads a name and its arguments after a marker.
    pub(super) fn named(
        &mut self,
        start: usize,
        opener: Tag<'t>,
        may_be_alone: bool,
    ) -> Option<(CallDraft, usize, Shape)> {
        let (schemas, budget) = (self.schemas, &mut self.budget);
        named::call(self.text, start, opener, may_be_alone, schemas, budget)
    }

    /// Returns the family whose calls begin with a marker and have a shape.
    pub(super) fn family(&self, opener: Option<&str>, shape: Shape) -> Family {
        Family::of(opener, shape, self.schemas.only)
    }

    /// Returns `true` if a call may begin after a marker.
    pub(super) fn leads_somewhere(&mut self, at: usize) -> bool {
        let prefixed = self.text[at..].strip_prefix(PREFIX);
        let at = prefixed.map_or(at, |rest| self.text.len() - rest.len());
        let rest = &self.text[at..];
        // The line that opens the fence may continue.
        let line = opening_line(rest).unwrap_or(0);
        self.budget.reached_end |= line > 0 && !rest[..line].ends_with('\n');
        let rest = rest[line..].trim_start();
        rest.starts_with(['{', '['])
            || Tag::look(self.text, at, &mut self.budget).is_some_and(|tag| !tag.is_closing)
    }

    pub(super) fn json(&mut self, start: usize, opener: Option<(usize, String)>) {
        let setting = match opener {
            Some(_) => Setting::Marked,
            None => Setting::Bare,
        };
        let Some((document_text, end, is_closed)) = self.json_text(start, setting) else {
            return;
        };
        let schemas = self.schemas;
        let document = self.budget.read(document_text);
        let is_closed = is_closed || is_ended(&document) || lacks_a_bracket(&document);
        let mut drafts = self.calls_of(&document, start, setting);
        if !is_closed && let Some(last) = drafts.last_mut() {
            last.complete = false;
        }
        if setting == Setting::Bare {
            // Without a marker, JSON is a call only if it is complete and hardly damaged, or if its
            // name is known, and never inside other text: `{"result": functools[{"name": …`.
            let is_sound = is_closed && document.certainty() == Class::Certain;
            let is_all = document.root().is_some_and(|root| {
                let begins = root.span().is_some_and(|span| span.start == 0);
                begins && (document.certainty() != Class::Guess || json::begins_call(root))
            });
            drafts.retain(|draft| is_all && (is_sound || schemas.knows(&draft.name)));
            let class = match self.is_on_its_own(start, end) {
                true => Class::Likely,
                false => Class::Guess,
            };
            for draft in &mut drafts {
                draft.class = draft.class.max(class);
            }
        }
        if drafts.is_empty() {
            if setting == Setting::Bare && is_closed && document.repairs().is_empty() {
                // Strict JSON that is not a call does not contain one.
                self.state.at = end;
            }
            return;
        }
        let family = match &opener {
            Some((_, name)) => self.family(Some(name), Shape::Json),
            None if self.text[start..].starts_with('[') => Family::named("xlam"),
            None => Family::named("json"),
        };
        match opener {
            None => self.add(drafts, start, end, family),
            Some((from, name)) => {
                let before = self.state.calls.len();
                self.add(drafts, from, end, family);
                if self.state.calls.len() == before {
                    return;
                }
                // After a marker, further calls may follow directly.
                let next = self.text[end..].trim_start_matches([';', ',', ' ', '\n', '\r', '\t']);
                if next.starts_with('{') {
                    self.state.opener = Some((name, self.text.len() - next.len()));
                    self.state.pending = self.text.len() - next.len();
                    self.state.at = self.state.pending;
                }
            }
        }
    }

    /// Returns `true` if the lines of a value contain only tags and calls next to it:
    /// `</think>{…}`, but not `Send {…}`.
    fn is_on_its_own(&mut self, start: usize, end: usize) -> bool {
        let separators = [' ', '\t', ';', ','];
        let before = self.text[..start].trim_end_matches([' ', '\t']);
        let after = self.text[end..].trim_start_matches(separators);
        let is_behind_tag =
            before.ends_with('>') && !(before.ends_with("->") || before.ends_with("=>"));
        let between = &self.text[self.state.pending.min(start)..start];
        let is_next = !self.state.calls.is_empty() && between.trim_matches(separators).is_empty();
        (before.is_empty() || before.ends_with('\n') || is_behind_tag || is_next)
            && (after.is_empty() || after.starts_with(['\n', '\r', '<', '{', '[', '`']))
    }

    /// Returns `true` if a call without a marker is among the words of unclosed reasoning.
    pub(super) fn is_thought_aside(&mut self, start: usize, end: usize, family: Family) -> bool {
        let is_bare = ["json", "xlam"].contains(&family.name());
        self.state.zones.place.thought.is_some() && is_bare && !self.is_on_its_own(start, end)
    }

    /// Skips JSON that is not a call, if tags and brackets in its strings could be mistaken for
    /// calls.
    pub(super) fn pass_data(&mut self, json: &str, end: usize) {
        let inner = skip(json, 1);
        if json[inner..].starts_with('"') && json.contains(['<', '[']) {
            let document = self.budget.read(json);
            if document.is_complete() && document.repairs().is_empty() {
                self.state.at = end;
            }
        }
    }

    /// Unfinished JSON whose tool is known: it may become a call.
    pub(super) fn begun_json(&mut self, start: usize) {
        self.budget.reached_end = true;
        let document = self.budget.read(&self.text[start..]);
        let mut drafts = self.calls_of(&document, start, Setting::Begun);
        drafts.retain(|draft| self.schemas.has(&draft.name));
        for draft in &mut drafts {
            draft.complete = false;
        }
        if !drafts.is_empty() {
            self.add(drafts, start, self.text.len(), Family::named("json"));
        }
    }

    /// Returns the calls of a document that begins at a place.
    pub(super) fn calls_of(
        &mut self,
        document: &Document<'_>,
        start: usize,
        setting: Setting,
    ) -> Vec<CallDraft> {
        let schemas = self.schemas;
        let finder = Finder {
            start,
            setting,
            schemas,
        };
        json::calls(document, finder, &mut self.budget)
    }

    /// Returns the text of the JSON value that begins at a place, its end, and `true` if it is
    /// closed.
    pub(super) fn json_text(
        &mut self,
        start: usize,
        setting: Setting,
    ) -> Option<(&'t str, usize, bool)> {
        if setting == Setting::Bare {
            let end = self.end_of_bare(start)?;
            return Some((&self.text[start..end], end, true));
        }
        Some(bounded(self.text, start, &mut self.budget))
    }

    pub(super) fn python(&mut self, start: usize, opener: Option<(usize, String)>) {
        let (schemas, budget) = (self.schemas, &mut self.budget);
        let Some((mut drafts, end)) = brackets::calls(self.text, start, &PYTHON, schemas, budget)
        else {
            return;
        };
        let is_known = drafts.iter().all(|draft| self.schemas.knows(&draft.name));
        if opener.is_none() {
            // An array of calls without a marker must be the only text on its lines.
            let before = self.text[..start].trim_end_matches([' ', '\t']);
            let after = self.text[end..].trim_start_matches([' ', '\t']);
            let last = self.state.calls.last().map(|last| last.span.1.min(start));
            let is_next = last.is_some_and(|last| self.text[last..start].trim().is_empty());
            let is_alone = (before.is_empty() || before.ends_with('\n') || is_next)
                && (after.is_empty()
                    || after.starts_with(['\n', '<'])
                    || is_known && begins_result(after));
            let is_whole = self.text[..start].trim().is_empty() || before.ends_with('>');
            self.budget.reached_end |= after.is_empty();
            let goes_on = end == self.text.len() && is_known && self.may_go_on(start);
            let is_closed = goes_on || self.text[start..end].ends_with(']');
            if !is_closed
                || !(is_alone || is_known && before.ends_with('>'))
                || !(is_known || is_whole && !self.schemas.has_tools())
            {
                // More text after the list may show that it is followed by its result.
                self.budget.read_to = self.budget.read_to.max(end);
                return;
            }
            // `[f(x)] is the call.`: a sentence may follow a list without names and strings.
            let may_be_prose = self.is_open
                && after.is_empty()
                && !self.text[start..end].contains(['=', '"', '\'']);
            for draft in &mut drafts {
                draft.class = draft.class.max(Class::Likely);
                if may_be_prose {
                    draft.stage = Stage::Doubtful;
                }
            }
        }
        let family = match &opener {
            Some((_, name)) => self.family(Some(name), Shape::Python),
            None => Family::named("pythonic"),
        };
        let is_bracketed = family.name() == "bracketed" && self.text[end..].starts_with(']');
        let from = opener.map_or(start, |(at, _)| at);
        self.add(drafts, from, end + usize::from(is_bracketed), family);
    }

    pub(super) fn xml(&mut self, tag: Tag<'t>, opener: Option<(String, usize)>) {
        // `function<｜tool▁sep｜>` may be between them.
        let opener = opener.filter(|(_, end)| {
            let between = self.text[*end..tag.start].trim();
            between.is_empty() || between.starts_with("function") && between.len() < 32
        });
        let opener = opener.map(|(name, _)| name);
        let family = match (&opener, &*tag.local_name()) {
            _ if tag.has_elements() => Family::named("minimax-m3"),
            _ if tag.is_separated() => Family::named("kimi-k3"),
            (Some(name), _) => self.family(Some(name), Shape::Xml),
            (None, "invoke") => {
                let space = tag.name.rsplit_once([':', '｜']);
                let family = space.and_then(|(space, _)| Family::of_space(space));
                family.unwrap_or_else(|| Family::named("anthropic"))
            }
            _ => Family::of(None, Shape::Xml, None),
        };
        let found = members::call(
            self.text,
            tag,
            family.has_entities(),
            self.schemas,
            &mut self.budget,
        );
        let Some((mut draft, end)) = found else {
            return;
        };
        // A tag without parameters or an end is a word in prose.
        let is_one = self.schemas.knows(&draft.name) || !self.schemas.has_tools();
        let is_alone = opener.is_none() && draft.arguments.is_empty() && !draft.complete;
        if is_alone && !(is_one && self.may_go_on(tag.start)) {
            return;
        }
        if !tag.is_call() || opener.is_none() && !self.schemas.knows(&draft.name) {
            draft.class = draft.class.max(Class::Likely);
        }
        let from = if opener.is_some() {
            self.state.pending.min(tag.start)
        } else {
            tag.start
        };
        let before = self.state.calls.len();
        self.add(vec![draft], from, end, family);
        // One pair of markers may enclose several calls, unless it is quoted.
        let opener = opener.filter(|_| self.state.calls.len() > before);
        self.state.opener = opener.map(|name| (name, end));
    }
}

/// Returns `true` if a marker and the content after a text belong to one call: a few words or a
/// fence may separate them.
pub(super) fn is_joined(between: &str) -> bool {
    between.trim().is_empty()
        || between.len() < 32 && !between.contains('\n')
        || is_fence_line(between)
}

/// Returns `true` if the text after a list of calls is their result, or another list:
/// `-> 3 degrees`, `Output: 3`, `[g(b=2)]`.
fn begins_result(after: &str) -> bool {
    let label = after.trim_start_matches(char::is_alphabetic);
    let length = after.len() - label.len();
    ["->", "=>", "→"].iter().any(|sign| after.starts_with(sign))
        || after.starts_with(['[', '{'])
        || (3..=LABEL_BYTES_MAX).contains(&length) && label.starts_with(':')
}

/// Returns `true` if an array lacks only its last bracket: all its items are complete.
fn lacks_a_bracket(document: &Document<'_>) -> bool {
    let text = document.text().trim_end().trim_end_matches(',');
    let is_end = |kind| matches!(kind, RepairKind::UnclosedArray | RepairKind::ExtraComma);
    let mut repairs = document.repairs().iter();
    text.starts_with('[') && text.ends_with('}') && repairs.all(|one| is_end(one.kind))
}

/// Returns `true` if there are only surplus brackets between a call and its closer.
pub(super) fn is_surplus(between: &str) -> bool {
    let is_bracket = |one: char| one.is_whitespace() || "]})`".contains(one);
    between.chars().all(is_bracket)
}
