//! Moves where a key is expected, and after a key.

use crate::parser::search::beam::Search;
use crate::parser::search::price;
use crate::parser::search::reading::{
    Event, Kind, Move, OpenString, QUOTED_NAME, Reading, StringPlace, TextRole, Want,
};
use crate::parser::search::text::quotes::Quote;

/// Maximum number of moves between a key and its colon for which the key is still compared.
const MOVES_BETWEEN: u32 = 8;

impl Search<'_> {
    pub(crate) fn name(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let byte = self.text.at(at);
        if self.closes(reading.frame, at) {
            let closed = if reading.want == Want::Name {
                self.made(reading, Move::ExtraComma, (at, at), 0)
            } else {
                reading
            };
            return self.closer(closed);
        }
        if let Some(length) = self.text.comma(at) {
            let made = self.made(
                reading,
                Move::ExtraComma,
                (at, at + length),
                price::EXTRA_COMMA,
            );
            return self.go(made, at + length, reading.want);
        }
        self.aside(reading);
        let reading = self.member_column(reading);
        self.close_for_name(reading);
        if self.odd_name(reading) {
            return;
        }
        self.anchored(reading);
        if let Some((quote, length)) = self.text.opens_token(at) {
            // `{"a": 1, "}`: only closers follow the quote.
            if length == 1
                && self
                    .closes_root(reading.frame, at + 1)
                    .is_some_and(|end| self.text.ends(self.behind_closers(end.0)))
            {
                let made = self.made(reading, Move::StrayQuote, (at, at + 1), price::STRAY_SIGN);
                self.go(made, at + 1, reading.want);
            }
            // `{"a": "{'b': 1, 'c': 2}`: among keys in double quotes, the first one in other quotes
            // is unlikely.
            let quotes = 1 << Move::OtherQuotes as u64 | 1 << Move::MismatchedQuotes as u64;
            let first = reading.made & quotes == 0;
            let among = quote == Quote::Single && first && reading.made & QUOTED_NAME != 0;
            let cost = reading.cost + if among { price::BARE_AMONG_QUOTED } else { 0 };
            self.quoted(Reading { cost, ..reading }, quote, length, TextRole::Name);
            // `[{"a": 1, "b"]`: not a key, since no colon follows. The object was not closed before
            // the next item of the outer array.
            if !self.text.name_ahead(at) && reading.want != Want::NameOrEnd {
                self.close_for(reading, |kind| kind == Kind::Array, Want::Value);
            }
            return;
        }
        if matches!(byte, b'{' | b'[') {
            // `[{{"b": 2}}]`: doubled.
            let doubled = reading.want == Want::NameOrEnd && byte == b'{';
            let cost = if doubled {
                price::DOUBLED_OPENER
            } else {
                price::EXTRA_OPENER
            };
            let made = self.made(reading, Move::ExtraOpener, (at, at + 1), cost);
            self.go(made, at + 1, reading.want);
            self.row(reading);
            // An object in an array was not closed before the next one.
            return self.close_for(reading, |kind| kind == Kind::Array, Want::Value);
        }
        // `{*a": 1}`: another character in place of the opening quote.
        if self.text.signs(at) > 0 || byte == b'-' {
            self.sign_for_quote(reading, TextRole::Name);
        }
        // `{"a": 1, ) "b": 2}`: a character that cannot begin a key.
        if self.text.word(at) == at {
            return self.drop_here(reading);
        }
        self.bare_name(reading);
    }

    /// Skips text before a quoted key that begins its line, or a marker before one: `[1] "a": 1`.
    pub(crate) fn anchored(&mut self, reading: Reading) {
        if let Some(key) = self.text.anchor(reading.at as usize) {
            self.skip_to(reading, key);
        }
    }

    /// Skips a sentence on a separate line, outside the column in which the next line begins
    /// another member or item, or before a closer.
    pub(crate) fn aside(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let Some(here) = self.text.first_on_line(at) else {
            return;
        };
        let Some(next) = self.text.sentence(at) else {
            return;
        };
        let known = self.frame(&reading).column;
        let column = self.text.first_on_line(next);
        let begins = match known < 0 {
            true => column.is_some_and(|column| here < column),
            false => here != known && column == Some(known),
        };
        let begins = begins && self.text.value_starts(next);
        if begins || known >= 0 && here != known && self.closes(reading.frame, next) {
            self.skip_to(reading, next);
        }
    }

    fn skip_to(&mut self, reading: Reading, next: usize) {
        let at = reading.at as usize;
        let made = self.made(reading, Move::StrayText, (at, next), price::ANCHOR);
        self.go(made, next, reading.want);
    }

    /// Reads a key in Markdown or program syntax: `*a*: 1`, `["a"]: 1`, `:a => 1`. Returns `true`
    /// if there is one.
    fn odd_name(&mut self, reading: Reading) -> bool {
        let at = reading.at as usize;
        let Some((start, end, next)) = self.text.odd_name(at).filter(|_| self.text.name_ahead(at))
        else {
            return false;
        };
        // Only the brackets around a quoted key are unusual; otherwise the whole key is.
        let inside = self.text.space(at + 1).0;
        let quote = self.text.opens(inside).filter(|_| self.text.at(at) == b'[');
        let (what, from, quote, behind) = match quote {
            Some((quote, _)) => {
                let behind = end + self.text.closes(quote, end);
                (Move::Wrapper, inside, quote, behind)
            }
            None => (Move::OddName, next, Quote::Bare, next),
        };
        let begin = if quote == Quote::Bare { at } else { from };
        let [begin, start, end, text_end] = [begin, start, end, behind].map(|at| at as u32);
        let place = StringPlace {
            begin,
            start,
            end,
            next: text_end,
        };
        let made = self.made(reading, what, (at, from), price::ODD_NOTATION);
        let mut made = self.with_name(made, Event::Name(place, quote, 0));
        if behind < next {
            made = self.made(made, Move::Wrapper, (behind, next), 0);
        }
        self.go(made, next, Want::Colon);
        true
    }

    /// `{"a": 1, {"a": 2}`: another object begins with a key of this one, which was not closed
    /// before it: they are several values.
    pub(crate) fn row(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let inside = self.text.trivia(at + 1).0;
        let Some((name, _)) = self
            .text
            .name_at(inside)
            .filter(|_| self.outermost(&reading))
        else {
            return;
        };
        if self.has_name(&reading, &self.text.text[name]) {
            let closed = self.close_missing(reading);
            self.go(closed, at, closed.want);
        }
    }

    /// Reads an unquoted key, or words before a key.
    fn bare_name(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let end = self.text.word(at);
        let colon = self.text.space(end).0;
        if self.text.at(colon) == b':' && self.text.name_ahead(self.text.space(colon + 1).0) {
            // `NOTE: "name": 1`
            let made = self.made(reading, Move::StrayText, (at, colon + 1), price::STRAY_TEXT);
            self.go(made, colon + 1, reading.want);
        }
        if !self.text.name_ahead(at) {
            self.drop_here(reading);
        }
        let quoted = self.text.opens(end).is_some();
        let first = reading.made & (1 << Move::UnquotedKey as u64) == 0;
        // `{"a": 1, b: 2}`: among quoted keys, the first unquoted one is unlikely. It may be part
        // of the previous value.
        let among_quoted = !quoted && first && reading.made & QUOTED_NAME != 0;
        let among_quoted = if among_quoted {
            price::BARE_AMONG_QUOTED
        } else {
            0
        };
        let sign = !self.text.char_at(at).is_alphanumeric()
            && !matches!(self.text.at(at), b'_' | b'$' | b'@');
        // `Point(x=1)`: keys within a call are unquoted.
        let call = self.frame(&reading).closer != b'}';
        let name = if call {
            0
        } else {
            price::BARE_NAME + among_quoted
        };
        let cost = name + if sign { price::BARE_SIGN } else { 0 };
        let mut made = self.made(reading, Move::UnquotedKey, (at, at), cost);
        made.open = Some(OpenString::new(at, at, Quote::Bare, TextRole::Name));
        self.out.push(made);
    }

    /// Reads the colon or its substitute after a key.
    pub(crate) fn colon(&mut self, reading: Reading) {
        let at = reading.at as usize;
        if let Some(length) = self.text.colon(at) {
            let usual = self.text.at(at) == b':' && length == 1;
            let call = self.frame(&reading).closer != b'}';
            let cost = if call { 0 } else { price::ODD_SEPARATOR };
            let made = if usual {
                reading
            } else {
                self.made(reading, Move::OddSeparator, (at, at + length), cost)
            };
            return self.go(made, at + length, Want::Value);
        }
        let comma = self.text.comma(at);
        if comma.is_some() || self.text.closer(at) {
            return self.sign_for_colon(reading, comma);
        }
        self.sign_for_any_colon(reading);
        // `{"a" "b": 1}`: a complete member follows the key.
        let before = self.text.text[..at].trim_end();
        let quoted = before.ends_with(['"', '\'']);
        if quoted && self.text.name_ahead(at) && self.text.opens(at).is_some() {
            self.missing_value(reading, Want::Name);
        }
        if let Some(colon) = self.repeated_key(&reading) {
            // `"b""b": "y"`
            let made = self.made(reading, Move::StrayText, (at, colon), price::REPEATED_NAME);
            self.go(made, colon, Want::Colon);
        }
        if let Some((_, length)) = self.text.opens(at)
            && self.text.colon(self.text.space(at + length).0).is_some()
        {
            // `"name"": 1`
            let cost = price::DOUBLED_QUOTE;
            let made = self.made(reading, Move::StraySign, (at, at + length), cost);
            self.go(made, at + length, Want::Colon);
        }
        let end = self.text.word(at);
        let half_quoted = end > at && self.text.opens(end).is_some();
        // `{"a" 1}`: the colon is missing. Also before a string without its opening quote:
        // `{"a" x"}`.
        if half_quoted || self.text.value_starts(at) {
            let made = self.made(reading, Move::MissingColon, (at, at), price::MISSING_COLON);
            self.go(made, at, Want::Value);
        }
        self.drop_here(reading);
    }

    /// Returns the offset of the colon after a quoted key here that repeats the member's key.
    pub(crate) fn repeated_key(&self, reading: &Reading) -> Option<usize> {
        let (quote, length) = self.text.opens(reading.at as usize)?;
        let start = reading.at as usize + length;
        let end = self.text.next_quote(quote, start)?;
        let mut at = reading.trail;
        let mut moves = 0;
        let name = loop {
            let step = self.trail[at as usize];
            match step.event {
                Event::Name(place, ..) => break place,
                Event::Made(..) if moves < MOVES_BETWEEN => (at, moves) = (step.before, moves + 1),
                _ => return None,
            }
        };
        self.charge((end - start) / 16 + 1);
        let same =
            self.text.bytes[start..end] == self.text.bytes[name.start as usize..name.end as usize];
        let colon = self.text.space(end + self.text.closes(quote, end)).0;
        (same && self.text.colon(colon).is_some()).then_some(colon)
    }

    /// Reads a single character between a key and a value as a colon: `"a"' "b"`, `"a"} {`.
    fn sign_for_any_colon(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let sign = self.text.at(at);
        let behind = self.text.space(at + 1).0;
        let apart = behind > at + 1 || !matches!(sign, b'"' | b'\'' | b'`' | b'-');
        let means = sign.is_ascii_alphanumeric() || matches!(sign, b'"' | 0x80..);
        if !means && apart && self.text.value_starts(behind) {
            let cost = price::SIGN_FOR_COLON;
            let made = self.made(reading, Move::SwappedSeparator, (at, at + 1), cost);
            self.go(made, at + 1, Want::Value);
        }
    }

    /// Handles a comma or closer after a key.
    fn sign_for_colon(&mut self, reading: Reading, comma: Option<usize>) {
        let at = reading.at as usize;
        let behind = self.text.trivia(at + comma.unwrap_or(1)).0;
        // `"a",: 1`: the character before the colon is a slip.
        if self.text.colon(behind).is_some() {
            let (slip, length) = match comma {
                Some(length) => (Move::ExtraComma, length),
                None => (Move::ExtraCloser, 1),
            };
            let made = self.made(reading, slip, (at, at + length), price::STRAY_SIGN / 2);
            self.go(made, at + length, Want::Colon);
        }
        // `"a", 1`: a comma in the place of the colon.
        if let Some(length) = comma.filter(|_| self.text.value_starts(behind)) {
            let cost = price::SWAPPED_SEPARATOR;
            let made = self.made(reading, Move::SwappedSeparator, (at, behind), cost);
            self.go(made, at + length, Want::Value);
        }
        if comma.is_none() {
            self.sign_for_any_colon(reading);
        }
        self.missing_value(reading, Want::Next);
    }
}
