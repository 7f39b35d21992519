//! The lenient syntax that models use most: Python's quotes and keywords, unquoted keys. Each
//! function handles only the simple case. The search reads this case in the same way, unless it is
//! ambiguous: a keyword before a key that it does not recognise (`True, a.b: 1`) is a string to it.

use crate::base::repair::RepairKind;
use crate::base::work::steps_of_search;
use crate::parser::look::Look;
use crate::parser::look::rows::tuple;
use crate::parser::search::moves::value::makes_array;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, scalar};
use crate::scan;
use crate::scan::escape;
use crate::scan::{peek, skip_space};
use crate::tape::{Node, Tag};

/// ASCII letters and digits, `_`, `$` and `-`, of which most keys consist.
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

/// Returns the number of bytes of a plain key with which `bytes` begins: 3 for `a-b: 1`.
#[inline]
fn name_length(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .position(|&byte| !IN_NAME[usize::from(byte)])
        .unwrap_or(bytes.len())
}

/// Maximum length of a name before a string in parentheses.
const CALL_MAX: usize = 40;

impl Reader<'_> {
    /// Reads a single-quoted string without control characters whose first unescaped quote is
    /// followed by valid punctuation.
    #[inline]
    pub(crate) fn plain_quoted(
        &mut self,
        here: Container,
        key: KeySpan,
        k: usize,
    ) -> Option<(Node, usize)> {
        if self.scratch.without_fast_path {
            return None;
        }
        let start = k + 1;
        let quoted = scan::single_quoted(self.look.bytes, start)?;
        let end = quoted.end;
        if quoted.suspect && scan::has_control(&self.look.bytes[start..end]) {
            return None;
        }
        // `'a': 'it\'s', 'b'`: in the plain case valid punctuation follows the quote. The search
        // examines everything else. If the string contains double quotes, one of them may be the
        // closing quote.
        if memchr::memchr(b'"', &self.look.bytes[start..end]).is_some()
            || !self.follows_plainly(here, end + 1)
        {
            return None;
        }
        self.repair_often(RepairKind::OtherQuotes, k, end + 1);
        let mut node = scalar(key, Tag::String, start, end);
        node.flags |= quoted.flags;
        if quoted.suspect {
            self.inspect(start, end);
            self.keep_pattern(&mut node, end + 1);
        } else if quoted.escaped_single {
            self.repair(RepairKind::InvalidEscape, start, end);
        }
        if quoted.flags != 0 && escape::may_hide(&self.look.bytes[start..end]) {
            self.note_controls(start, end);
        }
        Some((node, end + 1))
    }

    /// Records an array in parentheses at `k`, if it is undamaged and valid punctuation follows it.
    pub(crate) fn plain_tuple(&mut self, here: Container, k: usize) -> bool {
        if self.scratch.without_fast_path {
            return false;
        }
        if k >= self.scratch.tuples_until {
            let tuple = tuple(self.look.bytes, k);
            let (Ok(end) | Err(end)) = tuple;
            self.look.charge(steps_of_search(end - k));
            if tuple.is_err() || !self.follows_plainly(here, end) {
                return false;
            }
            self.scratch.tuples_until = end;
        }
        self.repair_often(RepairKind::Tuple, k, k + 1);
        true
    }

    /// Reads a string in a call or type name, if valid punctuation follows it: `ObjectId("x")`.
    pub(crate) fn plain_call(
        &mut self,
        here: Container,
        key: KeySpan,
        k: usize,
    ) -> Option<(Node, usize)> {
        if self.scratch.without_fast_path || key.end == 0 {
            return None;
        }
        let bytes = self.look.bytes;
        let name = name_length(&bytes[k..bytes.len().min(k + CALL_MAX)]);
        let open = k + name;
        if peek(bytes, open) != b'(' || makes_array(&self.look.text[k..open]) {
            return None;
        }
        let (start, quote) = (open + 2, peek(bytes, open + 1));
        let end = match quote {
            b'"' => {
                let quoted = scan::quoted(bytes, start)?;
                (quoted.flags == 0 && !quoted.suspect).then_some(quoted.end)?
            }
            b'\'' => scan::plain_single_quoted(bytes, start)?,
            _ => return None,
        };
        // A quote of the other kind may be the closing one.
        self.look.charge(steps_of_search(end - start));
        let is_plain = memchr::memchr2(b'"', b'\'', &bytes[start..end]).is_none();
        if !is_plain || peek(bytes, end + 1) != b')' || !self.follows_plainly(here, end + 2) {
            return None;
        }
        self.repair(RepairKind::Wrapper, k, open);
        self.repair(RepairKind::Wrapper, open, open + 1);
        if quote == b'\'' {
            self.repair_often(RepairKind::OtherQuotes, open + 1, end + 1);
        }
        Some((scalar(key, Tag::String, start, end), end + 2))
    }

    /// Returns `true` if a closer follows, or a comma and a closer, a key, a quoted value or a
    /// comment.
    #[inline]
    fn follows_plainly(&mut self, here: Container, after: usize) -> bool {
        let (byte, comma) = scan::skip_space(self.look.bytes, after);
        if byte != b',' {
            return byte == self.closer_of(here);
        }
        let after = comma;
        let (byte, next) = scan::skip_space(self.look.bytes, after + 1);
        match byte {
            // `'a', 'b'` in an array: another value. `'a', ]`
            _ if !here.object => matches!(byte, b'\'' | b'"' | b'{' | b'[' | b'0'..=b'9' | b']'),
            // `'x', }`
            b'}' => true,
            // `'a': 'x', 'b': 1`: the length of the key is kept, since it is read next.
            b'\'' => {
                let length = scan::plain_single_quoted(self.look.near(next + 1), 0);
                length.is_some_and(|length| {
                    self.seen_name = (next + 1, length);
                    peek(self.look.bytes, next + 1 + length + 1) == b':'
                })
            }
            // `'x', "b": 1`: keys in double quotes and strings in single ones.
            b'"' => {
                let end = next + 1 + name_length(&self.look.bytes[next + 1..]);
                end > next + 1
                    && peek(self.look.bytes, end) == b'"'
                    && peek(self.look.bytes, end + 1) == b':'
            }
            b'/' => matches!(peek(self.look.bytes, next + 1), b'/' | b'*'),
            _ => {
                let length = name_length(self.look.near(next));
                self.seen_name = (next, length);
                let end = next + length;
                length > 0
                    && peek(self.look.bytes, end) == b':'
                    && self.look.begins_plainly(end + 1)
            }
        }
    }

    /// Returns the byte that closes a container.
    fn closer_of(&self, here: Container) -> u8 {
        let start = self.tape.nodes[here.current as usize].start as usize;
        match peek(self.look.bytes, start) {
            b'(' if !here.object => b')',
            _ if here.object => b'}',
            _ => b']',
        }
    }

    /// Reads a key in single quotes, or without quotes, directly followed by its colon.
    #[inline(always)]
    pub(crate) fn plain_key(&mut self, byte: u8, k: usize) -> Option<(KeySpan, usize)> {
        if self.scratch.without_fast_path {
            return None;
        }
        let quoted = byte == b'\'';
        let start = k + usize::from(quoted);
        let length = if self.seen_name.0 == start {
            self.seen_name.1
        } else if quoted {
            scan::plain_single_quoted(self.look.near(start), 0)?
        } else {
            name_length(self.look.near(start))
        };
        let end = start + length;
        let colon = end + usize::from(quoted);
        if length == 0 || length > 120 || peek(self.look.bytes, colon) != b':' {
            return None;
        }
        let kind = if quoted {
            RepairKind::OtherQuotes
        } else {
            RepairKind::UnquotedKey
        };
        self.repair_often(kind, k, colon);
        let key = KeySpan {
            start: start as u32,
            end: end as u32,
            flags: 0,
        };
        Some((key, colon + 1))
    }

    /// Reads a Python keyword that JSON spells differently or lacks: `True`, `None`, `NaN`, with
    /// nothing attached.
    #[inline]
    pub(crate) fn python_word(&mut self, key: KeySpan, k: usize) -> Option<(Node, usize)> {
        const KEYWORD: RepairKind = RepairKind::OtherKeyword;
        let rest = &self.look.bytes[k..];
        let words: [(&[u8], Tag, RepairKind); 6] = [
            (b"True", Tag::True, KEYWORD),
            (b"False", Tag::False, KEYWORD),
            (b"None", Tag::Null, KEYWORD),
            (b"NaN", Tag::String, RepairKind::NotANumber),
            (b"Infinity", Tag::String, RepairKind::NotANumber),
            (b"-Infinity", Tag::String, RepairKind::NotANumber),
        ];
        if self.scratch.without_fast_path {
            return None;
        }
        let (word, tag, kind) = words
            .into_iter()
            .find(|(word, ..)| rest.starts_with(word))?;
        let length = word.len();
        // `True.`, `None of it`: the word begins a string.
        let next = peek(self.look.bytes, k + length);
        let (beyond, _) = skip_space(self.look.bytes, k + length);
        if next != b'\n' && !matches!(beyond, b',' | b'}' | b']') {
            return None;
        }
        self.repair_often(kind, k, k + length);
        Some((scalar(key, tag, k, k + length), k + length))
    }
}

impl<'r> Look<'r> {
    /// Returns `true` if there is a value at `at` that its first byte identifies, or a keyword and
    /// a comma: ` 1`, `true,`, but not `true]`.
    #[inline]
    fn begins_plainly(&self, at: usize) -> bool {
        let value = at + usize::from(peek(self.bytes, at) == b' ');
        matches!(
            self.bytes.get(value..).unwrap_or_default(),
            [b'"' | b'\'' | b'{' | b'[' | b'0'..=b'9', ..]
                | [b'T' | b't', b'r', b'u', b'e', b',', ..]
                | [b'F' | b'f', b'a', b'l', b's', b'e', b',', ..]
                | [b'N', b'o', b'n', b'e', b',', ..]
                | [b'n', b'u', b'l', b'l', b',', ..]
        )
    }
}

#[cfg(test)]
mod tests {
    use super::name_length;
    use crate::parser::look::answers;

    #[test]
    fn plain_values_are_told_by_their_beginning() {
        answers(
            |look| look.begins_plainly(0),
            &[
                (" 1", true),
                ("0", true),
                ("9", true),
                ("\"", true),
                ("'a'", true),
                ("{", true),
                (" [", true),
                ("true,", true),
                ("True,", true),
                ("false,", true),
                ("False,", true),
                ("None,", true),
                ("null,", true),
                ("true]", false),
                ("true", false),
                ("none,", false),
                ("Null,", false),
                ("  1", false),
                ("-1", false),
                ("a", false),
                ("", false),
            ],
        );
    }

    #[test]
    fn plain_names_are_measured() {
        for (text, length) in [("a-b: 1", 3), ("A_1$", 4), (": 1", 0), ("é", 0), ("", 0)] {
            assert_eq!(name_length(text.as_bytes()), length, "{text}");
        }
    }
}
