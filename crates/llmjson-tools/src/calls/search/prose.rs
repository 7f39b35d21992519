//! Braces in text without markers. Most begin no call, which the characters next to them show.

use llmjson_syntax::internal::provider::BLOCKS;

use super::CallSearch;
use crate::calls::{json, near, scan, skip};

/// Words that occur in the key of the arguments.
const ARGUMENTS: [&str; 3] = ["arg", "param", "input"];

/// Quotation marks around names and strings, and the characters that escape them.
const QUOTES: &[char] = &['"', '\'', '`', '\\', '“', '”', '‘', '’', '„', '«'];

/// Maximum length of a name before a brace, in bytes.
const LEAD_BYTES_MAX: usize = json::NAME_BYTES_MAX + 16;

/// The maximum nesting of an object that may be a call: `{"tool_calls": [{"function": {…`.
const WITHIN_MAX: usize = 8;

/// Maximum length of the key of a call's member, in bytes.
const MEMBER_BYTES_MAX: usize = 32;

/// Cached facts about text without markers, so that nothing is scanned once for each of its braces.
#[derive(Default)]
pub(super) struct Prose {
    /// Objects and arrays by position, as found in lookahead from one of them.
    looks: Vec<Vec<Object>>,
}

/// An object or array, by its brackets.
#[derive(Default)]
struct Object {
    start: usize,
    /// `None` if it is not closed.
    end: Option<usize>,
    /// `true` if a member may name a tool, hold arguments, or hold a call.
    names: bool,
    has_arguments: bool,
    wraps: bool,
    /// `true` if an object within it may be a call.
    holds_call: bool,
    /// `true` if its strings contain tags or brackets.
    has_marks: bool,
    /// `true` if it is certainly not strict JSON.
    is_odd: bool,
}

impl<'t> CallSearch<'t, '_> {
    /// Returns `true` if a call may begin with a brace, judging by the text on both sides:
    /// `{"name"`, `{name:`, `<tool_call>{`, `>>>name {`, but not `\frac{a}{b}`, `{{ name }}`,
    /// `if (x) {`.
    pub(super) fn may_begin_object(&mut self, start: usize) -> bool {
        let rest = self.text[start + 1..].trim_start();
        self.budget.charge(1);
        let is_word = |one: char| one.is_alphanumeric() || "_-.$/".contains(one);
        let has_name = match rest.chars().next() {
            Some(one) if QUOTES.contains(&one) => true,
            Some(one) if is_word(one) => {
                let length = rest.find(|one| !is_word(one)).unwrap_or(rest.len());
                self.budget.charge(length);
                let after = rest[length..].trim_start();
                after.starts_with([':', '=']) || self.is_open && after.is_empty()
            }
            Some(_) => false,
            None => self.is_open,
        };
        has_name || self.opener_of(start).is_some() || self.name_before(start).is_some()
    }

    /// Returns the end of the object or array that begins at a place and may be a call without a
    /// marker. If it is not one, its strings are skipped, whose tags and brackets could be mistaken
    /// for calls.
    pub(super) fn end_of_bare(&mut self, start: usize) -> Option<usize> {
        if self.begins_with_tool(start) {
            let end = json::extent(self.text, start, &mut self.budget);
            if end.is_none() {
                self.begun_bare(start);
            }
            return end;
        }
        let (look, place) = self.looked_at(start);
        let objects = &self.prose.looks[look][place..];
        let object = &objects[0];
        let Some(end) = object.end else {
            self.begun_bare(start);
            return None;
        };
        let is_call = |object: &Object| object.names && object.has_arguments;
        let is_list = self.text.as_bytes()[start] == b'[';
        let mut within = objects.iter().skip(1).take(WITHIN_MAX);
        if is_call(object) || (is_list || object.wraps) && within.any(is_call) {
            return Some(end);
        }
        match object.has_marks {
            _ if object.is_odd => {}
            true => self.pass_data(&self.text[start..end], end),
            false if !object.holds_call => self.state.at = end,
            false => {}
        }
        None
    }

    /// Reads an unfinished object at a place that may be a call.
    fn begun_bare(&mut self, start: usize) {
        // `{x` is prose.
        let is_data = self.text[skip(self.text, start + 1)..].starts_with(['"', '{']);
        if self.is_open || is_data && self.may_go_on(start) {
            self.begun_json(start);
        }
    }

    /// Returns the index of an object or array, after scanning it if it is new.
    fn looked_at(&mut self, start: usize) -> (usize, usize) {
        self.prose.looks.retain(|look| {
            let first = look.first();
            first.is_some_and(|first| first.end.is_none_or(|end| end > start))
        });
        let looks = self.prose.looks.iter().enumerate();
        let mut known = looks.filter_map(|(look, objects)| {
            let place = objects.binary_search_by_key(&start, |object| object.start);
            Some((look, place.ok()?))
        });
        if let Some(known) = known.next() {
            return known;
        }
        let objects = self.objects_from(start);
        self.prose.looks.push(objects);
        (self.prose.looks.len() - 1, 0)
    }

    /// Returns the object or array that begins at a place, with everything in it.
    fn objects_from(&mut self, start: usize) -> Vec<Object> {
        let bytes = self.text.as_bytes();
        let stop = self.budget.stop_of_search(start, bytes.len());
        let stop = self.text.floor_char_boundary(stop);
        let (mut objects, mut open) = (Vec::new(), Vec::new());
        let mut at = start;
        while at < stop {
            match bytes[at] {
                b'{' | b'[' => {
                    open.push(objects.len());
                    objects.push(Object::at(at));
                }
                b'}' | b']' => {
                    let closed: usize = open.pop().unwrap_or_default();
                    objects[closed].end = Some(at + 1);
                    let Some(around) = open.last() else {
                        break;
                    };
                    let inner = &objects[closed];
                    let (has_marks, is_odd) = (inner.has_marks, inner.is_odd);
                    let holds_call = inner.holds_call || inner.names && inner.has_arguments;
                    objects[*around].has_marks |= has_marks;
                    objects[*around].is_odd |= is_odd;
                    objects[*around].holds_call |= holds_call;
                }
                b'"' => {
                    // The search continues after an open string: the rest counts as read.
                    let end = scan::QUOTES.end(&self.text[..stop], at + 1).unwrap_or(stop);
                    let inside = &bytes[at..end];
                    if let Some(around) = open.last() {
                        objects[*around].has_marks |= memchr::memchr2(b'<', b'[', inside).is_some();
                    }
                    at = end;
                }
                one => {
                    if let Some(around) = open.last() {
                        objects[*around].is_odd |= !is_plain(one);
                        if matches!(one, b':' | b'=') {
                            self.note_member(at, &mut objects[*around]);
                        }
                    }
                }
            }
            at += 1;
        }
        let is_whole = at < stop;
        self.budget.charge(at.min(stop) - start);
        self.budget.reached_end |= !is_whole && stop == bytes.len();
        self.budget.is_short |= !is_whole && stop < bytes.len();
        if objects.is_empty() {
            objects.push(Object::at(start));
        }
        objects
    }

    /// Records the purpose of the member whose colon is at a position.
    fn note_member(&mut self, colon: usize, object: &mut Object) {
        let begin = colon.saturating_sub(MEMBER_BYTES_MAX);
        let before = &self.text.as_bytes()[begin..colon];
        let end = before.iter().rposition(|one| !is_beside_name(one));
        let before = &before[..end.map_or(0, |end| end + 1)];
        let is_part = |one: &u8| *one == b'_' || one.is_ascii_alphanumeric();
        let begin = before.iter().rposition(|one| !is_part(one));
        let name = &before[begin.map_or(0, |begin| begin + 1)..];
        self.budget.charge(1 + name.len() / 4);
        let has = |words: &[&str]| words.iter().any(|word| is_within(name, word.as_bytes()));
        object.has_arguments |= has(&ARGUMENTS);
        let is_list = self.text[colon + 1..].trim_start().starts_with('[');
        object.wraps |= is_list && BLOCKS.iter().any(|key| name == key.as_bytes());
        if !has(&json::NAMING) {
            return;
        }
        let value = near(self.text, colon, json::NAME_BYTES_MAX);
        let value = value.trim_start_matches([':', '=', '>']).trim_start();
        let word = value
            .split(|one| !json::is_part(one))
            .next()
            .unwrap_or_default();
        self.budget.charge(word.len() + 1);
        object.names |= value.starts_with(QUOTES) || !word.is_empty() && self.schemas.knows(word);
        object.wraps |= value.starts_with(['{', '[']) && has(&["tool", "function"]);
    }

    /// Returns `true` if an object or array begins with the name of a tool: `{"name": "f"`,
    /// `{"f": {`.
    fn begins_with_tool(&self, start: usize) -> bool {
        let near = near(self.text, start, LEAD_BYTES_MAX);
        let is_part = |one: char| one.is_alphanumeric() || "_-./ ".contains(one);
        let is_mark = |one: char| QUOTES.contains(&one) || "[{\n ".contains(one);
        let first = near.trim_start_matches(is_mark);
        let (name, rest) = first.split_at(first.find(|one| !is_part(one)).unwrap_or(first.len()));
        let value = rest
            .trim_start_matches(QUOTES)
            .trim_start_matches([':', ' ', '=', '>']);
        let has = |word: &&str| is_within(name.as_bytes(), word.as_bytes());
        let tool = match value.starts_with('{') {
            true => name,
            false if json::NAMING.iter().any(has) => {
                let value = value.trim_start_matches(QUOTES);
                &value[..value.find(|one| !is_part(one)).unwrap_or(value.len())]
            }
            false => return false,
        };
        !tool.is_empty() && self.schemas.knows(tool.trim_end())
    }
}

/// Returns `true` if a byte may be between a key and its colon.
fn is_beside_name(one: &u8) -> bool {
    b" \t\r\n\"'`\\".contains(one) || !one.is_ascii()
}

/// Returns `true` if strict JSON has a byte outside its strings.
fn is_plain(one: u8) -> bool {
    one.is_ascii_digit() || b" \t\r\n,:.+-Eaeflnrstu".contains(&one)
}

/// Returns `true` if a short key contains a word.
fn is_within(name: &[u8], word: &[u8]) -> bool {
    name.windows(word.len()).any(|part| part == word)
}

impl Object {
    fn at(start: usize) -> Self {
        Self {
            start,
            ..Self::default()
        }
    }
}
