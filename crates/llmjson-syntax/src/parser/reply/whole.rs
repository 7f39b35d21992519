//! Replies without braces around their members.

use crate::document::Reading;
use crate::node::{NONE, Tag, flag};
use crate::parser::reader::{Here, KeySpan, Keyed, Read, Reader, scalar};
use crate::repair::RepairKind;
use crate::scan::{peek, skip_space};

impl Reader<'_> {
    /// Members without braces around them: the reply begins with a name and a colon.
    pub(in crate::parser) fn bare_members(&mut self) -> Option<Reading> {
        let mut start = skip_space(self.bytes, 0).1;
        let mut fenced = false;
        if self.fence_at(start) {
            let line = memchr::memchr(b'\n', &self.bytes[start..])?;
            start = skip_space(self.bytes, start + line).1;
            fenced = true;
        }
        if peek(self.bytes, start) != b'"' || self.key_end(start).is_none() {
            return None;
        }
        let value = self.key_end(start)?;
        if skip_space(self.bytes, value).1 >= self.bytes.len() {
            return None;
        }
        let mut node = scalar(KeySpan::NONE, Tag::Object, start, start);
        node.next = NONE;
        self.tape.nodes.push(node);
        self.depth += 1;
        self.repair(RepairKind::MissingBraces, start, start);
        self.cut = false;
        let here = Here {
            current: 0,
            object: true,
            count: 0,
        };
        let read = match self.key(here, start) {
            Keyed::Member(key, at) => self.read_on(here, key, at),
            _ => self.finish(here, start),
        };
        // The end of the text stands for the brace that is missing there too, unless the text
        // ended inside a member.
        let unclosed = self
            .tape
            .repairs
            .iter()
            .filter(|repair| ends_text(repair.kind))
            .count();
        let mut complete = read.complete;
        if !complete && unclosed == 1 {
            self.tape
                .repairs
                .retain(|repair| repair.kind != RepairKind::UnclosedObject);
            self.tape.nodes[0].flags &= !flag::TRUNCATED;
            complete = true;
        }
        let read = Read { complete, ..read };
        Some(Reading {
            fenced,
            ..self.candidate(start, read, 0, 0, 0)
        })
    }
}

fn ends_text(kind: RepairKind) -> bool {
    matches!(
        kind,
        RepairKind::UnclosedObject
            | RepairKind::UnclosedArray
            | RepairKind::UnclosedString
            | RepairKind::CutKeyword
            | RepairKind::CutMember
            | RepairKind::CutNumber
            | RepairKind::CutEscape
    )
}
