//! Where in a reply the JSON is.
//!
//! A text that is JSON as a whole is its only reading. Otherwise the reply is gone over once: at
//! each place where a value may begin one is read, the parser finds its end, and the search goes
//! on behind it. The values found are ranked, and what stands around the chosen one is recorded.

use alloc::vec::Vec;
use core::ops::Range;

use super::after::scalar;
use super::quote::quote_at;
use super::{Here, KeySpan, Odd, Reader};
use crate::document::{Document, Reading, Readings};
use crate::node::{NONE, Node, Tag, flag};
use crate::repair::{NoteKind, RepairKind};
use crate::scan::{self, peek, skip_space};
use crate::{Span, number};

impl Reader<'_> {
    /// Reads the whole reply. Returns whether the text of the value ended as it should.
    pub(super) fn reply(&mut self) -> bool {
        let (byte, k) = skip_space(self.bytes, 0);
        if k >= self.bytes.len() {
            return true;
        }
        let complete = match byte {
            b'{' | b'[' => {
                let read = self.value(k);
                if self.limit.is_none()
                    && read.complete
                    && self.tape.repairs.is_empty()
                    && skip_space(self.bytes, read.end).1 >= self.bytes.len()
                {
                    self.tape.root = 0;
                    true
                } else {
                    self.read_again(k, read)
                }
            }
            _ if self.strict_scalar(k) => true,
            _ => self.search(None),
        };
        if self.limit.is_some() {
            self.tape.root = NONE;
        }
        self.tape.replaced.sort_unstable();
        if self.unrecorded && self.tape.root != NONE {
            let kind = RepairKind::RecordsCapped;
            let span = Span::of(0, self.bytes.len());
            self.tape.repairs.push(crate::Repair { kind, span });
        }
        complete
    }

    /// The value that begins the text is not the whole of it, or is damaged.
    #[cold]
    #[inline(never)]
    fn read_again(&mut self, k: usize, read: super::Read) -> bool {
        if self.limit.is_none() && self.is_escaped(k) {
            self.tape.clear();
            return self.search(None);
        }
        let first = self.candidate(k, read, 0, 0, 0);
        self.search(Some(first))
    }

    /// Reads a text that is one JSON scalar and nothing else.
    fn strict_scalar(&mut self, k: usize) -> bool {
        let bytes = self.bytes;
        let (node, end) = match bytes[k] {
            b'"' => match scan::quoted(bytes, k + 1) {
                Some(quoted) if !quoted.suspect || self.allowed(k + 1, quoted.end) => {
                    let mut node = scalar(KeySpan::NONE, Tag::String, k + 1, quoted.end);
                    node.flags = quoted.flags;
                    (node, quoted.end + 1)
                }
                _ => return false,
            },
            b'-' | b'0'..=b'9' => match number::scan(bytes, k) {
                Some(number) => {
                    let tag = if number.float {
                        Tag::Float
                    } else {
                        Tag::Integer
                    };
                    (scalar(KeySpan::NONE, tag, k, number.end), number.end)
                }
                None => return false,
            },
            _ => match keyword(&bytes[k..]) {
                Some((tag, length)) => (scalar(KeySpan::NONE, tag, k, k + length), k + length),
                None => return false,
            },
        };
        if skip_space(bytes, end).1 < bytes.len() {
            return false;
        }
        self.tape.root = self.tape.nodes.len() as u32;
        self.tape.nodes.push(node);
        true
    }

    /// Whether a suspect string holds nothing that JSON forbids.
    fn allowed(&mut self, start: usize, end: usize) -> bool {
        let (repairs, notes) = (self.tape.repairs.len(), self.tape.notes.len());
        self.inspect(start, end);
        let allowed = self.tape.repairs.len() == repairs;
        self.tape.repairs.truncate(repairs);
        self.tape.notes.truncate(notes);
        allowed
    }

    fn candidate(
        &self,
        start: usize,
        read: super::Read,
        root: usize,
        repairs: usize,
        notes: usize,
    ) -> Reading {
        Reading {
            root: root as u32,
            span: Span::of(start, read.end),
            complete: read.complete,
            fenced: false,
            thought: false,
            group: 0,
            repairs: repairs..self.tape.repairs.len(),
            notes: notes..self.tape.notes.len(),
        }
    }

    /// Looks for values in a reply that is not JSON as a whole. `first` has been read already.
    #[cold]
    #[inline(never)]
    fn search(&mut self, first: Option<Reading>) -> bool {
        let mut found = Found::default();
        let mut at = 0;
        if let Some(first) = first {
            at = first.span.end as usize;
            found.add(first);
        } else if let Some(complete) = self.quoted_whole() {
            return complete;
        } else if let Some(members) = self.bare_members() {
            at = members.span.end as usize;
            found.add(members);
        }
        self.find_values(&mut found, at, Opener::Plausible);
        if found.candidates.is_empty() && self.limit.is_none() {
            if let Some(complete) = self.scalar_reply(&found) {
                return complete;
            }
            if found.doubtful {
                self.find_values(&mut found, 0, Opener::Any);
            }
        }
        if self.limit.is_some() || found.candidates.is_empty() {
            self.tape.repairs.clear();
            self.tape.notes.clear();
            return true;
        }
        self.choose(found)
    }

    /// Goes over the text from `at` on and reads a value wherever one may begin.
    fn find_values(&mut self, found: &mut Found, mut at: usize, opener: Opener) {
        while at < self.bytes.len() && found.candidates.len() < self.limits.candidates as usize {
            let byte = self.bytes[at];
            match byte {
                b'`' | b'~' if self.fence_at(at) => {
                    at = self.pass_fence(found, at);
                }
                b'/' if self.line_begins(at) && matches!(peek(self.bytes, at + 1), b'/' | b'*') => {
                    at = self.beyond_gaps(at).1.max(at + 1);
                }
                b'(' if self.line_begins(at) && self.tuple_ahead(at) => {
                    at = self.value_here(found, at);
                }
                b'<' => at = self.pass_tag(found, at),
                b'\\' if matches!(peek(self.bytes, at + 1), b'"') => {
                    at = self.escaped_document(found, at);
                }
                b'{' | b'[' => {
                    if opener == Opener::Plausible && !self.plausible(at) {
                        found.doubtful = true;
                        at += 1;
                        continue;
                    }
                    if let Some(next) = self.escaped_container(found, at) {
                        at = next;
                        continue;
                    }
                    at = self.value_here(found, at);
                }
                _ => at += 1,
            }
            if self.limit.is_some() {
                return;
            }
        }
    }

    /// Whether only white space stands before `at` on its line.
    fn line_begins(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }

    /// Whether the round bracket at `at` opens a list of values: quotes, digits or brackets
    /// follow, and a comma or another bracket.
    fn tuple_ahead(&self, at: usize) -> bool {
        let window = self.window(at + 1).trim_start();
        window.starts_with(['"', '\'', '(', '[', '{', '-']) && window.contains([',', ')'])
            || window.starts_with(|c: char| c.is_ascii_digit()) && window.contains(',')
    }

    fn value_here(&mut self, found: &mut Found, start: usize) -> usize {
        let root = self.tape.nodes.len();
        let (repairs, notes) = (self.tape.repairs.len(), self.tape.notes.len());
        self.hopeless_from = usize::MAX;
        let read = self.value(start);
        if self.tape.nodes.len() > root {
            let candidate = self.candidate(start, read, root, repairs, notes);
            self.whole_inside(found, &candidate);
            found.add(candidate);
        }
        read.end.max(start + 1)
    }

    /// A value that never closes may be an accident of prose, and the answer stand inside it:
    /// then the whole containers directly in it are values of their own.
    fn whole_inside(&mut self, found: &mut Found, outer: &Reading) {
        let guessed = self.tape.repairs[outer.repairs.clone()]
            .iter()
            .any(|repair| repair.kind.class() == crate::Class::Guess);
        let prose = matches!(
            self.tape
                .repairs
                .get(outer.repairs.start)
                .map(|repair| repair.kind),
            Some(RepairKind::UnquotedKey | RepairKind::StrayText | RepairKind::UnquotedString)
        );
        if outer.complete || !(guessed || prose) {
            return;
        }
        let mut index = outer.root + 1;
        while (index as usize) < self.tape.nodes.len() {
            let node = self.tape.nodes[index as usize];
            if node.is_container() && !node.has(flag::TRUNCATED | flag::SIDE) {
                let span = Span::new(node.start, node.end);
                let within = |at: Span| at.start >= span.start && at.end <= span.end;
                let repairs = &self.tape.repairs[outer.repairs.clone()];
                let first = repairs
                    .iter()
                    .position(|r| within(r.span))
                    .unwrap_or(repairs.len());
                let count = repairs[first..]
                    .iter()
                    .take_while(|r| within(r.span))
                    .count();
                let start = outer.repairs.start + first;
                found.add(Reading {
                    root: index,
                    span,
                    complete: true,
                    fenced: false,
                    thought: false,
                    group: 0,
                    repairs: start..start + count,
                    notes: outer.notes.end..outer.notes.end,
                });
                if found.candidates.len() + 1 >= self.limits.candidates as usize {
                    return;
                }
            }
            index = self.tape.after(index);
        }
    }

    /// Whether what follows an opening bracket looks like the inside of a value.
    fn plausible(&self, at: usize) -> bool {
        let object = self.bytes[at] == b'{';
        let (byte, k) = self.beyond_gaps(at + 1);
        if k >= self.bytes.len() {
            return true;
        }
        match byte {
            b'{' | b'[' => self.plausible_inner(k),
            b'"' | b'\'' | b'\\' => true,
            b'`' | b'~' => self.fence_at(k) || object && self.key_ahead(k),
            b'}' => object,
            b']' => !object,
            b',' | b'.' => !object || self.bytes[k..].starts_with(b"...") || byte == b',',
            _ if object => {
                quote_at(self.text, k).is_some() || self.key_ahead(k) || self.set_ahead(k)
            }
            b'-' | b'+' | b'0'..=b'9' | b'(' => true,
            _ => quote_at(self.text, k).is_some() || self.list_ahead(k),
        }
    }

    /// One look at a bracket inside a bracket, so that runs of them cost no more than their length.
    fn plausible_inner(&self, k: usize) -> bool {
        let mut at = k;
        while matches!(peek(self.bytes, at), b'{' | b'[') && at - k < super::gap::LOOK_AHEAD {
            at = skip_space(self.bytes, at + 1).1;
        }
        let object = self.bytes[k] == b'{';
        let byte = peek(self.bytes, at);
        !byte.is_ascii_alphabetic() || object && self.key_ahead(at) || self.list_ahead(at)
    }

    /// Whether a list without quotes stands at `k`: at least one comma or keyword before its end.
    fn list_ahead(&self, k: usize) -> bool {
        let window = self.window(k);
        let end = window.find([',', ']', '\n', '(']).unwrap_or(window.len());
        let word = window[..end].trim();
        window[end..].starts_with(',') && word.split(' ').count() <= 3
            || keyword(word.as_bytes()).is_some_and(|(_, length)| length == word.len())
            || matches!(word, "True" | "False" | "None" | "undefined")
            || window[end..].starts_with('(') && self.text[k..].starts_with(char::is_alphabetic)
    }

    fn set_ahead(&self, k: usize) -> bool {
        let window = self.window(k);
        let end = window.find([',', '}', '\n', '=']).unwrap_or(window.len());
        window[end..].starts_with([',', '=']) && window[..end].trim().split(' ').count() <= 2
    }

    /// Passes over a code fence and the language behind it.
    fn pass_fence(&mut self, found: &mut Found, at: usize) -> usize {
        let mark = self.bytes[at];
        let length = self.bytes[at..]
            .iter()
            .take_while(|&&byte| byte == mark)
            .count();
        found.fence = match found.fence {
            Some(_) => None,
            None => Some(at),
        };
        let language =
            |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'_');
        at + length
            + self.bytes[at + length..]
                .iter()
                .take_while(language)
                .count()
    }

    /// Passes over `<` and, where it begins a tag that matters, the tag.
    fn pass_tag(&mut self, found: &mut Found, at: usize) -> usize {
        let Some((closing, name, end)) = tag(self.text, at) else {
            return at + 1;
        };
        if is_reasoning(name) {
            if closing {
                if found.thinking.is_none() {
                    // The opening tag is not in the text: all before was reasoning.
                    for candidate in &mut found.candidates {
                        candidate.thought = true;
                    }
                }
                found.thinking = None;
            } else {
                found.thinking = found.thinking.or(Some(at));
            }
        }
        end
    }

    /// Members without braces around them: the reply begins with a name and a colon.
    fn bare_members(&mut self) -> Option<Reading> {
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
        let here = Here {
            current: 0,
            object: true,
            count: 0,
        };
        let read = match self.key(here, start) {
            super::Keyed::Member(key, at) => self.read_on(here, key, at),
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
        let read = super::Read { complete, ..read };
        Some(Reading {
            fenced,
            ..self.candidate(start, read, 0, 0, 0)
        })
    }

    /// A text that is one string, damaged only inside.
    fn quoted_whole(&mut self) -> Option<bool> {
        let (byte, k) = skip_space(self.bytes, 0);
        let quoted = scan::quoted(self.bytes, k + 1).filter(|_| byte == b'"')?;
        let mut end = quoted.end;
        if skip_space(self.bytes, end + 1).1 < self.bytes.len() {
            // A quote with more text right behind it is one inside, if another ends the line.
            let line = self.text[k..].trim_end();
            let next = peek(self.bytes, end + 1);
            let inner = !line.contains('\n')
                && line.ends_with('"')
                && (next.is_ascii_alphanumeric() || matches!(next, b']' | b'}' | b')'));
            if !inner {
                return None;
            }
            end = k + line.len() - 1;
            self.repair(RepairKind::InnerQuote, k + 1, end);
        }
        let mut node = scalar(KeySpan::NONE, Tag::String, k + 1, end);
        node.flags = self.inspect_all(k + 1, end);
        self.tape.root = self.tape.nodes.len() as u32;
        self.tape.nodes.push(node);
        Some(true)
    }

    /// `{\"a\": 1}`: a container whose quotes are escaped.
    fn escaped_container(&mut self, found: &mut Found, at: usize) -> Option<usize> {
        self.is_escaped(at)
            .then(|| self.escaped_document(found, at))
    }

    fn is_escaped(&self, at: usize) -> bool {
        let (byte, k) = self.beyond_gaps(at + 1);
        let inner = if matches!(byte, b'{' | b'[') {
            skip_space(self.bytes, k + 1).1
        } else {
            k
        };
        let escaped = |k: usize| self.bytes[k.min(self.bytes.len())..].starts_with(b"\\\"");
        escaped(k) || escaped(inner)
    }

    /// Takes one level of escapes off the rest of the text and reads the value there.
    fn escaped_document(&mut self, found: &mut Found, at: usize) -> usize {
        if found.unescaped {
            return at + 1;
        }
        found.unescaped = true;
        let rest = &self.text[at..];
        let decoded = crate::escape::decode(rest);
        let mut inner = crate::node::Tape::default();
        let mut scratch = super::Scratch::default();
        let mut reader = Reader::new(&decoded, &mut inner, self.limits, &mut scratch);
        reader.nested = true;
        let scalar = decoded.starts_with('"');
        let read = if scalar {
            let complete = reader.reply();
            super::Read {
                end: decoded.len(),
                complete,
            }
        } else {
            let read = reader.value(0);
            reader.tape.root = 0;
            read
        };
        if reader.limit.is_some() || inner.nodes.is_empty() || inner.root == NONE {
            return at + 1;
        }
        let (side, _) = self.tape.put_side(&decoded);
        let source = super::Source::Side(Span::new(side, side + decoded.len() as u32));
        let (repairs, notes) = (self.tape.repairs.len(), self.tape.notes.len());
        let root = super::graft(self.tape, &inner, source);
        let end = at + encoded_length(rest, read.end);
        self.repair(RepairKind::EscapedDocument, at, end);
        let kinds: Vec<_> = inner.repairs.iter().map(|repair| repair.kind).collect();
        for kind in kinds {
            self.repair(kind, at, end);
        }
        let read = super::Read {
            end,
            complete: read.complete,
        };
        found.add(Reading {
            root,
            ..self.candidate(at, read, 0, repairs, notes)
        });
        end.max(at + 1)
    }

    /// A reply without containers: one scalar, perhaps fenced, quoted otherwise or cut.
    fn scalar_reply(&mut self, found: &Found) -> Option<bool> {
        let (start, end) = self.bare_reply(found)?;
        let (mut byte, mut k) = skip_space(self.bytes, start);
        while k < end
            && let Some(next) = self.gap(k)
        {
            (byte, k) = skip_space(self.bytes, next);
        }
        if k >= end {
            return None;
        }
        let text = self.text[k..end].trim_end();
        let text = text.trim_end_matches([',', ';']).trim_end();
        let stop = k + text.len();
        let root = self.tape.nodes.len();
        if let Some(complete) = self.list_reply(k, stop) {
            return Some(complete);
        }
        let read = match quote_at(self.text, k) {
            Some(quote) => self.quoted_reply(k, stop, quote),
            None if byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.') => {
                self.number_reply(k, stop)
            }
            None => self.word_reply(k, stop),
        };
        let (node, complete) = read?;
        self.tape.nodes.push(node);
        self.tape.root = root as u32;
        self.record_around(Span::of(k, stop));
        Some(complete)
    }

    /// The part of the reply that is no fence and no reasoning, if there is just one.
    fn bare_reply(&self, found: &Found) -> Option<(usize, usize)> {
        let mut start = 0;
        let mut end = self.bytes.len();
        if found.thinking.is_some() {
            return None;
        }
        if let Some(close) = self.last_reasoning() {
            start = close;
        }
        let (_, k) = skip_space(self.bytes, start);
        if self.fence_at(k) {
            let line = memchr::memchr(b'\n', &self.bytes[k..]).map(|line| k + line)?;
            let close = self.text[line..]
                .find("\n```")
                .or_else(|| self.text[line..].find("\n~~~"));
            let language = self.text[k..line].trim_start_matches(['`', '~']).trim();
            if language.contains([' ', '"']) {
                return None;
            }
            if let Some(close) = close {
                end = line + close;
                let rest = self.text[end..].trim_matches(['\n', '`', '~', ' ', '\r', '\t']);
                if !rest.is_empty() {
                    return None;
                }
            }
            start = line;
        }
        Some((start, end))
    }

    fn last_reasoning(&self) -> Option<usize> {
        let mut last = None;
        for at in memchr::memchr_iter(b'<', self.bytes) {
            if let Some((true, name, end)) = tag(self.text, at)
                && is_reasoning(name)
            {
                last = Some(end);
            }
        }
        last
    }

    /// A string on its own: the last quote ends it. Without one the text was cut.
    fn quoted_reply(&mut self, k: usize, stop: usize, quote: char) -> Option<(Node, bool)> {
        let start = k + quote.len_utf8();
        let inside = self.text.get(start..stop)?;
        if let Some(joined) = self.joined_reply(k, stop) {
            return Some(joined);
        }
        let closed = quote_at(
            inside,
            inside.char_indices().next_back().map_or(0, |(at, _)| at),
        );
        let escaped = inside.strip_suffix('"').is_some_and(|text| {
            text.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1
        });
        if let Some(close) = closed.filter(|_| !escaped && !inside.is_empty()) {
            let end = stop - close.len_utf8();
            let inner = &self.text[start..end];
            if quote != '"' {
                self.repair(RepairKind::OtherQuotes, k, stop);
            } else if close != '"' {
                return None;
            }
            if quote == '"' && scan::closing_quote(self.bytes, start, start)? < end {
                // Inner quotes: prose about a quotation is no string.
                if inner.contains("\n\n") {
                    return None;
                }
                self.repair(RepairKind::InnerQuote, start, end);
            }
            let mut node = scalar(KeySpan::NONE, Tag::String, start, end);
            node.flags = self.inspect_all(start, end);
            return Some((node, true));
        }
        let inner = match quote {
            '"' => scan::closing_quote(self.bytes, start, start).is_some_and(|at| at < stop),
            _ => inside.contains(quote) && !escaped,
        };
        if inner {
            return None;
        }
        if quote != '"' {
            self.repair(RepairKind::OtherQuotes, k, start);
        }
        let found = self.unclosed_string(Here::OUTSIDE, super::quote::Place::Item, start);
        let mut node = scalar(KeySpan::NONE, Tag::String, found.start, found.end);
        node.flags = found.flags;
        Some((node, false))
    }

    /// `"a" + "b"`.
    fn joined_reply(&mut self, k: usize, stop: usize) -> Option<(Node, bool)> {
        let quoted = scan::quoted(self.bytes, k + 1).filter(|_| self.bytes[k] == b'"')?;
        let plus = |at: usize| {
            let (byte, plus) = skip_space(self.bytes, at);
            let next = self.beyond_gaps(plus + 1).1;
            (byte == b'+' && next < stop && quote_at(self.text, next).is_some()).then_some(next)
        };
        let mut next = plus(quoted.end + 1)?;
        let last = self.tape.nodes.len();
        let mut first = scalar(KeySpan::NONE, Tag::String, k + 1, quoted.end);
        first.flags = quoted.flags;
        self.tape.nodes.push(first);
        loop {
            let quote = quote_at(self.text, next)?;
            let super::Next::Again(_, end) = self.join(Here::OUTSIDE, last, next, quote) else {
                return None;
            };
            let (byte, plus) = skip_space(self.bytes, end);
            if byte != b'+' {
                break;
            }
            next = self.beyond_gaps(plus + 1).1;
        }
        let node = self.tape.nodes.pop()?;
        Some((node, !node.has(flag::TRUNCATED)))
    }

    /// Scalars one after another, parted by commas or line breaks.
    fn list_reply(&mut self, k: usize, stop: usize) -> Option<bool> {
        let text = &self.text[k..stop];
        let mut items = Vec::new();
        for part in text.split([',', '\n']) {
            let item = part.trim();
            let start = k + (item.as_ptr() as usize - text.as_ptr() as usize);
            let end = start + item.len();
            let node = if number::is_json(item) {
                scalar(KeySpan::NONE, crate::edit::number_tag(item), start, end)
            } else {
                let (tag, _) =
                    keyword(item.as_bytes()).filter(|&(_, length)| length == item.len())?;
                scalar(KeySpan::NONE, tag, start, end)
            };
            items.push(node);
        }
        if items.len() < 2 {
            return None;
        }
        let mut list = scalar(KeySpan::NONE, Tag::Array, k, stop);
        list.count = super::saturate(items.len() as u32);
        self.tape.root = self.tape.nodes.len() as u32;
        list.next = self.tape.root + 1 + items.len() as u32;
        self.tape.nodes.push(list);
        self.tape.nodes.extend(items);
        self.repair(RepairKind::SeveralValues, k, stop);
        self.record_around(Span::of(k, stop));
        Some(true)
    }

    fn number_reply(&mut self, k: usize, stop: usize) -> Option<(Node, bool)> {
        let text = &self.text[k..stop];
        if number::is_json(text) {
            let tag = crate::edit::number_tag(text);
            return Some((scalar(KeySpan::NONE, tag, k, stop), true));
        }
        if let Some(number) = super::word::cut_number(text) {
            self.repair(RepairKind::CutNumber, k + number.len(), stop);
            let tag = crate::edit::number_tag(number);
            let mut node = scalar(KeySpan::NONE, tag, k, k + number.len());
            node.flags = flag::TRUNCATED;
            return Some((node, false));
        }
        if !text.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let single = !text.contains([' ', '\n', ',', ':']) || number_like(text);
        let node = scalar(KeySpan::NONE, Tag::Null, k, stop);
        match self.word(node, k, stop, stop) {
            Odd::Scalar(node, _) if single => Some((node, true)),
            _ => {
                self.tape.repairs.pop();
                None
            }
        }
    }

    fn word_reply(&mut self, k: usize, stop: usize) -> Option<(Node, bool)> {
        let text = &self.text[k..stop];
        let (word, kind) = super::word::classify(text);
        let tag = match word {
            super::word::Word::Null => Tag::Null,
            super::word::Word::Bool(true) => Tag::True,
            super::word::Word::Bool(false) => Tag::False,
            _ if kind == RepairKind::NotANumber => Tag::String,
            _ => return self.cut_or_wrapped(k, stop),
        };
        if !matches!(text, "null" | "true" | "false") {
            self.repair(kind, k, stop);
        }
        Some((scalar(KeySpan::NONE, tag, k, stop), true))
    }

    fn cut_or_wrapped(&mut self, k: usize, stop: usize) -> Option<(Node, bool)> {
        let text = &self.text[k..stop];
        if let Some(tag) = super::word::cut_keyword(text).filter(|_| stop == self.bytes.len()) {
            self.repair(RepairKind::CutKeyword, k, stop);
            let mut node = scalar(KeySpan::NONE, tag, k, stop);
            node.flags = flag::TRUNCATED;
            return Some((node, false));
        }
        // `callback(2);`
        let name = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
        let inside = text[name..]
            .trim_start()
            .strip_prefix('(')?
            .strip_suffix(')')?;
        let value = inside.trim();
        let start = k + (value.as_ptr() as usize - text.as_ptr() as usize);
        let end = start + value.len();
        let first = *value.as_bytes().first()?;
        let node = if number::is_json(value) {
            scalar(KeySpan::NONE, crate::edit::number_tag(value), start, end)
        } else if let Some((tag, length)) = keyword(value.as_bytes()) {
            if length != value.len() {
                return None;
            }
            scalar(KeySpan::NONE, tag, start, end)
        } else if first == b'"' && scan::quoted(self.bytes, start + 1)?.end + 1 == end {
            let mut node = scalar(KeySpan::NONE, Tag::String, start + 1, end - 1);
            node.flags = self.inspect_all(start + 1, end - 1);
            node
        } else {
            return None;
        };
        self.repair(RepairKind::Wrapper, k, start);
        Some((node, true))
    }

    /// Makes the best candidate the value and records what was passed over for it.
    fn choose(&mut self, mut found: Found) -> bool {
        self.group(&mut found);
        let guessed: Vec<bool> = found
            .candidates
            .iter()
            .map(|one| self.guessed(one))
            .collect();
        let mut order: Vec<usize> = (0..found.candidates.len()).collect();
        // Not every pair is in order by the same rule, so the best is picked first, then the best
        // of the rest; there are few.
        for place in 0..order.len() {
            for next in place + 1..order.len() {
                let (one, other) = (order[next], order[place]);
                let candidates = &found.candidates;
                let better = self.beats(
                    (&candidates[one], guessed[one]),
                    (&candidates[other], guessed[other]),
                );
                if better {
                    order.swap(place, next);
                }
            }
        }
        let mut all = Vec::with_capacity(order.len());
        for index in order {
            all.push(found.candidates[index].clone());
        }
        let repairs = core::mem::take(&mut self.tape.repairs);
        let notes = core::mem::take(&mut self.tape.notes);
        self.readings = Readings {
            all,
            chosen: NONE,
            repairs,
            notes,
        };
        self.apply(0)
    }

    /// Makes one of the readings the value. Returns whether it is complete.
    fn apply(&mut self, index: usize) -> bool {
        let chosen = self.readings.all[index].clone();
        self.tape.repairs.clear();
        self.tape.notes.clear();
        let mut repairs = self.readings.repairs[chosen.repairs.clone()].to_vec();
        let mut notes = self.readings.notes[chosen.notes.clone()].to_vec();
        self.tape.repairs.append(&mut repairs);
        self.tape.notes.append(&mut notes);
        self.tape.root = chosen.root;
        self.readings.chosen = chosen.root;
        self.wrappers = 0;
        for index in 0..self.readings.all.len() {
            let other = &self.readings.all[index];
            let apart = other.span.end <= chosen.span.start || other.span.start >= chosen.span.end;
            if apart && !other.thought {
                let (start, end) = (other.span.start as usize, other.span.end as usize);
                self.note(NoteKind::OtherValue, start, end);
            }
        }
        self.record_around(chosen.span);
        self.tape.repairs.sort_by_key(|repair| repair.span.start);
        chosen.complete
    }

    /// Whether reading a candidate took a guess.
    fn guessed(&self, candidate: &Reading) -> bool {
        self.tape.repairs[candidate.repairs.clone()]
            .iter()
            .any(|repair| repair.kind.class() == crate::Class::Guess)
    }

    /// Runs of values with nothing between them are one list.
    fn group(&mut self, found: &mut Found) {
        let candidates = &found.candidates;
        let mut groups = Vec::new();
        let mut start = 0;
        for index in 1..=candidates.len() {
            let joined = index < candidates.len() && {
                let (last, next) = (&candidates[index - 1], &candidates[index]);
                last.thought == next.thought
                    && last.complete
                    && last.span.end <= next.span.start
                    && self.nothing_between(last.span.end as usize, next.span.start as usize)
            };
            if !joined {
                if index - start > 1 {
                    groups.push(start..index);
                }
                start = index;
            }
        }
        for (number, group) in groups.into_iter().enumerate() {
            for member in &mut found.candidates[group.clone()] {
                member.group = number as u32 + 1;
            }
            self.add_list(found, group);
        }
    }

    fn add_list(&mut self, found: &mut Found, group: Range<usize>) {
        let members = &found.candidates[group.clone()];
        let (first, last) = (members[0].clone(), members[members.len() - 1].clone());
        let texts = |candidate: &Reading| &self.text[candidate.span.range()];
        let repeated = members.iter().all(|member| texts(member) == texts(&first));
        if repeated && self.substantial(first.root) {
            return;
        }
        let roots: Vec<u32> = members.iter().map(|member| member.root).collect();
        let (start, end) = (first.span.start as usize, last.span.end as usize);
        let list = self.tape.nodes.len() as u32;
        let mut node = scalar(KeySpan::NONE, Tag::Array, start, end);
        node.count = super::saturate(roots.len() as u32);
        node.next = list + 1 + roots.len() as u32;
        self.tape.nodes.push(node);
        for root in roots {
            let mut reference = scalar(KeySpan::NONE, Tag::Reference, 0, 0);
            reference.next = root;
            self.tape.nodes.push(reference);
        }
        let at = last.repairs.end;
        let span = Span::of(start, end);
        let kind = RepairKind::SeveralValues;
        self.tape.repairs.insert(at, crate::Repair { kind, span });
        for candidate in &mut found.candidates[group.end..] {
            candidate.repairs = candidate.repairs.start + 1..candidate.repairs.end + 1;
        }
        found.candidates.push(Reading {
            root: list,
            span,
            complete: last.complete,
            fenced: first.fenced,
            thought: first.thought,
            group: 0,
            repairs: first.repairs.start..at + 1,
            notes: first.notes.start..last.notes.end,
        });
    }

    /// Whether only white space, commas, comments, fences and tags part two values.
    fn nothing_between(&self, start: usize, end: usize) -> bool {
        let mut at = start;
        while at < end {
            let (byte, k) = self.beyond_gaps(at);
            if k >= end {
                return true;
            }
            at = match byte {
                b',' | b';' => k + 1,
                b'`' | b'~' if self.fence_at(k) => {
                    let word = |c: char| c == '`' || c == '~' || c.is_ascii_alphanumeric();
                    self.text[k..]
                        .find(|c| !word(c))
                        .map_or(end, |length| k + length)
                }
                b'<' => match tag(self.text, k) {
                    Some((_, _, next)) => next,
                    None => return false,
                },
                _ => return false,
            };
        }
        true
    }

    /// Whether one candidate is the better reading of the reply than another.
    fn beats(
        &self,
        (one, one_guessed): (&Reading, bool),
        (other, other_guessed): (&Reading, bool),
    ) -> bool {
        let order = |a: bool, b: bool| (a != b).then_some(a);
        let substantial = |candidate: &Reading| self.substantial(candidate.root);
        let inside = |inner: &Reading, outer: &Reading| {
            inner.span.start >= outer.span.start
                && inner.span.end <= outer.span.end
                && inner.span != outer.span
        };
        let larger = |a: &Reading, b: &Reading| a.span.len() >= 2 * b.span.len().max(1);
        order(!one.thought, !other.thought)
            .or_else(|| order(one.fenced, other.fenced))
            .or_else(|| order(substantial(one), substantial(other)))
            .or_else(|| {
                // A list beats what it holds; a whole value beats what never closes around it.
                if inside(one, other) {
                    Some(one.complete && !other.complete)
                } else if inside(other, one) {
                    Some(one.complete || !other.complete)
                } else {
                    None
                }
            })
            .or_else(|| {
                let same = one.group != 0 && one.group == other.group;
                same.then_some(one.span.start < other.span.start)
            })
            .or_else(|| order(larger(one, other), larger(other, one)))
            .or_else(|| order(!one_guessed, !other_guessed))
            .unwrap_or(one.span.start >= other.span.start)
    }

    /// Whether a container holds more than nothing or one bare item.
    fn substantial(&self, root: u32) -> bool {
        let node = &self.tape.nodes[root as usize];
        match node.tag {
            Tag::Object => node.count > 0,
            Tag::Array if node.count == 1 => {
                let mut child = root as usize + 1;
                if self.tape.nodes[child].tag == Tag::Reference {
                    child = self.tape.nodes[child].next as usize;
                }
                self.tape.nodes[child].is_container()
                    || self.tape.nodes[child].tag == Tag::String
                        && peek(self.bytes, self.tape.nodes[child].end as usize) == b'"'
            }
            Tag::Array => node.count > 1,
            _ => true,
        }
    }

    /// Records what stands around the value, piece by piece.
    fn record_around(&mut self, value: Span) {
        if self.nested {
            return;
        }
        self.record_text(0, value.start as usize, false);
        self.record_text(value.end as usize, self.bytes.len(), true);
    }

    fn record_text(&mut self, start: usize, end: usize, behind: bool) {
        let mut at = start;
        let mut directly = behind;
        while at < end {
            let (byte, k) = skip_space(self.bytes, at);
            if k >= end {
                return;
            }
            if byte == b'#' {
                at = self.plain_text(k, end);
                continue;
            }
            if let Some(next) = self.gap(k) {
                at = next;
                continue;
            }
            at = match byte {
                b'`' | b'~' if self.fence_at(k) => {
                    let line = memchr::memchr(b'\n', &self.bytes[k..end]).map_or(end, |l| k + l);
                    self.repair(RepairKind::CodeFence, k, line);
                    line
                }
                b'}' | b']' | b')' if directly => {
                    if self.wrappers > 0 && byte == b')' {
                        self.wrappers -= 1;
                    } else {
                        self.repair(RepairKind::ExtraCloser, k, k + 1);
                    }
                    at = k + 1;
                    continue;
                }
                b',' | b';' if directly => {
                    self.repair(RepairKind::ExtraComma, k, k + 1);
                    k + 1
                }
                b'<' => self.record_tag(k, end),
                _ => self.plain_text(k, end),
            };
            directly = false;
        }
    }

    fn record_tag(&mut self, k: usize, end: usize) -> usize {
        let Some((closing, name, next)) = tag(self.text, k) else {
            return self.plain_text(k, end);
        };
        if !is_reasoning(name) || closing {
            self.repair(RepairKind::TemplateToken, k, next.min(end));
            return next.min(end);
        }
        let close = memchr::memmem::find(&self.bytes[next..end], b"</").map(|at| next + at);
        let close = close
            .and_then(|at| tag(self.text, at))
            .map_or(end, |(_, _, end)| end);
        self.repair(RepairKind::ReasoningBlock, k, close.min(end));
        close.min(end)
    }

    /// Records text up to the next fence or tag.
    fn plain_text(&mut self, k: usize, end: usize) -> usize {
        let mut at = k + 1;
        while at < end {
            match self.bytes[at] {
                b'`' if self.fence_at(at) => break,
                b'<' if tag(self.text, at).is_some() => break,
                _ => at += 1,
            }
        }
        while !self.text.is_char_boundary(at) {
            at += 1;
        }
        let text = self.text[k..at].trim_end();
        self.repair(RepairKind::SurroundingText, k, k + text.len());
        at
    }
}

/// Makes another reading the document's value.
pub(crate) fn apply_reading(document: &mut Document<'_>, index: usize) {
    let mut scratch = super::Scratch::default();
    let limits = crate::Limits::DEFAULT;
    let mut reader = Reader::new(&document.text, &mut document.tape, &limits, &mut scratch);
    reader.readings = core::mem::take(&mut document.readings);
    let complete = reader.apply(index);
    document.readings = reader.readings;
    document.complete = complete;
}

/// Which opening brackets begin a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opener {
    /// Those behind which the inside of a value follows.
    Plausible,
    /// All.
    Any,
}

/// What has been found in a reply so far.
#[derive(Default)]
struct Found {
    candidates: Vec<Reading>,
    /// The open fence.
    fence: Option<usize>,
    /// The open block of reasoning.
    thinking: Option<usize>,
    /// Some opening bracket was passed over.
    doubtful: bool,
    /// Escapes have been taken off once.
    unescaped: bool,
}

impl Found {
    fn add(&mut self, mut candidate: Reading) {
        candidate.fenced |= self.fence.is_some();
        candidate.thought |= self.thinking.is_some();
        self.candidates.push(candidate);
    }
}

/// A tag or special token at `at`: whether it closes, its name, and where it ends.
fn tag(text: &str, at: usize) -> Option<(bool, &str, usize)> {
    let rest = text.get(at..)?.strip_prefix('<')?;
    if let Some(special) = rest.strip_prefix('|').or_else(|| rest.strip_prefix('｜')) {
        let end = special.find('>').filter(|&end| end < 80)?;
        return Some((
            false,
            &special[..end],
            at + (rest.len() - special.len()) + 1 + end + 1,
        ));
    }
    let (closing, rest) = match rest.strip_prefix('/') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let name_end =
        rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | ':' | '.'))?;
    if name_end == 0 || !rest.as_bytes()[0].is_ascii_alphabetic() {
        return None;
    }
    let mut window = rest.len().min(200);
    while !rest.is_char_boundary(window) {
        window -= 1;
    }
    let end = rest[..window].find('>')?;
    if rest[..end].contains(['<', '{', '\n']) {
        return None;
    }
    Some((
        closing,
        &rest[..name_end],
        at + 1 + usize::from(closing) + end + 1,
    ))
}

fn is_reasoning(name: &str) -> bool {
    [
        "think",
        "thinking",
        "thought",
        "thoughts",
        "reasoning",
        "reflection",
        "analysis",
        "scratchpad",
    ]
    .iter()
    .any(|known| name.eq_ignore_ascii_case(known))
}

/// The keyword at the beginning, and its length.
fn keyword(bytes: &[u8]) -> Option<(Tag, usize)> {
    [
        (&b"true"[..], Tag::True),
        (b"false", Tag::False),
        (b"null", Tag::Null),
    ]
    .into_iter()
    .find(|(word, _)| bytes.starts_with(word))
    .map(|(word, tag)| (tag, word.len()))
}

/// Whether a text of digits and signs may be one value: a date, a version, an identifier.
fn number_like(text: &str) -> bool {
    text.len() <= 64
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-+.:/_".contains(&byte))
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

/// How much of `text` one level of escapes takes to yield `length` bytes.
fn encoded_length(text: &str, length: usize) -> usize {
    let mut pieces = crate::escape::Pieces::new(text);
    let mut decoded = 0;
    while let Some((at, piece, _)) = pieces.next() {
        if decoded >= length {
            return at;
        }
        decoded += match piece {
            crate::escape::Piece::Text(piece) => {
                let room = length - decoded;
                if piece.len() >= room {
                    return at + room;
                }
                piece.len()
            }
            crate::escape::Piece::Char(character) => character.len_utf8(),
        };
    }
    text.len()
}
