//! Single bytes and words of eight.

use crate::tape::flag;

pub(crate) const LOW: u64 = 0x0101_0101_0101_0101;
pub(crate) const HIGH: u64 = 0x8080_8080_8080_8080;
pub(crate) const BACKSLASHES: u64 = LOW * b'\\' as u64;

/// Returns the byte at `at`, or 0 past the end.
#[inline(always)]
pub(crate) fn peek(bytes: &[u8], at: usize) -> u8 {
    match bytes.get(at) {
        Some(&byte) => byte,
        None => 0,
    }
}

#[inline(always)]
pub(crate) fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let word = bytes.get(at..)?.first_chunk()?;
    Some(u64::from_le_bytes(*word))
}

#[inline(always)]
pub(crate) fn block(bytes: &[u8], at: usize) -> Option<&[u8; 16]> {
    bytes.get(at..)?.first_chunk()
}

/// Returns a bit for each of 16 bytes that is a backslash, the lowest for the first.
#[inline(always)]
pub(crate) fn backslashes(block: &[u8]) -> u32 {
    // No carry crosses byte boundaries, so that every bit is correct, not only the lowest.
    let zero = |x: u64| !(((x & !HIGH) + !HIGH) | x) & HIGH;
    // The multiplication gathers the bits of eight bytes in the highest one.
    let gather = |bits: u64| (bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let half = |from: usize| {
        let word = u64::from_le_bytes(block[from..from + 8].try_into().expect("eight bytes"));
        gather(zero(word ^ BACKSLASHES)) as u32
    };
    half(0) | half(8) << 8
}

/// Returns the first of two bytes from `at` on. It is intended for short distances, for which
/// comparing eight bytes takes less time than starting a long search.
#[inline]
pub(crate) fn find_near(bytes: &[u8], mut at: usize, one: u8, other: u8) -> Option<usize> {
    let (ones, others) = (LOW * u64::from(one), LOW * u64::from(other));
    let zero = |x: u64| x.wrapping_sub(LOW) & !x;
    while let Some(word) = word(bytes, at) {
        let hits = (zero(word ^ ones) | zero(word ^ others)) & HIGH;
        if hits != 0 {
            return Some(at + (hits.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let rest = bytes.get(at..)?;
    let found = rest.iter().position(|&byte| byte == one || byte == other)?;
    Some(at + found)
}

/// Finds the first byte from `at` on that is a mark, or the end. `mark` has no branches, so that
/// the compiler vectorizes it.
#[inline(always)]
pub(crate) fn mark_from(bytes: &[u8], mut at: usize, mark: impl Fn(u8) -> bool) -> usize {
    while let Some(block) = block(bytes, at) {
        let mut marks = [0; 16];
        for (is_mark, &byte) in marks.iter_mut().zip(block) {
            *is_mark = u8::from(mark(byte));
        }
        let marks = u128::from_le_bytes(marks);
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 16;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let next = rest.iter().position(|&byte| mark(byte));
    at + next.unwrap_or(rest.len())
}

/// Returns `true` if the bytes contain a control character. All bytes are checked, which is faster
/// than stopping at the first.
#[inline]
pub(crate) fn has_control(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .fold(false, |found, &byte| found | (byte < b' '))
}

/// Returns `true` first if the content of a string has escapes, and second if it may contain
/// something that JSON forbids: control characters, and escapes other than the five most frequent
/// ones. It is a single pass without branches.
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

/// Returns a high bit for each byte that is not a digit.
#[inline(always)]
pub(crate) fn no_digits(word: u64) -> u64 {
    no_digit_values(word ^ 0x3030_3030_3030_3030)
}

/// Returns a high bit for each byte, reduced by `0`, that exceeds nine: the bit is set, or the
/// addition sets it.
#[inline(always)]
pub(crate) fn no_digit_values(values: u64) -> u64 {
    (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_backslash_of_a_block_has_its_bit() {
        let others = [0x5B, 0x5D, 0xDC, 0, 0xFF, b'"'];
        for bits in 0..=0xFFFF_u32 {
            let byte = |at: usize| match bits >> at & 1 {
                1 => b'\\',
                _ => others[(at + bits as usize) % others.len()],
            };
            let block: [u8; 16] = core::array::from_fn(byte);
            assert_eq!(backslashes(&block), bits);
        }
    }

    #[test]
    fn the_nearest_of_two_bytes_is_found() {
        let text = "\u{e9}\u{80}xyz&(![]".repeat(5);
        for (at, place) in (0..text.len()).map(|at| (at, text.floor_char_boundary(at))) {
            for found in ["'", "\\"] {
                let text = alloc::format!("{}{found}{}'", &text[..place], &text[place..]);
                assert_eq!(find_near(text.as_bytes(), 0, b'\'', b'\\'), Some(place));
                let last = text.len() - 1;
                assert_eq!(
                    find_near(text.as_bytes(), place + 1, b'\'', b'\\'),
                    Some(last)
                );
            }
            assert_eq!(find_near(text.as_bytes(), at, b'\'', b'\\'), None);
        }
    }
}
