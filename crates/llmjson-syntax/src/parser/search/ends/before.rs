//! The end of a string without its closing quote, or at a quote of another kind.

use crate::parser::look::scalars::{is_keyword, is_number};
use crate::parser::search::beam::Search;
use crate::parser::search::ends::inner::balance;
use crate::parser::search::price;
use crate::parser::search::reading::{Move, OpenString, Reading};
use crate::parser::search::text::names::is_sign;
use crate::parser::search::text::quotes::{Quote, odd_quotes};

/// Maximum number of places between two quotes at which a closing quote may be missing.
const PLACES: usize = 5;

/// Number of bytes that are searched for such places, after the beginning and before the next
/// quote.
const LOOK: usize = 1_500;
const LOOK_BACK: usize = 256;

/// The bytes before or after which a string without its closing quote may end.
const MAY_END: [bool; 256] = {
    let mut may = [false; 256];
    let signs = b"\"'`<,;:={}[])\n";
    let mut at = 0;
    while at < signs.len() {
        may[signs[at] as usize] = true;
        at += 1;
    }
    let mut lead = 0xc2;
    while lead < 256 {
        may[lead] = true;
        lead += 1;
    }
    may
};

impl Search<'_> {
    /// Forks at the places before `limit` where the string may have ended.
    pub(crate) fn ends_before(&mut self, reading: Reading, open: OpenString, limit: usize) {
        let from = open.from as usize;
        // A string that already costs too much is not split.
        if self.is_given_up(&reading, price::MISMATCHED) {
            return;
        }
        let stop = limit.min(from + LOOK);
        self.charge(stop.saturating_sub(from) / 2);
        let (mut found, mut at, mut closed) = (0, from, 0);
        while at < limit && found < PLACES {
            // In a long string, only the beginning and the end are searched.
            if at >= stop && at + LOOK_BACK < limit {
                at = limit - LOOK_BACK;
                while !self.text.text.is_char_boundary(at) {
                    at += 1;
                }
            }
            let near = &self.text.bytes[at..if at < stop { stop } else { limit }];
            let Some(plain) = near.iter().position(|c| MAY_END[*c as usize]) else {
                at += near.len();
                continue;
            };
            at += plain;
            if self.is_spent() {
                break;
            }
            let byte = self.text.at(at);
            if let Some(behind) = self.other_quote(&open, at) {
                // `{"a": "x', "b": 1}`: the token after the single quote may follow a string.
                if self.follows(reading.frame, open.role, behind) {
                    let ends = (at, behind);
                    let by = Some(Move::MismatchedQuotes);
                    // The first of several places, as below.
                    let mut cost = price::MISMATCHED + found as u32;
                    // `"say '`: the text breaks off after it.
                    if self.text.space(behind).0 >= self.text.len() {
                        cost += 2 * price::CUT_COMMA;
                    }
                    self.end(reading, open, ends, cost, by);
                    found += 1;
                    closed = behind;
                }
            // A quote of another kind closes the string rather than being its last character.
            } else if at != closed
                && self.may_end_at(&open, at)
                && self.follows(reading.frame, open.role, at)
            {
                // The first of several places: the rest may be separate items.
                let later = Reading {
                    cost: reading.cost + found as u32,
                    ..reading
                };
                found += usize::from(self.ends_without_quote(later, open, at));
                if open.is_name() {
                    break;
                }
                if byte == b'\n' {
                    at = self.text.space(at).0.max(at + 1);
                    continue;
                }
            }
            // `{"a [1, 2], "b": 3}`: both the quote and the colon are missing before an array.
            if open.is_name() && at > from && self.value_of_name(at) {
                let end = from + self.text.text[from..at].trim_ascii_end().len();
                let by = Some(Move::MissingQuote);
                self.end(reading, open, (end, at), price::MISSING_CLOSE, by);
                break;
            }
            at += self.text.char_at(at).len_utf8();
        }
    }

    /// Returns the offset after a quote of another kind at `at` that does not close a pair inside
    /// the string.
    fn other_quote(&self, open: &OpenString, at: usize) -> Option<usize> {
        let byte = self.text.at(at);
        let token = byte == b'<' && matches!(self.text.opens(at), Some((Quote::Token, _)));
        // `b\": 1`: the quote after a key was escaped. In a string the escape may be intended:
        // `"a 5\", b"`.
        let escaped = byte == b'\\' && open.is_name();
        if !(matches!(byte, b'"' | b'\'' | b'`') || token || escaped || byte >= 0xc2) {
            return None;
        }
        let fence = byte == b'`' && at > 1 && self.text.bytes[at - 2..at] == *b"``";
        let (quote, length) = self.text.opens(at).filter(|_| !fence)?;
        if quote == open.quote {
            return None;
        }
        let start = self.near(open.start as usize, at);
        let inside = &self.text.text[start..at];
        self.charge(inside.len() / 16);
        let paired = match self.text.char_at(at) {
            // `‘80s’`: the character closes a pair inside the string.
            '’' => inside.contains('‘'),
            '”' => inside.contains('“'),
            '»' => inside.contains('«'),
            '」' => inside.contains('「'),
            // An apostrophe within a word is not part of a pair: `it's`.
            '\'' => {
                let letter = |at: usize| self.text.at(at).is_ascii_alphabetic();
                let signs = memchr::memchr_iter(b'\'', inside.as_bytes());
                let signs = signs.map(|sign| start + sign);
                signs
                    .filter(|&sign| !letter(sign - 1) || !letter(sign + 1))
                    .count()
                    % 2
                    == 1
            }
            _ if byte < 0x80 => memchr::memchr_iter(byte, inside.as_bytes()).count() % 2 == 1,
            other => inside.contains(other),
        };
        (!paired).then_some(at + length)
    }

    /// Returns `true` if the last character before `end` replaces the closing quote: another quote, or
    /// a symbol that the string does not have elsewhere.
    pub(crate) fn replaces_quote(&self, open: &OpenString, end: usize) -> bool {
        let inside = &self.text.text[(open.start as usize).min(end)..end];
        let Some((at, last)) = inside.char_indices().next_back() else {
            return false;
        };
        let is_single =
            |sign: u8| is_sign(sign) && memchr::memchr(sign, &inside.as_bytes()[..at]).is_none();
        let quote = self.other_quote(open, end - last.len_utf8());
        quote == Some(end) || u8::try_from(last).is_ok_and(is_single)
    }

    /// Returns `true` if a string may end before the character at `at`.
    fn may_end_at(&self, open: &OpenString, at: usize) -> bool {
        match self.text.at(at) {
            // `"a": "x, "b": 1`: before a comma, closer or line break.
            b',' | b'}' | b']' | b')' | b'\n' => !open.is_name(),
            // `{"a: 1}`: a key ends before its colon.
            b':' | b'=' => open.is_name(),
            _ => false,
        }
    }

    /// Ends the string before the character at `at`, if it is not empty or is a value.
    fn ends_without_quote(&mut self, reading: Reading, open: OpenString, at: usize) -> bool {
        let start = open.start as usize;
        let trims =
            |c: char| matches!(c, ' ' | '\t' | '\r') || open.is_name() && matches!(c, ':' | ',');
        let end = start + self.text.text[start..at].trim_end_matches(trims).len();
        if end == start && open.is_name() {
            return false;
        }
        let inside = &self.text.bytes[(open.from as usize).min(end)..end];
        let odd = if open.odd == odd_quotes(inside) {
            0
        } else {
            price::ODD_QUOTES
        };
        // `"hello wor`, with the closing fence on the next line: the text was truncated.
        let mark = self.text.space(at).0;
        let cut_at_mark =
            self.text.at(at) == b'\n' && mark < self.text.len() && self.text.ends(mark);
        let missing = match self.closes_root(reading.frame, at) {
            // `"x\n}`, with the fence on the next line: the brace closes the value.
            _ if cut_at_mark && self.text.fence_ends(mark) => {
                let inside = &self.text.bytes[start..at];
                self.charge(inside.len() / 16);
                let closers = matches!(inside.trim_ascii_end(), [.., b'}' | b']']);
                let closed = closers && balance(inside) < 0;
                price::CUT_AT_FENCE + if closed { price::CLOSERS_SWALLOWED } else { 0 }
            }
            Some(behind) if self.text.ends(behind.0) => price::MISSING_CLOSE_END,
            _ => price::MISSING_CLOSE,
        };
        // `"First, `: the text breaks off after the comma.
        let comma = self
            .text
            .comma(at)
            .map(|length| self.text.trivia(at + length).0);
        let blank = self.text.at(at) == b'\n' && self.text.space(at).0 >= self.text.len();
        let cut = blank || comma == Some(self.text.len());
        let cut = if cut { price::CUT_COMMA } else { 0 };
        let swallowed = if open.quote == Quote::Double {
            0
        } else {
            self.members_within(start, end)
        };
        // The truncated part may have closed every open container.
        let mut cost = match missing {
            _ if cut_at_mark && self.text.fence_ends(mark) => missing,
            _ => missing + odd + cut + swallowed + self.unclosed_here(&open, end),
        };
        if comma.is_some_and(|next| self.is_bare_member(next)) {
            cost = cost.saturating_sub(price::BARE_MEMBER_TOLD);
        }
        if self.expected_line_begins(at, comma.unwrap_or(mark)) {
            cost = cost.saturating_sub(price::EXPECTED_LINE_TOLD);
        }
        let last = self.text.bytes[start..end].last().copied().unwrap_or(b' ');
        let stands_for_quote = if open.is_name() {
            last.is_ascii_punctuation() && !matches!(last, b')' | b'%' | b'?' | b'!')
        } else {
            // `"f({}`: the closer closes the bracket before it.
            let closed = matches!((last, self.text.at(at)), (b'{', b'}') | (b'[', b']'));
            is_sign(last) && !matches!(last, b'.' | b'/' | b')')
                || matches!(last, b'{' | b'[') && !closed
        };
        // `"a": "x}, "b": 1` or `"a": "x*, "b": 1`: the last character replaces the quote.
        if stands_for_quote && end > start + 1 && !cut_at_mark {
            let by = Some(Move::MismatchedQuotes);
            self.end(reading, open, (end - 1, end), cost, by);
            return true;
        }
        let (end, by) = match cut_at_mark {
            // White space before the truncation is part of the string.
            true => (
                start + self.text.text[start..at].trim_end_matches('\r').len(),
                Move::Unclosed,
            ),
            false => (end, Move::MissingQuote),
        };
        self.end(reading, open, (end, end), cost, Some(by));
        true
    }

    /// Returns `true` if an expected member begins at `next`, on another line than the token at
    /// `at`, so that a comma before it is not part of the string.
    fn expected_line_begins(&self, at: usize, next: usize) -> bool {
        self.text.bytes[at..next].contains(&b'\n') && self.expected_begins(next)
    }

    /// Returns `true` if a member with an expected key begins at `at`, with both quotes, one or
    /// none.
    fn expected_begins(&self, at: usize) -> bool {
        let name = at + self.text.opens(at).map_or(0, |(_, length)| length);
        self.text.names.is_some()
            && self.text.name_ahead(at)
            && self.text.expects(self.text.word_at(name))
    }

    /// Returns `true` if there is a complete member with an unquoted key at `at`, whose value is
    /// not a string: `b: 1}`.
    fn is_bare_member(&self, at: usize) -> bool {
        if self.text.opens(at).is_some() {
            return false;
        }
        let Some(colon) = self.text.name_end(at) else {
            return false;
        };
        let value = self.text.space(colon).0;
        let end = self.text.word(value);
        let word = self.text.word_at(value);
        let behind = self.text.space(end).0;
        let ends = self.text.comma(behind).is_some() || self.text.closer(behind);
        matches!(self.text.at(value), b'{' | b'[') || ends && (is_number(word) || is_keyword(word))
    }

    /// Returns the beginning of a string, or an offset shortly before `end` if that is far.
    fn near(&self, start: usize, end: usize) -> usize {
        let mut near = start.max(end.saturating_sub(LOOK));
        while !self.text.text.is_char_boundary(near) {
            near += 1;
        }
        near
    }

    /// Returns the cost of complete members in double quotes within a string in other quotes:
    /// `'x, "b": 1`.
    fn members_within(&self, start: usize, end: usize) -> u32 {
        let start = self.near(start, end);
        let inside = self.text.bytes.get(start..end).unwrap_or_default();
        self.charge(inside.len() / 16);
        memchr::memmem::find_iter(inside, b"\":").count() as u32 * price::SWALLOWED
    }

    /// Returns `true` if a container that is the value of the key before it begins at `at`.
    fn value_of_name(&self, at: usize) -> bool {
        let inside = self.text.space(at + 1).0;
        matches!(self.text.at(at), b'[' | b'{')
            && matches!(
                self.text.at(inside),
                b'"' | b'{' | b'[' | b']' | b'}' | b'-' | b'0'..=b'9'
            )
    }
}
