//! Moves at words and punctuation where a value is expected.

use crate::parser::look::scalars::{is_keyword, is_number};
use crate::parser::search::beam::Search;
use crate::parser::search::price;
use crate::parser::search::reading::{Event, Kind, Move, OpenString, Reading, TextRole, Want};
use crate::parser::search::text::names::is_sign;
use crate::parser::search::text::quotes::Quote;
use crate::parser::words::grouped_digits::grouped;

/// Maximum number of words before a value that are skipped.
const WORDS_BEFORE: usize = 4;

impl Search<'_> {
    /// Reads a number, keyword or unquoted string.
    pub(crate) fn word(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let end = self.text.word(at);
        let word = &self.text.text[at..end];
        let next = self.text.space(end).0;
        if self.frame(&reading).kind.has_names() {
            self.grouped_digits(reading);
        }
        self.word_before_value(reading, end, next);
        let cut = end >= self.text.len();
        if cut && matches!(word, "-" | "+" | ".") {
            // `[1, -`: nothing of the number remains.
            let made = self.made(reading, Move::CutNumber, (at, end), 0);
            return self.go(made, end, reading.want);
        }
        let number =
            is_number(word) || cut && is_number(word.trim_end_matches(['e', 'E', '+', '-', '.']));
        let exact = is_keyword(word) || number;
        let good = end > at && self.follows(reading.frame, TextRole::Value, end);
        let sign = |c: &u8| is_sign(*c) && *c != b'.';
        let signs = word.bytes().rev().take_while(sign).count();
        let before = &word[..word.len() - signs];
        // `2)`, `2;`: these characters have a meaning.
        let means = self.text.at(end) == b')' || self.text.comma(end).is_some();
        let behind = if (exact || signs == 0) && !means && !self.closes(reading.frame, end) {
            self.text.signs(end)
        } else {
            0
        };
        if (signs > 0 || behind > 0)
            && (is_keyword(before) || is_number(before))
            && self.follows(reading.frame, TextRole::Value, end + behind)
        {
            // `2.50/,`
            let value = at + before.len();
            let read = self.with(reading, Event::Bare(at as u32, value as u32, false));
            let read = self.made(
                read,
                Move::StraySign,
                (value, end + behind),
                price::STRAY_SIGN,
            );
            let read = self.after_value(read);
            self.go(read, end + behind, read.want);
            let cost = reading.cost + price::BARE_SIGN;
            return self.bare_text(Reading { cost, ..reading });
        }
        if exact || is_keyword(word) {
            let read = self.with(reading, Event::Bare(at as u32, end as u32, cut));
            let read = self.after_value(read);
            self.go(read, end, read.want);
        }
        // `"a": 5 apples, "b": 1`: words follow the number, so the whole may be a string.
        if !exact || !good {
            let keyword = self.is_keyword_beside_word(word, next);
            // `[10:30]` is a time, `[a:30` more likely a member.
            let time =
                self.text.at(end) == b':' && self.text.at(end + 1).is_ascii_digit() && number;
            let member = if self.text.name_ahead(at) && !time {
                price::BARE_MEMBER
            } else {
                0
            };
            let cost = reading.cost
                + member
                + if keyword {
                    price::BARE_KEYWORD
                } else if exact && self.is_value(next) && !self.frame(&reading).kind.has_names() {
                    price::BARE_VALUES
                } else if exact {
                    price::BARE_NUMBER
                } else {
                    0
                };
            self.bare_text(Reading { cost, ..reading });
        }
    }

    /// `1,234,567`: a key after the comma of a member does not begin with a digit.
    pub(crate) fn grouped_digits(&mut self, reading: Reading) {
        let at = reading.at as usize;
        if let Some(number) = grouped(self.text.bytes, at)
            // `1,234.`: the digits after the point are missing.
            && let point = usize::from(self.text.at(number.end) == b'.')
            && let end = number.end + point
            && (self.follows(reading.frame, TextRole::Value, end)
                || self.quote_behind_comma(end))
            && !self.expects_list(&reading)
        {
            self.groups(reading, (number.end, point), false);
        }
    }

    /// Reads the digits up to `end`, and a point of this length after them.
    pub(crate) fn groups(&mut self, reading: Reading, (end, point): (usize, usize), cut: bool) {
        let digits = (reading.at as usize, end);
        let made = self.made(reading, Move::GroupedDigits, digits, price::GROUPED_DIGITS);
        let mut read = self.with(made, Event::Bare(reading.at, end as u32, cut));
        if point > 0 {
            read = self.made(read, Move::CutNumber, (end, end + point), 0);
        }
        let read = self.after_value(read);
        self.go(read, end + point, read.want);
    }

    /// Returns `true` if a comma and a quote follow `at`.
    pub(crate) fn quote_behind_comma(&self, at: usize) -> bool {
        let comma = self.text.space(at).0;
        let next = self
            .text
            .comma(comma)
            .map(|length| self.text.space(comma + length).0);
        next.is_some_and(|next| self.text.opens(next).is_some())
    }

    /// Returns `true` if there is a number, keyword or quoted string at `at`.
    pub(crate) fn is_value(&self, at: usize) -> bool {
        let word = self.text.word_at(at);
        is_number(word) || is_keyword(word) || self.text.opens(at).is_some()
    }

    /// Returns `true` if a word and the text at `next` form exactly a keyword and one other word.
    pub(crate) fn is_keyword_beside_word(&self, word: &str, next: usize) -> bool {
        let end = self.text.word(next);
        let (behind, line) = self.text.space(end);
        let closes = self.text.closer(behind) || self.text.comma(behind).is_some();
        end > next && (closes || line) && is_keyword(word) != is_keyword(&self.text.text[next..end])
    }

    /// Words before the value, on the same line.
    pub(crate) fn word_before_value(&mut self, reading: Reading, mut end: usize, mut next: usize) {
        let at = reading.at as usize;
        for _ in 1..WORDS_BEFORE {
            let further = self.text.word(next);
            if self.text.value_starts(next) || next == end || further == next {
                break;
            }
            (end, next) = (further, self.text.space(further).0);
        }
        let colon = usize::from(self.text.at(next) == b':');
        let (behind, line) = self.text.space(next + colon);
        let apart = next > end || behind > next;
        // `"a": approx 5, "b": 1`: words before the value, which are skipped.
        let words = self.text.text[at..next].trim_ascii_end();
        // `"a": no`, with `b: 1` on the next line: a member.
        let member = colon > 0 && words.contains('\n');
        if end > at && !line && !member && apart && self.text.value_starts(behind) {
            // `["a", and "b"]`
            let one = words.bytes().all(|c| c.is_ascii_alphabetic())
                && !self.frame(&reading).kind.has_names();
            let stray = if one {
                price::STRAY_WORD
            } else {
                price::STRAY_TEXT
            };
            // `"a": 1 // [2]`: the first word is a value itself.
            let first = self.text.word_at(at);
            let value = is_number(first) || is_keyword(first);
            let cost = stray + if value { price::DROPPED_VALUE } else { 0 };
            let made = self.made(reading, Move::StrayText, (at, behind), cost);
            self.go(made, behind, reading.want);
        }
    }

    /// Handles another character in place of the bracket before members: `["" "a": 1}`, `<"a": 1}`.
    pub(crate) fn sign_for_opener(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let byte = self.text.at(at);
        if byte.is_ascii_alphanumeric() || matches!(byte, b'{' | b'}' | b']' | b',' | 0x80..) {
            return;
        }
        let name = self.text.space(at + 1).0;
        if self.text.opens(name).is_some()
            && self.text.name_ahead(name)
            && !self.text.name_ahead(at)
        {
            let sign = (at, at + 1);
            let dropped = self.made(reading, Move::StraySign, sign, price::SIGN_FOR_OPENER);
            let dropped = self.passed(dropped, (at + 1, name));
            let made = self.made(dropped, Move::MissingOpener, (name, name), 0);
            let at = name as u32;
            let opened = self.open(Reading { at, ..made }, Kind::Object, 0);
            self.go(opened, name, Want::Name);
        }
    }

    /// Handles characters directly before a value, which mean nothing or replace its quote:
    /// `>true`, `\ 2.50`, `*word"`. Returns the hypothesis that reads them as content, which is
    /// less likely in that case.
    pub(crate) fn sign_before_value(&mut self, reading: Reading) -> Reading {
        let at = reading.at as usize;
        let quote = self.text.opens(at).filter(|quote| quote.0 != Quote::Double);
        let length = match quote {
            // `'"x"`: another quote before the double one.
            Some((_, length)) if self.text.at(at + length) == b'"' => length,
            Some((Quote::Escaped | Quote::EscapedTwice, _)) => return reading,
            // `'x'`: a single quote of another kind opens a string.
            Some(_) if self.text.signs(at) < 2 => return reading,
            Some(_) => self.text.signs(at),
            None => self.text.signs(at),
        };
        if length == 0 || self.text.at(at) == b'(' || self.text.ellipsis(at).is_some() {
            return reading;
        }
        let behind = self.text.space(at + length).0;
        if self
            .text
            .whole_value_starts(behind, behind > at + length || self.text.at(at) == b'\\')
        {
            let made = self.made(
                reading,
                Move::StraySign,
                (at, at + length),
                price::STRAY_SIGN,
            );
            self.go(made, at + length, reading.want);
            return Reading {
                cost: reading.cost + price::BARE_SIGN,
                ..reading
            };
        }
        self.sign_for_quote(reading, TextRole::Value);
        reading
    }

    /// Handles another character in place of the opening quote of a string: `<word", `.
    pub(crate) fn sign_for_quote(&mut self, reading: Reading, role: TextRole) {
        let at = reading.at as usize;
        let letter = self.text.char_at(at + 1);
        if !(is_sign(self.text.at(at)) || self.text.at(at) == b'-') || !letter.is_alphanumeric() {
            return;
        }
        let mut made = self.made(
            reading,
            Move::SignForQuote,
            (at, at + 1),
            price::SIGN_FOR_QUOTE,
        );
        made.open = Some(OpenString::new(at, at + 1, Quote::Double, role));
        self.go(made, at + 1, reading.want);
    }

    /// Begins an unquoted string.
    pub(crate) fn bare_text(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let mut made = self.made(reading, Move::UnquotedString, (at, at), price::BARE_TEXT);
        made.open = Some(OpenString::new(at, at, Quote::Bare, TextRole::Value));
        self.out.push(made);
    }
}
