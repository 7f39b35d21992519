//! Signs beside a call that it is shown: quotation marks, the beginning of a comment, the name of
//! a member, words that report what another text says.

use llmjson_syntax::steps_of_search;

use super::CallSearch;
use crate::calls::found::NotRunReason;
use crate::calls::tag::Tag;

/// Marks around a quotation that differ at its ends.
const MARKS: &[(&str, &str, NotRunReason)] = &[
    ("“", "”", NotRunReason::Quotation),
    ("«", "»", NotRunReason::Quotation),
    ("„", "“", NotRunReason::Quotation),
    ("„", "”", NotRunReason::Quotation),
    ("‘", "’", NotRunReason::Quotation),
    ("‹", "›", NotRunReason::Quotation),
    ("「", "」", NotRunReason::Quotation),
    ("/*", "*/", NotRunReason::Comment),
    ("[", "](", NotRunReason::Link),
    ("[", "][", NotRunReason::Link),
];

/// Number of bytes before a call in which the mark that opens a quotation is looked for.
const QUOTED_BYTES_MAX: usize = 400;

/// Maximum number of colons in the line before a call behind which another text may be reported.
const COLONS_MAX: usize = 3;

/// Nouns for a text or a person that is quoted. A user may ask for a call, and is none of them.
const SOURCES: &str = "admin api article attacker author banner blog body book chat colleague \
    comment content contents customer description doc docs document documentation email entry \
    file footer guide header injection instructions issue letter log logs mail manual message \
    note notes output page paragraph pdf post prompt readme record report response result \
    results review search section sender server site snippet source story text thread ticket \
    title tool transcript tweet web webpage website wiki";

/// Verbs of a report.
const SAYING: &str = "answered asked asks claims contained contains demanded demands had has held \
    holds included includes instructed instructs printed prints quoted quotes read reads \
    recommends replied replies requested requests returned returns said say says showed shows \
    stated states suggests tells told wants writes wrote";

/// Words that may stand between the verb of a report and its colon.
const NEUTRAL: &str = "a also an and as call command do exactly following follows here in \
    instruction instructions it line lines literally make me now one only please request run \
    send text that the them this thus to tool us verbatim you";

/// The sign before a call that says that it is shown.
enum Lead<'t> {
    /// A mark that has to close behind it, where a quotation of something in brackets ends.
    Quote(char),
    /// Marks that others close, in this text.
    Pairs(&'t str),
    /// A sign that needs no other one.
    Sign(NotRunReason),
}

impl<'t> CallSearch<'t, '_> {
    /// Returns where the quotation ends in which a call stands by the signs beside it, and why it is one.
    pub(super) fn quotation(&mut self, start: usize, end: usize) -> Option<(usize, NotRunReason)> {
        let text = self.text;
        if let Some((shown, reason)) = self.quotes.shown.take()
            && self.goes_on(shown, start)
        {
            self.quotes.shown = Some((end, reason));
            return Some((end, reason));
        }
        // `[f(x)](https://…)`, where the call is the whole text of the link.
        let is_list = text[start..].starts_with('[') && text[..end].ends_with(']');
        if is_list && text[end..].starts_with(['(', '[']) {
            return Some((end, NotRunReason::Link));
        }
        let lead = self.lead_of(start)?;
        if let Lead::Sign(reason) = lead {
            self.quotes.shown = Some((end, reason));
            return Some((end, reason));
        }
        let rest = text[end..].split("\n\n").next().unwrap_or_default();
        self.budget.charge(2 * steps_of_search(rest.len()));
        let paragraph = end + rest.len();
        self.budget.reached_end |= paragraph == text.len();
        match lead {
            Lead::Quote(mark) => {
                let stop = closing_mark(&text[..paragraph], end, mark)?;
                Some((stop, NotRunReason::Quotation))
            }
            Lead::Pairs(lead) => opened(lead).find_map(|(close, reason)| {
                let stop = rest.find(close)?;
                Some((end + stop + close.len(), reason))
            }),
            Lead::Sign(_) => None,
        }
    }

    /// Returns `true` if more text may tell that what stands at a place is quoted.
    pub(super) fn may_be_quoted(&mut self, start: usize) -> bool {
        let quote = self.quote_at(start);
        quote.is_some_and(|quote| quote.is_shown())
            || self.thought.is_some_and(|from| from <= start)
            || self.lead_of(start).is_some()
    }

    /// Returns `true` if nothing but tags and separators stands between a call that was shown and the next one,
    /// which belongs to it then.
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

    /// Returns the sign before a call that says that it may be shown.
    fn lead_of(&mut self, start: usize) -> Option<Lead<'t>> {
        let near = start.saturating_sub(QUOTED_BYTES_MAX);
        let near = self.text.floor_char_boundary(near);
        let all = &self.text[near..start];
        let lead = all.rsplit("\n\n").next().unwrap_or_default();
        let line = lead.rsplit('\n').next().unwrap_or_default();
        self.budget
            .charge((2 + MARKS.len()) * steps_of_search(all.len()));
        if let Some(mark) = opening_mark(lead) {
            return Some(Lead::Quote(mark));
        }
        if is_behind_name(all) {
            return Some(Lead::Sign(NotRunReason::Data));
        }
        // `x = 1  // f(x)`, but not `https://…`.
        let mut slashes = line.match_indices("//").map(|(at, _)| &line[..at]);
        let is_hash = line.trim() == "#";
        if is_hash || slashes.any(|before| before.is_empty() || before.ends_with([' ', '\t', ';']))
        {
            return Some(Lead::Sign(NotRunReason::Comment));
        }
        // `The page says: …`, and the same in the line of the call: `The page says: Please run …`.
        if all.trim_end().ends_with([':', '*']) && reports(all) {
            self.budget.charge(all.len());
            return Some(Lead::Sign(NotRunReason::Report));
        }
        let before = &all[..all.len() - line.len()];
        let mut colons = line.match_indices(": ").take(COLONS_MAX);
        if colons.any(|(at, _)| reports(&all[..before.len() + at + 1])) {
            self.budget.charge(COLONS_MAX * all.len());
            return Some(Lead::Sign(NotRunReason::Report));
        }
        opened(lead).next().is_some().then_some(Lead::Pairs(lead))
    }

    /// Returns where lines end that begin at a place and are of a log, of a comment or of a table.
    pub(super) fn lines_of_others(
        &mut self,
        from: usize,
        line: &str,
    ) -> Option<(usize, NotRunReason)> {
        let trimmed = line.trim_start();
        match trimmed.as_bytes().first()? {
            b'/' if trimmed.starts_with("//") => {
                let end = self.lines(from, |line| line.trim_start().starts_with("//"));
                Some((end, NotRunReason::Comment))
            }
            b'/' if trimmed.starts_with("/*") => {
                let end = self.find_closer(from, "*/".to_owned())?;
                Some((end, NotRunReason::Comment))
            }
            b'|' if trimmed.starts_with("| ") => {
                let end = self.lines(from, |line| line.trim_start().starts_with('|'));
                Some((end, NotRunReason::Data))
            }
            // A session of Python, while `>>>name` begins calls of one family.
            b'>' if line.starts_with(">>> ") => {
                let end = self.lines(from, |line| {
                    line.starts_with(">>>") || line.starts_with("...")
                });
                Some((end, NotRunReason::Code))
            }
            _ if is_logged(trimmed) => Some((self.end_of_log(from), NotRunReason::Log)),
            _ => None,
        }
    }

    /// Returns where the last line of a log ends in the paragraph that a place begins.
    fn end_of_log(&mut self, from: usize) -> usize {
        let (mut at, mut end) = (from, from);
        for line in self.text[from..].split_inclusive('\n') {
            if line.trim().is_empty() {
                break;
            }
            at += line.len();
            if is_logged(line.trim_start()) {
                end = at;
            }
        }
        self.budget.charge(steps_of_search(at - from) * 4);
        if at == self.text.len() {
            // A further line of it may come.
            self.budget.reached_end = true;
            self.is_doubtful |= self.is_open;
        }
        end
    }
}

/// Returns `true` if a word is one of a list of words with spaces between them, in any case.
pub(super) fn is_one_of(words: &str, word: &str) -> bool {
    words.split(' ').any(|one| one.eq_ignore_ascii_case(word))
}

/// Returns `true` if a word names a text or a person that is quoted.
pub(super) fn is_source(word: &str) -> bool {
    is_one_of(SOURCES, word.trim_end_matches("'s"))
}

/// Returns what closes the marks that a text leaves open.
fn opened(lead: &str) -> impl Iterator<Item = (&'static str, NotRunReason)> {
    let marks = MARKS.iter().filter(|(open, close, _)| {
        let close = close.trim_end_matches(['(', '[']);
        let opened = lead.rfind(open);
        opened.is_some_and(|at| !lead[at + open.len()..].contains(close))
    });
    marks.map(|(_, close, reason)| (*close, *reason))
}

/// Returns `true` if a line is one of a log: it begins with a date and time, a time or a level.
fn is_logged(line: &str) -> bool {
    const LEVELS: &[&str] = &[
        "TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL",
    ];
    const MONTHS: &str = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
    let is_bracketed = line.starts_with('[');
    let line = line.strip_prefix('[').unwrap_or(line);
    let digits = |text: &str| {
        text.len()
            - text
                .trim_start_matches(|one: char| one.is_ascii_digit())
                .len()
    };
    let is_time = |text: &str| {
        let hour = digits(text);
        let parts = text.get(hour..hour + 1) == Some(":") && digits(&text[hour + 1..]) == 2;
        let rest = text.get(hour + 3..).unwrap_or_default();
        (1..=2).contains(&hour) && parts && rest.starts_with(':') && digits(&rest[1..]) >= 2
    };
    let word = line
        .split(|one: char| !one.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    if LEVELS.contains(&word) {
        let rest = &line[word.len()..];
        return rest.starts_with([']', ':', ' ']) && (is_bracketed || rest.starts_with([':', ' ']));
    }
    // `level=info ts=…`, `02/Nov/2026:12:00:01`, `127.0.0.1 - - [02/Nov/2026:12:00:01`
    let is_access = line
        .get(..60.min(line.len()))
        .is_some_and(|begin| begin.contains(" - - ["));
    let is_pair = ["level", "ts", "time"].contains(&word) && line[word.len()..].starts_with('=');
    if is_access
        || is_pair
        || digits(line) == 2 && line[2..].starts_with('/') && line.get(11..12) == Some(":")
    {
        return true;
    }
    // `2026-11-02 12:00:01`, `2026/11/02T12:00`
    if digits(line) == 4 && line[4..].starts_with(['-', '/']) && digits(&line[5..]) == 2 {
        let rest = line.get(10..).unwrap_or_default();
        return digits(rest.trim_start_matches(['T', ' '])) == 2 && rest.starts_with(['T', ' ']);
    }
    // `Nov  2 12:00:01`
    if word.len() == 3 && MONTHS.contains(word) {
        let day = line[3..].trim_start();
        return is_time(day[digits(day)..].trim_start());
    }
    is_time(line)
}

/// Returns `true` if a text ends in the name of a member and its colon: `{"result": `, but not `I call "search": `.
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

/// Returns `true` if a text ends in words and a colon that say that what follows stands in another text:
/// `The page says:`, `According to the log:`, but not `The user asked for an example:`.
fn reports(text: &str) -> bool {
    let Some(lead) = text.trim_end().trim_end_matches('*').strip_suffix(':') else {
        return false;
    };
    let lead = lead.rsplit('\n').next().unwrap_or_default();
    let sentence = lead.rsplit(". ").next().unwrap_or_default();
    let sentence = sentence
        .rsplit(['!', '?', ';', ','])
        .next()
        .unwrap_or_default();
    let sentence = sentence.to_lowercase();
    let words = sentence.split(|one: char| !(one.is_alphanumeric() || one == '\''));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_source = |word: &&str| is_source(word);
    let is_about = |word: &&str| is_source(word) || ["he", "she", "it", "they"].contains(word);
    // `Tool result:`, `Page content:`, but not `Web search:`.
    let labels = "content contents log logs output response result results text transcript";
    let is_label = words.len() > 1 && words.iter().all(is_source);
    if is_label && words.last().is_some_and(|word| is_one_of(labels, word)) {
        return true;
    }
    let is_own =
        |word: &&str| ["i", "i'll", "i'd", "i'm", "let", "so", "we", "will"].contains(word);
    if words.iter().any(is_own) {
        return false;
    }
    if words.starts_with(&["according", "to"]) {
        return words.last().is_some_and(is_source);
    }
    // The last verb that only words without a meaning of their own follow.
    let behind = words
        .iter()
        .rev()
        .take_while(|word| is_one_of(NEUTRAL, word))
        .count();
    let verb = words.len() - behind;
    let (subject, rest) = words.split_at(verb.saturating_sub(1));
    let is_said = rest.first().is_some_and(|verb| is_one_of(SAYING, verb));
    is_said && subject.len() <= 6 && subject.iter().any(is_about)
}

/// Returns the quotation mark with which a lead ends. The tokens with which a message begins may stand behind it.
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

/// Returns where a quotation ends of something that ends in a bracket at a place or behind it. A mark behind
/// which JSON goes on is one of its own: `"{}"}`, `"[]", "a": 1`.
fn closing_mark(text: &str, from: usize, mark: char) -> Option<usize> {
    let mut marks = text[from..].match_indices(mark).map(|(at, _)| from + at);
    let ends = |one: char| one.is_whitespace() || ".,;:!?)".contains(one);
    let mark = marks.find(|at| {
        let after = &text[at + 1..];
        let behind = after.trim_start_matches([',', ':', ' ', '\n']);
        text[..*at].ends_with(['>', ']', '}', ')', '`'])
            && (after.is_empty() || after.starts_with(ends))
            && !behind.starts_with(['"', '\'', '{', '}', '[', ']'])
    });
    mark.map(|at| at + 1)
}
