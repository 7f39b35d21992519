//! Brackets further on: which of them match, and which comes first.

use crate::base::repair::RepairKind;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::scan;

/// Number of bytes in which the closers are looked for that tell which bracket is wrong.
pub(crate) const CLOSERS_AHEAD: usize = 8 * LOOK_AHEAD;

impl Look<'_> {
    /// The offset past the container that begins at `k`, if its brackets match and end within what
    /// is looked at.
    pub(crate) fn beyond_container(&self, k: usize) -> Option<usize> {
        let window = self.bytes.len().min(k + CLOSERS_AHEAD);
        let mut open: smallvec::SmallVec<[u8; 32]> = smallvec::SmallVec::new();
        let mut at = k;
        while at < window {
            let byte = self.bytes[at];
            at += 1;
            self.charge(1);
            match byte {
                b'"' => at = self.closing_quote_within(at, window)? + 1,
                b'{' => open.push(b'}'),
                b'[' => open.push(b']'),
                b'}' | b']' if open.pop() != Some(byte) => return None,
                b'}' | b']' if open.is_empty() => return Some(at),
                _ => {}
            }
        }
        None
    }

    /// The first closer from `at` on, as far as looking ahead goes, that nothing opens behind it, and
    /// the offset past it.
    pub(crate) fn first_closer(&self, at: usize) -> Option<(u8, usize)> {
        let window = self.bytes.len().min(at + CLOSERS_AHEAD);
        let (mut at, mut open) = (at, 0u32);
        while at < window {
            let byte = self.bytes[at];
            at += 1;
            self.charge(1);
            match byte {
                b'"' => at = self.closing_quote_within(at, window)? + 1,
                b'/' | b'#' | b'<' if let Some(end) = self.comment_at(at - 1) => at = end,
                b'{' | b'[' => open += 1,
                b'}' | b']' if open == 0 => return Some((byte, at)),
                b'}' | b']' => open -= 1,
                _ => {}
            }
        }
        None
    }

    /// The first double quote from `start` on, before `end`, that no backslash escapes.
    pub(crate) fn closing_quote_within(&self, start: usize, end: usize) -> Option<usize> {
        let found = scan::closing_quote(&self.bytes[..end], start, start);
        self.charge_search(found.unwrap_or(end) - start);
        found
    }

    /// Returns the offset at which the comment ends that begins at `k`. A `#` or `//` that only
    /// parts words begins none.
    pub(crate) fn comment_at(&self, k: usize) -> Option<usize> {
        let apart = k > 0 && matches!(self.bytes[k - 1], b' ' | b'\n' | b'\t' | b',');
        let (kind, end) = self.trivia_at(k)?;
        (kind == RepairKind::Comment && (apart || self.bytes[k] != b'#')).then_some(end)
    }
}
