//! Keys of members.

use alloc::borrow::Cow;

use crate::base::span::Span;
use crate::scan::escape;
use crate::tape::{Node, Tape, flag};

/// A member's key as written in the source; sliced and decoded only on demand.
#[derive(Clone, Copy)]
pub struct Key<'d> {
    source: &'d str,
    start: u32,
    end: u32,
    node: u32,
    escaped: bool,
    side: bool,
}

impl<'d> Key<'d> {
    #[inline(always)]
    pub(crate) fn of(tape: &'d Tape, text: &'d str, index: u32) -> Self {
        Self::of_node(tape, text, index, tape.node(index))
    }

    #[inline(always)]
    pub(super) fn of_node(tape: &'d Tape, text: &'d str, index: u32, node: &Node) -> Self {
        let side = node.has(flag::KEY_SIDE);
        Self {
            source: if side { tape.side_of(index) } else { text },
            start: node.key_start,
            end: node.key_end,
            node: index,
            escaped: node.has(flag::KEY_ESCAPED),
            side,
        }
    }

    #[inline(always)]
    fn raw(self) -> &'d str {
        self.source
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    /// Returns the key as written in the source, and `true` if it has escapes to decode.
    pub(crate) fn raw_name(self) -> (&'d str, bool) {
        (self.raw(), self.escaped)
    }

    /// Returns the key, borrowed unless it has escapes to decode.
    #[inline]
    #[must_use]
    pub fn decoded(self) -> Cow<'d, str> {
        if self.escaped {
            Cow::Owned(escape::decode(self.raw()))
        } else {
            Cow::Borrowed(self.raw())
        }
    }

    /// Returns `true` if the key equals `name`.
    #[inline]
    #[must_use]
    pub fn is(self, name: &str) -> bool {
        if self.escaped {
            return escape::decode(self.raw()) == name;
        }
        // Most keys that are compared differ in length; comparing bytes requires no character
        // boundaries.
        let (start, end) = (self.start as usize, self.end as usize);
        end.wrapping_sub(start) == name.len()
            && self.source.as_bytes().get(start..end) == Some(name.as_bytes())
    }

    /// Returns the span of the key in the text, without its quotes; `None` if it is not in the
    /// text.
    #[must_use]
    pub fn span(self) -> Option<Span> {
        (!self.side).then(|| Span::new(self.start, self.end))
    }

    /// Returns the id of the member, for [`Editor`](crate::Editor).
    #[must_use]
    pub fn member(self) -> MemberId {
        MemberId(self.node)
    }
}

/// The id of an object member in one document: the index of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberId(pub(crate) u32);
