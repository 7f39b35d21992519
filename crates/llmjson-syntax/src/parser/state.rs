//! What the parts of the parser hand to each other.

use alloc::vec::Vec;

use crate::node::{NONE, Node, Tag};
use crate::parser::live::Live;

/// Buffers that outlive one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Keys of one object, for finding repeated ones.
    pub(in crate::parser) keys: Vec<(u64, u32)>,
    /// What tells the first names of one object apart, from 1 on.
    pub(in crate::parser) signatures: [u64; 32],
    /// Where reading paused, if more text is to come.
    pub(in crate::parser) live: Live,
}

/// A member's name that has been read and waits for its value.
#[derive(Clone, Copy, Debug)]
pub(in crate::parser) struct KeySpan {
    pub(in crate::parser) start: u32,
    pub(in crate::parser) end: u32,
    /// The key flags of the node.
    pub(in crate::parser) flags: u8,
}

impl KeySpan {
    pub(in crate::parser) const NONE: Self = Self {
        start: 0,
        end: 0,
        flags: 0,
    };
}

/// The innermost open container.
#[derive(Clone, Copy, Debug)]
pub(in crate::parser) struct Here {
    /// Its node, or `NONE` outside of all.
    pub(in crate::parser) current: u32,
    /// Whether it is an object.
    pub(in crate::parser) object: bool,
    /// Children so far.
    pub(in crate::parser) count: u32,
}

impl Here {
    pub(in crate::parser) const OUTSIDE: Self = Self {
        current: NONE,
        object: false,
        count: 0,
    };
}

/// What a cold function made of something that is no value as JSON writes it.
pub(in crate::parser) enum Odd {
    /// A scalar; reading goes on behind it.
    Scalar(Node, usize),
    /// An opening bracket of another kind, with the tag of its container.
    Open(Tag, usize),
    /// No value here; go on with what comes after one.
    Nothing(Here, usize),
    /// Something was passed over; a value is still expected.
    Again(usize),
    /// The text of the value ended.
    End(Here, usize),
}

/// What a cold function made of something that is no key as JSON writes it.
pub(in crate::parser) enum Keyed {
    /// A key; its value comes next.
    Member(KeySpan, usize),
    /// No key here; go on with what comes after a value.
    Nothing(Here, usize),
    /// The object is a list after all; an item comes next.
    Item(Here, usize),
    /// The text of the value ended.
    End(Here, usize),
}

/// What a cold function made of something that may not follow a value.
pub(in crate::parser) enum Next {
    /// As if a comma had been read: on to the next child.
    Child(Here, usize),
    /// Something was passed over or put right; look again at what follows the value.
    Again(Here, usize),
    /// On to a value under this key.
    Member(Here, KeySpan, usize),
    /// The text of the value ended.
    End(Here, usize),
}

/// How reading one value ended.
#[derive(Clone, Copy)]
pub(in crate::parser) struct Read {
    /// Offset just past the value.
    pub(in crate::parser) end: usize,
    /// Whether its text ended as it should.
    pub(in crate::parser) complete: bool,
}

/// The number of children that a node can say.
pub(in crate::parser) fn saturate(count: u32) -> u16 {
    count.min(u32::from(u16::MAX)) as u16
}

/// A node for a scalar under a key.
pub(in crate::parser) fn scalar(key: KeySpan, tag: Tag, start: usize, end: usize) -> Node {
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
