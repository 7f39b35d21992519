//! Moves where a value belongs.

use crate::parser::look::scalars::{is_keyword, is_number};
use crate::parser::search::beam::Search;
use crate::parser::search::price;
use crate::parser::search::reading::{
    Event, Kind, Move, NextLine, OpenString, Reading, SearchContainer, TextRole, Want,
};
use crate::parser::search::text::{Quote, is_sign};

/// Containers that are closed or passed over at once, at most.
pub(crate) const CLOSE_AT_ONCE: usize = 5;

/// Words before a value that are passed over, at most.
const WORDS_BEFORE: usize = 4;

impl Search<'_> {
    pub(crate) fn value(&mut self, reading: Reading, line: NextLine) {
        let at = reading.at as usize;
        let frame = self.frame(&reading);
        let named = frame.kind.has_names();
        // `[1, ]`, `{"a": }`, `{"a": ], "b": 1}`.
        if self.text.closer(at) {
            return self.closer_for_value(reading);
        }
        // `{"a":, "b": 1}`: a value is missing, or the comma is a slip before one: `{"a":, 1}`.
        if let Some(length) = self.text.comma(at) {
            let (kind, cost) = if named {
                self.missing_value(reading, Want::Next);
                (Move::StraySign, price::STRAY_SIGN)
            } else {
                (Move::ExtraComma, price::EXTRA_COMMA)
            };
            let made = self.made(reading, kind, (at, at + length), cost);
            return self.go(made, at + length, reading.want);
        }
        let reading = if named || frame.kind == Kind::Root {
            reading
        } else {
            self.member_column(reading)
        };
        // `{"a": "b": 1}`, `[1, "b": 2`: the reading forks, since what comes may be text as well.
        if self.text.name_ahead(at) {
            self.name_for_value(reading, line);
        }
        let reading = self.sign_before_value(reading);
        self.sign_for_opener(reading);
        match self.text.at(at) {
            b'{' => self.open_here(reading, Kind::Object),
            b'[' => self.open_here(reading, Kind::Array),
            // `{"a": : 1}`, `{"a": (1)}`: a sign that no value begins with, passed over at its price.
            b':' | b'=' | b')' | b'(' => {
                let made = self.made(reading, Move::StraySign, (at, at + 1), price::STRAY_SIGN);
                self.go(made, at + 1, reading.want);
            }
            _ => match self.text.opens(at) {
                Some((quote, length)) => self.quoted(reading, quote, length, TextRole::Value),
                None => self.word(reading),
            },
        }
    }

    /// A closer where a value belongs: the end of a list, one too many, an opener that was meant, or the
    /// value is missing.
    fn closer_for_value(&mut self, reading: Reading) {
        let at = reading.at as usize;
        // `[]`: right behind the opener there need not be a value.
        if reading.want == Want::ValueOrEnd {
            return self.closer(reading);
        }
        // `[1, ]`: the comma before the closer is one too many.
        if !self.frame(&reading).kind.has_names() {
            let made = self.made(reading, Move::ExtraComma, (at, at), 0);
            return self.closer(made);
        }
        // `"status": ]`: the bracket before it is missing.
        let kind = if self.text.at(at) == b'}' {
            Kind::Object
        } else {
            Kind::Array
        };
        let made = self.made(
            reading,
            Move::MissingOpener,
            (at, at),
            price::MISSING_OPENER_EMPTY,
        );
        let opened = self.open(made, kind, 0);
        let closed = self.close(opened, at + 1);
        self.out.push(closed);
        // `"a": ] 1`: the closer is a slip before the value.
        if self.text.value_starts(self.text.trivia(at + 1).0) {
            let made = self.made(
                reading,
                Move::ExtraCloser,
                (at, at + 1),
                price::EXTRA_CLOSER,
            );
            self.go(made, at + 1, Want::Value);
        }
        self.missing_value(reading, Want::Next);
    }

    /// A name without a value.
    pub(crate) fn missing_value(&mut self, reading: Reading, want: Want) {
        let at = reading.at as usize;
        let made = self.made(reading, Move::MissingValue, (at, at), price::MISSING_VALUE);
        let made = self.with(made, Event::Null(at as u32));
        self.go(made, at, want);
    }

    /// Opens a container at its bracket.
    fn open_here(&mut self, reading: Reading, kind: Kind) {
        let opened = self.open(reading, kind, 1);
        self.out.push(opened);
    }

    /// Opens a container whose bracket has this length, which is 0 if it is missing.
    fn open(&mut self, reading: Reading, kind: Kind, length: usize) -> Reading {
        let at = reading.at as usize;
        let frame = self.intern(SearchContainer {
            parent: reading.frame,
            kind,
            open: reading.at,
            column: -1,
            indent: self.text.line_indent(at),
        });
        let (event, want) = if kind.has_names() {
            (Event::Object(reading.at), Want::NameOrEnd)
        } else {
            (Event::Array(reading.at), Want::ValueOrEnd)
        };
        let opened = self.with(reading, event);
        Reading {
            frame,
            at: (at + length) as u32,
            want,
            ..opened
        }
    }

    /// A name and a colon stand where a value belongs: something was not closed, or not opened.
    fn name_for_value(&mut self, reading: Reading, line: NextLine) {
        let at = reading.at as usize;
        let kind = self.frame(&reading).kind;
        if let Some(colon) = self.repeated_name(&reading) {
            // `"title": "title": "Hello"`
            let value = colon + self.text.colon(colon).unwrap_or(0);
            let made = self.made(reading, Move::StrayText, (at, value), price::REPEATED_NAME);
            self.go(made, value, Want::Value);
        }
        // `{"a": [1, "b": 2}`: the list was not closed before the next member of the object around it.
        if kind == Kind::Array {
            self.close_for(reading, Kind::has_names, Want::Name);
        }
        if kind.has_names() && line == NextLine::New {
            // `"a":` and the next member on the next line.
            self.missing_value(reading, Want::Name);
        }
        // `[{"a": 1}, "a": 2}]`: the brace before the name is missing.
        if kind != Kind::Root {
            let made = self.made(
                reading,
                Move::MissingOpener,
                (at, at),
                price::MISSING_OPENER,
            );
            let opened = self.open(made, Kind::Implicit, 0);
            self.go(opened, at, Want::Name);
        }
    }

    /// Closes the containers up to one of another sort that is open further out.
    pub(crate) fn close_for(&mut self, reading: Reading, fits: fn(Kind) -> bool, want: Want) {
        let mut closed = reading;
        for _ in 0..CLOSE_AT_ONCE {
            if self.outermost(&closed) {
                return;
            }
            closed = self.close_missing(closed);
            if fits(self.frame(&closed).kind) {
                let closed = self.comma_behind_closed(reading, closed);
                return self.go(closed, reading.at as usize, want);
            }
        }
    }

    /// The reading that goes on behind closers that are missing, where the comma is missing too unless it
    /// was read before them.
    pub(crate) fn comma_behind_closed(&mut self, before: Reading, closed: Reading) -> Reading {
        // `[1, "b": 2`: the comma has been read already.
        if matches!(before.want, Want::Name | Want::Value) {
            return closed;
        }
        let at = before.at as usize;
        self.made(closed, Move::MissingComma, (at, at), 0)
    }

    /// Returns `true` if nothing is open around the innermost container.
    pub(crate) fn outermost(&self, reading: &Reading) -> bool {
        let frame = self.frame(reading);
        frame.kind == Kind::Root || self.kind(frame.parent) == Kind::Root
    }

    /// Closes the innermost container, whose closer is missing.
    pub(crate) fn close_missing(&mut self, reading: Reading) -> Reading {
        let at = reading.at as usize;
        let closed = if self.frame(&reading).kind == Kind::Implicit {
            reading
        } else {
            self.made(
                reading,
                Move::MissingCloser,
                (at, at),
                price::MISSING_CLOSER,
            )
        };
        self.close(closed, at)
    }

    /// Closes the innermost container, which ends at `end`.
    pub(crate) fn close(&mut self, reading: Reading, end: usize) -> Reading {
        let parent = self.frame(&reading).parent;
        let closed = self.with(reading, Event::Close(end as u32, false));
        self.after_value(Reading {
            frame: parent,
            at: end as u32,
            ..closed
        })
    }

    pub(crate) fn after_value(&self, reading: Reading) -> Reading {
        let root = self.frame(&reading).kind == Kind::Root;
        Reading {
            want: if root { Want::Done } else { Want::Next },
            open: None,
            ..reading
        }
    }

    /// A number, keyword or text without quotes.
    fn word(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let end = self.text.word(at);
        let word = &self.text.text[at..end];
        let next = self.text.space(end).0;
        self.word_before_value(reading, end, next);
        let cut = end >= self.text.len();
        let number =
            is_number(word) || cut && is_number(word.trim_end_matches(['e', 'E', '+', '-', '.']));
        let exact = is_keyword(word) || number;
        let good = end > at && self.follows(reading.frame, TextRole::Value, end);
        let signs = word
            .bytes()
            .rev()
            .take_while(|c| is_sign(*c) && *c != b'.')
            .count();
        let before = &word[..word.len() - signs];
        let behind = if exact || signs == 0 {
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
        // `"a": fals, "b": 1`: a keyword that lost its end.
        let short = (word.len() >= 3 || cut && end > at) && good && begins_keyword(word);
        if exact || short || is_keyword(word) {
            let read = self.with(reading, Event::Bare(at as u32, end as u32, cut));
            let read = self.after_value(read);
            self.go(read, end, read.want);
        }
        // `"a": 5 apples, "b": 1`: the number is followed by words, so all of it may be a text.
        if !(exact || short) || !good {
            let keyword = self.is_keyword_beside_word(word, next);
            let cost = reading.cost
                + if keyword {
                    price::BARE_KEYWORD
                } else if exact {
                    price::BARE_NUMBER
                } else {
                    0
                };
            self.bare_text(Reading { cost, ..reading });
        }
    }

    /// Returns `true` if a word and what stands at `next` are a keyword and one other word, and no
    /// more.
    fn is_keyword_beside_word(&self, word: &str, next: usize) -> bool {
        let end = self.text.word(next);
        let (behind, line) = self.text.space(end);
        let closes = self.text.closer(behind) || self.text.comma(behind).is_some();
        end > next && (closes || line) && is_keyword(word) != is_keyword(&self.text.text[next..end])
    }

    /// Words before the value, on its line.
    fn word_before_value(&mut self, reading: Reading, mut end: usize, mut next: usize) {
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
        // `"a": approx 5, "b": 1`: words before the value, which are passed over.
        if end > at && !line && apart && self.text.value_starts(behind) {
            let made = self.made(reading, Move::StrayText, (at, behind), price::STRAY_TEXT);
            self.go(made, behind, reading.want);
        }
    }

    /// A sign stands where the bracket before members does: `["" "a": 1}`, `<"a": 1}`.
    fn sign_for_opener(&mut self, reading: Reading) {
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
            let made = self.made(dropped, Move::MissingOpener, (name, name), 0);
            let at = name as u32;
            let opened = self.open(Reading { at, ..made }, Kind::Object, 0);
            self.go(opened, name, Want::Name);
        }
    }

    /// Signs right before a value mean nothing, or stand for its quote: `>true`, `\ 2.50`, `*word"`. Returns
    /// the reading that takes them for text, which is less likely then.
    fn sign_before_value(&mut self, reading: Reading) -> Reading {
        let at = reading.at as usize;
        let quote = self.text.opens(at).filter(|quote| quote.0 != Quote::Double);
        let length = match quote {
            // `'"x"`: another quote before the double one.
            Some((_, length)) if self.text.at(at + length) == b'"' => length,
            // `'x'`: a quote of another kind alone opens a text.
            Some(_) if self.text.signs(at) < 2 => return reading,
            Some(_) => self.text.signs(at),
            None => self.text.signs(at),
        };
        if length == 0 || self.text.ellipsis(at).is_some() {
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

    /// A sign stands where the opening quote of a text does: `<word", `.
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

    /// Begins a text without quotes.
    pub(crate) fn bare_text(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let mut made = self.made(reading, Move::UnquotedString, (at, at), price::BARE_TEXT);
        made.open = Some(OpenString::new(at, at, Quote::Bare, TextRole::Value));
        self.out.push(made);
    }

    /// Begins a text in quotes.
    pub(crate) fn quoted(&mut self, reading: Reading, quote: Quote, length: usize, role: TextRole) {
        let at = reading.at as usize;
        let start = at + length;
        let three = matches!(quote, Quote::TripleDouble | Quote::TripleSingle);
        if three && self.text.next_quote(quote, start).is_none() {
            // An empty text, and a quote of what follows.
            let quote = if quote == Quote::TripleDouble {
                Quote::Double
            } else {
                Quote::Single
            };
            return self.quoted(reading, quote, 1, role);
        }
        if quote == Quote::TripleDouble && self.text.at(start) == b'"' {
            // `""""Returns."""`: the text may begin with three quotes of its own.
            let mut single = reading;
            single.open = Some(OpenString::new(at, at + 1, Quote::Double, role));
            self.go(single, at + 1, reading.want);
        }
        // `""x""`: the first quote is doubled, unless what follows the second one tells that the text is
        // empty: `"", "b": 1`.
        let doubled = matches!(quote, Quote::Double | Quote::Single)
            && self.text.closes(quote, start) > 0
            && !b" ,:}]\n)\0".contains(&self.text.at(start + 1));
        if doubled {
            let mut made = self.made(
                reading,
                Move::DoubledQuote,
                (at, at + 1),
                price::DOUBLED_QUOTE,
            );
            let quote = if quote == Quote::Double {
                Quote::Doubled
            } else {
                quote
            };
            made.open = Some(OpenString::new(at, start + 1, quote, role));
            self.go(made, start + 1, reading.want);
        }
        let mut made = reading;
        if quote != Quote::Double {
            made = self.made(reading, Move::OtherQuotes, (at, start), 0);
        }
        made.open = Some(OpenString::new(at, start, quote, role));
        self.go(made, start, reading.want);
    }
}

/// Returns `true` if a word is the beginning of a keyword.
fn begins_keyword(word: &str) -> bool {
    let begins = |keyword: &str| {
        let part = keyword.as_bytes().get(..word.len());
        part.is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    ["true", "false", "null"].into_iter().any(begins)
}
