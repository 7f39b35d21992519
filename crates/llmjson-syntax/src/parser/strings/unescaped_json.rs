//! Strings that hold JSON whose own quotes were not escaped: `"arguments": "{"city": "Paris"}"`.
//!
//! Such a string begins with a bracket and then a name or a value. Its JSON is followed up to the
//! matching closer; a quote like the first and what may follow a string there end it. Only a first
//! quote that is not followed by what may follow leads here, so a string that was written properly
//! and holds JSON, or a bracket alone, stays as it is.

use smallvec::SmallVec;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::parser::look::Look;
use crate::parser::look::quotes::{FoundString, StringRole};
use crate::parser::state::pause::MARGIN;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::scan;
use crate::scan::peek;
use crate::tape::flag;

#[cfg(test)]
mod reader_tests;
#[cfg(test)]
mod tests;

/// The outcome of following JSON in a string.
enum Inside {
    /// The offset before which it ended, whole.
    Whole(usize),
    /// The text ends in it.
    Cut,
    /// The offset at which it turned out to be no JSON.
    Nowhere(usize),
}

/// The token that may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Due {
    Value,
    /// A value, or the closer of a list.
    Item,
    /// A name, or the closer of an object.
    Name,
    Colon,
    /// A separator or closer behind a value.
    After,
}

/// The JSON in a string, as far as it has been followed.
struct JsonWalk<'t> {
    look: Look<'t>,
    at: usize,
    due: Due,
    /// The closers of what is open, and the quotes of strings inside that hold JSON in their turn.
    open: SmallVec<[u8; 32]>,
    /// Names with their colon and texts in lists.
    seen: u32,
    /// White space between the tokens is escaped: the text was, all but its quotes.
    escaped: bool,
}

impl<'t> JsonWalk<'t> {
    fn new(look: Look<'t>, at: usize) -> Self {
        Self {
            look,
            at,
            due: Due::Value,
            open: SmallVec::new(),
            seen: 0,
            escaped: false,
        }
    }

    /// Follows JSON, and further values right behind it: whole before 17 in `{"a": 1} {"b": 2}"`,
    /// nowhere at 7 in `{"a": 1; "b": 2}`.
    fn follow(&mut self) -> Inside {
        loop {
            let (byte, k) = self.between_tokens();
            self.look.charge(2);
            if self.look.work_is_used_up() {
                return Inside::Nowhere(k);
            }
            let closer = self.open.last().copied().unwrap_or(0);
            if self.due == Due::After && closer == 0 {
                if matches!(byte, b'{' | b'[') {
                    // Several values, one after another.
                    self.due = Due::Value;
                    continue;
                }
                return Inside::Whole(self.at);
            }
            if k >= self.look.bytes.len() {
                return Inside::Cut;
            }
            self.at = k + 1;
            match (self.due, byte) {
                (Due::Value | Due::Item, b'{') => {
                    self.open.push(b'}');
                    self.due = Due::Name;
                }
                (Due::Value | Due::Item, b'[') => {
                    self.open.push(b']');
                    self.due = Due::Item;
                }
                (Due::Value | Due::Item, b'"' | b'\'') => {
                    // `"{"a": "{"b": 1}"}"`: a string in the JSON holds JSON in turn.
                    if self.look.holds_json(k) {
                        self.open.push(byte);
                        self.due = Due::Value;
                        continue;
                    }
                    let Some(end) = self.look.text_in_json(k, closer) else {
                        return Inside::Cut;
                    };
                    self.seen += u32::from(closer == b']');
                    (self.at, self.due) = (end + 1, Due::After);
                }
                (Due::Value | Due::Item, _)
                    if let end = self.look.bare_in_json(k)
                        && end > k =>
                {
                    (self.at, self.due) = (end, Due::After);
                }
                (Due::Name, b'"' | b'\'') => {
                    let Some(end) = self.look.name_in_json(k) else {
                        return Inside::Nowhere(k);
                    };
                    (self.at, self.due) = (end, Due::Colon);
                }
                // `"{a: 1, "b": 2}"`: names without quotes beside names with them.
                (Due::Name, _) if byte.is_ascii_alphabetic() && self.look.name_ahead(k) => {
                    let window = self.look.window(k);
                    self.at = k + window.find([':', ' ']).unwrap_or(1);
                    self.due = Due::Colon;
                }
                (Due::Colon, b':') => {
                    self.seen += 1;
                    self.due = Due::Value;
                }
                (Due::After, b',') if closer == b'}' => self.due = Due::Name,
                (Due::After, b',') if closer == b']' => self.due = Due::Item,
                (Due::After | Due::Item | Due::Name, _) if byte == closer => {
                    self.open.pop();
                    self.due = Due::After;
                }
                _ => return Inside::Nowhere(k),
            }
        }
    }

    /// Returns the first byte of the next token, and where it stands. Marks escaped white space before it.
    fn between_tokens(&mut self) -> (u8, usize) {
        let k = self.look.beyond_escaped_space(self.at);
        let between = &self.look.bytes[self.at.min(k)..k];
        let nested = |open: &u8| matches!(open, b'"' | b'\'');
        let escaped = memchr::memchr(b'\\', between).is_some();
        self.escaped |= escaped && !self.open.iter().any(nested);
        (peek(self.look.bytes, k), k)
    }
}

impl Reader<'_> {
    /// Reads the string in `quote`s that begins at `start` if it holds JSON with quotes that were
    /// not escaped.
    #[cold]
    pub(crate) fn unescaped_json(
        &mut self,
        here: Container,
        role: StringRole,
        start: usize,
        quote: u8,
    ) -> Option<FoundString> {
        let opener = self.look.beyond_escaped_space(start);
        if role == StringRole::Key
            || !matches!(peek(self.look.bytes, opener), b'{' | b'[')
            || start >= self.counters.hopeless_from
            || self.look.work_is_used_up()
        {
            return None;
        }
        let mut walk = JsonWalk::new(self.look, start);
        let (end, next, class) = match walk.follow() {
            Inside::Whole(json) => {
                let end = self.look.beyond_escaped_space(json);
                // `{"a": "{"b": 1}`: the last brace closes the JSON in the string, and both the quote and the
                // outer brace are missing.
                if end >= self.look.bytes.len() {
                    return Some(self.cut_json(here, role, start, &walk));
                }
                let closed = peek(self.look.bytes, end) == quote && self.fits(here, role, end + 1);
                if closed && !self.look.holds_quote(start, end, quote) {
                    // `'{"a": 1}'`: the quotes inside need no escape.
                    self.looked_at_json(end);
                    return None;
                }
                // `"a": "{"b": 1}"`: whole JSON and the closing quote.
                if closed {
                    (end, end + 1, Class::Likely)
                // `"a": "{"b": 1}, "c": 2`: whole JSON, but no closing quote. As well the opening one may be
                // too many.
                } else if walk.seen > 0 && self.fits(here, role, json) {
                    (json, json, Class::Guess)
                } else {
                    self.looked_at_json(json);
                    return None;
                }
            }
            // `{"a": "{"b": 1, "c": "x`: a name with its colon has shown that this is JSON.
            Inside::Cut if walk.seen > 0 => return Some(self.cut_json(here, role, start, &walk)),
            Inside::Cut => {
                self.looked_at_json(self.look.bytes.len());
                return None;
            }
            // `"a": "{x} is "b""`: a bracket at the beginning, but no JSON behind it.
            Inside::Nowhere(end) => {
                self.looked_at_json(end);
                return None;
            }
        };
        let escapes = self.look.bytes[walk.at.min(end)..end].contains(&b'\\');
        walk.escaped |= escapes;
        let pause = &mut self.scratch.pause;
        pause.looked_to = pause.looked_to.max(end + MARGIN);
        self.forget_about(start);
        self.repair_as(RepairKind::UnescapedJson, class, start, end);
        if end == next {
            self.repair(RepairKind::MissingQuote, end, end);
        }
        let flags = self.flags_of_json(start, end, walk.escaped);
        Some(FoundString {
            begin: start - 1,
            start,
            end,
            next,
            flags,
        })
    }

    /// The text ends in the JSON.
    fn cut_json(
        &mut self,
        here: Container,
        role: StringRole,
        start: usize,
        walk: &JsonWalk<'_>,
    ) -> FoundString {
        self.scratch.pause.looked_to = usize::MAX;
        self.forget_about(start);
        let mut found = self.unclosed_string(here, role, start);
        self.repair_as(RepairKind::UnescapedJson, Class::Guess, start, found.end);
        if !walk.escaped {
            found.flags &= !flag::ESCAPED;
        }
        found
    }

    /// Looking for JSON up to `end` was without success.
    fn looked_at_json(&mut self, end: usize) {
        let pause = &mut self.scratch.pause;
        pause.looked_to = pause.looked_to.max(end + MARGIN);
    }

    /// Drops what was recorded about the string that begins at `start`: it is another one.
    fn forget_about(&mut self, start: usize) {
        let repairs = &mut self.tape.repairs;
        let about =
            |last: &Repair| last.span.start as usize == start && last.span.end > last.span.start;
        while repairs.len() > self.first_repair && repairs.last().is_some_and(about) {
            repairs.pop();
        }
    }

    /// The flags of the text of a string that holds JSON, with a record of what is odd about it. Its
    /// backslashes are those of the JSON, unless more than that is escaped.
    fn flags_of_json(&mut self, start: usize, end: usize, escaped: bool) -> u8 {
        if escaped {
            return self.inspect_all(start, end);
        }
        if scan::has_control(&self.look.bytes[start..end]) {
            self.repair(RepairKind::ControlCharacter, start, end);
        }
        0
    }

    /// Returns the offset at which the text goes on behind JSON that begins right before the quote
    /// at `first`, if the next quote behind it ends the string: `"Use {"a": 1} here"`.
    pub(crate) fn quote_behind_json(
        &mut self,
        here: Container,
        role: StringRole,
        start: usize,
        first: usize,
    ) -> Option<usize> {
        let opener = self.look.text[start..first]
            .trim_end()
            .len()
            .checked_sub(1)?
            + start;
        if !matches!(self.look.bytes[opener], b'{' | b'[') || self.look.work_is_used_up() {
            return None;
        }
        let mut walk = JsonWalk::new(self.look, opener);
        let inside = walk.follow();
        if let Inside::Whole(end) = inside
            && walk.seen > 0
            && let Some(quote) = self.look.closing_quote_from(start, end)
            && self.fits(here, role, quote + 1)
        {
            return Some(quote);
        }
        let (Inside::Whole(end) | Inside::Nowhere(end)) = inside else {
            self.looked_at_json(self.look.bytes.len());
            return None;
        };
        self.looked_at_json(end);
        None
    }
}

impl<'r> Look<'r> {
    /// Returns `true` if a quote that no backslash escapes stands there: in `a"b` and `a\\"b`, not in `a\"b`.
    fn holds_quote(&self, start: usize, end: usize, quote: u8) -> bool {
        let inside = &self.bytes[start..end];
        self.charge(inside.len() / 16);
        let escaped = |at: usize| {
            let before = inside[..at].iter().rev().take_while(|byte| **byte == b'\\');
            before.count() % 2 == 1
        };
        memchr::memchr_iter(quote, inside).any(|at| !escaped(at))
    }

    /// Returns the offset behind white space, also where it is escaped: 6 of ` \n \ta`.
    fn beyond_escaped_space(&self, at: usize) -> usize {
        let mut k = self.skip_space(at).1;
        while peek(self.bytes, k) == b'\\' && matches!(peek(self.bytes, k + 1), b'n' | b'r' | b't')
        {
            k = self.skip_space(k + 2).1;
        }
        k
    }

    /// Returns `true` if the string at `k` holds JSON with quotes that were not escaped, `"{"a": 1}"`: it
    /// begins with a bracket, and what follows its first quote follows no string. `"{x}", 1` is whole.
    fn holds_json(&self, k: usize) -> bool {
        let opener = self.beyond_escaped_space(k + 1);
        if !matches!(peek(self.bytes, opener), b'{' | b'[') {
            return false;
        }
        let window = self.window(opener).as_bytes();
        let Some(quote) = memchr::memchr(peek(self.bytes, k), window) else {
            return false;
        };
        // `"{\"a\": 1}"`: escaped as it should be.
        if window[..quote].ends_with(b"\\") {
            return false;
        }
        let next = self.skip_space(opener + quote + 1).0;
        !matches!(next, b',' | b'}' | b']' | b':')
    }

    /// Returns the offset at which the text in quotes at `k` ends inside JSON that `closer` closes: at the
    /// first quote like it that is followed by what may follow, 8 in `"a "b" c"}`. `None` if there is none.
    fn text_in_json(&self, k: usize, closer: u8) -> Option<usize> {
        let quote = peek(self.bytes, k);
        let mut at = k + 1;
        loop {
            let end = self.next_like(quote, at)?;
            let next = self.beyond_escaped_space(end + 1);
            let byte = peek(self.bytes, next);
            let comma = || {
                let next = self.beyond_escaped_space(next + 1);
                let last = peek(self.bytes, next) == closer;
                let more = match closer {
                    b'}' => self.key_ahead(next),
                    _ => self.value_ahead(next),
                };
                last || more || next >= self.bytes.len()
            };
            let ends = match byte {
                b',' => matches!(closer, b'}' | b']') && comma(),
                _ => byte == closer || next >= self.bytes.len(),
            };
            if ends {
                return Some(end);
            }
            if self.work_is_used_up() {
                return None;
            }
            at = end + 1;
        }
    }

    /// Returns the offset behind the name in quotes at `k`, if a colon follows it or the text ends: 3 of
    /// `"a": 1`, none of `"a", 1`.
    fn name_in_json(&self, k: usize) -> Option<usize> {
        let end = match self.next_like(peek(self.bytes, k), k + 1) {
            Some(end) => end + 1,
            None => return Some(self.bytes.len()),
        };
        let next = self.beyond_escaped_space(end);
        (peek(self.bytes, next) == b':' || next >= self.bytes.len()).then_some(end)
    }

    /// Returns the offset of the next quote of that kind that no backslash escapes: 4 in `a\"b"`.
    fn next_like(&self, quote: u8, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            let found = scan::find_near(self.bytes, at, quote, b'\\');
            self.charge_search(found.unwrap_or(self.bytes.len()).saturating_sub(at));
            let found = found?;
            if self.bytes[found] == quote {
                return Some(found);
            }
            at = found + 2;
        }
    }

    /// Returns the offset at which the number or word at `k` ends: 4 of `true, 1`.
    fn bare_in_json(&self, k: usize) -> usize {
        let part = |byte: &&u8| byte.is_ascii_alphanumeric() || b".+-_".contains(byte);
        let length = self.bytes[k..].iter().take_while(part).count();
        self.charge(length);
        k + length
    }
}
