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

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn windows_end_between_characters() {
        for (text, start, length) in [
            ("é".repeat(200), 0, 256),
            ("é".repeat(200), 200, 200),
            (alloc::format!("a{}", "é".repeat(200)), 0, 255),
            ("ab".into(), 1, 1),
            ("ab".into(), 9, 0),
            ("é".into(), 1, 0),
        ] {
            assert_eq!(
                ask(&text, |look| look.window(start).len()),
                length,
                "{text} {start}"
            );
        }
        assert_eq!(ask(&"a".repeat(300), |look| look.near(0).len()), 256);
        assert_eq!(ask(&"a".repeat(300), |look| look.near(200).len()), 100);
    }

    #[test]
    fn a_window_costs_a_step_for_eight_bytes() {
        let spent = |text: &str| {
            ask(text, |look| {
                look.window(0);
                look.work.get().spent()
            })
        };
        assert_eq!(spent(""), 1);
        assert_eq!(spent("1234567"), 1);
        assert_eq!(spent("12345678"), 2);
    }

    #[test]
    fn unusual_spaces_are_passed_over() {
        for (text, expected) in [
            (" \u{a0} x", (b'x', 4)),
            ("\u{a0}\u{2003}x", (b'x', 5)),
            ("\u{feff}", (0, 3)),
            ("é", (0xC3, 0)),
            ("x", (b'x', 0)),
            ("", (0, 0)),
        ] {
            assert_eq!(ask(text, |look| look.beyond_space(0)), expected, "{text:?}");
        }
    }

    #[test]
    fn unusual_spaces_are_passed_over_up_to_the_look_ahead() {
        let text = "\u{a0}".repeat(200);
        assert_eq!(ask(&text, |look| look.beyond_space(0).1), 256);
    }

    #[test]
    fn quotes_are_as_long_as_their_sign() {
        for (text, expected) in [("\"", 1), ("“", 3), ("x", 1), ("", 1)] {
            assert_eq!(ask(text, |look| look.beyond_quote(0)), expected, "{text:?}");
        }
    }
}
