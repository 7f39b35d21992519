//! The follow set of a string: the question by which most others about quotes are decided.
//!
//! It is asked of each place that may be the end of one, and reads nothing: `"a", "b": 1` fits behind the text `a`,
//! `"a", b c` does not, in an object.

use crate::parser::look::quotes::{StringRole, quote_at};
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::scan::peek;

#[cfg(test)]
mod quote_tests;
#[cfg(test)]
mod tests;

impl Reader<'_> {
    /// Returns the role of a string that is no name: the value of a member in `{`, an item in `[`.
    pub(crate) fn role(here: Container) -> StringRole {
        if here.object {
            StringRole::Member
        } else {
            StringRole::Item
        }
    }

    /// Returns `true` if what stands at `after` may follow a string in this place: `, "b": 1` in an object, and
    /// not `, b c`.
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
            // Where no call stands around the string, none is passed over, and the bracket does not fit.
            b')' if !self.encloses(here, b')') => {
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
                let text = newline() && peek(self.look.bytes, at + closers) == byte;
                spaced && (text || !matches!(next, b',' | b']' | b'}'))
            }
            b'{' | b'[' => true,
            _ => newline() && self.look.bare_item_ahead(k) || spaced && self.look.scalar_ahead(k),
        }
    }

    /// Returns `true` if what stands at `after`, behind the closing brackets of calls around a string, may follow
    /// it: `]` in a list.
    fn fits_behind_calls(&self, here: Container, role: StringRole, after: usize) -> bool {
        let (byte, k) = self.look.beyond_space(after);
        k >= self.look.bytes.len()
            || match byte {
                b',' | b';' => self.fits_after_comma(here, role, k + 1),
                b'}' | b']' => self.closer_fits(here, k),
                _ => self.counters.depth == 0 && byte != b')',
            }
    }

    /// Returns `true` if the escapes at `k` stand for white space before something that fits: `\n]` behind an item.
    fn escaped_space_fits(&self, here: Container, role: StringRole, k: usize) -> bool {
        let at = self.look.beyond_escapes(k);
        // A backslash that begins no such escape is still there.
        !matches!(peek(self.look.bytes, at), b'\\' | b'`') && self.fits(here, role, at)
    }

    /// Returns `true` if what stands at `after`, behind a comma, may follow a string and that comma: a member in
    /// an object, `"b": 1`, or its end, `}`.
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

    /// Returns `true` if the closers from `k` on close something and are followed by what may follow them:
    /// `], "b"` where two lists are open, and not `]x`.
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

    /// Returns `true` if names and pieces of a string follow, each behind a sign like the one at
    /// `k`, up to another string or to what may follow one: `+ b + "c"]` in a list.
    pub(crate) fn concatenates(&self, here: Container, role: StringRole, k: usize) -> bool {
        let mut sign = k;
        while sign - k < LOOK_AHEAD && self.look.joins(sign) {
            let operand = self.look.beyond_space(sign + 1).1;
            let end = match quote_at(self.look.text, operand) {
                // `"a" + "b"`: a piece in double quotes has to end for more to follow.
                Some('"') => match self.look.quoted_at(operand + 1) {
                    Some(piece) => piece.end + 1,
                    None => return true,
                },
                Some(_) => return true,
                // `"a" + f(x)[0]`: a name, number, call or indexed value.
                None => match self.look.operand_end(operand) {
                    Some(end) => end,
                    None => return false,
                },
            };
            let next = self.look.beyond_space(end).1;
            if !self.look.joins(next) {
                // The end of the value has to come behind the operands: in `"1" + 2 apples` the sign is text.
                return self.fits(here, role, end);
            }
            sign = next;
        }
        false
    }

    /// Finds the quote that shows that what looks like a comment at `k` is the text of a string: the first one on
    /// its line, or the one right behind a comment that has an end, if what may follow a string follows it
    /// plainly. 3 of `# T", "b": 1` in an object.
    pub(crate) fn quote_of_comment(&self, here: Container, k: usize) -> Option<usize> {
        let quote = match (peek(self.look.bytes, k), peek(self.look.bytes, k + 1)) {
            // `"a": /* x */", "b": 1`: the quote follows the end of the comment.
            (b'/', b'*') => self.look.trivia_at(k)?.1,
            // `"a": # Title", "b": 1`: the first quote of the line.
            (b'#', _) | (b'/', b'/') => {
                let window = self.look.window(k).as_bytes();
                k + memchr::memchr2(b'"', b'\n', window)?
            }
            _ => return None,
        };
        let doubled = peek(self.look.bytes, quote + 1) == b'"';
        let after = quote + 1 + usize::from(doubled);
        (peek(self.look.bytes, quote) == b'"' && self.string_ends(here, after)).then_some(quote)
    }

    /// Returns `true` if a comma and a name or value, or a closer that fits, follow at `after`: `, 1` in a list.
    fn string_ends(&self, here: Container, after: usize) -> bool {
        let (byte, k) = self.look.beyond_space(after);
        match byte {
            b',' => {
                let next = self.look.beyond_space(k + 1).1;
                if here.object {
                    self.look.key_ahead(next)
                } else {
                    self.look.value_ahead(next) && next < self.look.bytes.len()
                }
            }
            b'}' | b']' => self.closer_fits(here, k),
            _ => false,
        }
    }

    /// Returns `true` if a bracket behind a member's text closes nothing, and the next member
    /// follows it: `'a': 'x'], 'b': 1`.
    pub(crate) fn closer_of_nothing(&self, here: Container, role: StringRole, at: usize) -> bool {
        let (byte, k) = self.look.beyond_space(at);
        let (comma, next) = self.look.beyond_space(k + 1);
        role == StringRole::Member
            && matches!(byte, b'}' | b']')
            && !self.encloses(here, byte)
            && comma == b','
            && self.look.member_ahead(next + 1)
    }

    /// Finds the quote of the other kind, `'` or `"`, that closes the string which begins at `start`, if what
    /// follows it shows that it closes: 1 of `x", "b": 1` behind `'` in an object.
    pub(crate) fn closed_by_other(
        &self,
        here: Container,
        role: StringRole,
        start: usize,
        other: char,
    ) -> Option<usize> {
        let window = self.look.window(start);
        // It is gone over by characters.
        self.look.charge_search(window.len() * 8);
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let apostrophe = |at: usize| {
            let (before, after) = (&window[..at], &window[at + 1..]);
            letter(before.chars().next_back()) && letter(after.chars().next())
        };
        let mut ends = window.match_indices([other, '\n']).map(|(at, _)| at);
        let end =
            ends.find(|&at| other != '\'' || window.as_bytes()[at] == b'\n' || !apostrophe(at));
        let end = start + end.filter(|&end| end > 0)?;
        let (mut byte, k) = self.look.beyond_space(end + 1);
        let mut next = self.look.beyond_space(k + 1).1;
        if let Some(length) = self.look.comma_like(k) {
            (byte, next) = (b',', self.look.beyond_space(k + length).1);
        }
        let follows = match (byte, role) {
            // `"x', 'b': 1`: the name behind the comma is in single quotes, so the single quote closes.
            (b',', StringRole::Member) if peek(self.look.bytes, next) == b'\'' => {
                other == '\''
                    && self
                        .look
                        .key_end(next)
                        .is_some_and(|value| self.look.value_ahead(value))
            }
            // `'x", "b": 1`: the name behind the comma is in double quotes.
            (b',', StringRole::Member) => {
                peek(self.look.bytes, next) == b'"' && self.look.key_ahead(next)
            }
            // `['x", "y"]`: a whole item follows the comma. Less could be the rest of a quotation.
            (b',', StringRole::Item) => {
                let newline = || self.look.bytes[k..next].contains(&b'\n');
                self.look.whole_item_ahead(next)
                    || other == '\'' && self.look.single_item_ahead(next)
                    || newline() && quote_at(self.look.text, next).is_some()
            }
            // `{'a": 1}`
            (b':', StringRole::Key) => self.look.value_ahead(k + 1),
            // `{"a": 'x"}`: the quotes of the name show that double ones are the habit.
            (b'}', StringRole::Member) => !self.last_name_bare() && self.closer_fits(here, k),
            // `['x"]`
            (b']', StringRole::Item) => self.closer_fits(here, k),
            _ => false,
        };
        (self.look.text[end..].starts_with(other) && follows).then_some(end)
    }
}

impl Look<'_> {
    /// Returns `true` if a name in quotes and its colon stand behind white space at `at`: ` "a": 1`, and not
    /// `"a": 1`.
    pub(crate) fn quoted_key_ahead(&self, at: usize) -> bool {
        let (byte, k) = self.beyond_space(at);
        byte == b'"' && k > at && self.key_ahead(k)
    }

    /// Returns `true` if dots at `k` stand for what was left out, or a program spreads something
    /// out there: nothing but a separator or closer follows, as in `...]` or `...base}`.
    fn ellipsis_fits(&self, k: usize) -> bool {
        let length = self.ellipsis_length(k);
        let (byte, next) = self.skip_space(k + length);
        length > 0 && (matches!(byte, b',' | b'}' | b']' | b')') || next >= self.bytes.len())
    }

    /// Returns the offset behind escapes that stand for white space, a bounded number of them: 5 for `\n\t a`.
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

    /// Returns `true` if the sign at `k` joins pieces: a plus, or a point before another piece or a
    /// variable, `. $name`.
    pub(crate) fn joins(&self, k: usize) -> bool {
        let next = || self.beyond_space(k + 1).1;
        match peek(self.bytes, k) {
            b'+' => true,
            b'.' => {
                next() > k + 1
                    && (peek(self.bytes, next()) == b'$' || quote_at(self.text, next()).is_some())
            }
            _ => false,
        }
    }

    /// Returns the offset at which the name, number, call or indexed value ends that begins at `k`: 7 for
    /// `f(x)[0],`.
    pub(crate) fn operand_end(&self, k: usize) -> Option<usize> {
        let window = self.window(k).as_bytes();
        let mut open = 0u32;
        let mut quoted = None;
        let mut length = 0;
        for &byte in window {
            let part = byte.is_ascii_alphanumeric() || byte >= 0x80 || b"_.$".contains(&byte);
            match (quoted, byte) {
                (_, b'\n') => break,
                (Some(quote), _) => quoted = quoted.filter(|_| byte != quote),
                // `data["key"]`: quotes within brackets belong to the operand, and others begin a piece.
                (None, b'"' | b'\'' | b'`') if open > 0 => quoted = Some(byte),
                (None, b'(') => open += 1,
                (None, b'[') if length > 0 => open += 1,
                (None, b')' | b']') if open > 0 => open -= 1,
                (None, _) if open == 0 && !part => break,
                _ => {}
            }
            length += 1;
        }
        (length > 0 && open == 0 && quoted.is_none()).then_some(k + length)
    }

    /// Returns `true` if an item in single quotes stands at `k` that a separator or closer follows: `'red',`.
    fn single_item_ahead(&self, k: usize) -> bool {
        let window = self.window(k + 1);
        let end = window.find(['\'', '"', '\n']).filter(|&end| end > 0);
        peek(self.bytes, k) == b'\''
            && end.is_some_and(|end| {
                let follows = self.beyond_space(k + 1 + end + 1).0;
                window[end..].starts_with('\'') && matches!(follows, b',' | b']')
            })
    }
}
