//! The tape: one flat vector of small nodes in reading order.

pub(crate) mod graft;
pub(crate) mod marks;
pub(crate) mod readings;
pub(crate) mod source_map;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::base::limits::Limits;
use crate::base::repair::{Note, Repair};
use crate::base::span::Span;

/// The kind of a node on the tape. It is finer than [`Kind`](crate::Kind): it also distinguishes
/// the two spellings of a number and includes the reference nodes that coercion writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Tag {
    Null,
    False,
    True,
    /// A number of digits only, with an optional minus.
    Integer,
    /// A number with a fraction or an exponent.
    Float,
    String,
    Array,
    Object,
    /// Refers to the node at index `next`, under this node's own key.
    Reference,
}

pub(crate) mod flag {
    /// The value's text has backslash escapes to decode.
    pub(crate) const ESCAPED: u8 = 1;
    /// The key's text has backslash escapes to decode.
    pub(crate) const KEY_ESCAPED: u8 = 1 << 1;
    /// The value's span is in the side text.
    pub(crate) const SIDE: u8 = 1 << 2;
    /// The key's span is in the side text.
    pub(crate) const KEY_SIDE: u8 = 1 << 3;
    /// The text ended inside this value.
    pub(crate) const TRUNCATED: u8 = 1 << 4;
    /// A later member with the same key replaces this one: not shown.
    pub(crate) const SHADOWED: u8 = 1 << 5;
    /// The first member with a repeated key: shows the value of the last one.
    pub(crate) const REPLACED: u8 = 1 << 6;
    /// An object with a repeated key.
    pub(crate) const DUPLICATES: u8 = 1 << 7;
}

/// No node: the parent of a root, or a tape without a value.
pub(crate) const NONE: u32 = u32::MAX;

/// The number of a draft's first node. A value with as many nodes would need a text of gigabytes.
pub(crate) const DRAFT: u32 = 1 << 31;

/// 24 bytes. `next` of a container is the index just past its subtree, or, while it is open, the
/// index of its parent. For a reference it is the target, and for a scalar in the side text it is
/// the end of the scalar's source text. `start..end` extends from a container's opening bracket to
/// just past its closer, and excludes the quotes of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) key_start: u32,
    pub(crate) key_end: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) next: u32,
    pub(crate) tag: Tag,
    pub(crate) flags: u8,
    /// Returns the number of children of a container, at most [`COUNT_MAX`]: larger numbers are in
    /// the table of the tape.
    pub(crate) count: u16,
}

/// The largest number of children that a node stores itself. It is small in tests, so that small
/// texts use the table too.
pub(crate) const COUNT_MAX: u16 = if cfg!(debug_assertions) { 7 } else { u16::MAX };

/// Counts of a container that do not fit into its node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    /// The node.
    pub(crate) index: u32,
    /// Number of its children.
    pub(crate) all: u32,
    /// Number of shown children, without members whose key is repeated later.
    pub(crate) shown: u32,
}

const _: () = assert!(size_of::<Node>() == 24);

impl Node {
    pub(crate) fn is_container(&self) -> bool {
        matches!(self.tag, Tag::Array | Tag::Object)
    }

    pub(crate) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Returns the form of the value's text.
    pub(crate) fn escaping(&self) -> Escaping {
        Escaping::of(self.flags, flag::ESCAPED)
    }

    /// Returns the form of the key's text.
    pub(crate) fn key_escaping(&self) -> Escaping {
        Escaping::of(self.flags, flag::KEY_ESCAPED)
    }
}

/// The form in which the text of a string is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escaping {
    /// The text is literal.
    Plain,
    /// Escapes are decoded when it is read.
    Escaped,
}

impl Escaping {
    pub(crate) const fn of(flags: u8, escaped: u8) -> Self {
        match flags & escaped {
            0 => Self::Plain,
            _ => Self::Escaped,
        }
    }
}

/// The number of children stored in a node.
#[inline]
pub(crate) fn saturate(count: u32) -> u16 {
    count.min(u32::from(COUNT_MAX)) as u16
}

/// Returns the number of items to reserve when a buffer of `length` items of that size must grow by
/// `more`. All except the smallest buffers grow by half, since unused space is kept for the
/// lifetime of a stream.
pub(crate) fn room(length: usize, size: usize, more: usize) -> usize {
    const SMALL: usize = 1 << 10;
    let part = if length * size < SMALL { 1 } else { 2 };
    more.max(length / part)
}

/// The result of reading a text, without the text: the nodes, the side text for decoded or
/// corrected scalars, and the records.
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    pub(crate) nodes: Vec<Node>,
    pub(crate) side: String,
    /// The indices of the first and the last member of each repeated key, ascending.
    pub(crate) replaced: Vec<(u32, u32)>,
    /// The containers whose number of children does not fit into their node, and those with
    /// repeated keys, in ascending order. It may still include a node that was removed.
    pub(crate) counted: Vec<Counted>,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) notes: Vec<Note>,
    pub(crate) root: u32,
    /// The [`digits`](crate::Limits::digits) of the limits under which it was read.
    pub(crate) digits: u32,
    /// A value that a caller derived from this one while it was arriving. A view sees its nodes
    /// from [`DRAFT`] on; their own numbers begin at 0, but references point to the nodes of this
    /// tape.
    pub(crate) draft: Option<Box<Tape>>,
}

impl Default for Tape {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            side: String::new(),
            replaced: Vec::new(),
            counted: Vec::new(),
            repairs: Vec::new(),
            notes: Vec::new(),
            root: NONE,
            digits: Limits::DEFAULT.digits,
            draft: None,
        }
    }
}

impl Tape {
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.side.clear();
        self.replaced.clear();
        self.counted.clear();
        self.repairs.clear();
        self.notes.clear();
        self.root = NONE;
        self.draft = None;
    }

    /// Reserves room for `more` nodes of a value that grows gradually: see [`room`].
    #[inline]
    pub(crate) fn make_room(&mut self, more: usize) {
        let (length, capacity) = (self.nodes.len(), self.nodes.capacity());
        if capacity - length < more {
            self.nodes
                .reserve_exact(room(length, size_of::<Node>(), more));
        }
    }

    /// Removes the entries about repeated members whose first member is gone. Returns them.
    pub(crate) fn forget_replaced(&mut self, gone: impl Fn(u32) -> bool) -> Vec<(u32, u32)> {
        let mut forgotten = Vec::new();
        self.replaced.retain(|pair| {
            let kept = !gone(pair.0);
            if !kept {
                forgotten.push(*pair);
            }
            kept
        });
        forgotten
    }

    /// Removes all nodes from `length` on, and the entries about their keys.
    pub(crate) fn take_back(&mut self, length: usize) {
        self.nodes.truncate(length);
        self.forget_replaced(|first| first as usize >= length);
        let kept = self
            .counted
            .partition_point(|one| (one.index as usize) < length);
        self.counted.truncate(kept);
    }

    /// Returns the number of children of the container at `index`, including those that are not
    /// shown.
    pub(crate) fn count(&self, index: u32) -> u32 {
        let count = self.nodes[index as usize].count;
        if count < COUNT_MAX {
            return u32::from(count);
        }
        match self.find_counted(index) {
            Ok(at) => self.counted[at].all,
            Err(_) => u32::from(count),
        }
    }

    /// Sets the number of children of the container at `index`.
    #[inline]
    pub(crate) fn set_count(&mut self, index: u32, count: u32) {
        self.nodes[index as usize].count = saturate(count);
        if count >= u32::from(COUNT_MAX) {
            self.put_count(index, count, count);
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn put_count(&mut self, index: u32, all: u32, shown: u32) {
        let counted = Counted { index, all, shown };
        match self.find_counted(index) {
            Ok(at) => self.counted[at] = counted,
            Err(at) => self.counted.insert(at, counted),
        }
    }

    /// Records the number of members with different keys of the closed object at `index`.
    #[cold]
    #[inline(never)]
    pub(crate) fn count_shown(&mut self, index: u32, all: u32) {
        let (mut at, end) = (index + 1, self.nodes.len() as u32);
        let mut shown = 0;
        while at < end {
            shown += u32::from(!self.nodes[at as usize].has(flag::SHADOWED));
            at = self.after(at);
        }
        self.put_count(index, all, shown);
    }

    /// Returns the number of shown children of the container at `index`, if the table has it.
    pub(crate) fn counted(&self, index: u32) -> Option<usize> {
        let at = self.find_counted(index).ok()?;
        Some(self.counted[at].shown as usize)
    }

    fn find_counted(&self, index: u32) -> Result<usize, usize> {
        self.counted.binary_search_by_key(&index, |one| one.index)
    }

    /// Returns the node at that index, in the value or in a value derived from it.
    #[inline(always)]
    pub(crate) fn node(&self, index: u32) -> &Node {
        match self.nodes.get(index as usize) {
            Some(node) => node,
            // No call that returns: the hot path would have to save registers for it.
            None => &self.draft().nodes[index.wrapping_sub(DRAFT) as usize],
        }
    }

    #[inline(always)]
    fn draft(&self) -> &Self {
        let draft = self.draft.as_deref();
        draft.expect("only views of a draft have numbers beyond the nodes")
    }

    /// Returns the number of shown children of that container, in the value or in a value derived
    /// from it, if the table has it.
    pub(crate) fn counted_of(&self, index: u32) -> Option<usize> {
        if index < DRAFT {
            self.counted(index)
        } else {
            self.draft().counted(index - DRAFT)
        }
    }

    /// Returns the side text of the node with that index.
    #[inline]
    pub(crate) fn side_of(&self, index: u32) -> &str {
        if index < DRAFT {
            &self.side
        } else {
            &self.draft().side
        }
    }

    /// Returns `true` if this is a container that has not been closed yet.
    pub(crate) fn is_open(&self, index: u32) -> bool {
        let node = self.node(index);
        let index = if index < DRAFT { index } else { index - DRAFT };
        node.is_container()
            && (node.next == NONE || node.next <= index)
            && node.tag != Tag::Reference
    }

    /// Returns the index of the node after the subtree of `index`. An open container extends to the
    /// end.
    #[inline]
    pub(crate) fn after(&self, index: u32) -> u32 {
        self.after_node(index, self.node(index))
    }

    /// Returns the index after a node that the caller has already fetched.
    #[inline]
    pub(crate) fn after_node(&self, index: u32, node: &Node) -> u32 {
        if !node.is_container() {
            index + 1
        } else if node.next > index && node.next != NONE {
            node.next
        } else if index < DRAFT {
            self.nodes.len() as u32
        } else if node.next > index - DRAFT && node.next != NONE {
            DRAFT + node.next
        } else {
            DRAFT + self.draft().nodes.len() as u32
        }
    }

    /// Returns the member that the first member with a repeated key shows instead of itself.
    pub(crate) fn replacement(&self, index: u32) -> u32 {
        match self
            .replaced
            .binary_search_by_key(&index, |&(first, _)| first)
        {
            Ok(at) => self.replaced[at].1,
            Err(_) => index,
        }
    }

    /// Makes a string in the text the value.
    pub(crate) fn push_string(&mut self, start: u32, end: u32) {
        self.root = self.push(Tag::String, Span::new(start, end), 0);
    }

    /// Appends an array of existing values, and returns its index.
    pub(crate) fn push_list(
        &mut self,
        span: Span,
        roots: impl ExactSizeIterator<Item = u32>,
    ) -> u32 {
        let count = roots.len() as u32;
        self.make_room(1 + roots.len());
        let list = self.push(Tag::Array, span, self.nodes.len() as u32 + 1 + count);
        self.set_count(list, count);
        for root in roots {
            self.push(Tag::Reference, Span::default(), root);
        }
        list
    }

    fn push(&mut self, tag: Tag, span: Span, next: u32) -> u32 {
        let (key_start, key_end, flags, count) = (0, 0, 0, 0);
        let Span { start, end } = span;
        self.nodes.push(Node {
            key_start,
            key_end,
            start,
            end,
            next,
            tag,
            flags,
            count,
        });
        self.nodes.len() as u32 - 1
    }

    /// Appends text to the side text and returns its place there.
    pub(crate) fn put_side(&mut self, text: &str) -> (u32, u32) {
        let start = self.side.len() as u32;
        self.side.push_str(text);
        (start, self.side.len() as u32)
    }
}
