//! The damage that models do most often, read while text is still to come: steps that are certain at
//! once, as strict tokens are, and need not be tried.
//!
//! Each function takes a step only where what stands around it leaves no doubt, by the same functions
//! that read a whole text; it knows when the text is too short for any step to be taken, and leaves all
//! else to [`speculation`](super::speculation).

use alloc::borrow::ToOwned as _;

use crate::base::repair::RepairKind;
use crate::parser::look::Look;
use crate::parser::resume::pausing::end_of_word;
use crate::parser::state::pause::{Await, MARGIN};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{AfterStep, Container, KeySpan, KeyStep, ValueStep};
use crate::scan;
use crate::scan::{escape, peek};
use crate::tape::{NONE, Node, Tag, flag};

/// The outcome of looking at a step.
pub(crate) enum Certain<T> {
    /// The step has been taken.
    Taken(T),
    /// Undecided: more text is needed for any step.
    Awaited,
    /// The step may be tried.
    Unclear,
}

impl Reader<'_> {
    /// Reads a plain name at `k`, also behind comments on lines of their own, or the closer behind a
    /// last comma.
    pub(crate) fn certain_key(
        &mut self,
        here: Container,
        at: usize,
        (byte, k): (u8, usize),
    ) -> Certain<KeyStep> {
        if here.current == NONE || self.limit.is_some() || !self.shown_continues() {
            return Certain::Unclear;
        }
        if byte == b'}' {
            let closes = byte == self.closer_of(here.current);
            if !closes || here.count == 0 && self.opens_list(here) {
                return Certain::Unclear;
            }
            self.scratch.pause.odd |= !self.closes_empty(here, k);
            return Certain::Taken(self.key(here, at));
        }
        let (mut first, mut name) = (byte, k);
        while first == b'/' && peek(self.look.bytes, name + 1) == b'/' {
            match self
                .look
                .trivia_at(name)
                .filter(|_| self.look.plain_trivia_at(name))
            {
                Some((_, end)) => (first, name) = self.look.skip_space(end),
                None => return self.await_line(name),
            }
        }
        if name >= self.look.bytes.len() {
            self.scratch.pause.until_byte(name);
            return Certain::Awaited;
        }
        // `{a: 1`, `{'a': 1`: the plain forms of a name. Others are tried, and undone if the text is too
        // short to tell.
        let plain = first.is_ascii_alphabetic() || first == b'\'';
        if !plain && (first != b'"' || name == k) {
            return Certain::Unclear;
        }
        match self.look.name_at(name) {
            Some(true) if self.look.named_plainly(first, name) => {
                self.scratch.pause.odd = true;
                Certain::Taken(self.key(here, at))
            }
            Some(_) => Certain::Unclear,
            None => {
                self.scratch.pause.until_more(name, self.look.bytes.len());
                Certain::Awaited
            }
        }
    }

    /// Reads a text in single quotes, one of Python's keywords, a comment up to the end of its line or
    /// the closer behind a last comma.
    pub(crate) fn certain_value(
        &mut self,
        here: Container,
        key: KeySpan,
        byte: u8,
        k: usize,
    ) -> Certain<ValueStep> {
        if here.current == NONE || self.limit.is_some() {
            return Certain::Unclear;
        }
        let fresh = self.scratch.pause.resumed.is_none()
            || self.tape.nodes.len() > self.scratch.pause.shown && self.shown_continues();
        let taken = match byte {
            b'\'' => return self.certain_quoted(here, key, k),
            b'T' | b'F' | b'N' => {
                let end = end_of_word(self.look.bytes, k);
                if end >= self.look.bytes.len() {
                    self.scratch.pause.wait = Await::Word(end);
                    return Certain::Awaited;
                }
                // `True` may go on as `Trueish` or as words.
                let ends = fresh && matches!(self.look.bytes[end], b',' | b'}' | b']');
                let keyword = ends.then(|| self.python_keyword(key, k)).flatten();
                keyword.map(|(node, next)| ValueStep::Scalar(node, next))
            }
            b']' if fresh && !here.object && self.closer_of(here.current) == b']' => {
                self.scratch.pause.odd |= !self.closes_empty(here, k);
                self.scratch.pause.doubtful = None;
                return Certain::Taken(self.odd_value(here, key, byte, k));
            }
            b'/' if peek(self.look.bytes, k + 1) == b'/' => {
                if !self.look.plain_trivia_at(k) {
                    return self.await_line(k);
                }
                let words = !peek(self.look.bytes, k + 2).is_ascii_alphanumeric();
                let end = (fresh && words).then(|| self.skip_trivia(k)).flatten();
                end.map(ValueStep::Again)
            }
            _ => None,
        };
        let Some(taken) = taken else {
            return Certain::Unclear;
        };
        self.scratch.pause.doubtful = None;
        self.scratch.pause.odd = true;
        Certain::Taken(taken)
    }

    /// Reads a text in single quotes that ends at the next one, behind which a comma and another child
    /// or a closer plainly stand.
    fn certain_quoted(&mut self, here: Container, key: KeySpan, k: usize) -> Certain<ValueStep> {
        let length = self.look.bytes.len();
        let Some(end) = scan::plain_single_quoted(self.look.bytes, k + 1) else {
            let rest = &self.look.bytes[k + 1..];
            let open = memchr::memchr3(b'"', b'\\', b'\n', rest).is_none()
                && memchr::memchr(b'\'', rest).is_none();
            return match open {
                true => {
                    self.scratch.pause.until_more(k, length);
                    Certain::Awaited
                }
                false => Certain::Unclear,
            };
        };
        if memchr::memchr(b'"', &self.look.bytes[k..end]).is_some() {
            return Certain::Unclear;
        }
        // `'it's`: the quote counts only when what follows a text stands behind it.
        if !self.clear_ahead(here, end + 1) {
            if end + MARGIN <= length {
                return Certain::Unclear;
            }
            self.scratch.pause.until_more(end, length);
            return Certain::Awaited;
        }
        let pause = &self.scratch.pause;
        let shown = pause
            .resumed
            .filter(|_| self.tape.nodes.len() == pause.shown);
        let continues = shown.is_none_or(|old| {
            let named = (old.key_start, old.key_end) == (key.start, key.end);
            let starts = old.tag == Tag::String && old.start as usize == k + 1;
            named && starts && old.end as usize <= end
        });
        if !continues || shown.is_none() && !self.shown_continues() {
            return Certain::Unclear;
        }
        match self.plain_quoted(here, key, k) {
            Some((node, next)) => {
                self.scratch.pause.doubtful = None;
                self.scratch.pause.odd = true;
                Certain::Taken(ValueStep::Scalar(node, next))
            }
            None => Certain::Unclear,
        }
    }

    /// Passes over a comment behind a value, up to the end of its line.
    pub(crate) fn certain_after(
        &mut self,
        here: Container,
        byte: u8,
        k: usize,
    ) -> Certain<AfterStep> {
        let comment = byte == b'/' && peek(self.look.bytes, k + 1) == b'/';
        let apart = k > 0 && self.look.bytes[k - 1].is_ascii_whitespace();
        if !comment || !apart || self.limit.is_some() || !self.shown_continues() {
            return Certain::Unclear;
        }
        if !self.look.plain_trivia_at(k) {
            return self.await_line(k);
        }
        match self.skip_trivia(k) {
            Some(end) => {
                self.scratch.pause.odd = true;
                Certain::Taken(AfterStep::Again(here, end))
            }
            None => Certain::Unclear,
        }
    }

    /// The line of the comment at `k` has not ended; a quote in it may make a text of it.
    fn await_line<T>(&mut self, k: usize) -> Certain<T> {
        if memchr::memchr3(b'"', b'\n', b'\r', &self.look.bytes[k..]).is_some() {
            return Certain::Unclear;
        }
        self.scratch.pause.until_more(k, self.look.bytes.len());
        Certain::Awaited
    }

    /// Returns `true` if the node that stands where a string was growing goes on from what was
    /// shown of it.
    fn shown_continues(&self) -> bool {
        let pause = &self.scratch.pause;
        let node = self.tape.nodes.get(pause.shown);
        pause.resumed.is_none() || node.is_none_or(|node| self.grew_into(node))
    }

    /// Returns `true` if what follows `at` in that container is plainly there: a comma and the next
    /// name or the beginning of the next value, or a closer and something behind it.
    pub(crate) fn clear_ahead(&self, here: Container, at: usize) -> bool {
        let (byte, k) = self.look.skip_space(at);
        let (next, inside) = self.look.skip_space(k + 1);
        if k >= self.look.bytes.len() || inside >= self.look.bytes.len() {
            return false;
        }
        match byte {
            b',' if here.object => self.look.name_at(inside) == Some(true),
            b',' => matches!(next, b'"' | b'\'' | b'{' | b'['),
            b'}' | b']' => here.current != NONE && byte == self.closer_of(here.current),
            _ => false,
        }
    }

    /// Returns `true` if the closer at `k` stands right behind the opener of that container.
    pub(crate) fn closes_empty(&self, now: Container, k: usize) -> bool {
        now.current != NONE
            && now.count == 0
            && peek(self.look.bytes, k) == self.closer_of(now.current)
            && self
                .look
                .skip_space(self.tape.nodes[now.current as usize].start as usize + 1)
                .1
                == k
    }

    /// Returns `true` if that node, read where a string was growing when reading went on, goes on
    /// from what was shown of it.
    pub(crate) fn grew_into(&self, new: &Node) -> bool {
        let Some(old) = &self.scratch.pause.resumed else {
            return true;
        };
        let key = |node: &Node| {
            let flags = node.flags & (flag::KEY_SIDE | flag::KEY_ESCAPED);
            (node.key_start, node.key_end, flags)
        };
        self.look
            .charge_search((new.end - new.start) as usize + (old.end - old.start) as usize);
        let text = |node: &Node| {
            let side = node.has(flag::SIDE);
            let source = if side {
                &self.tape.side
            } else {
                self.look.text
            };
            let part = &source[node.start as usize..node.end as usize];
            if node.has(flag::ESCAPED) {
                escape::decode(part)
            } else {
                part.to_owned()
            }
        };
        let longer = new.start == old.start && new.end >= old.end && !new.has(flag::SIDE);
        new.tag == Tag::String
            && key(new) == key(old)
            && (longer || text(new).starts_with(&text(old)))
    }
}

impl Look<'_> {
    /// Returns `true` if the name at `k` has no escapes, and a colon right behind it: `"a": 1`, not `"a" : 1`.
    fn named_plainly(&self, first: u8, k: usize) -> bool {
        let end = match first {
            b'"' => match self.quoted_at(k + 1) {
                Some(name) if !name.suspect && name.flags == 0 => name.end + 1,
                _ => return false,
            },
            b'\'' => match scan::plain_single_quoted(self.bytes, k + 1) {
                Some(end) => end + 1,
                None => return false,
            },
            _ => {
                let part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_$-".contains(byte);
                k + self.bytes[k..].iter().take_while(part).count()
            }
        };
        end - k <= NAME_MAX && peek(self.bytes, end) == b':'
    }

    /// Returns `true` if a gap stands at `k` that ends within the text and that no quote makes text:
    /// `/* a */ 1`, not `/* "a" */ 1`.
    pub(crate) fn plain_trivia_at(&self, k: usize) -> bool {
        self.trivia_at(k).is_some_and(|(kind, end)| {
            let gap = self.bytes.get(k..=end);
            gap.is_some_and(|gap| kind != RepairKind::Comment || !gap.contains(&b'"'))
        })
    }
}

/// Names longer than this are tried.
const NAME_MAX: usize = 120;

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn plain_names_have_their_colon_behind_them() {
        for (text, expected) in [
            ("\"a\": 1", true),
            ("'a': 1", true),
            ("a-b_$:", true),
            (":", true),
            ("\"a\" : 1", false),
            ("\"a\\n\": 1", false),
            ("\"a", false),
            ("'a", false),
            ("a", false),
            ("é:", false),
        ] {
            assert_eq!(
                ask(text, |look| look.named_plainly(text.as_bytes()[0], 0)),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn gaps_without_quotes_end_within_the_text() {
        for (text, expected) in [
            ("/* a */ 1", true),
            ("\u{a0}1", true),
            ("/* \"a\" */ 1", false),
            ("/* a */", false),
            ("// a", false),
            ("1", false),
            ("", false),
        ] {
            assert_eq!(
                ask(text, |look| look.plain_trivia_at(0)),
                expected,
                "{text:?}"
            );
        }
    }
}
