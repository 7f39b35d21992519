//! Parts that stand in the text as JSON has them: most of them, in most texts.
//!
//! Nothing is on record about such a part, and between it and the part before stand white space and
//! the separator that is needed there. Everything else is left to [`align`](super::align).

use crate::document::edits::parts::Part;
use crate::document::edits::state::{Aligner, Level, Need};
use crate::document::edits::token::{QUOTES_BYTES, is_strict};
use crate::tape::{Escaping, Tag, flag};

impl Aligner<'_> {
    /// Passes over a name within double quotes.
    pub(super) fn passes_key(&mut self, index: u32) -> bool {
        let node = self.tape.node(index);
        let (start, end) = (node.key_start as usize, node.key_end as usize);
        !node.has(flag::KEY_SIDE) && self.passes_string(start, end, node.key_escaping())
    }

    /// Passes over a string within double quotes, a number or a keyword.
    pub(super) fn passes_value(&mut self, index: u32) -> bool {
        let node = self.tape.node(index);
        let (start, end) = (node.start as usize, node.end as usize);
        if node.has(flag::SIDE) || node.is_container() {
            return false;
        }
        let keyword = match node.tag {
            Tag::String => return self.passes_string(start, end, node.escaping()),
            Tag::Null => "null",
            Tag::True => "true",
            Tag::False => "false",
            _ => "",
        };
        let written = self.text.get(start..end).unwrap_or_default();
        let is_kept = match keyword {
            "" => !written.is_empty(),
            keyword => written == keyword,
        };
        is_kept && self.passes(start, end)
    }

    fn passes_string(&mut self, start: usize, end: usize, escaping: Escaping) -> bool {
        let bytes = self.text.as_bytes();
        start > self.at
            && bytes[start - 1] == b'"'
            && bytes.get(end) == Some(&b'"')
            && is_strict(&self.text[start..end], escaping)
            && self.passes(start - 1, end + 1)
    }

    /// Passes over the bracket with which a container within another one begins.
    pub(super) fn passes_opener(&mut self, index: u32, next: Option<&Part>) -> bool {
        let node = self.tape.node(index);
        let (at, object) = (node.start as usize, node.tag == Tag::Object);
        let sign = if object { b'{' } else { b'[' };
        let is_shared = match next {
            Some(Part::Open(child)) => self.tape.node(*child).start == node.start,
            _ => false,
        };
        if self.open.is_empty()
            || is_shared
            || self.text.as_bytes().get(at) != Some(&sign)
            || !self.passes(at, at + 1)
        {
            return false;
        }
        let (filled, record) = (false, None);
        self.open.push(Level {
            object,
            filled,
            record,
        });
        true
    }

    /// The same for its end.
    pub(super) fn passes_closer(&mut self, index: u32) -> bool {
        let node = self.tape.node(index);
        let bytes = self.text.as_bytes();
        let signs = if node.tag == Tag::Object {
            (b'{', b'}')
        } else {
            (b'[', b']')
        };
        let (start, end) = (node.start as usize, node.end as usize);
        let is_own = self.open.len() > 1
            && self.open.last().is_some_and(|level| level.record.is_none())
            && end > self.at
            && (bytes.get(start), bytes.get(end - 1)) == (Some(&signs.0), Some(&signs.1));
        if !is_own || !self.passes(end - 1, end) {
            return false;
        }
        self.open.pop();
        true
    }

    /// Passes over the text up to the end of a part, if there is nothing odd about it.
    fn passes(&mut self, start: usize, end: usize) -> bool {
        let next = self.records.get(self.next_record);
        if next.is_some_and(|next| next.span.start as usize <= end + QUOTES_BYTES) {
            return false;
        }
        while let Some(out) = self.outs.get(self.next_out)
            && out.end <= self.at
        {
            self.next_out += 1;
        }
        if self
            .outs
            .get(self.next_out)
            .is_some_and(|out| out.start < end)
        {
            return false;
        }
        let bytes = self.text.as_bytes();
        let space_from = |mut at: usize| {
            while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
                at += 1;
            }
            at
        };
        let at = space_from(self.at);
        let at = match (&self.pending[..], bytes.get(at)) {
            ([], _) => at,
            ([Need::Comma], Some(b',')) | ([Need::Colon], Some(b':')) => space_from(at + 1),
            _ => return false,
        };
        if at != start {
            return false;
        }
        self.pending.clear();
        self.at = end;
        self.kept = (end, self.changes.len());
        true
    }
}
