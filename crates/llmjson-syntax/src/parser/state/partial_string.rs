//! The part of a string that is certain before the string is closed.

use crate::base::expected_names::ExpectedNames;
use crate::scan;
use crate::scan::escape::Outlook;
use crate::scan::{Quoted, escape};
use crate::tape::flag;

/// Number of new bytes beyond which the closing quote is searched for first, since it is often
/// there.
const FEW: usize = 32;

/// A string whose opening quote has arrived, and the part of it scanned so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartialString {
    /// Offset at which its content begins.
    pub(crate) start: usize,
    /// Offset up to which the text has been scanned; half an escape waits for its other half.
    whole: usize,
    /// Offset up to which the text certainly belongs to the string.
    end: usize,
    /// Offset from which on nothing is shown before the string is closed, since the text there
    /// looks as if the closing quote had been forgotten.
    held: usize,
    /// `flag::ESCAPED` if an escape has been seen.
    pub(crate) flags: u8,
    /// `true` if it contains a character that JSON does not allow in strings.
    suspect: bool,
    /// `true` if an escape has shown that the string is raw.
    raw: bool,
    /// A path with a drive or a computer name has begun in it.
    path: bool,
    /// `true` if it is in single quotes. Only the text after a single quote decides whether it
    /// closes the string, so the string grows up to the first one.
    pub(crate) single: bool,
    /// A quotation in quotes of the other kind has begun in it.
    quotes: bool,
    /// Offset of the closing quote, or [`OPEN`] until it arrives.
    close: usize,
    /// Offset up to which the text after a line break in the string has been scanned. Its meaning
    /// stays unknown while only white space arrives.
    looked_to: usize,
}

/// No quote has closed the string yet.
const OPEN: usize = usize::MAX;

impl Default for PartialString {
    fn default() -> Self {
        Self::new(0, b'"')
    }
}

impl PartialString {
    #[inline]
    pub(crate) fn new(start: usize, quote: u8) -> Self {
        Self {
            start,
            whole: start,
            end: start,
            held: usize::MAX,
            flags: 0,
            suspect: false,
            raw: false,
            path: false,
            single: quote == b'\'',
            quotes: false,
            close: OPEN,
            looked_to: 0,
        }
    }

    /// The closing quote of the string.
    #[inline]
    pub(crate) fn close(&self) -> Option<usize> {
        (self.close != OPEN).then_some(self.close)
    }

    /// Returns the string in the reader's form, once it is closed.
    #[inline]
    pub(crate) fn quoted(&self) -> Option<Quoted> {
        self.close().map(|end| Quoted {
            end,
            flags: self.flags,
            suspect: self.suspect,
            escaped_single: false,
        })
    }

    /// Returns the offset up to which the text certainly belongs to the string. White space and
    /// separators may turn out to follow the string.
    #[inline]
    pub(crate) fn certain_end(&self, bytes: &[u8]) -> usize {
        if self.close == OPEN {
            self.end.min(self.held)
        } else {
            self.end_before(self.close, bytes)
        }
    }

    #[cold]
    fn end_before(&self, close: usize, bytes: &[u8]) -> usize {
        let escaped = if self.flags == 0 { self.start } else { close };
        let inside = core::str::from_utf8(&bytes[self.start..escaped]).unwrap_or_default();
        let doubtful = escape::first_doubtful(inside).map_or(usize::MAX, |at| self.start + at);
        let held = self.held.min(doubtful);
        let close = line_of_structure(&bytes[..close], bytes, self.start).unwrap_or(close);
        let inside = &bytes[self.start..close.min(held)];
        let trailing = |byte: &&u8| **byte <= b' ' || matches!(byte, b',' | b'}' | b']' | b'\'');
        let solid = inside.len() - inside.iter().rev().take_while(trailing).count();
        // Half an escape does not count.
        let run = inside[..solid]
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'\\');
        let end = self.start + solid - run.count() % 2;
        end.max(self.end.min(held))
    }

    /// Returns `true` if this may still become a key: a short word, and one of the expected keys if
    /// there are any.
    pub(crate) fn may_be_name(&self, text: &str, names: Option<&ExpectedNames>) -> bool {
        let inside = &text.as_bytes()[self.start..self.end];
        // An escape may represent a letter.
        let longest = NAME_MAX * if self.flags == 0 { 1 } else { 6 };
        let word =
            inside.len() <= longest && !inside.iter().any(|byte| b" \n,;!?()".contains(byte));
        let expected = |names: &ExpectedNames| match text.get(self.start..self.end) {
            Some(inside) if self.flags == 0 => names.any_begins(inside),
            _ => true,
        };
        word && names.is_none_or(expected)
    }

    /// Replaces this with another string, part of which has arrived already.
    #[inline(never)]
    pub(crate) fn begin(&mut self, start: usize, quote: u8, text: &str) {
        *self = Self::new(start, quote);
        self.extend(text);
    }

    /// Appends the text that has arrived, up to the closing quote if it is included.
    #[inline(always)]
    pub(crate) fn extend(&mut self, text: &str) {
        if self.single {
            return self.extend_single(text);
        }
        let bytes = text.as_bytes();
        if self.looked_to > self.whole && self.only_blank(bytes) {
            return;
        }
        if bytes.len() - self.whole > FEW && self.finds_close(bytes) {
            return;
        }
        while !self.extend_plainly::<b'"'>(bytes) {
            if !self.passes_escape(text) {
                return;
            }
        }
    }

    /// Appends to a string in single quotes.
    #[cold]
    #[inline(never)]
    pub(crate) fn extend_single(&mut self, text: &str) {
        if self.looked_to > self.whole && self.only_blank(text.as_bytes()) {
            return;
        }
        while !self.extend_plainly::<b'\''>(text.as_bytes()) {
            if !self.passes_escape(text) {
                return;
            }
        }
    }

    /// Looks for the closing quote only.
    #[inline(never)]
    fn finds_close(&mut self, bytes: &[u8]) -> bool {
        let Some(quoted) = scan::quoted_from(bytes, self.start, self.whole) else {
            return false;
        };
        if memchr::memchr(b'\'', &bytes[self.whole..quoted.end]).is_some() {
            return false;
        }
        self.close = quoted.end;
        self.flags |= quoted.flags;
        self.suspect |= quoted.suspect;
        true
    }

    /// Appends text without the rare escapes. Returns `true` if it reached none.
    #[inline(always)]
    fn extend_plainly<const QUOTE: u8>(&mut self, bytes: &[u8]) -> bool {
        let (mut at, mut end) = (self.whole, self.end);
        let mut plain = true;
        while let Some(&byte) = bytes.get(at) {
            let letter = LETTERS[usize::from(byte)];
            if letter <= SEPARATOR {
                // Words end every few bytes: a branch would be mispredicted as often.
                at += 1;
                end = core::hint::select_unpredictable(letter == SEPARATOR, end, at);
                continue;
            }
            match byte {
                _ if byte == QUOTE => {
                    if QUOTE == b'"' {
                        self.close = at;
                    }
                    break;
                }
                b'\\' => match bytes.get(at + 1..) {
                    // The meaning of an escape may depend on the next character, and on more text
                    // if that could form a word with it.
                    Some([b'n' | b't' | b'r', b'a'..=b'z', ..]) => {
                        plain = false;
                        break;
                    }
                    Some([b'n' | b'"' | b'\\' | b't' | b'r', _, ..])
                        if !self.path
                            && at > self.start + 2
                            && !matches!(bytes[at - 1], b':' | b'%') =>
                    {
                        self.flags = flag::ESCAPED;
                        at += 2;
                        end = at;
                    }
                    Some([_, _, ..]) => {
                        plain = false;
                        break;
                    }
                    _ => break,
                },
                b'\n' => match self.passes_lines(bytes, at, end) {
                    None => break,
                    Some(next) => at = next,
                },
                b'"' | b'\'' => match self.passes_quote(bytes, at, end) {
                    true => (at, end) = (at + 1, at + 1),
                    false => break,
                },
                _ => {
                    self.suspect = true;
                    at += 1;
                }
            }
        }
        (self.whole, self.end) = (at, end);
        plain
    }

    /// Returns `true` if only white space has arrived since a line break was examined.
    #[cold]
    #[inline(never)]
    fn only_blank(&mut self, bytes: &[u8]) -> bool {
        let blank = scan::skip_space(bytes, self.looked_to).1 >= bytes.len();
        self.looked_to = if blank { bytes.len() } else { 0 };
        blank
    }

    /// Accepts the line break at `at`, after the certain part up to `end`, with the white space
    /// after it. Returns `None` if the text is too short to decide.
    #[cold]
    #[inline(never)]
    fn passes_lines(&mut self, bytes: &[u8], at: usize, end: usize) -> Option<usize> {
        let Some(follows) = structure_follows(bytes, at + 1) else {
            self.looked_to = bytes.len();
            return None;
        };
        if follows {
            self.held = self.held.min(end);
        }
        self.suspect = true;
        Some(scan::skip_space(bytes, at + 1).1)
    }

    /// Accepts a quote of the other kind at `at`, after the certain part up to `end`. If the quote
    /// seems to close the string, as in `"x', "b": 1`, nothing is shown from it on. Returns `false`
    /// if the text is too short to decide.
    #[cold]
    #[inline(never)]
    fn passes_quote(&mut self, bytes: &[u8], at: usize, end: usize) -> bool {
        let letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
        let within = at > self.start && letter(&bytes[at - 1]);
        if bytes.get(at + 1).is_some_and(letter) {
            self.quotes |= !within;
            return true;
        }
        let (byte, follows) = scan::skip_space(bytes, at + 1);
        let (behind, next) = match byte {
            b',' => scan::skip_space(bytes, follows + 1),
            _ => (b'"', follows),
        };
        if next >= bytes.len() {
            self.looked_to = bytes.len();
            return false;
        }
        let structure = matches!(byte, b',' | b':' | b'}' | b']')
            && matches!(behind, b'"' | b'\'' | b'{' | b'[');
        if structure && !self.quotes {
            self.held = self.held.min(end);
        }
        self.quotes = false;
        true
    }

    /// Accepts a rare escape, unless more text may change its meaning. If it would differ in raw
    /// text, nothing is shown from it on.
    #[cold]
    #[inline(never)]
    fn passes_escape(&mut self, text: &str) -> bool {
        let (inside, at) = (&text[self.start..], self.whole - self.start);
        let length = match escape::outlook(inside, at, self.raw) {
            Outlook::Sure(length, raw) => {
                self.raw |= raw;
                length
            }
            Outlook::Doubtful(length) => {
                self.held = self.held.min(self.whole);
                length
            }
            Outlook::Awaited => return false,
        };
        self.suspect |= !matches!(inside.as_bytes()[at + 1], b'n' | b'"' | b'\\' | b't' | b'r');
        self.path |= escape::in_path(inside, at + 1);
        self.whole += length;
        self.end = self.whole;
        self.flags = flag::ESCAPED;
        true
    }
}

/// Keys are shorter than this.
const NAME_MAX: usize = 32;

/// Returns `Some(true)` if a line begins at `at` like a line of JSON although it seems to belong to
/// a string: with a quote, a closer, a fence, or a key and its colon, as `b: 1` does and `b c` does
/// not. Returns `None` if the text is too short to decide, as `b` is.
#[cold]
#[inline(never)]
fn structure_follows(bytes: &[u8], at: usize) -> Option<bool> {
    let (byte, at) = scan::skip_space(bytes, at);
    match byte {
        _ if at >= bytes.len() => None,
        b'"' | b'\'' | b'`' | b'}' | b']' => Some(true),
        0xC2 | 0xE2 | 0xE3 if is_quote(&bytes[at..]) => Some(true),
        _ => {
            let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80;
            let part = |byte: &&u8| letter(**byte) || b"_$-".contains(byte);
            let rest = bytes[at..].iter().take(NAME_MAX + 1);
            let name = rest.take_while(part).count();
            let (byte, colon) = scan::skip_space(bytes, at + name);
            (colon < bytes.len() || name > NAME_MAX)
                .then_some(name > 0 && name <= NAME_MAX && matches!(byte, b':' | b'='))
        }
    }
}

/// Finds the first line break of a string's content, from `at` on, after which a line of JSON or an
/// undecided text follows: the one at 3 of `"a\nb\n}"`.
fn line_of_structure(inside: &[u8], bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let line = at + memchr::memchr(b'\n', inside.get(at..)?)?;
        if structure_follows(bytes, line + 1) != Some(false) {
            return Some(line);
        }
        at = scan::skip_space(bytes, line + 1).1;
    }
}

/// Returns `true` if a text begins with a non-ASCII quote: `“a`, but not `\"a`.
fn is_quote(text: &[u8]) -> bool {
    ["«", "»", "“", "”", "„", "‘", "’", "‚", "「", "『", "〝"]
        .iter()
        .any(|quote| text.starts_with(quote.as_bytes()))
}

/// A byte that may turn out to follow the string.
const SEPARATOR: u8 = 1;
/// A quote, a backslash or a control character.
const SPECIAL: u8 = 2;

/// The kind of each byte in a string; 0 for nothing special.
static LETTERS: [u8; 256] = letters();

const fn letters() -> [u8; 256] {
    let mut letters = [0; 256];
    let mut at = 0;
    while at < b' ' as usize {
        letters[at] = SPECIAL;
        at += 1;
    }
    let (mut at, separators) = (0, b" ,}]");
    while at < separators.len() {
        letters[separators[at] as usize] = SEPARATOR;
        at += 1;
    }
    letters[b'"' as usize] = SPECIAL;
    letters[b'\'' as usize] = SPECIAL;
    letters[b'\\' as usize] = SPECIAL;
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_as_those_of_json() {
        for (text, expected) in [
            ("\"b\"", Some(true)),
            (" 'b'", Some(true)),
            ("```", Some(true)),
            ("}", Some(true)),
            ("]", Some(true)),
            ("“b", Some(true)),
            ("«b", Some(true)),
            ("「b", Some(true)),
            ("b: 1", Some(true)),
            ("b-1_$ = 1", Some(true)),
            ("é:", Some(true)),
            ("b c", Some(false)),
            (": 1", Some(false)),
            ("— b", Some(false)),
            ("b", None),
            ("b ", None),
            (" ", None),
            ("", None),
        ] {
            assert_eq!(structure_follows(text.as_bytes(), 0), expected, "{text}");
        }
        let name = |length: usize| alloc::format!("{}: 1", "a".repeat(length));
        assert_eq!(structure_follows(name(NAME_MAX).as_bytes(), 0), Some(true));
        assert_eq!(
            structure_follows(name(NAME_MAX + 1).as_bytes(), 0),
            Some(false)
        );
        let cut = "a".repeat(NAME_MAX + 1);
        assert_eq!(structure_follows(&cut.as_bytes()[1..], 0), None);
        assert_eq!(structure_follows(cut.as_bytes(), 0), Some(false));
    }

    #[test]
    fn lines_of_structure_are_found() {
        for (text, at, line) in [
            ("a\nb\n}", 0, Some(3)),
            ("a\n}\n}", 0, Some(1)),
            ("a\n}\n}", 2, Some(3)),
            ("a\nb c\nd e", 0, None),
            ("a\n\n\nb c", 0, None),
            ("a\nb", 0, Some(1)),
            ("a", 0, None),
            ("a", 2, None),
        ] {
            let found = line_of_structure(text.as_bytes(), text.as_bytes(), at);
            assert_eq!(found, line, "{text:?}");
        }
        // The text goes on behind the string's inside.
        assert_eq!(line_of_structure(b"a\n", b"a\nb c", 0), None);
    }

    #[test]
    fn quotes_beyond_ascii_are_seen() {
        for text in ["“a", "”", "„", "«", "»", "‘", "’", "‚", "「", "『"] {
            assert!(is_quote(text.as_bytes()), "{text}");
        }
        for text in ["\"a", "'", "`", "a“", "」", "—", ""] {
            assert!(!is_quote(text.as_bytes()), "{text}");
        }
    }
}
