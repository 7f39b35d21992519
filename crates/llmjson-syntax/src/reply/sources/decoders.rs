//! Decoders of encodings that substitute some characters of a reply.

use core::mem;

use crate::parser::words::entities::entity;
use crate::reply::sources::map::{Derived, Means, rewritten};
use crate::scan::WordList;
use crate::scan::tag::{BLOCKS, INLINE};

/// The characters of the bytes from 0x80 on in Windows-1252; undefined ones map to themselves.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Maximum length of a tag that is removed.
const TAG_BYTES: usize = 200;

/// Replaces the first of these texts that begins at a place.
fn swapped(text: &str, pairs: &[(&str, Option<char>)]) -> Option<Derived> {
    let occurs = |from: &str| memchr::memmem::find(text.as_bytes(), from.as_bytes()).is_some();
    if !pairs.iter().any(|(from, _)| occurs(from)) {
        return None;
    }
    rewritten(text, |text, at| {
        let rest = &text[at..];
        let (from, to) = pairs.iter().find(|(from, _)| rest.starts_with(from))?;
        Some((to.map_or(Means::Nothing, Means::Char), from.len()))
    })
}

/// Decodes 16-bit characters that were read as bytes: every other one is zero.
pub(crate) fn zeros(text: &str) -> Option<Derived> {
    let zeros = memchr::memchr_iter(0, text.as_bytes()).count();
    (3 * zeros >= text.chars().count()).then(|| swapped(text, &[("\0", None)]))?
}

/// Removes characters without width, and overstruck characters: `a\u{8}a`.
pub(crate) fn invisible(text: &str) -> Option<Derived> {
    // The first bytes of all characters without width.
    let starts = memchr::memchr3_iter(0xC2, 0xE2, 0xEF, text.as_bytes());
    let mut found = starts.filter_map(|at| text[at..].chars().next());
    if !found.any(is_invisible) && memchr::memchr(8, text.as_bytes()).is_none() {
        return None;
    }
    rewritten(text, |text, at| {
        let mut rest = text[at..].chars();
        let outside = |sign: Option<char>| sign.is_none_or(|sign| sign.is_ascii());
        let length = match rest.next()? {
            // Joiners between the characters of an emoji or of other scripts.
            '\u{200c}' | '\u{200d}'
                if !outside(text[..at].chars().next_back()) && !outside(rest.clone().next()) =>
            {
                return None;
            }
            sign if is_invisible(sign) => sign.len_utf8(),
            sign if rest.next() == Some('\u{8}') => sign.len_utf8() + 1,
            _ => return None,
        };
        Some((Means::Nothing, length))
    })
}

/// Returns `true` for a character without width.
pub(crate) fn is_invisible(sign: char) -> bool {
    matches!(sign, '\u{ad}' | '\u{feff}' | '\u{200b}'..='\u{200f}')
        || matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
}

/// Decodes tabs at the beginning of a line and returns at its end that a program shows with a caret.
/// Others may be text.
pub(crate) fn carets(text: &str) -> Option<Derived> {
    let (mut indents, mut others) = (true, false);
    let derived = rewritten(text, |text, at| {
        let rest = &text[at..];
        let begins = indents;
        indents = begins && rest.starts_with(['^', ' ']) || rest.starts_with('\n');
        match rest.as_bytes() {
            [b'^', b'I', ..] if begins => Some((Means::Char('\t'), 2)),
            [b'^', b'M', b'\n' | b'$', ..] | [b'^', b'M'] => Some((Means::Nothing, 2)),
            [b'^', b'I', ..] => {
                others = true;
                None
            }
            _ => None,
        }
    })?;
    Some(Derived {
        is_guess: others,
        ..derived
    })
}

/// Decodes tokens with `▁` for a space and `<0x0A>` for a line break.
pub(crate) fn bars(text: &str) -> Option<Derived> {
    // `<｜end▁of▁sentence｜>` contains them within a token.
    let beside = ["▁\"", ":▁", ",▁", "▁{", "▁["];
    let found = beside.iter().any(|one| text.contains(one));
    found.then(|| swapped(text, &[("▁", Some(' ')), ("<0x0A>", Some('\n'))]))?
}

/// Decodes a string in a shell's single quotes, in which `'\''` is one quote.
pub(crate) fn shell(text: &str) -> Option<Derived> {
    swapped(text, &[("'\\''", Some('\'')), ("'\"'\"'", Some('\''))])
}

/// Decodes a string in PowerShell's double quotes, in which a backtick escapes.
pub(crate) fn power_shell(text: &str) -> Option<Derived> {
    let escaped = text.matches("`\"").count();
    let quotes = memchr::memchr_iter(b'"', text.as_bytes()).count();
    let read = |text: &str, at: usize| match &text.as_bytes()[at..] {
        [b'`', sign @ (b'"' | b'$' | b'`'), ..] => Some((Means::Char(*sign as char), 2)),
        // The quotes around the string.
        [b'"', ..] => Some((Means::Nothing, 1)),
        _ => None,
    };
    (escaped > 0 && quotes <= escaped + 2).then(|| rewritten(text, read))?
}

/// Removes terminal color sequences, even if their first byte was lost or is shown: `[32m"a"[0m`,
/// `^[[32m`, `\e[32m`.
pub(crate) fn colors(text: &str) -> Option<Derived> {
    const ESCAPES: &[&str] = &["\u{1b}", "^[", "\\e", "\\033", "\\x1b", "␛"];
    let number = |sign: char| sign.is_ascii_digit() || sign == ';';
    let codes = memchr::memchr_iter(b'[', text.as_bytes()).filter(|at| {
        let inside = text[at + 1..].trim_start_matches(number);
        inside.starts_with(['m', 'K'])
    });
    if codes.take(2).count() < 2 {
        return None;
    }
    let (mut known, mut plain, mut between) = (0, 0, false);
    let derived = rewritten(text, |text, at| {
        // The first bytes of the escapes and of a bracket: most characters are others.
        if !matches!(text.as_bytes()[at], b'[' | b'^' | b'\\' | 0x1b | 0xe2) {
            return None;
        }
        let rest = &text[at..];
        let behind = ESCAPES.iter().find_map(|one| rest.strip_prefix(one));
        let rest = behind.unwrap_or(rest);
        let inside = rest.strip_prefix('[')?;
        let end = inside.trim_start_matches(number).strip_prefix(['m', 'K']);
        let Some(end) = end else {
            plain += usize::from(inside.starts_with(number));
            return None;
        };
        known += 1;
        // Codes that are written out may be the content of a string.
        let before = text[..at].trim_end();
        let begins = before.is_empty() || before.ends_with(['{', '[', ',', ':']);
        between |= begins || !text[at..].starts_with('\\');
        Some((Means::Nothing, text.len() - at - end.len()))
    });
    derived.filter(|_| known > 1 && known > plain && between)
}

/// Decodes entities and, if a tag precedes a token, also removes tags:
/// `{<br>&nbsp;"a": <span class="s">1</span>}`.
pub(crate) fn page(text: &str) -> Option<Derived> {
    let has_tags = markup(text)?;
    rewritten(text, |text, at| match text.as_bytes()[at] {
        b'&' => {
            let (character, length) = entity(&text[at..])?;
            let plain = if character == '\u{a0}' {
                ' '
            } else {
                character
            };
            Some((Means::Char(plain), length))
        }
        b'<' if has_tags => tag_at(text, at),
        _ => None,
    })
}

/// Returns whether a tag precedes a token, or `None` if a tag in a string comes before all markup around tokens: it is
/// part of the value.
fn markup(text: &str) -> Option<bool> {
    memchr::memchr2(b'&', b'<', text.as_bytes())?;
    let (mut quoted, mut escaped) = (false, false);
    let (mut inside, mut outside) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        let is_escaped = mem::take(&mut escaped);
        let is_markup = match byte {
            b'&' => entity(&text[at..]).is_some(),
            b'<' => tag_at(text, at).is_some(),
            _ => false,
        };
        quoted ^= byte == b'"' && !is_escaped;
        escaped = byte == b'\\' && quoted && !is_escaped;
        let before = || text[..at].trim_end();
        let begins = || before().is_empty() || before().ends_with(['{', '[', ',', ':']);
        match byte {
            _ if !is_markup => {}
            b'<' if quoted && !outside => return None,
            b'<' if !quoted && begins() => return Some(true),
            b'&' if quoted => inside = true,
            b'&' => outside = true,
            _ => {}
        }
    }
    (inside || outside).then_some(false)
}

/// The elements of the cells of a table.
static CELLS: WordList = WordList::new("td th");

fn tag_at(text: &str, at: usize) -> Option<(Means, usize)> {
    let rest = &text[at + 1..];
    let closes = rest.starts_with('/');
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let near = &rest.as_bytes()[..rest.len().min(TAG_BYTES)];
    let name = near.iter().take_while(|byte| byte.is_ascii_alphanumeric());
    let name = &rest[..name.count()];
    let end = memchr::memchr2(b'>', b'<', near).filter(|end| near[*end] == b'>')?;
    let means = match () {
        () if INLINE.has(name) => Means::Nothing,
        () if CELLS.has(name) => Means::Char(' '),
        () if BLOCKS.has(name) => {
            // `</tr>⏎<tr>` is one line break.
            let before = text[..at].trim_end_matches(' ');
            let begins_line =
                !closes && !name.eq_ignore_ascii_case("br") && before.ends_with(['\n', '>']);
            match begins_line || rest[end + 1..].starts_with('\n') {
                true => Means::Nothing,
                false => Means::Char('\n'),
            }
        }
        () => return None,
    };
    Some((means, text.len() - at - rest.len() + end + 1))
}

/// Decodes tokens with a letter for each byte: `Ġ` is a space, `Ċ` a line break.
pub(crate) fn byte_tokens(text: &str) -> Option<Derived> {
    let byte = |letter: char| match letter as u32 {
        code @ (161..=172 | 174..=255) => Some(code as u8),
        code @ 0x100..=0x120 => Some((code - 0x100) as u8),
        code @ 0x121..=0x142 => Some((code - 0x121 + 127) as u8),
        0x143 => Some(173),
        _ => None,
    };
    letters_for_bytes(text, &["Ġ", "Ċ"], byte)
}

/// Decodes UTF-8 that was read as Windows-1252: `â€œ` for a quote.
pub(crate) fn windows(text: &str) -> Option<Derived> {
    let byte = |letter: char| match letter as u32 {
        code @ 0xA0..=0xFF => Some(code as u8),
        _ => Some(WINDOWS.iter().position(|one| *one == letter)? as u8 + 0x80),
    };
    letters_for_bytes(text, &["â€", "Â"], byte)
}

/// Writes letters beyond ASCII as the bytes that they represent, if the text contains one of these.
fn letters_for_bytes(
    text: &str,
    signs: &[&str],
    byte: impl Fn(char) -> Option<u8>,
) -> Option<Derived> {
    let found = signs.iter().any(|sign| text.contains(sign));
    let read = |text: &str, at: usize| {
        let letter = text[at..].chars().next().filter(|one| !one.is_ascii())?;
        Some((Means::Byte(byte(letter)?), letter.len_utf8()))
    };
    found.then(|| rewritten(text, read))?
}

/// Converts full-width punctuation between strings, and keys, to ASCII: `｛＂ａ＂：１｝`. The content
/// of string values is unchanged, unless the whole text is full-width.
pub(crate) fn full_width(text: &str) -> Option<Derived> {
    let opens = |sign: char| narrow(sign).is_some_and(|plain| b"{[\"".contains(&(plain as u8)));
    // If only commas and colons are full-width, the parser handles them.
    let start = text
        .find(opens)
        .map(|at| text[..at].find(['{', '[']).unwrap_or(at))?;
    let is_whole = !text[start..].contains(|sign: char| sign.is_ascii_alphanumeric());
    let (mut open, mut escaped, mut is_key) = (None, false, false);
    rewritten(text, |text, at| {
        let sign = text[at..].chars().next().filter(|_| at >= start)?;
        let plain = narrow(sign).unwrap_or(sign);
        let is_escaped = core::mem::take(&mut escaped);
        escaped = open.is_some() && plain == '\\' && !is_escaped;
        let ends = open == Some(sign) && !is_escaped;
        let inside = open.is_some() && !ends;
        if ends {
            open = None;
        } else if !inside && plain == '"' {
            open = Some(sign);
            is_key = ends_in_colon(&text[at + sign.len_utf8()..], sign);
        }
        let is_name = is_key && (plain.is_ascii_alphanumeric() || plain == '_');
        (plain != sign && (!inside || is_whole || is_name))
            .then(|| (Means::Char(plain), sign.len_utf8()))
    })
}

/// Returns `true` if a colon follows the string that begins here.
fn ends_in_colon(inside: &str, quote: char) -> bool {
    let behind = inside
        .split_once(quote)
        .map(|(_, behind)| behind.trim_start());
    behind.is_some_and(|behind| behind.starts_with(|sign| narrow(sign).unwrap_or(sign) == ':'))
}

/// Returns the ASCII character for a full-width one: `{` for `｛`.
fn narrow(sign: char) -> Option<char> {
    Some(match sign {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(sign as u32 - 0xfee0)?,
        '\u{3000}' => ' ',
        '︷' | '﹛' => '{',
        '︸' | '﹜' => '}',
        '﹐' | '、' => ',',
        '﹕' | '︓' => ':',
        '﹇' => '[',
        '﹈' => ']',
        _ => return None,
    })
}
