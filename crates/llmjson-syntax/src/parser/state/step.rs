//! The steps that parts of the parser return to each other.

use crate::tape::{NONE, Node, Tag, flag};

/// A key that has been read and waits for its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeySpan {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The key flags of the node.
    pub(crate) flags: u8,
}

impl KeySpan {
    pub(crate) const NONE: Self = Self {
        start: 0,
        end: 0,
        flags: 0,
    };

    /// The content of a string, read as a key.
    pub(crate) fn of(string: &Node) -> Self {
        let flags = if string.has(flag::ESCAPED) {
            flag::KEY_ESCAPED
        } else {
            0
        };
        let (start, end) = (string.start, string.end);
        Self { start, end, flags }
    }
}

/// The innermost open container.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Container {
    /// The index of its node, or `NONE` outside all containers.
    pub(crate) current: u32,
    /// `true` if it is an object.
    pub(crate) object: bool,
    /// Children so far.
    pub(crate) count: u32,
}

impl Container {
    pub(crate) const OUTSIDE: Self = Self {
        current: NONE,
        object: false,
        count: 0,
    };
}

/// An unusual notation in the place of a value.
pub(crate) enum ValueStep {
    /// A scalar; reading continues after it.
    Scalar(Node, usize),
    /// No value here; continue after the value.
    Nothing(Container, usize),
    /// Skipped text; a value is still expected.
    Again(usize),
    /// An array is open, whose first item begins here.
    Open(usize),
}

/// A key, or another token in its place.
pub(crate) enum KeyStep {
    /// A key; its value comes next.
    Member(KeySpan, usize),
    /// No key here; continue after the value.
    Nothing(Container, usize),
}

/// The end of reading one value.
#[derive(Clone, Copy)]
pub(crate) struct ValueEnd {
    /// Offset just past the value.
    pub(crate) end: usize,
    /// `true` if its text was complete.
    pub(crate) complete: bool,
}

/// Returns a node for a scalar under a key.
pub(crate) fn scalar(key: KeySpan, tag: Tag, start: usize, end: usize) -> Node {
    Node {
        key_start: key.start,
        key_end: key.end,
        start: start as u32,
        end: end as u32,
        next: 0,
        tag,
        flags: key.flags,
        count: 0,
    }
}
