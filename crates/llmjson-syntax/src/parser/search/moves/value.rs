//! Where a value belongs.

use crate::parser::search::beam::Search;
use crate::parser::search::price;
use crate::parser::search::reading::{Event, Frame, Kind, Move, Open, Reading, Want};
use crate::parser::search::text::{Quote, is_keyword, is_number};

/// Containers that are closed or passed over at once, at most.
pub(crate) const CLOSE_AT_ONCE: usize = 5;

impl Search<'_> {
    pub(crate) fn value(&mut self, reading: Reading, line: bool) {
        let at = reading.at as usize;
        let frame = self.frame(&reading);
        let named = frame.kind.has_names();
        if self.text.closer(at) {
            return self.closer_for_value(reading);
        }
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
        if self.text.name_ahead(at) {
            self.name_for_value(reading, line);
        }
        match self.text.at(at) {
            b'{' => self.open_here(reading, Kind::Object),
            b'[' => self.open_here(reading, Kind::Array),
            b':' | b'=' | b')' | b'(' => {
                let made = self.made(reading, Move::StraySign, (at, at + 1), price::STRAY_SIGN);
                self.go(made, at + 1, reading.want);
            }
            _ => match self.text.opens(at) {
                Some((quote, length)) => self.quoted(reading, quote, length, false),
                None => self.word(reading),
            },
        }
    }

    /// A closer where a value belongs: the end of a list, one too many, an opener that was meant, or the
    /// value is missing.
    fn closer_for_value(&mut self, reading: Reading) {
        let at = reading.at as usize;
        if reading.want == Want::ValueOrEnd {
            return self.closer(reading);
        }
        if !self.frame(&reading).kind.has_names() {
            let made = self.made(reading, Move::ExtraComma, (at, at), 0);
            return self.closer(made);
        }
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
        let frame = self.intern(Frame {
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
    fn name_for_value(&mut self, reading: Reading, line: bool) {
        let at = reading.at as usize;
        let kind = self.frame(&reading).kind;
        if kind == Kind::Array {
            self.close_for(reading, Kind::has_names, Want::Name);
        }
        if kind.has_names() && line {
            // `"a":` and the next member on the next line.
            self.missing_value(reading, Want::Name);
        }
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
        if matches!(before.want, Want::Name | Want::Value) {
            return closed;
        }
        let at = before.at as usize;
        self.made(closed, Move::MissingComma, (at, at), 0)
    }

    /// Returns whether nothing is open around the innermost container.
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
        let good = end > at && self.follows(reading.frame, false, end);
        let short = (word.len() >= 3 || cut && end > at) && good && begins_keyword(word);
        if exact || short {
            let read = self.with(reading, Event::Bare(at as u32, end as u32, cut));
            let read = self.after_value(read);
            self.go(read, end, read.want);
        }
        if !(exact || short) || !good {
            let cost = reading.cost + if exact { price::BARE_NUMBER } else { 0 };
            self.bare_text(Reading { cost, ..reading });
        }
    }

    /// A word before the value, on its line.
    fn word_before_value(&mut self, reading: Reading, end: usize, next: usize) {
        let at = reading.at as usize;
        let colon = usize::from(self.text.at(next) == b':');
        let (behind, line) = self.text.space(next + colon);
        let apart = next > end || behind > next;
        if end > at && !line && apart && self.text.value_starts(behind) {
            let made = self.made(reading, Move::StrayText, (at, behind), price::STRAY_TEXT);
            self.go(made, behind, reading.want);
        }
    }

    /// Begins a text without quotes.
    pub(crate) fn bare_text(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let mut made = self.made(reading, Move::UnquotedString, (at, at), price::BARE_TEXT);
        made.open = Some(Open::new(at, at, Quote::Bare, false));
        self.out.push(made);
    }

    /// Begins a text in quotes.
    pub(crate) fn quoted(&mut self, reading: Reading, quote: Quote, length: usize, name: bool) {
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
            return self.quoted(reading, quote, 1, name);
        }
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
            made.open = Some(Open::new(at, start + 1, quote, name));
            self.go(made, start + 1, reading.want);
        }
        let mut made = reading;
        if quote != Quote::Double {
            made = self.made(reading, Move::OtherQuotes, (at, start), 0);
        }
        made.open = Some(Open::new(at, start, quote, name));
        self.go(made, start, reading.want);
    }
}

/// Returns whether a word is the beginning of a keyword.
fn begins_keyword(word: &str) -> bool {
    let begins = |keyword: &str| {
        let part = keyword.as_bytes().get(..word.len());
        part.is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    ["true", "false", "null"].into_iter().any(begins)
}
