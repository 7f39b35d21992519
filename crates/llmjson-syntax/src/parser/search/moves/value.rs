//! Moves where a value is expected.

use crate::parser::search::beam::Search;
use crate::parser::search::price;
use crate::parser::search::reading::{
    Event, Kind, Move, NextLine, OpenString, Reading, TextRole, Want,
};
use crate::parser::search::text::quotes::Quote;

/// Maximum length of a call's name, in bytes.
const NAME_OF_CALL: usize = 40;

/// Returns `true` if a call of that name makes an array of its arguments, as parentheses without a
/// name do: `set("a")`, `List.of("a")`, `listOf("a")`.
pub(crate) fn makes_array(name: &str) -> bool {
    let kind = name.strip_suffix("Of").or_else(|| name.strip_suffix(".of"));
    let kinds = ["", "array", "list", "tuple", "set", "frozenset"];
    kinds
        .iter()
        .any(|known| known.eq_ignore_ascii_case(kind.unwrap_or(name)))
}

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
            self.aside(reading);
            self.member_column(reading)
        };
        // `[1. "a", 2. "b"]`
        if let Some(item) = self.text.numbered(at).filter(|_| !named) {
            let made = self.made(reading, Move::StrayText, (at, item), price::NUMBERED);
            self.go(made, item, Want::Value);
        }
        // `{"a": "b": 1}`, `[1, "b": 2`: the hypothesis forks, since the next token may be a string
        // as well.
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
            // `:active`: a Ruby symbol.
            b':' if self.text.at(at + 1).is_ascii_alphabetic() => {
                let made = self.made(reading, Move::StraySign, (at, at + 1), price::ODD_NOTATION);
                self.go(made, at + 1, reading.want);
            }
            // `{"a": : 1}`: a character that cannot begin a value, skipped at its cost.
            b':' | b'=' | b')' => {
                let made = self.made(reading, Move::StraySign, (at, at + 1), price::STRAY_SIGN);
                self.go(made, at + 1, reading.want);
            }
            _ => match self.text.opens_token(at) {
                Some((quote, length)) => self.quoted(reading, quote, length, TextRole::Value),
                None => {
                    // `ObjectId("x")`, `[]string{"a"}`: a call or type before the value's bracket.
                    if let Some(bracket) = self.text.head(at) {
                        let made = self.made(reading, Move::Wrapper, (at, bracket), price::CALL);
                        self.go(made, bracket, reading.want);
                    }
                    self.word(reading);
                }
            },
        }
    }

    /// Reads a bracket where a value is expected: the usual one of its kind, or one from another
    /// language.
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
                // `{1, 2}`, `[]string{"a"}`: no key follows the brace.
                if !name && self.item_ahead(inside) {
                    let typed = self.text.at(at.saturating_sub(1)).is_ascii_alphanumeric();
                    // `frozenset({'x'})`
                    let frame = self.frame(&reading);
                    let called =
                        frame.kind == Kind::Call && !self.called(frame.open as usize).is_empty();
                    // `{red, green}`: words rather than keys without values.
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
                // `['a' => 1]`: an arrow indicates members. With a colon the bracket is a slip.
                if name && self.arrow_ahead(inside) {
                    let by = (Move::BracketedMembers, price::BRACKETED_MEMBERS);
                    self.open_other(reading, Kind::Object, b']', by);
                }
            }
            // `()`, `set()`, `dict()`; others are strings: `Date.now()`, `() => 1`.
            _ if self.text.at(inside) == b')' => match self.called(at) {
                _ if self.text.at(self.text.space(inside + 1).0) == b'=' => self.bare_text(reading),
                "dict" | "OrderedDict" | "Counter" | "defaultdict" => {
                    let by = (Move::BracketedMembers, price::BRACKETED_MEMBERS);
                    self.open_other(reading, Kind::Object, b')', by);
                }
                name if makes_array(name) => {
                    self.open_other(reading, Kind::Array, b')', (Move::Tuple, price::TUPLE));
                }
                _ => {}
            },
            // `array('a' => 1)`, `Point(x=1)`, `f("a": 1)`, but not `("a", 1)`.
            _ if name && (self.arrow_ahead(inside) || self.quoted_name_ahead(inside)) => {
                let by = (Move::BracketedMembers, price::BRACKETED_MEMBERS);
                self.open_other(reading, Kind::Object, b')', by);
            }
            // `set("a")`: the items of the set. A bracket inside opens the array itself, and
            // `("a")` is a string.
            _ if !self.called(at).is_empty()
                && makes_array(self.called(at))
                && !matches!(self.text.at(inside), b'{' | b'[' | b'(') =>
            {
                self.open_other(reading, Kind::Array, b')', (Move::Tuple, price::TUPLE));
            }
            _ => {
                let beyond = self.beyond_class(inside);
                let end = if beyond == inside { at + 1 } else { beyond };
                let made = self.made(reading, Move::Wrapper, (at, end), price::CALL);
                let frame = self.intern(self.container(&reading, Kind::Call));
                self.go(Reading { frame, ..made }, end, Want::Value);
                let sign = (at, at + 1);
                // `[("a", 1), ("b", 2, ("c", 3)]`: the parenthesis begins a row like the others.
                let is_row = self.text.habits.rows.items().is_some()
                    && self.frame(&reading).kind == Kind::Array;
                let cost = price::STRAY_SIGN + if is_row { price::ROW_SHAPE } else { 0 };
                let made = self.made(reading, Move::StraySign, sign, cost);
                self.go(made, at + 1, reading.want);
            }
        }
    }

    /// Returns `true` if there is a quoted key with its colon at `at`.
    fn quoted_name_ahead(&self, at: usize) -> bool {
        self.text.opens(at).is_some() && self.text.name_end(at).is_some()
    }

    /// Returns the name of the call whose bracket is at `at`, or the empty string.
    pub(crate) fn called(&self, at: usize) -> &str {
        let before = self.text.text[..at].trim_end_matches(' ');
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
        let near = before.len().saturating_sub(NAME_OF_CALL);
        let near = before.get(near..).unwrap_or_default();
        &near[near.trim_end_matches(part).len()..]
    }

    /// Returns the offset after a class in the first argument of a call:
    /// `defaultdict(<class 'int'>, {})`.
    fn beyond_class(&self, at: usize) -> usize {
        let near = &self.text.bytes[at..self.text.len().min(at + NAME_OF_CALL)];
        let end = near
            .strip_prefix(b"<class ")
            .and_then(|near| memchr::memmem::find(near, b">,"));
        end.map_or(at, |end| at + "<class ".len() + end + 2)
    }

    /// Returns `true` if an array type precedes the bracket at `at`: `[]string{`.
    fn listed(&self, at: usize) -> bool {
        let before = self.text.text[..at].trim_end_matches(|c: char| c.is_ascii_alphanumeric());
        before.ends_with("[]")
    }

    /// Returns `true` if there is a scalar at `at` that is followed by a comma or closer.
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

    /// Returns `true` if an arrow or equals sign follows the key at `at`.
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

    /// Reads a key without a value.
    pub(crate) fn missing_value(&mut self, reading: Reading, want: Want) {
        let made = self.null(reading, price::MISSING_VALUE);
        self.go(made, reading.at as usize, want);
    }

    /// Returns the hypothesis with a null for a missing value.
    pub(crate) fn null(&mut self, reading: Reading, cost: u32) -> Reading {
        let at = reading.at as usize;
        let made = self.made(reading, Move::MissingValue, (at, at), cost);
        self.with(made, Event::Null(reading.at))
    }

    pub(crate) fn after_value(&self, reading: Reading) -> Reading {
        let root = self.frame(&reading).kind == Kind::Root;
        Reading {
            want: if root { Want::Done } else { Want::Next },
            open: None,
            ..reading
        }
    }

    /// Begins a quoted string.
    pub(crate) fn quoted(&mut self, reading: Reading, quote: Quote, length: usize, role: TextRole) {
        let at = reading.at as usize;
        let start = at + length;
        // `""x""`: the first quote is doubled, unless the text after the second one shows that the
        // string is empty: `"", "b": 1`.
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
            // `**"a"": 1`, `**"a": 1`: the marks only precede the quote.
            let made = self.made(
                reading,
                Move::StraySign,
                (at, start - 1),
                price::ODD_NOTATION,
            );
            let open = Some(OpenString::new(start - 1, start, Quote::Double, role));
            self.go(Reading { open, ..made }, start, reading.want);
        }
        // `"""" x """ y"`: the content begins with quotes.
        if quote == Quote::TripleDouble && self.text.at(start) == b'"' && role == TextRole::Value {
            let inner = (at + 1, start + 1);
            let made = self.made(reading, Move::InnerQuote, inner, price::INNER_QUOTE);
            let open = OpenString {
                inner: 3,
                from: start as u32 + 1,
                ..OpenString::new(at, at + 1, Quote::Double, role)
            };
            let open = Some(open);
            self.go(Reading { open, ..made }, start + 1, reading.want);
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
