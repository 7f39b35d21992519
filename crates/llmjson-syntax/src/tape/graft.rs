//! Putting one tape into another.

use crate::base::span::Span;
use crate::tape::{Counted, Tag, Tape, flag};

/// The place of the text of a string that is read as a reply of its own.
#[derive(Clone, Copy)]
pub(crate) enum TextSource {
    /// A span of the document's text.
    Text(Span),
    /// A span of its side text.
    Side(Span),
}

/// Appends the nodes of `inner`, whose text lies at `source`, to `outer`. Returns the new root.
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
