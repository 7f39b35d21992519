//! A part of a document that is read as a text of its own: JSON inside a string.

use crate::Span;
use crate::document::Document;
use crate::edit::Inner;
use crate::limits::Limits;
use crate::node::{NONE, Tag, Tape, flag};
use crate::parser::reader::{Reader, Scratch};
use crate::repair::{NoteKind, RepairKind};
use crate::view::NodeId;

/// Where a string that is read as a reply of its own has its text.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    /// In the document's text.
    Text(Span),
    /// In its side text.
    Side(Span),
}

/// Reads a part of a document's text, or of its side text, and appends what was found.
pub(crate) fn parse_within(
    document: &mut Document<'_>,
    source: Source,
    limits: &Limits,
) -> Option<Inner> {
    let mut tape = Tape::default();
    let mut scratch = Scratch::default();
    let (text, span) = match source {
        Source::Text(span) => (&*document.text, span),
        Source::Side(span) => (&*document.tape.side, span),
    };
    let text = text.get(span.range())?;
    let mut reader = Reader::new(text, &mut tape, limits, &mut scratch);
    let complete = reader.reply();
    if tape.root == NONE {
        return None;
    }
    let surrounded = |kind| matches!(kind, RepairKind::SurroundingText | RepairKind::CodeFence);
    let noted = |kind| tape.notes.iter().any(|note| note.kind == kind);
    let whole =
        !tape.repairs.iter().any(|repair| surrounded(repair.kind)) && !noted(NoteKind::OtherValue);
    let has_duplicate_keys = noted(NoteKind::DuplicateKey);
    let root = NodeId(graft(&mut document.tape, &tape, source));
    Some(Inner {
        root,
        complete,
        repairs: tape.repairs,
        whole,
        has_duplicate_keys,
    })
}

/// Appends the nodes of `inner`, whose text lies at `source`, to `outer`. Returns the new root.
pub(in crate::parser) fn graft(outer: &mut Tape, inner: &Tape, source: Source) -> u32 {
    let (offset, from_text) = match source {
        Source::Text(span) => (span.start, 0),
        Source::Side(span) => (span.start, flag::SIDE | flag::KEY_SIDE),
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
    inner.root + base
}
