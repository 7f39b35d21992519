//! Reading while text is still to come.
//!
//! The reader is the same as for a whole text. Before each step it asks here whether more text
//! could change what the step makes of the text at hand; if so it pauses, and goes on from the same
//! place when enough has come. A strict token is certain once the one behind it has begun. A step
//! that puts something right is tried: it counts if what decided it lies clearly before the end of
//! the text, else it is undone and tried again when there is more text.
//!
//! What has been read is never taken back. If a step would have to, the reader stops for good, and
//! what the whole text means is found at its end.

use smallvec::SmallVec;

use crate::node::{NONE, Node, Tag, flag};
use crate::parser::gap::gap_at;
use crate::parser::reader::{Here, KeySpan, Keyed, Next, Odd, Read, Reader, saturate, scalar};
use crate::repair::Repair;
use crate::scan::{self, Quoted, peek, skip_space};
use crate::{escape, number};

/// How far before the end of the text a step that puts something right must end to be certain: what
/// decides it stands hardly ever further ahead.
const MARGIN: usize = 64;

/// Where in the grammar reading paused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::parser) enum Phase {
    /// Before a value.
    #[default]
    Value,
    /// Before a member's name.
    Key,
    /// Behind a value.
    After,
}

/// What has to come before it is worth while to go on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Await {
    /// A byte from here on that is no white space.
    Byte(usize),
    /// A quote that closes the string whose inside begins at `start`; there is none before `from`.
    Quote { start: usize, from: usize },
    /// A text of this length.
    Length(usize),
    /// The end of the text.
    Never,
}

/// Where reading paused, and what it waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Live {
    pub(in crate::parser) phase: Phase,
    pub(in crate::parser) here: Here,
    pub(in crate::parser) key: KeySpan,
    pub(in crate::parser) at: usize,
    /// The last child of the innermost container.
    pub(in crate::parser) last: u32,
    pub(crate) wait: Await,
    /// A string whose closing quote has been found: where its inside begins and ends.
    pub(crate) quote: (usize, usize),
    /// The last node is the beginning of a string that is still growing.
    pub(crate) growing: bool,
    pub(crate) grown: Grown,
    /// Reading paused; it has not come to the end of the value.
    pub(crate) paused: bool,
    /// Something had to be put right.
    pub(crate) odd: bool,
}

impl Default for Live {
    fn default() -> Self {
        Self {
            phase: Phase::Value,
            here: Here::OUTSIDE,
            key: KeySpan::NONE,
            at: 0,
            last: NONE,
            wait: Await::Byte(0),
            quote: (0, 0),
            growing: false,
            grown: Grown::default(),
            paused: false,
            odd: false,
        }
    }
}

impl Live {
    pub(in crate::parser) fn until_byte(&mut self, from: usize) {
        self.wait = Await::Byte(from);
    }

    /// Waits for somewhat more text, the more the longer what is to be read has become: so that
    /// looking at it again and again costs no more than a few times its length.
    fn until_more(&mut self, begin: usize, length: usize) {
        self.wait = Await::Length(length + ((length - begin.min(length)) / 4).max(1));
    }

    /// The one value, open containers aside, that later text may still change.
    pub(crate) fn unsettled(&self, nodes: usize) -> Option<u32> {
        if self.growing {
            return Some(nodes as u32 - 1);
        }
        match self.phase {
            Phase::Value => None,
            Phase::Key | Phase::After => (self.here.count > 0).then_some(self.last),
        }
    }
}

/// What a step may change, to be put back if it comes too early.
struct Mark {
    nodes: usize,
    side: usize,
    repairs: usize,
    notes: usize,
    replaced: usize,
    last_repair: Option<Repair>,
    last: Option<Node>,
    /// The open containers with their indices.
    open: SmallVec<[(u32, Node); 16]>,
    depth: u32,
    wrappers: u32,
    furthest: usize,
    idle: u32,
    hopeless_from: usize,
    cut: bool,
    unrecorded: bool,
}

impl Reader<'_> {
    /// Remembers where reading goes on, and shows the string that has begun there.
    #[cold]
    #[inline(never)]
    pub(in crate::parser) fn pause(
        &mut self,
        phase: Phase,
        here: Here,
        key: KeySpan,
        at: usize,
    ) -> Read {
        self.live = Live {
            phase,
            here,
            key,
            at,
            growing: false,
            paused: true,
            ..self.live
        };
        if let Some(node) = self.tape.nodes.get_mut(here.current as usize) {
            node.count = saturate(here.count);
        }
        if phase == Phase::Value && here.current != NONE && peek(self.bytes, at) == b'"' {
            self.show_string(here, key, at + 1);
        }
        let complete = false;
        Read { end: at, complete }
    }

    /// Shows as much of a string as is certain.
    fn show_string(&mut self, here: Here, key: KeySpan, start: usize) {
        let mut node = scalar(key, Tag::String, start, start);
        let closed = self.live.quote.0 == start;
        let end = if closed {
            self.live.quote.1
        } else {
            self.text.len()
        };
        if self.live.grown.start != start {
            self.live.grown = Grown::new(start);
        }
        self.live.grown.extend(&self.text[..end]);
        node.end = self.live.grown.end as u32;
        node.flags |= self.live.grown.flags | flag::TRUNCATED;
        self.tape.nodes.push(node);
        self.tape.nodes[here.current as usize].count = saturate(here.count + 1);
        self.live.growing = true;
    }

    /// Whether more text is needed to read the value at `k`.
    #[inline(never)]
    pub(in crate::parser) fn awaits_value(&mut self, here: Here, byte: u8, k: usize) -> bool {
        let length = self.bytes.len();
        if k >= length {
            self.live.until_byte(k);
            return true;
        }
        match byte {
            b'"' => {
                let Some(end) = self.closing_quote(k + 1) else {
                    return true;
                };
                let (byte, follows) = skip_space(self.bytes, end + 1);
                self.live.until_byte(follows);
                // Its quote may belong to its text, or the next string begins with it.
                let doubtful = |live: &mut Live| {
                    live.wait = Await::Length(end + MARGIN);
                    end + MARGIN > length
                };
                follows >= length
                    || !matches!(byte, b',' | b'}' | b']')
                        && follows == end + 1
                        && doubtful(&mut self.live)
            }
            b'{' => !self.opens_surely(k),
            b'-' | b'0'..=b'9' => match number::scan(self.bytes, k) {
                Some(number) => self.awaits_end_of_word(here, k, number.end),
                None => false,
            },
            b't' | b'f' | b'n' => {
                let word = self.bytes[k..]
                    .iter()
                    .take_while(|b| b.is_ascii_lowercase());
                self.awaits_end_of_word(here, k, k + word.count())
            }
            _ => false,
        }
    }

    /// The quote that closes the string whose inside begins at `start`, if it has come.
    fn closing_quote(&mut self, start: usize) -> Option<usize> {
        if self.live.quote.0 == start {
            return Some(self.live.quote.1);
        }
        let found = scan::closing_quote(self.bytes, start, start);
        match found {
            Some(end) => self.live.quote = (start, end),
            None => {
                let from = self.bytes.len();
                self.live.wait = Await::Quote { start, from };
            }
        }
        found
    }

    /// The string whose inside begins at `start` and whose closing quote has been looked for.
    #[inline]
    pub(in crate::parser) fn found_quoted(&self, start: usize) -> Option<Quoted> {
        let (begin, end) = self.live.quote;
        if begin != start {
            return scan::quoted(self.bytes, start);
        }
        let (flags, suspect) = scan::inspect(&self.bytes[start..end]);
        Some(Quoted {
            end,
            flags,
            suspect,
        })
    }

    /// Whether more text is needed to tell that a number or keyword ends at `end`. What may make a
    /// text of it (`5 apples`) has to be seen whole.
    fn awaits_end_of_word(&mut self, here: Here, k: usize, end: usize) -> bool {
        let length = self.bytes.len();
        let (byte, follows) = skip_space(self.bytes, end);
        if follows >= length {
            self.live.until_more(k, length);
            return true;
        }
        let certain = matches!(byte, b',' | b'}' | b']' | b'"' | b'{' | b'[');
        if certain
            && (end < follows || byte == if here.object { b'}' } else { b']' } || byte == b',')
        {
            return false;
        }
        self.live.wait = Await::Length(end + MARGIN);
        end + MARGIN > length
    }

    /// Whether the brace at `k` certainly opens an object: a name with its colon stands in it, or
    /// nothing. Otherwise more text is needed; with enough of it any brace will do.
    fn opens_surely(&mut self, k: usize) -> bool {
        let length = self.bytes.len();
        let (byte, inside) = skip_space(self.bytes, k + 1);
        if inside >= length {
            self.live.until_byte(inside);
            return false;
        }
        if byte == b'}' || k + MARGIN <= length {
            return true;
        }
        match self.name_at(inside) {
            Some(true) => true,
            Some(false) => {
                self.live.wait = Await::Length(k + MARGIN);
                false
            }
            None => {
                self.live.until_more(k, length);
                false
            }
        }
    }

    /// Whether a plain name with its colon stands at `k`, in quotes or without; `None` if the text
    /// ends before that can be told.
    pub(in crate::parser) fn name_at(&self, k: usize) -> Option<bool> {
        let length = self.bytes.len();
        let quote = peek(self.bytes, k);
        let end = match quote {
            b'"' => scan::closing_quote(self.bytes, k + 1, k + 1)? + 1,
            b'\'' => k + 1 + memchr::memchr(b'\'', self.bytes.get(k + 1..)?)? + 1,
            _ => {
                let name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$-".contains(byte);
                let name = self.bytes[k..].iter().take_while(|byte| name(byte)).count();
                if name == 0 && k < length {
                    return Some(false);
                }
                k + name
            }
        };
        let (byte, colon) = skip_space(self.bytes, end);
        (colon < length).then_some(byte == b':')
    }

    /// Reads a name, or pauses.
    #[cold]
    #[inline(never)]
    pub(in crate::parser) fn try_key(&mut self, here: Here, at: usize) -> Option<Keyed> {
        let length = self.bytes.len();
        let (byte, k) = skip_space(self.bytes, at);
        if k >= length {
            self.live.until_byte(k);
            return None;
        }
        if byte == b'"' {
            let end = self.closing_quote(k + 1)?;
            let (colon, next) = skip_space(self.bytes, end + 1);
            if next >= length {
                self.live.until_byte(next);
                return None;
            }
            if colon == b':' {
                let quoted = self.found_quoted(k + 1)?;
                if quoted.suspect {
                    self.inspect(k + 1, end);
                }
                let flags = if quoted.flags == 0 {
                    0
                } else {
                    flag::KEY_ESCAPED
                };
                let (start, end) = (k as u32 + 1, end as u32);
                return Some(Keyed::Member(KeySpan { start, end, flags }, next + 1));
            }
        }
        let plain = byte != b'"' && self.name_at(k) == Some(true);
        let closes = here.current != NONE && byte == self.closer_of(here.current);
        let mark = self.remember(here);
        let keyed = self.key(here, at);
        let (now, next) = match &keyed {
            Keyed::Member(_, next) => (here, *next),
            Keyed::Nothing(now, next) | Keyed::Item(now, next) | Keyed::End(now, next) => {
                (*now, *next)
            }
        };
        let certain = plain || closes || gap_at(self.text, k).is_some() && self.name_ends_at(next);
        self.keep(mark, now, k, next, certain).then_some(keyed)
    }

    fn name_ends_at(&self, next: usize) -> bool {
        next < self.bytes.len() && peek(self.bytes, next - 1) == b':'
    }

    /// Reads what is no strict value, or pauses.
    #[cold]
    #[inline(never)]
    pub(in crate::parser) fn try_value(
        &mut self,
        here: Here,
        key: KeySpan,
        byte: u8,
        k: usize,
    ) -> Option<Odd> {
        let mark = self.remember(here);
        let odd = self.odd_value(here, key, byte, k);
        let (now, next) = match &odd {
            Odd::Scalar(_, next) | Odd::Open(_, next) | Odd::Again(next) => (here, *next),
            Odd::Nothing(now, next) | Odd::End(now, next) => (*now, *next),
        };
        let ends = |byte| matches!(byte, b',' | b'}' | b']' | b'\n');
        let certain = match &odd {
            Odd::Scalar(node, next) if matches!(node.tag, Tag::True | Tag::False | Tag::Null) => {
                byte.is_ascii_uppercase() && ends(peek(self.bytes, *next))
            }
            Odd::Scalar(_, next) if byte == b'\'' => self.clear_ahead(here, *next),
            Odd::Again(next) => gap_at(self.text, k).is_some() && *next < self.bytes.len(),
            Odd::Nothing(..) => here.current != NONE && byte == self.closer_of(here.current),
            _ => false,
        };
        self.keep(mark, now, k, next, certain).then_some(odd)
    }

    /// Reads what may not follow a value, or pauses.
    #[cold]
    #[inline(never)]
    pub(in crate::parser) fn try_after(&mut self, here: Here, byte: u8, k: usize) -> Option<Next> {
        let mark = self.remember(here);
        let next = self.odd_after(here, byte, k);
        let (now, at) = match &next {
            Next::Child(now, at)
            | Next::Again(now, at)
            | Next::Member(now, _, at)
            | Next::End(now, at) => (*now, *at),
        };
        let certain = match &next {
            // A comma is missing: the next name is plainly there.
            Next::Child(now, at) if now.object && *at == k => {
                self.bytes[..k].last().is_some_and(u8::is_ascii_whitespace)
                    && self.name_at(k) == Some(true)
            }
            Next::Again(_, at) => gap_at(self.text, k).is_some() && *at < self.bytes.len(),
            _ => false,
        };
        self.keep(mark, now, k, at, certain).then_some(next)
    }

    /// Whether what follows `at` in that container is plainly there: a comma and the next name or
    /// the beginning of the next value, or a closer and something behind it.
    fn clear_ahead(&self, here: Here, at: usize) -> bool {
        let (byte, k) = skip_space(self.bytes, at);
        let (next, inside) = skip_space(self.bytes, k + 1);
        if k >= self.bytes.len() || inside >= self.bytes.len() {
            return false;
        }
        match byte {
            b',' if here.object => self.name_at(inside) == Some(true),
            b',' => matches!(next, b'"' | b'\'' | b'{' | b'['),
            b'}' | b']' => here.current != NONE && byte == self.closer_of(here.current),
            _ => false,
        }
    }

    /// Keeps what a step from `k` to `next` did, if that is certain, and otherwise takes it back.
    fn keep(&mut self, mark: Mark, now: Here, k: usize, next: usize, certain: bool) -> bool {
        let length = self.bytes.len();
        let certain = certain || next + MARGIN <= length;
        if certain && self.limit.is_none() && self.only_adds(&mark, now) {
            self.live.odd = true;
            return true;
        }
        let take_back = certain;
        self.undo(mark);
        if take_back {
            self.live.wait = Await::Never;
        } else if next + MARGIN > length && next < length && length - k > MARGIN {
            self.live.wait = Await::Length(next + MARGIN);
        } else {
            self.live.until_more(k, length);
        }
        false
    }

    fn remember(&self, here: Here) -> Mark {
        let mut open = SmallVec::new();
        let mut at = here.current;
        while let Some(node) = self.tape.nodes.get(at as usize) {
            open.push((at, *node));
            at = node.next;
        }
        Mark {
            nodes: self.tape.nodes.len(),
            side: self.tape.side.len(),
            repairs: self.tape.repairs.len(),
            notes: self.tape.notes.len(),
            replaced: self.tape.replaced.len(),
            last_repair: self.tape.repairs.last().copied(),
            last: self.tape.nodes.last().copied(),
            open,
            depth: self.depth,
            wrappers: self.wrappers,
            furthest: self.furthest,
            idle: self.idle,
            hopeless_from: self.hopeless_from,
            cut: self.cut,
            unrecorded: self.unrecorded,
        }
    }

    /// Whether a step left what was there as it was, but for more text in the last string and
    /// closers of what was open.
    fn only_adds(&self, mark: &Mark, _now: Here) -> bool {
        let nodes = &self.tape.nodes;
        let same = |index: usize, old: &Node| {
            nodes.get(index).is_some_and(|new| {
                let side = flag::KEY_SIDE | flag::KEY_ESCAPED;
                (new.tag, new.key_start, new.key_end) == (old.tag, old.key_start, old.key_end)
                    && new.flags & side == old.flags & side
            })
        };
        let Some(last) = mark.last else {
            return true;
        };
        let grown = nodes.get(mark.nodes - 1).is_some_and(|new| {
            last.tag != Tag::String
                || last.start == last.end
                || new.has(flag::SIDE)
                || new.start == last.start && new.end >= last.end
        });
        grown
            && same(mark.nodes - 1, &last)
            && mark
                .open
                .iter()
                .all(|(index, old)| same(*index as usize, old))
    }

    fn undo(&mut self, mark: Mark) {
        let dummy = scalar(KeySpan::NONE, Tag::Null, 0, 0);
        for (index, old) in &mark.open {
            let closed = self.tape.nodes.get(*index as usize).copied();
            if closed.is_some_and(|node| node.has(flag::DUPLICATES) && !old.has(flag::DUPLICATES)) {
                self.show_all_members(*index, mark.nodes);
            }
        }
        self.tape.nodes.resize(mark.nodes, dummy);
        for (index, old) in &mark.open {
            self.tape.nodes[*index as usize] = *old;
        }
        if let Some(last) = mark.last {
            self.tape.nodes[mark.nodes - 1] = last;
        }
        self.tape.side.truncate(mark.side);
        self.tape.repairs.truncate(mark.repairs);
        if let Some(repair) = mark.last_repair {
            self.tape.repairs[mark.repairs - 1] = repair;
        }
        self.tape.notes.truncate(mark.notes);
        self.tape.replaced.truncate(mark.replaced);
        self.depth = mark.depth;
        self.wrappers = mark.wrappers;
        self.furthest = mark.furthest;
        self.idle = mark.idle;
        self.hopeless_from = mark.hopeless_from;
        self.cut = mark.cut;
        self.unrecorded = mark.unrecorded;
        self.limit = None;
    }

    /// Takes back that some members of an object replace others.
    fn show_all_members(&mut self, object: u32, nodes: usize) {
        let end = (self.tape.after(object) as usize).min(nodes);
        let mut index = object as usize + 1;
        while index < end.min(self.tape.nodes.len()) {
            self.tape.nodes[index].flags &= !(flag::SHADOWED | flag::REPLACED);
            index = self.tape.after(index as u32) as usize;
        }
    }
}

/// What a byte may be in a string.
#[derive(Clone, Copy)]
enum Letter {
    Plain,
    /// May turn out to stand behind the string.
    Separator,
    /// A quote or a backslash.
    Special,
}

static LETTERS: [Letter; 256] = {
    let mut letters = [Letter::Plain; 256];
    let (mut at, separators) = (0, b" \n\r\t,}]");
    while at < separators.len() {
        letters[separators[at] as usize] = Letter::Separator;
        at += 1;
    }
    letters[b'"' as usize] = Letter::Special;
    letters[b'\\' as usize] = Letter::Special;
    letters
};

/// How much of a string that nothing has closed yet is certain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Grown {
    /// Where its inside begins.
    pub(crate) start: usize,
    /// Up to here the text has been looked at; half an escape waits for its other half.
    pub(crate) whole: usize,
    /// Up to here the text is the string's, whatever comes: white space and separators may turn
    /// out to stand behind it.
    pub(crate) end: usize,
    /// `flag::ESCAPED` if there is an escape in that part.
    pub(crate) flags: u8,
}

impl Grown {
    pub(crate) fn new(start: usize) -> Self {
        Self {
            start,
            whole: start,
            end: start,
            flags: 0,
        }
    }

    /// Takes in a few bytes more, if nothing in them needs a closer look.
    #[inline]
    pub(crate) fn extend_plainly(&mut self, bytes: &[u8]) -> bool {
        let mut end = self.end;
        for (byte, at) in bytes[self.whole..].iter().zip(self.whole + 1..) {
            match LETTERS[usize::from(*byte)] {
                Letter::Plain => end = at,
                Letter::Separator => {}
                Letter::Special => return false,
            }
        }
        self.end = end;
        self.whole = bytes.len();
        true
    }

    /// Takes in the text that has come.
    pub(crate) fn extend(&mut self, text: &str) {
        loop {
            let rest = &text[self.whole..];
            let plain = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
            let separator = |c: char| matches!(c, ' ' | '\n' | '\r' | '\t' | ',' | '}' | ']');
            let solid = rest[..plain].trim_end_matches(separator).len();
            if solid > 0 {
                self.end = self.whole + solid;
            }
            self.whole += plain;
            // What an escape means may depend on the character behind it.
            match escape::length(&rest[plain..]) {
                Some(length) if self.whole + length < text.len() => self.whole += length,
                _ => return,
            }
            self.end = self.whole;
            self.flags = flag::ESCAPED;
        }
    }
}
