//! The grammar.
//!
//! [`Reader::read_on`] reads strict JSON in three short pieces (value, key, what comes after a value)
//! without a detour. Whatever strict JSON does not allow leaves them by a cold function in one of the
//! neighbouring files, which puts it right, records that, and says where to go on.
//!
//! ```text
//! value   = object / array / string / number / "true" / "false" / "null"
//! object  = "{" [ member *( "," member ) ] "}"        other names: `key`, other closers: `odd_after`
//! array   = "[" [ value *( "," value ) ] "]"
//! member  = string ":" value                          other values: `odd_value`
//! ```
//!
//! Nothing recurses: an opener pushes its node and makes it the innermost container, a closer goes back
//! to the parent of that, so the depth of a text costs no stack.

use crate::parser::look::Look;
use crate::parser::resume::pausing::StrictKey;
use crate::parser::state::pause::Phase;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{AfterStep, Container, KeySpan, KeyStep, ValueEnd, ValueStep};
use crate::scan;
use crate::scan::{Indent, number, peek, skip_space, usual_name};
use crate::tape::{COUNT_MAX, NONE, Node, Tag, flag, saturate};

impl<'r> Reader<'r> {
    /// Reads the value that begins at `start`, which is at a value's first byte.
    pub(crate) fn value(&mut self, start: usize) -> ValueEnd {
        self.begin(start);
        self.scratch.signatures.begin();
        self.read_on(Container::OUTSIDE, KeySpan::NONE, start)
    }

    /// Reads a value under `key` and whatever follows it until the outermost container is closed.
    pub(crate) fn read_on(&mut self, here: Container, key: KeySpan, at: usize) -> ValueEnd {
        if here.current != NONE {
            self.scratch.signatures.forget();
        }
        let object = here.object;
        let (current, count) = (here.current, here.count);
        self.read_from::<false, false>(
            (current, count),
            object,
            (key.start, key.end),
            key.flags,
            at,
        )
    }

    /// Continues where reading paused, with the text that has come in the meantime.
    pub(crate) fn resume(&mut self) -> ValueEnd {
        self.scratch.signatures.forget();
        let (here, key) = (self.scratch.pause.here, self.scratch.pause.key);
        let (current, count) = (here.current, here.count);
        let (name, at) = ((key.start, key.end), self.scratch.pause.at);
        self.read_from::<true, false>((current, count), here.object, name, key.flags, at)
    }

    /// The same with all that changes in registers, not where the caller put it.
    ///
    /// With `STREAMING` more text may come: reading pauses where that could change what is read. With
    /// `BY_INDENTATION` their indentation says where closers are missing. Without them nothing of that is in
    /// the code.
    #[inline(never)]
    pub(crate) fn read_from<const STREAMING: bool, const BY_INDENTATION: bool>(
        &mut self,
        (current, count): (u32, u32),
        object: bool,
        (start, end): (u32, u32),
        flags: u8,
        mut at: usize,
    ) -> ValueEnd {
        let mut here = Container {
            current,
            object,
            count,
        };
        let mut key = KeySpan { start, end, flags };
        let mut indent = Indent::default();
        let bytes = self.look.bytes;
        let mut phase = if STREAMING {
            self.scratch.pause.phase
        } else {
            Phase::Value
        };
        'value: loop {
            let (byte, k) = indent.skip_space(bytes, at);
            if STREAMING && phase == Phase::Value && self.awaits_value(here, byte, k) {
                return self.pause(Phase::Value, here, key, k);
            }
            let mut node = Node {
                key_start: key.start,
                key_end: key.end,
                start: k as u32,
                end: 0,
                next: 0,
                tag: Tag::Null,
                flags: key.flags,
                count: 0,
            };
            let mut open = None;
            match byte {
                _ if STREAMING && phase != Phase::Value => node.tag = Tag::Reference,
                b'"' if let Some(quoted) = if STREAMING {
                    self.found_quoted(k + 1)
                } else {
                    scan::quoted(bytes, k + 1)
                } =>
                {
                    node.start += 1;
                    node.end = quoted.end as u32;
                    node.tag = Tag::String;
                    node.flags |= quoted.flags;
                    at = quoted.end + 1;
                    if quoted.suspect
                        && let Some((start, end)) = self.odd_inside(k + 1, quoted.end)
                    {
                        (node.start, node.end, node.next) = (start, end, at as u32);
                        node.flags = key.flags | flag::SIDE;
                    }
                }
                b'{' => open = Some((Tag::Object, k + 1)),
                b'[' => open = Some((Tag::Array, k + 1)),
                b'-' | b'0'..=b'9'
                    if let Some(number) = number::scan(bytes, k)
                        && ends_word(peek(bytes, number.end)) =>
                {
                    node.tag = if number.float {
                        Tag::Float
                    } else {
                        Tag::Integer
                    };
                    at = number.end;
                    node.end = at as u32;
                }
                b't' if word_at(bytes, k, b"true") => {
                    node.tag = Tag::True;
                    at = k + 4;
                    node.end = at as u32;
                }
                b'f' if word_at(bytes, k, b"false") => {
                    node.tag = Tag::False;
                    at = k + 5;
                    node.end = at as u32;
                }
                b'n' if word_at(bytes, k, b"null") => {
                    at = k + 4;
                    node.end = at as u32;
                }
                b']' if !STREAMING && !here.object && here.count == 0 => {
                    // An empty array: nothing to note, and no detour.
                    node.tag = Tag::Reference;
                    at = k;
                }
                _ => {
                    let odd = if STREAMING {
                        match self.try_value(here, key, byte, k) {
                            Some(odd) => odd,
                            None => return self.pause(Phase::Value, here, key, k),
                        }
                    } else {
                        self.odd_value(here, key, byte, k)
                    };
                    self.scratch.signatures.forget();
                    match odd {
                        ValueStep::Scalar(scalar, next) => {
                            node = scalar;
                            at = next;
                        }
                        ValueStep::Open(tag, next) => open = Some((tag, next)),
                        ValueStep::Again(next) => {
                            if self.stuck(next) {
                                return self.finish(here, next);
                            }
                            at = next;
                            continue 'value;
                        }
                        ValueStep::Nothing(now, next) => {
                            (here, at) = (now, next);
                            node.tag = Tag::Reference;
                        }
                        ValueStep::End(now, next) => return self.finish(now, next),
                    }
                }
            }
            if let Some((tag, next)) = open {
                if let Some(parent) = self.tape.nodes.get_mut(here.current as usize) {
                    parent.count = saturate(here.count + 1);
                    if parent.count == COUNT_MAX {
                        let count = here.count + 1;
                        self.tape.put_count(here.current, count, count);
                    }
                }
                if self.counters.depth >= self.limits.depth {
                    return self.too_deep(here, k);
                }
                self.counters.depth += 1;
                let object = tag == Tag::Object;
                node.tag = tag;
                node.next = here.current;
                here = Container {
                    current: self.tape.nodes.len() as u32,
                    object,
                    count: 0,
                };
                self.tape.nodes.push(node);
                at = next;
                key = KeySpan::NONE;
                if !object {
                    continue 'value;
                }
                if !STREAMING && let Some(name) = usual_name(bytes, at, &mut indent) {
                    self.scratch.signatures.push(name.signature);
                    (key.start, key.end, at) = (name.start, name.end, name.next);
                    continue 'value;
                }
                if STREAMING {
                    phase = Phase::Key;
                    continue 'value;
                }
                match self.other_key(here, at) {
                    KeyStep::Member(name, next) => {
                        (key, at) = (name, next);
                        continue 'value;
                    }
                    KeyStep::Nothing(now, next) => (here, at) = (now, next),
                    KeyStep::Item(now, next) => {
                        (here, at) = (now, next);
                        continue 'value;
                    }
                    KeyStep::End(now, next) => return self.finish(now, next),
                }
            } else if node.tag != Tag::Reference {
                if STREAMING {
                    self.scratch.pause.last = self.tape.nodes.len() as u32;
                }
                self.tape.nodes.push(node);
                here.count += 1;
            }
            loop {
                if STREAMING && phase == Phase::Key {
                    phase = Phase::Value;
                    let keyed = match self.strict_key(at) {
                        StrictKey::Member(name, next) => {
                            (key, at) = (name, next);
                            continue 'value;
                        }
                        StrictKey::Awaited => None,
                        StrictKey::Odd => self.try_key(here, at),
                    };
                    match keyed {
                        None => return self.pause(Phase::Key, here, KeySpan::NONE, at),
                        Some(KeyStep::Member(name, next)) => {
                            (key, at) = (name, next);
                            continue 'value;
                        }
                        Some(KeyStep::Nothing(now, next)) => (here, at) = (now, next),
                        Some(KeyStep::Item(now, next)) => {
                            (here, at) = (now, next);
                            key = KeySpan::NONE;
                            continue 'value;
                        }
                        Some(KeyStep::End(now, next)) => return self.finish(now, next),
                    }
                }
                phase = Phase::Value;
                if here.current == NONE {
                    return ValueEnd {
                        end: at,
                        complete: true,
                    };
                }
                let (byte, k) = indent.skip_space(bytes, at);
                if BY_INDENTATION && let Some(closed) = self.closed_by_line(here, at, (byte, k)) {
                    self.scratch.signatures.forget();
                    (here, at) = closed;
                    continue;
                }
                if STREAMING && k >= bytes.len() {
                    self.scratch.pause.until_byte(k);
                    return self.pause(Phase::After, here, KeySpan::NONE, k);
                }
                at = k + 1;
                if byte == b',' {
                    key = KeySpan::NONE;
                    if here.object {
                        if !STREAMING && let Some(name) = usual_name(bytes, at, &mut indent) {
                            self.scratch.signatures.push(name.signature);
                            (key.start, key.end, at) = (name.start, name.end, name.next);
                            continue 'value;
                        }
                        if STREAMING {
                            phase = Phase::Key;
                            continue;
                        }
                        match self.other_key(here, at) {
                            KeyStep::Member(name, next) => {
                                (key, at) = (name, next);
                                continue 'value;
                            }
                            KeyStep::Nothing(now, next) => {
                                (here, at) = (now, next);
                                continue;
                            }
                            KeyStep::Item(now, next) => {
                                (here, at) = (now, next);
                                continue 'value;
                            }
                            KeyStep::End(now, next) => return self.finish(now, next),
                        }
                    }
                    continue 'value;
                }
                if byte == if here.object { b'}' } else { b']' } {
                    let closed = here.current;
                    here = self.close(here, at);
                    if STREAMING {
                        self.scratch.pause.last = closed;
                    }
                    if !STREAMING
                        && here.current == NONE
                        && self.look.more_follows(at)
                        && let Some(again) = self.reopen(closed, at)
                    {
                        self.scratch.signatures.forget();
                        (here, at) = again;
                    }
                    continue;
                }
                let next = if STREAMING {
                    match self.try_after(here, byte, k) {
                        Some(next) => next,
                        None => return self.pause_after(here, k),
                    }
                } else {
                    self.odd_after(here, byte, k)
                };
                self.scratch.signatures.forget();
                match next {
                    AfterStep::Again(now, next) => {
                        (here, at) = (now, next);
                        if self.stuck(at) {
                            return self.finish(here, at);
                        }
                    }
                    AfterStep::Child(now, next) => {
                        (here, at) = (now, next);
                        if self.stuck(at) {
                            return self.finish(here, at);
                        }
                        key = KeySpan::NONE;
                        if !here.object {
                            continue 'value;
                        }
                        if STREAMING {
                            phase = Phase::Key;
                            continue;
                        }
                        match self.other_key(here, at) {
                            KeyStep::Member(name, next) => {
                                (key, at) = (name, next);
                                continue 'value;
                            }
                            KeyStep::Nothing(now, next) => (here, at) = (now, next),
                            KeyStep::Item(now, next) => {
                                (here, at) = (now, next);
                                continue 'value;
                            }
                            KeyStep::End(now, next) => return self.finish(now, next),
                        }
                    }
                    AfterStep::Member(now, name, next) => {
                        (here, key, at) = (now, name, next);
                        continue 'value;
                    }
                    AfterStep::End(now, next) => return self.finish(now, next),
                }
            }
        }
    }

    /// Reads a name that is not as names nearly always are, or passes by where an empty object has
    /// none.
    #[inline]
    fn other_key(&mut self, here: Container, at: usize) -> KeyStep {
        let keyed = self.key(here, at);
        let empty = here.count == 0 && matches!(keyed, KeyStep::Nothing(..));
        if !empty || !self.tape.repairs.is_empty() {
            self.scratch.signatures.forget();
        }
        keyed
    }
}

impl Look<'_> {
    /// Returns `true` if something stands behind the root that could belong to it.
    #[inline]
    fn more_follows(&self, end: usize) -> bool {
        matches!(
            skip_space(self.bytes, end).0,
            b',' | b'}' | b']' | b'"' | b'\'' | b'`' | b'\\' | b'A'..=b'Z' | b'a'..=b'z' | 0x80..
        )
    }
}

/// Returns `true` if a number or keyword may end before this byte.
#[inline(always)]
fn ends_word(byte: u8) -> bool {
    matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' | 0)
}

/// Returns `true` if `word` stands at `at` and nothing is attached to it.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize, word: &[u8]) -> bool {
    bytes.get(at..at + word.len()) == Some(word) && ends_word(peek(bytes, at + word.len()))
}

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn more_may_follow_the_root() {
        for (text, expected) in [
            (",", true),
            (" \"", true),
            ("a", true),
            ("Z", true),
            ("é", true),
            ("\\", true),
            ("`", true),
            ("}", true),
            ("]", true),
            ("'", true),
            ("1", false),
            ("{", false),
            ("[", false),
            (":", false),
            (" ", false),
            ("", false),
        ] {
            assert_eq!(ask(text, |look| look.more_follows(0)), expected, "{text:?}");
        }
    }
}
