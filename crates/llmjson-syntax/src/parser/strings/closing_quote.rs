//! The decision whether a quote ends a string.
//!
//! The rule, stated once: a quote closes a string if what follows it may follow a string there.
//! In an object that is a comma and a real next name, or a closer after which the text goes on
//! sensibly; in a list a comma and a real next value, or such a closer; after a name a colon; for
//! a string on its own the end of the text. Looking ahead is bounded; runs of white space count as
//! one. A quote that does not close the string belongs to its text, unless it plainly opens the
//! next member: then the closing quote was left out. It was, too, where children stand on lines of
//! their own and, before any quote, a line begins like the next child or the closer (`recovery/indentation.rs`).
//! So it was where a quote of the other kind stands before what may follow. Brackets that are open in
//! the text, and in an item a quotation that goes on behind its comma, put the end off. JSON in a
//! string whose own quotes were not escaped is followed to its end first (`unescaped_json.rs`).
//!
//! Strict reading takes the first quote and never asks. The rule is asked only where what follows
//! that quote cannot be read, so a string that was properly closed stays closed.

use crate::parser::look::LOOK_AHEAD;
use crate::parser::look::Look;
use crate::parser::look::charged::STEPS_OF_RECOVERY;
use crate::parser::look::quotes::{StringRole, quote_at};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::parser::strings::missing_quote::Opens;
use crate::scan::peek;

/// The end of a string with a doubtful quote.
pub(crate) enum StringEnd {
    /// The quote at this offset closes it.
    Closed(usize),
    /// The first offset, at which its closing quote is missing, and the second, at which reading
    /// goes on.
    MissingQuote(usize, usize),
    /// No end: the object that it stands in begins once more at this brace.
    Restart(usize),
    /// No quote closes it before the next member begins, and what stands behind its first quote
    /// is no part of it.
    Stray,
    /// No quote up to the end of the text closes it.
    Nowhere,
}

impl Reader<'_> {
    pub(crate) fn role(here: Container) -> StringRole {
        if here.object {
            StringRole::Member
        } else {
            StringRole::Item
        }
    }

    /// Returns `true` if what stands at `after` may follow a string in this place.
    pub(crate) fn fits(&self, here: Container, role: StringRole, after: usize) -> bool {
        let (byte, k) = self.look.beyond_space(after);
        let spaced = k > after;
        let newline = || self.look.bytes[after..k].contains(&b'\n');
        if k >= self.look.bytes.len() {
            return true;
        }
        if role == StringRole::Key {
            return byte == b':' || byte == b'=' || self.look.text[k..].starts_with('：');
        }
        match byte {
            b',' | b';' => self.fits_after_comma(here, role, k + 1),
            b')' if self.counters.wrappers > 0 && !self.encloses(here, b')') => {
                let closers = self.look.bytes[k..]
                    .iter()
                    .take(self.counters.wrappers as usize);
                let closers = closers.take_while(|&&byte| byte == b')').count();
                self.fits_behind_calls(here, role, k + closers)
            }
            b'}' | b']' | b')' => self.closer_fits(here, k),
            b'=' if role == StringRole::Item && peek(self.look.bytes, k + 1) == b'>' => {
                (here.count == 0 || self.in_object(here)) && self.look.value_ahead(k + 2)
            }
            b'+' => self.concatenates(here, role, k),
            b'`' if self.look.fence_at(k) => newline(),
            b'<' => self.look.tag_at(k) || self.look.bytes[k..].starts_with(b"<!--"),
            b'/' => {
                matches!(peek(self.look.bytes, k + 1), b'/' | b'*')
                    && self.quote_of_comment(here, k).is_none()
            }
            b'#' => spaced && self.quote_of_comment(here, k).is_none(),
            b'\\' => self.escaped_space_fits(here, role, k),
            b'.' => self.look.ellipsis_fits(k) || self.concatenates(here, role, k),
            b'(' if let Some(end) = self.look.remark_end(k) => {
                matches!(self.look.skip_space(end).0, b',' | b'}' | b']')
                    && self.fits(here, role, end)
            }
            _ if self.look.text[k..].starts_with(['，', '、']) => {
                self.fits_after_comma(here, role, k + '，'.len_utf8())
            }
            b':' if role == StringRole::Member => self.look.quoted_key_ahead(k + 1),
            _ if role == StringRole::Member => {
                (newline() || byte == b'"') && self.look.key_ahead(k)
            }
            b':' => (here.count == 0 || self.in_object(here)) && self.look.value_ahead(k + 1),
            // A quote before a separator closes something; it opens nothing.
            b'"' | b'\'' | b'`' => {
                let (next, at) = self.look.skip_space(k + 1);
                let closers = self.look.bytes[at..].iter().take(LOOK_AHEAD);
                let closers = closers
                    .take_while(|byte| matches!(byte, b']' | b'}'))
                    .count();
                let text = closers > 0 && newline() && peek(self.look.bytes, at + closers) == byte;
                spaced && (text || !matches!(next, b',' | b']' | b'}'))
            }
            b'{' | b'[' => true,
            _ => newline() && self.look.bare_item_ahead(k) || spaced && self.look.scalar_ahead(k),
        }
    }

    /// The same behind the closing brackets of calls around a string.
    fn fits_behind_calls(&self, here: Container, role: StringRole, after: usize) -> bool {
        let (byte, k) = self.look.beyond_space(after);
        k >= self.look.bytes.len()
            || match byte {
                b',' | b';' => self.fits_after_comma(here, role, k + 1),
                b'}' | b']' => self.closer_fits(here, k),
                _ => self.counters.depth == 0 && byte != b')',
            }
    }

    /// Returns `true` if the escapes at `k` stand for white space before something that fits.
    fn escaped_space_fits(&self, here: Container, role: StringRole, k: usize) -> bool {
        let at = self.look.beyond_escapes(k);
        at > k && !matches!(peek(self.look.bytes, at), b'\\' | b'`') && self.fits(here, role, at)
    }

    fn fits_after_comma(&self, here: Container, role: StringRole, after: usize) -> bool {
        let (byte, k) = self.look.beyond_space(after);
        if k >= self.look.bytes.len() {
            return true;
        }
        match byte {
            b'}' | b']' | b')' => self.closer_fits(here, k),
            b'/' => matches!(peek(self.look.bytes, k + 1), b'/' | b'*'),
            b'#' | b',' => true,
            b'<' if self.look.bytes[k..].starts_with(b"<!--") => true,
            b'.' => self.look.ellipsis_fits(k),
            b'`' if self.look.fence_at(k) => true,
            b'\\' => {
                let next = self.look.beyond_escapes(k);
                let name = || {
                    self.look
                        .escaped_quote(k + 2)
                        .map(|end| self.look.beyond_space(end + 2).0)
                };
                next > k && (role == StringRole::Item || self.look.key_ahead(next))
                    || peek(self.look.bytes, k + 1) == b'"'
                        && (role == StringRole::Item || name() == Some(b':'))
            }
            b'{' if role == StringRole::Member => self.encloses(here, b']'),
            _ if role == StringRole::Member => {
                self.look.key_ahead(k)
                    || self.look.key_without_colon(k)
                    || self.look.cut_name_ahead(k)
                    || self.look.words_before_key(k)
                    || self.look.items_follow(k)
            }
            b'{' | b'[' | b'(' | b'-' | b'0'..=b'9' => true,
            b'b' | b'f' | b'r' | b'u' if quote_at(self.look.text, k + 1).is_some() => true,
            _ => {
                quote_at(self.look.text, k).is_some()
                    || self.look.bare_item_ahead(k)
                    || self.look.call_ahead(k)
            }
        }
    }

    /// Returns `true` if the closers from `k` on are followed by what may follow them.
    pub(crate) fn closer_fits(&self, here: Container, k: usize) -> bool {
        if !self.encloses(here, self.look.bytes[k]) {
            return false;
        }
        let mut closed = 0;
        let (mut byte, mut at, mut end) = (self.look.bytes[k], k, k);
        while matches!(byte, b'}' | b']' | b')') && at - k < LOOK_AHEAD {
            closed += 1;
            end = at + 1;
            (byte, at) = self.look.beyond_space(end);
        }
        let spaced = at > end;
        let newline = self.look.bytes[end..at].contains(&b'\n');
        match byte {
            0 if at >= self.look.bytes.len() => true,
            b',' | b';' | b'/' | b'#' | b'<' | b'`' | b'\\' => true,
            b'"' | b'\'' => newline && closed < self.counters.depth,
            _ if closed >= self.counters.depth => spaced || !byte.is_ascii_alphanumeric(),
            b'{' | b'[' => true,
            _ => newline || self.look.comma_like(at).is_some(),
        }
    }

    /// Returns the end of the double-quoted string that begins at `start`, given that its first
    /// quote, at `first`, is not followed by what may follow.
    pub(crate) fn true_end(
        &mut self,
        here: Container,
        role: StringRole,
        start: usize,
        first: usize,
    ) -> StringEnd {
        let (mut quote, mut count) = (first, 0u32);
        let mut seen = start;
        let mut balance = 0i32;
        // The quote that would do but for brackets left open in the text, and how many.
        let mut unbalanced: Option<(i32, usize)> = None;
        // The first one that would do but for a quotation that it seems to end.
        let mut quoted = None;
        let bare = role == StringRole::Member && self.last_name_bare();
        // `"a": "one` at the end of a line, and `"b": 2` below as indented as `"a"`: the line tells more
        // than any quote behind it.
        if let Some((end, next)) = self.ends_by_line(here, start, first) {
            return StringEnd::MissingQuote(end, next);
        }
        // `"x', "b": 1`: opened by one kind of quote and closed by the other.
        if let Some(quote) = self.closed_by_other(here, role, start, '\'')
            && quote < first
        {
            return StringEnd::MissingQuote(quote, quote + 1);
        }
        // `"Use {"a": 1} here"`: the quotes of JSON inside come in pairs, which are gone over at once.
        if let Some(quote) = self.quote_behind_json(here, role, start, first) {
            return StringEnd::Closed(quote);
        }
        loop {
            self.look.charge(STEPS_OF_RECOVERY);
            // `"one, b: "two"`: a name without quotes shows that the string ended before it.
            if let Some(end) = self.look.bare_member_inside(seen, quote, bare)
                && balance + self.look.balance_of(&self.look.bytes[seen..end]) <= 0
            {
                return StringEnd::MissingQuote(self.look.text_before(end).len(), end);
            }
            balance += self.look.balance_of(&self.look.bytes[seen..quote]);
            seen = quote;
            // `{"a": "one{"a": "one two"}`: the model broke off and began the object once more.
            if quote == first
                && let Some(brace) = self.begins_again(here, start, quote)
            {
                return StringEnd::Restart(brace);
            }
            match self.opens_next(here, role, start, (quote, quote == first), balance) {
                // Brackets behind the text are no part of it.
                Opens::Next(end, next)
                    if balance
                        - self
                            .look
                            .balance_of(&self.look.bytes[end.min(quote)..quote])
                        <= 0 =>
                {
                    return StringEnd::MissingQuote(end, next);
                }
                Opens::Outer if balance <= 0 => return StringEnd::Stray,
                Opens::Nothing => {}
                _ => {
                    if let Some(quote) = quoted.or(unbalanced.map(|(_, quote)| quote)) {
                        return StringEnd::Closed(quote);
                    }
                }
            }
            if self.fits(here, role, quote + 1) {
                let (byte, next) = self.look.skip_space(quote + 1);
                let quotation = role == StringRole::Item
                    && count % 2 == 1
                    && self.look.ends_quotation(first, (byte, next));
                if !quotation && (balance <= 0 || !self.look.may_be_code(role, bare, (byte, next)))
                {
                    return StringEnd::Closed(quote);
                }
                if quotation {
                    quoted = quoted.or(Some(quote));
                } else if unbalanced.is_none_or(|(least, _)| balance <= least) {
                    unbalanced = Some((balance, quote));
                }
            }
            if first >= self.counters.hopeless_from || self.look.work_is_used_up() {
                break;
            }
            count += 1;
            match self.look.closing_quote_from(start, quote + 1) {
                Some(next) => quote = next,
                None => {
                    self.counters.hopeless_from = self.counters.hopeless_from.min(first);
                    break;
                }
            }
        }
        match quoted.or(unbalanced.map(|(_, quote)| quote)) {
            Some(quote) => StringEnd::Closed(quote),
            None if count > 1 => StringEnd::Nowhere,
            None => StringEnd::Stray,
        }
    }
}

impl<'r> Look<'r> {
    /// Returns `true` if a name in quotes and its colon stand behind `at`, where white space comes
    /// first.
    pub(crate) fn quoted_key_ahead(&self, at: usize) -> bool {
        let (byte, k) = self.beyond_space(at);
        byte == b'"' && k > at && self.key_ahead(k)
    }

    /// Returns `true` if dots at `k` stand for what was left out, or a program spreads something
    /// out there: nothing but a separator or closer follows.
    fn ellipsis_fits(&self, k: usize) -> bool {
        let length = self.ellipsis_length(k);
        let (byte, next) = self.skip_space(k + length);
        length > 0 && (matches!(byte, b',' | b'}' | b']' | b')') || next >= self.bytes.len())
    }

    /// Returns the offset behind escapes that stand for white space, a bounded number of them.
    fn beyond_escapes(&self, k: usize) -> usize {
        let mut at = k;
        while at - k < LOOK_AHEAD
            && peek(self.bytes, at) == b'\\'
            && matches!(peek(self.bytes, at + 1), b'n' | b'r' | b't')
        {
            at = self.skip_space(at + 2).1;
        }
        at
    }

    /// Returns `true` if what follows the quote of a string with open brackets, `byte` at `next`,
    /// may be more of its text, which is code: a closer, a name without quotes where names have
    /// them, or a colon.
    fn may_be_code(&self, role: StringRole, bare: bool, (byte, next): (u8, usize)) -> bool {
        match byte {
            b'}' | b']' | b')' => true,
            b':' => role == StringRole::Item,
            b',' if role == StringRole::Member && !bare => {
                let name = self.beyond_space(next + 1).1;
                self.name_ahead(name) && !self.expected_at(name)
            }
            _ => false,
        }
    }

    /// Returns `true` if the first quote in an item opens a quotation, and a quote that ends one is
    /// followed by a comma and another quotation, no item: `"a "b", "c" d"`.
    fn ends_quotation(&self, first: usize, (byte, next): (u8, usize)) -> bool {
        let opens = !self.bytes[first - 1].is_ascii_alphanumeric()
            && peek(self.bytes, first + 1).is_ascii_alphanumeric();
        let quote = self.beyond_space(next + 1).1;
        opens && byte == b',' && peek(self.bytes, quote) == b'"' && !self.item_ahead(quote)
    }
}
