//! The text near a place: the bytes that are looked at from there, and where a token begins or ends.

use crate::parser::look::quotes::quote_at;
use crate::parser::look::trivia::odd_space_at;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::scan::peek;
use crate::tape::Node;

/// Number of bytes of a window that count as one step: most look-aheads end long before it does.
const WINDOW_BYTES_A_STEP: usize = 8;

impl Look<'_> {
    /// The next bytes, as far as looking ahead goes.
    pub(crate) fn window(&self, start: usize) -> &str {
        let rest = self.text.get(start..).unwrap_or_default();
        let mut end = rest.len().min(LOOK_AHEAD);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        self.charge(end / WINDOW_BYTES_A_STEP + 1);
        &rest[..end]
    }

    /// The bytes from `start` on, as far as looking ahead goes.
    #[inline]
    pub(crate) fn near(&self, start: usize) -> &[u8] {
        let rest = &self.bytes[start..];
        &rest[..rest.len().min(LOOK_AHEAD)]
    }

    /// The first byte from `at` on that is no white space, the unusual kinds included.
    #[inline]
    pub(crate) fn beyond_space(&self, at: usize) -> (u8, usize) {
        let (byte, k) = self.skip_space(at);
        if byte < 0x80 {
            return (byte, k);
        }
        self.beyond_odd_space(k)
    }

    #[cold]
    fn beyond_odd_space(&self, at: usize) -> (u8, usize) {
        let (mut byte, mut k) = (peek(self.bytes, at), at);
        while byte >= 0x80
            && k - at < LOOK_AHEAD
            && let Some(space) = odd_space_at(self.text, k)
        {
            (byte, k) = self.skip_space(k + space.len_utf8());
        }
        (byte, k)
    }

    /// The offset behind the quote at `quote`.
    pub(crate) fn beyond_quote(&self, quote: usize) -> usize {
        quote + quote_at(self.text, quote).map_or(1, char::len_utf8)
    }

    /// Returns the offset at which a string begins, with its opening quote if it has one.
    pub(crate) fn begin_of(&self, string: Node) -> usize {
        let before = &self.text[..string.start as usize];
        let last = before.char_indices().next_back();
        let quote = last.filter(|&(at, _)| quote_at(before, at).is_some());
        quote.map_or(before.len(), |(at, _)| at)
    }
}
