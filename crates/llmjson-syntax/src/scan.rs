//! Finding the next byte that matters. Knows bytes, not grammar.

use crate::node::flag;

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;
const QUOTES: u64 = LOW * b'"' as u64;
const BACKSLASHES: u64 = LOW * b'\\' as u64;
const SPACES: u64 = LOW * b' ' as u64;

/// The byte at `at`, or 0 past the end.
#[inline(always)]
pub(crate) fn peek(bytes: &[u8], at: usize) -> u8 {
    match bytes.get(at) {
        Some(&byte) => byte,
        None => 0,
    }
}

/// The first byte from `at` on that is not JSON white space, and its offset; 0 at the end.
#[inline(always)]
pub(crate) fn skip_space(bytes: &[u8], mut at: usize) -> (u8, usize) {
    let byte = peek(bytes, at);
    if byte > b' ' {
        return (byte, at);
    }
    if byte == b' ' || byte == b'\n' {
        at += 1;
        let byte = peek(bytes, at);
        if byte > b' ' {
            return (byte, at);
        }
    }
    skip_run(bytes, at)
}

#[inline(never)]
fn skip_run(bytes: &[u8], mut at: usize) -> (u8, usize) {
    // Indentation comes in long runs: eight at a time.
    while let Some(word) = word(bytes, at) {
        let others = word ^ SPACES;
        if others == 0 {
            at += 8;
            continue;
        }
        at += (others.trailing_zeros() / 8) as usize;
        let byte = peek(bytes, at);
        if !matches!(byte, b'\n' | b'\r' | b'\t') {
            return (byte, at);
        }
        at += 1;
    }
    while let b' ' | b'\n' | b'\r' | b'\t' = peek(bytes, at) {
        at += 1;
    }
    (peek(bytes, at), at)
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes
        .get(at..at + 8)
        .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
}

/// A high bit for each byte that is a quote, a backslash or a control character. A set bit above
/// the first hit may be false, so only the lowest one counts.
#[inline(always)]
fn hits(word: u64) -> u64 {
    let zero = |x: u64| x.wrapping_sub(LOW) & !x & HIGH;
    zero(word ^ QUOTES) | zero(word ^ BACKSLASHES) | word.wrapping_sub(SPACES) & !word & HIGH
}

/// Offset of the first hit in 16 bytes, or 16. Names and values are short more often than not, so
/// the second half is looked at only if the first has none.
#[inline(always)]
fn first_hit(block: &[u8]) -> usize {
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

/// Offset of the first backslash in 16 bytes, or 16.
#[inline(always)]
pub(crate) fn first_backslash(block: &[u8]) -> usize {
    let zero = |x: u64| x.wrapping_sub(LOW) & !x & HIGH;
    let low = zero(u64::from_le_bytes(block[..8].try_into().expect("eight bytes")) ^ BACKSLASHES);
    let high =
        zero(u64::from_le_bytes(block[8..16].try_into().expect("eight bytes")) ^ BACKSLASHES);
    if low != 0 {
        (low.trailing_zeros() / 8) as usize
    } else {
        8 + (high.trailing_zeros() / 8) as usize
    }
}

/// A double-quoted string as far as its first quote that no backslash escapes.
#[derive(Clone, Copy)]
pub(crate) struct Quoted {
    /// Offset of the closing quote.
    pub(crate) end: usize,
    /// `flag::ESCAPED` or nothing.
    pub(crate) flags: u8,
    /// Whether something in it may not stand in JSON; to be looked at closely.
    pub(crate) suspect: bool,
}

/// `start` is just past the opening quote. `None` if no quote closes the string.
///
/// The first 32 bytes are looked at eight at a time; after that the search jumps from quote to
/// quote and looks back for an odd run of backslashes, so that escapes cost nothing.
#[inline(always)]
pub(crate) fn quoted(bytes: &[u8], start: usize) -> Option<Quoted> {
    let mut at = start;
    if let Some(block) = bytes.get(at..at + 16) {
        let hit = first_hit(block);
        at += hit;
        if hit < 16 && block[hit] == b'"' {
            return Some(Quoted {
                end: at,
                flags: 0,
                suspect: false,
            });
        }
        if hit == 16
            && let Some(block) = bytes.get(at..at + 16)
        {
            let hit = first_hit(block);
            at += hit;
            if hit < 16 && block[hit] == b'"' {
                return Some(Quoted {
                    end: at,
                    flags: 0,
                    suspect: false,
                });
            }
        }
    }
    quoted_tail(bytes, start, at)
}

/// From `at` on; before it there is no quote.
#[inline(never)]
fn quoted_tail(bytes: &[u8], start: usize, at: usize) -> Option<Quoted> {
    let end = closing_quote(bytes, start, at)?;
    let (flags, suspect) = inspect(&bytes[start..end]);
    Some(Quoted {
        end,
        flags,
        suspect,
    })
}

/// The first `"` at or after `from` that is not escaped in the string that begins at `start`.
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
        // Where one quote is escaped there are more, and near.
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

/// Whether the inside of a string has escapes, and whether it may hold what JSON forbids: control
/// characters and escapes other than the five most frequent ones. One pass without branches.
#[inline]
pub(crate) fn inspect(inside: &[u8]) -> (u8, bool) {
    let Some((&last, _)) = inside.split_last() else {
        return (0, false);
    };
    let mut escaped = last == b'\\';
    let mut suspect = last < b' ';
    for (&byte, &next) in inside.iter().zip(&inside[1..]) {
        let backslash = byte == b'\\';
        escaped |= backslash;
        let usual =
            (next == b'n') | (next == b'"') | (next == b'\\') | (next == b't') | (next == b'r');
        suspect |= (byte < b' ') | (backslash & !usual);
    }
    (if escaped { flag::ESCAPED } else { 0 }, suspect)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_string_without_a_quote_has_no_end() {
        assert!(quoted(b"abc", 0).is_none());
        assert!(quoted(br#"abc\""#, 0).is_none());
        assert!(quoted(b"", 0).is_none());
    }

    #[test]
    fn space_is_skipped_in_runs() {
        for spaces in 0..40 {
            let text = alloc::format!("{}\n\t{}x", " ".repeat(spaces), " ".repeat(spaces / 2));
            assert_eq!(skip_space(text.as_bytes(), 0), (b'x', text.len() - 1));
        }
        assert_eq!(skip_space(b"  ", 0), (0, 2));
    }
}
