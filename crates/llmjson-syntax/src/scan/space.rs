//! White space between tokens.

use crate::scan::bytes::{LOW, peek, word};

const SPACES: u64 = LOW * b' ' as u64;

/// Returns the first byte from `at` on that is not JSON white space, and its offset, or 0 at the
/// end.
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

/// The indentation of the previous line. The next one probably has the same, and checking this
/// avoids waiting for a count of its spaces.
#[derive(Clone, Copy, Default)]
pub(crate) struct Indent {
    width: usize,
    /// Covers `width` bytes.
    mask: u64,
}

impl Indent {
    /// Does the same as [`skip_space`].
    #[inline(always)]
    pub(crate) fn skip_space(&mut self, bytes: &[u8], at: usize) -> (u8, usize) {
        let byte = peek(bytes, at);
        if byte > b' ' {
            return (byte, at);
        }
        if byte != b'\n' {
            return skip_space(bytes, at);
        }
        let line = at + 1;
        if let Some(word) = word(bytes, line)
            && (word ^ SPACES) & self.mask == 0
        {
            let byte = peek(bytes, line + self.width);
            if byte > b' ' {
                return (byte, line + self.width);
            }
        }
        let (byte, next) = skip_run(bytes, line);
        let width = next - line;
        if width <= 8 {
            self.width = width;
            self.mask = u64::MAX.checked_shr(64 - 8 * width as u32).unwrap_or(0);
        }
        (byte, next)
    }
}

#[inline(never)]
fn skip_run(bytes: &[u8], mut at: usize) -> (u8, usize) {
    // Indentation occurs in long runs: eight bytes at a time.
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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn an_indentation_like_the_last_is_skipped_alike() {
        let mut state = 7u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (state >> 33) as usize % below
        };
        for _ in 0..2_000 {
            let mut text = Vec::new();
            for _ in 0..random(8) {
                let spaces = [0, 2, 4, 7, 8, 9, 16, random(20)][random(8)];
                let ends: [&[u8]; 6] = [b"x", b"\t", b"\r\n", b"\n", b" ,", b""];
                text.push(b'\n');
                text.resize(text.len() + spaces, b' ');
                text.extend_from_slice(ends[random(6)]);
            }
            let mut indent = Indent::default();
            for at in 0..text.len() + 2 {
                let found = indent.skip_space(&text, at);
                assert_eq!(found, skip_space(&text, at), "{at} {text:?}");
            }
        }
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
