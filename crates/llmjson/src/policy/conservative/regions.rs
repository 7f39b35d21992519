//! The balanced regions of a text: from an opening bracket to the one that closes it.

use std::mem;
use std::ops::Range;

/// The balanced regions of a text, in the order in which they begin; regions inside others
/// included.
///
/// A region goes from `{` or `[` to the bracket that closes it. Only brackets of the opener's own
/// kind count, and none inside of strings; a string begins and ends at quotes as seen from the
/// opener. An opener that is never closed begins no region. Linear in the text.
///
/// ```
/// use llmjson::policy::conservative::regions;
///
/// let text = r#"oops {open, then {"a": "}{"} and [1]"#;
/// let found: Vec<_> = regions(text).into_iter().map(|at| &text[at]).collect();
/// assert_eq!(found, [r#"{"a": "}{"}"#, "[1]"]);
/// ```
#[must_use]
pub fn regions(text: &str) -> Vec<Range<usize>> {
    let mut search = Search::default();
    let mut at = 0;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'{' => search.open(Kind::Brace, at),
            b'[' => search.open(Kind::Bracket, at),
            b'}' => search.close(Kind::Brace, at + 1),
            b']' => search.close(Kind::Bracket, at + 1),
            b'"' => search.quote(is_escaped(bytes, at)),
            _ => {}
        }
        at += 1;
    }
    search.found()
}

/// Whether the quote at `at` is part of an escape, if a string is open there.
fn is_escaped(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].iter().rev();
    before.take_while(|byte| **byte == b'\\').count() % 2 == 1
}

#[derive(Clone, Copy)]
enum Kind {
    Brace,
    Bracket,
}

/// A list of openers, which are its links: the first and the last of them.
#[derive(Clone, Copy)]
struct Level {
    first: usize,
    last: usize,
}

const NONE: usize = usize::MAX;

/// All openers at once.
///
/// Whether a place is inside a string depends on where one begins to look, but there are only two
/// answers, and who agrees at one place agrees from there on. So the openers that are still open
/// stand in two groups: those for which the place is outside of strings, and those for which it is
/// inside of one. Within a group, openers that the next closer closes make up a level.
#[derive(Default)]
struct Search {
    outside: Group,
    inside: Group,
    openers: Vec<Opener>,
}

struct Opener {
    start: usize,
    /// Just past its closer; 0 while there is none.
    end: usize,
    /// The next opener of the same level.
    next: usize,
}

/// The open levels of braces and of brackets, the innermost last.
#[derive(Default)]
struct Group([Vec<Level>; 2]);

impl Search {
    fn open(&mut self, kind: Kind, start: usize) {
        let (first, last) = (self.openers.len(), self.openers.len());
        let (end, next) = (0, NONE);
        self.openers.push(Opener { start, end, next });
        self.outside.0[kind as usize].push(Level { first, last });
    }

    fn close(&mut self, kind: Kind, end: usize) {
        let level = self.outside.0[kind as usize].pop();
        let mut opener = level.map_or(NONE, |level| level.first);
        while opener != NONE {
            self.openers[opener].end = end;
            opener = self.openers[opener].next;
        }
    }

    /// A quote opens a string for the one group and closes it for the other, unless it is escaped.
    fn quote(&mut self, escaped: bool) {
        mem::swap(&mut self.outside, &mut self.inside);
        if escaped {
            let group = mem::take(&mut self.outside);
            self.join_inside(group);
        }
    }

    /// Joins a group to the one inside of strings, level by level from the innermost one out. Each
    /// level that is joined is one less, so all joins together are linear.
    fn join_inside(&mut self, group: Group) {
        for (into, mut from) in self.inside.0.iter_mut().zip(group.0) {
            if into.len() < from.len() {
                mem::swap(into, &mut from);
            }
            for (into, from) in into.iter_mut().rev().zip(from.into_iter().rev()) {
                self.openers[into.last].next = from.first;
                into.last = from.last;
            }
        }
    }

    fn found(self) -> Vec<Range<usize>> {
        let closed = self.openers.iter().filter(|opener| opener.end > 0);
        closed.map(|opener| opener.start..opener.end).collect()
    }
}
