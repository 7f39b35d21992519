//! A part of a document that is read as a text of its own: JSON inside a string.

use alloc::vec::Vec;
use core::cell::Cell;

use crate::base::limits::Limits;
use crate::base::repair::{NoteKind, Repair, RepairKind};
use crate::document::Document;
use crate::parser::look::Look;
use crate::parser::state::reader::{Reader, Scratch};
use crate::tape::graft::{TextSource, graft};
use crate::tape::{NONE, Tape};
use crate::view::NodeId;

/// The result of reading a string as JSON.
#[derive(Clone, Debug)]
pub struct Inner {
    /// The value, appended to the document.
    pub root: NodeId,
    /// `true` if its text was complete.
    pub complete: bool,
    /// The repairs. The spans count in the string's decoded text.
    pub repairs: Vec<Repair>,
    /// `true` if the text consists of the value and white space only.
    pub whole: bool,
    /// `true` if one of its objects has a duplicate name.
    pub has_duplicate_keys: bool,
}

/// Reads a part of a document's text, or of its side text, and appends what was found.
pub(crate) fn parse_within(
    document: &mut Document<'_>,
    source: TextSource,
    limits: &Limits,
) -> Option<Inner> {
    let mut tape = Tape::default();
    let mut scratch = Scratch::default();
    let (text, span) = match source {
        TextSource::Text(span) => (&*document.text, span),
        TextSource::Side(span) => (&*document.tape.side, span),
    };
    let text = text.get(span.range())?;
    // The same account: what a text may cost does not grow with what stands in its strings.
    let bytes = document.text.len().max(document.tape.side.len());
    let account = Cell::new(document.work.grown_to(limits.work, bytes));
    let look = Look::new(text, &account);
    let complete = Reader::new(look, &mut tape, limits, &mut scratch).reply();
    document.work = account.get();
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
