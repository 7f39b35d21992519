//! Inserts one tape into another, and extracts a part of one.

use alloc::vec::Vec;

use crate::base::repair::{Note, Repair};
use crate::base::span::Span;
use crate::tape::{Counted, Node, Tag, Tape, flag};

/// The place of the text of a string that is read as a separate reply.
#[derive(Clone, Copy)]
pub(crate) enum TextSource {
    /// A span of the document's text.
    Text(Span),
    /// A span of its side text.
    Side(Span),
}

/// Appends the nodes of `inner`, whose text is at `source`, to `outer`. Returns the new root.
pub(crate) fn graft(outer: &mut Tape, inner: &Tape, source: TextSource) -> u32 {
    let (offset, from_text) = match source {
        TextSource::Text(span) => (span.start, 0),
        TextSource::Side(span) => (span.start, flag::SIDE | flag::KEY_SIDE),
    };
    let base = outer.nodes.len() as u32;
    let (side, _) = outer.put_side(&inner.side);
    let place = |flags: u8, bit: u8| if flags & bit == 0 { offset } else { side };
    for node in &inner.nodes {
        let mut new = *node;
        new.key_start += place(node.flags, flag::KEY_SIDE);
        new.key_end += place(node.flags, flag::KEY_SIDE);
        new.start += place(node.flags, flag::SIDE);
        new.end += place(node.flags, flag::SIDE);
        new.flags |= from_text;
        if node.is_container() || node.tag == Tag::Reference {
            new.next += base;
        }
        outer.nodes.push(new);
    }
    outer
        .replaced
        .extend(inner.replaced.iter().map(|&(a, b)| (a + base, b + base)));
    let counted = |one: &Counted| Counted {
        index: one.index + base,
        ..*one
    };
    outer.counted.extend(inner.counted.iter().map(counted));
    inner.root + base
}

impl Tape {
    /// Returns the range of nodes that contains the subtree at `root` and every node it refers to:
    /// an array formed around values follows them, and a replacement value may be anywhere.
    fn reach(&self, root: u32) -> (u32, u32) {
        let (mut from, mut to) = (root, self.after(root));
        loop {
            let nodes = &self.nodes[from as usize..to as usize];
            let elsewhere = nodes.iter().filter(|node| node.tag == Tag::Reference);
            let all = elsewhere.fold((from, to), |(from, to), node| {
                (from.min(node.next), to.max(self.after(node.next)))
            });
            if all == (from, to) {
                return all;
            }
            (from, to) = all;
        }
    }

    /// Returns a separate tape for the subtree at `root`, with the given records.
    pub(crate) fn subtree(&self, root: u32, repairs: Vec<Repair>, notes: Vec<Note>) -> Self {
        let (base, after) = self.reach(root);
        let nodes = &self.nodes[base as usize..after as usize];
        let side = nodes.iter().flat_map(|node| {
            let value = node.has(flag::SIDE).then_some((node.start, node.end));
            let key = node
                .has(flag::KEY_SIDE)
                .then_some((node.key_start, node.key_end));
            value.into_iter().chain(key)
        });
        let (from, to) = side.fold((u32::MAX, 0), |(from, to), (start, end)| {
            (from.min(start), to.max(end))
        });
        let (from, side) = match self.side.get(from as usize..to as usize) {
            Some(side) => (from, side),
            None => (0, ""),
        };
        let moved = |(index, node): (usize, &Node)| {
            let open = self.is_open(base + index as u32);
            let mut node = *node;
            if node.has(flag::SIDE) {
                (node.start, node.end) = (node.start - from, node.end - from);
            }
            if node.has(flag::KEY_SIDE) {
                (node.key_start, node.key_end) = (node.key_start - from, node.key_end - from);
            }
            if node.is_container() {
                node.next = if open { after } else { node.next } - base;
            } else if node.tag == Tag::Reference {
                node.next -= base;
            }
            node
        };
        // Both tables are in ascending order, and may be as long as the text.
        let before = |end: u32| self.replaced.partition_point(|(first, _)| *first < end);
        let counted = |end: u32| self.counted.partition_point(|one| one.index < end);
        Self {
            nodes: nodes.iter().enumerate().map(moved).collect(),
            side: side.into(),
            replaced: (self.replaced[before(base)..before(after)].iter())
                .map(|(first, last)| (first - base, last - base))
                .collect(),
            counted: (self.counted[counted(base)..counted(after)].iter())
                .map(|one| Counted {
                    index: one.index - base,
                    ..*one
                })
                .collect(),
            repairs,
            notes,
            root: root - base,
            digits: self.digits,
            draft: None,
        }
    }
}
