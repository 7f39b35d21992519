//! Fast paths for ordinary keys, and how to distinguish keys.

use crate::scan::bytes::{block, peek, word};
use crate::scan::quoted::{hits, quoted};
use crate::scan::space::Indent;

/// A key in the usual form, without escapes and with its colon.
pub(crate) struct UsualName {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Equal for equal keys, and mostly different for different ones.
    pub(crate) signature: u64,
    /// Offset just past the colon.
    pub(crate) next: usize,
}

/// Reads a usual key after the white space at `at`.
#[inline(always)]
pub(crate) fn usual_name(bytes: &[u8], at: usize, indent: &mut Indent) -> Option<UsualName> {
    let (byte, k) = indent.skip_space(bytes, at);
    if byte != b'"' {
        return None;
    }
    let (end, signature) = plain_name(bytes, k + 1)?;
    let colon = end + 1;
    (peek(bytes, colon) == b':').then_some(UsualName {
        start: k as u32 + 1,
        end: end as u32,
        signature,
        next: colon + 1,
    })
}

/// Returns the end of a double-quoted key without escapes and control characters, and its
/// signature. `start` is just past the opening quote.
///
/// The signature of a short key is a by-product of finding its end.
#[inline(always)]
fn plain_name(bytes: &[u8], start: usize) -> Option<(usize, u64)> {
    if let Some(block) = block(bytes, start) {
        let (head, tail) = halves(block);
        let found = hits(head);
        if found != 0 {
            let length = (found.trailing_zeros() / 8) as usize;
            return (block[length] == b'"').then_some((start + length, head & up_to(found)));
        }
        let found = hits(tail);
        if found != 0 {
            let length = 8 + (found.trailing_zeros() / 8) as usize;
            let signature = head.rotate_left(23) ^ tail & up_to(found);
            return (block[length] == b'"').then_some((start + length, signature));
        }
    }
    other_name(bytes, start)
}

/// Reads a long key, or one at the end of the text.
#[inline(never)]
fn other_name(bytes: &[u8], start: usize) -> Option<(usize, u64)> {
    let name = quoted(bytes, start)?;
    let plain = name.flags == 0 && !name.suspect;
    plain.then(|| (name.end, signature(bytes, start, name.end)))
}

/// Returns the signature of a key that has been read: equal for equal keys, and mostly different
/// for different ones. For keys of less than 16 bytes it covers the bytes and the quote after them,
/// for longer ones the first and last bytes and the length.
fn signature(bytes: &[u8], start: usize, end: usize) -> u64 {
    let length = end - start;
    if length >= 16 {
        let word = |at| word(bytes, at).unwrap_or_default();
        let (head, tail) = (word(start), word(end - 8));
        return head.rotate_left(23) ^ tail ^ (length as u64).wrapping_mul(LENGTHS);
    }
    let edge;
    let block = match block(bytes, start) {
        Some(block) => block,
        None => {
            edge = at_the_edge(bytes.get(start..end).unwrap_or_default());
            &edge
        }
    };
    let (head, tail) = halves(block);
    // The byte after the key is treated as a quote, whatever it is.
    let keep = |word: u64, length: usize| {
        let bits = 8 * length as u32;
        word & !(u64::MAX << bits) | u64::from(b'"') << bits
    };
    if length < 8 {
        keep(head, length)
    } else {
        head.rotate_left(23) ^ keep(tail, length - 8)
    }
}

const LENGTHS: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline(always)]
fn halves(block: &[u8; 16]) -> (u64, u64) {
    let block = u128::from_le_bytes(*block);
    (block as u64, (block >> 64) as u64)
}

/// Returns the bytes up to and including the one with the lowest bit.
#[inline(always)]
fn up_to(bit: u64) -> u64 {
    bit ^ bit.wrapping_sub(1)
}

/// Reads a key of less than 16 bytes at the very end of the text.
#[cold]
fn at_the_edge(name: &[u8]) -> [u8; 16] {
    let mut block = [0; 16];
    block[..name.len()].copy_from_slice(name);
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn a_name_has_one_signature_wherever_it_stands() {
        let letters = "abcdefghijklmnopqrstuvwxyz\u{e9}0123456789ABCDEFG";
        for length in 0..=40 {
            let Some(name) = letters.get(..length) else {
                continue;
            };
            for behind in ["", ":", ":1}", ": \"a value of some length\", \"b\": 2}"] {
                let text = format!("{{\"{name}\"{behind}");
                let found = plain_name(text.as_bytes(), 2).expect("a plain name");
                assert_eq!(found.0, 2 + length, "{text}");
                assert_eq!(found.1, signature(text.as_bytes(), 2, 2 + length), "{text}");
                let bare = format!("{name}: 1");
                assert_eq!(found.1, signature(bare.as_bytes(), 0, length), "{bare}");
                assert_eq!(found.1, signature(name.as_bytes(), 0, length), "{name}");
            }
        }
    }

    #[test]
    fn names_with_escapes_or_control_characters_are_not_plain() {
        for filler in ["", "abcdefg", "abcdefgh", "abcdefghijklmnop"] {
            for odd in ["\\n", "\n", "\u{1}"] {
                for behind in ["", " and more text behind the name"] {
                    let text = format!("{filler}{odd}\"{behind}");
                    assert_eq!(plain_name(text.as_bytes(), 0), None, "{text:?}");
                }
            }
            assert_eq!(plain_name(filler.as_bytes(), 0), None);
        }
    }
}
