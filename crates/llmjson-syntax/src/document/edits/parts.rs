//! The parts of a value, in the order of the text.

use alloc::vec::Vec;

use crate::base::repair::RepairKind;
use crate::document::Document;
use crate::tape::{NONE, Tag, Tape, flag};

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
    /// The member of that record, whose value was cut off, gets null.
    Cut(u32),
    /// A container ends.
    Close(u32),
}

/// The rest of a container, or of the root, that has not been visited.
struct Rest {
    at: u32,
    end: u32,
    /// The container itself; none around the root.
    owner: u32,
    members: bool,
}

/// The parts of the value as it was read, members that are not shown included: they stand in the
/// text.
pub(super) fn parts(document: &Document<'_>) -> Vec<Part> {
    let tape = &document.tape;
    let mut parts = Vec::with_capacity(tape.nodes.len() + tape.nodes.len() / 2);
    let Some(root) = document.root_read().map(|root| root.0) else {
        return parts;
    };
    let (owner, members) = (NONE, false);
    let mut left = alloc::vec![Rest {
        at: root,
        end: root + 1,
        owner,
        members
    }];
    while let Some(rest) = left.last_mut() {
        if rest.at >= rest.end {
            if rest.owner != NONE {
                parts.push(Part::Close(rest.owner));
            }
            left.pop();
            continue;
        }
        let (index, members) = (rest.at, rest.members);
        rest.at = match tape.node(index).tag {
            Tag::Reference => index + 1,
            _ => tape.after(index),
        };
        if members {
            parts.push(Part::Key(index));
        }
        let index = match tape.node(index).tag {
            Tag::Reference => tape.node(index).next,
            _ => index,
        };
        if tape.node(index).is_container() && !is_recoded(tape, index) {
            parts.push(Part::Open(index));
            left.push(Rest {
                at: index + 1,
                end: tape.after(index),
                owner: index,
                members: tape.node(index).tag == Tag::Object,
            });
        } else {
            parts.push(Part::Value(index));
        }
    }
    parts
}

/// Returns `true` if a container was read from a text of its own, since it was encoded once more as
/// a whole.
pub(super) fn is_recoded(tape: &Tape, index: u32) -> bool {
    let node = tape.node(index);
    node.is_container() && node.has(flag::SIDE)
}

/// Puts in the members whose values were cut off: last in the object that was open there.
pub(super) fn put_cut_members(document: &Document<'_>, parts: &mut Vec<Part>) {
    let records = document.repairs().iter();
    let cut = records
        .enumerate()
        .rfind(|(_, one)| one.kind == RepairKind::CutMember);
    let Some((record, cut)) = cut else { return };
    let closes = parts
        .iter()
        .rev()
        .take_while(|part| matches!(part, Part::Close(_)));
    let from = parts.len() - closes.count();
    let open = parts[from..].iter().position(|part| match part {
        Part::Close(index) => {
            let node = document.tape.node(*index);
            node.tag == Tag::Object && node.end > cut.span.start
        }
        _ => false,
    });
    if let Some(at) = open {
        parts.insert(from + at, Part::Cut(record as u32));
    }
}
