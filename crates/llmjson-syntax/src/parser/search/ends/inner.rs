//! Quotes that are part of a string.

use crate::parser::search::beam::Search;
use crate::parser::search::price;
use crate::parser::search::reading::{Move, OpenString, PASSED, Reading, TextRole, Want};
use crate::parser::search::strict::Sign;
use crate::parser::search::text::quotes::Quote;

/// Maximum number of consecutive quotes that are counted.
const RUN: usize = 8;

/// Maximum number of inner quotes that are counted.
pub(crate) const PASSED_MOST: u8 = 253;

/// A quote at which a string may end, with the evidence for and against it.
pub(crate) struct Candidate {
    pub(crate) quote: usize,
    pub(crate) behind: usize,
    /// `true` if the token after the quote may follow.
    pub(crate) good: bool,
    pub(crate) sign: Sign,
    /// The cost of an odd number of quotes inside, if it is odd.
    pub(crate) odd: bool,
    /// `true` if it contains a line break.
    pub(crate) lines: bool,
    pub(crate) balance: i16,
    /// `true` if a bracket is closed inside that was not opened there.
    pub(crate) sunk: bool,
}

impl Search<'_> {
    /// `"a "b c", "e": 1`: of `": "` only one quote is left, and the value begins after it.
    pub(crate) fn smashed(
        &mut self,
        reading: Reading,
        open: OpenString,
        quote: usize,
        behind: usize,
    ) {
        let start = open.start as usize;
        let end = start + self.text.text[start..quote].trim_ascii_end().len();
        if end == start || self.text.text[start..end].contains([' ', ',', ':']) {
            return;
        }
        let colon = (behind, behind);
        let made = self.made(reading, Move::MissingColon, colon, price::SMASHED);
        self.end(made, open, (end, behind), 0, None);
        if let Some(mut ended) = self.out.pop() {
            ended = self.made(ended, Move::SmashedQuote, colon, 0);
            let text = OpenString::new(behind, behind, Quote::Double, TextRole::Value);
            ended.want = Want::Value;
            ended.open = Some(text);
            self.out.push(ended);
        }
    }

    /// The quote is part of the string.
    pub(crate) fn go_on(&mut self, reading: Reading, open: OpenString, candidate: &Candidate) {
        let &Candidate {
            quote,
            behind,
            good,
            sign,
            ..
        } = candidate;
        // Models that do not escape double quotes may well double others.
        let habit = open.quote == Quote::Double || open.quote.twice().is_none();
        let mut passed = open.passed + u8::from(good);
        let mut cost = match open.inner {
            0 if habit && !open.is_name() => reading.habitual(Move::InnerQuote, price::INNER_QUOTE),
            0 => price::INNER_QUOTE,
            _ if open.is_name() => price::INNER_NAME,
            _ => 0,
        };
        let child_follows = self.child_follows(&reading, &open, candidate);
        // Inch marks occur singly.
        let inches = !open.is_name()
            && !candidate.odd
            && !child_follows
            && quote > open.from as usize
            && self.text.at(quote - 1).is_ascii_digit()
            && !self.text.text[..quote]
                .get(quote.saturating_sub(6)..)
                .is_some_and(|end| end.starts_with("\\u"));
        // `'it's'`: an apostrophe.
        let letter = |at: usize| self.text.char_at(at).is_alphabetic();
        let apostrophe = open.quote == Quote::Single
            && quote > open.from as usize
            && letter(behind)
            && self.text.bytes[quote - 1].is_ascii_alphabetic();
        if inches || apostrophe {
            cost = cost.saturating_sub(price::INCHES);
        }
        cost += self.price_of_comma(&open, candidate);
        // `"a": "x}, {"a": "y}, {`: the string swallows text outside its container.
        let before = self.text.bytes[..quote].trim_ascii_end().last();
        let delimits = before.is_some_and(|c| b"{[,:".contains(c))
            || b"}],:".contains(&self.text.at(self.text.space(behind).0));
        if open.sunk && delimits && !open.is_name() {
            cost += price::OUT_OF_CONTAINER;
        }
        // A string that continues past the beginning of a member swallows it. `"a": "x, "b": 1`:
        // the cost rises with the number of members in the string. In prose about JSON the keys are
        // rarely aligned with the surrounding members.
        if self.text.name_ahead(quote) {
            let column = self.frame(&reading).column;
            let here = self.text.first_on_line(quote);
            let aligned = here.is_some_and(|here| column < 0 || here == column);
            let price = if aligned {
                price::SWALLOWED_LINE
            } else {
                price::SWALLOWED
            };
            passed += 1;
            // In the column of the members the cost stays high, however often it occurs: strings
            // rarely keep to that column.
            let less = if aligned && column >= 0 { 1 } else { 4 };
            cost += price >> open.passed.min(less);
        }
        if child_follows {
            cost += price::SWALLOWED;
        }
        if !open.is_name() && self.text.at(behind) == b':' && open.passed == 0 {
            // `["key":"value"]`: the text before the quote is a key.
            cost += price::SWALLOWED;
        }
        cost += match (good, open.is_name()) {
            (false, _) => 0,
            (true, true) => cost,
            (true, false) => self.pass(sign, open.passed),
        };
        // Three consecutive quotes are a Python delimiter and say nothing about pairs.
        let before = self.text.bytes[open.start as usize..quote].iter().rev();
        let third = before.take_while(|c| **c == b'"').take(RUN).count() % 3 == 2;
        let mut made = self.made(reading, Move::InnerQuote, (quote, behind), cost);
        made.at = behind as u32;
        made.open = Some(OpenString {
            inner: (open.inner + 1).min(PASSED_MOST),
            balance: candidate.balance,
            sunk: candidate.sunk,
            odd: candidate.odd == (inches || third),
            lines: candidate.lines,
            passed: passed.min(PASSED),
            from: behind as u32,
            ..open
        });
        self.out.push(made);
    }

    /// Returns `true` if a key or an item follows a quote directly, outside quotes and brackets inside the
    /// string: `"x" "b": 1`, `["x", "y"]`.
    fn child_follows(&self, reading: &Reading, open: &OpenString, candidate: &Candidate) -> bool {
        let outside = !open.is_name() && !candidate.odd && candidate.balance <= 0;
        let is_item = !self.frame(reading).kind.has_names();
        let comma = self.text.comma(candidate.behind);
        let next = self
            .text
            .space(candidate.behind + comma.unwrap_or_default())
            .0;
        let begins = is_item && comma.is_some() || self.text.name_ahead(next);
        outside && begins && self.text.opens(next).is_some()
    }

    /// Returns the cost of a comma after an inner quote.
    pub(crate) fn price_of_comma(&self, open: &OpenString, candidate: &Candidate) -> u32 {
        let behind = candidate.behind;
        // A comma and another quote follow it, as between two items. `["a", "b"]`: read as one
        // string, these two items would cost less than the damage next to them.
        if let Some(length) = self.text.comma(behind)
            && let (next, line) = self.text.space(behind + length)
            && self.text.opens(next).is_some()
        {
            // A string with many of them contains code, but rarely members or items on separate
            // lines, unless it has opened the brackets around them or the line breaks are escaped.
            let own = candidate.balance > 0 || self.text.at(behind + length) == b'\\';
            let less = if line && !own || self.text.name_ahead(next) {
                0
            } else {
                open.inner / 3
            };
            price::OVER_COMMA >> less.min(4)
        } else if self.text.comma(behind).is_some()
            && (open.inner == 0 || self.text.word(behind + 1) > behind + 1)
        {
            // `"a", b"`: the first inner quote is followed by a comma, as between items.
            price::OVER_COMMA
        } else {
            0
        }
    }

    /// Returns the cost of a string that ends at `end` without its quote: for open brackets, or for
    /// being empty.
    pub(crate) fn unclosed_here(&self, open: &OpenString, end: usize) -> u32 {
        let from = (open.from as usize).min(end);
        let open_brackets = open
            .balance
            .saturating_add(balance(&self.text.bytes[from..end]))
            > 0;
        // `/* x */", "b": 1`: the comma is not part of a string either.
        let separator = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
        let inside = &self.text.text[(open.start as usize).min(end)..end];
        let mut cost = 0;
        if !open.is_name() && open_brackets {
            cost += price::OPEN_BRACKETS;
        }
        if inside.trim_end_matches(separator).is_empty() {
            cost += price::EMPTY_UNCLOSED;
        }
        cost
    }

    /// A quote with a space before it and a letter after it opens; the reverse closes.
    pub(crate) fn quote_shape(&self, quote: usize, behind: usize) -> u32 {
        let before = quote.checked_sub(1).map_or(b' ', |at| self.text.at(at));
        // `"a": "the "best" of"`: the quote before `best` opens, since a space precedes it and a
        // letter follows.
        let opens = matches!(before, b' ' | b'(' | b'=');
        let next = self.text.at(behind);
        // `href="#top"`
        let is_path = before == b'=' && matches!(next, b'#' | b'/' | b'.' | b'$' | b'{' | b'<');
        if opens && next.is_ascii_alphanumeric() || is_path {
            price::QUOTE_SHAPE
        } else {
            0
        }
    }
}

/// Counts opening brackets minus closing ones.
pub(crate) fn balance(bytes: &[u8]) -> i16 {
    let sum: i32 = bytes.iter().map(|c| i32::from(BALANCE[*c as usize])).sum();
    sum.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Returns `true` if an unopened brace, bracket or `closer` is closed inside, where `open` ones are
/// open before.
pub(crate) fn sinks(bytes: &[u8], open: i16, closer: u8) -> bool {
    let mut open = i32::from(open);
    bytes.iter().any(|c| {
        open += i32::from(BALANCE[*c as usize]);
        open < 0 && (*c != b')' || *c == closer)
    })
}

/// Returns the change that each byte makes to the number of open brackets.
const BALANCE: [i8; 256] = {
    let mut adds = [0; 256];
    (
        adds[b'{' as usize],
        adds[b'[' as usize],
        adds[b'(' as usize],
    ) = (1, 1, 1);
    (
        adds[b'}' as usize],
        adds[b']' as usize],
        adds[b')' as usize],
    ) = (-1, -1, -1);
    adds
};
