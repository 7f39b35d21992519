//! Turns the parts of a value into the changes that make its text strict JSON.
//!
//! Each part is put at its place in the text. Between two places stands a gap, of which white space
//! and the separators that JSON has there are kept; everything else goes, and what is missing is put
//! in. So the result is strict JSON of the value whatever the text was; the records only tell what
//! each change belongs to.

use alloc::vec::Vec;

use crate::base::repair::{Repair, RepairKind};
use crate::base::span::Span;
use crate::document::Document;
use crate::document::edits::parts::{Part, Unfinished, parts, put_cut_members};
use crate::document::edits::records::{Account, Window, passed_over};
use crate::document::edits::state::{Aligner, Change, Level, Need};
use crate::tape::Tag;

/// The changes that make the text of a document strict JSON of its value, in order.
pub(crate) fn changes(document: &Document<'_>, unfinished: Unfinished) -> Vec<Change> {
    let mut parts = parts(document);
    if parts.is_empty() {
        return Vec::new();
    }
    if unfinished == Unfinished::Complete {
        put_cut_members(document, &mut parts);
    }
    let root = document
        .root_read()
        .and_then(|root| document.value(root).span());
    let root = root.unwrap_or_default().range();
    let mut aligner = Aligner {
        text: document.text(),
        tape: &document.tape,
        records: document.repairs(),
        outs: passed_over(document.text(), document.repairs(), root),
        next_out: 0,
        next_record: 0,
        window: Window::default(),
        unfinished,
        at: 0,
        kept: (0, 0),
        pending: Vec::new(),
        open: Vec::new(),
        begun: 0,
        call: None,
        changes: Vec::new(),
    };
    for at in 0..parts.len() {
        aligner.part(&parts[at..]);
    }
    aligner.finish();
    aligner.changes
}

impl Aligner<'_> {
    fn part(&mut self, parts: &[Part]) {
        match parts[0] {
            Part::Open(index) => {
                self.before_item();
                if !self.passes_opener(index, parts.get(1)) {
                    self.open(index, parts.get(1));
                }
            }
            Part::Key(index) => {
                self.before_member();
                if !self.passes_key(index) {
                    self.key(index);
                }
                self.pending.push(Need::Colon);
            }
            Part::Value(index) => {
                self.before_item();
                if !self.passes_value(index) {
                    self.value(index);
                }
            }
            Part::Cut(record) => {
                self.before_member();
                self.cut_member(record as usize);
            }
            Part::Close(index) => {
                if !self.passes_closer(index) {
                    self.close(index, parts);
                }
            }
        }
    }

    fn before_item(&mut self) {
        if let Some(level) = self.open.last_mut()
            && !level.object
            && core::mem::replace(&mut level.filled, true)
        {
            self.pending.push(Need::Comma);
        }
    }

    fn before_member(&mut self) {
        if let Some(level) = self.open.last_mut()
            && core::mem::replace(&mut level.filled, true)
        {
            self.pending.push(Need::Comma);
        }
    }

    fn open(&mut self, index: u32, next: Option<&Part>) {
        let node = self.tape.node(index);
        let object = node.tag == Tag::Object;
        let level = Level {
            object,
            filled: false,
            record: None,
        };
        let sign = if object { "{" } else { "[" };
        let record = self.several(index);
        // Several values become one list: its brackets go around the whole text, which keeps its lines.
        if record.is_some() {
            self.put(0, "[\n", record);
            self.open.push(Level { record, ..level });
            return;
        }
        let at = node.start as usize;
        let shared = match next {
            Some(Part::Open(child)) => self.tape.node(*child).start == node.start,
            _ => false,
        };
        let found = self.text.as_bytes().get(at).copied();
        // `"a": 1, "b": 2` without braces, or `{"a": "b": 1}`: the text has no bracket for this container.
        if shared || at < self.at || !matches!(found, Some(b'{' | b'[' | b'(')) {
            self.pending.push(Need::Open(sign));
            self.open.push(level);
            return;
        }
        self.gap(at, at);
        let mut record = None;
        if found == Some(sign.as_bytes()[0]) {
            self.keep(at, at + 1);
        } else {
            record = self.window.last(Account::Open).or(self.call);
            self.replace_sign(at, at + 1, sign, record);
        }
        self.open.push(Level { record, ..level });
    }

    /// The record of several values of the reply, if this is the list of them.
    fn several(&self, index: u32) -> Option<usize> {
        let node = self.tape.node(index);
        let place = Span::new(node.start, node.end);
        let list = self.open.is_empty() && node.tag == Tag::Array;
        let several = |one: &Repair| one.kind == RepairKind::SeveralValues && one.span == place;
        list.then(|| self.records.iter().position(several))?
    }

    fn close(&mut self, index: u32, parts: &[Part]) {
        let node = self.tape.node(index);
        let sign = if node.tag == Tag::Object { "}" } else { "]" };
        let level = self.open.pop();
        let several = self.several(index);
        if several.is_some() {
            self.pending.push(Need::Close("\n]", several));
            return;
        }
        let opened = level.and_then(|level| level.record);
        let place = (node.end as usize).checked_sub(1).filter(|&at| {
            at >= self.at && !self.is_passed_over(at) && self.closes(index, at, parts)
        });
        let Some(at) = place else {
            self.pending.push(Need::Close(sign, opened));
            return;
        };
        self.gap(at, at);
        if self.text.as_bytes()[at] == sign.as_bytes()[0] {
            // With what is on record about it, as of `]` in `(1]`.
            self.keep(at + 1, at + 1);
        } else {
            let record = self.window.last(Account::Close).or(opened).or(self.call);
            self.replace_sign(at, at + 1, sign, record);
        }
    }

    /// Returns `true` if the bracket at `at` closes this container, and not one of those that end
    /// there too.
    fn closes(&self, index: u32, at: usize, parts: &[Part]) -> bool {
        let byte = self.text.as_bytes()[at];
        // What closes a container that begins as it does in the text.
        let sign = |index: u32| {
            let node = self.tape.node(index);
            match self.text.as_bytes().get(node.start as usize) {
                Some(b'{') => b'}',
                Some(b'[') => b']',
                Some(b'(') => b')',
                _ if node.tag == Tag::Object => b'}',
                _ => b']',
            }
        };
        if !matches!(byte, b'}' | b']' | b')') {
            return false;
        }
        // `[{"a": [1}]`: several containers may end at one bracket. It closes the one that it fits.
        if byte == sign(index) {
            return true;
        }
        // A bracket of another kind, unless that of a container around it.
        let end = self.tape.node(index).end;
        let others = parts[1..].iter().map_while(|part| match part {
            Part::Close(other) if self.tape.node(*other).end == end => Some(*other),
            _ => None,
        });
        !others
            .take(MOST_AT_ONE_PLACE)
            .any(|other| sign(other) == byte)
    }

    fn is_passed_over(&self, at: usize) -> bool {
        let outs = &self.outs[self.next_out.min(self.outs.len())..];
        let next = outs.partition_point(|out| out.end <= at);
        outs.get(next).is_some_and(|out| out.start <= at)
    }

    fn finish(&mut self) {
        let end = self.text.len();
        let several = match self.pending.last() {
            Some(Need::Close("\n]", _)) => self.pending.pop(),
            _ => None,
        };
        self.gap(end, end);
        if let Some(Need::Close(sign, record)) = several {
            self.put(end, sign, record);
        }
    }
}

/// Maximum number of containers that end at one place and are compared with a bracket to find the
/// one that it closes.
const MOST_AT_ONE_PLACE: usize = 8;
