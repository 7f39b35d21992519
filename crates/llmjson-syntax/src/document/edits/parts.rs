//! The parts of a value, in text order.

use alloc::vec::Vec;

use crate::base::repair::{Repair, RepairKind};
use crate::base::span::Span;
use crate::document::Document;
use crate::document::edits::options::Unfinished;
use crate::tape::{NONE, Tag, Tape, flag};

/// One part of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A container begins.
    Open(u32),
    /// A key.
    Key(u32),
    /// A string, number or keyword, or a value that is rewritten as a whole.
    Value(u32),
    /// The member at that place, whose truncated value becomes null.
    Cut(Span),
    /// A container ends.
    Close(u32),
}

/// The parts of the value in source order, including members that are not shown, since the text
/// contains them.
pub(super) struct Parts<'d> {
    tape: &'d Tape,
    /// Members that have not been visited, of the root and of the outer containers.
    left: Vec<(u32, u32, u32)>,
    /// The truncated member, if it is completed.
    cut: Option<Repair>,
    /// The part after the one returned last, if it is known.
    next: Option<Part>,
}

pub(super) fn parts<'d>(document: &'d Document<'_>, unfinished: Unfinished) -> Parts<'d> {
    let mut records = document.repairs().iter();
    let cut = records.rfind(|one| one.kind == RepairKind::CutMember);
    let root = document.root().and_then(|_| document.root_read());
    let root = root.map(|root| (NONE, root.0, root.0 + 1));
    Parts {
        tape: &document.tape,
        left: root.into_iter().collect(),
        cut: cut.copied().filter(|_| unfinished == Unfinished::Complete),
        next: None,
    }
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        if let Some(part) = self.next.take() {
            return Some(part);
        }
        let tape = self.tape;
        let (owner, at, end) = self.left.last_mut()?;
        let (owner, object) = (
            *owner,
            *owner != NONE && tape.node(*owner).tag == Tag::Object,
        );
        if at >= end {
            self.left.pop();
            let close = (owner != NONE).then_some(Part::Close(owner));
            // The value was truncated in the innermost object that extends this far.
            let holds = |cut: &mut Repair| object && tape.node(owner).end > cut.span.start;
            let Some(cut) = self.cut.take_if(holds) else {
                return close;
            };
            self.next = close;
            return Some(Part::Cut(cut.span));
        }
        let member = core::mem::replace(at, tape.after(*at));
        let index = match tape.node(member).tag {
            Tag::Reference => tape.node(member).next,
            _ => member,
        };
        // A container in the side text was read from a separate text.
        let node = tape.node(index);
        let part = if node.is_container() && !node.has(flag::SIDE) {
            self.left.push((index, index + 1, tape.after(index)));
            Part::Open(index)
        } else {
            Part::Value(index)
        };
        if object {
            self.next = Some(part);
            return Some(Part::Key(member));
        }
        Some(part)
    }
}
