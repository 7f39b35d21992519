//! Quotations: code, comments, lines of logs, results of tools, turns of others. Calls in them are shown, not
//! made.

use llmjson_syntax::steps_of_search;
use memchr::{memchr2, memmem};

use super::CallSearch;
use super::fence::{Fence, Kind, count_of};
use crate::calls::found::NotRunReason;
use crate::calls::is_noise;
use crate::calls::tag::{Tag, may_become_tag};

/// A part of the text that is quoted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quote {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
    /// `true` if the reply goes on behind it.
    is_followed: bool,
}

impl Quote {
    /// Returns `true` if calls in it are left out. Where the reply ends with the quotation, they may be made all
    /// the same, as guesses.
    pub(super) fn is_left_out(&self) -> bool {
        self.is_followed && self.is_shown()
    }

    /// Returns `true` if it is not how calls are written.
    pub(super) fn is_shown(&self) -> bool {
        self.kind != Kind::OwnFence
    }

    /// Returns `true` if it is a fence for data, which may be the whole reply.
    pub(super) fn may_hold_data(&self) -> bool {
        self.kind == Kind::DataFence
    }
}

/// The knowledge of quotations up to a place, so that each byte is looked at once.
#[derive(Clone, Copy, Default)]
pub(super) struct Quotes {
    until: usize,
    last: Option<Quote>,
    /// A part of the text between quotations, and whether something stands in it or behind it.
    followed: Option<(usize, usize, bool)>,
    /// `true` if no turn of a model follows.
    pub(super) model_is_missing: bool,
    /// Offset up to which no model answers.
    pub(super) unanswered: usize,
    /// The end of the last call that was shown, and why it was.
    pub(super) shown: Option<(usize, NotRunReason)>,
}

impl<'t> CallSearch<'t, '_> {
    /// Returns the quotation in which a place lies.
    pub(super) fn quote_at(&mut self, start: usize) -> Option<Quote> {
        self.pass_quotes(start);
        let last = self.quotes.last;
        last.filter(|quote| quote.start <= start && start < quote.end)
    }

    /// Goes on behind a place: what stands before it opens no quotation.
    pub(super) fn pass_quotes_until(&mut self, end: usize) {
        let quotes = &mut self.quotes;
        quotes.until = quotes.until.max(end);
        quotes.last = quotes.last.filter(|quote| quote.end <= end);
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

    /// `<!-- … -->` and `<![CDATA[ … ]]>`
    pub(super) fn comment(&mut self, start: usize) -> bool {
        const ENDS: &[(&str, &str)] = &[("<!--", "-->"), ("<![CDATA[", "]]>")];
        let rest = &self.text[start..];
        let Some((_, end)) = ENDS.iter().find(|(begin, _)| rest.starts_with(begin)) else {
            return false;
        };
        if self.is_inside || self.quote_at(start).is_some() {
            return false;
        }
        let close = self.find(start, end);
        if close.is_none() {
            self.wait_for(end);
        }
        let end = close.unwrap_or(self.text.len());
        self.quote_shown(start, end, NotRunReason::Comment);
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

    /// Says that nothing more is known before a word has come.
    pub(super) fn wait_for(&mut self, word: &str) {
        self.budget.reached_end = true;
        if self.is_open && self.awaited.is_none() {
            self.awaited = Some(word.to_owned());
        }
    }

    /// A turn of another speaker behind which the model speaks: all of the text is a transcript.
    pub(super) fn quote_transcript(&mut self, start: usize) {
        let end = self.text.len();
        self.quotes.until = end;
        self.quotes.last = Some(Quote {
            start,
            end,
            kind: Kind::Shown(NotRunReason::Turn),
            is_followed: true,
        });
    }

    pub(super) fn quote_shown(&mut self, start: usize, end: usize, reason: NotRunReason) {
        self.quote(start, end, Kind::Shown(reason));
    }

    fn quote(&mut self, start: usize, end: usize, kind: Kind) {
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
            let is_begin = from == 0 || text.as_bytes()[from - 1] == b'\n';
            // A line is looked at once, however many places in it are asked for.
            let line = match is_begin {
                true => &text.as_bytes()[from..],
                false => &text.as_bytes()[from..start],
            };
            let length = memchr::memchr(b'\n', line).unwrap_or(line.len());
            self.budget.charge(steps_of_search(length) + 1);
            if is_begin && self.block(from, &text[from..from + length]) {
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
            && ends_with_empty_line(before)
            && !before.trim().is_empty()
        {
            let end = self.lines(from, |line| is_indented(line) || line.trim().is_empty());
            self.quote_shown(from, end, NotRunReason::Code);
            return true;
        }
        // `> <tool_call>…`: a quoted message, also in a list, while `>>` begins calls of one family.
        let may_quote = line.as_bytes().iter().take(8).any(|one| *one == b'>');
        let item = || without_bullet(line.trim_start());
        if may_quote && item().starts_with('>') && !item().starts_with(">>") {
            let next = self.text.len().min(from + line.len() + 1);
            let end = self.lines(next, |line| line.trim_start().starts_with('>'));
            self.quote_shown(from, end, NotRunReason::Quotation);
            return true;
        }
        if self.thought_of_line(from, line) {
            return true;
        }
        if let Some((end, reason)) = self.lines_of_others(from, line) {
            self.quote_shown(from, end, reason);
            return true;
        }
        if let Some(fence) = Fence::at(inner) {
            let end = fence.end(self.text, at, &mut self.budget);
            match end {
                None if fence.kind == Kind::OwnFence => self.budget.goes_on = true,
                None => self.wait_for(if fence.sign == '~' { "~~~" } else { "```" }),
                Some(_) => {}
            }
            self.quote(at, end.unwrap_or(self.text.len()), fence.kind);
            return true;
        }
        self.speech(from, line, inner)
    }

    /// Returns where lines of a kind end that begin at a place.
    pub(super) fn lines(&mut self, from: usize, is_one: impl Fn(&str) -> bool) -> usize {
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
            Ok(end) => self.quote_shown(open, end, NotRunReason::Code),
            // What is still to come may close it.
            Err(true) if self.is_open => self.quote_shown(open, text.len(), NotRunReason::Code),
            Err(_) => self.quotes.until = open + ticks,
        }
        true
    }

    /// Returns the end of code behind `ticks` backticks: in its line, or in its paragraph where a call
    /// begins right behind them. The error says whether the end of the text was reached.
    fn end_of_span(&mut self, from: usize, ticks: usize) -> Result<usize, bool> {
        let rest = &self.text[from..];
        let begins = rest
            .trim_start()
            .starts_with(['<', '[', ']', '{', '>', '｜', '`']);
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

/// Returns `true` if the line before a place holds nothing.
fn ends_with_empty_line(before: &str) -> bool {
    let line = before.strip_suffix('\n');
    line.is_some_and(|line| line.trim_end_matches([' ', '\t', '\r']).ends_with('\n'))
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
