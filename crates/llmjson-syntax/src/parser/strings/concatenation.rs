//! Strings put together of pieces and names, as programs write them: `"Dear " + name + ","`.
//!
//! Pieces are joined. The value of a name is unknown, so it stays in the text as it was
//! written, as a guess.

use crate::base::repair::{Class, Repair, RepairKind};
use crate::parser::look::quotes::{FoundString, closers, quote_at};
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{AfterStep, Container, KeySpan, ValueStep, scalar};
use crate::scan::{escape, peek};
use crate::tape::{Escaping, Tag, Tape, flag};

/// Maximum number of records of one piece of a string.
const RECORDS_OF_PIECE: usize = 8;

impl Reader<'_> {
    /// Joins what follows the sign at `k` to the string read last.
    pub(crate) fn concatenate(&mut self, here: Container, last: usize, k: usize) -> AfterStep {
        // `greeting + " there"`: the first operand is a name, which was read as a text without quotes.
        if self.bare_before(last, k) {
            let end = self.tape.nodes[last].end as usize;
            self.guess_join(last, end);
        }
        let operand = self.look.beyond_trivia(k + 1).1;
        if let Some(quote) = quote_at(self.look.text, operand) {
            return self.join(here, last, operand, quote);
        }
        let Some(mut end) = self.look.operand_end(operand) else {
            return self.stray_after(here, k);
        };
        self.join_raw(last, operand, end);
        loop {
            let (byte, sign) = self.look.beyond_trivia(end);
            if !self.look.joins(sign) || !matches!(byte, b'+' | b'.') {
                return AfterStep::Again(here, end);
            }
            let operand = self.look.beyond_trivia(sign + 1).1;
            if let Some(quote) = quote_at(self.look.text, operand) {
                return self.join(here, last, operand, quote);
            }
            let Some(next) = self.look.operand_end(operand) else {
                return AfterStep::Again(here, end);
            };
            self.join_raw(last, operand, next);
            end = next;
        }
    }

    /// Makes a guess of the string at `last`, which ends at `end`, as the first of several pieces.
    fn guess_join(&mut self, last: usize, end: usize) {
        self.record_join(last, end, Class::Guess);
        self.move_aside(last);
        self.tape.nodes[last].next = end as u32;
    }

    /// Appends the string in single quotes at `k` to the one read last, if both may be pieces of one: `['a ' 'b']`, as
    /// Python has it. In a list a comma may be missing as well.
    pub(crate) fn join_pieces(&mut self, here: Container, k: usize) -> Option<AfterStep> {
        let last = self.tape.nodes.len().checked_sub(1)?;
        let before = self.look.text_before(k).strip_suffix('\'')?.len();
        let single = self.look.bytes[k] == b'\'' && self.tape.nodes[last].tag == Tag::String;
        if here.count == 0 || !single || !self.look.are_pieces(k) {
            return None;
        }
        self.guess_join(last, before + 1);
        Some(self.join(here, last, k, '\''))
    }

    /// Appends the string in quotes at `k` to the string read last.
    pub(crate) fn join(
        &mut self,
        here: Container,
        last: usize,
        k: usize,
        quote: char,
    ) -> AfterStep {
        let role = Self::role(here);
        let found = match quote {
            '"' => match self.look.quoted_at(k + 1) {
                Some(quoted) => FoundString {
                    begin: k,
                    start: k + 1,
                    end: quoted.end,
                    next: quoted.end + 1,
                    flags: quoted.flags,
                },
                None => self.unclosed_string(here, role, k + 1),
            },
            _ => self.odd_string(here, role, k, quote),
        };
        self.record_join(last, found.next, RepairKind::JoinedStrings.class());
        self.move_aside(last);
        append(
            self.tape,
            &self.look.text[found.start..found.end],
            Escaping::of(found.flags, flag::ESCAPED),
        );
        let end = self.tape.side.len() as u32;
        let node = &mut self.tape.nodes[last];
        node.end = end;
        node.next = found.next as u32;
        node.flags |= found.flags & flag::TRUNCATED;
        AfterStep::Again(here, found.next)
    }

    /// Puts the string at `last` where more can be appended to it.
    pub(crate) fn move_aside(&mut self, last: usize) {
        let node = self.tape.nodes[last];
        if node.has(flag::SIDE) {
            return;
        }
        let raw = &self.look.text[node.start as usize..node.end as usize];
        let start = self.tape.side.len() as u32;
        append(self.tape, raw, node.escaping());
        let node = &mut self.tape.nodes[last];
        node.start = start;
        node.flags = node.flags & !flag::ESCAPED | flag::SIDE;
    }

    /// Appends the text from `start` to `end` as it is.
    fn join_raw(&mut self, last: usize, start: usize, end: usize) {
        self.record_join(last, end, Class::Guess);
        self.move_aside(last);
        self.tape.side.push_str(&self.look.text[start..end]);
        let length = self.tape.side.len() as u32;
        let node = &mut self.tape.nodes[last];
        (node.end, node.next) = (length, end as u32);
    }

    /// A name at `k` to which a string is added: `name + " there"`.
    pub(crate) fn name_in_concatenation(
        &self,
        here: Container,
        key: KeySpan,
        k: usize,
    ) -> Option<ValueStep> {
        let end = self.look.operand_end(k)?;
        let (byte, sign) = self.look.beyond_space(end);
        let mut next = sign;
        // Without a string among them names and numbers are no text.
        while next - k < LOOK_AHEAD && byte == b'+' {
            let operand = self.look.beyond_space(next + 1).1;
            if quote_at(self.look.text, operand).is_some() {
                let fits = self.concatenates(here, Self::role(here), sign);
                return fits.then(|| ValueStep::Scalar(scalar(key, Tag::String, k, end), end));
            }
            next = self.look.beyond_space(self.look.operand_end(operand)?).1;
            if peek(self.look.bytes, next) != b'+' {
                return None;
            }
        }
        None
    }

    /// Returns `true` if the string at `last` has no quotes and white space alone parts it from the
    /// sign at `k`.
    pub(crate) fn bare_before(&self, last: usize, k: usize) -> bool {
        let node = self.tape.nodes[last];
        let between = self.look.text.get(node.end as usize..k);
        !node.has(flag::SIDE)
            && peek(self.look.bytes, k) == b'+'
            && between.is_some_and(|between| between.trim().is_empty())
    }

    /// Records that the string at `last` is put together of pieces up to `end`: one record for all of
    /// them.
    pub(crate) fn record_join(&mut self, last: usize, end: usize, class: Class) {
        let node = self.tape.nodes[last];
        if !node.has(flag::SIDE) {
            return self.repair_as(RepairKind::JoinedStrings, class, node.start as usize, end);
        }
        // What is odd about the piece has been recorded in between.
        let mut repairs = self.tape.repairs.iter_mut().rev().take(RECORDS_OF_PIECE);
        let joined = |repair: &&mut Repair| {
            repair.kind == RepairKind::JoinedStrings && repair.span.end == node.next
        };
        match repairs.find(joined) {
            Some(repair) => {
                repair.span.end = end as u32;
                repair.class = repair.class.max(class);
            }
            None => self.repair_as(RepairKind::JoinedStrings, class, node.next as usize, end),
        }
    }
}

impl Look<'_> {
    /// Returns `true` if the two strings between which a comma is missing at `at` may be pieces of one, since there is
    /// white space where they meet: `'a ' 'b'`, not `'a' 'b'`. Before a name, as in `'a ' 'b': 1`, a comma is missing.
    pub(crate) fn are_pieces(&self, at: usize) -> bool {
        let before = self.text_before(at);
        let behind = self.window(self.beyond_space(at).1);
        let close = before.char_indices().next_back().map_or(0, |(at, _)| at);
        let (Some(_), Some(quote)) = (quote_at(before, close), quote_at(behind, 0)) else {
            return false;
        };
        let inside = &behind[quote.len_utf8()..];
        let rest = inside
            .split_once(closers(quote))
            .map(|(_, rest)| rest.trim_start());
        let meet = before[..close].ends_with(char::is_whitespace)
            || inside.starts_with(char::is_whitespace);
        meet && !rest.is_some_and(|rest| rest.starts_with(':'))
    }
}

/// Appends a text to those that were put together, without its escapes if it has any.
fn append(tape: &mut Tape, raw: &str, escaping: Escaping) {
    if escaping == Escaping::Escaped {
        escape::decode_to(raw, &mut tape.side);
    } else {
        tape.side.push_str(raw);
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn pieces_meet_at_white_space() {
        for (text, at, expected) in [
            ("'a ' 'b'", 4, true),
            ("'a'\n ' b'", 3, true),
            ("\"a \" \"b\"", 4, true),
            ("'a' 'b'", 3, false),
            ("'a ' 'b': 1", 4, false),
            ("'a ' b", 4, false),
            ("1 'b'", 1, false),
        ] {
            assert_eq!(ask(text, |look| look.are_pieces(at)), expected, "{text}");
        }
    }
}
