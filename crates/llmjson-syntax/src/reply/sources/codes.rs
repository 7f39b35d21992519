//! Numeric codes in place of characters, in the form that the text shows: `=22`, `%22`, `\x22`,
//! `\u{22}`, `&#34;`, `_x0022_`, `<U+0022>`.

use alloc::vec::Vec;

use memchr::memmem;

use crate::reply::sources::frames::in_frames;
use crate::reply::sources::map::{Derived, Means, rewritten};

/// The codes of quotes, brackets, blanks and line breaks, with their bases.
const CODES: &[(&str, u32)] = &[
    ("22", 16),
    ("34", 10),
    ("042", 8),
    ("7B", 16),
    ("7b", 16),
    ("123", 10),
    ("5B", 16),
    ("5b", 16),
    ("91", 10),
    ("20", 16),
    ("0A", 16),
];

/// Codes of white space.
const WHITE: &[&str] = &["20", "0A"];

/// Maximum number of characters that may begin a code, of three kinds.
const STARTS_MAX: usize = 256;

/// Maximum number of prefixes without codes, unless most prefixes have one.
const UNKNOWN_MAX: usize = 64;

/// Maximum number of zeros before a code.
const ZEROS_MAX: usize = 6;

/// Characters that begin a code, and letters that may follow: `<U+`, `\x{`, `&#x`, `\'`.
const STARTERS: [[char; 3]; 5] = [
    ['\\', '%', '='],
    ['#', '~', '<'],
    ['[', '_', '$'],
    ['@', '!', '^'],
    ['*', '|', '?'],
];
const LETTERS: [char; 4] = ['x', 'X', 'u', 'U'];

/// The form of a code: `\x` and two hexadecimal digits.
#[derive(Clone, Copy, PartialEq)]
struct Form<'t> {
    prefix: &'t str,
    base: u32,
    /// The number of digits, if nothing closes them.
    digits: usize,
    closer: Option<char>,
}

/// The form in emails.
const EMAIL: Form<'_> = Form {
    prefix: "=",
    base: 16,
    digits: 2,
    closer: None,
};

/// Decodes the codes of emails, and joins the lines that they have wrapped.
pub(crate) fn email(text: &str) -> Option<Derived> {
    let is_code = |at| EMAIL.meaning(text, at, &text[at + 1..]).is_some();
    if !memchr::memchr_iter(b'=', text.as_bytes()).any(is_code) {
        return None;
    }
    let open = memchr::memchr2(b'{', b'[', text.as_bytes());
    let framed = open.is_some_and(|open| in_frames(text, open, text.trim_end().len()));
    (!framed).then(|| EMAIL.decoded(text, 2))?
}

/// Decodes the codes of the most frequent form, which must explain nearly all of its prefixes.
pub(crate) fn codes(text: &str) -> Option<Derived> {
    let bytes = text.as_bytes();
    let mut forms: Vec<(Form<'_>, usize)> = Vec::new();
    let starts = STARTERS.iter().flat_map(|&starters| {
        let [one, two, three] = starters.map(|starter| starter as u8);
        memchr::memchr3_iter(one, two, three, bytes).take(STARTS_MAX)
    });
    // Some codes begin with a zero.
    let places = starts.filter_map(|start| digits(bytes, start));
    for at in places.flat_map(|(first, last)| first.max(last.saturating_sub(1))..=last) {
        let codes = CODES
            .iter()
            .filter(|(code, _)| bytes[at..].starts_with(code.as_bytes()));
        for form in codes.filter_map(|(code, base)| Form::at(text, at, code.len(), *base)) {
            match forms.iter_mut().find(|(other, _)| *other == form) {
                Some((_, count)) => *count += 1,
                None => forms.push((form, 1)),
            }
        }
    }
    let (form, count) = forms.into_iter().max_by_key(|(_, count)| *count)?;
    (form != EMAIL).then(|| form.decoded(text, count))?
}

/// Returns the places of the first digit after the character that begins a code, and of the first
/// digit other than zero.
fn digits(bytes: &[u8], start: usize) -> Option<(usize, usize)> {
    let near = &bytes[start + 1..];
    let base = usize::from(bytes[start] == b'<' && near.starts_with(b"0"));
    let is_prefix = |byte: &&u8| b"xXuU{+'".contains(byte);
    let letters = near[base..].iter().take(2).take_while(is_prefix).count();
    let first = if letters > 0 { base + letters } else { 0 };
    let zeros = near[first..].iter().take_while(|byte| **byte == b'0');
    let last = first + zeros.take(ZEROS_MAX + 1).count();
    let begins = near.get(first).is_some_and(u8::is_ascii_digit);
    begins.then_some((start + 1 + first, start + 1 + last))
}

impl<'t> Form<'t> {
    /// Decodes a text, in which `count` codes of quotes and brackets were found.
    fn decoded(&self, text: &str, count: usize) -> Option<Derived> {
        let (known, unknown) = self.count(text);
        let is_evident = count > 1 || unknown == 0 && known > 3;
        if !is_evident || known < 9 * unknown {
            return None;
        }
        let is_form = self.prefix == "%" && !text.trim().contains([' ', '\n']);
        rewritten(text, |text, at| {
            let rest = &text[at..];
            if is_form && rest.starts_with('+') {
                return Some((Means::Char(' '), 1));
            }
            self.meaning(text, at, rest.strip_prefix(self.prefix)?)
        })
    }

    /// Returns how often the prefix begins a code in a text, and how often it does not.
    fn count(&self, text: &str) -> (usize, usize) {
        let finder = memmem::Finder::new(self.prefix);
        let (mut at, mut known, mut unknown) = (0, 0, 0);
        while let Some(found) = finder.find(&text.as_bytes()[at..]) {
            at += found;
            let behind = &text[at + self.prefix.len()..];
            match self.meaning(text, at, behind) {
                Some((_, length)) => {
                    known += 1;
                    at += length;
                    continue;
                }
                // `\n`: an escape of JSON.
                None if self.prefix == "\\" && behind.starts_with(is_json_escape) => {}
                None if unknown > UNKNOWN_MAX && known < 9 * unknown => break,
                None => unknown += 1,
            }
            at += self.prefix.len();
        }
        (known, unknown)
    }

    /// Returns the form of the code whose significant digits begin at a place.
    fn at(text: &'t str, at: usize, length: usize, base: u32) -> Option<Self> {
        let bare = text[..at].trim_end_matches('0');
        let zeros = at - bare.len();
        // `{` and `+` follow a letter, `'` a backslash: `\x{`, `<U+`, `\'`.
        let opened = bare.strip_suffix(['{', '+']);
        let named = opened.unwrap_or(bare).strip_suffix(LETTERS);
        let quoted = bare
            .strip_suffix('\'')
            .filter(|before| before.ends_with('\\'));
        let before = named.or(quoted).unwrap_or(bare);
        let before = before
            .strip_suffix("0")
            .filter(|one| one.ends_with('<'))
            .unwrap_or(before);
        if zeros > ZEROS_MAX || opened.is_some() && named.is_none() {
            return None;
        }
        let start = before.strip_suffix(STARTERS.as_flattened())?;
        let start = start.strip_suffix('&').unwrap_or(start).len();
        let prefix = &text[start..bare.len()];
        // `\x20` is an escape in a string.
        if prefix.starts_with('\\') && WHITE.contains(&&text[at..at + length]) {
            return None;
        }
        let closer = match prefix.as_bytes()[0] {
            _ if opened.is_some() && prefix.ends_with('{') => Some('}'),
            b'<' => Some('>'),
            b'[' => Some(']'),
            b'_' => Some('_'),
            b'&' => Some(';'),
            _ => None,
        };
        let closed = closer.is_none_or(|closer| text[at + length..].starts_with(closer));
        let digits = if closer.is_none() { zeros + length } else { 0 };
        closed.then_some(Self {
            prefix,
            base,
            digits,
            closer,
        })
    }

    /// Returns the meaning of a code at a place, after its prefix, and its length.
    fn meaning(&self, text: &str, at: usize, behind: &str) -> Option<(Means, usize)> {
        let begun = self.prefix.len();
        // `=` at the end of a line joins it with the next one.
        if begun == 1 && self.prefix != "\\" {
            let space = behind.len() - behind.trim_start_matches('\r').len();
            match behind.as_bytes().get(space) {
                None => return Some((Means::Nothing, begun)),
                Some(b'\n') => return Some((Means::Nothing, begun + space + 1)),
                _ => {}
            }
        }
        let (code, length) = self.code(behind)?;
        let named = text[..at].ends_with(|one: char| one.is_alphanumeric() || one == '_');
        // `code=42`: such encodings leave letters and digits unencoded, except at a line's beginning.
        if begun == 1 && named && u8::try_from(code).is_ok_and(|one| one.is_ascii_alphanumeric()) {
            return None;
        }
        let length = begun + length;
        if let Ok(byte) = u8::try_from(code) {
            return Some((Means::Byte(byte), length));
        }
        if let Some(character) = char::from_u32(code) {
            return Some((Means::Char(character), length));
        }
        let (low, more) = self.code(text[at + length..].strip_prefix(self.prefix)?)?;
        let units = [code, low].map(|unit| u16::try_from(unit).unwrap_or_default());
        let character = char::decode_utf16(units).next()?.ok()?;
        Some((Means::Char(character), length + begun + more))
    }

    /// Reads the digits of a code and its closer: the code, and their length.
    fn code(&self, rest: &str) -> Option<(u32, usize)> {
        let digits = match self.closer {
            Some(closer) => rest.bytes().take(10).position(|one| one == closer as u8)?,
            None => self.digits,
        };
        let code = rest
            .get(..digits)
            .filter(|digits| !digits.starts_with('+'))?;
        let code = u32::from_str_radix(code, self.base).ok()?;
        Some((code, digits + usize::from(self.closer.is_some())))
    }
}

fn is_json_escape(character: char) -> bool {
    "\"\\/bfnrtu".contains(character)
}
