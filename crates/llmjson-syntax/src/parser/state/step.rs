//! The steps that the parts of the parser return to each other.

use crate::tape::{NONE, Node, Tag, flag};

/// A member's name that has been read and waits for its value.
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

    /// The text of a string, read as a name.
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
    /// The index of its node, or `NONE` outside of all.
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

/// The outcome of a cold function for something that is no value as JSON writes it.
pub(crate) enum ValueStep {
    /// A scalar; reading goes on behind it.
    Scalar(Node, usize),
    /// An opening bracket of another kind, with the tag of its container.
    Open(Tag, usize),
    /// No value here; go on with what comes after one.
    Nothing(Container, usize),
    /// Text that was passed over; a value is still expected.
    Again(usize),
    /// The text of the value ended.
    End(Container, usize),
}

/// The outcome of a cold function for something that is no key as JSON writes it.
pub(crate) enum KeyStep {
    /// A key; its value comes next.
    Member(KeySpan, usize),
    /// No key here; go on with what comes after a value.
    Nothing(Container, usize),
    /// The object is a list after all; an item comes next.
    Item(Container, usize),
    /// The text of the value ended.
    End(Container, usize),
}

/// The outcome of a cold function for something that may not follow a value.
pub(crate) enum AfterStep {
    /// A comma, or a place where one is missing: the next child follows.
    Child(Container, usize),
    /// Text that was passed over or corrected; the text behind it is looked at again.
    Again(Container, usize),
    /// A key, whose value follows.
    Member(Container, KeySpan, usize),
    /// The text of the value ended.
    End(Container, usize),
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
