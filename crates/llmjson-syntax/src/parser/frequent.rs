//! The damage that models do most often, read at a glance: Python's quotes and keywords, names
//! without quotes. Each function sees only the plain case; everything else is left to the general
//! ones, which would read the plain case the same way.

use crate::node::{Node, Tag};
use crate::parser::gap::LOOK_AHEAD;
use crate::parser::quote::Place;
use crate::parser::reader::{Here, KeySpan, Reader, scalar};
use crate::repair::RepairKind;
use crate::scan::{self, peek};

/// Letters and digits of ASCII, `_`, `$` and `-`, of which most names consist.
static IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] =
            (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'_' | b'$' | b'-');
        byte += 1;
    }
    table
};

/// How many bytes of a plain name `bytes` begins with.
#[inline]
fn name_length(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .position(|&byte| !IN_NAME[usize::from(byte)])
        .unwrap_or(bytes.len())
}

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
        let end = scan::single_quoted(self.bytes, start)?;
        let place = if here.object {
            Place::Member
        } else {
            Place::Item
        };
        if !self.follows_plainly(here, place, end + 1) {
            return None;
        }
        self.repair(RepairKind::OtherQuotes, k, end + 1);
        Some((scalar(key, Tag::String, start, end), end + 1))
    }

    /// Whether a comma and a quoted name or value follow, or whatever else may.
    #[inline]
    fn follows_plainly(&self, here: Here, place: Place, after: usize) -> bool {
        if !here.object || peek(self.bytes, after) != b',' {
            return self.fits(here, place, after);
        }
        let (byte, next) = scan::skip_space(self.bytes, after + 1);
        let plain = match byte {
            b'\'' => {
                let end = scan::single_quoted(self.near(next + 1), 0);
                end.is_some_and(|end| peek(self.bytes, next + 1 + end + 1) == b':')
            }
            b'"' => {
                let end = next + 1 + name_length(&self.bytes[next + 1..]);
                end > next + 1 && peek(self.bytes, end) == b'"' && peek(self.bytes, end + 1) == b':'
            }
            _ => {
                let end = next + name_length(self.near(next));
                let value = end + 1 + usize::from(peek(self.bytes, end + 1) == b' ');
                let begins = matches!(
                    peek(self.bytes, value),
                    b'"' | b'\'' | b'{' | b'[' | b'0'..=b'9'
                );
                end > next && peek(self.bytes, end) == b':' && begins
            }
        };
        plain || self.fits(here, place, after)
    }

    /// The bytes from `start` on, as far as looking ahead goes.
    #[inline]
    fn near(&self, start: usize) -> &[u8] {
        let rest = &self.bytes[start..];
        &rest[..rest.len().min(LOOK_AHEAD)]
    }

    /// A name in single quotes, or without any, directly followed by its colon.
    #[inline]
    pub(in crate::parser) fn plain_key(&mut self, byte: u8, k: usize) -> Option<(KeySpan, usize)> {
        let quoted = byte == b'\'';
        let start = k + usize::from(quoted);
        let length = if quoted {
            scan::single_quoted(self.near(start), 0)?
        } else {
            name_length(self.near(start))
        };
        let end = start + length;
        let colon = end + usize::from(quoted);
        if length == 0 || length > 120 || peek(self.bytes, colon) != b':' {
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
