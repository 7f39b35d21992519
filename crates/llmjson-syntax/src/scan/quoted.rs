//! The end of a quoted string.

use crate::scan::bytes::{BACKSLASHES, HIGH, LOW, block, word};
use crate::tape::flag;

const QUOTES: u64 = LOW * b'"' as u64;

/// A double-quoted string up to its first unescaped quote.
#[derive(Clone, Copy)]
pub(crate) struct Quoted {
    /// Offset of the closing quote.
    pub(crate) end: usize,
    /// `flag::ESCAPED` or nothing.
    pub(crate) flags: u8,
    /// `true` if it contains a character that JSON does not allow in strings, so that it needs a
    /// closer look.
    pub(crate) suspect: bool,
    /// `true` if a backslash precedes a single quote that would have closed it.
    pub(crate) escaped_single: bool,
}

/// `start` is just past the opening quote, or 0. Returns `None` if no quote closes the string.
///
/// The first 32 bytes are scanned eight at a time up to the first escape, the rest in blocks
/// without a branch per escape.
#[inline(always)]
pub(crate) fn quoted(bytes: &[u8], start: usize) -> Option<Quoted> {
    let mut at = start;
    if let Some(block) = block(bytes, at) {
        let hit = first_hit(block);
        at += hit;
        if hit < 16 && block[hit] == b'"' {
            return Some(Quoted {
                end: at,
                flags: 0,
                suspect: false,
                escaped_single: false,
            });
        }
        if hit == 16
            && let Some(block) = self::block(bytes, at)
        {
            let hit = first_hit(block);
            at += hit;
            if hit < 16 && block[hit] == b'"' {
                return Some(Quoted {
                    end: at,
                    flags: 0,
                    suspect: false,
                    escaped_single: false,
                });
            }
        }
    }
    quoted_tail::<b'"'>(bytes, start, at)
}

/// Scans a string whose content begins at `start` and has been scanned up to `at`, and reports the
/// rest only. No escape may extend beyond `at`.
#[inline]
pub(crate) fn quoted_from(bytes: &[u8], start: usize, at: usize) -> Option<Quoted> {
    if at == start {
        quoted(bytes, start)
    } else {
        quoted_tail::<b'"'>(bytes, start, at)
    }
}

/// Searches from `at` on for the first `QUOTE` that no backslash escapes; before `at` there is no
/// quote, no backslash and no control character.
///
/// Scans the string a block at a time and tests every byte at once, since a branch per escape would
/// be mispredicted: strings with code have an escape every few bytes.
#[inline(never)]
fn quoted_tail<const QUOTE: u8>(bytes: &[u8], start: usize, mut at: usize) -> Option<Quoted> {
    if QUOTE == b'"' && at + 16 > bytes.len() {
        // The last few bytes of the text, a large part of a short one, are scanned one by one,
        // since a block would have to be padded first.
        let rest = bytes.get(at..)?;
        let plain = |&byte: &u8| byte >= b' ' && byte != b'"' && byte != b'\\';
        let length = rest.iter().take_while(|byte| plain(byte)).count();
        if rest.get(length) == Some(&b'"') {
            return Some(Quoted {
                end: at + length,
                flags: 0,
                suspect: false,
                escaped_single: false,
            });
        }
    }
    let mut seen = 0;
    loop {
        let edge;
        let window = match at
            .checked_sub(2)
            .and_then(|from| bytes.get(from..at + BLOCK))
        {
            Some(window) => window.try_into().expect("a block and the two bytes before"),
            None => {
                edge = window_at_the_edge(bytes, at)?;
                &edge
            }
        };
        let marks = marks::<QUOTE>(window);
        let mut words = [0; BLOCK / 8];
        for (word, marks) in words.iter_mut().zip(marks.chunks_exact(8)) {
            *word = u64::from_le_bytes(marks.try_into().expect("eight bytes"));
        }
        let all = words.iter().fold(0, |all, word| all | word);
        if all & (LOW * u64::from(MAY_CLOSE)) == 0 {
            seen |= all;
            at += BLOCK;
            continue;
        }
        let mut last = 0;
        for word in words {
            let quote = (word & (LOW * u64::from(MAY_CLOSE))).trailing_zeros();
            if quote == 64 {
                seen |= word;
                at += 8;
                continue;
            }
            seen |= word & ((1 << quote) - 1);
            last = word >> quote & 0xFF;
            at += (quote / 8) as usize;
            break;
        }
        let run = bytes[start..at]
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'\\');
        if run.count() % 2 == 0 {
            return Some(Quoted {
                end: at,
                flags: if seen & (LOW * u64::from(ESCAPE)) != 0 {
                    flag::ESCAPED
                } else {
                    0
                },
                suspect: seen & (LOW * u64::from(SUSPECT)) != 0,
                escaped_single: seen & (LOW * u64::from(SINGLE)) != 0,
            });
        }
        seen |= last;
        at += 1;
    }
}

/// Bytes that are scanned together.
const BLOCK: usize = 64;

/// A quote with any number of backslashes before it other than one; after two or more it may be
/// escaped.
const MAY_CLOSE: u8 = 1;
/// A byte after a backslash.
const ESCAPE: u8 = 2;
/// A control character, or the second half of an escape other than the five most frequent ones.
const SUSPECT: u8 = 4;
/// A single quote after a backslash, which would otherwise end a single-quoted string.
const SINGLE: u8 = 8;

/// Returns the marks of each byte of a block, given the two bytes before it.
#[inline(always)]
fn marks<const QUOTE: u8>(window: &[u8; BLOCK + 2]) -> [u8; BLOCK] {
    let mask = |is: bool| if is { 0xFFu8 } else { 0 };
    let mut marks = [0; BLOCK];
    for (index, mark) in marks.iter_mut().enumerate() {
        let byte = window[index + 2];
        let (quote, backslash) = (mask(byte == QUOTE), mask(byte == b'\\'));
        let double = mask(byte == b'"');
        let escape = mask(window[index + 1] == b'\\');
        let run = mask(window[index] == b'\\');
        let single = if QUOTE == b'\'' { quote } else { 0 };
        let letter = mask(byte == b'n') | mask(byte == b't') | mask(byte == b'r');
        let usual = double | backslash | letter | single;
        *mark = quote & (!escape | run) & MAY_CLOSE
            | escape & ESCAPE
            | escape & single & SINGLE
            | (escape & !usual | mask(byte < b' ')) & SUSPECT;
    }
    marks
}

/// Returns a window that extends beyond the text on either side, padded with zeros, or `None` if no
/// byte of the block is in the text.
#[inline]
fn window_at_the_edge(bytes: &[u8], at: usize) -> Option<[u8; BLOCK + 2]> {
    let before = at.min(2);
    let last = bytes.len().min(at + BLOCK);
    let inside = bytes.get(at - before..last)?;
    let mut window = [0; BLOCK + 2];
    window[2 - before..][..inside.len()].copy_from_slice(inside);
    (last > at).then_some(window)
}

/// Returns the first unescaped `"` at or after `from` in the string that begins at `start`.
#[inline]
pub(crate) fn closing_quote(bytes: &[u8], start: usize, from: usize) -> Option<usize> {
    let mut at = from + memchr::memchr(b'"', bytes.get(from..)?)?;
    loop {
        match &bytes[start..at] {
            [.., b'\\', b'\\'] => {
                let inside = &bytes[start..at];
                let run = inside
                    .iter()
                    .rev()
                    .take_while(|&&byte| byte == b'\\')
                    .count();
                if run % 2 == 0 {
                    return Some(at);
                }
            }
            [.., b'\\'] => {}
            _ => return Some(at),
        }
        // One escaped quote suggests more of them nearby.
        at = near_quote(bytes, at + 1)?;
    }
}

#[inline]
fn near_quote(bytes: &[u8], mut at: usize) -> Option<usize> {
    let zero = |x: u64| x.wrapping_sub(LOW) & !x & HIGH;
    for _ in 0..3 {
        let Some(block) = bytes.get(at..at + 16) else {
            break;
        };
        let low = zero(u64::from_le_bytes(block[..8].try_into().expect("eight bytes")) ^ QUOTES);
        let high = zero(u64::from_le_bytes(block[8..16].try_into().expect("eight bytes")) ^ QUOTES);
        if low != 0 {
            return Some(at + (low.trailing_zeros() / 8) as usize);
        }
        if high != 0 {
            return Some(at + 8 + (high.trailing_zeros() / 8) as usize);
        }
        at += 16;
    }
    Some(at + memchr::memchr(b'"', bytes.get(at..)?)?)
}

/// Searches for the end of the single-quoted string that begins at `start`: the first single quote
/// that no backslash escapes. Returns `None` if there is none, or if a control character precedes
/// it.
#[inline]
pub(crate) fn single_quoted(bytes: &[u8], start: usize) -> Option<Quoted> {
    let at = first_of_single_quoted(bytes, start)?;
    match bytes[at] {
        b'\'' => Some(Quoted {
            end: at,
            flags: 0,
            suspect: false,
            escaped_single: false,
        }),
        b'\\' => quoted_tail::<b'\''>(bytes, start, at),
        _ => None,
    }
}

/// Searches for the end of a single-quoted string without backslashes and control characters.
#[inline]
pub(crate) fn plain_single_quoted(bytes: &[u8], start: usize) -> Option<usize> {
    first_of_single_quoted(bytes, start).filter(|&at| bytes[at] == b'\'')
}

/// Returns the first single quote, backslash or control character from `start` on.
#[inline]
fn first_of_single_quoted(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while let Some(word) = word(bytes, at) {
        // With these bits flipped, single quotes and control characters are the 33 lowest bytes.
        let low = (word ^ (LOW * 7)).wrapping_sub(LOW * 33);
        let backslash = (word ^ BACKSLASHES).wrapping_sub(LOW);
        let hits = (low | backslash) & !word & HIGH;
        if hits != 0 {
            return Some(at + (hits.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let rest = bytes.get(at..)?;
    let found = rest
        .iter()
        .position(|&byte| byte < b' ' || matches!(byte, b'\'' | b'\\'))?;
    Some(at + found)
}

/// Returns a high bit for each byte that is a quote, a backslash or a control character. A set bit
/// above the first hit may be false, so only the lowest one counts.
///
/// With bit 1 flipped, quotes and control characters are the 33 lowest bytes.
#[inline(always)]
pub(super) fn hits(word: u64) -> u64 {
    let low = (word ^ (LOW * 2)).wrapping_sub(LOW * 33);
    let backslash = (word ^ BACKSLASHES).wrapping_sub(LOW);
    (low | backslash) & !word & HIGH
}

/// Returns the offset of the first hit in 16 bytes, or 16. Keys and values are usually short, so
/// the second half is only examined if the first has none.
#[inline(always)]
fn first_hit(block: &[u8; 16]) -> usize {
    let low = hits(u64::from_le_bytes(
        block[..8].try_into().expect("eight bytes"),
    ));
    if low != 0 {
        return (low.trailing_zeros() / 8) as usize;
    }
    let high = hits(u64::from_le_bytes(
        block[8..16].try_into().expect("eight bytes"),
    ));
    8 + (high.trailing_zeros() / 8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::bytes::inspect;
    use alloc::vec::Vec;

    #[test]
    fn a_quote_after_an_odd_run_of_backslashes_is_escaped() {
        for filler in [0, 7, 15, 16, 31, 32, 33, 100] {
            let filler = "x".repeat(filler);
            for (inside, escaped) in [("", 0), (r#"\""#, 1), (r"\\", 1), (r#"\\\""#, 1)] {
                let text = alloc::format!("{filler}{inside}\" tail \"");
                let found = quoted(text.as_bytes(), 0).expect("closed");
                assert_eq!(found.end, filler.len() + inside.len(), "{text}");
                assert_eq!(found.flags, escaped, "{text}");
                assert!(!found.suspect, "{text}");
            }
        }
    }

    #[test]
    fn single_quoted_text_ends_at_its_first_quote_or_is_left_to_others() {
        for length in [0, 1, 7, 8, 9, 15, 16, 31] {
            let filler = "\u{7f}&(\u{e9} \"x".repeat(4);
            let filler = &filler[..filler.floor_char_boundary(length)];
            for tail in ["", "'", " and more text behind it"] {
                let found = |inside: &str| {
                    let text = alloc::format!("{filler}{inside}{tail}");
                    let plain = plain_single_quoted(text.as_bytes(), 0);
                    (plain, single_quoted(text.as_bytes(), 0).map(|one| one.end))
                };
                let end = filler.len();
                assert_eq!(found("'"), (Some(end), Some(end)));
                assert_eq!(found("\u{1f}'"), (None, None));
                assert_eq!(found("\\n'"), (None, Some(end + 2)));
                assert_eq!(found("\\''"), (None, Some(end + 2)));
            }
            assert_eq!(plain_single_quoted(filler.as_bytes(), 0), None);
            assert!(single_quoted(filler.as_bytes(), 0).is_none());
            assert!(single_quoted(b"", 3).is_none());
        }
    }

    #[test]
    fn control_characters_and_odd_escapes_are_suspect() {
        for filler in [0, 7, 15, 16, 31, 32, 33, 100] {
            let filler = "x".repeat(filler);
            for inside in ["\n", "\u{1f}", r"\d", r"\u", "\u{0}\u{e9}"] {
                let text = alloc::format!("{filler}{inside}\"");
                assert!(
                    quoted(text.as_bytes(), 0).expect("closed").suspect,
                    "{text:?}"
                );
            }
            let text = alloc::format!("{filler}\u{7f}é \u{2028}\"");
            assert!(
                !quoted(text.as_bytes(), 0).expect("closed").suspect,
                "{text:?}"
            );
        }
    }

    #[test]
    fn the_last_bytes_of_a_text_are_read_as_all_others() {
        for length in 0..40 {
            for inside in ["", "\u{e9}", "\n", r"\n", r#"\""#, r"\\"] {
                let filler = "x".repeat(length);
                let text = alloc::format!("{filler}{inside}\"");
                let found = quoted(text.as_bytes(), 0);
                let found = found.map(|found| (found.end, found.flags, found.suspect));
                assert_eq!(found, quoted_slowly(text.as_bytes(), 0, b'"'), "{text:?}");
            }
        }
    }

    #[test]
    fn a_string_without_a_quote_has_no_end() {
        assert!(quoted(b"abc", 0).is_none());
        assert!(quoted(br#"abc\""#, 0).is_none());
        assert!(quoted(b"", 0).is_none());
    }

    /// Returns what `quoted` finds, one byte after the other.
    fn quoted_slowly(bytes: &[u8], start: usize, quote: u8) -> Option<(usize, u8, bool)> {
        let mut escaped = false;
        for (at, &byte) in bytes.iter().enumerate().skip(start) {
            if byte == quote && !escaped {
                let (flags, suspect) = inspect(&bytes[start..at]);
                return Some((at, flags, suspect));
            }
            escaped = byte == b'\\' && !escaped;
        }
        None
    }

    #[test]
    fn blocks_find_what_a_byte_by_byte_search_finds() {
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let usual = [
            b'n', b't', b'r', b'u', b'/', b'x', 0x80, 0xC3, b'#', b'\n', 0, b'!',
        ];
        for round in 0..40_000 {
            let (every, backslashes) = (1 + random(40), 1 + random(12));
            let mut text: Vec<u8> = (0..random(300))
                .map(|_| match random(every) {
                    0 if random(backslashes) == 0 => b'"',
                    0 => b'\\',
                    1 => usual[random(usual.len())],
                    _ => b'x',
                })
                .collect();
            for start in [0, 1, random(40)] {
                if let Some(opening) = start.checked_sub(1).and_then(|at| text.get_mut(at)) {
                    *opening = b'"';
                }
                let found = quoted(&text, start);
                let found = found.map(|found| (found.end, found.flags, found.suspect));
                assert_eq!(
                    found,
                    quoted_slowly(&text, start, b'"'),
                    "{round}: {start} {text:?}"
                );
                let single: Vec<u8> = text
                    .iter()
                    .map(|&byte| if byte == b'#' { b'\'' } else { byte })
                    .collect();
                if let Some(found) = single_quoted(&single, start) {
                    let suspect = found.suspect | found.escaped_single;
                    let quotes = single[start..found.end].contains(&b'\'');
                    assert_eq!(found.escaped_single, quotes, "{round}: {start} {single:?}");
                    let found = Some((found.end, found.flags, suspect));
                    let slowly = quoted_slowly(&single, start, b'\'');
                    assert_eq!(found, slowly, "{round}: {start} {single:?}");
                }
                let end = quoted_slowly(&text, start, b'"').map(|(end, ..)| end);
                assert_eq!(
                    closing_quote(&text, start, start),
                    end,
                    "{round}: {start} {text:?}"
                );
            }
        }
    }
}
