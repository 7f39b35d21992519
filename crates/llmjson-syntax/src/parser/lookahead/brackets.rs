//! Brackets further on: which of them match, and which comes first.

use crate::base::repair::RepairKind;
use crate::parser::lookahead::LOOK_AHEAD;
use crate::parser::state::look::Look;
use crate::parser::state::reader::Reader;
use crate::scan;
use crate::tape::NONE;

/// Number of bytes in which the closers are looked for that tell which bracket is wrong.
pub(crate) const CLOSERS_AHEAD: usize = 8 * LOOK_AHEAD;

impl Reader<'_> {
    /// Returns `true` if the brackets from `at` on, as far as looking ahead goes, close that
    /// container and those around it as they should, and nothing of the value follows them.
    pub(crate) fn closers_match(&self, container: Option<u32>, at: usize) -> bool {
        self.brackets_match(container, None, at, false)
            .unwrap_or(true)
    }

    /// Returns `true` if the brackets of values from `at` on, all of which lie within looking
    /// ahead, close each other.
    pub(crate) fn values_match(&self, at: usize) -> bool {
        self.brackets_match(None, None, at, true) == Some(true)
    }

    /// Returns whether brackets close what `closer` closes, that container, those around it and,
    /// with `several`, further values; `None` where looking ahead ends before that is settled.
    fn brackets_match(
        &self,
        container: Option<u32>,
        closer: Option<u8>,
        at: usize,
        several: bool,
    ) -> Option<bool> {
        let mut container = container.unwrap_or(NONE);
        let window = self.look.bytes.len().min(at + CLOSERS_AHEAD);
        let mut open: smallvec::SmallVec<[u8; 32]> = closer.into_iter().collect();
        let mut k = at;
        while k < window {
            let byte = self.look.bytes[k];
            k += 1;
            self.look.charge(1);
            match byte {
                b'"' => k = self.look.closing_quote_within(k, window)? + 1,
                b'/' | b'#' | b'<' if let Some(end) = self.look.comment_at(k - 1) => k = end,
                b'{' => open.push(b'}'),
                b'[' => open.push(b']'),
                b'}' | b']' => {
                    if let Some(closer) = open.pop() {
                        if closer != byte {
                            return Some(false);
                        }
                    } else if container == NONE || self.closer_of(container) != byte {
                        return Some(false);
                    } else {
                        container = self.tape.nodes[container as usize].next;
                    }
                }
                b',' | b':' if !several && container == NONE && open.is_empty() => {
                    let next = self.look.beyond_space(k).0;
                    return Some(byte == b',' && next == b'{' && self.values_match(k));
                }
                _ => {}
            }
        }
        // At the very end nothing may be left open.
        (window == self.look.bytes.len()).then(|| container == NONE && open.is_empty())
    }

    /// Returns whether `closer` comes before any other closer that nothing opens behind `at`, and
    /// the brackets beyond it close that container and those around it, as far as looking ahead
    /// goes.
    pub(crate) fn closes_first(
        &self,
        closer: u8,
        container: Option<u32>,
        at: usize,
    ) -> Option<bool> {
        self.brackets_match(container, Some(closer), at, false)
    }
}

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
    fn comment_at(&self, k: usize) -> Option<usize> {
        let apart = k > 0 && matches!(self.bytes[k - 1], b' ' | b'\n' | b'\t' | b',');
        let (kind, end) = self.trivia_at(k)?;
        (kind == RepairKind::Comment && (apart || self.bytes[k] != b'#')).then_some(end)
    }
}
