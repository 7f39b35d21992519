//! What the parts of the parser hand to each other.

use alloc::vec::Vec;

use crate::node::{NONE, Node, Tag, flag};
use crate::parser::duplicate::Signatures;
use crate::parser::live::Live;
use crate::parser::reader::Reader;

/// Buffers that outlive one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Keys of one object, for finding repeated ones.
    pub(in crate::parser) keys: Vec<(u64, u32)>,
    /// What tells the names of open objects apart.
    pub(in crate::parser) signatures: Signatures,
    /// Where reading paused, if more text is to come.
    pub(in crate::parser) live: Live,
    /// The open containers with their indices, as they were when a step was tried last.
    pub(in crate::parser) open: Vec<Open>,
}

/// An open container as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::parser) struct Open {
    pub(in crate::parser) index: u32,
    pub(in crate::parser) node: Node,
    pub(in crate::parser) count: u32,
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

    /// The text of a string, read as a name.
    pub(in crate::parser) fn of(string: &Node) -> Self {
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

/// What a reader counts and remembers besides what it writes down.
#[derive(Clone, Copy, Debug)]
pub(in crate::parser) struct Counters {
    depth: u32,
    wrappers: u32,
    furthest: usize,
    idle: u32,
    pub(in crate::parser) reopened: u32,
    hopeless_from: usize,
    unclosed_from: usize,
    implied_end: usize,
    vain: u32,
    cut: bool,
    unrecorded: bool,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            depth: 0,
            wrappers: 0,
            furthest: 0,
            idle: 0,
            reopened: 0,
            hopeless_from: usize::MAX,
            unclosed_from: usize::MAX,
            implied_end: 0,
            vain: 0,
            cut: false,
            unrecorded: false,
        }
    }
}

impl Counters {
    #[inline]
    pub(in crate::parser) fn of(reader: &Reader<'_>) -> Self {
        Self {
            depth: reader.depth,
            wrappers: reader.wrappers,
            furthest: reader.furthest,
            idle: reader.idle,
            reopened: reader.reopened,
            hopeless_from: reader.hopeless_from,
            unclosed_from: reader.unclosed_from,
            implied_end: reader.implied_end,
            vain: reader.vain,
            cut: reader.cut,
            unrecorded: reader.unrecorded,
        }
    }

    #[inline]
    pub(in crate::parser) fn restore(&self, reader: &mut Reader<'_>) {
        reader.depth = self.depth;
        reader.wrappers = self.wrappers;
        reader.furthest = self.furthest;
        reader.idle = self.idle;
        reader.reopened = self.reopened;
        reader.hopeless_from = self.hopeless_from;
        reader.unclosed_from = self.unclosed_from;
        reader.implied_end = self.implied_end;
        reader.vain = self.vain;
        reader.cut = self.cut;
        reader.unrecorded = self.unrecorded;
    }
}

/// How far the tape had got at one moment, and what the reader counted then.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::parser) struct Moment {
    pub(in crate::parser) nodes: usize,
    pub(in crate::parser) side: usize,
    pub(in crate::parser) repairs: usize,
    pub(in crate::parser) notes: usize,
    pub(in crate::parser) replaced: usize,
    pub(in crate::parser) counters: Counters,
}

impl Moment {
    pub(in crate::parser) fn of(reader: &Reader<'_>) -> Self {
        let tape = &reader.tape;
        Self {
            nodes: tape.nodes.len(),
            side: tape.side.len(),
            repairs: tape.repairs.len(),
            notes: tape.notes.len(),
            replaced: tape.replaced.len(),
            counters: Counters::of(reader),
        }
    }
}
