//! Quotations: code, comments, results of tools, turns of others. Calls in them are shown, not
//! made.

use llmjson_syntax::steps_of_search;
use memchr::{memchr2, memmem};

use super::fence::{Fence, Kind, count_of};
use super::{CallSearch, is_noise};
use crate::calls::tag::{Tag, may_become_tag};

/// A part of the text that is quoted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quote {
    pub(super) start: usize,
    pub(super) end: usize,
    kind: Kind,
    /// `true` if the reply goes on behind it.
    is_followed: bool,
}

/// The knowledge of quotations up to a place, so that each byte is looked at once.
#[derive(Clone, Copy, Default)]
pub(super) struct Quotes {
    until: usize,
    last: Option<Quote>,
    /// A part of the text between quotations, and whether something stands in it or behind it.
    followed: Option<(usize, usize, bool)>,
    /// The ends of elements, by their places in the list, and the turns of a model that do not come
    /// any more.
    pub(super) missing: u8,
}

/// The bit of [missing](Quotes::missing) that is set where no turn of a model follows.
const MODEL_IS_MISSING: u8 = 1 << 7;

/// Marks around a quotation that differ at its ends.
const MARKS: &[(char, char)] = &[('“', '”'), ('«', '»'), ('„', '“'), ('「', '」')];

/// Number of bytes before a call in which the mark that opens a quotation is looked for.
const QUOTED_BYTES_MAX: usize = 400;

/// The speakers in a transcript, beside the model.
const OTHERS: &[&str] = &["User", "Human", "System", "Tool", "Customer"];

/// The names of the model in a transcript.
const MODELS: &[&str] = &["\nAssistant:", "\nAI:", "\nModel:", "\n**Assistant"];

impl<'t> CallSearch<'t, '_> {
    /// Returns the quotation in which a place lies.
    pub(super) fn quote_at(&mut self, start: usize) -> Option<Quote> {
        self.pass_quotes(start);
        self.quotes.last.filter(|quote| quote.end > start)
    }

    /// Returns `true` if a call that begins at a place is shown and not made. Where the reply ends
    /// with the quotation, it may be made all the same: then calls are
    /// [guesses](Self::is_shown_last).
    pub(super) fn is_quoted(&mut self, start: usize) -> bool {
        let Some(quote) = self.quote_at(start) else {
            return false;
        };
        let is_quoted = quote.is_followed && quote.kind != Kind::OwnFence;
        if is_quoted {
            self.at = self.at.max(quote.end);
            self.opener = None;
            self.is_decided = true;
        }
        is_quoted
    }

    /// Returns `true` if a call lies in a quotation with which the reply ends, and which is not how
    /// calls are written: a fence for data may be the whole reply.
    pub(super) fn is_shown_last(&mut self, start: usize) -> bool {
        let Some(quote) = self.quote_at(start) else {
            return false;
        };
        let is_alone = || self.text[..quote.start].trim().is_empty();
        match quote.kind {
            Kind::OwnFence => false,
            Kind::DataFence => !is_alone(),
            Kind::Other => true,
        }
    }

    /// Returns `true` if more text may tell that what stands at a place is quoted.
    pub(super) fn may_be_quoted(&mut self, start: usize) -> bool {
        let quote = self.quote_at(start);
        let lead = self.lead(start);
        self.budget.charge(lead.len());
        quote.is_some_and(|quote| quote.kind != Kind::OwnFence)
            || opening_mark(lead).is_some()
            || opened(lead).is_some()
    }

    /// Returns what stands before a place in its paragraph, as far as a quotation may reach.
    fn lead(&self, start: usize) -> &'t str {
        let near = start.saturating_sub(QUOTED_BYTES_MAX);
        let near = self.text.floor_char_boundary(near);
        let lead = &self.text[near..start];
        lead.rsplit("\n\n").next().unwrap_or_default()
    }

    /// Returns `Some` if a call stands between quotation marks: `true` if the reply goes on behind
    /// it.
    pub(super) fn quotation(&mut self, start: usize, end: usize) -> Option<bool> {
        let text = self.text;
        let after = &text[end..];
        let lead = self.lead(start);
        self.budget.charge(2 * lead.len());
        let mark = opening_mark(lead);
        let close = opened(lead);
        if mark.is_none() && close.is_none() {
            return None;
        }
        let rest = after.split("\n\n").next().unwrap_or_default();
        self.budget.charge(2 * steps_of_search(rest.len()));
        let paragraph = end + rest.len();
        let stop = match (mark, close) {
            (Some(mark), _) => closing_mark(&text[..paragraph], end, mark),
            (None, close) => close.and_then(|close| {
                let found = rest.find(close);
                found.map(|at| end + at + close.len_utf8())
            }),
        };
        self.budget.reached_end |= paragraph == text.len();
        let stop = stop?;
        self.quote(start, stop, Kind::Other);
        self.quotes.last.map(|quote| quote.is_followed)
    }

    /// Moves behind a call: what it holds opens no quotation.
    pub(super) fn pass_call(&mut self, start: usize, end: usize) {
        self.budget.charge(steps_of_search(end - start));
        let quotes = &mut self.quotes;
        quotes.until = quotes.until.max(end);
        // The fence that closes one within the call.
        let rest = self.text[end..].trim_start();
        if rest.starts_with("```") && self.text[start..end].contains("```") {
            let line = rest.find('\n').unwrap_or(rest.len());
            if rest[3..line].trim().is_empty() {
                let after = self.text.len() - rest.len() + 3;
                quotes.until = quotes.until.max(after);
            }
        }
    }

    /// Moves behind the quotation that a place begins, in which words introduce what stands there.
    pub(super) fn pass_sample(&mut self, start: usize) {
        let text = self.text;
        let Some(mark) = opening_mark(self.lead(start)) else {
            return;
        };
        let rest = text[start..].split("\n\n").next().unwrap_or_default();
        self.budget.charge(2 * steps_of_search(rest.len()));
        let paragraph = start + rest.len();
        self.budget.reached_end |= paragraph == text.len();
        match closing_mark(&text[..paragraph], start, mark) {
            Some(end) => {
                self.quote(start, end, Kind::Other);
                self.at = self.at.max(end);
            }
            None => self.is_doubtful |= self.is_open,
        }
    }

    /// Returns where the last quotation ends.
    pub(super) fn quotes_end(&self) -> usize {
        self.quotes.last.map_or(0, |quote| quote.end)
    }

    /// `<!-- … -->`
    pub(super) fn comment(&mut self, start: usize) -> bool {
        if !self.text[start..].starts_with("<!--") || self.quote_at(start).is_some() {
            return false;
        }
        let end = self.find(start, "-->");
        if end.is_none() {
            self.budget.wait_for("-->");
        }
        self.quote(start, end.unwrap_or(self.text.len()), Kind::Other);
        true
    }

    /// Returns where the next of these words ends.
    pub(super) fn find(&mut self, from: usize, word: &str) -> Option<usize> {
        let rest = &self.text.as_bytes()[from..];
        let found = memmem::find(rest, word.as_bytes());
        self.budget
            .charge(steps_of_search(found.unwrap_or(rest.len())));
        self.budget.reached_end |= found.is_none();
        found.map(|at| from + at + word.len())
    }

    pub(super) fn quote(&mut self, start: usize, end: usize, kind: Kind) {
        let is_followed = kind != Kind::OwnFence && self.is_followed(end);
        self.quotes.until = end;
        self.quotes.last = Some(Quote {
            start,
            end,
            kind,
            is_followed,
        });
    }

    /// Returns `true` if something stands behind a quotation: more than tokens, or further fences.
    fn is_followed(&mut self, end: usize) -> bool {
        if let Some((from, until, is_followed)) = self.quotes.followed
            && (from..=until).contains(&end)
        {
            return is_followed;
        }
        let (until, is_followed) = self.look_behind(end);
        self.quotes.followed = Some((end, until, is_followed));
        is_followed
    }

    /// Searches for the first text that is no token and no fence. Returns its offset, and `true` if
    /// there is any.
    fn look_behind(&mut self, end: usize) -> (usize, bool) {
        let mut at = end;
        loop {
            let rest = self.text[at..].trim_start();
            at = self.text.len() - rest.len();
            if rest.is_empty() {
                self.budget.reached_end = true;
                return (at, false);
            }
            if let Some(fence) = Fence::at(rest) {
                match fence.end(self.text, at, &mut self.budget) {
                    Some(end) => at = end,
                    None => {
                        self.budget.reached_end = true;
                        return (at, rest.trim_start_matches(fence.sign).contains('\n'));
                    }
                }
                continue;
            }
            match Tag::look(self.text, at, &mut self.budget) {
                Some(tag) if is_noise(&tag.normalized()) || tag.is_closing => at = tag.end,
                tag => {
                    // "``" may become a fence, and `<|im_e` a token.
                    let is_cut = rest.trim_start_matches(['`', '~']).is_empty()
                        || tag.is_none() && may_become_tag(self.text, at, &mut self.budget);
                    self.budget.reached_end |= is_cut;
                    return (at, true);
                }
            }
        }
    }

    /// Looks for quotations up to a place, line by line.
    fn pass_quotes(&mut self, start: usize) {
        let text = self.text;
        while self.quotes.until < start && !self.budget.is_used_up() {
            let from = self.quotes.until;
            let line = &text[from..];
            let length = memchr::memchr(b'\n', line.as_bytes()).unwrap_or(line.len());
            let line = &line[..length];
            self.budget.charge(steps_of_search(length) + 1);
            let is_begin = from == 0 || text.as_bytes()[from - 1] == b'\n';
            if is_begin && self.block(from, line) {
                continue;
            }
            let stop = (from + length).min(start);
            if self.spans(from, stop) {
                continue;
            }
            self.quotes.until = match from + length < start {
                true => from + length + 1,
                false => start,
            };
        }
    }

    /// A quotation that begins with a line.
    fn block(&mut self, from: usize, line: &'t str) -> bool {
        let inner = line.trim_start_matches([' ', '\t', '>']);
        let inner = without_bullet(inner);
        let at = from + line.len() - inner.len();
        let is_indented = |line: &str| line.starts_with("    ") || line.starts_with('\t');
        let before = &self.text[..from];
        // An indented block below an empty line is code in Markdown.
        if is_indented(line)
            && !inner.is_empty()
            && before.ends_with("\n\n")
            && !before.trim().is_empty()
        {
            let end = self.lines(from, |line| is_indented(line) || line.trim().is_empty());
            self.quote(from, end, Kind::Other);
            return true;
        }
        // `> <tool_call>…`: a quoted message, while `>>` begins calls of one family.
        if line.starts_with('>') && !line.starts_with(">>") {
            let end = self.lines(from, |line| line.starts_with('>'));
            self.quote(from, end, Kind::Other);
            return true;
        }
        if let Some(fence) = Fence::at(inner) {
            let end = fence.end(self.text, at, &mut self.budget);
            match end {
                None if fence.kind == Kind::OwnFence => self.budget.goes_on = true,
                None => self
                    .budget
                    .wait_for(if fence.sign == '~' { "~~~" } else { "```" }),
                Some(_) => {}
            }
            self.quote(at, end.unwrap_or(self.text.len()), fence.kind);
            return true;
        }
        self.speech(from, inner)
    }

    /// `User: …` and `Observation: …`: a turn of another speaker in a transcript.
    fn speech(&mut self, from: usize, line: &str) -> bool {
        let line = line.trim_start_matches('*');
        let Some((who, _)) = line.split_once(':') else {
            return false;
        };
        let who = who.trim_end_matches('*');
        let text = self.text;
        // `Observation: …`: what the tool returned, up to the next step of the model.
        if who == "Observation" {
            let ends = ["Thought:", "Action:", "Final Answer:"];
            let end = self.lines(from, |line| !ends.iter().any(|end| line.starts_with(end)));
            self.quote(from, end, Kind::Other);
            return true;
        }
        if !OTHERS.contains(&who) {
            return false;
        }
        if self.quotes.missing & MODEL_IS_MISSING == 0 {
            let rest = &text.as_bytes()[from..];
            self.budget
                .charge(MODELS.len() * steps_of_search(rest.len()));
            self.budget.reached_end = true;
            let mut models = MODELS.iter();
            if models.any(|model| memmem::find(rest, model.as_bytes()).is_some()) {
                self.quotes.until = text.len();
                // The model speaks behind it.
                self.quotes.last = Some(Quote {
                    start: from,
                    end: text.len(),
                    kind: Kind::Other,
                    is_followed: true,
                });
                return true;
            }
            self.quotes.missing |= MODEL_IS_MISSING;
        }
        // A model may say of itself which tool it takes.
        let is_quoted = who != "Tool";
        if is_quoted {
            let end = self.lines(from, |line| !line.trim().is_empty());
            self.quote(from, end, Kind::Other);
        }
        is_quoted
    }

    /// Returns where lines of a kind end that begin at a place.
    fn lines(&mut self, from: usize, is_one: impl Fn(&str) -> bool) -> usize {
        let mut end = from;
        let mut lines = self.text[from..].split_inclusive('\n').peekable();
        while let Some(line) = lines.next_if(|line| is_one(line)) {
            end += line.len();
        }
        self.budget.charge(end - from);
        self.budget.reached_end |= end == self.text.len();
        end
    }

    /// Code in a line, between as many backticks on both sides.
    fn spans(&mut self, from: usize, stop: usize) -> bool {
        let text = self.text;
        let Some(open) = memchr::memchr(b'`', &text.as_bytes()[from..stop]) else {
            return false;
        };
        let open = from + open;
        let ticks = count_of(&text[open..], '`');
        match self.end_of_span(open + ticks, ticks) {
            Ok(end) => self.quote(open, end, Kind::Other),
            // What is still to come may close it.
            Err(true) if self.is_open => self.quote(open, text.len(), Kind::Other),
            Err(_) => self.quotes.until = open + ticks,
        }
        true
    }

    /// Returns the end of code behind `ticks` backticks: in its line, or in its paragraph where a call
    /// begins right behind them. The error says whether the end of the text was reached.
    fn end_of_span(&mut self, from: usize, ticks: usize) -> Result<usize, bool> {
        let rest = &self.text[from..];
        let begins = rest.trim_start().starts_with(['<', '[', '{', '｜']);
        let mut at = 0;
        while let Some(found) = memchr2(b'`', b'\n', &rest.as_bytes()[at..]) {
            self.budget.charge(steps_of_search(found));
            at += found;
            if rest.as_bytes()[at] == b'\n' {
                if !begins || rest[at + 1..].starts_with('\n') {
                    return Err(false);
                }
                at += 1;
                continue;
            }
            let count = count_of(&rest[at..], '`');
            at += count;
            if count == ticks {
                return Ok(from + at);
            }
        }
        self.budget.charge(steps_of_search(rest.len() - at));
        self.budget.reached_end = true;
        Err(true)
    }
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

/// Returns the mark that closes a quotation that a line leaves open.
fn opened(line: &str) -> Option<char> {
    let mut marks = MARKS.iter();
    let open = marks.find(|(open, close)| {
        let opened = line.rfind(*open);
        opened.is_some_and(|at| !line[at..].contains(*close))
    });
    open.map(|(_, close)| *close)
}

/// Returns a line without the mark of a list before it.
fn without_bullet(line: &str) -> &str {
    let digits = line.trim_start_matches(|one: char| one.is_ascii_digit());
    let rest = match line.len() - digits.len() {
        0 => line.strip_prefix(['-', '*', '+']),
        _ => digits.strip_prefix(['.', ')']),
    };
    let rest = rest.filter(|rest| rest.starts_with(' '));
    rest.map_or(line, str::trim_start)
}
