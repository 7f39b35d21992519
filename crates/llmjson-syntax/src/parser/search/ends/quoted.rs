//! The end of a quoted string.

use crate::parser::search::beam::Search;
use crate::parser::search::ends::inner::{Candidate, PASSED_MOST, balance, sinks};
use crate::parser::search::price;
use crate::parser::search::reading::{
    Event, Kind, Move, OpenString, QUOTED_NAME, Reading, StringPlace, TextRole, Want,
};
use crate::parser::search::strict::{Embedded, Sign};
use crate::parser::search::text::quotes::Quote;

/// Maximum length of a usual key, in bytes.
const LONG_NAME: usize = 80;

impl Search<'_> {
    /// Looks for the end of the open string.
    pub(crate) fn end_of_text(&mut self, reading: Reading, open: OpenString) {
        if open.quote == Quote::Bare {
            return self.end_of_bare(reading, open);
        }
        let from = open.from as usize;
        self.whole_json(reading, open);
        let Some(part) = self.text.part(open.quote, from) else {
            return self.never_closed(reading, open);
        };
        let (quote, behind) = (part.end, part.behind);
        let good = self.follows(reading.frame, open.role, behind);
        // `'a': 'x, "b": "y', 'c': 1`: the quote closes the string, but the string contains whole
        // members in quotes of the other kind.
        if good && self.swallowed_members(reading, open, quote, behind) {
            return;
        }
        // Escaped quotes count with the others: if only some were escaped, pairs are half escaped.
        let odd = open.odd != part.odd;
        let in_odd_row = !open.is_name() && self.in_odd_row(reading.frame);
        let doubtful = open.inner > 0 || odd && open.quote == Quote::Double || in_odd_row;
        let asked = good && !open.is_name() && doubtful;
        let sign = match asked {
            true => self.sign_of_end(&reading, behind),
            false => Sign::Weak,
        };
        // `'Ida's tour', city: 1`: unquoted keys, as before.
        let bare = sign == Sign::Weak && reading.made & (1 << Move::UnquotedKey as u64) != 0;
        let comma = self.text.comma(behind).filter(|_| asked && bare);
        let name = comma.map(|length| self.text.space(behind + length).0);
        let member =
            name.is_some_and(|at| self.text.opens(at).is_none() && self.text.name_ahead(at));
        let sign = if member { Sign::Member } else { sign };
        let sure = !asked || sign == Sign::Strict && !in_odd_row;
        // The usual end: the first quote, followed by valid punctuation. It is free, and no
        // alternative is tried, so that the search is as fast as an ordinary parser on undamaged
        // text.
        if good && open.inner == 0 && sure {
            return self.end_as(reading, open, (quote, behind), (0, None), false);
        }
        let candidate = Candidate {
            quote,
            behind,
            good,
            sign,
            odd,
            lines: open.lines || part.lines,
            balance: open
                .balance
                .saturating_add(balance(&self.text.bytes[from..quote])),
            sunk: open.sunk
                || sinks(
                    &self.text.bytes[from..quote],
                    open.balance,
                    self.frame(&reading).closer,
                ),
        };
        self.end_or_go_on(reading, open, &candidate);
    }

    /// The string is JSON with unescaped quotes: `"[{"day": 1}]"`.
    fn whole_json(&mut self, reading: Reading, open: OpenString) {
        let start = open.start as usize;
        let begins = matches!(self.text.at(start), b'{' | b'[');
        let sign = match open.quote {
            Quote::Double => b'"',
            Quote::Single => b'\'',
            _ => return,
        };
        if open.is_name() || open.from != open.start || !begins {
            return;
        }
        let Some(Embedded { end, escaped, cut }) = self.embedded(start, sign) else {
            return;
        };
        let raw = OpenString {
            quote: match escaped || sign == b'\'' {
                true => open.quote,
                false => Quote::Json,
            },
            ..open
        };
        if cut {
            // `"args": "{"city": "Par`
            let end = self.text.len() - half_escape(&self.text.bytes[start..]);
            let made = self.made(reading, Move::InnerQuote, (start, end), price::EMBEDDED);
            let made = self.made(made, Move::Unclosed, (end, end), 0);
            let (ends, cost) = ((end, self.text.len()), price::UNCLOSED_STRING / 2);
            return self.end(made, OpenString { inner: 1, ..raw }, ends, cost, None);
        }
        // `"{ … }\n"`: white space of the string.
        let space = self.text.space(end).0;
        let end = if self.text.closes(open.quote, space) > 0 {
            space
        } else {
            end
        };
        let quote = self.text.closes(open.quote, end);
        let behind = end + quote;
        let inner = memchr::memchr_iter(sign, &self.text.bytes[start..end]).count();
        // `"args": "{"city": "Paris"}", "n": 1`: one move for all quotes of the embedded JSON,
        // which would cost more as separate inner quotes.
        let follows = self.follows(reading.frame, TextRole::Value, behind);
        let cut = behind >= self.text.len();
        if quote == 0 && inner > 0 && (follows || cut) {
            // `"args": "{"city": "Paris"}, "n": 1`: the closing quote is missing or truncated.
            let inner = inner.min(usize::from(PASSED_MOST)) as u8;
            let made = self.made(reading, Move::InnerQuote, (start, end), price::EMBEDDED);
            let by = Some(Move::MissingQuote);
            let cost = if cut {
                price::MISSING_CLOSE / 2
            } else {
                price::MISSING_CLOSE
            };
            self.end(made, OpenString { inner, ..raw }, (end, end), cost, by);
        } else if inner > 0 && follows {
            let made = self.made(reading, Move::InnerQuote, (start, end), price::EMBEDDED);
            let inner = inner.min(usize::from(PASSED_MOST)) as u8;
            self.end(made, OpenString { inner, ..raw }, (end, behind), 0, None);
        }
    }

    /// Forks the hypothesis at complete members in double quotes that may have been swallowed
    /// between two quotes of another kind. Returns `true` if there are any.
    fn swallowed_members(
        &mut self,
        reading: Reading,
        open: OpenString,
        quote: usize,
        behind: usize,
    ) -> bool {
        let inside = &self.text.bytes[open.from as usize..quote];
        let quotes = || memchr::memchr(b'"', inside).is_some();
        if open.quote == Quote::Double || open.inner > 0 || !quotes() {
            return false;
        }
        let found = self.out.len();
        self.ends_before(reading, open, quote);
        if self.out.len() == found {
            return false;
        }
        let cost = price::SWALLOWED_LINE + price::SWALLOWED;
        self.end(reading, open, (quote, behind), cost, None);
        true
    }

    /// Tries three alternatives: the string ends at this quote, continues, or ended before.
    fn end_or_go_on(&mut self, reading: Reading, open: OpenString, candidate: &Candidate) {
        let &Candidate {
            quote,
            behind,
            good,
            sign,
            ..
        } = candidate;
        let from = open.from as usize;
        // `"the 5" pipe"`: a single quote is a slip; an odd number of them means that one is
        // missing.
        let mut odd = match candidate.odd {
            true if open.inner <= 1 => price::ODD_QUOTE_ALONE,
            true => price::ODD_QUOTES,
            false => 0,
        };
        // `"f("x"`, `"f("x", "y`: the text breaks off after a quote that closes another one inside the
        // string, or in the string after the next comma.
        let inside = !open.is_name() && self.frame(&reading).kind != Kind::Root;
        if candidate.odd && inside && open.quote == Quote::Double && self.breaks_off(behind) {
            odd += price::UNCLOSED_STRING;
        }
        if open.inner > 0 && !open.is_name() {
            // `"f("x", "y")"`: at `"x"` a parenthesis is still open, so the string probably
            // continues.
            if candidate.balance > 0 {
                odd += price::OPEN_BRACKETS;
            }
            if good && sign == Sign::Weak {
                odd += price::WEAK_END;
            }
        }
        let shape = if good {
            0
        } else {
            self.quote_shape(quote, behind)
        };
        self.end(reading, open, (quote, behind), odd + shape, None);
        let value = self.text.trivia(behind).0;
        if open.is_name()
            && quote > from
            && self.text.at(quote - 1) == b':'
            && self.text.value_starts(value)
        {
            // `"name:" 1`
            let colon = (quote - 1, quote);
            let made = self.made(reading, Move::MissingColon, colon, price::COLON_INSIDE);
            self.end(made, open, (quote - 1, behind), 0, None);
            if let Some(last) = self.out.last_mut() {
                last.want = Want::Value;
            }
        }
        let shut = b" :,}]=\n\t\r\0".contains(&self.text.at(behind));
        if open.is_name() && open.inner == 0 && open.quote == Quote::Double && !shut {
            self.smashed(reading, open, quote, behind);
        }
        let named = self.frame(&reading).kind.has_names();
        if !open.is_name() && quote > from && named && self.text.name_ahead(quote) {
            // The quote opens the next key, and this string lacks its own. Whether a comma before it is
            // part of the string is a guess.
            let inside = self.text.text[from..quote].trim_ascii_end();
            let end = from + inside.len();
            let cost = price::MISSING_CLOSE + odd + self.unclosed_here(&open, end);
            let comma = inside.strip_suffix(',').map(|before| from + before.len());
            if let Some(comma) = comma.filter(|comma| !self.replaces_quote(&open, *comma)) {
                self.end(
                    reading,
                    open,
                    (comma, comma),
                    cost,
                    Some(Move::MissingQuote),
                );
            }
            self.end(reading, open, (end, quote), cost, Some(Move::MissingQuote));
        }
        self.go_on(reading, open, candidate);
        self.ends_before(reading, open, quote);
    }

    /// Returns `true` if the text ends at `at`, apart from a comma and the beginning of a string.
    fn breaks_off(&self, at: usize) -> bool {
        let comma = self.text.comma(at);
        let next = self.text.trivia(at + comma.unwrap_or_default()).0;
        let opens = comma.and_then(|_| self.text.opens(next));
        next >= self.text.len()
            || opens
                .is_some_and(|(quote, length)| self.text.next_quote(quote, next + length).is_none())
    }

    /// No further quote of this kind.
    fn never_closed(&mut self, reading: Reading, open: OpenString) {
        let whole = self.text.len();
        self.ends_before(reading, open, whole);
        // `"caf\u00`: half an escape at the truncation is omitted.
        let end = whole - half_escape(&self.text.bytes[open.start as usize..]);
        let mut cost = if open.is_name() && open.inner == 0 {
            price::UNCLOSED_STRING / 3
        } else {
            price::UNCLOSED_STRING
        };
        // `{"a": "x}`: the closers at the end of the text would be part of the string.
        let inside = &self.text.bytes[open.start as usize..end];
        // `"code": "if (a) { b(); }`: the closers at the end close brackets of the string.
        let own = balance(inside) == 0 && inside.iter().any(|c| matches!(c, b'{' | b'['));
        // `"}`: only closers.
        let alone = matches!(inside.trim_ascii(), b"}" | b"]");
        if !open.is_name() && !own && (alone || self.text.closed_behind(open.from as usize)) {
            cost += price::CLOSERS_SWALLOWED;
        }
        let cut_name = open.is_name() && inside.len() <= LONG_NAME && open.inner == 0;
        if open.is_name() && inside.iter().any(|c| b":,{}[]".contains(c)) {
            cost += price::CLOSERS_SWALLOWED;
        }
        let made = self.made(reading, Move::Unclosed, (end, end), 0);
        self.end(made, open, (end, whole), cost, None);
        if cut_name && let Some(last) = self.out.last_mut() {
            // Irregularities of a truncated key prove nothing.
            last.cost = last.cost.min(reading.cost + cost);
        }
    }

    /// Ends the string at `end`; reading continues at `next`.
    pub(crate) fn end(
        &mut self,
        reading: Reading,
        open: OpenString,
        (end, next): (usize, usize),
        cost: u32,
        by: Option<Move>,
    ) {
        let (_, next) = (end, next);
        let doubtful = by.is_some()
            || open.inner > 0
            || open.quote == Quote::Bare
            || !self.follows(reading.frame, open.role, next);
        self.end_as(reading, open, (end, next), (cost, by), doubtful);
    }

    /// Ends the string where it is known whether the next token may follow.
    fn end_as(
        &mut self,
        reading: Reading,
        open: OpenString,
        (end, next): (usize, usize),
        (cost, by): (u32, Option<Move>),
        doubtful: bool,
    ) {
        let mut ended = match by {
            Some(by) => self.made(reading, by, (end, next), cost),
            None => Reading {
                cost: reading.cost + cost,
                ..reading
            },
        };
        // The cost of a string that ends regularly is already counted. Any other must look like a
        // string: no line breaks, no expected members. `Point(x=1)`: the keys in a call are
        // unknown.
        let call = open.is_name() && self.frame(&reading).closer == b')';
        // `**"a": 1, **"b"**`: the skipped text may contain another key.
        let marked = open.is_name() && open.quote == Quote::Emphasized;
        if (doubtful || marked) && !call {
            ended.cost += self.evidence(open.start as usize, end, &open);
        }
        let (start, end) = self.inside_of(&open, end);
        let place = StringPlace {
            begin: open.begin,
            start: start as u32,
            end: end as u32,
            next: next as u32,
        };
        let cut = next >= self.text.len();
        if open.quote == Quote::Bare && !open.is_name() {
            ended.cost += self.price_of_text(&ended);
        }
        let event = if open.is_name() {
            Event::Name(place, open.quote, open.inner)
        } else if open.quote == Quote::Bare && by.is_none() {
            Event::Bare(open.start, end as u32, cut)
        } else {
            Event::Text(place, open.quote, open.inner)
        };
        if open.is_name() && open.quote == Quote::Double {
            ended.made |= QUOTED_NAME;
        }
        ended = match open.is_name() {
            true => self.with_name(ended, event),
            false => self.with(ended, event),
        };
        ended.at = next as u32;
        ended.open = None;
        let ended = if open.is_name() {
            Reading {
                want: Want::Colon,
                ..ended
            }
        } else {
            self.after_value(ended)
        };
        self.out.push(ended);
    }

    /// Returns the content of a string that ends at `end`: French quotes have a space inside.
    fn inside_of(&self, open: &OpenString, end: usize) -> (usize, usize) {
        let start = open.start as usize;
        let spaces = [' ', '\u{a0}', '\u{202f}'];
        let inside = &self.text.text[start..end];
        let trimmed = inside
            .strip_prefix(spaces)
            .and_then(|inside| inside.strip_suffix(spaces));
        match trimmed.filter(|_| open.quote == Quote::Guillemet) {
            Some(trimmed) => {
                let first = inside.chars().next().map_or(0, char::len_utf8);
                (start + first, start + first + trimmed.len())
            }
            None => (start, end),
        }
    }

    /// Returns the cost of a string's content: of all evidence against it.
    fn evidence(&self, start: usize, end: usize, open: &OpenString) -> u32 {
        let inside = &self.text.text[start..end];
        let new = &self.text.bytes[(open.from as usize).clamp(start, end)..end];
        self.charge(new.len() / 16);
        let lines = open.lines || memchr::memchr(b'\n', new).is_some();
        if !open.is_name() {
            return if lines { price::RAW_NEWLINE } else { 0 };
        }
        let mut cost = 0;
        self.charge(inside.len().min(LONG_NAME) / 16);
        if lines
            || inside.is_empty()
            || inside.len() > LONG_NAME
            || open.inner > 0 && inside.contains(' ')
            || inside.contains(',')
        {
            cost += price::ODD_NAME;
        }
        // `{[Test("x")]`: code, whose brackets a key does not close.
        if balance(&inside.as_bytes()[..inside.len().min(LONG_NAME)]) != 0 {
            cost += price::BRACKET_IN_NAME;
        }
        if self.text.names.is_some() && !self.text.expects(inside) {
            cost += price::UNKNOWN_NAME;
        }
        cost
    }
}

/// Number of bytes of the first half of a surrogate pair: `\ud83d`.
const PAIR_HALF: usize = 6;

/// Returns the length of an incomplete escape at the end of a truncated text: 4 for `caf\u00`, 6
/// for the first half of a surrogate pair, `\ud83d`.
pub(crate) fn half_escape(bytes: &[u8]) -> usize {
    let Some(at) = memchr::memrchr(b'\\', bytes) else {
        return 0;
    };
    let before = bytes[..at]
        .iter()
        .rev()
        .take_while(|c| **c == b'\\')
        .count();
    let escape = &bytes[at..];
    let digits = escape
        .iter()
        .skip(2)
        .take_while(|c| c.is_ascii_hexdigit())
        .count();
    let unicode = escape.get(1) == Some(&b'u') && digits + 2 == escape.len();
    let high = unicode
        && digits == 4
        && matches!(
            escape[2..4],
            [b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B']
        );
    let hex = escape.get(1) == Some(&b'x') && digits + 2 == escape.len() && digits < 2;
    let braced = escape.starts_with(b"\\u{") && escape[3..].iter().all(u8::is_ascii_hexdigit);
    let half = escape.len() == 1 || unicode && digits < 4 || high || hex || braced;
    if before % 2 == 1 || !half {
        return 0;
    }
    // The first half of a surrogate pair is meaningless without the second one.
    let first = at.saturating_sub(PAIR_HALF);
    let escaped = bytes[..first].iter().rev().take_while(|c| **c == b'\\');
    let pair = if high || !unicode && escape.len() > 1 || escaped.count() % 2 == 1 {
        0
    } else {
        half_escape(&bytes[first..at])
    };
    escape.len() + pair
}
