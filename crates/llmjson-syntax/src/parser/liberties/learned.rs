//! Damage that the search has found twice in a value, in the same way and equally certain, becomes
//! lenient syntax for the rest of the value, if tokens settle its place.

use crate::base::repair::{Class, RepairKind};
use crate::parser::look::habits::value_ends_with;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, scalar};
use crate::scan::{self, number, peek, skip_space};
use crate::tape::{NONE, Node, Tag};

/// The place after learned damage.
pub(crate) enum Learned {
    /// A key or an item.
    Child(usize),
    /// The text after a container that was closed.
    Closed(Container, usize),
}

impl Reader<'_> {
    /// Returns the class of damage that has become lenient syntax, by its kind and a byte that it
    /// concerns.
    fn learned(&self, kind: RepairKind, byte: u8) -> Option<Class> {
        let class = self.scratch.habits.slips.learned((kind, byte));
        class.filter(|_| !self.scratch.without_fast_path)
    }

    fn record(&mut self, kind: RepairKind, class: Class, start: usize, end: usize) {
        match class == kind.class() {
            true => self.repair_often(kind, start, end),
            false => self.repair_as(kind, class, start, end),
        }
    }

    /// Reads learned damage at `k`, where a comma or a closer is expected.
    pub(crate) fn learned_after(&mut self, here: Container, byte: u8, k: usize) -> Option<Learned> {
        let bytes = self.look.bytes;
        let (kind, sign, next) = match byte {
            b'"' if here.object => (RepairKind::MissingComma, value_ends_with(&bytes[..k]), k),
            b';' => (RepairKind::OddSeparator, byte, k + 1),
            b'}' | b']' => {
                let closed = self.learned_closer(here, byte, k);
                return closed.map(|(outside, next)| Learned::Closed(outside, next));
            }
            b')' => return self.close_tuple(here, k),
            _ => return None,
        };
        // The end of a string has more other readings than the end of any other value. If it is
        // certain without a comma, so are those.
        let certain = |class: &Class| *class == Class::Certain && kind == RepairKind::MissingComma;
        let class = self.learned(kind, sign);
        let class = class.or_else(|| self.learned(kind, b'"').filter(certain))?;
        let (first, child) = skip_space(bytes, next);
        let begins = match here.object {
            true => first == b'"' && self.is_member(child),
            false => matches!(first, b'"' | b'{' | b'[' | b'0'..=b'9'),
        };
        begins.then(|| {
            self.record(kind, class, k, next);
            Learned::Child(next)
        })
    }

    /// Closes an array in parentheses that was seen to have no damage.
    fn close_tuple(&mut self, here: Container, k: usize) -> Option<Learned> {
        let open = self.tape.nodes[here.current as usize].start as usize;
        let is_plain = k < self.scratch.tuples_until;
        let closes = is_plain && !here.object && peek(self.look.bytes, open) == b'(';
        closes.then(|| Learned::Closed(self.close(here, k + 1), k + 1))
    }

    /// Closes the innermost container with the closer of the other kind, if its next sibling or the
    /// closer around it follows.
    pub(super) fn learned_closer(
        &mut self,
        here: Container,
        byte: u8,
        k: usize,
    ) -> Option<(Container, usize)> {
        let class = self.learned(RepairKind::WrongCloser, byte)?;
        let node = self.tape.nodes[here.current as usize];
        let open = peek(self.look.bytes, node.start as usize);
        let (comma, after) = skip_space(self.look.bytes, k + 1);
        let (first, child) = skip_space(self.look.bytes, after + 1);
        let usual = open == if here.object { b'{' } else { b'[' };
        let sibling = || match node.key_end {
            0 => first == open && node.next != NONE,
            _ => first == b'"' && self.is_member(child),
        };
        let follows = match comma {
            b',' => sibling(),
            b'}' => node.key_end != 0,
            b']' => node.key_end == 0 && node.next != NONE,
            _ => false,
        };
        (usual && follows).then(|| {
            self.record(RepairKind::WrongCloser, class, k, k + 1);
            (self.close(here, k + 1), k + 1)
        })
    }

    /// Reads a learned substitute for the colon at `k`, or its absence. Returns the place of the
    /// value.
    pub(crate) fn learned_colon(&mut self, byte: u8, k: usize) -> Option<usize> {
        let length = match (byte, peek(self.look.bytes, k + 1)) {
            (b'=' | b'-', b'>') => 2,
            (b'=', _) => 1,
            _ => 0,
        };
        let (kind, sign) = match length {
            0 => (RepairKind::MissingColon, 0),
            _ => (RepairKind::OddSeparator, byte),
        };
        let class = self.learned(kind, sign)?;
        if self.look.text_before(k).ends_with(":\"") {
            return None;
        }
        let (first, value) = skip_space(self.look.bytes, k + length);
        self.is_value(first, value).then(|| {
            self.record(kind, class, k, k + length);
            k + length
        })
    }

    /// Reads a number or keyword at `k` that ends at a learned substitute for a comma, or at a key
    /// whose comma is missing like others.
    pub(crate) fn learned_scalar(&mut self, key: KeySpan, k: usize) -> Option<(Node, usize)> {
        let semicolon = self.learned(RepairKind::OddSeparator, b';').is_some();
        let nothing = self.learned(RepairKind::MissingComma, 0).is_some();
        if !semicolon && !nothing {
            return None;
        }
        let bytes = self.look.bytes;
        let (tag, end) = match number::scan(bytes, k) {
            Some(number) if number.float => (Tag::Float, number.end),
            Some(number) => (Tag::Integer, number.end),
            None => keyword(bytes, k)?,
        };
        let ends = match peek(bytes, end) {
            b';' => semicolon,
            b'"' => nothing && self.is_member(end),
            _ => false,
        };
        ends.then(|| (scalar(key, tag, k, end), end))
    }

    /// Returns `true` if there is a quoted key with its colon.
    fn is_member(&self, at: usize) -> bool {
        let Some(quoted) = scan::quoted(self.look.bytes, at + 1) else {
            return false;
        };
        self.look.charge((quoted.end - at) / 16);
        let (byte, _) = skip_space(self.look.bytes, quoted.end + 1);
        byte == b':' && quoted.flags == 0 && !quoted.suspect
    }

    /// Returns `true` if there is a value whose end is certain.
    fn is_value(&self, first: u8, at: usize) -> bool {
        let bytes = self.look.bytes;
        let end = match first {
            b'{' | b'[' => return true,
            b'"' => scan::quoted(bytes, at + 1).map(|quoted| quoted.end + 1),
            b'-' | b'0'..=b'9' => number::scan(bytes, at).map(|number| number.end),
            b't' | b'f' | b'n' => keyword(bytes, at).map(|(_, end)| end),
            _ => None,
        };
        end.is_some_and(|end| {
            self.look.charge((end - at) / 16);
            matches!(skip_space(bytes, end).0, b',' | b'}')
        })
    }
}

/// Returns the type and the end of the keyword at `at`.
fn keyword(bytes: &[u8], at: usize) -> Option<(Tag, usize)> {
    let rest = bytes.get(at..)?;
    let words: [(&[u8], Tag); 3] = [
        (b"true", Tag::True),
        (b"false", Tag::False),
        (b"null", Tag::Null),
    ];
    let (word, tag) = words.into_iter().find(|(word, _)| rest.starts_with(word))?;
    Some((tag, at + word.len()))
}
