//! The decoded text of a string's inside.

use alloc::string::String;

use crate::scan;
use crate::scan::escape::pieces::{Piece, Pieces};

/// Decodes the content of a string and appends the result.
pub(crate) fn decode_to(inside: &str, decoded: &mut String) {
    // The existing output must not be scanned again: a string may be concatenated from many pieces.
    decoded.push_str(&decode(inside));
}

/// Decodes the content of a string.
///
/// If an escape shows that the string is raw, the part before it is decoded once more.
pub(crate) fn decode(inside: &str) -> String {
    let bytes = inside.as_bytes();
    let mut pieces = Pieces::onwards(inside);
    let mut raw = false;
    // No escape is shorter than its character, so the output never overtakes the input.
    let (mut at, mut to) = (0, 0);
    let mut out = alloc::vec![0; bytes.len() + WINDOW];
    loop {
        if !raw {
            (at, to) = decode_blocks(bytes, at, &mut out, to);
        }
        while let Some(&byte) = bytes.get(at)
            && byte != b'\\'
        {
            out[to] = byte;
            at += 1;
            to += 1;
        }
        let simple = (bytes.get(at + 1)).map_or(0, |&escaped| SIMPLE[usize::from(escaped)]);
        if simple != 0 && !raw {
            out[to] = simple;
            at += 2;
            to += 1;
            continue;
        }
        if at >= bytes.len() {
            break;
        }
        let mut buffer = [0; 4];
        let (piece, length, _) = pieces.escape(at);
        if pieces.raw && !raw {
            (raw, at, to) = (true, 0, 0);
            continue;
        }
        let piece = match piece {
            Piece::Text(text) => text,
            Piece::Char(character) => character.encode_utf8(&mut buffer),
        };
        out[to..to + piece.len()].copy_from_slice(piece.as_bytes());
        at += length;
        to += piece.len();
    }
    out.truncate(to);
    String::from_utf8(out).expect("pieces of a text are text")
}

/// Decodes the content of a string that is known to be raw.
pub(crate) fn decode_raw(inside: &str) -> String {
    let mut decoded = String::new();
    let mut pieces = Pieces::of_raw(inside);
    while let Some((_, piece, _)) = pieces.next() {
        match piece {
            Piece::Text(text) => decoded.push_str(text),
            Piece::Char(character) => decoded.push(character),
        }
    }
    decoded
}

/// Bytes that are scanned together.
const BLOCK: usize = 16;

/// A block with the margin that copying from or to its end may need.
const WINDOW: usize = 3 * BLOCK;

/// Decodes from `at` on to `to` while escapes represent one byte each, up to a margin before the
/// end.
///
/// Source code has an escape every few bytes. A loop that looks for each escape from the end of the
/// last one mostly waits; therefore all backslashes of a block are found first, and the next block
/// does not wait for their meaning.
fn decode_blocks(bytes: &[u8], mut at: usize, out: &mut [u8], mut to: usize) -> (usize, usize) {
    // The beginning of the text after the last escape, in the block.
    let mut from = 0;
    while let Some(text) = bytes.get(at..).and_then(<[u8]>::first_chunk::<WINDOW>)
        && let Some(place) = out
            .get_mut(to..)
            .and_then(<[u8]>::first_chunk_mut::<WINDOW>)
    {
        let mut put = 0;
        // The first byte may be the second half of an earlier escape.
        let mut found = scan::backslashes(&text[..BLOCK]) & u32::MAX << from;
        while found != 0 {
            let backslash = found.trailing_zeros() as usize;
            copy(text, from, place, put);
            put += backslash - from;
            from = backslash;
            let simple = SIMPLE[usize::from(text[backslash % BLOCK + 1])];
            if simple == 0 {
                return (at + from, to + put);
            }
            place[put % BLOCK] = simple;
            (from, put) = (from + 2, put + 1);
            found &= !(3 << backslash);
        }
        copy(text, from, place, put);
        let next = BLOCK.max(from);
        put += next - from;
        from = next - BLOCK;
        (at, to) = (at + BLOCK, to + put);
    }
    (at + from, to)
}

/// Copies a whole block, more than needed: the excess is overwritten. The offsets are below two
/// blocks, which the compiler infers from the remainders.
#[inline(always)]
fn copy(text: &[u8; WINDOW], from: usize, place: &mut [u8; WINDOW], to: usize) {
    let text = &text[from % (2 * BLOCK)..][..BLOCK];
    place[to % (2 * BLOCK)..][..BLOCK].copy_from_slice(text);
}

/// The byte that each escaped byte means, or 0 if that is not a single byte in every string.
static SIMPLE: [u8; 256] = {
    let mut table = [0; 256];
    table[b'"' as usize] = b'"';
    table[b'/' as usize] = b'/';
    table[b'\\' as usize] = b'\\';
    table[b'n' as usize] = b'\n';
    table[b't' as usize] = b'\t';
    table[b'r' as usize] = b'\r';
    table[b'b' as usize] = 8;
    table[b'f' as usize] = 12;
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Piece by piece.
    fn slowly(inside: &str) -> String {
        let mut decoded = String::new();
        let mut pieces = Pieces::new(inside);
        while let Some((_, piece, _)) = pieces.next() {
            match piece {
                Piece::Text(text) => decoded.push_str(text),
                Piece::Char(character) => decoded.push(character),
            }
        }
        decoded
    }

    #[test]
    fn blocks_are_decoded_as_pieces_are() {
        let mut state = 3u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let parts = [
            r"\n",
            r#"\""#,
            r"\\",
            r"\/",
            r"\t",
            r"\b",
            r"\u00e9",
            r"\ud83d\ude00",
            r"\d",
            r"\(",
            "\u{e9}",
            "x",
            "some text",
            "text of more than sixteen bytes",
        ];
        for round in 0..20_000 {
            // All kinds of escapes, none that are odd, and only the simplest ones.
            let kinds = [parts.len(), 8, 6][round % 3];
            let often = 1 + random(4);
            let mut inside = String::from(&"zzzzzzzzzzzzzzzz"[..random(17)]);
            for _ in 0..random(40) {
                let part = match random(often) {
                    0 => parts[random(kinds)],
                    _ => parts[10 + random(4)],
                };
                inside.push_str(part);
            }
            assert_eq!(decode(&inside), slowly(&inside), "{inside}");
            let mut appended = String::from("before ");
            decode_to(&inside, &mut appended);
            assert_eq!(appended.strip_prefix("before "), Some(&*slowly(&inside)));
        }
    }
}
