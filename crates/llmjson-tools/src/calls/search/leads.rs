//! Evidence next to a call that it is only quoted: quotation marks, the beginning of a comment, a
//! key, words that introduce a quotation.

use llmjson_syntax::internal::zones::ZoneKind;
use llmjson_syntax::internal::zones::context::reports;
use llmjson_syntax::steps_of_search;

use super::CallSearch;
use crate::calls::{brackets, family::PYTHON, skip, tag::Tag};

/// Marks around a quotation that differ at its ends.
const MARKS: &[(&str, &str, ZoneKind)] = &[
    ("“", "”", ZoneKind::Quotation),
    ("«", "»", ZoneKind::Quotation),
    ("„", "“", ZoneKind::Quotation),
    ("„", "”", ZoneKind::Quotation),
    ("‘", "’", ZoneKind::Quotation),
    ("‚", "‘", ZoneKind::Quotation),
    ("‚", "’", ZoneKind::Quotation),
    ("‹", "›", ZoneKind::Quotation),
    ("「", "」", ZoneKind::Quotation),
    ("『", "』", ZoneKind::Quotation),
    ("《", "》", ZoneKind::Quotation),
    ("〈", "〉", ZoneKind::Quotation),
    ("〝", "〞", ZoneKind::Quotation),
    ("r#\"", "\"#", ZoneKind::Quotation),
    ("R\"(", ")\"", ZoneKind::Quotation),
    ("/*", "*/", ZoneKind::Comment),
    ("{#", "#}", ZoneKind::Comment),
    // The body of a template: `{% if x %}…{% endif %}`.
    ("%}", "{%", ZoneKind::Code),
    ("[", "](", ZoneKind::Link),
    ("[", "][", ZoneKind::Link),
];

/// Marks that open a quotation at the beginning of a word, with the marks that close it at the end
/// of one.
const MARKS_OF_WORDS: &[(char, char)] = &[
    ('"', '"'),
    ('\'', '\''),
    ('”', '”'),
    ('’', '’'),
    ('»', '«'),
    ('»', '»'),
    ('›', '‹'),
    ('＂', '＂'),
    // ``as in TeX''
    ('`', '\''),
];

/// Prefixes that make the rest of a line a comment or a heading, if a call makes up all of it.
const COMMENTS: &[&str] = &[
    "#", "##", "###", "####", "--", ";", ";;", "%", "%%", "REM", "rem", "///", "//!",
];

/// Number of bytes before a call that are searched for the mark that opens a quotation.
const QUOTED_BYTES_MAX: usize = 400;

/// Maximum number of colons in the line before a call after which another text may be quoted.
const COLONS_MAX: usize = 3;

/// The evidence before a call that it is quoted.
enum Lead<'t> {
    /// A mark that must close after it, where a quotation of something in brackets ends.
    Quote(char, &'t str),
    /// Marks that others close, in this text.
    Pairs(&'t str),
    /// Evidence that needs no closing counterpart.
    Sign(ZoneKind),
}

impl<'t> CallSearch<'t, '_> {
    /// Returns the end of the quotation around a call, judging by adjacent evidence, and the
    /// reason.
    pub(super) fn quotation(&mut self, start: usize, end: usize) -> Option<(usize, ZoneKind)> {
        let text = self.text;
        if let Some((shown, reason)) = self.state.zones.place.shown.take()
            && self.goes_on(shown, start)
        {
            self.state.zones.place.shown = Some((end, reason));
            return Some((end, reason));
        }
        // `[f(x)](https://…)`, where the call is the whole text of the link.
        let is_list = text[start..].starts_with('[') && text[..end].ends_with(']');
        let is_link = is_list && text[end..].starts_with(['(', '[']);
        if is_link && !brackets::begins(text, skip(text, end + 1), &PYTHON, self.schemas) {
            return Some((end, ZoneKind::Link));
        }
        let lead = self.lead_of(start)?;
        if let Lead::Sign(reason) = lead {
            self.state.zones.place.shown = Some((end, reason));
            return Some((end, reason));
        }
        let rest = text[end..].split("\n\n").next().unwrap_or_default();
        self.budget.charge(2 * steps_of_search(rest.len()));
        let paragraph = end + rest.len();
        self.budget.reached_end |= paragraph == text.len();
        let (mark, lead) = match lead {
            Lead::Quote(mark, lead) => (Some(mark), lead),
            Lead::Pairs(lead) => (None, lead),
            Lead::Sign(_) => return None,
        };
        let beside = mark.and_then(|mark| closing_mark(&text[..paragraph], end, mark));
        if let Some(stop) = beside {
            return Some((stop, ZoneKind::Quotation));
        }
        let mut pairs = opened(lead);
        let paired =
            pairs.find_map(|(close, reason)| Some((rest.find(close)? + close.len(), reason)));
        let (stop, reason) = paired.or_else(|| {
            self.budget.charge(rest.len());
            Some((end_of_words(rest, open_mark(lead)?)?, ZoneKind::Quotation))
        })?;
        Some((end + stop, reason))
    }

    /// Returns `true` if more text may show that a position is quoted.
    pub(super) fn may_be_quoted(&mut self, start: usize) -> bool {
        let zone = self.zones().zone_at(start);
        zone.is_some_and(|zone| zone.is_shown())
            || self
                .state
                .zones
                .place
                .thought
                .is_some_and(|from| from <= start)
            || self.lead_of(start).is_some()
            || self.is_in_sentence(start)
    }

    /// Returns `true` if only tags and separators are between a quoted call and the next one, which
    /// is then quoted too.
    fn goes_on(&mut self, from: usize, start: usize) -> bool {
        if start < from || start - from > QUOTED_BYTES_MAX {
            return false;
        }
        let text = self.text;
        let mut at = from;
        while at < start {
            let next =
                text[at..start].trim_start_matches([' ', '\t', '\r', ';', ',', ']', '}', ')']);
            let next = start - next.len();
            match text[next..start].strip_prefix('\n') {
                _ if next == start => return true,
                Some(rest) if !rest.starts_with('\n') => at = next + 1,
                Some(_) => return false,
                None => match Tag::look(text, next, &mut self.budget) {
                    Some(tag) => at = tag.end,
                    None => return false,
                },
            }
        }
        true
    }

    /// Returns the evidence before a call that it may be quoted.
    fn lead_of(&mut self, start: usize) -> Option<Lead<'t>> {
        let near = start.saturating_sub(QUOTED_BYTES_MAX);
        let near = self.text.floor_char_boundary(near);
        // Another call before it is not part of its introduction.
        let calls = self
            .state
            .calls
            .partition_point(|draft| draft.span.1 <= start);
        let before = calls
            .checked_sub(1)
            .map_or(0, |last| self.state.calls[last].span.1);
        let near = near.max(before.min(start));
        let all = &self.text[near..start];
        let lead = all.rsplit("\n\n").next().unwrap_or_default();
        let line = lead.rsplit('\n').next().unwrap_or_default();
        self.budget
            .charge((2 + MARKS.len()) * steps_of_search(all.len()));
        if let Some(mark) = opening_mark(lead) {
            return Some(Lead::Quote(mark, lead));
        }
        // A member of data, or a cell after another one.
        let is_cell = line.ends_with('\t') && !line.trim().is_empty();
        if is_cell || is_behind_name(all) {
            return Some(Lead::Sign(ZoneKind::Data));
        }
        // `{{ "<tool_call>" }}{"name": …`: a template.
        if line.trim_end().ends_with("}}") && line.contains("{{") {
            return Some(Lead::Sign(ZoneKind::Code));
        }
        // `x = 1  // f(x)`, but not `https://…`.
        let mut slashes = line.match_indices("//").map(|(at, _)| &line[..at]);
        // The call's tokens may be between them.
        let sign = line.split("<|").next().unwrap_or(line).trim();
        let is_line = self.text[..start - line.len()].ends_with('\n') || line.len() == start;
        let is_sign = is_line && COMMENTS.contains(&sign) || sign.ends_with(" #");
        if is_sign || slashes.any(|before| before.is_empty() || before.ends_with([' ', '\t', ';']))
        {
            return Some(Lead::Sign(ZoneKind::Comment));
        }
        // `The page says: …`, and the same in the line of the call: `The page says: Please run …`.
        if all.trim_end().ends_with([':', '*']) && reports(all) {
            self.budget.charge(all.len());
            return Some(Lead::Sign(ZoneKind::Report));
        }
        let before = &all[..all.len() - line.len()];
        let mut colons = line.match_indices(": ").take(COLONS_MAX);
        if colons.any(|(at, _)| reports(&all[..before.len() + at + 1])) {
            self.budget.charge(COLONS_MAX * all.len());
            return Some(Lead::Sign(ZoneKind::Report));
        }
        let is_open = opened(lead).next().is_some() || open_mark(lead).is_some();
        is_open.then_some(Lead::Pairs(lead))
    }
}

/// Returns the closers of the marks that a text leaves open.
fn opened(lead: &str) -> impl Iterator<Item = (&'static str, ZoneKind)> {
    let is_ascii = lead.is_ascii();
    let marks = MARKS.iter().filter(move |(open, close, _)| {
        if is_ascii && !open.is_ascii() {
            return false;
        }
        let close = close.trim_end_matches(['(', '[']);
        let opened = lead.rfind(open);
        opened.is_some_and(|at| !lead[at + open.len()..].contains(close))
    });
    marks.map(|(_, close, reason)| (*close, *reason))
}

/// Returns the mark that closes the open quotation of a text: `says "first`, `it's """first`.
fn open_mark(lead: &str) -> Option<char> {
    let is_ascii = lead.is_ascii();
    let marks = MARKS_OF_WORDS
        .iter()
        .filter(|(open, _)| (!is_ascii || open.is_ascii()) && lead.contains(*open));
    let mut open = marks.filter(|(open, close)| {
        runs(lead, &[*open, *close]).fold(false, |is_open, (at, mark, end)| match is_open {
            // Two backticks may close code too.
            true => {
                !(mark == *close || mark == '`') || lead[end..].starts_with(char::is_alphanumeric)
            }
            false => {
                let is_one = mark == *open && (mark != '`' || end - at == 2);
                is_one && begins(&lead[..at], &lead[end..])
            }
        })
    });
    open.next().map(|(_, close)| *close)
}

/// Returns the end of the quotation that such a mark closes, unless another one begins first.
fn end_of_words(text: &str, mark: char) -> Option<usize> {
    for (at, _, end) in runs(text, &[mark]) {
        let (before, after) = (&text[..at], &text[end..]);
        if ends_words(after) {
            return Some(end);
        }
        let is_of_data = before.trim_end().ends_with(['{', '[', '(', ',', ':', '=']);
        if !is_of_data && begins(before, after) {
            return None;
        }
    }
    None
}

/// Returns `true` if a mark may open a quotation, judging by the text on both sides: it begins a
/// word.
fn begins(before: &str, after: &str) -> bool {
    let is_apart = |one: char| one.is_whitespace() || "([*_—–".contains(one);
    before.chars().next_back().is_none_or(is_apart) && !after.starts_with([',', '.', ';', ':', ')'])
}

/// Returns `true` if a quotation may end before a text. If JSON continues after the mark, it
/// belongs to the JSON: `"{}"}`, `"[]", "a": 1`.
fn ends_words(after: &str) -> bool {
    let ends = |one: char| one.is_whitespace() || ".,;:!?)*".contains(one);
    let behind = after.trim_start_matches([',', ':', ' ', '\n']);
    (after.is_empty() || after.starts_with(ends))
        && !behind.starts_with(['"', '\'', '{', '}', '[', ']'])
}

/// Returns the marks in a text, each with its repetitions: their position and end.
fn runs<'t>(text: &'t str, marks: &'t [char]) -> impl Iterator<Item = (usize, char, usize)> + 't {
    let mut end = 0;
    std::iter::from_fn(move || {
        let at = end + text[end..].find(marks)?;
        let mark = text[at..].chars().next()?;
        end = text.len() - text[at..].trim_start_matches(mark).len();
        Some((at, mark, end))
    })
}

/// Returns `true` if a text ends in a key and its colon: `{"result": `, but not
/// `I call "search": `.
fn is_behind_name(text: &str) -> bool {
    let Some(named) = text.trim_end().strip_suffix(':') else {
        return false;
    };
    let named = named.trim_end();
    let Some(inner) = named.strip_suffix('"') else {
        return false;
    };
    let before = inner
        .rfind('"')
        .map(|at| inner[..at].trim_end_matches([' ', '\t']));
    before.is_some_and(|before| before.is_empty() || before.ends_with(['{', ',', '\n']))
}

/// Returns the quotation mark at the end of a lead. The tokens that begin a message may follow it.
fn opening_mark(lead: &str) -> Option<char> {
    let mut lead = lead;
    while let Some(token) = lead
        .strip_suffix("assistant")
        .unwrap_or(lead)
        .strip_suffix("|>")
    {
        lead = &lead[..token.rfind("<|")?];
    }
    let mark = lead.chars().next_back();
    mark.filter(|one| "\"'".contains(*one))
}

/// Returns the end of a quotation whose content ends in a bracket at or after a position. If JSON
/// continues after the mark, it belongs to the JSON: `"{}"}`, `"[]", "a": 1`.
fn closing_mark(text: &str, from: usize, mark: char) -> Option<usize> {
    let mut marks = text[from..].match_indices(mark).map(|(at, _)| from + at);
    let mark = marks
        .find(|at| text[..*at].ends_with(['>', ']', '}', ')', '`']) && ends_words(&text[at + 1..]));
    mark.map(|at| at + 1)
}
