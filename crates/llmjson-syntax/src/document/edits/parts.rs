//! The parts of a value, in the order of the text.

use alloc::vec::Vec;

use crate::base::repair::RepairKind;
use crate::base::span::Span;
use crate::document::Document;
use crate::tape::{NONE, Tag, flag};

/// The treatment of a member or number that the end of the text cut off before it said anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unfinished {
    /// Drops it, as [`Document::root`] does: of `{"a": 2., "b":` stays `{"a": 2}`.
    #[default]
    Drop,
    /// Completes it by null or the digit 0: `{"a": 2.0, "b":null}`.
    Complete,
}

/// One part of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A container begins.
    Open(u32),
    /// A name.
    Key(u32),
    /// A string, number or keyword; or a value that was written once more as a whole.
    Value(u32),
    /// The member at that place, whose value was cut off, gets null.
    Cut(Span),
    /// A container ends.
    Close(u32),
}

/// The parts of the value as it was read, members that are not shown included: they stand in the
/// text.
pub(super) fn parts(document: &Document<'_>, unfinished: Unfinished) -> Vec<Part> {
    let tape = &document.tape;
    let mut parts = Vec::with_capacity(tape.nodes.len() + tape.nodes.len() / 2);
    let mut records = document.repairs().iter();
    let cut = records.rfind(|one| one.kind == RepairKind::CutMember);
    let mut cut = cut.filter(|_| unfinished == Unfinished::Complete);
    // What has not been visited of the root and of the containers around.
    let root = document.root().and_then(|_| document.root_read());
    let root = root.map(|root| (NONE, root.0, root.0 + 1));
    let mut left: Vec<_> = root.into_iter().collect();
    while let Some((owner, at, end)) = left.last_mut() {
        let object = *owner != NONE && tape.node(*owner).tag == Tag::Object;
        if at >= end {
            // It was cut off in the innermost object that reaches so far.
            let holds = |cut: u32| object && tape.node(*owner).end > cut;
            if let Some(cut) = cut.take_if(|cut| holds(cut.span.start)) {
                parts.push(Part::Cut(cut.span));
            }
            parts.extend((*owner != NONE).then_some(Part::Close(*owner)));
            left.pop();
            continue;
        }
        let member = core::mem::replace(at, tape.after(*at));
        if object {
            parts.push(Part::Key(member));
        }
        let index = match tape.node(member).tag {
            Tag::Reference => tape.node(member).next,
            _ => member,
        };
        // A container in the side text was read from a text of its own.
        let node = tape.node(index);
        if node.is_container() && !node.has(flag::SIDE) {
            parts.push(Part::Open(index));
            left.push((index, index + 1, tape.after(index)));
        } else {
            parts.push(Part::Value(index));
        }
    }
    parts
}
