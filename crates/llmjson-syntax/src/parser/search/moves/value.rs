//! Moves where a value belongs.

use crate::parser::look::scalars::{is_keyword, is_number};
use crate::parser::recovery::grouped_digits::grouped;
use crate::parser::search::beam::Search;
use crate::parser::search::price;
use crate::parser::search::reading::{
    Event, Kind, Move, NextLine, OpenString, Reading, SearchContainer, TextRole, Want,
};
use crate::parser::search::text::{Quote, is_sign};

/// Containers that are closed or passed over at once, at most.
pub(crate) const CLOSE_AT_ONCE: usize = 5;

/// The longest name of a call, in bytes.
const NAME_OF_CALL: usize = 40;

/// Names that stand before the round brackets of a list.
pub(crate) const LISTS: [&str; 6] = ["", "array", "list", "tuple", "set", "frozenset"];

/// Words before a value that are passed over, at most.
const WORDS_BEFORE: usize = 4;

impl Search<'_> {
    pub(crate) fn value(&mut self, reading: Reading, line: NextLine) {
        let at = reading.at as usize;
        let frame = self.frame(&reading);
        let named = frame.kind.has_names();
        // `[1, ]`, `{"a": }`, `{"a": ], "b": 1}`.
        if self.closes(reading.frame, at) {
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
            b'[' if let Some(bracket) = self.text.head(at) => {
                let made = self.made(reading, Move::Wrapper, (at, bracket), price::CALL);
                self.go(made, bracket, reading.want);
                self.bracket(reading);
            }
            b'{' | b'[' | b'(' => self.bracket(reading),
            // `:active`: a symbol of Ruby.
            b':' if self.text.at(at + 1).is_ascii_alphabetic() => {
                let made = self.made(reading, Move::StraySign, (at, at + 1), price::ODD_NOTATION);
                self.go(made, at + 1, reading.want);
            }
            // `{"a": : 1}`: a sign that no value begins with, passed over at its price.
            b':' | b'=' | b')' => {
                let made = self.made(reading, Move::StraySign, (at, at + 1), price::STRAY_SIGN);
                self.go(made, at + 1, reading.want);
            }
            _ => match self.text.opens_token(at) {
                Some((quote, length)) => self.quoted(reading, quote, length, TextRole::Value),
                None => {
                    // `name + " there"`
                    if let Some(end) = self.text.operand(at)
                        && let sign = self.text.trivia(end).0
                        && self.joins(sign)
                        && self.text.opens(self.text.trivia(sign + 1).0).is_some()
                    {
                        let read = self.with(reading, Event::Bare(at as u32, end as u32, false));
                        let read = self.made(read, Move::Join, (at, sign), price::JOIN_NAME);
                        self.go(read, sign, Want::Next);
                    }
                    // `ObjectId("x")`, `[]string{"a"}`: a call or type before the bracket of the value.
                    if let Some(bracket) = self.text.head(at) {
                        let made = self.made(reading, Move::Wrapper, (at, bracket), price::CALL);
                        self.go(made, bracket, reading.want);
                    }
                    self.word(reading);
                }
            },
        }
    }

    /// A bracket where a value belongs: the usual one of its kind, or one that other languages write
    /// there.
    fn bracket(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let inside = self.text.trivia(at + 1).0;
        let name = self.text.name_ahead(inside);
        match self.text.at(at) {
            b'{' => {
                self.open_here(reading, Kind::Object);
                // `[]string{}`
                if self.text.at(inside) == b'}' && self.listed(at) {
                    self.out.pop();
                    return self.open_other(reading, Kind::Array, b'}', (Move::Set, 0));
                }
                // `{1, 2}`, `[]string{"a"}`: no name stands behind the brace.
                if !name && self.item_ahead(inside) {
                    let typed = self.text.at(at.saturating_sub(1)).is_ascii_alphanumeric();
                    // `frozenset({'x'})`
                    let frame = self.frame(&reading);
                    let called =
                        frame.kind == Kind::Call && !self.called(frame.open as usize).is_empty();
                    // `{red, green}`: words are no names without values.
                    let word = self.text.at(inside).is_ascii_alphabetic()
                        && self.text.opens_token(inside).is_none();
                    let cost = if typed || called || word {
                        0
                    } else {
                        price::SET
                    };
                    self.open_other(reading, Kind::Array, b'}', (Move::Set, cost));
                }
            }
            b'[' => {
                self.open_here(reading, Kind::Array);
                // `['a' => 1]`: an arrow shows that these are members. With a colon the bracket is a slip.
                if name && self.arrow_ahead(inside) {
                    let by = (Move::BracketedMembers, price::BRACKETED_MEMBERS);
                    self.open_other(reading, Kind::Object, b']', by);
                }
            }
            // `()`, `set()`, `dict()`; others are texts: `Date.now()`, `() => 1`.
            _ if self.text.at(inside) == b')' => match self.called(at) {
                _ if self.text.at(self.text.space(inside + 1).0) == b'=' => self.bare_text(reading),
                "dict" | "OrderedDict" | "Counter" | "defaultdict" => {
                    let by = (Move::BracketedMembers, price::BRACKETED_MEMBERS);
                    self.open_other(reading, Kind::Object, b')', by);
                }
                name if LISTS.contains(&name) => {
                    self.open_other(reading, Kind::Array, b')', (Move::Tuple, price::TUPLE));
                }
                _ => {}
            },
            // `array('a' => 1)`, `Point(x=1)`, `f("a": 1)`.
            _ if name && (self.arrow_ahead(inside) || self.text.opens(inside).is_some()) => {
                let by = (Move::BracketedMembers, price::BRACKETED_MEMBERS);
                self.open_other(reading, Kind::Object, b')', by);
            }
            _ => {
                let beyond = self.beyond_class(inside);
                let end = if beyond == inside { at + 1 } else { beyond };
                let made = self.made(reading, Move::Wrapper, (at, end), price::CALL);
                let frame = self.intern(SearchContainer {
                    parent: reading.frame,
                    kind: Kind::Call,
                    closer: b')',
                    open: reading.at,
                    column: -1,
                    indent: 0,
                });
                self.go(Reading { frame, ..made }, end, Want::Value);
                let sign = (at, at + 1);
                let made = self.made(reading, Move::StraySign, sign, price::STRAY_SIGN);
                self.go(made, at + 1, reading.want);
            }
        }
    }

    /// The name of the call whose bracket stands at `at`, or nothing.
    pub(crate) fn called(&self, at: usize) -> &str {
        let before = self.text.text[..at].trim_end_matches(' ');
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
        let near = before.len().saturating_sub(NAME_OF_CALL);
        let near = before.get(near..).unwrap_or_default();
        &near[near.trim_end_matches(part).len()..]
    }

    /// Returns the offset behind a class that a call names first: `defaultdict(<class 'int'>, {})`.
    fn beyond_class(&self, at: usize) -> usize {
        let near = &self.text.bytes[at..self.text.len().min(at + NAME_OF_CALL)];
        let end = near
            .strip_prefix(b"<class ")
            .and_then(|near| memchr::memmem::find(near, b">,"));
        end.map_or(at, |end| at + "<class ".len() + end + 2)
    }

    /// Returns `true` if the type of a list stands before the bracket at `at`: `[]string{`.
    fn listed(&self, at: usize) -> bool {
        let before = self.text.text[..at].trim_end_matches(|c: char| c.is_ascii_alphanumeric());
        before.ends_with("[]")
    }

    /// Returns `true` if a scalar with a comma or closer behind it stands at `at`.
    fn item_ahead(&self, at: usize) -> bool {
        let end = match self.text.opens(at) {
            Some((quote, length)) => match self.text.next_quote(quote, at + length) {
                Some(end) => end + self.text.closes(quote, end),
                None => return false,
            },
            None if self.text.value_starts(at) => self.text.word(at),
            None if self.text.head(at).is_some() => return true,
            // `{red, green}`
            None => self.text.word(at),
        };
        let behind = self.text.trivia(end).0;
        end > at && (self.text.comma(behind).is_some() || self.text.at(behind) == b'}')
    }

    /// Returns `true` if an arrow or equals sign stands behind the name at `at`.
    fn arrow_ahead(&self, at: usize) -> bool {
        let end = match self.text.opens(at) {
            Some((quote, length)) => match self.text.next_quote(quote, at + length) {
                Some(end) => end + self.text.closes(quote, end),
                None => return false,
            },
            None => self
                .text
                .odd_name(at)
                .map_or(self.text.word(at), |name| name.2),
        };
        self.text.at(self.text.space(end).0) == b'='
    }

    /// Opens a container at a bracket that JSON has not for it.
    fn open_other(&mut self, reading: Reading, kind: Kind, closer: u8, by: (Move, u32)) {
        let at = reading.at as usize;
        let made = self.made(reading, by.0, (at, at + 1), by.1);
        let opened = self.open(made, kind, 1);
        let frame = self.intern(SearchContainer {
            closer,
            ..self.frame(&opened)
        });
        self.out.push(Reading { frame, ..opened });
    }

    /// `"tags": "p", "q", "b": 1`, `(1, 2)`: a second value shows that the one before was the first item of a
    /// list.
    pub(crate) fn list_around(&mut self, reading: Reading, at: usize, kind: Kind, by: (Move, u32)) {
        let frame = self.frame(&reading);
        let (parent, closer) = match kind {
            Kind::Array => (frame.parent, frame.closer),
            _ => (reading.frame, kind.usual_closer()),
        };
        let made = self.made(reading, by.0, (at, at), by.1);
        let made = self.with(made, Event::List);
        let frame = self.intern(SearchContainer {
            parent,
            kind,
            closer,
            open: reading.at,
            column: -1,
            indent: self.text.line_indent(at),
        });
        self.go(Reading { frame, ..made }, at, Want::Value);
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
            closer: kind.usual_closer(),
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
        if matches!(kind, Kind::Array | Kind::Loose) {
            // `"items": [` with a member behind it: a list of nothing is rare.
            let empty = matches!(reading.want, Want::ValueOrEnd);
            let cost = reading.cost + if empty { price::EMPTY_UNCLOSED } else { 0 };
            self.close_for(Reading { cost, ..reading }, Kind::has_names, Want::Name);
        }
        if kind.has_names() && line == NextLine::New {
            // `"a":` and the next member on the next line.
            let made = self.made(
                reading,
                Move::MissingValue,
                (at, at),
                price::MISSING_VALUE_LINE,
            );
            let made = self.with(made, Event::Null(at as u32));
            self.go(made, at, Want::Name);
        }
        // `[{"a": 1}, "a": 2}]`: the brace before the name is missing.
        if kind != Kind::Root {
            let made = self.made(
                reading,
                Move::MissingOpener,
                (at, at),
                price::MISSING_OPENER,
            );
            // `"c": "a ":" b"`: no name ends with a space.
            let spaced = self.text.opens(at).and_then(|(quote, length)| {
                let end = self.text.next_quote(quote, at + length)?;
                Some(self.text.at(end - 1) == b' ')
            });
            let mut made = made;
            if spaced == Some(true) {
                made.cost += price::ODD_NAME;
            }
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
        let closed = if self.frame(&reading).kind.is_implied() {
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
        let closed = if self.frame(&reading).kind == Kind::Call {
            reading
        } else {
            self.with(reading, Event::Close(end as u32, false))
        };
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
        if self.frame(&reading).kind.has_names() {
            self.grouped_digits(reading);
        }
        self.word_before_value(reading, end, next);
        let cut = end >= self.text.len();
        if cut && matches!(word, "-" | "+" | ".") {
            // `[1, -`: nothing of the number is left.
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
        // `2)`, `2;`: these mean something.
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
            // `[10:30]` is a time, `[a:30` rather a member.
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

    /// `1,234,567`: behind the comma of a member no name begins with a digit.
    fn grouped_digits(&mut self, reading: Reading) {
        let at = reading.at as usize;
        if self.text.cut_in_groups(at) {
            self.groups(reading, (self.text.len(), 0), true);
        }
        if let Some(number) = grouped(self.text.bytes, at)
            // `1,234.`: the digits behind the point are missing.
            && let point = usize::from(self.text.at(number.end) == b'.')
            && let end = number.end + point
            && (self.follows(reading.frame, TextRole::Value, end)
                || self.quote_behind_comma(end))
            && !self.expects_list(&reading)
        {
            self.groups(reading, (number.end, point), false);
        }
    }

    /// Reads the digits up to `end`, and a point of this length behind them.
    fn groups(&mut self, reading: Reading, (end, point): (usize, usize), cut: bool) {
        let digits = (reading.at as usize, end);
        let made = self.made(reading, Move::GroupedDigits, digits, price::GROUPED_DIGITS);
        let mut read = self.with(made, Event::Bare(reading.at, end as u32, cut));
        if point > 0 {
            read = self.made(read, Move::CutNumber, (end, end + point), 0);
        }
        let read = self.after_value(read);
        self.go(read, end + point, read.want);
    }

    /// Returns `true` if a comma and a quote stand behind `at`.
    fn quote_behind_comma(&self, at: usize) -> bool {
        let comma = self.text.space(at).0;
        let next = self
            .text
            .comma(comma)
            .map(|length| self.text.space(comma + length).0);
        next.is_some_and(|next| self.text.opens(next).is_some())
    }

    /// Returns `true` if a number, keyword or text in quotes stands at `at`.
    fn is_value(&self, at: usize) -> bool {
        let word = self.text.word_at(at);
        is_number(word) || is_keyword(word) || self.text.opens(at).is_some()
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
        let words = self.text.text[at..next].trim_ascii_end();
        // `"a": no` and `b: 1` on the next line: a member.
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
            // `"a": 1 // [2]`: the first of them is a value itself.
            let first = self.text.word_at(at);
            let value = is_number(first) || is_keyword(first);
            let cost = stray + if value { price::DROPPED_VALUE } else { 0 };
            let made = self.made(reading, Move::StrayText, (at, behind), cost);
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
            Some((Quote::Escaped | Quote::EscapedTwice | Quote::Entity, _)) => return reading,
            // `'x'`: a quote of another kind alone opens a text.
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
            // An empty text, and a quote of what follows, unless the text ends in it.
            let single = if quote == Quote::TripleDouble {
                Quote::Double
            } else {
                Quote::Single
            };
            self.quoted(reading, single, 1, role);
            if self.text.closed_behind(start) {
                return;
            }
        }
        if quote == Quote::TripleDouble && self.text.at(start) == b'"' {
            // `""""Returns."""`: the text may begin with three quotes of its own.
            let mut single = reading;
            single.open = Some(OpenString::new(at, at + 1, Quote::Double, role));
            self.go(single, at + 1, reading.want);
        }
        // `""x""`: the first quote is doubled, unless what follows the second one tells that the text is
        // empty: `"", "b": 1`.
        let second = self.text.closes(quote, start);
        let empty = b" ,:}]\n)\0".contains(&self.text.at(start + second));
        if let Some(twice) = quote.twice().filter(|_| second > 0 && !empty) {
            let start = start + second;
            let mut made = self.made(
                reading,
                Move::DoubledQuote,
                (at, start - second),
                price::DOUBLED_QUOTE,
            );
            made.open = Some(OpenString::new(at, start, twice, role));
            self.go(made, start, reading.want);
        }
        let alone = |end| self.text.closes(quote, end) == 0;
        if quote == Quote::Emphasized
            && self
                .text
                .next_quote(Quote::Double, start)
                .is_some_and(alone)
        {
            // `**"a"": 1`, `**"a": 1`: the marks stand before the quote alone.
            let made = self.made(
                reading,
                Move::StraySign,
                (at, start - 1),
                price::ODD_NOTATION,
            );
            let open = Some(OpenString::new(start - 1, start, Quote::Double, role));
            self.go(Reading { open, ..made }, start, reading.want);
        }
        let mut made = reading;
        if quote != Quote::Double {
            let escaped = matches!(quote, Quote::Escaped | Quote::EscapedTwice);
            let cost = if escaped { price::ESCAPED_QUOTE } else { 0 };
            made = self.made(reading, Move::OtherQuotes, (at, start), cost);
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
