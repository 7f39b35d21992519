//! Strings put together of pieces and names, as programs write them: `"Dear " + name + ","`.
//!
//! Pieces are joined. The value of a name is unknown, so it stays in the text as it was
//! written, as a guess.

use crate::base::repair::{Class, Repair, RepairKind};
use crate::parser::look::LOOK_AHEAD;
use crate::parser::look::Look;
use crate::parser::look::quotes::{StringRole, quote_at};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{AfterStep, Container, KeySpan, ValueStep, scalar};
use crate::scan::peek;
use crate::tape::{Tag, flag};

/// Maximum number of records of one piece of a string.
const RECORDS_OF_PIECE: usize = 8;

impl Reader<'_> {
    /// Returns `true` if names and pieces of a string follow, each behind a sign like the one at
    /// `k`, up to another string or to what may follow one.
    pub(crate) fn concatenates(&self, here: Container, role: StringRole, k: usize) -> bool {
        let mut sign = k;
        while sign - k < LOOK_AHEAD && self.look.joins(sign) {
            let operand = self.look.beyond_space(sign + 1).1;
            let end = match quote_at(self.look.text, operand) {
                Some('"') => match self.look.quoted_at(operand + 1) {
                    Some(piece) => piece.end + 1,
                    None => return true,
                },
                Some(_) => return true,
                None => match self.look.operand_end(operand) {
                    Some(end) => end,
                    None => return false,
                },
            };
            let (byte, next) = self.look.beyond_space(end);
            match byte {
                b',' | b';' | b'}' | b']' | b')' => return self.fits(here, role, end),
                _ if next >= self.look.bytes.len() => return true,
                _ if self.look.joins(next) => sign = next,
                _ => return self.fits(here, role, end),
            }
        }
        false
    }

    /// Joins what follows the sign at `k` to the string read last.
    pub(crate) fn concatenate(&mut self, here: Container, last: usize, k: usize) -> AfterStep {
        if self.bare_before(last, k) {
            let end = self.tape.nodes[last].end as usize;
            self.record_join(last, end, Class::Guess);
            self.move_aside(last);
            self.tape.nodes[last].next = end as u32;
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
    /// Returns `true` if the sign at `k` joins pieces: a plus, or a point before another piece or a
    /// variable.
    fn joins(&self, k: usize) -> bool {
        let next = || self.beyond_space(k + 1).1;
        match peek(self.bytes, k) {
            b'+' => true,
            b'.' => {
                next() > k + 1
                    && (peek(self.bytes, next()) == b'$' || quote_at(self.text, next()).is_some())
            }
            _ => false,
        }
    }

    /// Returns the offset at which the name, number, call or indexed value ends that begins at `k`.
    fn operand_end(&self, k: usize) -> Option<usize> {
        let window = self.window(k).as_bytes();
        let mut open = 0u32;
        let mut quoted = None;
        let mut length = 0;
        for &byte in window {
            let part = byte.is_ascii_alphanumeric() || byte >= 0x80 || b"_.$".contains(&byte);
            match (quoted, byte) {
                (_, b'\n') => break,
                (Some(quote), _) => quoted = quoted.filter(|_| byte != quote),
                (None, b'"' | b'\'' | b'`') if open > 0 => quoted = Some(byte),
                (None, b'(') => open += 1,
                (None, b'[') if length > 0 => open += 1,
                (None, b')' | b']') if open > 0 => open -= 1,
                (None, _) if open == 0 && !part => break,
                _ => {}
            }
            length += 1;
        }
        (length > 0 && open == 0 && quoted.is_none()).then_some(k + length)
    }
}
