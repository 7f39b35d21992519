//! Strings in other quotes.

use core::ops::Range;

use crate::base::repair::{Class, RepairKind};
use crate::parser::look::Look;
use crate::parser::look::charged::STEPS_OF_RECOVERY;
use crate::parser::look::names::NameQuotes;
use crate::parser::look::quotes::{FoundString, StringRole, closers, quote_at};
use crate::parser::state::pause::MARGIN;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::parser::strings::missing_quote::Opens;
use crate::scan;
use crate::scan::peek;

/// Quotes of the same kind that were passed over as part of a string's text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InnerQuotes {
    Some,
    None,
}

impl InnerQuotes {
    /// Returns `Some` if the condition holds.
    const fn some_if(condition: bool) -> Self {
        match condition {
            true => Self::Some,
            false => Self::None,
        }
    }
}

impl Reader<'_> {
    /// Reads a string in quotes other than plain double ones, or a double-quoted one that no
    /// quote closes. `k` is at the opening quote.
    pub(crate) fn odd_string(
        &mut self,
        here: Container,
        role: StringRole,
        k: usize,
        quote: char,
    ) -> FoundString {
        let start = k + quote.len_utf8();
        // `"x": '{"a": 'b'}'`: the single quotes inside belong to the JSON in the string.
        if quote == '\''
            && let Some(found) = self.unescaped_json(here, role, start, b'\'')
        {
            self.repair(RepairKind::OtherQuotes, k, found.next);
            return found;
        }
        let kinds = closers(quote);
        let mut first = None;
        // Brackets are counted once: `balance` is what is open at `seen`.
        let (mut at, mut seen, mut balance) = (start, start, 0);
        let names = NameQuotes::missing_if(role == StringRole::Member && self.bare_habit(here));
        let other = (quote == '\'')
            .then(|| self.closed_by_other(here, role, start, '"'))
            .flatten();
        while let Some((end, closer)) = self.look.next_quote(at, kinds) {
            let step = if quote == '\'' { 4 } else { 1 };
            self.look.charge((end - at) / step + STEPS_OF_RECOVERY);
            if self.look.work_is_used_up() && first.is_some()
                || other.is_some_and(|other| other < end)
            {
                break;
            }
            at = end + closer.len_utf8();
            if first.is_none() {
                first = Some((end, at));
            }
            let open = balance + self.look.balance_of(&self.look.bytes[seen..end]);
            // `{'a': 'x, 'b': 1}`: the quote opens the next name, and the one before it is missing.
            if quote != '"'
                && closer == quote
                && let looked_at = (end, first.is_some_and(|(other, _)| other == end))
                && let Opens::Next(end, next) = self.opens_next(here, role, start, looked_at, open)
                && balance + self.look.balance_of(&self.look.bytes[seen..end.max(seen)]) <= 0
            {
                self.repair(RepairKind::MissingQuote, end, end);
                // A quote of the other kind there stands for the missing one.
                let other = self.look.text[start..end].strip_suffix('"');
                let other = other.filter(|text| !text.is_empty() && !text.contains('"'));
                let end = other.map_or(end, |text| start + text.len());
                return self.quoted_found(k, start, end, next, quote, InnerQuotes::None);
            }
            let inner = InnerQuotes::some_if(first.is_some_and(|(other, _)| other != end));
            // `'it's here', 'b': 1`: the quote that closes is followed by what may follow a string. An
            // apostrophe is not.
            if self.closes_key(here, role, (k, at), inner)
                || self.fits(here, role, at)
                || open <= 0 && self.closer_of_nothing(here, role, at)
                || names == NameQuotes::Other && self.bare_member_follows(here, start..end, at)
            {
                return self.quoted_found(k, start, end, at, quote, inner);
            }
            // `{a: 'x,\nb: 'y'}`: a member without quotes around its name begins inside the string.
            if let Some(member) = self.look.bare_member_inside(seen, end, names)
                && balance + self.look.balance_of(&self.look.bytes[seen..member]) <= 0
            {
                let end = start + self.look.text[start..member].trim_end().len();
                self.repair(RepairKind::MissingQuote, end, end);
                return self.quoted_found(k, start, end, member, quote, InnerQuotes::None);
            }
            (balance, seen) = (open, end);
            // An earlier string has looked at the quotes from there on and found no end. Looking again for
            // each string would take quadratic time.
            if first.is_some_and(|(end, _)| end >= self.counters.hopeless_from) {
                break;
            }
        }
        let other = other.or_else(|| self.double_quote_behind(here, role, start, quote));
        // `{"a": 'Bob", "b": 1}`: opened by one kind of quote and closed by the other.
        if let Some(end) = other {
            self.repair(RepairKind::MismatchedQuotes, k, end + 1);
            return self.quoted_found(k, start, end, end + 1, '"', InnerQuotes::None);
        }
        if let Some((end, next)) = first {
            self.counters.hopeless_from = self.counters.hopeless_from.min(end);
            return self.quoted_found(k, start, end, next, quote, InnerQuotes::None);
        }
        if quote != '"' {
            self.repair(RepairKind::OtherQuotes, k, start);
        }
        self.unclosed_string(here, role, start)
    }

    /// The first double quote behind `start` in a string that a single `quote` opens, if what may follow
    /// a string follows it.
    fn double_quote_behind(
        &self,
        here: Container,
        role: StringRole,
        start: usize,
        quote: char,
    ) -> Option<usize> {
        let end = start
            + self
                .look
                .window(start)
                .find('"')
                .filter(|_| quote == '\'')?;
        (end < self.counters.hopeless_from && self.fits(here, role, end + 1)).then_some(end)
    }

    /// Returns `true` if a comma and a member without any quotes follow the string `inside` at
    /// `after`: `'Bob', role: admin,`. A quotation that is open in the string may hold all that.
    fn bare_member_follows(&mut self, here: Container, inside: Range<usize>, after: usize) -> bool {
        let (byte, comma) = self.look.beyond_space(after);
        let name = self.look.beyond_space(comma + 1).1;
        if byte != b',' || self.look.opens_quotation(inside) {
            return false;
        }
        if !self.look.name_ahead(name) {
            return self.look.word_for_member(name, NameQuotes::Other);
        }
        let colon = name + self.look.window(name).find(':').unwrap_or(0);
        let value = self.look.beyond_space(colon + 1).1;
        let Some(end) = self.look.bare_text_end(value) else {
            return false;
        };
        let next = match peek(self.look.bytes, end) {
            b',' => self.look.beyond_trivia(end + 1).1,
            _ => self.look.beyond_trivia(end).1,
        };
        let looked_to = &mut self.scratch.pause.looked_to;
        *looked_to = (*looked_to).max(next + MARGIN);
        next >= self.look.bytes.len()
            || match self.look.bytes[next] {
                b'}' => self.closer_fits(here, next),
                _ => next > end && (self.look.key_ahead(next) || self.look.name_ahead(next)),
            }
    }

    /// Returns `true` if the name that begins at `k` ends before `at` though no colon follows: a
    /// value does, or it is the first item of a list in curly brackets.
    fn closes_key(
        &self,
        here: Container,
        role: StringRole,
        (k, at): (usize, usize),
        inner: InnerQuotes,
    ) -> bool {
        // `{'a'}`: a set with one item.
        let lone = || {
            let (byte, closer) = self.look.beyond_space(at);
            byte == b'}' && self.closer_fits(here, closer)
        };
        // `{'a', 'b'}`: a set, whose items are read as names at first.
        let listed = || {
            if here.count == 0 {
                self.look.item_follows(at) || lone()
            } else {
                self.look.items_follow(k)
            }
        };
        // `{'a', 'b': 1}`: a name without a value before another member.
        let alone = || {
            let (byte, comma) = self.look.beyond_space(at);
            byte == b',' && self.look.member_ahead(comma + 1)
        };
        role == StringRole::Key
            && (self.look.key_closes(at)
                || inner == InnerQuotes::None
                    && (self.look.key_without_colon(k) || listed() || alone()))
    }

    fn quoted_found(
        &mut self,
        k: usize,
        start: usize,
        end: usize,
        next: usize,
        quote: char,
        inner: InnerQuotes,
    ) -> FoundString {
        let inside = &self.look.text[start..end];
        // Backticks around a string in quotes mark it; they are no quotes of its own.
        let marked = inside
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'))
            .filter(|text| quote == '`' && !text.is_empty() && !text.contains('"'));
        if let Some(text) = marked {
            self.repair_as(RepairKind::OtherQuotes, Class::Likely, k, next);
            let end = start + 1 + text.len();
            return self.quoted_found(k, start + 1, end, next, '"', InnerQuotes::None);
        }
        if quote != '"' {
            self.repair(RepairKind::OtherQuotes, k, next);
        }
        // `''a''`: doubled quotes, not an empty string with a text behind it.
        if inner == InnerQuotes::Some
            && let Some(text) = inside
                .strip_prefix(quote)
                .and_then(|text| text.strip_suffix(closers(quote)))
            && !text.is_empty()
            && !text.contains(quote)
            && !text.contains(closers(quote))
        {
            self.repair(RepairKind::DoubledQuote, k, next);
            let start = start + quote.len_utf8();
            let end = start + text.len();
            return self.quoted_found(k, start, end, next, '"', InnerQuotes::None);
        }
        if inner == InnerQuotes::Some {
            self.repair(RepairKind::InnerQuote, start, end);
        }
        let flags = self.inspect_all(start, end);
        FoundString {
            begin: k,
            start,
            end,
            next,
            flags,
        }
    }
}

impl Look<'_> {
    /// Returns `true` if one of the quotes in a string opens a quotation that none of them closes: that of
    /// `he said 'hi`. Apostrophes open nothing: `it's`.
    fn opens_quotation(&self, inside: Range<usize>) -> bool {
        self.charge_search(inside.len());
        let text = &self.text[inside];
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let quotes = text.char_indices().filter(|&(at, c)| {
            let (before, after) = (&text[..at], &text[at + c.len_utf8()..]);
            quote_at(text, at).is_some()
                && !(letter(before.chars().next_back()) && letter(after.chars().next()))
        });
        quotes.count() % 2 == 1
    }

    /// Finds the next quote of these kinds from `at` on that no backslash escapes: the one at 4 of `a\'b'`.
    pub(crate) fn next_quote(&self, mut at: usize, kinds: &[char]) -> Option<(usize, char)> {
        let bytes = self.bytes;
        if let ['\''] = kinds {
            loop {
                let found = scan::find_near(bytes, at, b'\'', b'\\')?;
                if bytes[found] == b'\'' {
                    return Some((found, '\''));
                }
                // Of a longer character behind the backslash no byte looks like these.
                at = found + 2;
            }
        }
        loop {
            let rest = self.text.get(at..)?;
            let (found, c) = rest
                .char_indices()
                .find(|(_, c)| *c == '\\' || kinds.contains(c))?;
            if c != '\\' {
                return Some((at + found, c));
            }
            at += found + 1;
            at += self.text[at..].chars().next().map_or(0, char::len_utf8);
        }
    }

    /// Returns `true` if a comma and an item in quotes follow, as in a list in curly brackets: `, 'b', 'c'`,
    /// not `, 'b': 1`.
    fn item_follows(&self, at: usize) -> bool {
        let (byte, comma) = self.beyond_space(at);
        let item = self.beyond_space(comma + 1).1;
        let Some(quote) = quote_at(self.text, item).filter(|_| byte == b',') else {
            return false;
        };
        let start = item + quote.len_utf8();
        let window = self.window(start);
        window.find(closers(quote)).is_some_and(|end| {
            let quote = window[end..].chars().next().map_or(1, char::len_utf8);
            let next = start + end + quote;
            matches!(self.beyond_space(next).0, b',' | b'}')
        })
    }

    /// Returns `true` if a name may end at `after` though no colon follows, since a value follows behind white
    /// space: ` "a"`, not ` a`.
    fn key_closes(&self, after: usize) -> bool {
        let (byte, k) = self.skip_space(after);
        let value = matches!(byte, b'{' | b'[' | b'"' | b'\'' | b'0'..=b'9');
        k > after && (value || quote_at(self.text, k).is_some())
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::{answers, ask};

    #[test]
    fn quotations_are_open_or_closed() {
        answers(
            |look| look.opens_quotation(0..look.text.len()),
            &[
                ("he said 'hi", true),
                ("he said 'hi'", false),
                ("it's", false),
                ("it's 'so", true),
                ("“a” and “b", true),
                ("", false),
            ],
        );
    }

    #[test]
    fn next_quotes_are_not_escaped() {
        let next = |text: &str, kinds: &[char]| ask(text, |look| look.next_quote(0, kinds));
        assert_eq!(next("a'b", &['\'']), Some((1, '\'')));
        assert_eq!(next("a\\'b'", &['\'']), Some((4, '\'')));
        assert_eq!(next("a\\\\'", &['\'']), Some((3, '\'')));
        assert_eq!(next("a", &['\'']), None);
        assert_eq!(next("é”\"", &['"', '”']), Some((2, '”')));
        assert_eq!(next("\\”\"", &['"', '”']), Some((4, '"')));
        assert_eq!(next("a\\", &['"', '”']), None);
    }

    #[test]
    fn items_and_values_follow() {
        answers(
            |look| look.item_follows(0),
            &[
                (", 'b', 'c'", true),
                (" , \"b\"}", true),
                (", “b”,", true),
                (", 'b': 1", false),
                (", 'b", false),
                (", b", false),
                ("; 'b',", false),
            ],
        );
        answers(
            |look| look.key_closes(0),
            &[
                (" {", true),
                (" [", true),
                (" \"a\"", true),
                (" 'a'", true),
                (" “a”", true),
                (" 1", true),
                ("1", false),
                (" a", false),
                ("", false),
            ],
        );
    }
}
