//! What stands behind a value and is neither a comma nor the closer that fits.

use super::gap::LOOK_AHEAD;
use super::quote::{End, Found, quote_at};
use super::{Here, KeySpan, Next, Node, Reader};
use crate::node::{NONE, Tag, flag};
use crate::repair::RepairKind;
use crate::scan::{peek, skip_space};

/// How often a root that was closed too early is opened again. Each time its names are compared
/// anew, so this keeps reading linear.
const REOPENED_MAX: u32 = 16;

impl Reader<'_> {
    /// `byte` at `k` follows a value in an open container.
    #[cold]
    #[inline(never)]
    pub(super) fn odd_after(&mut self, here: Here, byte: u8, k: usize) -> Next {
        if k >= self.bytes.len() {
            return Next::End(here, k);
        }
        if let Some(end) = self.gap(k) {
            return Next::Again(here, end);
        }
        match byte {
            b')' if self.quoted_bracket(here, k) => {}
            b'}' | b']' | b')' => return self.odd_closer(here, byte, k),
            b'`' | b'~' if self.fence_at(k) => return self.fence_after(here, k),
            b'<' if self.tag_at(k) => return Next::End(here, k),
            _ => {}
        }
        if let Some(length) = self.comma_like(k) {
            self.repair(RepairKind::OddSeparator, k, k + length);
            return Next::Child(here, k + length);
        }
        if byte == b':' && !here.object && here.count == 1 {
            return self.becomes_object(here, k);
        }
        if here.count > 0
            && let Some(next) = self.last_goes_on(here, byte, k)
        {
            return next;
        }
        if byte == b')' {
            return self.odd_closer(here, byte, k);
        }
        if self.bytes[k..].starts_with(b"...") {
            self.repair(RepairKind::Ellipsis, k, k + 3);
            return Next::Again(here, k + 3);
        }
        if here.object {
            self.after_member(here, byte, k)
        } else {
            self.after_item(here, byte, k)
        }
    }

    /// Length of a sign at `k` that stands for a comma.
    fn comma_like(&self, k: usize) -> Option<usize> {
        let rest = &self.text[k..];
        [";", "，", "；", "、", "﹐"]
            .into_iter()
            .find(|sign| rest.starts_with(sign))
            .map(str::len)
    }

    /// A fence behind a value: noise if the closers that are missing follow it, else the end.
    fn fence_after(&mut self, here: Here, k: usize) -> Next {
        let end = self.text[k..]
            .find(|c| c != '`' && c != '~')
            .map_or(self.bytes.len(), |l| k + l);
        let (byte, _) = skip_space(self.bytes, end);
        if byte == self.closer_of(here.current) {
            self.repair(RepairKind::CodeFence, k, end);
            return Next::Again(here, end);
        }
        Next::End(here, k)
    }

    fn after_member(&mut self, here: Here, byte: u8, k: usize) -> Next {
        if self.key_ahead(k)
            || self.key_on_line(k)
            || byte == b'"'
            || quote_at(self.text, k).is_some()
        {
            self.repair(RepairKind::MissingComma, k, k);
            return Next::Child(here, k);
        }
        if byte == b'{'
            && self
                .parent(here)
                .is_some_and(|parent| !self.is_object(parent))
        {
            self.repair(RepairKind::MissingCloser, k, k);
            let outer = self.close(here, k);
            return Next::Again(outer, k);
        }
        self.stray_after(here, k)
    }

    /// Whether a line begins at `k` with a name and a colon.
    fn key_on_line(&self, k: usize) -> bool {
        let before = self.text[..k].trim_end_matches([' ', '\t', '\r']);
        before.ends_with('\n') && self.name_ahead(k)
    }

    fn after_item(&mut self, here: Here, byte: u8, k: usize) -> Next {
        if byte == b':' || byte == b'=' {
            return self.stray_after(here, k);
        }
        self.repair(RepairKind::MissingComma, k, k);
        Next::Child(here, k)
    }

    /// Whether `)` behind a string is text: no round bracket is open.
    fn quoted_bracket(&self, here: Here, k: usize) -> bool {
        let last = self.tape.nodes.last().map(|node| node.tag);
        self.wrappers == 0
            && last == Some(Tag::String)
            && self.quote_before(k)
            && !self.encloses(here, b')')
    }

    /// `["a": 1]`: members in square brackets. The only item becomes an object whose first name
    /// it was.
    fn becomes_object(&mut self, here: Here, colon: usize) -> Next {
        let last = here.current as usize + 1;
        let item = self.tape.nodes[last];
        let only = last + 1 == self.tape.nodes.len() && item.tag == Tag::String;
        if !only || item.has(flag::SIDE) || self.depth >= self.limits.depth {
            return self.stray_after(here, colon);
        }
        let list = &mut self.tape.nodes[here.current as usize];
        list.count = 1;
        let opener = list.start as usize;
        self.repair(RepairKind::BracketedMembers, opener, opener + 1);
        let flags = if item.has(flag::ESCAPED) {
            flag::KEY_ESCAPED
        } else {
            0
        };
        let key = KeySpan {
            start: item.start,
            end: item.end,
            flags,
        };
        let begin = item.start as usize - 1;
        let mut object = scalar(KeySpan::NONE, Tag::Object, begin, begin);
        object.next = here.current;
        self.tape.nodes[last] = object;
        self.depth += 1;
        Next::Member(
            Here {
                current: last as u32,
                object: true,
                count: 0,
            },
            key,
            colon + 1,
        )
    }

    /// Passes over what cannot be read, up to where something may stand again.
    fn stray_after(&mut self, here: Here, k: usize) -> Next {
        let rest = &self.text[k..];
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length = rest[first..]
            .find([',', '}', ']', '\n'])
            .map_or(rest.len(), |length| length + first);
        self.repair(RepairKind::StrayText, k, k + length);
        Next::Again(here, k + length)
    }

    /// The value read last seems to go on at `k`: more of a string, of a number, of a word.
    fn last_goes_on(&mut self, here: Here, byte: u8, k: usize) -> Option<Next> {
        let last = self.tape.nodes.len() - 1;
        let node = self.tape.nodes[last];
        match node.tag {
            Tag::String => self.string_goes_on(here, last, byte, k),
            Tag::Integer | Tag::Float | Tag::True | Tag::False | Tag::Null
                if !node.has(flag::SIDE) =>
            {
                self.word_goes_on(here, last, byte, k)
            }
            _ => None,
        }
    }

    fn string_goes_on(&mut self, here: Here, last: usize, byte: u8, k: usize) -> Option<Next> {
        let node = self.tape.nodes[last];
        let place = Self::place(here);
        let quote = quote_at(self.text, k);
        if byte == b'+' && self.quote_before(k) {
            let (_, next) = self.beyond_gaps(k + 1);
            return Some(match quote_at(self.text, next) {
                Some(quote) => self.join(here, last, next, quote),
                None => self.stray_after(here, k),
            });
        }
        if !self.quote_before(k) {
            return None;
        }
        if node.has(flag::SIDE) {
            return quote
                .filter(|_| here.object && !self.key_ahead(k))
                .map(|quote| self.join(here, last, k, quote));
        }
        let (start, first) = (node.start as usize, node.end as usize);
        if let Some(next) = self.triple_quoted(here, last, k) {
            return Some(next);
        }
        let double =
            start > 0 && peek(self.bytes, start - 1) == b'"' && peek(self.bytes, first) == b'"';
        // A string whose own quote is missing ends where the next one begins.
        let between = self.text.get(first + 1..k);
        let adjacent = double && between.is_some_and(|text| text.trim().is_empty());
        if !adjacent {
            return quote
                .filter(|_| here.object && !self.key_ahead(k))
                .map(|quote| self.join(here, last, k, quote));
        }
        if self.fits(here, place, first + 1) {
            return None;
        }
        match self.true_end(here, place, start, first) {
            End::Closed(end) if end > first => {
                if first == start && self.doubled_quote(start, end) {
                    return Some(self.drop_doubled(here, last, end));
                }
                self.extend_last(last, start, end);
                Some(Next::Again(here, end + 1))
            }
            End::MissingQuote(end, next) if end != start => {
                self.repair(RepairKind::MissingQuote, end, end);
                self.end_last(last, start, end);
                if end > first {
                    self.repair(RepairKind::InnerQuote, start, end);
                }
                let next = if next > end && peek(self.bytes, next - 1) == b'"' {
                    return Some(self.bare_member_after(here, next));
                } else {
                    next
                };
                Some(Next::Again(here, next))
            }
            End::Nowhere => {
                // Quotes inside, and the one that closes is missing.
                let found = self.unclosed_string(here, place, start);
                self.repair(RepairKind::InnerQuote, start, found.end);
                let node = &mut self.tape.nodes[last];
                node.end = found.end as u32;
                node.flags = node.flags & !flag::ESCAPED | found.flags;
                Some(Next::Again(here, found.next))
            }
            _ => match quote {
                Some(quote) if here.object && k > first + 1 => {
                    Some(self.join(here, last, k, quote))
                }
                _ => None,
            },
        }
    }

    /// Whether the last token before `k` ended with a quote, so that the string read last is a
    /// child of the innermost container and not of one that was closed in between.
    fn quote_before(&self, k: usize) -> bool {
        let before = self.text[..k].trim_end();
        let last = before.char_indices().next_back().map_or(0, |(at, _)| at);
        quote_at(before, last).is_some()
    }

    /// A member whose name lost its opening quote begins at `k`.
    fn bare_member_after(&mut self, here: Here, k: usize) -> Next {
        self.repair(RepairKind::MissingComma, k, k);
        Next::Child(here, k)
    }

    /// Whether the first of two quotes at the beginning was one too many: nothing but the last
    /// quote closes the text.
    fn doubled_quote(&self, start: usize, end: usize) -> bool {
        memchr::memchr(b'"', &self.bytes[start + 1..end]).is_none()
    }

    fn drop_doubled(&mut self, here: Here, last: usize, end: usize) -> Next {
        let start = self.tape.nodes[last].start as usize + 1;
        self.repair(RepairKind::DoubledQuote, start - 2, start - 1);
        self.tape.nodes[last].start = start as u32;
        self.end_last(last, start, end);
        Next::Again(here, end + 1)
    }

    fn end_last(&mut self, last: usize, start: usize, end: usize) {
        let flags = self.inspect_all(start, end);
        let node = &mut self.tape.nodes[last];
        node.end = end as u32;
        node.flags = node.flags & !flag::ESCAPED | flags;
    }

    /// `"""text"""` was read as an empty string with a quote behind it.
    fn triple_quoted(&mut self, here: Here, last: usize, k: usize) -> Option<Next> {
        let node = self.tape.nodes[last];
        let (start, end) = (node.start as usize, node.end as usize);
        let quote = *self.bytes.get(start.checked_sub(1)?)?;
        if start != end
            || k != end + 1
            || self.bytes.get(end) != Some(&quote)
            || self.bytes[k] != quote
        {
            return None;
        }
        let inside = k + 1;
        let closing = [quote; 3];
        let (end, next, truncated) = match memchr::memmem::find(&self.bytes[inside..], &closing) {
            Some(offset) => (inside + offset, inside + offset + 3, false),
            None => (self.bytes.len(), self.bytes.len(), true),
        };
        self.repair(RepairKind::OtherQuotes, start - 1, next);
        self.tape.nodes[last].start = inside as u32;
        self.end_last(last, inside, end);
        if truncated {
            self.repair(RepairKind::UnclosedString, end, end);
            self.tape.nodes[last].flags |= flag::TRUNCATED;
        }
        Some(Next::Again(here, next))
    }

    /// Appends the string in quotes at `k` to the string read last.
    pub(super) fn join(&mut self, here: Here, last: usize, k: usize, quote: char) -> Next {
        let place = Self::place(here);
        let found = match quote {
            '"' => match crate::scan::quoted(self.bytes, k + 1) {
                Some(quoted) => Found {
                    begin: k,
                    start: k + 1,
                    end: quoted.end,
                    next: quoted.end + 1,
                    flags: quoted.flags,
                },
                None => self.unclosed_string(here, place, k + 1),
            },
            _ => self.odd_string(here, place, k, quote),
        };
        let node = self.tape.nodes[last];
        self.repair(RepairKind::JoinedStrings, node.start as usize, found.next);
        let append = |tape: &mut crate::node::Tape, raw: &str, escaped: bool| {
            if escaped {
                crate::escape::decode_to(raw, &mut tape.side);
            } else {
                tape.side.push_str(raw);
            }
        };
        if !node.has(flag::SIDE) {
            let raw = &self.text[node.start as usize..node.end as usize];
            let start = self.tape.side.len() as u32;
            append(self.tape, raw, node.has(flag::ESCAPED));
            let node = &mut self.tape.nodes[last];
            node.start = start;
            node.flags = node.flags & !flag::ESCAPED | flag::SIDE;
        }
        append(
            self.tape,
            &self.text[found.start..found.end],
            found.flags & flag::ESCAPED != 0,
        );
        let end = self.tape.side.len() as u32;
        let node = &mut self.tape.nodes[last];
        node.end = end;
        node.flags |= found.flags & flag::TRUNCATED;
        Next::Again(here, found.next)
    }

    /// A number or keyword with more behind it on the same line: `5 apples`, `1/6`, `2 * 3`. It
    /// is read again, as text.
    fn word_goes_on(&mut self, here: Here, last: usize, byte: u8, k: usize) -> Option<Next> {
        let node = self.tape.nodes[last];
        let between = self.text.get(node.end as usize..k)?;
        if !between.trim().is_empty() {
            return None;
        }
        let number = matches!(node.tag, Tag::Integer | Tag::Float);
        let operator = number && matches!(byte, b'*' | b'/' | b'+' | b'-' | b'%' | b'^');
        let word = byte.is_ascii_alphabetic() && (here.object || number);
        if between.contains('\n') || !(operator || word) || here.object && self.key_ahead(k) {
            return None;
        }
        let (start, end) = (
            node.start as usize,
            self.bare_end(here, node.start as usize),
        );
        let end = start + self.text[start..end].trim_end().len();
        if end <= k {
            return None;
        }
        self.repair(RepairKind::NumberAsText, start, end);
        let node = &mut self.tape.nodes[last];
        node.tag = Tag::String;
        node.end = end as u32;
        Some(Next::Again(here, end))
    }

    /// A closer that is not the one of the innermost open container.
    fn odd_closer(&mut self, here: Here, byte: u8, k: usize) -> Next {
        if byte == self.closer_of(here.current) {
            if byte == b')' && self.only_in_brackets(here, k) {
                return Next::Again(self.take_out(here), k + 1);
            }
            return Next::Again(self.close(here, k + 1), k + 1);
        }
        if byte == b')' && self.wrappers > 0 {
            self.wrappers -= 1;
            return Next::Again(here, k + 1);
        }
        let parent = self.parent(here);
        if !self.encloses(here, byte) {
            // Nothing that is open ends with it: one too many, or the wrong one.
            let last = matches!(skip_space(self.bytes, k + 1).0, 0 | b'}' | b']' | b')');
            if self.goes_on_in(Some(here.current), k + 1) || byte == b')' && !last {
                self.repair(RepairKind::ExtraCloser, k, k + 1);
                return Next::Again(here, k + 1);
            }
            self.repair(RepairKind::WrongCloser, k, k + 1);
            return Next::Again(self.close(here, k + 1), k + 1);
        }
        let mut outer = here.current;
        while self.closer_of(outer) != byte {
            outer = self.tape.nodes[outer as usize].next;
        }
        let beyond = self.tape.nodes[outer as usize].next;
        let beyond = (beyond != NONE).then_some(beyond);
        if !self.goes_on_in(beyond, k + 1) && self.goes_on_in(parent, k + 1) {
            self.repair(RepairKind::WrongCloser, k, k + 1);
            return Next::Again(self.close(here, k + 1), k + 1);
        }
        if !self.goes_on_in(beyond, k + 1) && self.goes_on_in(Some(here.current), k + 1) {
            self.repair(RepairKind::ExtraCloser, k, k + 1);
            return Next::Again(here, k + 1);
        }
        self.repair(RepairKind::MissingCloser, k, k);
        Next::Again(self.close(here, k), k)
    }

    /// Whether round brackets hold one scalar and no comma: no tuple, just brackets.
    fn only_in_brackets(&self, here: Here, k: usize) -> bool {
        let only = here.current as usize + 2 == self.tape.nodes.len();
        let comma = self.text[..k].trim_end().ends_with(',');
        only && !comma && !self.tape.nodes[here.current as usize + 1].is_container()
    }

    /// Puts the scalar in round brackets in the place of the brackets.
    fn take_out(&mut self, here: Here) -> Here {
        let brackets = self.tape.nodes[here.current as usize];
        for repair in self.tape.repairs.iter_mut().rev() {
            if repair.kind == RepairKind::Tuple && repair.span.start == brackets.start {
                repair.kind = RepairKind::Wrapper;
                break;
            }
        }
        let outer = self.close(here, brackets.start as usize);
        let mut value = self.tape.nodes[here.current as usize + 1];
        let keys = flag::KEY_ESCAPED | flag::KEY_SIDE;
        (value.key_start, value.key_end) = (brackets.key_start, brackets.key_end);
        value.flags = value.flags & !keys | brackets.flags & keys;
        self.tape.nodes.truncate(here.current as usize);
        self.tape.nodes.push(value);
        outer
    }

    fn parent(&self, here: Here) -> Option<u32> {
        let parent = self.tape.nodes[here.current as usize].next;
        (parent != NONE).then_some(parent)
    }

    fn is_object(&self, container: u32) -> bool {
        self.tape.nodes[container as usize].tag == Tag::Object
    }

    /// Whether what stands at `at` may follow a child of that container; outside of all, whether
    /// nothing of a value follows.
    fn goes_on_in(&self, container: Option<u32>, at: usize) -> bool {
        let (byte, k) = skip_space(self.bytes, at);
        let end = k >= self.bytes.len();
        let Some(container) = container else {
            return end || !matches!(byte, b',' | b'}' | b']' | b'"');
        };
        if byte == self.closer_of(container) {
            return true;
        }
        if byte != b',' {
            return false;
        }
        let (byte, k) = skip_space(self.bytes, k + 1);
        if byte == self.closer_of(container) {
            return true;
        }
        if self.is_object(container) {
            self.key_ahead(k)
        } else {
            matches!(
                byte,
                b'{' | b'[' | b'"' | b'\'' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n'
            ) && !self.key_ahead(k)
        }
    }

    /// The root has been closed just before `end`, but more of it follows: surplus closers and
    /// then another member or item. Opens it again.
    #[cold]
    #[inline(never)]
    pub(super) fn reopen(&mut self, root: u32, end: usize) -> Option<(Here, usize)> {
        let node = self.tape.nodes[root as usize];
        let (mut byte, mut k) = skip_space(self.bytes, end);
        let mut surplus = end - 1;
        while matches!(byte, b'}' | b']') && k - end < LOOK_AHEAD {
            surplus = k;
            (byte, k) = skip_space(self.bytes, k + 1);
        }
        if byte != b',' || self.reopened >= REOPENED_MAX {
            return None;
        }
        let (byte, next) = skip_space(self.bytes, k + 1);
        let more = match node.tag {
            Tag::Object => byte == b'"' && self.key_ahead(next),
            _ => surplus >= end && matches!(byte, b'{' | b'['),
        };
        if !more || !matches!(node.tag, Tag::Object | Tag::Array) {
            return None;
        }
        self.repair(RepairKind::ExtraCloser, surplus, surplus + 1);
        self.forget_duplicates(root);
        self.reopened += 1;
        let count = u32::from(node.count);
        self.tape.nodes[root as usize].next = NONE;
        self.depth += 1;
        Some((
            Here {
                current: root,
                object: node.tag == Tag::Object,
                count,
            },
            k,
        ))
    }

    fn forget_duplicates(&mut self, root: u32) {
        if !self.tape.nodes[root as usize].has(flag::DUPLICATES) {
            return;
        }
        let mut index = root + 1;
        let mut forgotten = alloc::vec::Vec::new();
        while (index as usize) < self.tape.nodes.len() {
            if self.tape.nodes[index as usize].has(flag::REPLACED) {
                forgotten.push(index);
            }
            self.tape.nodes[index as usize].flags &= !(flag::SHADOWED | flag::REPLACED);
            index = self.tape.after(index);
        }
        self.tape
            .replaced
            .retain(|(first, _)| forgotten.binary_search(first).is_err());
        self.tape.nodes[root as usize].flags &= !flag::DUPLICATES;
    }
}

/// A node for a scalar under a key.
pub(super) fn scalar(key: KeySpan, tag: Tag, start: usize, end: usize) -> Node {
    Node {
        key_start: key.start,
        key_end: key.end,
        start: start as u32,
        end: end as u32,
        next: 0,
        tag,
        flags: key.flags,
        count: 0,
    }
}
