//! The grammar.
//!
//! [`Reader::read_on`] reads strict JSON in three short pieces (value, key, what comes after a value)
//! without a detour. Whatever strict JSON does not allow leaves them by a cold function in one of the
//! neighbouring files, which puts it right, records that, and says where to go on.

use crate::document::Readings;
use crate::limits::{LimitReached, Limits};
use crate::names::Names;
use crate::node::{COUNT_MAX, NONE, Node, Tag, Tape, saturate};
use crate::parser::live::{Phase, StrictKey};
use crate::scan::{Indent, peek, skip_space, usual_name};
use crate::{number, scan};

pub(in crate::parser) use crate::parser::state::{
    Here, KeySpan, Keyed, Next, Odd, Read, Scratch, scalar,
};

/// Reads one text into one tape.
pub(in crate::parser) struct Reader<'r> {
    pub(in crate::parser) text: &'r str,
    pub(in crate::parser) bytes: &'r [u8],
    pub(in crate::parser) tape: &'r mut Tape,
    pub(in crate::parser) limits: &'r Limits,
    pub(in crate::parser) scratch: &'r mut Scratch,
    /// The limit that ended reading.
    pub(in crate::parser) limit: Option<LimitReached>,
    /// Open containers.
    pub(in crate::parser) depth: u32,
    /// Repairs that were made after the records were full.
    pub(in crate::parser) unrecorded: bool,
    /// The text may have ended inside a string though closers follow it.
    pub(in crate::parser) cut: bool,
    /// Calls around a value whose closing bracket has not been seen.
    pub(in crate::parser) wrappers: u32,
    /// The text was taken out of another one, which records what stands around it.
    pub(in crate::parser) nested: bool,
    /// All values that the text may mean, if there are several.
    pub(in crate::parser) readings: Readings,
    /// Names that are expected, as evidence where a string's end is doubtful.
    pub(in crate::parser) names: Option<&'r Names>,
    /// How far reading has come, and how many steps ago.
    pub(in crate::parser) furthest: usize,
    pub(in crate::parser) idle: u32,
    /// How often a root has been opened again.
    pub(in crate::parser) reopened: u32,
    /// Looking for the end of a string with unescaped quotes went to the end of the text in vain:
    /// from here on it would again.
    pub(in crate::parser) hopeless_from: usize,
    /// More text may come: what has been read is not taken back.
    pub(in crate::parser) growing: bool,
    /// The records from here on are those of the value that is being read.
    pub(in crate::parser) first_repair: usize,
    /// A name begins here that no quote closes: the text may have ended inside it, whatever it
    /// looks like behind.
    pub(in crate::parser) unclosed_from: usize,
    /// So many nodes there were when a container was closed last whose closer is missing.
    pub(in crate::parser) implied_end: usize,
    /// So many bytes have been read again by their lines.
    pub(in crate::parser) reread: usize,
    /// A line did not begin where the brackets around it say.
    pub(in crate::parser) askew: bool,
    /// How many quotes have been looked at in vain for the ends of strings.
    pub(in crate::parser) vain: u32,
    /// Where a plain name was seen to begin while looking ahead, and how long it is.
    pub(in crate::parser) seen_name: (usize, usize),
}

impl<'r> Reader<'r> {
    pub(in crate::parser) fn new(
        text: &'r str,
        tape: &'r mut Tape,
        limits: &'r Limits,
        scratch: &'r mut Scratch,
    ) -> Self {
        tape.digits = limits.digits;
        Self {
            text,
            bytes: text.as_bytes(),
            tape,
            limits,
            scratch,
            limit: None,
            depth: 0,
            unrecorded: false,
            cut: false,
            wrappers: 0,
            nested: false,
            readings: Readings::default(),
            names: None,
            furthest: 0,
            idle: 0,
            reopened: 0,
            hopeless_from: usize::MAX,
            unclosed_from: usize::MAX,
            first_repair: 0,
            growing: false,
            implied_end: 0,
            reread: 0,
            askew: false,
            vain: 0,
            seen_name: (0, 0),
        }
    }

    /// Reads the value that begins at `start`, which is at a value's first byte.
    pub(in crate::parser) fn value(&mut self, start: usize) -> Read {
        self.begin(start);
        self.scratch.signatures.begin();
        self.read_on(Here::OUTSIDE, KeySpan::NONE, start)
    }

    pub(in crate::parser) fn begin(&mut self, start: usize) {
        self.scratch.signatures.forget();
        self.wrappers = 0;
        self.cut = false;
        self.furthest = start;
        self.idle = 0;
        self.implied_end = 0;
    }

    /// Reads a value under `key` and whatever follows it until the outermost container is closed.
    pub(in crate::parser) fn read_on(&mut self, here: Here, key: KeySpan, at: usize) -> Read {
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

    /// Goes on where reading paused, with the text that has come in the meantime.
    pub(in crate::parser) fn resume(&mut self) -> Read {
        self.scratch.signatures.forget();
        let (here, key) = (self.scratch.live.here, self.scratch.live.key);
        let (current, count) = (here.current, here.count);
        let (name, at) = ((key.start, key.end), self.scratch.live.at);
        self.read_from::<true, false>((current, count), here.object, name, key.flags, at)
    }

    /// The same with all that changes in registers, not where the caller put it.
    ///
    /// With `LIVE` more text may come: reading pauses where that could change what is read. With
    /// `LINES` their indentation says where closers are missing. Without them nothing of that is in
    /// the code.
    #[inline(never)]
    pub(in crate::parser) fn read_from<const LIVE: bool, const LINES: bool>(
        &mut self,
        (current, count): (u32, u32),
        object: bool,
        (start, end): (u32, u32),
        flags: u8,
        mut at: usize,
    ) -> Read {
        let mut here = Here {
            current,
            object,
            count,
        };
        let mut key = KeySpan { start, end, flags };
        let mut indent = Indent::default();
        let bytes = self.bytes;
        let mut phase = if LIVE {
            self.scratch.live.phase
        } else {
            Phase::Value
        };
        'value: loop {
            let (byte, k) = indent.skip_space(bytes, at);
            if LIVE && phase == Phase::Value && self.awaits_value(here, byte, k) {
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
                _ if LIVE && phase != Phase::Value => node.tag = Tag::Reference,
                b'"' if let Some(quoted) = if LIVE {
                    self.found_quoted(k + 1)
                } else {
                    scan::quoted(bytes, k + 1)
                } =>
                {
                    if quoted.suspect {
                        self.inspect(k + 1, quoted.end);
                    }
                    node.start += 1;
                    node.end = quoted.end as u32;
                    node.tag = Tag::String;
                    node.flags |= quoted.flags;
                    at = quoted.end + 1;
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
                b']' if !LIVE && !here.object && here.count == 0 => {
                    // An empty array: nothing to note, and no detour.
                    node.tag = Tag::Reference;
                    at = k;
                }
                _ => {
                    let odd = if LIVE {
                        match self.try_value(here, key, byte, k) {
                            Some(odd) => odd,
                            None => return self.pause(Phase::Value, here, key, k),
                        }
                    } else {
                        self.odd_value(here, key, byte, k)
                    };
                    self.scratch.signatures.forget();
                    match odd {
                        Odd::Scalar(scalar, next) => {
                            node = scalar;
                            at = next;
                        }
                        Odd::Open(tag, next) => open = Some((tag, next)),
                        Odd::Again(next) => {
                            if self.stuck(next) {
                                return self.finish(here, next);
                            }
                            at = next;
                            continue 'value;
                        }
                        Odd::Nothing(now, next) => {
                            (here, at) = (now, next);
                            node.tag = Tag::Reference;
                        }
                        Odd::End(now, next) => return self.finish(now, next),
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
                if self.depth >= self.limits.depth {
                    return self.too_deep(here, k);
                }
                self.depth += 1;
                let object = tag == Tag::Object;
                node.tag = tag;
                node.next = here.current;
                here = Here {
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
                if !LIVE && let Some(name) = usual_name(bytes, at, &mut indent) {
                    self.scratch.signatures.push(name.signature);
                    (key.start, key.end, at) = (name.start, name.end, name.next);
                    continue 'value;
                }
                if LIVE {
                    phase = Phase::Key;
                    continue 'value;
                }
                match self.other_key(here, at) {
                    Keyed::Member(name, next) => {
                        (key, at) = (name, next);
                        continue 'value;
                    }
                    Keyed::Nothing(now, next) => (here, at) = (now, next),
                    Keyed::Item(now, next) => {
                        (here, at) = (now, next);
                        continue 'value;
                    }
                    Keyed::End(now, next) => return self.finish(now, next),
                }
            } else if node.tag != Tag::Reference {
                if LIVE {
                    self.scratch.live.last = self.tape.nodes.len() as u32;
                }
                self.tape.nodes.push(node);
                here.count += 1;
            }
            loop {
                if LIVE && phase == Phase::Key {
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
                        Some(Keyed::Member(name, next)) => {
                            (key, at) = (name, next);
                            continue 'value;
                        }
                        Some(Keyed::Nothing(now, next)) => (here, at) = (now, next),
                        Some(Keyed::Item(now, next)) => {
                            (here, at) = (now, next);
                            key = KeySpan::NONE;
                            continue 'value;
                        }
                        Some(Keyed::End(now, next)) => return self.finish(now, next),
                    }
                }
                phase = Phase::Value;
                if here.current == NONE {
                    return Read {
                        end: at,
                        complete: true,
                    };
                }
                let (byte, k) = indent.skip_space(bytes, at);
                if LINES && let Some(closed) = self.closed_by_line(here, at, (byte, k)) {
                    self.scratch.signatures.forget();
                    (here, at) = closed;
                    continue;
                }
                if LIVE && k >= bytes.len() {
                    self.scratch.live.until_byte(k);
                    return self.pause(Phase::After, here, KeySpan::NONE, k);
                }
                at = k + 1;
                if byte == b',' {
                    key = KeySpan::NONE;
                    if here.object {
                        if !LIVE && let Some(name) = usual_name(bytes, at, &mut indent) {
                            self.scratch.signatures.push(name.signature);
                            (key.start, key.end, at) = (name.start, name.end, name.next);
                            continue 'value;
                        }
                        if LIVE {
                            phase = Phase::Key;
                            continue;
                        }
                        match self.other_key(here, at) {
                            Keyed::Member(name, next) => {
                                (key, at) = (name, next);
                                continue 'value;
                            }
                            Keyed::Nothing(now, next) => {
                                (here, at) = (now, next);
                                continue;
                            }
                            Keyed::Item(now, next) => {
                                (here, at) = (now, next);
                                continue 'value;
                            }
                            Keyed::End(now, next) => return self.finish(now, next),
                        }
                    }
                    continue 'value;
                }
                if byte == if here.object { b'}' } else { b']' } {
                    let closed = here.current;
                    here = self.close(here, at);
                    if LIVE {
                        self.scratch.live.last = closed;
                    }
                    if !LIVE
                        && here.current == NONE
                        && self.more_follows(at)
                        && let Some(again) = self.reopen(closed, at)
                    {
                        self.scratch.signatures.forget();
                        (here, at) = again;
                    }
                    continue;
                }
                let next = if LIVE {
                    match self.try_after(here, byte, k) {
                        Some(next) => next,
                        None => return self.pause_after(here, k),
                    }
                } else {
                    self.odd_after(here, byte, k)
                };
                self.scratch.signatures.forget();
                match next {
                    Next::Again(now, next) => {
                        (here, at) = (now, next);
                        if self.stuck(at) {
                            return self.finish(here, at);
                        }
                    }
                    Next::Child(now, next) => {
                        (here, at) = (now, next);
                        if self.stuck(at) {
                            return self.finish(here, at);
                        }
                        key = KeySpan::NONE;
                        if !here.object {
                            continue 'value;
                        }
                        if LIVE {
                            phase = Phase::Key;
                            continue;
                        }
                        match self.other_key(here, at) {
                            Keyed::Member(name, next) => {
                                (key, at) = (name, next);
                                continue 'value;
                            }
                            Keyed::Nothing(now, next) => (here, at) = (now, next),
                            Keyed::Item(now, next) => {
                                (here, at) = (now, next);
                                continue 'value;
                            }
                            Keyed::End(now, next) => return self.finish(now, next),
                        }
                    }
                    Next::Member(now, name, next) => {
                        (here, key, at) = (now, name, next);
                        continue 'value;
                    }
                    Next::End(now, next) => return self.finish(now, next),
                }
            }
        }
    }

    /// Reads a name that is not as names nearly always are, or passes by where an empty object has
    /// none.
    #[inline]
    fn other_key(&mut self, here: Here, at: usize) -> Keyed {
        let keyed = self.key(here, at);
        let empty = here.count == 0 && matches!(keyed, Keyed::Nothing(..));
        if !empty || !self.tape.repairs.is_empty() {
            self.scratch.signatures.forget();
        }
        keyed
    }

    /// Whether something stands behind the root that could belong to it.
    #[inline]
    fn more_follows(&self, end: usize) -> bool {
        matches!(
            skip_space(self.bytes, end).0,
            b',' | b'}' | b']' | b'"' | b'\'' | b'`' | b'\\' | b'A'..=b'Z' | b'a'..=b'z' | 0x80..
        )
    }
}

/// Whether a number or keyword may end before this byte.
#[inline(always)]
fn ends_word(byte: u8) -> bool {
    matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' | 0)
}

/// Whether `word` stands at `at` and nothing is attached to it.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize, word: &[u8]) -> bool {
    bytes.get(at..at + word.len()) == Some(word) && ends_word(peek(bytes, at + word.len()))
}
