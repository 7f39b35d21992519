//! Writes new values after the old ones, for coercion.
//!
//! The old nodes stay unchanged. A changed container is rewritten with references to its unchanged
//! parts, so the cost is proportional to the changes.

pub(crate) mod built;

use alloc::vec::Vec;
use core::cell::Cell;

use crate::base::limits::Limits;
use crate::base::repair::{NoteKind, Repair, RepairKind};
use crate::base::span::Span;
use crate::base::work::Work;
use crate::document::Document;
use crate::parser::look::Look;
use crate::parser::state::reader::{Reader, Scratch};
use crate::parser::state::step::{KeySpan, scalar};
use crate::scan::number;
use crate::scan::number::number_tag;
use crate::tape::graft::{TextSource, graft};
use crate::tape::{NONE, Node, Tag, Tape, flag};
use crate::view::{Kind, MemberId, NodeId};

/// The key of a member that an [`Editor`] writes.
#[derive(Clone, Copy, Debug)]
pub enum NewKey<'k> {
    /// The key of an existing member.
    Same(MemberId),
    /// A new key.
    Text(&'k str),
}

/// The result of parsing a string as JSON.
#[derive(Clone, Debug)]
pub struct Inner {
    /// The value, appended to the document.
    pub root: NodeId,
    /// `true` if its text was not truncated.
    pub complete: bool,
    /// The repairs. The spans refer to the decoded string.
    pub repairs: Vec<Repair>,
    /// `true` if the text consists only of the value and white space.
    pub whole: bool,
    /// `true` if one of its objects has duplicate keys.
    pub has_duplicate_keys: bool,
}

/// Writes new values into a document. Readers see no change before [`set_root`](Self::set_root).
pub struct Editor<'e, 't> {
    document: &'e mut Document<'t>,
}

impl<'t> Document<'t> {
    /// Returns an editor that writes new values.
    pub fn edit(&mut self) -> Editor<'_, 't> {
        Editor { document: self }
    }
}

impl<'t> Editor<'_, 't> {
    /// Returns the document in its current state.
    #[must_use]
    pub fn document(&self) -> &Document<'t> {
        self.document
    }

    /// Returns the document's work budget, to charge it.
    pub fn work_mut(&mut self) -> &mut Work {
        &mut self.document.work
    }

    /// Sets the value of the document.
    pub fn set_root(&mut self, root: NodeId) {
        self.document.tape.root = root.0;
    }

    /// Drops the notes that the values of duplicate keys are ignored: these values do count.
    pub fn count_repeated(&mut self, values: &[NodeId]) {
        let tape = &mut self.document.tape;
        let nodes = values.iter().map(|value| *tape.node(value.0));
        let in_text = nodes.filter(|node| !node.has(flag::KEY_SIDE));
        let mut names: Vec<u32> = in_text.map(|node| node.key_start).collect();
        names.sort_unstable();
        tape.notes.retain(|note| {
            note.kind != NoteKind::DuplicateKey || names.binary_search(&note.span.start).is_err()
        });
    }

    /// Writes `null`.
    pub fn null(&mut self) -> NodeId {
        self.scalar(Tag::Null, Span::default(), flag::SIDE)
    }

    /// Writes `true` or `false`.
    pub fn boolean(&mut self, value: bool) -> NodeId {
        let tag = if value { Tag::True } else { Tag::False };
        self.scalar(tag, Span::default(), flag::SIDE)
    }

    /// Writes a number from its text, or returns `None` if the text is not a JSON number.
    pub fn number(&mut self, text: &str) -> Option<NodeId> {
        if !number::is_json(text) {
            return None;
        }
        let span = self.side(text);
        Some(self.scalar(number_tag(text), span, flag::SIDE))
    }

    /// Writes a string.
    pub fn string(&mut self, text: &str) -> NodeId {
        let span = self.side(text);
        self.scalar(Tag::String, span, flag::SIDE)
    }

    /// Writes a string with the digits of a number, without copying them.
    ///
    /// # Panics
    ///
    /// If the value is not a number.
    pub fn number_as_string(&mut self, value: NodeId) -> NodeId {
        let node = self.document.tape.nodes[value.index()];
        assert_eq!(self.document.node(value).kind(), Kind::Number);
        self.push(Node {
            key_start: 0,
            key_end: 0,
            tag: Tag::String,
            ..node
        })
    }

    /// Writes an array of values that are already in the document.
    pub fn array(&mut self, items: &[NodeId]) -> NodeId {
        let root = self.container(Tag::Array, items.len());
        for item in items {
            let node = self.reference(*item);
            self.push(node);
        }
        self.close(root)
    }

    /// Writes an object of values that are already in the document. Keys are not checked for
    /// duplicates.
    pub fn object(&mut self, members: &[(NewKey<'_>, NodeId)]) -> NodeId {
        let root = self.container(Tag::Object, members.len());
        for (key, value) in members {
            let mut node = self.reference(*value);
            match key {
                NewKey::Same(member) => {
                    let old = self.document.tape.nodes[member.0 as usize];
                    node.key_start = old.key_start;
                    node.key_end = old.key_end;
                    node.flags |= old.flags & (flag::KEY_ESCAPED | flag::KEY_SIDE);
                }
                NewKey::Text(text) => {
                    let span = self.side(text);
                    node.key_start = span.start;
                    node.key_end = span.end;
                    node.flags |= flag::KEY_SIDE;
                }
            }
            self.push(node);
        }
        self.close(root)
    }

    /// Parses the text of a string value as a separate reply and appends the value.
    ///
    /// Returns the value, whether its text was complete, and its repairs; the document's own
    /// records are unchanged. `None` if the value is not a string or holds no value, or if a limit
    /// was exceeded.
    pub fn parse_string(&mut self, value: NodeId, limits: &Limits) -> Option<Inner> {
        let node = self.document.tape.nodes[value.index()];
        if node.tag != Tag::String {
            return None;
        }
        let source = if node.has(flag::ESCAPED) {
            let view = self.document.node(value);
            let decoded = view.as_str().unwrap_or_default().into_owned();
            TextSource::Side(self.side(&decoded))
        } else if node.has(flag::SIDE) {
            TextSource::Side(Span::new(node.start, node.end))
        } else {
            TextSource::Text(Span::new(node.start, node.end))
        };
        let document = &mut *self.document;
        let (text, span) = match source {
            TextSource::Text(span) => (&*document.text, span),
            TextSource::Side(span) => (&*document.tape.side, span),
        };
        let text = text.get(span.range())?;
        let (mut tape, mut scratch) = (Tape::default(), Scratch::default());
        // The work budget is shared: the content of strings does not raise the limit of a text.
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
        let alone = !tape.repairs.iter().any(|repair| surrounded(repair.kind));
        Some(Inner {
            root: NodeId(graft(&mut document.tape, &tape, source)),
            complete,
            whole: alone && !noted(NoteKind::OtherValue),
            has_duplicate_keys: noted(NoteKind::DuplicateKey),
            repairs: tape.repairs,
        })
    }

    fn side(&mut self, text: &str) -> Span {
        let (start, end) = self.document.tape.put_side(text);
        Span::new(start, end)
    }

    fn scalar(&mut self, tag: Tag, span: Span, flags: u8) -> NodeId {
        let node = scalar(KeySpan::NONE, tag, span.start as usize, span.end as usize);
        self.push(Node { flags, ..node })
    }

    fn container(&mut self, tag: Tag, count: usize) -> NodeId {
        let container = self.scalar(tag, Span::default(), flag::SIDE);
        self.document.tape.nodes[container.index()].next = NONE;
        self.document.tape.set_count(container.0, count as u32);
        container
    }

    fn close(&mut self, container: NodeId) -> NodeId {
        let nodes = &mut self.document.tape.nodes;
        nodes[container.index()].next = nodes.len() as u32;
        container
    }

    /// Returns a node that refers to `target`, or to the target of `target` if it is a reference
    /// itself.
    fn reference(&self, target: NodeId) -> Node {
        let node = self.document.tape.nodes[target.index()];
        let mut reference = scalar(KeySpan::NONE, Tag::Reference, 0, 0);
        reference.next = match node.tag {
            Tag::Reference => node.next,
            _ => target.0,
        };
        reference
    }

    fn push(&mut self, node: Node) -> NodeId {
        let nodes = &mut self.document.tape.nodes;
        nodes.push(node);
        NodeId((nodes.len() - 1) as u32)
    }
}
