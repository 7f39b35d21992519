//! Finds calls in a text: goes over its markers, and reads what stands behind each.

use std::collections::HashMap;

use llmjson_syntax::Class;
use memchr::memchr3;

use super::super::registry::Registry;
use super::family::{Family, Shape};
use super::json::{self, Setting};
use super::tag::{TAG_BYTES_MAX, Tag};
use super::values::{Properties, Takes};
use super::{Draft, Work, arguments_at, is_end, named, python, skip, xml};

/// How many times the text may be looked at in search of ends.
const LOOKS: usize = 8;

/// So much text behind a step has no part in it.
const NEAR: usize = 64;

/// Words before a value or fence that say it is an example.
const EXAMPLE_WORDS: &[&str] = &[
    "example",
    "e.g.",
    "for instance",
    "format",
    "would",
    "could",
    "such as",
    "looks like",
    "look like",
    "template",
    "sample",
    "syntax",
    "schema",
    "placeholder",
];

/// What was found in a text.
#[derive(Default)]
pub(super) struct Found {
    pub(super) calls: Vec<Draft>,
    /// The text that is neither call nor reasoning, in pieces.
    pub(super) content: String,
    pub(super) reasoning: String,
}

pub(super) struct Reader<'t, 'r> {
    text: &'t str,
    registry: &'r Registry,
    only: Option<Family>,
    /// Whether calls before an end of reasoning that has no beginning are drafts.
    pub(super) forgets: bool,
    /// Whether more text may come.
    is_open: bool,
    properties: HashMap<String, Option<Properties>>,
    work: Work,
    at: usize,
    /// Where the text begins that nothing is known about yet.
    pending: usize,
    /// What a marker of calls that was just passed is called, until something else follows.
    opener: Option<(String, usize)>,
    /// Where a code fence is open, and how far was looked for fences.
    fence: Option<usize>,
    fences_until: usize,
    /// Ends of reasoning that do not come any more.
    unclosed: Vec<&'static str>,
    found: Found,
}

/// What a reader knows between two pieces of a text.
#[derive(Default)]
pub(super) struct Saved {
    pub(super) at: usize,
    /// Whether it is known that the text does not begin with the name of a tool.
    led: bool,
    pending: usize,
    opener: Option<(String, usize)>,
    fence: Option<usize>,
    fences_until: usize,
    unclosed: Vec<&'static str>,
    used: usize,
    properties: HashMap<String, Option<Properties>>,
    pub(super) found: Found,
}

impl Saved {
    pub(super) const fn is_led(&self) -> bool {
        self.led
    }
}

/// What one step may change, to be put back where more text may change the step.
struct Mark {
    pending: usize,
    opener: Option<(String, usize)>,
    fence: Option<usize>,
    fences_until: usize,
    unclosed: usize,
    calls: usize,
    content: usize,
    reasoning: usize,
}

impl<'t, 'r> Reader<'t, 'r> {
    /// Creates a reader that goes on where another one ended.
    pub(super) fn resume(
        text: &'t str,
        registry: &'r Registry,
        only: Option<Family>,
        saved: Saved,
    ) -> Self {
        let mut work = Work::of(text.len().saturating_mul(LOOKS));
        work.used = saved.used;
        Self {
            text,
            registry,
            only,
            forgets: true,
            is_open: false,
            properties: saved.properties,
            work,
            at: saved.at,
            pending: saved.pending,
            opener: saved.opener,
            fence: saved.fence,
            fences_until: saved.fences_until,
            unclosed: saved.unclosed,
            found: saved.found,
        }
    }

    /// Reads the text to its end.
    pub(super) fn read(mut self, led: bool) -> Found {
        if !led {
            self.leading_name();
        }
        while let Some(start) = self.next() {
            self.step(start);
            self.at = self.at.max(start + 1);
        }
        self.action();
        self.keep_until(self.text.len());
        self.found
    }

    /// Takes the steps that more text does not change, and returns what is known besides about the calls
    /// at the end of the text.
    pub(super) fn advance(mut self, led: bool) -> (Saved, Vec<Draft>) {
        self.is_open = true;
        let mut tried = Vec::new();
        let led = led || self.begins_otherwise();
        while led && let Some(start) = self.next() {
            let mark = self.mark();
            self.work.reached_end = false;
            self.step(start);
            self.at = self.at.max(start + 1);
            if self.is_undecided(start) {
                tried = self.found.calls.split_off(mark.calls);
                self.put_back(mark, start);
                break;
            }
        }
        let saved = Saved {
            at: self.at,
            led,
            pending: self.pending,
            opener: self.opener,
            fence: self.fence,
            fences_until: self.fences_until,
            unclosed: self.unclosed,
            // What was looked at in vain is looked at again when more text is there.
            used: self.work.used.min(self.text.len()),
            properties: self.properties,
            found: self.found,
        };
        (saved, tried)
    }

    /// Returns the next place at which something may begin.
    fn next(&mut self) -> Option<usize> {
        let rest = &self.text.as_bytes()[self.at..];
        match memchr3(b'<', b'[', b'{', rest) {
            Some(found) => {
                self.at += found;
                Some(self.at)
            }
            None => {
                self.at = self.text.len();
                None
            }
        }
    }

    /// Whether more text may change the step that was taken at a place.
    fn is_undecided(&self, start: usize) -> bool {
        let left = self.text.len() - start;
        let may_be_tag = || {
            let begins = self.text[start + 1..].trim_start_matches(['/', '|', '｜']);
            begins.is_empty() || begins.starts_with(|one: char| one.is_alphabetic())
        };
        self.work.reached_end
            || self.text.len() - self.at < NEAR
            || left < TAG_BYTES_MAX && may_be_tag() && Tag::at(self.text, start).is_none()
    }

    /// Whether the text surely does not begin with a name on a line of its own.
    fn begins_otherwise(&self) -> bool {
        let begin = self.text.trim_start();
        match begin.find([' ', '\n', '\t', '<', '[', '{', '(']) {
            Some(end) => {
                let is_behind = end > 0 && begin[end..].starts_with('{');
                !is_behind && !begin[end..].starts_with('\n') || {
                    let rest = begin[end..].trim_start();
                    !rest.is_empty() && !rest.starts_with('{')
                }
            }
            None => begin.len() > 256,
        }
    }

    fn mark(&self) -> Mark {
        Mark {
            pending: self.pending,
            opener: self.opener.clone(),
            fence: self.fence,
            fences_until: self.fences_until,
            unclosed: self.unclosed.len(),
            calls: self.found.calls.len(),
            content: self.found.content.len(),
            reasoning: self.found.reasoning.len(),
        }
    }

    fn put_back(&mut self, mark: Mark, start: usize) {
        self.at = start;
        self.pending = mark.pending;
        self.opener = mark.opener;
        self.fence = mark.fence;
        self.fences_until = mark.fences_until;
        self.unclosed.truncate(mark.unclosed);
        self.found.content.truncate(mark.content);
        self.found.reasoning.truncate(mark.reasoning);
    }

    fn step(&mut self, start: usize) {
        if let Some(tag) = Tag::at(self.text, start) {
            return self.tag(tag);
        }
        let inner = skip(self.text, start + 1);
        let is_bracketed = self.text[start..].starts_with("[Calling tool:");
        let may_begin = match self.text.as_bytes()[start] {
            b'{' => true,
            b'[' => {
                is_bracketed
                    || self.text[inner..].starts_with('{')
                    || python::begins(self.text, inner)
            }
            _ => false,
        };
        if !may_begin {
            return;
        }
        let opener = self.opener_of(start);
        if opener.is_none() && self.is_sample(start) {
            return;
        }
        match self.text.as_bytes()[start] {
            b'{' if opener.is_none() && self.behind_arrows(start) => {}
            b'{' => self.json(start, opener),
            b'[' => {
                if python::begins(self.text, inner) {
                    self.python(start, opener);
                } else if is_bracketed {
                    self.python(
                        skip(self.text, start + "[Calling tool:".len()),
                        Some((start, "[Calling tool:".to_owned())),
                    );
                } else {
                    self.json(start, opener);
                }
            }
            _ => {}
        }
    }

    /// The marker of calls that stands directly before a place.
    fn opener_of(&mut self, start: usize) -> Option<(usize, String)> {
        if let Some((name, end)) = &self.opener {
            let between = &self.text[*end..start];
            // A fence or a few words may stand between a marker and its call.
            if between.trim().is_empty()
                || between.len() < 32 && !between.contains('\n')
                || is_fence_line(between)
            {
                return Some((self.pending.min(start), name.clone()));
            }
        }
        let before = self.text[..start].trim_end();
        let cut = before
            .strip_suffix("tool_call>")
            .filter(|before| before.is_empty() || before.ends_with('\n'))
            .map(str::len);
        let word = before.strip_suffix("functools").map(str::len);
        let line = before
            .strip_suffix("```json")
            .or_else(|| before.strip_suffix("```"));
        let action = line
            .and_then(|line| line.trim_end().strip_suffix("Action:"))
            .map(str::len);
        match (word, action) {
            _ if cut.is_some() => cut.map(|at| (at, "<tool_call>".to_owned())),
            (Some(at), _) => Some((at, "functools".to_owned())),
            (_, Some(at)) => Some((at, "<|START_ACTION|>".to_owned())),
            _ => None,
        }
    }

    fn tag(&mut self, tag: Tag<'t>) {
        self.at = tag.end;
        if tag.is_markup() {
            if tag.is_closing {
                self.opener = None;
            }
            return;
        }
        let name = tag.normalized();
        if let Some(closes) = reasoning(&tag, &name) {
            return self.reasoning_tag(tag, &name, closes);
        }
        if tag.is_call() && !self.is_sample(tag.start) {
            let opener = self.opener.take();
            return self.xml(tag, opener);
        }
        if name == "message" {
            return self.message(tag);
        }
        if name == "args" && self.opener.is_none() {
            return self.behind_name(tag);
        }
        if tag.is_closing || is_end(&name) {
            // What closes calls is no content.
            if self.is_closer(&tag, &name) {
                self.keep_until(tag.start);
                self.pending = tag.end;
            }
            self.opener = None;
            return;
        }
        if Family::opens(&name, self.only) {
            if self.is_sample(tag.start) {
                return;
            }
            self.opener(tag);
        } else if is_noise(&name) {
            self.keep_until(tag.start);
            self.pending = tag.end;
        }
    }

    /// Whether a closing tag belongs to calls, and not to the text: it stands right behind one, or is a
    /// special token.
    fn is_closer(&mut self, tag: &Tag<'t>, name: &str) -> bool {
        let is_about_calls = is_end(name) || is_noise(name) || Family::opens(name, None);
        if !is_about_calls && self.opener.is_none() {
            return false;
        }
        let between = &self.text[self.pending.min(tag.start)..tag.start];
        let is_behind = !self.found.calls.is_empty() && is_surplus(between);
        if is_behind {
            self.pending = tag.start;
        }
        is_behind || tag.raw.starts_with("<|") || tag.raw.starts_with("<｜") || is_noise(name)
    }

    /// A marker with which calls begin.
    fn opener(&mut self, tag: Tag<'t>) {
        let name = tag.raw.to_owned();
        let start = self
            .opener
            .as_ref()
            .map_or(tag.start, |_| self.pending.min(tag.start));
        let body = skip(self.text, tag.end);
        let rest = &self.text[body..];
        if rest.is_empty()
            && !self.found.calls.is_empty()
            && is_surplus(&self.text[self.pending..start])
        {
            // It was meant to close the call before it.
            self.pending = self.text.len();
            return;
        }
        self.opener = Some((name.clone(), tag.end));
        if rest.starts_with(['{', '[', '<', '`']) && !rest.starts_with("[Calling") {
            // What follows is a step of its own, behind this marker.
            if !self.leads_somewhere(body) {
                self.opener = None;
                return;
            }
            self.keep_until(start);
            self.pending = start;
            self.at = body;
            return;
        }
        let known = |name: &str| self.registry.get(name).is_some();
        if let Some((draft, end)) = named::braces(self.text, body) {
            return self.add(
                vec![draft],
                start,
                end,
                Family::of(Some(&name), Shape::Braces),
            );
        }
        if python::begins(self.text, body) {
            return self.python(body, Some((start, name)));
        }
        let registry = self.registry;
        let properties = &mut self.properties;
        let found = named::call(
            self.text,
            body,
            Family::names_alone(&name),
            &known,
            &mut |tool, key| takes(registry, properties, tool, key),
            &mut self.work,
        );
        if let Some((draft, end, shape)) = found {
            self.add(vec![draft], start, end, Family::of(Some(&name), shape));
        }
    }

    /// Whether a call may begin at a place behind a marker.
    fn leads_somewhere(&self, at: usize) -> bool {
        let rest = &self.text[at..];
        let fenced = rest.strip_prefix("```").map(|rest| {
            let line = rest.find('\n').map_or(rest.len(), |end| end + 1);
            rest[line..].trim_start()
        });
        let rest = fenced.unwrap_or(rest);
        rest.starts_with(['{', '[']) || Tag::at(self.text, at).is_some_and(|tag| !tag.is_closing)
    }

    fn json(&mut self, start: usize, opener: Option<(usize, String)>) {
        let setting = match opener {
            Some(_) => Setting::Marked,
            None => Setting::Bare,
        };
        let Some((document_text, end, is_closed)) = self.json_text(start, setting) else {
            return;
        };
        let registry = self.registry;
        let is_known = |name: &str| registry.get(name).is_some();
        if setting == Setting::Bare && !json::may_be_call(document_text, &is_known) {
            return;
        }
        let document = llmjson_syntax::parse(document_text);
        let is_closed = is_closed || lacks_a_bracket(document_text);
        let mut drafts = json::calls(&document, setting, &is_known);
        for draft in &mut drafts {
            let source = draft.source;
            draft.source = source.map(|(from, to)| (from + start, to + start));
        }
        if !is_closed && let Some(last) = drafts.last_mut() {
            last.complete = false;
        }
        if setting == Setting::Bare {
            // Without a marker only what is whole and hardly damaged, or known by its name, is a call.
            let is_sound = is_closed && document.certainty() == Class::Certain;
            drafts.retain(|draft| is_sound || is_known(&draft.name));
            let is_alone = self.text[..start].trim().is_empty();
            let class = if is_alone {
                Class::Likely
            } else {
                Class::Guess
            };
            for draft in &mut drafts {
                draft.class = draft.class.max(class);
            }
        }
        if drafts.is_empty() {
            if setting == Setting::Bare && is_closed && document.repairs().is_empty() {
                // Strict JSON that is no call holds none either.
                self.at = end;
            }
            return;
        }
        let family = match &opener {
            Some((_, name)) => Family::of(Some(name), Shape::Json),
            None if self.text[start..].starts_with('[') => Family::named("xlam"),
            None => Family::named("json"),
        };
        let from = opener.as_ref().map_or(start, |(at, _)| *at);
        self.add(drafts, from, end, family);
        // Behind a marker further calls may follow at once.
        if let Some((_, name)) = opener {
            let next = self.text[end..].trim_start_matches([';', ',', ' ', '\n', '\r', '\t']);
            if next.starts_with('{') {
                self.opener = Some((name, self.text.len() - next.len()));
                self.pending = self.text.len() - next.len();
                self.at = self.pending;
            }
        }
    }

    /// Returns the text of the JSON value that begins at a place, where it ends, and whether it is
    /// closed.
    fn json_text(&mut self, start: usize, setting: Setting) -> Option<(&'t str, usize, bool)> {
        let end = json::extent(self.text, start, &mut self.work);
        if setting == Setting::Bare {
            let end = end?;
            return Some((&self.text[start..end], end, true));
        }
        Some(super::bounded(self.text, start, end))
    }

    fn python(&mut self, start: usize, opener: Option<(usize, String)>) {
        let registry = self.registry;
        let properties = std::cell::RefCell::new(&mut self.properties);
        let property = |tool: &str, place: usize| {
            let mut properties = properties.borrow_mut();
            properties_of(registry, &mut properties, tool)?.name_at(place)
        };
        let Some((mut drafts, end)) = python::calls(self.text, start, &mut self.work, &property)
        else {
            return;
        };
        let is_known = drafts
            .iter()
            .all(|draft| registry.get(&draft.name).is_some());
        if opener.is_none() {
            // A list of calls without a marker has to stand alone on its lines.
            let before = self.text[..start].trim_end_matches([' ', '\t']);
            let after = self.text[end..].trim_start_matches([' ', '\t']);
            let is_alone = (before.is_empty() || before.ends_with('\n'))
                && (after.is_empty() || after.starts_with(['\n', '<']));
            let is_whole = self.text[..start].trim().is_empty() || before.ends_with('>');
            let is_closed = self.text[start..end].ends_with(']');
            if !is_closed
                || !(is_alone || is_known && before.ends_with('>'))
                || !(is_known || is_whole && registry.contracts().len() == 0)
            {
                return;
            }
            for draft in &mut drafts {
                draft.class = draft.class.max(Class::Likely);
            }
        }
        let family = match &opener {
            Some((_, name)) => Family::of(Some(name), Shape::Python),
            None => Family::named("pythonic"),
        };
        let is_bracketed = family.name() == "bracketed" && self.text[end..].starts_with(']');
        let from = opener.map_or(start, |(at, _)| at);
        self.add(drafts, from, end + usize::from(is_bracketed), family);
    }

    fn xml(&mut self, tag: Tag<'t>, opener: Option<(String, usize)>) {
        // `function<｜tool▁sep｜>` may stand between.
        let opener = opener.filter(|(_, end)| {
            let between = self.text[*end..tag.start].trim();
            between.is_empty() || between.starts_with("function") && between.len() < 32
        });
        let opener = opener.map(|(name, _)| name);
        let family = match (&opener, &*tag.local_name()) {
            (Some(name), _) => Family::of(Some(name), Shape::Xml),
            (None, "invoke") => match tag.name.rsplit_once([':', '｜']) {
                Some((space, _)) if space.starts_with("steptml") => Family::named("step3"),
                Some((space, _)) if space.starts_with("DSML") => Family::named("deepseek-dsml"),
                Some((space, _)) if space.starts_with("minimax") => Family::named("minimax"),
                _ => Family::named("anthropic"),
            },
            _ => Family::of(None, Shape::Xml),
        };
        let registry = self.registry;
        let properties = &mut self.properties;
        let found = xml::call(
            self.text,
            tag,
            family.escapes(),
            &mut |tool, key| takes(registry, properties, tool, key),
            &mut self.work,
        );
        let Some((mut draft, end)) = found else {
            return;
        };
        // A tag alone, without parameters or an end, is a word in prose.
        if opener.is_none() && draft.arguments == "{}" && !draft.complete {
            return;
        }
        if opener.is_none() && registry.get(&draft.name).is_none() {
            draft.class = draft.class.max(Class::Likely);
        }
        let from = if opener.is_some() {
            self.pending.min(tag.start)
        } else {
            tag.start
        };
        self.add(vec![draft], from, end, family);
        // Several calls may stand between one pair of markers.
        self.opener = opener.map(|name| (name, end));
    }

    /// `<|message|>`: what follows belongs to the recipient that the header before it names.
    fn message(&mut self, tag: Tag<'t>) {
        let from = self.text.floor_char_boundary(tag.start.saturating_sub(400));
        let mut header = &self.text[from.max(self.pending.min(tag.start))..tag.start];
        for end in ["<|end|>", "<|call|>", "<|return|>", "<|start|>"] {
            header = header
                .rfind(end)
                .map_or(header, |at| &header[at + end.len()..]);
        }
        let header_at = tag.start - header.len();
        let to = header.rfind("to=");
        let recipient = to.map(|at| {
            let rest = &header[at + 3..];
            let end = rest.find(['<', ' ', '\n']).unwrap_or(rest.len());
            &rest[..end]
        });
        let recipient =
            recipient.filter(|name| !matches!(*name, "user" | "assistant" | "all" | ""));
        let token = header.find("<|").or(to).unwrap_or(header.len());
        // Behind `<|start|>` stands a role.
        let start_of_header = match self.text[..header_at].ends_with("<|start|>") {
            true => header_at,
            false => header_at + token.min(to.unwrap_or(token)),
        };
        let Some(recipient) = recipient else {
            self.keep_until(start_of_header);
            self.pending = tag.end;
            if header.contains("analysis") {
                let rest = &self.text[tag.end..];
                let end = rest.find("<|end|>").or_else(|| rest.find("<|start|>"));
                let end = end.map_or(self.text.len(), |end| tag.end + end);
                self.found.reasoning.push_str(&self.text[tag.end..end]);
                self.pending = end;
                self.at = end;
            }
            return;
        };
        let body = skip(self.text, tag.end);
        if self.text[body..].starts_with('<') && Tag::at(self.text, body).is_some() {
            // Another format inside of the message.
            self.keep_until(start_of_header);
            self.pending = body;
            self.at = body;
            return;
        }
        if !self.text[body..].starts_with('{') {
            return;
        }
        if let Some((arguments, class, complete, end)) =
            arguments_at(self.text, body, &mut self.work)
        {
            // A message that is no call to its end was broken off.
            let is_closed = self.text[..end].ends_with('}');
            let is_called = self.text[end..].trim_start().starts_with("<|call|>");
            let mut draft = Draft {
                arguments,
                class,
                complete: complete && (is_closed || is_called),
                source: Some((body, end)),
                ..Draft::default()
            };
            draft.set_name(recipient);
            self.add(vec![draft], start_of_header, end, Family::named("harmony"));
        }
    }

    /// The tags around reasoning. Calls in it are drafts.
    fn reasoning_tag(&mut self, tag: Tag<'t>, name: &str, closes: bool) {
        self.opener = None;
        if closes {
            if self.is_open && self.text.len() - tag.end < NEAR {
                // Not to be put back.
                self.work.reached_end = true;
                return;
            }
            self.keep_until(tag.start);
            self.pending = tag.end;
            // What stands before the end of reasoning that has no beginning is reasoning too.
            if self.found.reasoning.is_empty() && (self.found.calls.is_empty() || self.forgets) {
                self.found.calls.clear();
                self.found.reasoning = std::mem::take(&mut self.found.content);
            }
            return;
        }
        self.keep_until(tag.start);
        let closer = closer_of(tag.raw, name);
        let rest = &self.text[tag.end..];
        // `<|channel>thought` and a line feed.
        let is_channel = name == "channel" && rest.starts_with("thought\n");
        let lead = if is_channel { "thought\n".len() } else { 0 };
        let end = match self.unclosed.contains(&closer) {
            true => None,
            false => rest.find(closer),
        };
        match end {
            Some(end) => {
                self.found.reasoning.push_str(&rest[lead..end]);
                self.at = tag.end + end + closer.len();
                self.pending = self.at;
            }
            None => {
                self.work.reached_end = true;
                self.unclosed.push(closer);
                self.pending = tag.end;
            }
        }
    }

    /// `name[ARGS]{…}` whose marker was lost.
    fn behind_name(&mut self, tag: Tag<'t>) {
        let text = self.text;
        let before = &text[self.pending.min(tag.start)..tag.start];
        let name = before
            .rsplit([' ', '\n', ']', '>'])
            .next()
            .unwrap_or_default();
        let body = skip(text, tag.end);
        if !json::is_name(name) || !text[body..].starts_with('{') || self.is_sample(tag.start) {
            return;
        }
        let before = &before[..before.len() - name.len()];
        let start = tag.start - name.len();
        let cut = ["[TOOL_CALLS]", "TOOL_CALLS]", "_CALLS]", "CALLS]"];
        let cut = cut.into_iter().find(|cut| before.ends_with(cut));
        if let Some((arguments, class, complete, end)) = arguments_at(text, body, &mut self.work) {
            let mut draft = Draft {
                arguments,
                class: class.max(Class::Likely),
                complete,
                source: Some((body, end)),
                ..Draft::default()
            };
            draft.set_name(name);
            let start = start - cut.map_or(0, str::len);
            self.add(vec![draft], start, end, Family::named("mistral"));
        }
    }

    /// `>>>name` on a line of its own, and JSON behind it.
    fn behind_arrows(&mut self, start: usize) -> bool {
        let text = self.text;
        let near = text.floor_char_boundary(start.saturating_sub(256).max(self.pending));
        let Some(at) = text[near..start].rfind(">>>") else {
            return false;
        };
        let name = text[near + at + 3..start].trim_end();
        if !json::is_name(name) || name == "all" {
            return false;
        }
        let Some((arguments, class, complete, end)) = arguments_at(text, start, &mut self.work)
        else {
            return false;
        };
        let mut draft = Draft {
            arguments,
            class,
            complete,
            source: Some((start, end)),
            ..Draft::default()
        };
        draft.set_name(name);
        self.add(vec![draft], near + at, end, Family::named("functionary"));
        true
    }

    /// `name` on a line of its own and JSON behind it, which together are the reply.
    fn leading_name(&mut self) {
        let text = self.text;
        let start = skip(text, 0);
        let Some(open) = text.find('{') else {
            return;
        };
        let name = text[start..open].trim();
        let is_known = self.registry.get(name).is_some();
        let is_apart = text[start..open].ends_with('\n') || is_known && open == start + name.len();
        if !is_apart || !json::is_name(name) || name.ends_with(':') {
            return;
        }
        let Some(end) = json::extent(text, open, &mut self.work) else {
            return;
        };
        let is_whole = text[end..].trim().is_empty() && self.registry.contracts().len() == 0;
        let is_like_one = name.contains(['_', '-', '.']);
        if !(is_known || is_whole && is_like_one) {
            return;
        }
        if let Some((arguments, class, complete, end)) = arguments_at(text, open, &mut self.work) {
            let mut draft = Draft {
                arguments,
                class: class.max(Class::Likely),
                complete,
                source: Some((open, end)),
                ..Draft::default()
            };
            draft.set_name(name);
            self.add(vec![draft], start, end, Family::named("functionary"));
        }
    }

    /// `Action: name` and `Action Input: …`, where nothing else was found.
    fn action(&mut self) {
        if !self.found.calls.is_empty() {
            return;
        }
        let text = self.text;
        let mut from = 0;
        let (action, name, input) = loop {
            let Some(input) = line_of(text, from, "Action Input:") else {
                return;
            };
            let action = line_of(&text[..input], from, "Action:");
            from = input + "Action Input:".len();
            if let Some(action) = action {
                let around = |one: char| one.is_whitespace() || "`*\"[]".contains(one);
                let name = text[action + "Action:".len()..input].trim_matches(around);
                if json::is_name(name) && !self.is_sample(action) {
                    break (action, name, from);
                }
            }
        };
        let body = text.len()
            - text[input..]
                .trim_start_matches(['*', ' ', '\n', '\r', '\t'])
                .len();
        let body = match text[body..].strip_prefix("```") {
            Some(rest) => skip(text, text.len() - rest.len() + rest.find('\n').unwrap_or(0)),
            None => body,
        };
        let line_end = text[body..]
            .find("\nObservation")
            .map_or(text.len(), |end| body + end);
        let (arguments, class, complete, end) = if text[body..].starts_with('{') {
            let Some(found) = arguments_at(text, body, &mut self.work) else {
                return;
            };
            found
        } else {
            // One text for a tool that takes one.
            let properties = properties_of(self.registry, &mut self.properties, name);
            let Some(key) = properties.and_then(|properties| properties.name_at(0)) else {
                return;
            };
            let mut arguments = String::from("{");
            llmjson_syntax::write_string(&key, &mut arguments);
            arguments.push(':');
            llmjson_syntax::write_string(
                text[body..line_end].trim().trim_matches('"'),
                &mut arguments,
            );
            arguments.push('}');
            (arguments, Class::Likely, true, line_end)
        };
        let mut draft = Draft {
            arguments,
            class: class.max(Class::Likely),
            complete,
            ..Draft::default()
        };
        draft.set_name(name);
        let start = text[..action].len();
        if self.pending <= start {
            self.add(vec![draft], start, end, Family::named("react"));
        }
    }

    /// Notes calls down, and what stands before them as content.
    fn add(&mut self, drafts: Vec<Draft>, start: usize, end: usize, family: Family) {
        if self
            .only
            .is_some_and(|only| only != family && only.name() != "json")
            && !self.is_like(family)
        {
            return;
        }
        self.keep_until(start);
        for mut draft in drafts {
            draft.family = family;
            draft.span = (start, end);
            self.found.calls.push(draft);
        }
        self.pending = end;
        self.at = end;
        self.opener = None;
    }

    /// Whether a caller who names a family means this one as well: rows share their markers.
    fn is_like(&self, family: Family) -> bool {
        self.only.is_some_and(|only| only.shares_marker(family))
    }

    fn keep_until(&mut self, end: usize) {
        if self.pending < end {
            let piece = &self.text[self.pending..end];
            // White space between calls is no content.
            if self.found.calls.is_empty() || !piece.trim().is_empty() {
                self.found.content.push_str(piece);
            }
            self.pending = end;
        }
    }

    /// Whether a place is in code that is shown, not run: between backticks, or in a fence that words
    /// introduce as an example.
    fn is_sample(&mut self, start: usize) -> bool {
        let text = self.text;
        // Fences up to here.
        while let Some(found) = memchr::memmem::find(
            &text.as_bytes()[self.fences_until.min(start)..start],
            b"```",
        ) {
            let at = self.fences_until + found;
            self.fence = match self.fence {
                Some(_) => None,
                None => Some(at),
            };
            self.fences_until = at + 3;
        }
        self.fences_until = self.fences_until.max(start.saturating_sub(2));
        let near = text.floor_char_boundary(start.saturating_sub(400));
        let line_start = text[near..start]
            .rfind('\n')
            .map_or(near, |at| near + at + 1);
        let line = &text[line_start..start];
        if self.fence.is_none() && line.replace("```", "").matches('`').count() % 2 == 1 {
            return true;
        }
        let lead_end = self.fence.unwrap_or(start);
        let lead_start = text
            .floor_char_boundary(lead_end.saturating_sub(120))
            .max(self.pending.min(lead_end));
        let lead = &text[text.floor_char_boundary(lead_start)..lead_end];
        let lead = last_sentence(lead, self.fence.is_some()).to_lowercase();
        EXAMPLE_WORDS.iter().any(|word| lead.contains(word))
    }
}

/// Returns what the property of a tool takes.
fn takes(
    registry: &Registry,
    known: &mut HashMap<String, Option<Properties>>,
    tool: &str,
    key: &str,
) -> Takes {
    let properties = properties_of(registry, known, tool);
    properties.map_or(Takes::Anything, |properties| properties.takes(key))
}

fn properties_of<'p>(
    registry: &Registry,
    known: &'p mut HashMap<String, Option<Properties>>,
    tool: &str,
) -> Option<&'p Properties> {
    if !known.contains_key(tool) {
        let contract = super::resolve(registry, tool);
        known.insert(tool.to_owned(), contract.map(Properties::of));
    }
    known.get(tool)?.as_ref()
}

/// Whether a tag begins or ends reasoning.
fn reasoning(tag: &Tag<'_>, name: &str) -> Option<bool> {
    match name {
        "think" | "thinking" | "thought" | "reasoning" | "seedthink" | "longcatthink" => {
            Some(tag.is_closing)
        }
        "startthinking" | "innerprefix" => Some(false),
        "endthinking" | "beginfinalresponse" | "innersuffix" => Some(true),
        // Gemma: `<|channel>thought … <channel|>`.
        "channel" if tag.raw == "<channel|>" => Some(true),
        "channel" if tag.raw == "<|channel>" => Some(false),
        _ => None,
    }
}

fn closer_of(raw: &str, name: &str) -> &'static str {
    match name {
        "think" if raw.starts_with('[') => "[/THINK]",
        "think" => "</think>",
        "thinking" => "</thinking>",
        "thought" => "</thought>",
        "reasoning" => "</reasoning>",
        "seedthink" => "</seed:think>",
        "longcatthink" => "</longcat_think>",
        "innerprefix" => "<|inner_suffix|>",
        "startthinking" => "<|END_THINKING|>",
        _ => "<channel|>",
    }
}

/// Whether a list lacks nothing but its last bracket: all its items are whole.
fn lacks_a_bracket(text: &str) -> bool {
    let text = text.trim_end().trim_end_matches(',');
    if !text.starts_with('[') || !text.ends_with('}') {
        return false;
    }
    let closed = format!("{text}]");
    let document = llmjson_syntax::parse(&closed);
    document.is_complete() && document.repairs().is_empty()
}

/// Returns the sentence that leads to what follows; without a fence, one that is finished leads to nothing.
fn last_sentence(lead: &str, is_fenced: bool) -> &str {
    let lead = lead.trim_end();
    if !is_fenced && lead.ends_with(['.', '!', '?']) && !lead.ends_with("e.g.") {
        return "";
    }
    let ends = lead.rmatch_indices(['.', '!', '?']);
    let after = ends.map(|(at, _)| &lead[at + 1..]).find(|after| {
        let next = after.trim_start();
        next.len() < after.len() && next.starts_with(char::is_uppercase)
    });
    after.unwrap_or(lead)
}

/// Returns where a word begins a line, perhaps in bold.
fn line_of(text: &str, mut from: usize, word: &str) -> Option<usize> {
    while let Some(found) = text[from..].find(word) {
        let at = from + found;
        let before = text[..at].trim_end_matches(['*', ' ', '#']);
        if before.is_empty() || before.ends_with('\n') {
            return Some(at);
        }
        from = at + word.len();
    }
    None
}

/// Whether nothing but brackets that are too many stands between a call and what closes it.
fn is_surplus(between: &str) -> bool {
    let is_bracket = |one: char| one.is_whitespace() || "]})`".contains(one);
    between.chars().all(is_bracket)
}

/// Whether a special token says nothing about calls and is no content either.
fn is_noise(name: &str) -> bool {
    matches!(
        name,
        "imend"
            | "eotid"
            | "eomid"
            | "eot"
            | "return"
            | "call"
            | "endofturntoken"
            | "chatbottoken"
            | "startresponse"
            | "endresponse"
            | "starttext"
            | "endtext"
            | "endoftext"
            | "endofsentence"
            | "beginofsentence"
            | "s"
            | "start"
            | "messagemodel"
            | "contenttext"
            | "endmessage"
            | "contentmodelendsampling"
    )
}

/// Whether the words between a marker and its call are the opening line of a code fence.
fn is_fence_line(between: &str) -> bool {
    let between = between.trim();
    between.starts_with("```") && !between[3..].contains(['\n', '`'])
}
