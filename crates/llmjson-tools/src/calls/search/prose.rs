//! Braces in text without markers: most begin no call, which a look at what stands beside them tells.

use std::collections::HashSet;

use llmjson_syntax::steps_of_search;
use memchr::memmem;

use super::CallSearch;
use crate::calls::json;

/// Words of which one stands in the name of the member that names the tool of a call.
const NAMING: [&str; 4] = ["name", "tool", "function", "action"];

/// Words of which one stands in the name of the member that holds its arguments.
const ARGUMENTS: [&str; 3] = ["arg", "param", "input"];

/// The longest name before a brace that is looked for, in bytes.
const LEAD_BYTES_MAX: usize = json::NAME_BYTES_MAX + 16;

/// The knowledge of text without markers, so that nothing is looked at once for each of its braces.
#[derive(Default)]
pub(super) struct Prose {
    /// The next place of a member whose name has each of the words, or the end of the text.
    naming: [Option<usize>; NAMING.len()],
    /// The next place of each of the words.
    arguments: [Option<usize>; ARGUMENTS.len()],
    /// An object that holds none of the words and nothing to pass over.
    barren: (usize, usize),
    /// Brackets that nothing closes.
    unclosed: HashSet<usize>,
    /// Offset up to which arrows were looked for, and the last that were found.
    arrows: (usize, Option<usize>),
}

impl<'t> CallSearch<'t, '_> {
    /// Returns `true` if a call may begin with a brace, by what stands on both sides of it: `{"name"`, `{name:`,
    /// `<tool_call>{`, `>>>name {`, but not `\frac{a}{b}`, `{{ name }}`, `if (x) {`.
    pub(super) fn may_begin_object(&mut self, start: usize) -> bool {
        let rest = self.text[start + 1..].trim_start();
        self.budget.charge(1);
        let is_word = |one: char| one.is_alphanumeric() || "_-.$/".contains(one);
        let has_name = match rest.chars().next() {
            Some('"' | '\'' | '`' | '\\' | '“' | '”' | '‘' | '’' | '„' | '«') => true,
            Some(one) if is_word(one) => {
                let length = rest.find(|one| !is_word(one)).unwrap_or(rest.len());
                self.budget.charge(length);
                let after = rest[length..].trim_start();
                after.starts_with([':', '=']) || self.is_open && after.is_empty()
            }
            Some(_) => false,
            None => self.is_open,
        };
        has_name
            || self.opener_of(start).is_some()
            || self.is_behind_arrows(start)
            || self.recipient_before(start).is_some()
    }

    /// Returns where the object or list ends that begins at a place and may be a call without a marker.
    /// Where it is none, what tags and brackets in its strings could be taken for is passed over.
    pub(super) fn end_of_bare(&mut self, start: usize) -> Option<usize> {
        let is_known = self.begins_with_tool(start);
        let (from, until) = self.prose.barren;
        if !is_known && (from..until).contains(&start) || self.prose.unclosed.contains(&start) {
            return None;
        }
        let Some(end) = json::extent(self.text, start, &mut self.budget) else {
            match self.is_open {
                true => self.begun_json(start),
                false => self.note_unclosed(start),
            }
            return None;
        };
        if is_known || self.has_words(start, end) {
            return Some(end);
        }
        let text = &self.text[start..end];
        self.budget.charge(steps_of_search(text.len()));
        match text.contains(['<', '[']) {
            true => self.pass_data(text, end),
            false => self.prose.barren = (start, end),
        }
        None
    }

    /// Returns `true` if the first name in an object is that of a tool.
    fn begins_with_tool(&self, start: usize) -> bool {
        let is_part = |one: char| one.is_alphanumeric() || "_-.:/".contains(one);
        let near = self.text.len().min(start + LEAD_BYTES_MAX);
        let first = &self.text[start..self.text.floor_char_boundary(near)];
        let first = first.trim_start_matches(|one: char| !is_part(one));
        let end = first.find(|one| !is_part(one)).unwrap_or(first.len());
        let name = first[..end].trim_end_matches(':');
        !name.is_empty() && self.schemas.has_tools() && self.schemas.knows(name)
    }

    /// Returns `true` if a part of the text has a member that may name a tool and the word of one that may hold
    /// its arguments.
    fn has_words(&mut self, start: usize, end: usize) -> bool {
        for (place, word) in NAMING.iter().enumerate() {
            if self.prose.naming[place].is_none_or(|at| at < start) {
                self.prose.naming[place] = Some(self.next_naming(start, word));
            }
        }
        for (place, word) in ARGUMENTS.iter().enumerate() {
            if self.prose.arguments[place].is_none_or(|at| at < start) {
                self.prose.arguments[place] = Some(self.next_word(start, word));
            }
        }
        let stands = |places: &[Option<usize>]| places.iter().flatten().any(|at| *at < end);
        stands(&self.prose.naming) && stands(&self.prose.arguments)
    }

    fn next_naming(&mut self, mut from: usize, word: &str) -> usize {
        loop {
            from = self.next_word(from, word);
            if from == self.text.len() || self.names_tool(from, word) {
                return from;
            }
            from += word.len();
        }
    }

    fn next_word(&mut self, from: usize, word: &str) -> usize {
        let rest = &self.text.as_bytes()[from..];
        let looked = memmem::find(rest, word.as_bytes()).unwrap_or(rest.len());
        self.budget.charge(steps_of_search(looked));
        from + looked
    }

    /// Returns `true` if the member with a word in its name may name a tool: `"name": "f"`, `tool_name: 'f'`,
    /// `"function": {`, but not `name: string` and `"the name is"`.
    fn names_tool(&mut self, at: usize, word: &str) -> bool {
        const QUOTES: &[char] = &['"', '\'', '`', '\\', '“', '”', '‘', '’', '„', '«'];
        let near = self.text.len().min(at + LEAD_BYTES_MAX);
        let near = &self.text[at + word.len()..self.text.floor_char_boundary(near)];
        let behind = near.trim_start_matches(|one: char| one == '_' || one.is_ascii_alphanumeric());
        let behind = behind.trim_start_matches(QUOTES).trim_start();
        let value = behind.trim_start_matches([':', '=', '>']);
        self.budget.charge(near.len() - value.len() + 1);
        let begin = value.trim_start();
        let word_end = begin.find(|one: char| !(one.is_alphanumeric() || "_-.".contains(one)));
        let bare = &begin[..word_end.unwrap_or(begin.len())];
        value.len() < behind.len()
            && (begin.starts_with(QUOTES)
                || begin.starts_with(['{', '[']) && ["tool", "function"].contains(&word)
                || !bare.is_empty() && self.schemas.knows(bare))
    }

    /// Notes the brackets that nothing closes behind one of them, by one look at the rest of the text.
    fn note_unclosed(&mut self, start: usize) {
        if self.budget.is_short {
            return;
        }
        let bytes = self.text.as_bytes();
        self.budget.charge(bytes.len() - start);
        let mut open = Vec::new();
        let mut at = start;
        while at < bytes.len() {
            match bytes[at] {
                b'{' | b'[' => open.push(at),
                b'}' | b']' => {
                    open.pop();
                }
                b'"' => at = json::string_end(bytes, at, bytes.len()),
                _ => {}
            }
            at += 1;
        }
        self.prose.unclosed.extend(open);
    }

    /// Returns `true` if `>>>` stands before a brace, as near as a name allows.
    pub(super) fn is_behind_arrows(&mut self, start: usize) -> bool {
        let near = start.saturating_sub(LEAD_BYTES_MAX);
        let (until, last) = &mut self.prose.arrows;
        let from = (*until).max(near);
        if from < start {
            let found = memmem::rfind(&self.text.as_bytes()[from..start], b">>>");
            self.budget.charge(steps_of_search(start - from));
            *last = found.map(|at| from + at).or(*last);
            // The last two may be the beginning of three.
            *until = (start + 1).saturating_sub(b">>>".len());
        }
        last.is_some_and(|at| at >= near)
    }

    /// Returns the recipient in the word before a brace, and where that word begins: `to=functions.name json{…}`.
    pub(super) fn recipient_before(&mut self, start: usize) -> Option<(usize, &'t str)> {
        const TO: &str = "to=functions.";
        let text: &'t str = self.text;
        let near = start.saturating_sub(LEAD_BYTES_MAX + TO.len());
        let near = text.floor_char_boundary(near.max(self.pending).min(start));
        let before = text[near..start].trim_end();
        let header = before
            .strip_suffix("json")
            .or_else(|| before.strip_suffix("code"))
            .unwrap_or(before)
            .trim_end();
        let ends = |one: char| one.is_whitespace() || "{}[]()<>,;".contains(one);
        let word = header.rsplit(ends).next().unwrap_or_default();
        self.budget.charge(word.len());
        let at = word.rfind(TO)?;
        let name = &word[at + TO.len()..];
        let from = near + header.len() - word.len() + at;
        json::is_name(name).then_some((from, name))
    }
}
