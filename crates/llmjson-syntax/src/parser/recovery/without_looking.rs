//! Recovery once the work that a text may cause is used up: nothing here looks further than the token
//! that stands there.
//!
//! A string ends at its first quote, a closer closes the innermost container whatever kind it is, a text
//! without quotes ends at the next separator, and a name whose colon is missing takes what follows as its
//! value. One record says from where on; every repair behind it is a guess, since it was not
//! compared with others.

use crate::base::repair::{Class, RepairKind};
use crate::parser::look::quotes::{closers, quote_at};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{AfterStep, Container, KeySpan, KeyStep, ValueStep, scalar};
use crate::scan::{escape, peek, skip_space};
use crate::tape::{Tag, flag};

impl Reader<'_> {
    /// Returns `true` if reading goes on at `k` without looking ahead, and records where that
    /// begins. While text is still to come it never does: a step that cost too much waits for more
    /// text.
    #[inline]
    pub(crate) fn reads_without_looking(&mut self, k: usize) -> bool {
        if !self.look.work_is_used_up() || self.growing {
            return false;
        }
        if !self.counters.capped {
            self.counters.capped = true;
            self.repair(RepairKind::WorkCapped, k, k);
        }
        true
    }

    /// Reads a value under `key` at `k` without looking ahead.
    #[cold]
    #[inline(never)]
    pub(crate) fn value_without_looking(
        &mut self,
        here: Container,
        key: KeySpan,
        byte: u8,
        k: usize,
    ) -> ValueStep {
        if let Some(end) = self.skip_trivia(k) {
            return ValueStep::Again(end);
        }
        match byte {
            b',' if here.object => self.null_for_value(key, k),
            b'}' | b']' | b')' if here.object => self.null_for_value(key, k),
            b',' => {
                self.repair(RepairKind::ExtraComma, k, k + 1);
                ValueStep::Again(k + 1)
            }
            b'}' | b']' | b')' => {
                if let Some(comma) = self.last_comma(k).filter(|_| here.count > 0) {
                    self.repair(RepairKind::ExtraComma, comma.start, comma.end);
                }
                ValueStep::Nothing(here, k)
            }
            b':' | b'=' => {
                self.repair(RepairKind::OddSeparator, k, k + 1);
                ValueStep::Again(k + 1)
            }
            b'`' | b'~' if self.look.fence_at(k) => self.no_more(here, key, k),
            b'<' if self.look.tag_at(k) => self.no_more(here, key, k),
            _ => match quote_at(self.look.text, k) {
                Some(quote) => self.string_without_looking(key, k, quote),
                None => self.word_without_looking(here, key, k),
            },
        }
    }

    fn null_for_value(&mut self, key: KeySpan, k: usize) -> ValueStep {
        self.repair(RepairKind::MissingValue, k, k);
        ValueStep::Scalar(scalar(key, Tag::Null, k, k), k)
    }

    /// A string whose opening quote, at `k`, is not a double one, or which no quote closes.
    fn string_without_looking(&mut self, key: KeySpan, k: usize, quote: char) -> ValueStep {
        let start = k + quote.len_utf8();
        let closing = self.look.next_quote(start, closers(quote));
        let (end, next) = match closing {
            Some((end, closer)) => (end, end + closer.len_utf8()),
            None => {
                let end = start + escape::whole_escapes(&self.look.text[start..]);
                (end, self.look.bytes.len())
            }
        };
        if quote != '"' {
            let close = if closing.is_some() { next } else { start };
            self.repair(RepairKind::OtherQuotes, k, close);
        }
        let mut node = scalar(key, Tag::String, start, end);
        if closing.is_none() {
            if end < next {
                self.repair(RepairKind::CutEscape, end, next);
            }
            self.repair(RepairKind::UnclosedString, end, end);
            node.flags |= flag::TRUNCATED;
        }
        node.flags |= self.inspect_all(start, end);
        ValueStep::Scalar(node, next)
    }

    /// A text without quotes: up to the next separator, closer, quote or line break.
    fn word_without_looking(&mut self, here: Container, key: KeySpan, k: usize) -> ValueStep {
        let rest = &self.look.text[k..];
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let ends = [',', '}', ']', '\n', '"'];
        let length = rest[first..].find(ends).map(|length| first + length);
        if length.is_none() && !rest.ends_with(char::is_whitespace) {
            return self.cut_word(here, key, k, self.look.bytes.len());
        }
        let stop = k + rest[..length.unwrap_or(rest.len())].trim_end().len();
        self.word(scalar(key, Tag::Null, k, stop), k, stop, stop)
    }

    /// Reads the separator or closer at `k`, behind a value in an open container, without looking
    /// ahead.
    #[cold]
    #[inline(never)]
    pub(crate) fn after_without_looking(
        &mut self,
        here: Container,
        byte: u8,
        k: usize,
    ) -> AfterStep {
        if let Some(end) = self.skip_trivia(k) {
            return AfterStep::Again(here, end);
        }
        match byte {
            b'}' | b']' | b')' => {
                if byte != self.closer_of(here.current) {
                    self.repair(RepairKind::WrongCloser, k, k + 1);
                }
                AfterStep::Again(self.close(here, k + 1), k + 1)
            }
            b'`' | b'~' if self.look.fence_at(k) => AfterStep::End(here, k),
            b'<' if self.look.tag_at(k) => AfterStep::End(here, k),
            b';' => {
                self.repair(RepairKind::OddSeparator, k, k + 1);
                AfterStep::Child(here, k + 1)
            }
            b'"' | b'\'' | b'{' | b'[' | b'-' | b'_' | b'$' | 0x80.. => self.child_at(here, k),
            _ if byte.is_ascii_alphanumeric() => self.child_at(here, k),
            _ => {
                self.pass_over(k, k + 1);
                AfterStep::Again(here, k + 1)
            }
        }
    }

    fn child_at(&mut self, here: Container, k: usize) -> AfterStep {
        self.repair(RepairKind::MissingComma, k, k);
        AfterStep::Child(here, k)
    }

    /// Reads a name at `k` of the innermost object without looking ahead.
    #[cold]
    #[inline(never)]
    pub(crate) fn key_without_looking(&mut self, here: Container, byte: u8, k: usize) -> KeyStep {
        match byte {
            b'}' | b']' | b')' => {
                if let Some(comma) = self.last_comma(k).filter(|_| here.count > 0) {
                    self.repair(RepairKind::ExtraComma, comma.start, comma.end);
                }
                return KeyStep::Nothing(here, k);
            }
            b'`' | b'~' if self.look.fence_at(k) => return KeyStep::End(here, k),
            b'<' if self.look.tag_at(k) => return KeyStep::End(here, k),
            b'{' | b'[' | b'(' => return self.stray_for_key(here, k),
            _ => {}
        }
        let quote = quote_at(self.look.text, k);
        let start = k + quote.map_or(0, char::len_utf8);
        let closing = match quote {
            Some(quote) => self.look.next_quote(start, closers(quote)),
            None => None,
        };
        let (end, next) = match (quote, closing) {
            (_, Some((end, closer))) => (end, end + closer.len_utf8()),
            (Some(_), None) => {
                self.repair(RepairKind::CutMember, k, self.look.bytes.len());
                return KeyStep::End(here, self.look.bytes.len());
            }
            (None, None) => {
                let ends = [':', '=', ',', '}', ']', '\n', '"', '\'', '{', '['];
                let length = self.look.text[k..].find(ends);
                let named = length.filter(|&at| matches!(self.look.bytes[k + at], b':' | b'='));
                let Some(length) = named else {
                    return self.stray_for_key(here, k);
                };
                let length = self.look.text[k..k + length].trim_end().len();
                if length == 0 {
                    return self.stray_for_key(here, k);
                }
                (k + length, k + length)
            }
        };
        match quote {
            Some('"') => {}
            Some(_) => self.repair(RepairKind::OtherQuotes, k, next),
            None => self.repair(RepairKind::UnquotedKey, k, end),
        }
        let escaped = quote.is_some() && self.inspect_all(start, end) != 0;
        let key = KeySpan {
            start: start as u32,
            end: end as u32,
            flags: if escaped { flag::KEY_ESCAPED } else { 0 },
        };
        let (byte, colon) = skip_space(self.look.bytes, next);
        if byte == b':' {
            return KeyStep::Member(key, colon + 1);
        }
        self.colon_without_looking(here, key, (byte, colon))
    }

    /// A name has been read, and `byte` at `k` is no colon.
    #[cold]
    #[inline(never)]
    pub(crate) fn colon_without_looking(
        &mut self,
        here: Container,
        key: KeySpan,
        (mut byte, mut k): (u8, usize),
    ) -> KeyStep {
        while let Some(end) = self.skip_trivia(k) {
            (byte, k) = skip_space(self.look.bytes, end);
        }
        match byte {
            b':' => KeyStep::Member(key, k + 1),
            b'=' => {
                let length = 1 + usize::from(peek(self.look.bytes, k + 1) == b'>');
                self.repair(RepairKind::OddSeparator, k, k + length);
                KeyStep::Member(key, k + length)
            }
            _ if k >= self.look.bytes.len() => {
                self.repair(RepairKind::CutMember, key.start as usize, key.end as usize);
                KeyStep::End(here, k)
            }
            b',' | b'}' | b']' | b')' => self.without_value(here, key, Class::Guess, k),
            _ => {
                self.repair(RepairKind::MissingColon, k, k);
                KeyStep::Member(key, k)
            }
        }
    }
}
