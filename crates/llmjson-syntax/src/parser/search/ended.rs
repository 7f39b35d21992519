//! Evidence after a value that it ended there.

use crate::parser::search::beam::Search;
use crate::parser::search::price;
use crate::parser::search::reading::{Kind, Move, NextLine, Reading};

/// Number of bytes after a value that are examined.
const REST_LOOK: usize = 1 << 10;

/// Number of bytes after a value that are searched for brackets and operators, and the number of
/// bytes of code in which at least one of these occurs.
const CODE_LOOK: usize = 256;
const CODE_RUN: usize = 24;

/// The factor for the cost of omitted text further away.
const FURTHER: u32 = 4;

/// The highest cost of omitted text that leaves room for other costs. Hundreds of megabytes reach
/// it.
const SKIPPED_MAX: u32 = u32::MAX / 4;

impl Search<'_> {
    /// Returns a hypothesis that ended, with the cost of the text it leaves out. Prose may follow
    /// the value, but not text that would continue it.
    pub(crate) fn ended_at(&mut self, reading: Reading) -> Reading {
        let behind = reading.at as usize;
        let mut ended = reading;
        let (mut at, _) = self.text.trivia(behind);
        while self.text.closer(at) && !self.is_spent() {
            self.charge(1);
            // `} /* done */ }`
            ended = self.passed(ended, (ended.at as usize, at));
            ended = self.made(
                ended,
                Move::ExtraCloser,
                (at, at + 1),
                price::EXTRA_CLOSER_END,
            );
            ended.at = at as u32 + 1;
            at = self.text.trivia(at + 1).0;
        }
        let line = NextLine::new_if(at > behind && self.text.space(behind).1);
        // A string that ended without its quote and code after the value: the code is part of it.
        let unquoted = 1 << Move::MissingQuote as u64 | 1 << Move::MismatchedQuotes as u64;
        // `{"a": [{"b": 1}, {"b": 2}]}`: where a closer would be missing, another object is an item.
        let unclosed = ended.made & 1 << Move::MissingCloser as u64 != 0;
        let comma = self.text.comma(at).unwrap_or_default();
        let next = self.text.trivia(at + comma).0;
        let item = line == NextLine::Same
            && self.text.text[..behind].ends_with('}')
            && self.text.at(next) == b'{'
            && self.text.name_ahead(self.text.space(next + 1).0);
        // An expensive hypothesis that stops early is probably wrong.
        let goes_on = self.goes_on(at, line)
            || unclosed && item
            || ended.made & unquoted != 0 && self.is_code(at)
            || ended.cost >= price::DEAR && at < self.text.len() && self.text.closed_behind(at);
        if goes_on {
            ended.cost += price::REST_GOES_ON + self.skipped(at);
        }
        ended
    }

    /// Returns `true` if the text after a value that ended at `end` continues the value, and the
    /// whole text ends like a value or with a member.
    pub(crate) fn rest_goes_on(&self, end: usize) -> bool {
        let at = self.text.trivia(end).0;
        let line = NextLine::new_if(at > end && self.text.space(end).1);
        let comma = self.text.comma(at);
        let member = comma.map(|length| self.text.trivia(at + length).0);
        let member =
            member.is_some_and(|at| self.text.opens(at).is_some() && self.text.name_ahead(at));
        (member || self.text.closed_behind(at)) && self.goes_on(at, line)
    }

    /// Returns `true` if the text at `at` contradicts the end of the value before it: the rest
    /// continues the value, or closes containers that it has not opened.
    fn goes_on(&self, at: usize, line: NextLine) -> bool {
        // The end of the reply or a mark that ends a value. A fence counts as such a mark unless
        // the value is closed after it; in that case it belongs to a string with code.
        let mark = matches!(self.text.at(at), b'`' | b'<') && self.text.closed_behind(at);
        if self.text.ends(at) && !mark {
            return false;
        }
        // `{"a": 1}, 2`: a value after the end. On a new line it is another one of several values.
        let member = self.text.comma(at).is_some_and(|length| {
            let next = self.text.trivia(at + length).0;
            // `[{"a": 1}], {"a": 2}]`: an item, but `{"a": 1}, {"a": 2}` are several values.
            let list = self
                .frames
                .get(1)
                .is_some_and(|root| root.kind == Kind::Array);
            line == NextLine::Same
                && self.text.value_starts(next)
                && (list || !matches!(self.text.at(next), b'{' | b'['))
        });
        let name = self.text.opens(at).is_some() && self.text.name_ahead(at);
        member
            || name
            || line == NextLine::Same && matches!(self.text.at(at), b':' | b'"')
            || self.unbalanced(at)
    }

    /// Returns `true` if the text after `at` closes containers that it has not opened, or has an
    /// odd number of quotes although it ends with a closer.
    fn unbalanced(&self, at: usize) -> bool {
        let rest = &self.text.bytes[at.min(self.text.len())..];
        let near = &rest[..rest.len().min(REST_LOOK)];
        let (mut depth, mut quotes) = (0, 0);
        for (at, byte) in near.iter().enumerate() {
            match byte {
                b'"' => quotes += 1,
                b'{' | b'[' => depth += 1,
                // `{"a": "x"}y"}`: after the first brace, another one closes a container that was
                // not opened there.
                b'}' | b']' if depth == 0 => {
                    self.charge(at / 4);
                    return true;
                }
                b'}' | b']' => depth -= 1,
                _ => {}
            }
        }
        self.charge(near.len() / 4);
        quotes % 2 == 1 && near.len() == rest.len() && self.text.closed_behind(at)
    }

    /// Returns `true` if the text at `at` has as many brackets and operators as code.
    fn is_code(&self, at: usize) -> bool {
        let rest = &self.text.bytes[at.min(self.text.len())..];
        let near = &rest[..rest.len().min(CODE_LOOK)];
        self.charge(near.len() / 4);
        let symbols = near
            .iter()
            .filter(|byte| b"{}();=<>".contains(byte))
            .count();
        symbols > 2 && CODE_RUN * symbols >= near.len()
    }

    /// Returns the cost of stopping at `at`. A hypothesis that stops early avoids costs that others
    /// must pay, so it is charged for each quote in the rest of the text, whose number is
    /// estimated.
    pub(crate) fn skipped(&self, at: usize) -> u32 {
        let rest = &self.text.bytes[at.min(self.text.len())..];
        let near = &rest[..rest.len().min(REST_LOOK)];
        self.charge(near.len() / 16);
        let count = |quote: u8| memchr::memchr_iter(quote, near).count() as u32;
        let quotes = count(b'"').max(count(b'\''));
        let price = quotes * price::SKIPPED_QUOTE;
        // Text damaged throughout costs more than that: `[{a: 1 b: 2} {a: 3 b: 4} …`.
        let further = (rest.len() / near.len().max(1)).saturating_sub(1) as u32;
        let price = price.saturating_add(price.saturating_mul(further.saturating_mul(FURTHER)));
        price.min(SKIPPED_MAX)
    }

    /// Returns the offset after the closers at `at`, regardless of the containers they close.
    pub(crate) fn behind_closers(&self, mut at: usize) -> usize {
        while self.text.closer(at) && !self.is_spent() {
            self.charge(1);
            at = self.text.trivia(at + 1).0;
        }
        at
    }

    /// Returns the offset after closers at `at` that close every open container, and the line of
    /// the next token.
    pub(crate) fn closes_root(&self, frame: u32, at: usize) -> Option<(usize, NextLine)> {
        let (mut frame, mut at) = (self.frames[frame as usize], self.text.trivia(at).0);
        let mut line = false;
        while frame.kind != Kind::Root && frame.closer == self.text.at(at) {
            self.charge(1);
            frame = self.frames[frame.parent as usize];
            (at, line) = self.text.trivia(at + 1);
        }
        (frame.kind == Kind::Root).then_some((at, NextLine::new_if(line)))
    }
}
