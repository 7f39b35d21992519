//! The decision whether a quote ends a string.
//!
//! The rule, stated once: a quote closes a string if what follows it may follow a string there.
//! In an object that is a comma and a real next name, or a closer after which the text goes on
//! sensibly; in a list a comma and a real next value, or such a closer; after a name a colon; for
//! a string on its own the end of the text. Looking ahead is bounded; runs of white space count as
//! one. A quote that does not close the string belongs to its text, unless it plainly opens the
//! next member: then the closing quote was left out. It was, too, where children stand on lines of
//! their own and, before any quote, a line begins like the next child or the closer (`state/lines.rs`).
//! So it was where a quote of the other kind stands before what may follow. Brackets that are open in
//! the text, and in an item a quotation that goes on behind its comma, put the end off. JSON in a
//! string whose own quotes were not escaped is followed to its end first (`unescaped_json.rs`).
//!
//! Strict reading takes the first quote and never asks. The rule is asked only where what follows
//! that quote cannot be read, so a string that was properly closed stays closed.

use crate::parser::look::Look;
use crate::parser::look::charged::STEPS_OF_RECOVERY;
use crate::parser::look::names::NameQuotes;
use crate::parser::look::quotes::StringRole;
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
    /// Returns the end of the double-quoted string that begins at `start`, given that its first
    /// quote, at `first`, is not followed by what may follow.
    pub(crate) fn true_end(
        &mut self,
        here: Container,
        role: StringRole,
        start: usize,
        first: usize,
    ) -> StringEnd {
        let bytes = self.look.bytes;
        let (mut quote, mut count) = (first, 0u32);
        let mut seen = start;
        let mut balance = 0i32;
        // The quote that would do but for brackets left open in the text, and how many.
        let mut unbalanced: Option<(i32, usize)> = None;
        // The first one that would do but for a quotation that it seems to end.
        let mut quoted = None;
        let names = NameQuotes::missing_if(role == StringRole::Member && self.last_name_bare());
        if let Some(end) = self.end_before_quotes(here, role, start, first) {
            return end;
        }
        loop {
            self.look.charge(STEPS_OF_RECOVERY);
            // `"one, b: "two"`: a name without quotes shows that the string ended before it.
            if let Some(end) = self.look.bare_member_inside(seen, quote, names)
                && balance + self.look.balance_of(&bytes[seen..end]) <= 0
            {
                return StringEnd::MissingQuote(self.look.text_before(end).len(), end);
            }
            balance += self.look.balance_of(&bytes[seen..quote]);
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
                    if balance <= self.look.balance_of(&bytes[end.min(quote)..quote]) =>
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
                if !quotation && (balance <= 0 || !self.look.may_be_code(role, names, (byte, next)))
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

impl Reader<'_> {
    /// Returns the end of a string that something else tells than its quotes one after the other.
    fn end_before_quotes(
        &mut self,
        here: Container,
        role: StringRole,
        start: usize,
        first: usize,
    ) -> Option<StringEnd> {
        // `"a": "one` at the end of a line, and `"b": 2` below as indented as `"a"`: the line tells more
        // than any quote behind it.
        if let Some((end, next)) = self.ends_by_line(here, start, first) {
            return Some(StringEnd::MissingQuote(end, next));
        }
        // `"x', "b": 1`: opened by one kind of quote and closed by the other.
        if let Some(quote) = self.closed_by_other(here, role, start, '\'')
            && quote < first
        {
            return Some(StringEnd::MissingQuote(quote, quote + 1));
        }
        // `"Use {"a": 1} here"`: the quotes of JSON inside come in pairs, which are gone over at once.
        let quote = self.quote_behind_json(here, role, start, first)?;
        Some(StringEnd::Closed(quote))
    }
}

impl<'r> Look<'r> {
    /// Returns `true` if what follows the quote of a string with open brackets, `byte` at `next`, may be more
    /// of its text, which is code: a closer, a name without quotes where names have them, or a colon: `, b: 1`,
    /// not `, "b": 1`.
    fn may_be_code(&self, role: StringRole, names: NameQuotes, (byte, next): (u8, usize)) -> bool {
        match byte {
            b'}' | b']' | b')' => true,
            b':' => role == StringRole::Item,
            b',' if role == StringRole::Member && names == NameQuotes::Double => {
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

#[cfg(test)]
mod tests {
    use super::NameQuotes;
    use crate::parser::look::quotes::StringRole;
    use crate::parser::look::{ask, ask_with};
    use crate::scan::skip_space;

    #[test]
    fn text_with_open_brackets_may_be_code() {
        let code = |role, names, text: &str| {
            let next = skip_space(text.as_bytes(), 0);
            ask_with(&["known"], text, |look| look.may_be_code(role, names, next))
        };
        let (item, member) = (StringRole::Item, StringRole::Member);
        let (double, missing) = (NameQuotes::Double, NameQuotes::missing_if(true));
        for text in ["}", " ]", ")"] {
            assert!(code(member, double, text), "{text}");
        }
        assert!(code(item, double, ": 1"));
        assert!(!code(member, double, ": 1"));
        assert!(code(member, double, ", b: 1"));
        assert!(!code(member, double, ", known: 1"));
        assert!(!code(member, double, ", \"b\": 1"));
        assert!(!code(member, missing, ", b: 1"));
        assert!(!code(item, double, ", b: 1"));
        assert!(!code(member, double, " b"));
    }

    #[test]
    fn quotations_go_on_behind_commas() {
        // The first quote, and what follows the one that ends the quotation.
        let ends = |text: &str, first: usize, comma: usize| {
            ask(text, |look| {
                look.ends_quotation(first, (look.bytes[comma], comma))
            })
        };
        assert!(ends("\"a \"b\", \"c\" d\"", 3, 6));
        assert!(!ends("\"a \"b\", \"c\"]", 3, 6));
        assert!(!ends("\"a\"b\", \"c\" d\"", 2, 5));
        assert!(!ends("\"a \" b\", \"c\" d\"", 3, 7));
        assert!(!ends("\"a \"b\"; \"c\" d\"", 3, 6));
        assert!(!ends("\"a \"b\", c d\"", 3, 6));
    }
}
