//! Calls without a marker: a name and its JSON, and the lines of agents.

use llmjson_syntax::{Class, steps_of_search};

use super::Reader;
use crate::tools::calls::{Draft, arguments_at, family::Family, json, python, skip, tag::Tag};

impl<'t> Reader<'t, '_> {
    /// `name[ARGS]{…}` whose marker was lost.
    pub(super) fn behind_name(&mut self, tag: Tag<'t>) {
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
        if let Some((mut draft, end)) = arguments_at(text, body, &mut self.looks) {
            draft.class = Class::Likely;
            draft.set_name(name);
            let start = start - cut.map_or(0, str::len);
            self.add(vec![draft], start, end, Family::named("mistral"));
        }
    }

    /// `>>>name` on a line of its own, and JSON behind it.
    pub(super) fn behind_arrows(&mut self, start: usize) -> bool {
        let text = self.text;
        let near = start.saturating_sub(json::NAME_BYTES_MAX);
        let near = text.floor_char_boundary(near.max(self.pending));
        let before = text[near..start].trim_end();
        let ends = |one: char| one.is_whitespace() || "{}[]()<>,;".contains(one);
        let from = before.rfind(ends).map_or(0, |at| at + 1);
        self.looks.charge(start - near - from);
        let (before, name) = match before.is_char_boundary(from) {
            true => before.split_at(from),
            false => return false,
        };
        if !before.ends_with(">>>") || !json::is_name(name) || name == "all" {
            return false;
        }
        let at = from - 3;
        let Some((mut draft, end)) = arguments_at(text, start, &mut self.looks) else {
            return false;
        };
        draft.set_name(name);
        self.add(vec![draft], near + at, end, Family::named("functionary"));
        true
    }

    /// `name` on a line of its own and JSON behind it, which together are the reply.
    pub(super) fn leading_name(&mut self) {
        let text = self.text;
        let start = skip(text, 0);
        let open = memchr::memchr(b'{', text.as_bytes());
        let looked = open.unwrap_or(text.len());
        self.looks.charge(steps_of_search(looked));
        let Some(open) = open else {
            return;
        };
        let name = text[start..open].trim();
        let is_known = self.registry.get(name).is_some();
        let is_apart = text[start..open].ends_with('\n') || is_known && open == start + name.len();
        if !is_apart || !json::is_name(name) || name.ends_with(':') {
            return;
        }
        let Some(end) = json::extent(text, open, &mut self.looks) else {
            return;
        };
        let is_whole = text[end..].trim().is_empty() && self.registry.contracts().len() == 0;
        let is_like_one = name.contains(['_', '-', '.']);
        if !(is_known || is_whole && is_like_one) {
            return;
        }
        if let Some((mut draft, end)) = arguments_at(text, open, &mut self.looks) {
            draft.class = Class::Likely;
            draft.set_name(name);
            self.add(vec![draft], start, end, Family::named("functionary"));
        }
    }

    /// Python in a fence of its own kind, or as the whole text, where nothing else was found.
    pub(super) fn code(&mut self) {
        const FENCE: &str = "```tool_code";
        if !self.calls.is_empty() {
            return;
        }
        let text = self.text;
        self.looks.charge(steps_of_search(text.len()));
        while !self.looks.is_used_up()
            && let Some(found) =
                memchr::memmem::find(&text.as_bytes()[self.pending..], FENCE.as_bytes())
        {
            let open = self.pending + found;
            self.keep_until(open);
            let body = skip(text, open + FENCE.len());
            let printed = text[body..].strip_prefix("print(");
            let body = printed.map_or(body, |rest| text.len() - rest.len());
            let calls = self.calls.len();
            if python::begins(text, body) {
                self.python(body, Some((open, FENCE.to_owned())));
            }
            if self.calls.len() == calls {
                self.keep_until(open + FENCE.len());
                continue;
            }
            let rest = text[self.pending..].trim_start_matches([')', ' ', '\n', '\r']);
            if let Some(rest) = rest.strip_prefix("```") {
                self.pending = text.len() - rest.len();
            }
        }
        let start = skip(text, self.pending);
        let name = text[start..].split('(').next().unwrap_or_default();
        let is_whole = self.content.trim().is_empty() && text.trim_end().ends_with(')');
        if is_whole && self.registry.get(name).is_some() {
            self.python(start, Some((start, FENCE.to_owned())));
            if let Some(draft) = self.calls.last_mut() {
                draft.class = draft.class.max(Class::Likely);
            }
        }
    }

    /// `Action: name` and `Action Input: …`, where nothing else was found.
    pub(super) fn action(&mut self) {
        if !self.calls.is_empty() {
            return;
        }
        let text = self.text;
        self.looks.charge(2 * steps_of_search(text.len()));
        let mut from = 0;
        let (action, name, input) = loop {
            let input = line_of(text, from, "Action Input:");
            let Some(input) = input.filter(|_| !self.looks.is_used_up()) else {
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
        let (mut draft, end) = if text[body..].starts_with('{') {
            let Some((draft, end)) = arguments_at(text, body, &mut self.looks) else {
                return;
            };
            // It is looked for when the text is whole: nothing of it was shown.
            let source = None;
            (Draft { source, ..draft }, end)
        } else {
            // One text for a tool that takes one.
            let properties = super::body::properties_of(self.registry, &mut self.properties, name);
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
            let draft = Draft {
                arguments,
                ..Draft::default()
            };
            (draft, line_end)
        };
        draft.class = Class::Likely;
        draft.set_name(name);
        let start = text[..action].len();
        if self.pending <= start {
            self.add(vec![draft], start, end, Family::named("react"));
        }
    }
}

/// Returns where a word begins a line, perhaps in bold.
pub(super) fn line_of(text: &str, mut from: usize, word: &str) -> Option<usize> {
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
