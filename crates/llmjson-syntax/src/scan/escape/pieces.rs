//! The pieces of a string's inside.

use crate::scan;
use crate::scan::escape::control_word;
use crate::scan::escape::paths::{PATH_MAX, begins_network_path, in_path};

/// One piece of a string's content.
pub(crate) enum Piece<'t> {
    /// Literal text.
    Text(&'t str),
    /// The character that an escape represents.
    Char(char),
}

/// The irregularity of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Oddity {
    /// No irregularity.
    None,
    /// An escape that JSON does not define.
    Invalid,
    /// A valid escape that is read as raw text because the string is raw.
    Raw,
    /// An escape for half of a surrogate pair.
    Surrogate,
}

/// An iterator over the pieces of a string's content.
pub(crate) struct Pieces<'t> {
    inside: &'t str,
    at: usize,
    pub(crate) raw: bool,
    math: MathDelimiters,
}

/// The places after the brackets of formulas that a string has opened: `\\(`, `\\[`.
#[derive(Clone, Copy, Default)]
struct MathDelimiters {
    round: Option<usize>,
    square: Option<usize>,
}

impl MathDelimiters {
    /// Accepts the escaped byte at `at`. Returns `true` if it closes a formula, which shows that
    /// the string is raw: `\\(x^2\\)`, but not `\\[all\\]`.
    fn close(&mut self, inside: &str, at: usize) -> bool {
        let byte = inside.as_bytes()[at];
        let opened = match byte {
            b'(' | b')' => &mut self.round,
            b'[' | b']' => &mut self.square,
            _ => return false,
        };
        let opened = core::mem::replace(opened, b"([".contains(&byte).then_some(at + 1));
        let opened = opened.filter(|_| b")]".contains(&byte));
        opened.is_some_and(|from| {
            let formula = inside[from..at - 1].trim();
            let signs = |byte: u8| b"\\^_=+<>{|*/".contains(&byte);
            formula.len() == 1 || formula.bytes().take(PATH_MAX).any(signs)
        })
    }
}

impl<'t> Pieces<'t> {
    /// Creates an iterator over the whole content of a string.
    pub(crate) fn new(inside: &'t str) -> Self {
        Self {
            inside,
            at: 0,
            raw: is_raw(inside),
            math: MathDelimiters::default(),
        }
    }

    /// Creates an iterator over the rest of a text rather than a string's content: the meaning of
    /// an escape depends only on those before it.
    pub(crate) fn onwards(inside: &'t str) -> Self {
        Self {
            inside,
            at: 0,
            raw: false,
            math: MathDelimiters::default(),
        }
    }

    /// Creates an iterator over the content of a string that is known to be raw.
    pub(crate) fn of_raw(inside: &'t str) -> Self {
        Self {
            inside,
            at: 0,
            raw: true,
            math: MathDelimiters::default(),
        }
    }

    /// Creates an iterator over the content of a string from `at` on, after a part that was raw or
    /// not.
    pub(crate) fn resumed(inside: &'t str, at: usize, raw: bool) -> Self {
        let raw = raw || is_raw(inside.get(at..).unwrap_or_default());
        Self {
            raw,
            at,
            ..Self::onwards(inside)
        }
    }

    /// Returns `true` if the string is raw text.
    pub(crate) fn is_raw(&self) -> bool {
        self.raw
    }

    /// Returns the offset of the next piece, the piece, and its irregularity.
    pub(crate) fn next(&mut self) -> Option<(usize, Piece<'t>, Oddity)> {
        let start = self.at;
        let rest = self.inside.get(start..).filter(|rest| !rest.is_empty())?;
        let plain = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
        if plain > 0 {
            self.at += plain;
            return Some((start, Piece::Text(&rest[..plain]), Oddity::None));
        }
        let (piece, length, oddity) = self.escape(start);
        self.at += length;
        Some((start, piece, oddity))
    }

    /// Returns the next unusual escape with its offset. Escapes for a backspace or a form feed count,
    /// since no text contains these, and in raw text all escapes except for quotes and slashes.
    #[inline]
    pub(crate) fn next_unusual(&mut self) -> Option<(usize, Piece<'t>, Oddity)> {
        let bytes = self.inside.as_bytes();
        loop {
            let start = scan::find_near(bytes, self.at, b'\\', b'\\')?;
            self.at = start + 2;
            match bytes.get(start + 1) {
                Some(b'"' | b'/') => {}
                Some(b'\\' | b'n' | b't' | b'r') if !self.raw => {}
                _ => {
                    let (piece, length, oddity) = self.escape(start);
                    self.at = start + length;
                    return Some((start, piece, oddity));
                }
            }
        }
    }

    /// Returns the piece for the backslash at `at`, its length in the text and its irregularity.
    pub(crate) fn escape(&mut self, at: usize) -> (Piece<'t>, usize, Oddity) {
        let rest = &self.inside[at..];
        let Some(escaped) = rest[1..].chars().next() else {
            return (Piece::Text(""), 1, Oddity::Invalid);
        };
        let simple = match escaped {
            '"' | '/' => return (Piece::Char(escaped), 2, Oddity::None),
            '\\' => '\\',
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'x' | 'u' | 'U' | 'e'
                if !self.raw
                    && let Some((character, length)) = of_language(self.inside, at) =>
            {
                return (Piece::Char(character), length, Oddity::Invalid);
            }
            'u' => return self.unicode(rest),
            // A backslash before a line break joins the lines.
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => {
                let length = length(rest).unwrap_or(2);
                return (Piece::Text(""), length, Oddity::Invalid);
            }
            _ => return self.invalid(at, escaped),
        };
        if self.raw && meant_raw(self.inside, at, KnownInside::Whole) == Some(true) {
            return (Piece::Text(&rest[..2]), 2, Oddity::Raw);
        }
        (Piece::Char(simple), 2, Oddity::None)
    }

    fn invalid(&mut self, at: usize, escaped: char) -> (Piece<'t>, usize, Oddity) {
        let rest = &self.inside[at..];
        let length = 1 + escaped.len_utf8();
        let letter = escaped.is_alphanumeric();
        self.raw |= letter || self.math.close(self.inside, at + 1);
        let keep = match escaped {
            '\'' => in_single_quotes(self.inside, at),
            _ => letter || self.raw && escaped.is_ascii_punctuation(),
        };
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

/// Returns the character of the escape at `at` in languages with more escapes than JSON, and its
/// length: `\xe9`, `\u{1f600}`, `\U0001f600`, and `\e` before the bracket of a terminal color. In a
/// path these are letters.
pub(super) fn of_language(inside: &str, at: usize) -> Option<(char, usize)> {
    let rest = &inside[at..];
    let length = length(rest)?;
    let digits = match rest.as_bytes()[1] {
        b'e' => return rest.starts_with("\\e[").then_some(('\u{1b}', 2)),
        _ if length == 2 => return None,
        b'x' | b'U' => &rest[2..length],
        b'u' => rest[2..length].strip_prefix('{')?.strip_suffix('}')?,
        _ => return None,
    };
    let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    (!in_path(inside, at)).then_some((character, length))
}

/// Returns `true` if the escaped apostrophe at `at` is within a literal of code, which an
/// apostrophe on the same line has opened: `f('it\\'s`, but not `it\\'s`.
fn in_single_quotes(inside: &str, at: usize) -> bool {
    let bytes = inside.as_bytes();
    let near = at.saturating_sub(PATH_MAX)..at;
    let near = memchr::memrchr_iter(b'\'', &bytes[near.clone()]).map(|sign| near.start + sign);
    let last = { near }.find(|&sign| sign == 0 || bytes[sign - 1] != b'\\');
    last.is_some_and(|sign| {
        let before = sign.checked_sub(1).map_or(b' ', |before| bytes[before]);
        let between = &bytes[sign + 1..at];
        let lines = memchr::memchr(b'\n', between).or(memchr::memmem::find(between, b"\\n"));
        (b" \t\n([{=,:+>".contains(&before)) && between.first() != Some(&b' ') && lines.is_none()
    })
}

/// Returns `true` if a string contains an impossible escape, a letter or digit that neither JSON
/// nor another language escapes, or a formula in escaped brackets.
fn is_raw(inside: &str) -> bool {
    let bytes = inside.as_bytes();
    let mut math = MathDelimiters::default();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found + 1;
        match bytes.get(at) {
            Some(b'"' | b'\\' | b'/' | b'n' | b't' | b'r' | b'b' | b'f') => {}
            Some(b'u') if hex4(inside, at + 1).is_some() => {}
            Some(b'x' | b'u' | b'U' | b'e') if of_language(inside, at - 1).is_some() => {}
            Some(..0x80) if !bytes[at].is_ascii_alphanumeric() => {
                if math.close(inside, at) {
                    return true;
                }
            }
            Some(..0x80) => return true,
            Some(_) if inside[at..].starts_with(char::is_alphanumeric) => return true,
            Some(_) | None => {}
        }
        at += 1;
    }
    false
}

/// The known extent of a string's content.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum KnownInside {
    Whole,
    Beginning,
}

/// Returns whether the backslash at `at`, before a backslash or a letter that JSON escapes, is
/// literal if the string is raw. Returns `None` if the text is incomplete and too short to decide.
pub(super) fn meant_raw(inside: &str, at: usize, extent: KnownInside) -> Option<bool> {
    let bytes = inside.as_bytes();
    match bytes.get(at + 1)? {
        b'b' | b'f' => Some(true),
        b'\\' => {
            if at == 0 {
                begins_network_path(bytes)
            } else {
                Some(false)
            }
        }
        _ if in_path(inside, at) || in_raw_word(inside, at) => Some(true),
        b'n' | b'r' | b't' => {
            if extent == KnownInside::Beginning && control_word::is_begun(&inside[at + 1..]) {
                return None;
            }
            Some(control_word::word_at(inside, at + 1).is_some())
        }
        _ => Some(false),
    }
}

/// Returns `true` if the escape at `at`, of a letter that JSON escapes, follows an impossible escape
/// in the same word and continues it: `\\usr\\new`, `^\\s+\\t`, but not `\\alpha\\nNext`.
fn in_raw_word(inside: &str, at: usize) -> bool {
    let bytes = inside.as_bytes();
    let near = bytes[at.saturating_sub(PATH_MAX)..at].iter();
    let word = near.rev().take_while(|byte| !byte.is_ascii_whitespace());
    let mut i = at - word.count();
    let (mut shown, mut names) = (false, true);
    while i <= at {
        if bytes[i] != b'\\' {
            names &= bytes[i].is_ascii_alphanumeric() || b"._-$~%".contains(&bytes[i]);
            i += 1;
            continue;
        }
        let next = bytes.get(i + 2).copied().unwrap_or(b' ');
        let literal = match bytes[i + 1] {
            // Lines of a text rarely begin in lower case; names of a path and patterns do.
            b'n' | b'r' => {
                shown && (names && next.is_ascii_lowercase() || b"]+*?)|{".contains(&next))
            }
            b'u' if hex4(inside, i + 2).is_some() => shown,
            b'b' | b'f' | b't' | b'\\' => shown,
            escaped => {
                shown |= escaped.is_ascii_alphanumeric();
                shown
            }
        };
        if i == at {
            return literal;
        }
        if !literal {
            (shown, names) = (false, true);
        }
        i += 2;
    }
    false
}

/// Returns the length of the escape with which `rest` begins, or `None` if the text is too short to
/// decide or begins with none.
pub(super) fn length(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    if bytes.first() != Some(&b'\\') {
        return None;
    }
    let escaped = rest[1..].chars().next()?;
    let digits = |from: usize, most: usize| {
        let digits = bytes[from..].iter().take(most);
        digits.take_while(|byte| byte.is_ascii_hexdigit()).count()
    };
    match escaped {
        'x' | 'U' => {
            let most = if escaped == 'x' { 2 } else { 8 };
            return match digits(2, most) {
                found if found == most => Some(2 + most),
                found if 2 + found == bytes.len() => None,
                _ => Some(2),
            };
        }
        'u' if bytes.get(2) == Some(&b'{') => {
            let found = digits(3, 6);
            return match bytes.get(3 + found) {
                Some(b'}') if found > 0 => Some(3 + found + 1),
                None => None,
                Some(_) => Some(2),
            };
        }
        'u' => {}
        // Half of a Windows line break.
        '\r' => {
            let next = bytes.get(2)?;
            return Some(2 + usize::from(*next == b'\n'));
        }
        _ => return Some(1 + escaped.len_utf8()),
    }
    let hex = |bytes: &[u8]| bytes.iter().take(4).all(u8::is_ascii_hexdigit);
    if !hex(&bytes[2..]) {
        return Some(2);
    }
    let unit = hex4(rest, 2)?;
    if !(0xD800..0xDC00).contains(&unit) {
        return Some(6);
    }
    // The other half of a surrogate pair follows, or may follow.
    match &bytes[6..] {
        [] | [b'\\'] => None,
        [b'\\', b'u', low @ ..] if hex(low) => (low.len() >= 4).then_some(12),
        _ => Some(6),
    }
}

/// Returns the four hexadecimal digits at `at`.
pub(super) fn hex4(text: &str, at: usize) -> Option<u32> {
    let digits = text.as_bytes().get(at..at + 4)?;
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    digits
        .iter()
        .try_fold(0, |sum, byte| Some(sum << 4 | digit(byte)?))
}

#[cfg(test)]
mod tests {
    use crate::scan::escape::decode::decode;

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
            (r"a\nb \d \new \n", "a\nb \\d \new \n"),
            (r"\bfoo\s+bar\b$", r"\bfoo\s+bar\b$"),
            (r"\theta \neq \alpha\nNext", "\\theta \\neq \\alpha\nNext"),
            (r"\(x \le y\)", r"\(x \le y\)"),
            (r"\\host\share\n1", r"\\host\share\n1"),
            (r"\alpha \neq \theta", r"\alpha \neq \theta"),
            (r"\\host\\share\d", r"\host\share\d"),
            (r"D:\temp\data", r"D:\temp\data"),
            (r"%TEMP%\new\dir", r"%TEMP%\new\dir"),
            ("see:\\nC:\\new\\dir.\\nEnd", "see:\nC:\\new\\dir.\nEnd"),
            (r"\theta \neq C:\new", "\theta \neq C:\new"),
            (r"won\'t \- x", "won't - x"),
            (r"C:\Users \( x \le n \)", r"C:\Users \( x \le n \)"),
            (r"bad \uGGGG here", r"bad \uGGGG here"),
            (r"\u12", r"\u12"),
            (r"\ud83d x", "\u{fffd} x"),
            (r"\ude00", "\u{fffd}"),
            (r"\ud83d\u0041", "\u{fffd}A"),
            ("a\\\nb", "ab"),
            ("a \\\r\n  b\\\rc\\\r", "a   bc"),
            ("\\d\\\nb", "\\db"),
            (r"\é", r"\é"),
            (r"caf\xe9 \u{1f600} \U0001f600", "café 😀 😀"),
            (r"\e[31mred\x1b[0m", "\u{1b}[31mred\u{1b}[0m"),
            (
                r"\xi \epsilon \x4g \u{} \u{110000}",
                r"\xi \epsilon \x4g \u{} \u{110000}",
            ),
            (r"\d{2}\x41", r"\d{2}\x41"),
            (r"C:\xed", r"C:\xed"),
            ("\\", ""),
        ];
        for (inside, decoded) in cases {
            assert_eq!(decode(inside), decoded, "{inside}");
        }
    }
}
