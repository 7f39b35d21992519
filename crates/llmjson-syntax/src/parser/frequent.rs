//! The damage that models do most often, read at a glance: Python's quotes and keywords, names
//! without quotes. Each function sees only the plain case; everything else is left to the general
//! ones, which would read the plain case the same way.

use crate::node::{Node, Tag};
use crate::parser::quote::Place;
use crate::parser::reader::{Here, KeySpan, Reader, scalar};
use crate::repair::RepairKind;
use crate::scan::{self, peek};

impl Reader<'_> {
    /// A single-quoted text without escapes whose first quote is followed by what may follow.
    #[inline]
    pub(in crate::parser) fn plain_quoted(
        &mut self,
        here: Here,
        key: KeySpan,
        k: usize,
    ) -> Option<(Node, usize)> {
        let start = k + 1;
        let end = start + memchr::memchr2(b'\'', b'\\', self.bytes.get(start..)?)?;
        let place = if here.object {
            Place::Member
        } else {
            Place::Item
        };
        if self.bytes[end] != b'\'' || !self.follows_plainly(here, place, end + 1) {
            return None;
        }
        self.repair(RepairKind::OtherQuotes, k, end + 1);
        let mut node = scalar(key, Tag::String, start, end);
        if scan::inspect(&self.bytes[start..end]).1 {
            node.flags |= self.inspect_all(start, end);
        }
        Some((node, end + 1))
    }

    /// Whether a comma and a quoted name or value follow, or whatever else may.
    #[inline]
    fn follows_plainly(&self, here: Here, place: Place, after: usize) -> bool {
        let next = match &self.bytes[after..] {
            [b',', b' ', ..] => after + 2,
            [b',', ..] => after + 1,
            _ => return self.fits(here, place, after),
        };
        let quote = peek(self.bytes, next);
        if !here.object || !matches!(quote, b'\'' | b'"') {
            return self.fits(here, place, after);
        }
        let name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let length = self.bytes[next + 1..]
            .iter()
            .take_while(|byte| name(byte))
            .count();
        let plain = length > 0
            && peek(self.bytes, next + 1 + length) == quote
            && peek(self.bytes, next + 2 + length) == b':';
        plain || self.fits(here, place, after)
    }

    /// A name in single quotes, or without any, directly followed by its colon.
    #[inline]
    pub(in crate::parser) fn plain_key(&mut self, byte: u8, k: usize) -> Option<(KeySpan, usize)> {
        let quoted = byte == b'\'';
        let start = k + usize::from(quoted);
        let rest = &self.bytes[start..];
        let name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-');
        let length = rest.iter().take_while(|byte| name(byte)).count();
        let end = start + length;
        let colon = end + usize::from(quoted);
        if length == 0
            || length > 120
            || quoted && self.bytes.get(end) != Some(&b'\'')
            || peek(self.bytes, colon) != b':'
        {
            return None;
        }
        let kind = if quoted {
            RepairKind::OtherQuotes
        } else {
            RepairKind::UnquotedKey
        };
        self.repair(kind, k, colon);
        let key = KeySpan {
            start: start as u32,
            end: end as u32,
            flags: 0,
        };
        Some((key, colon + 1))
    }

    /// `True`, `False` or `None` with nothing attached.
    #[inline]
    pub(in crate::parser) fn python_keyword(
        &mut self,
        key: KeySpan,
        k: usize,
    ) -> Option<(Node, usize)> {
        let rest = &self.bytes[k..];
        let (tag, length) = if rest.starts_with(b"True") {
            (Tag::True, 4)
        } else if rest.starts_with(b"None") {
            (Tag::Null, 4)
        } else if rest.starts_with(b"False") {
            (Tag::False, 5)
        } else {
            return None;
        };
        let next = peek(self.bytes, k + length);
        if !matches!(next, b',' | b'}' | b']' | b'\n') {
            return None;
        }
        self.repair(RepairKind::OtherKeyword, k, k + length);
        Some((scalar(key, tag, k, k + length), k + length))
    }
}
