//! What the inside of a string means: escapes, also bad ones.
//!
//! The rules for what JSON does not allow: a letter or digit keeps its backslash (`\d`,
//! `C:\Users`), punctuation drops it (`\'`), a `\u` without four hex digits stays as written, half
//! a surrogate pair becomes U+FFFD. From the first letter that cannot be escaped on the string
//! counts as raw: a later backslash before `b`, `f`, `n`, `r` or `t` and a further letter is kept
//! too, and so is one before punctuation other than quotes, slashes and backslashes.

use alloc::string::String;

use crate::scan;

/// One piece of a string's inside.
pub(crate) enum Piece<'t> {
    /// Stands for itself.
    Text(&'t str),
    /// What an escape stands for.
    Char(char),
}

/// What was odd about a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Oddity {
    /// Nothing.
    None,
    /// An escape that JSON does not know.
    Invalid,
    /// A valid escape that was read as raw text because the string had been raw before.
    Raw,
    /// Half a surrogate pair.
    Surrogate,
}

/// Goes over the inside of a string piece by piece.
pub(crate) struct Pieces<'t> {
    inside: &'t str,
    at: usize,
    raw: bool,
}

impl<'t> Pieces<'t> {
    pub(crate) fn new(inside: &'t str) -> Self {
        Self {
            inside,
            at: 0,
            raw: false,
        }
    }

    /// The same for the rest of a string, of which the part before was raw text or not.
    pub(crate) fn resumed(inside: &'t str, raw: bool) -> Self {
        Self { inside, at: 0, raw }
    }

    /// Whether a piece so far has shown the string to be raw text.
    pub(crate) fn is_raw(&self) -> bool {
        self.raw
    }

    /// The next piece, where it begins, and what was odd about it.
    pub(crate) fn next(&mut self) -> Option<(usize, Piece<'t>, Oddity)> {
        let start = self.at;
        let rest = self.inside.get(start..).filter(|rest| !rest.is_empty())?;
        let plain = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
        if plain > 0 {
            self.at += plain;
            return Some((start, Piece::Text(&rest[..plain]), Oddity::None));
        }
        let (piece, length, oddity) = self.escape(rest);
        self.at += length;
        Some((start, piece, oddity))
    }

    /// The next escape that is not of the usual kind, and where it begins. Escapes that stand for
    /// white space count as usual only if `simple` says so.
    #[inline]
    pub(crate) fn next_unusual(&mut self, simple: bool) -> Option<(usize, Piece<'t>, Oddity)> {
        let bytes = self.inside.as_bytes();
        loop {
            let start = scan::find_near(bytes, self.at, b'\\', b'\\')?;
            self.at = start + 2;
            match bytes.get(start + 1) {
                Some(b'"' | b'\\' | b'/') => {}
                Some(b'n' | b't' | b'r' | b'b' | b'f') if simple && !self.raw => {}
                _ => {
                    let (piece, length, oddity) = self.escape(&self.inside[start..]);
                    self.at = start + length;
                    return Some((start, piece, oddity));
                }
            }
        }
    }

    /// `rest` begins with a backslash. The piece, its length in the text and what is odd about it.
    fn escape(&mut self, rest: &'t str) -> (Piece<'t>, usize, Oddity) {
        let Some(escaped) = rest[1..].chars().next() else {
            return (Piece::Text(""), 1, Oddity::Invalid);
        };
        let simple = match escaped {
            '"' | '\\' | '/' => return (Piece::Char(escaped), 2, Oddity::None),
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => return self.unicode(rest),
            _ => return self.invalid(rest, escaped),
        };
        if self.raw && rest[2..].starts_with(|next: char| next.is_alphabetic()) {
            return (Piece::Text(&rest[..2]), 2, Oddity::Raw);
        }
        (Piece::Char(simple), 2, Oddity::None)
    }

    fn invalid(&mut self, rest: &'t str, escaped: char) -> (Piece<'t>, usize, Oddity) {
        let length = 1 + escaped.len_utf8();
        let letter = escaped.is_alphanumeric();
        self.raw |= letter;
        let keep = letter || self.raw && escaped.is_ascii_punctuation() && escaped != '\'';
        let piece = if keep {
            &rest[..length]
        } else {
            &rest[1..length]
        };
        (Piece::Text(piece), length, Oddity::Invalid)
    }

    fn unicode(&mut self, rest: &'t str) -> (Piece<'t>, usize, Oddity) {
        let Some(unit) = hex4(rest, 2) else {
            self.raw = true;
            return (Piece::Text(&rest[..2]), 2, Oddity::Invalid);
        };
        if let Some(character) = char::from_u32(unit) {
            return (Piece::Char(character), 6, Oddity::None);
        }
        let low = rest
            .get(6..8)
            .filter(|&next| next == "\\u")
            .and_then(|_| hex4(rest, 8));
        match low {
            Some(low @ 0xDC00..=0xDFFF) if unit < 0xDC00 => {
                let point = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                let character = char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER);
                (Piece::Char(character), 12, Oddity::None)
            }
            _ => (
                Piece::Char(char::REPLACEMENT_CHARACTER),
                6,
                Oddity::Surrogate,
            ),
        }
    }
}

/// The length of the escape with which `rest` begins; `None` if the text ends before that can be
/// told, or `rest` begins with none.
pub(crate) fn length(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    if bytes.first() != Some(&b'\\') {
        return None;
    }
    let escaped = rest[1..].chars().next()?;
    if escaped != 'u' {
        return Some(1 + escaped.len_utf8());
    }
    let hex = |bytes: &[u8]| bytes.iter().take(4).all(u8::is_ascii_hexdigit);
    if !hex(&bytes[2..]) {
        return Some(2);
    }
    let unit = hex4(rest, 2)?;
    if !(0xD800..0xDC00).contains(&unit) {
        return Some(6);
    }
    // The other half of a pair follows, or may.
    match &bytes[6..] {
        [] | [b'\\'] => None,
        [b'\\', b'u', low @ ..] if hex(low) => (low.len() >= 4).then_some(12),
        _ => Some(6),
    }
}

/// Four hex digits at `at`.
fn hex4(text: &str, at: usize) -> Option<u32> {
    let digits = text.get(at..at + 4)?;
    digits
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit())
        .then(|| u32::from_str_radix(digits, 16).ok())
        .flatten()
}

/// Decodes the inside of a string.
pub(crate) fn decode(inside: &str) -> String {
    let mut decoded = String::new();
    decode_to(inside, &mut decoded);
    decoded
}

/// Decodes the inside of a string and appends the result.
///
/// Text is copied sixteen bytes at a time, beyond the next backslash; what comes after that is
/// written over. No escape is shorter than what it stands for, so the output never overtakes.
pub(crate) fn decode_to(inside: &str, decoded: &mut String) {
    let bytes = inside.as_bytes();
    let mut pieces = Pieces::new(inside);
    let mut out = core::mem::take(decoded).into_bytes();
    let mut to = out.len();
    out.resize(to + bytes.len() + 16, 0);
    let mut at = 0;
    loop {
        while let Some(block) = bytes.get(at..at + 16) {
            out[to..to + 16].copy_from_slice(block);
            let plain = scan::first_backslash(block);
            at += plain;
            to += plain;
            if plain < 16 {
                break;
            }
        }
        while let Some(&byte) = bytes.get(at)
            && byte != b'\\'
        {
            out[to] = byte;
            at += 1;
            to += 1;
        }
        let simple = match bytes.get(at + 1) {
            Some(b'n') => b'\n',
            Some(&byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b't') => b'\t',
            _ => 0,
        };
        if simple != 0 && !pieces.raw {
            out[to] = simple;
            at += 2;
            to += 1;
            continue;
        }
        if at >= bytes.len() {
            break;
        }
        let mut buffer = [0; 4];
        let (piece, length, _) = pieces.escape(&inside[at..]);
        let piece = match piece {
            Piece::Text(text) => text,
            Piece::Char(character) => character.encode_utf8(&mut buffer),
        };
        out[to..to + piece.len()].copy_from_slice(piece.as_bytes());
        at += length;
        to += piece.len();
    }
    out.truncate(to);
    *decoded = String::from_utf8(out).expect("pieces of a text are text");
}

/// Length of the inside without half an escape or half a surrogate pair at its end, for a string
/// that the end of the text cut off.
pub(crate) fn whole_escapes(inside: &str) -> usize {
    let bytes = inside.as_bytes();
    let tail = bytes.len().saturating_sub(12);
    // A backslash begins an escape if an even run of backslashes comes before it.
    let begins = |at: usize| {
        bytes[at] == b'\\'
            && bytes[..at]
                .iter()
                .rev()
                .take_while(|&&b| b == b'\\')
                .count()
                % 2
                == 0
    };
    let hex = |from: usize, to: usize| bytes[from..to].iter().all(u8::is_ascii_hexdigit);
    for at in tail..bytes.len() {
        if !begins(at) {
            continue;
        }
        let left = bytes.len() - at;
        let cut = match bytes.get(at + 1) {
            None => true,
            Some(b'u') if left < 6 => hex(at + 2, bytes.len()),
            Some(b'u') if left < 12 && hex(at + 2, at + 6) => {
                let high = hex4(inside, at + 2).is_some_and(|unit| unit & 0xFC00 == 0xD800);
                let rest = &bytes[at + 6..];
                let pair = rest.is_empty()
                    || rest == b"\\"
                    || rest.starts_with(b"\\u") && hex(at + 8, bytes.len());
                high && pair
            }
            Some(_) => false,
        };
        if cut {
            return at;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_escapes_decode() {
        assert_eq!(
            decode(r#"a\"b\\c\/d\n\t\r\b\f"#),
            "a\"b\\c/d\n\t\r\u{8}\u{c}"
        );
        assert_eq!(decode(r"\u00e9\ud83d\ude00\u0041"), "é😀A");
    }

    #[test]
    fn bad_escapes_keep_what_was_meant() {
        let cases = [
            (r"\d+\s", r"\d+\s"),
            (r"C:\Users\new", r"C:\Users\new"),
            (r"a\nb \d \new \n", "a\nb \\d \\new \n"),
            (r"won\'t \- x", "won't - x"),
            (r"C:\Users \( x \le n \)", r"C:\Users \( x \le n \)"),
            (r"bad \uGGGG here", r"bad \uGGGG here"),
            (r"\u12", r"\u12"),
            (r"\ud83d x", "\u{fffd} x"),
            (r"\ude00", "\u{fffd}"),
            (r"\ud83d\u0041", "\u{fffd}A"),
            ("a\\\nb", "a\nb"),
            (r"\é", r"\é"),
            ("\\", ""),
        ];
        for (inside, decoded) in cases {
            assert_eq!(decode(inside), decoded, "{inside}");
        }
    }

    #[test]
    fn half_an_escape_at_the_end_is_dropped() {
        let cases = [
            ("abc", 3),
            (r"a\n", 3),
            ("a\\", 1),
            (r"a\\", 3),
            (r"a\u", 1),
            (r"a\u00", 1),
            (r"a\u00e9", 7),
            (r"a\ud83d", 1),
            (r"a\ud83d\", 1),
            (r"a\ud83d\ude", 1),
            (r"a\ud83d\ude00", 13),
            (r"a\\u00", 6),
        ];
        for (inside, whole) in cases {
            assert_eq!(whole_escapes(inside), whole, "{inside}");
        }
    }
}
