//! The grammar.
//!
//! [`Reader::read_on`] reads strict JSON in three short pieces (value, key, after a value) without
//! a detour. Anything that strict JSON does not allow goes to a cold function in a neighbouring
//! file, which repairs and records it, and says where to continue.
//!
//! ```text
//! value   = object / array / string / number / "true" / "false" / "null"
//! object  = "{" [ member *( "," member ) ] "}"        other names: `key`, other closers: `odd_after_at`
//! array   = "[" [ value *( "," value ) ] "]"
//! member  = string ":" value                          other values: `odd_value_at`
//! ```
//!
//! Nothing recurses: an opener pushes its node and makes it the innermost container, a closer
//! returns to its parent. So depth costs no stack.

use crate::base::repair::{Repair, RepairKind};
use crate::base::repair_set::RepairSet;
use crate::parser::liberties::learned::Learned;
use crate::parser::resume::pausing::{Ahead, StrictKey};
use crate::parser::search::hand_over::Handed;
use crate::parser::state::pause::Phase;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, KeyStep, ValueEnd, ValueStep, scalar};
use crate::scan;
use crate::scan::escape;
use crate::scan::{Indent, number, peek, usual_name};
use crate::tape::{COUNT_MAX, NONE, Node, Tag, flag, saturate};

/// A place between two tokens.
#[derive(Clone, Copy)]
struct Place {
    here: Container,
    /// The key of the member whose value comes next.
    key: KeySpan,
    at: usize,
    /// The end of the value, once it has arrived.
    end: ValueEnd,
}

impl Place {
    /// Ends reading, or this part of it.
    #[inline(always)]
    fn ends(&mut self, end: ValueEnd) -> Next {
        self.end = end;
        Next::End
    }
}

/// The part of the grammar that is read next.
enum Next {
    Value,
    /// A key of a text that is still arriving.
    Name,
    /// A comma or a closer.
    After,
    /// The value has ended, or reading pauses, at [`Place::end`].
    End,
}

/// An unusual notation in the place of a value.
enum OddValue {
    /// A scalar, whose node was written.
    Scalar,
    Next(Next),
}

impl<'r> Reader<'r> {
    /// Reads the value whose first byte is at `start`.
    pub(crate) fn value(&mut self, start: usize) -> ValueEnd {
        let first = self.tape.repairs.len();
        self.begin(start);
        self.scratch.signatures.begin();
        let read = self.read_on(Container::OUTSIDE, KeySpan::NONE, start);
        // A writer who only adds comments escapes as in JSON, as feedback does.
        let damage = |repair: &Repair| {
            repair.kind != RepairKind::Comment && !RepairSet::UNFINISHED.has(repair.kind)
        };
        if self.tape.repairs[first..].iter().any(damage) {
            self.keep_habits(self.value_node, first);
        }
        self.ended(read)
    }

    /// Reads a value under `key` and the text after it until the outermost container is closed.
    pub(crate) fn read_on(&mut self, here: Container, key: KeySpan, at: usize) -> ValueEnd {
        if here.current != NONE {
            self.scratch.signatures.forget();
        }
        let object = here.object;
        let (current, count) = (here.current, here.count);
        self.read_from::<false>(
            (current, count),
            object,
            (key.start, key.end),
            key.flags,
            at,
        )
    }

    /// Resumes reading with the text that has arrived in the meantime.
    pub(crate) fn resume(&mut self) -> ValueEnd {
        self.scratch.signatures.forget();
        let (here, key) = (self.scratch.pause.here, self.scratch.pause.key);
        let (current, count) = (here.current, here.count);
        let (name, at) = ((key.start, key.end), self.scratch.pause.at);
        let read = self.read_from::<true>((current, count), here.object, name, key.flags, at);
        self.ended(read)
    }

    /// Reads with all changing state in registers rather than in the caller's memory: the functions
    /// called for each token are inlined.
    ///
    /// With `STREAMING`, more text may arrive: reading pauses where that text could change the
    /// value. Without it, none of that code is compiled in.
    #[inline(never)]
    pub(crate) fn read_from<const STREAMING: bool>(
        &mut self,
        (current, count): (u32, u32),
        object: bool,
        (start, end): (u32, u32),
        flags: u8,
        at: usize,
    ) -> ValueEnd {
        let mut place = Place {
            here: Container {
                current,
                object,
                count,
            },
            key: KeySpan { start, end, flags },
            at,
            end: ValueEnd {
                end: at,
                complete: false,
            },
        };
        let mut indent = Indent::default();
        let mut phase = if STREAMING {
            self.scratch.pause.phase
        } else {
            Phase::Value
        };
        'value: loop {
            if !STREAMING || phase == Phase::Value {
                match self.value_at::<STREAMING>(&mut place, &mut indent) {
                    Next::Value => continue 'value,
                    Next::Name => phase = Phase::Key,
                    Next::After => {}
                    Next::End => return place.end,
                }
            }
            loop {
                let is_name = phase == Phase::Key;
                phase = Phase::Value;
                let next = if is_name && STREAMING {
                    self.streamed_name(&mut place, &mut indent)
                } else if is_name {
                    self.next_name::<STREAMING>(&mut place, &mut indent)
                } else {
                    self.after_at::<STREAMING>(&mut place, &mut indent)
                };
                match next {
                    Next::Value => continue 'value,
                    Next::Name => phase = Phase::Key,
                    Next::After => {}
                    Next::End => return place.end,
                }
            }
        }
    }

    /// Reads the value at a place, or its opening bracket:
    /// `object / array / string / number / keyword`.
    #[inline(always)]
    fn value_at<const STREAMING: bool>(&mut self, place: &mut Place, indent: &mut Indent) -> Next {
        let bytes = self.look.bytes;
        let (byte, k) = indent.skip_space(bytes, place.at);
        let odd = match STREAMING {
            true => match self.streamed_value(place, indent, byte, k) {
                Ok(odd) => odd,
                Err(next) => return next,
            },
            false => false,
        };
        let mut node = scalar(place.key, Tag::Null, k, 0);
        let mut open = None;
        match byte {
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
                place.at = quoted.end + 1;
                // `"a\qb"`, a line break: the decoded string differs from the text between the
                // quotes.
                if quoted.suspect
                    && let Some((start, end)) = self.odd_inside(k + 1, quoted.end)
                {
                    (node.start, node.end, node.next) = (start, end, place.at as u32);
                    node.flags = place.key.flags | flag::SIDE;
                }
                if quoted.flags != 0 && escape::may_hide(&bytes[k + 1..quoted.end]) {
                    self.note_controls(k + 1, quoted.end);
                }
            }
            b'{' if !odd => open = Some((Tag::Object, k + 1)),
            b'[' => open = Some((Tag::Array, k + 1)),
            b'-' | b'0'..=b'9'
                if !odd
                    && let Some(number) = number::scan(bytes, k)
                    && ends_word(peek(bytes, number.end)) =>
            {
                node.tag = match number.float {
                    true => Tag::Float,
                    false => Tag::Integer,
                };
                place.at = number.end;
                node.end = place.at as u32;
            }
            b't' if word_at(bytes, k, b"true") => {
                (node.tag, place.at, node.end) = (Tag::True, k + 4, k as u32 + 4);
            }
            b'f' if word_at(bytes, k, b"false") => {
                (node.tag, place.at, node.end) = (Tag::False, k + 5, k as u32 + 5);
            }
            b'n' if word_at(bytes, k, b"null") => {
                (place.at, node.end) = (k + 4, k as u32 + 4);
            }
            // `[]`: nothing to record, and a direct path.
            b']' if !place.here.object && place.here.count == 0 => {
                place.at = k;
                return Next::After;
            }
            _ => match self.odd_value_at::<STREAMING>(place, indent, &mut node, byte, k) {
                OddValue::Scalar => {}
                OddValue::Next(next) => return next,
            },
        }
        if let Some((tag, next)) = open {
            node.tag = tag;
            return self.open_at::<STREAMING>(place, indent, &mut node, next);
        }
        if STREAMING {
            self.scratch.pause.last = self.tape.nodes.len() as u32;
        }
        self.tape.nodes.push(node);
        place.here.count += 1;
        Next::After
    }

    /// Handles the value at `k` of a text that is still arriving, which may differ from its
    /// appearance. Returns the place at which reading continues if it has to wait or the value was
    /// read.
    #[inline(always)]
    fn streamed_value(
        &mut self,
        place: &mut Place,
        indent: &mut Indent,
        byte: u8,
        k: usize,
    ) -> Result<bool, Next> {
        match self.value_ahead(place.here, byte, k) {
            Ahead::Token => Ok(false),
            Ahead::Odd => Ok(true),
            Ahead::Doubt(doubt) => {
                Err(self.hand_over_at::<true>(place, indent, Phase::Value, k, doubt))
            }
            Ahead::Awaited => Err(place.ends(self.pause(Phase::Value, place.here, place.key, k))),
        }
    }

    /// Leaves strict JSON for another token where a value is expected: `'a'`, `None`, `// note`,
    /// `}`.
    #[inline(always)]
    fn odd_value_at<const STREAMING: bool>(
        &mut self,
        place: &mut Place,
        indent: &mut Indent,
        node: &mut Node,
        byte: u8,
        k: usize,
    ) -> OddValue {
        let Place { here, key, .. } = *place;
        let odd = match STREAMING {
            true => self.growing_value(here, key, byte, k),
            false => self.liberty_for_value(here, key, byte, k),
        };
        let Some(odd) = odd else {
            return OddValue::Next(self.hand_over_at::<STREAMING>(
                place,
                indent,
                Phase::Value,
                k,
                k,
            ));
        };
        self.scratch.signatures.forget();
        match odd {
            ValueStep::Scalar(scalar, next) => {
                (*node, place.at) = (scalar, next);
                OddValue::Scalar
            }
            ValueStep::Again(next) if self.stuck(next) => {
                OddValue::Next(place.ends(self.finish(here, next)))
            }
            ValueStep::Again(next) => {
                place.at = next;
                OddValue::Next(Next::Value)
            }
            ValueStep::Nothing(now, next) => {
                (place.here, place.at) = (now, next);
                OddValue::Next(Next::After)
            }
            ValueStep::Open(next) => {
                node.tag = Tag::Array;
                OddValue::Next(self.open_at::<STREAMING>(place, indent, node, next))
            }
        }
    }

    /// Opens a container, whose first child begins at `next`.
    #[inline(always)]
    fn open_at<const STREAMING: bool>(
        &mut self,
        place: &mut Place,
        indent: &mut Indent,
        node: &mut Node,
        next: usize,
    ) -> Next {
        let here = place.here;
        if let Some(parent) = self.tape.nodes.get_mut(here.current as usize) {
            parent.count = saturate(here.count + 1);
            if parent.count == COUNT_MAX {
                let count = here.count + 1;
                self.tape.put_count(here.current, count, count);
            }
        }
        if self.counters.depth >= self.limits.depth {
            return place.ends(self.too_deep(here, node.start as usize));
        }
        self.counters.depth += 1;
        let object = node.tag == Tag::Object;
        node.next = here.current;
        place.here = Container {
            current: self.tape.nodes.len() as u32,
            object,
            count: 0,
        };
        self.tape.nodes.push(*node);
        place.at = next;
        place.key = KeySpan::NONE;
        if object && !STREAMING && peek(self.look.bytes, next) == b'}' {
            // `{}`, as above.
            Next::After
        } else if object {
            self.next_name::<STREAMING>(place, indent)
        } else {
            Next::Value
        }
    }

    /// Reads a key and its colon: `string ":"`.
    #[inline(always)]
    fn next_name<const STREAMING: bool>(&mut self, place: &mut Place, indent: &mut Indent) -> Next {
        if STREAMING {
            return Next::Name;
        }
        if let Some(name) = usual_name(self.look.bytes, place.at, indent) {
            self.scratch.signatures.push(name.signature);
            (place.key.start, place.key.end, place.at) = (name.start, name.end, name.next);
            return Next::Value;
        }
        match self.other_key(place.here, place.at) {
            Ok(keyed) => self.follow_key(place, keyed),
            Err(k) => self.hand_over_at::<STREAMING>(place, indent, Phase::Key, k, k),
        }
    }

    /// Continues where the search leads, which reads from about one member before `doubt` on;
    /// reading pauses at `k`.
    #[inline]
    fn hand_over_at<const STREAMING: bool>(
        &mut self,
        place: &mut Place,
        indent: &mut Indent,
        phase: Phase,
        k: usize,
        doubt: usize,
    ) -> Next {
        let handed = if STREAMING {
            match self.hand_over_growing(place.here, doubt) {
                Some(handed) => handed,
                None => {
                    let end = match phase {
                        Phase::After => self.pause_after(place.here, k),
                        Phase::Key => self.pause(phase, place.here, KeySpan::NONE, k),
                        Phase::Value => self.pause(phase, place.here, place.key, k),
                    };
                    return place.ends(end);
                }
            }
        } else {
            let key = match phase {
                Phase::Value => place.key,
                _ => KeySpan::NONE,
            };
            match self.truncated(place.here, key, phase, k) {
                Some(handed) => handed,
                None => self.hand_over(place.here, doubt),
            }
        };
        match handed {
            Handed::Child(here, at) => {
                (place.here, place.at, place.key) = (here, at, KeySpan::NONE);
                *indent = Indent::default();
                if here.object { Next::Name } else { Next::Value }
            }
            Handed::After(here, at) => {
                (place.here, place.at) = (here, at);
                Next::After
            }
            Handed::End(end) => place.ends(end),
        }
    }

    /// Reads a key of a text that is still arriving.
    #[inline(always)]
    fn streamed_name(&mut self, place: &mut Place, indent: &mut Indent) -> Next {
        let Place { here, at, .. } = *place;
        match self.strict_key(at) {
            StrictKey::Member(name, next) => {
                (place.key, place.at) = (name, next);
                Next::Value
            }
            StrictKey::Awaited => place.ends(self.pause(Phase::Key, here, KeySpan::NONE, at)),
            StrictKey::Odd if let Some(next) = self.growing_gap(at) => {
                place.at = next;
                Next::Name
            }
            StrictKey::Odd => match self.growing_key(here, at) {
                Ok(keyed) => self.follow_key(place, keyed),
                Err(k) => self.hand_over_at::<true>(place, indent, Phase::Key, k, k),
            },
        }
    }

    /// Continues according to the result of reading a key.
    #[inline(always)]
    fn follow_key(&mut self, place: &mut Place, keyed: KeyStep) -> Next {
        match keyed {
            KeyStep::Member(name, next) => {
                (place.key, place.at) = (name, next);
                Next::Value
            }
            KeyStep::Nothing(now, next) => {
                (place.here, place.at) = (now, next);
                Next::After
            }
        }
    }

    /// Reads the token after a value: `"," / "}" / "]"`, or the end.
    #[inline(always)]
    fn after_at<const STREAMING: bool>(&mut self, place: &mut Place, indent: &mut Indent) -> Next {
        let Place { here, at, .. } = *place;
        if here.current == NONE {
            return place.ends(ValueEnd {
                end: at,
                complete: true,
            });
        }
        let bytes = self.look.bytes;
        let (byte, k) = indent.skip_space(bytes, at);
        if STREAMING && k >= bytes.len() {
            self.scratch.pause.until_byte(k);
            return place.ends(self.pause(Phase::After, here, KeySpan::NONE, k));
        }
        place.at = k + 1;
        if byte == b',' {
            place.key = KeySpan::NONE;
            return if here.object {
                self.next_name::<STREAMING>(place, indent)
            } else {
                Next::Value
            };
        }
        if byte == if here.object { b'}' } else { b']' } {
            place.here = self.close(here, place.at);
            if STREAMING {
                self.scratch.pause.last = here.current;
            }
            // `{"a": 1}, "b": 2}`: the root was closed too early.
            if !STREAMING
                && place.here.current == NONE
                && self.look.more_follows(place.at)
                && self.goes_on_behind(place.here, place.at)
            {
                let doubt = place.at - 1;
                return self.hand_over_at::<STREAMING>(place, indent, Phase::After, doubt, doubt);
            }
            return Next::After;
        }
        self.odd_after_at::<STREAMING>(place, indent, byte, k)
    }

    /// Leaves strict JSON for another token where a comma or a closer is expected: `;`, `)`,
    /// `// note`, a key.
    #[inline(always)]
    fn odd_after_at<const STREAMING: bool>(
        &mut self,
        place: &mut Place,
        indent: &mut Indent,
        byte: u8,
        k: usize,
    ) -> Next {
        let next = match STREAMING {
            true => self.growing_between(byte, k),
            false => self.liberty_between(byte, k),
        };
        match next {
            Some(next) => {
                place.at = next;
                Next::After
            }
            None if STREAMING => self.hand_over_at::<STREAMING>(place, indent, Phase::After, k, k),
            None => match self.learned_after(place.here, byte, k) {
                Some(Learned::Child(next)) => {
                    (place.at, place.key) = (next, KeySpan::NONE);
                    match place.here.object {
                        true => self.next_name::<STREAMING>(place, indent),
                        false => Next::Value,
                    }
                }
                Some(Learned::Closed(here, next)) => {
                    (place.here, place.at) = (here, next);
                    Next::After
                }
                None => self.hand_over_at::<STREAMING>(place, indent, Phase::After, k, k),
            },
        }
    }

    /// Reads an unusual key, or continues where an object has none. Returns the place at which the
    /// text is ambiguous.
    #[inline]
    fn other_key(&mut self, here: Container, at: usize) -> Result<KeyStep, usize> {
        let keyed = self.liberty_for_key(here, at);
        let empty = here.count == 0 && matches!(keyed, Ok(KeyStep::Nothing(..)));
        if !empty || !self.tape.repairs.is_empty() {
            self.scratch.signatures.forget();
        }
        keyed
    }
}

/// Returns `true` if a number or keyword may end before this byte.
#[inline(always)]
fn ends_word(byte: u8) -> bool {
    matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' | 0)
}

/// Returns `true` if `word` is at `at` and nothing is attached to it.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize, word: &[u8]) -> bool {
    bytes.get(at..at + word.len()) == Some(word) && ends_word(peek(bytes, at + word.len()))
}
