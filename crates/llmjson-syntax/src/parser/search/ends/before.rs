//! The ends of a text without its closing quote, or at a quote of another kind.

use crate::parser::search::beam::Search;
use crate::parser::search::ends::quoted::odd_quotes;
use crate::parser::search::price;
use crate::parser::search::reading::{Move, OpenString, Reading};
use crate::parser::search::text::is_sign;

/// Places where a closing quote may be missing, between two quotes, at most.
const PLACES: usize = 5;

/// Bytes that are searched for them.
const LOOK: usize = 1_500;

impl Search<'_> {
    /// Forks where the text may have ended before `limit`.
    pub(crate) fn ends_before(&mut self, reading: Reading, open: OpenString, limit: usize) {
        let from = open.from as usize;
        let stop = limit.min(from + LOOK);
        self.charge(stop.saturating_sub(from) / 2);
        let (mut found, mut at) = (0, from);
        while at < stop && found < PLACES && !self.is_spent() {
            let byte = self.text.at(at);
            if let Some(behind) = self.other_quote(&open, at) {
                // `{"a": "x', "b": 1}`: the single quote is followed by what follows a text.
                if self.follows(reading.frame, open.role, behind) {
                    let ends = (at, behind);
                    let by = Some(Move::MismatchedQuotes);
                    self.end(reading, open, ends, price::MISMATCHED, by);
                    found += 1;
                }
            } else if self.may_end_at(&open, at) && self.follows(reading.frame, open.role, at) {
                // Of several places the first: what follows may be items of their own.
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
            // `{"a [1, 2], "b": 3}`: both the quote and the colon are missing before a list.
            if open.is_name() && at > from && self.value_of_name(at) {
                let cost = price::MISSING_CLOSE;
                self.end(reading, open, (at, at), cost, Some(Move::MissingQuote));
                break;
            }
            at += self.text.char_at(at).len_utf8();
        }
    }

    /// Returns the offset behind a quote of another kind at `at` that does not close a pair inside
    /// the text.
    fn other_quote(&self, open: &OpenString, at: usize) -> Option<usize> {
        let byte = self.text.at(at);
        if !(matches!(byte, b'"' | b'\'' | b'`') || byte >= 0xc2) {
            return None;
        }
        let fence = byte == b'`' && at > 1 && self.text.bytes[at - 2..at] == *b"``";
        let (quote, length) = self.text.opens(at).filter(|_| !fence)?;
        if quote == open.quote {
            return None;
        }
        let inside = &self.text.text[open.start as usize..at];
        self.charge(inside.len() / 16);
        let paired = match self.text.char_at(at) {
            // `‘80s’`: the sign closes a pair inside the text.
            '’' => inside.contains('‘'),
            '”' => inside.contains('“'),
            other if byte < 0x80 => inside.matches(other).count() % 2 == 1,
            other => inside.contains(other),
        };
        (!paired).then_some(at + length)
    }

    /// Returns `true` if a text may end before the sign at `at`.
    fn may_end_at(&self, open: &OpenString, at: usize) -> bool {
        match self.text.at(at) {
            // `"a": "x, "b": 1`: before a comma, closer or line break.
            b',' | b'}' | b']' | b')' | b'\n' | b';' => !open.is_name(),
            // `{"a: 1}`: a name ends before its colon.
            b':' | b'=' => open.is_name(),
            _ => false,
        }
    }

    /// Ends the text before the sign at `at`, if it holds anything or is a value.
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
        let missing = if self.closes_all(reading.frame, at) {
            price::MISSING_CLOSE_END
        } else {
            price::MISSING_CLOSE
        };
        let cost = missing + odd + self.unclosed_here(&open, end);
        let last = self.text.bytes[start..end].last().copied().unwrap_or(b' ');
        let stands_for_quote = if open.is_name() {
            last.is_ascii_punctuation() && !matches!(last, b')' | b'%' | b'?' | b'!')
        } else {
            is_sign(last) && !matches!(last, b'.' | b'/' | b')') || matches!(last, b'{' | b'[')
        };
        // `"a": "x}, "b": 1` or `"a": "x*, "b": 1`: the last sign stands in the place of the quote.
        if stands_for_quote && end > start + 1 {
            let by = Some(Move::MismatchedQuotes);
            self.end(reading, open, (end - 1, end), cost, by);
            return true;
        }
        self.end(reading, open, (end, end), cost, Some(Move::MissingQuote));
        true
    }

    /// Returns `true` if a container begins at `at` that is the value of a name before it.
    fn value_of_name(&self, at: usize) -> bool {
        let inside = self.text.space(at + 1).0;
        matches!(self.text.at(at), b'[' | b'{')
            && matches!(self.text.at(inside), b'"' | b'{' | b'[' | b']' | b'}')
    }
}
