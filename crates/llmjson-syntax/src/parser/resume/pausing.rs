//! Parsing while text is still arriving.
//!
//! The reader is the same as for complete text. Before each step it asks this module whether more
//! text could change the step's effect; if so it pauses, and continues from there when enough text
//! has arrived. A strict token is certain once the next one has begun. A repair is tentative: it is
//! kept if the evidence for it is clearly before the end of the text, and otherwise undone and
//! retried with more text.
//!
//! Parsed text is never taken back. If a step would require that, the reader stops for good, and
//! the meaning of the complete text is determined at its end.

use crate::parser::state::pause::{Await, MARGIN, Phase};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, ValueEnd, scalar};
use crate::scan::{peek, skip_space};
use crate::tape::{NONE, Tag, flag};

impl Reader<'_> {
    /// Saves the position at which reading resumes and reports the string that begins there.
    #[cold]
    #[inline(never)]
    pub(crate) fn pause(
        &mut self,
        phase: Phase,
        here: Container,
        key: KeySpan,
        at: usize,
    ) -> ValueEnd {
        let pause = &mut self.scratch.pause;
        (pause.phase, pause.at, pause.paused) = (phase, at, true);
        (pause.here, pause.key) = (here, key);
        if here.current != NONE {
            self.tape.set_count(here.current, here.count);
        }
        let byte = peek(self.look.bytes, at);
        if phase == Phase::Value && here.current != NONE && matches!(byte, b'"' | b'\'') {
            self.show_string(here, key, at + 1, byte);
        }
        let complete = false;
        ValueEnd { end: at, complete }
    }

    /// Shows as much of a string as is certain. In an array within another container a possible key
    /// is held back: a colon would make it one, since braces or the array's closer may be missing.
    fn show_string(&mut self, here: Container, key: KeySpan, start: usize, quote: u8) {
        let pause = &mut self.scratch.pause;
        if pause.partial.start != start {
            pause.partial.begin(start, quote, self.look.text);
        }
        let shown = pause.resumed.is_some() && pause.shown == self.tape.nodes.len();
        let may_be_name = !shown && pause.partial.may_be_name(self.look.text, self.look.names);
        if may_be_name && !here.object && self.stands_inside(here)
            || self.begins_its_line(here, start - 1)
        {
            return;
        }
        let end = self.scratch.pause.partial.certain_end(self.look.bytes);
        let pause = &self.scratch.pause;
        let mut node = scalar(key, Tag::String, start, end);
        node.flags |= pause.partial.flags | flag::TRUNCATED;
        self.tape.nodes.push(node);
        self.tape.set_count(here.current, here.count + 1);
        self.scratch.pause.growing = true;
    }

    /// Returns `true` if a line ends between a member's colon and its value at `k`, so that the
    /// bracket before the value may be missing.
    fn begins_its_line(&self, here: Container, k: usize) -> bool {
        let before = self.look.text_before(k).len();
        here.object && memchr::memchr(b'\n', &self.look.bytes[before..k]).is_some()
    }

    /// Returns `true` if another container is open around this one.
    fn stands_inside(&self, here: Container) -> bool {
        let node = self.tape.nodes.get(here.current as usize);
        node.is_some_and(|node| node.next != NONE)
    }

    /// Pauses before the text that follows a value or, if that text may still change the value,
    /// before the value itself.
    #[cold]
    #[inline(never)]
    pub(crate) fn pause_after(&mut self, here: Container, at: usize) -> ValueEnd {
        let last = self.tape.nodes.len().wrapping_sub(1);
        match self.scratch.pause.doubtful.take() {
            Some(doubtful)
                if self.scratch.pause.last as usize == last
                    && doubtful.container == here.current =>
            {
                let node = self.tape.nodes[last];
                self.tape.nodes.truncate(last);
                self.tape.side.truncate(doubtful.side);
                self.tape.repairs.truncate(doubtful.repairs);
                self.tape.notes.truncate(doubtful.notes);
                let key = KeySpan {
                    start: node.key_start,
                    end: node.key_end,
                    flags: node.flags & (flag::KEY_ESCAPED | flag::KEY_SIDE),
                };
                let count = here.count - 1;
                self.pause(Phase::Value, Container { count, ..here }, key, doubtful.k)
            }
            _ => self.pause(Phase::After, here, KeySpan::NONE, at),
        }
    }

    /// Returns `true` if the buffered text is enough to read the value at `k`.
    #[inline(never)]
    pub(crate) fn value_ahead(&mut self, here: Container, byte: u8, k: usize) -> Ahead {
        match byte {
            b'{' => return self.brace_ahead(k),
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => return self.word_ahead(here, k),
            _ => {}
        }
        self.scratch.pause.doubtful = None;
        if k >= self.look.bytes.len() {
            self.scratch.pause.until_byte(k);
            return Ahead::Awaited;
        }
        match byte {
            b'"' => self.string_ahead(here, k),
            _ => Ahead::Token,
        }
    }

    /// Returns `true` if the buffered text is enough to read the string at `k`.
    fn string_ahead(&mut self, here: Container, k: usize) -> Ahead {
        let length = self.look.bytes.len();
        let Some(end) = self.closing_quote(k + 1) else {
            return Ahead::Awaited;
        };
        let (byte, follows) = skip_space(self.look.bytes, end + 1);
        if follows >= length {
            self.scratch.pause.until_byte(follows);
            return Ahead::Awaited;
        }
        // `"x",`: the text after the comma decides whether the quote closes the string.
        if matches!(byte, b'}' | b']') || byte == b',' && !self.begins_its_line(here, k) {
            return Ahead::Token;
        }
        if byte == b',' {
            let next = skip_space(self.look.bytes, follows + 1).1;
            return match self.look.name_at(next) {
                Some(true) => Ahead::Token,
                Some(false) => Ahead::Doubt(next),
                None => {
                    self.scratch.pause.until_more(k, length);
                    Ahead::Awaited
                }
            };
        }
        // `"a": "b": 1`
        if byte == b':' {
            return Ahead::Doubt(follows);
        }
        // The quote may belong to the string's content, or open the next string.
        self.doubt(here, k);
        self.scratch.pause.wait = Await::Length(end + MARGIN);
        match follows == end + 1 && end + MARGIN > length {
            true => Ahead::Awaited,
            false => Ahead::Token,
        }
    }

    /// Returns the closing quote of the string whose content begins at `start`, if it has arrived.
    #[inline]
    pub(crate) fn closing_quote(&mut self, start: usize) -> Option<usize> {
        let pause = &mut self.scratch.pause;
        if pause.partial.start != start {
            pause.partial.begin(start, b'"', self.look.text);
        }
        if pause.partial.close().is_none() {
            pause.wait = Await::Quote;
        }
        pause.partial.close()
    }

    /// Returns `true` if the buffered text is enough to read the number or keyword at `k`. Anything
    /// that may turn it into a string (`5 apples`) must be complete.
    fn word_ahead(&mut self, here: Container, k: usize) -> Ahead {
        self.scratch.pause.doubtful = None;
        let length = self.look.bytes.len();
        let end = end_of_word(self.look.bytes, k);
        if end >= length {
            self.scratch.pause.wait = Await::Word(end);
            return Ahead::Awaited;
        }
        let (byte, follows) = skip_space(self.look.bytes, end);
        if follows >= length {
            self.scratch.pause.until_byte(follows);
            return Ahead::Awaited;
        }
        if byte == b',' && here.object {
            if follows + 1 >= length {
                self.scratch.pause.wait = Await::Length(follows + 2);
                return Ahead::Awaited;
            }
            // `1,234.50`: the digits after the comma may belong to the same number.
            if peek(self.look.bytes, follows + 1).is_ascii_digit() {
                return Ahead::Odd;
            }
        }
        let certain = matches!(byte, b',' | b'}' | b']' | b'"' | b'{' | b'[');
        if certain
            && (end < follows || byte == if here.object { b'}' } else { b']' } || byte == b',')
        {
            return Ahead::Token;
        }
        self.doubt(here, k);
        self.scratch.pause.wait = Await::Length(end + MARGIN);
        match end + MARGIN > length {
            true => Ahead::Awaited,
            false => Ahead::Token,
        }
    }

    /// Checks that the brace at `k` opens an object, which is empty or contains a key with its
    /// colon.
    fn brace_ahead(&mut self, k: usize) -> Ahead {
        self.scratch.pause.doubtful = None;
        let length = self.look.bytes.len();
        let (byte, inside) = self.look.beyond_gaps(k + 1);
        if inside >= length {
            self.scratch.pause.until_byte(inside);
            return Ahead::Awaited;
        }
        if self.look.open_gap(byte, inside) {
            self.scratch.pause.until_more(inside, length);
            return Ahead::Awaited;
        }
        match self.look.name_at(inside) {
            _ if byte == b'}' => Ahead::Token,
            Some(true) => Ahead::Token,
            None if byte == b'"' => {
                let colon = self.closing_quote(inside + 1).map(|end| end + 1);
                if let Some(colon) = colon {
                    self.scratch.pause.wait = Await::Colon(colon);
                }
                Ahead::Awaited
            }
            // No key has ended yet.
            None => {
                self.scratch.pause.until_more(inside, length);
                Ahead::Awaited
            }
            Some(false) => Ahead::Odd,
        }
    }

    /// A quoted key with its colon, as in strict JSON.
    #[inline]
    pub(crate) fn strict_key(&mut self, at: usize) -> StrictKey {
        let length = self.look.bytes.len();
        let (byte, k) = skip_space(self.look.bytes, at);
        if k >= length {
            self.scratch.pause.until_byte(k);
            return StrictKey::Awaited;
        }
        if byte != b'"' {
            return StrictKey::Odd;
        }
        let Some(end) = self.closing_quote(k + 1) else {
            return StrictKey::Awaited;
        };
        let (colon, next) = skip_space(self.look.bytes, end + 1);
        if next >= length {
            self.scratch.pause.wait = Await::Colon(next);
            return StrictKey::Awaited;
        }
        let Some(quoted) = self.found_quoted(k + 1) else {
            return StrictKey::Odd;
        };
        if colon != b':' || quoted.suspect {
            return StrictKey::Odd;
        }
        let flags = if quoted.flags == 0 {
            0
        } else {
            flag::KEY_ESCAPED
        };
        let (start, end) = (k as u32 + 1, end as u32);
        StrictKey::Member(KeySpan { start, end, flags }, next + 1)
    }
}

/// The token where a value is expected.
pub(crate) enum Ahead {
    /// A JSON token, or something else that its first byte identifies.
    Token,
    /// A brace that does not open a valid JSON object, or a number that may continue after its
    /// comma.
    Odd,
    /// A string made unusual by the text that follows it here: a key without a bracket before it,
    /// or the first item of an array without one.
    Doubt(usize),
    /// An unfinished token: more text is needed.
    Awaited,
}

/// The token where a key is expected.
pub(crate) enum StrictKey {
    /// A key with its colon; its value comes next.
    Member(KeySpan, usize),
    /// An unfinished token: more text is needed.
    Awaited,
    /// A token that JSON does not allow there.
    Odd,
}

/// Returns the offset after the characters that may be part of a number or keyword: 4 of `-1.5, 2`.
#[inline]
pub(crate) fn end_of_word(bytes: &[u8], at: usize) -> usize {
    let part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-');
    at + bytes[at..].iter().take_while(part).count()
}

#[cfg(test)]
mod tests {
    use super::end_of_word;

    #[test]
    fn words_end() {
        for (text, at, end) in [
            ("-1.5, 2", 0, 4),
            ("1e+5]", 0, 4),
            ("true", 0, 4),
            ("a true ", 2, 6),
            (" 1", 0, 0),
            ("é", 0, 0),
            ("", 0, 0),
        ] {
            assert_eq!(end_of_word(text.as_bytes(), at), end, "{text}");
        }
    }
}
