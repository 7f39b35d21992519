//! Replies that are damaged as a whole: the braces are missing, or everything is escaped.

use crate::document::Reading;
use crate::node::{NONE, Tag, Tape, flag};
use crate::parser::reader::{Here, KeySpan, Keyed, Read, Reader, Scratch, scalar};
use crate::parser::reply::Search;
use crate::parser::within::{Source, graft};
use crate::repair::RepairKind;
use crate::scan::{peek, skip_space};
use crate::{Span, escape};
use alloc::vec::Vec;

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

    /// `{\"a\": 1}`: a container whose quotes are escaped.
    pub(in crate::parser) fn escaped_container(
        &mut self,
        found: &mut Search,
        at: usize,
    ) -> Option<usize> {
        self.is_escaped(at)
            .then(|| self.escaped_document(found, at))
    }

    pub(in crate::parser) fn is_escaped(&self, at: usize) -> bool {
        let (byte, k) = self.beyond_gaps(at + 1);
        let inner = if matches!(byte, b'{' | b'[') {
            self.beyond_gaps(k + 1).1
        } else {
            k
        };
        let escaped = |k: usize| self.bytes[k.min(self.bytes.len())..].starts_with(b"\\\"");
        escaped(k) || escaped(inner)
    }

    /// Takes one level of escapes off the rest of the text and reads the value there.
    pub(in crate::parser) fn escaped_document(&mut self, found: &mut Search, at: usize) -> usize {
        if found.unescaped {
            return at + 1;
        }
        found.unescaped = true;
        let rest = &self.text[at..];
        let decoded = escape::decode(rest);
        let mut inner = Tape::default();
        let mut scratch = Scratch::default();
        let mut reader = Reader::new(&decoded, &mut inner, self.limits, &mut scratch);
        reader.nested = true;
        let scalar = decoded.starts_with('"');
        let read = if scalar {
            let complete = reader.reply();
            Read {
                end: decoded.len(),
                complete,
            }
        } else {
            let read = reader.value(0);
            reader.tape.root = 0;
            read
        };
        self.cut = reader.cut;
        if reader.limit.is_some() || inner.nodes.is_empty() || inner.root == NONE {
            return at + 1;
        }
        let (side, _) = self.tape.put_side(&decoded);
        let source = Source::Side(Span::new(side, side + decoded.len() as u32));
        let (repairs, notes) = (self.tape.repairs.len(), self.tape.notes.len());
        let root = graft(self.tape, &inner, source);
        let end = at + encoded_length(rest, read.end);
        self.repair(RepairKind::EscapedDocument, at, end);
        let kinds: Vec<_> = inner.repairs.iter().map(|repair| repair.kind).collect();
        for kind in kinds {
            self.repair(kind, at, end);
        }
        let read = Read {
            end,
            complete: read.complete,
        };
        found.add(Reading {
            root,
            ..self.candidate(at, read, 0, repairs, notes)
        });
        end.max(at + 1)
    }
}

/// How much of `text` one level of escapes takes to yield `length` bytes.
fn encoded_length(text: &str, length: usize) -> usize {
    let mut pieces = escape::Pieces::new(text);
    let mut decoded = 0;
    while let Some((at, piece, _)) = pieces.next() {
        if decoded >= length {
            return at;
        }
        decoded += match piece {
            escape::Piece::Text(piece) => {
                let room = length - decoded;
                if piece.len() >= room {
                    // A piece may stand behind a backslash that was dropped.
                    return piece.as_ptr() as usize - text.as_ptr() as usize + room;
                }
                piece.len()
            }
            escape::Piece::Char(character) => character.len_utf8(),
        };
    }
    text.len()
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
