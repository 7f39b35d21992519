//! Transport encodings that substitute some characters of a reply.

use crate::base::repair::RepairKind;
use crate::reply::channel::decoded::DecodedText;

/// The characters of the bytes from 0x80 on in Windows-1252; undefined ones map to themselves.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The meaning of an escape sequence in an encoding.
#[derive(Clone, Copy)]
pub(crate) enum Means {
    Byte(u8),
    Char(char),
    Nothing,
}

/// Bytes that are consecutive in their source text, each with its place and length there.
#[derive(Default)]
struct Run(alloc::vec::Vec<(u8, usize, usize)>);

impl Run {
    /// Writes the bytes as the UTF-8 characters that they form. Invalid sequences remain unchanged.
    fn write(&mut self, taken: &mut DecodedText, source: &str) {
        let mut at = 0;
        while let Some(&(byte, place, length)) = self.0.get(at) {
            let count = match byte {
                0..=0x7F => 1,
                0xC2..=0xDF => 2,
                0xE0..=0xEF => 3,
                0xF0..=0xF4 => 4,
                _ => 0,
            };
            let mut bytes = [0; 4];
            let ahead = self.0.get(at..at + count).unwrap_or_default();
            for (to, (byte, ..)) in bytes.iter_mut().zip(ahead) {
                *to = *byte;
            }
            match core::str::from_utf8(&bytes[..ahead.len()]) {
                Ok(character) if !ahead.is_empty() => {
                    taken.push(place, character);
                    at += count;
                }
                _ => {
                    taken.push(place, &source[place..place + length]);
                    at += 1;
                }
            }
        }
        self.0.clear();
    }
}

/// Replaces each sequence that `read` recognizes at its place by its meaning. Returns `None` if
/// there is none.
pub(crate) fn rewritten(
    kind: RepairKind,
    source: &str,
    read: impl Fn(&str, usize) -> Option<(Means, usize)>,
) -> Option<DecodedText> {
    let mut taken = DecodedText::of(kind);
    let (mut at, mut plain, mut any) = (0, 0, false);
    let mut run = Run::default();
    while at < source.len() {
        let Some((means, length)) = read(source, at) else {
            at += source[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        };
        if plain < at {
            run.write(&mut taken, source);
            taken.push(plain, &source[plain..at]);
        }
        match means {
            Means::Byte(byte) => run.0.push((byte, at, length)),
            Means::Char(character) => {
                run.write(&mut taken, source);
                taken.push(at, character.encode_utf8(&mut [0; 4]));
            }
            Means::Nothing => {}
        }
        any = true;
        at += length;
        plain = at;
    }
    run.write(&mut taken, source);
    taken.push(plain, &source[plain..]);
    taken.end(source.len());
    any.then_some(taken)
}

pub(crate) fn has_any(text: &str, signs: &[&str]) -> bool {
    signs.iter().any(|sign| text.contains(sign))
}

/// Reads two hexadecimal digits.
fn hex(source: &str, at: usize) -> Option<u8> {
    let digits = source.get(at..at + 2)?;
    let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    all.then(|| u8::from_str_radix(digits, 16).ok())?
}

/// Decodes 16-bit characters that were read as bytes: every other one is zero.
pub(crate) fn zeros(text: &str) -> Option<DecodedText> {
    let zeros = text.bytes().filter(|byte| *byte == 0).count();
    if zeros < text.chars().count() / 3 {
        return None;
    }
    rewritten(RepairKind::TransportEncoding, text, |text, at| {
        (text.as_bytes()[at] == 0).then_some((Means::Nothing, 1))
    })
}

/// Removes terminal color sequences, even if their first byte was lost: `[32m"a"[0m`.
pub(crate) fn colours(text: &str) -> Option<DecodedText> {
    const RESET: &[&str] = &["[0m", "[m", "[39m"];
    let mut brackets = memchr::memchr_iter(b'[', text.as_bytes());
    let resets = |at: usize| RESET.iter().any(|reset| text[at..].starts_with(reset));
    if !brackets.any(resets) {
        return None;
    }
    rewritten(RepairKind::TransportEncoding, text, |text, at| {
        let rest = text[at..].trim_start_matches('\u{1b}').strip_prefix('[')?;
        let number = |sign: char| sign.is_ascii_digit() || sign == ';';
        let behind = rest.trim_start_matches(number).strip_prefix(['m', 'K'])?;
        Some((Means::Nothing, text.len() - at - behind.len()))
    })
}

/// Quotes and brackets, also full-width ones.
const QUOTES: &[&str] = &["%22", "%7B", "%7b", "%5B", "%5b", "%EF%BC%82", "%EF%BD%9B"];

/// Decodes the percent-encoding of URLs and forms: `%7B%22a%22`.
pub(crate) fn percent(text: &str) -> Option<DecodedText> {
    if !has_any(text, QUOTES) {
        return None;
    }
    let form = !text.trim().contains([' ', '\n']) && !text.contains("%20");
    rewritten(RepairKind::TransportEncoding, text, |text, at| {
        match text.as_bytes()[at] {
            b'%' => Some((Means::Byte(hex(text, at + 1)?), 3)),
            b'+' if form => Some((Means::Char(' '), 1)),
            _ => None,
        }
    })
}

/// Decodes quoted-printable text: `=22` for a quote, and lines that end with `=`.
pub(crate) fn quoted_printable(text: &str) -> Option<DecodedText> {
    let read = |text: &str, at: usize| {
        if text.as_bytes()[at] != b'=' {
            return None;
        }
        let rest = &text[at + 1..];
        for end in ["\r\n", "\n"] {
            if rest.starts_with(end) {
                return Some((Means::Nothing, 1 + end.len()));
            }
        }
        if rest.is_empty() {
            return Some((Means::Nothing, 1));
        }
        let upper = |byte: &u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte);
        let digits = rest.as_bytes().get(..2)?;
        let byte = hex(rest, 0).filter(|_| digits.iter().all(upper))?;
        // `code=42`: quoted-printable text leaves letters and digits unencoded, except for the
        // first one of a line.
        let named = text[..at].ends_with(|sign: char| sign.is_alphanumeric() || sign == '_');
        (!named || !byte.is_ascii_alphanumeric()).then_some((Means::Byte(byte), 3))
    };
    // Email headers may precede the value.
    let first = memchr::memchr2(b'{', b'[', text.as_bytes()).unwrap_or_default();
    let last = memchr::memrchr2(b'}', b']', text.as_bytes()).unwrap_or(text.len());
    let mut signs = memchr::memchr_iter(b'=', text.as_bytes())
        .filter(|at| (first..last).contains(at))
        .peekable();
    let whole = signs.peek().is_some() && signs.all(|at| read(text, at).is_some());
    rewritten(RepairKind::TransportEncoding, text, read).filter(|_| whole)
}

/// `{\x22a\x22: 1}`
pub(crate) fn hex_escapes(text: &str) -> Option<DecodedText> {
    if !has_any(text, &["\\x22", "\\x7b", "\\x7B"]) {
        return None;
    }
    rewritten(RepairKind::EscapedDocument, text, |text, at| {
        let is_escape = text.as_bytes()[at..].starts_with(b"\\x");
        Some((Means::Byte(hex(text, at + 2).filter(|_| is_escape)?), 4))
    })
}

/// Decodes byte tokens with a letter for each byte: `Ġ` is a space, `Ċ` a line break.
pub(crate) fn byte_tokens(text: &str) -> Option<DecodedText> {
    if !has_any(text, &["Ġ", "Ċ"]) {
        return None;
    }
    letters_for_bytes(text, |letter| match letter as u32 {
        code @ (161..=172 | 174..=255) => Some(code as u8),
        code @ 0x100..=0x120 => Some((code - 0x100) as u8),
        code @ 0x121..=0x142 => Some((code - 0x121 + 127) as u8),
        0x143 => Some(173),
        _ => None,
    })
}

/// Writes letters beyond ASCII as the bytes that they represent.
fn letters_for_bytes(text: &str, byte: impl Fn(char) -> Option<u8>) -> Option<DecodedText> {
    rewritten(RepairKind::TransportEncoding, text, |text, at| {
        let letter = text[at..].chars().next()?;
        let byte = byte(letter).filter(|_| !letter.is_ascii())?;
        Some((Means::Byte(byte), letter.len_utf8()))
    })
}

/// Decodes tokens with `▁` for a space and `<0x0A>` for a byte.
pub(crate) fn bars(text: &str) -> Option<DecodedText> {
    // `<｜end▁of▁sentence｜>` contains them within a token.
    if !has_any(text, &["▁\"", ":▁", ",▁", "▁{", "▁["]) {
        return None;
    }
    rewritten(RepairKind::TransportEncoding, text, |text, at| {
        let rest = &text[at..];
        if rest.starts_with('▁') {
            return Some((Means::Char(' '), '▁'.len_utf8()));
        }
        let byte = hex(rest.strip_prefix("<0x")?, 0)?;
        (rest.as_bytes().get(5) == Some(&b'>')).then_some((Means::Byte(byte), 6))
    })
}

/// Decodes UTF-8 that was read as Windows-1252: `â€œ` for a quote.
pub(crate) fn windows(text: &str) -> Option<DecodedText> {
    if !has_any(text, &["â€", "Â"]) {
        return None;
    }
    letters_for_bytes(text, |letter| match letter as u32 {
        code @ 0xA0..=0xFF => Some(code as u8),
        _ => Some(WINDOWS.iter().position(|one| *one == letter)? as u8 + 0x80),
    })
}

/// Decodes a string in a shell's single quotes, in which `'\''` is one quote.
pub(crate) fn shell(text: &str) -> Option<DecodedText> {
    const QUOTES: [&str; 2] = ["'\\''", "'\"'\"'"];
    rewritten(RepairKind::EscapedDocument, text, |text, at| {
        let rest = &text[at..];
        let quote = QUOTES.iter().find(|quote| rest.starts_with(**quote))?;
        Some((Means::Char('\''), quote.len()))
    })
}

/// Decodes a string in PowerShell's double quotes, in which a backtick escapes.
pub(crate) fn power_shell(text: &str) -> Option<DecodedText> {
    let body = text.trim();
    let around = body.starts_with('"') && body.ends_with('"') && !body.ends_with("`\"");
    let around = around && body.len() > 1;
    let quotes = memchr::memchr_iter(b'"', text.as_bytes());
    let bare = |at: &usize| *at == 0 || text.as_bytes()[at - 1] != b'`';
    if !text.contains("`\"") || quotes.filter(bare).count() > usize::from(around) * 2 {
        return None;
    }
    let start = text.len() - text.trim_start().len();
    let ends = [start, start + body.len() - 1];
    // After doubling, the number of backticks is even, with one more before a quote.
    let bytes = text.as_bytes();
    let (mut at, mut doubled) = (0, true);
    while let Some(next) = memchr::memchr(b'`', &bytes[at..]) {
        let run = bytes[at + next..]
            .iter()
            .take_while(|byte| **byte == b'`')
            .count();
        at += next + run;
        let escapes = matches!(bytes.get(at), Some(b'"' | b'$' | b'n' | b't' | b'r')) as usize;
        doubled &= run % 2 == 0 || run % 2 == escapes;
    }
    rewritten(RepairKind::EscapedDocument, text, |text, at| {
        let bytes = text.as_bytes();
        if around && ends.contains(&at) {
            return Some((Means::Nothing, 1));
        }
        if bytes[at] != b'`' {
            return None;
        }
        match bytes.get(at + 1)? {
            b'"' => Some((Means::Char('"'), 2)),
            b'$' => Some((Means::Char('$'), 2)),
            b'`' if doubled => Some((Means::Char('`'), 2)),
            _ => None,
        }
    })
}

/// Removes the backslashes that protect characters from Markdown or LaTeX: `\{"a\_b": \[1\]\}`.
pub(crate) fn markdown(text: &str) -> Option<DecodedText> {
    const MARKS: &[u8] = b"_*[]{}()#+-.!|<>~$%&=`";
    const BACKSLASH: &str = "\\textbackslash{}";
    let bytes = text.as_bytes();
    let bare = |at: usize| at == 0 || bytes[at - 1] != b'\\';
    // Each brace or each bracket is escaped, except in commands such as `\boxed{`.
    let command = |at: usize| at > 0 && bytes[at - 1].is_ascii_alphabetic();
    let all_escaped = |sign: u8| {
        let signs = memchr::memchr_iter(sign, bytes);
        let mut signs = signs.filter(|at| !command(*at)).peekable();
        // `{"a": "\\[x\\]"}`: a formula in a string.
        let outside = |at: &usize| {
            memchr::memchr_iter(b'"', &bytes[..*at])
                .count()
                .is_multiple_of(2)
        };
        signs.peek().is_some_and(outside) && !signs.any(bare)
    };
    if !all_escaped(b'{') && !all_escaped(b'[') {
        return None;
    }
    // After doubling, a letter has no single backslash before it.
    let (mut doubled, mut at) = (true, 0);
    while let Some(next) = memchr::memchr(b'\\', &bytes[at..]) {
        let sign = bytes.get(at + next + 1).copied().unwrap_or_default();
        let known = sign == b'\\' || MARKS.contains(&sign);
        doubled &= known || text[at + next..].starts_with(BACKSLASH);
        // `\d`, `\(`: a regular expression rather than Markdown.
        if !known && !b"\"/bfnrtu".contains(&sign) {
            return None;
        }
        at += next + 2;
    }
    rewritten(RepairKind::EscapedDocument, text, |text, at| {
        let bytes = text.as_bytes();
        if bytes[at] != b'\\' {
            return None;
        }
        if text[at..].starts_with(BACKSLASH) {
            return Some((Means::Char('\\'), BACKSLASH.len()));
        }
        let sign = *bytes.get(at + 1)?;
        let plain = sign == b'\\' && doubled;
        (plain || MARKS.contains(&sign)).then_some((Means::Char(sign as char), 2))
    })
}

/// Converts LaTeX quotes, ` ``a'' `.
pub(crate) fn latex_quotes(text: &str) -> Option<DecodedText> {
    if !has_any(text, &["``"]) || !has_any(text, &["''"]) {
        return None;
    }
    rewritten(RepairKind::TransportEncoding, text, |text, at| {
        let bytes = text.as_bytes();
        let sign = bytes[at];
        let pair = matches!(sign, b'`' | b'\'') && bytes.get(at + 1) == Some(&sign);
        let longer = bytes.get(at + 2) == Some(&sign) || at > 0 && bytes[at - 1] == sign;
        (pair && !longer).then_some((Means::Char('"'), 2))
    })
}
