//! Text to tape.
//!
//! [`Reader::value`] is the grammar: three short pieces (value, key, what comes after a value)
//! that read strict JSON without a detour. Whatever strict JSON does not allow leaves them by a
//! cold function in one of the neighbouring files, which puts it right, records that, and says
//! where to go on. There are no modes: policy looks at the records afterwards.

mod after;
mod duplicate;
mod gap;
mod key;
mod quote;
mod reply;
mod value;
mod word;

pub(crate) use reply::apply_reading;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::document::{Document, Readings};
use crate::edit::Inner;
use crate::escape::{self, Oddity, Pieces};
use crate::limits::{LimitReached, Limits};
use crate::node::{NONE, Node, Tag, Tape, flag};
use crate::repair::{Note, NoteKind, Repair, RepairKind};
use crate::scan::{self, peek, skip_space};
use crate::view::NodeId;
use crate::{Span, number};

/// Reads a text. See [`Document`] for what comes out.
///
/// ```
/// let document = llmjson_syntax::parse(r#"{"a": [1, 2], "b": "text"}"#);
/// assert!(document.repairs().is_empty());
/// ```
#[must_use]
pub fn parse(text: &str) -> Document<'_> {
    Parser::new().parse(text)
}

/// Reads bytes that should be UTF-8.
///
/// A sequence cut off by the end of the input is dropped and the value counts as truncated.
///
/// # Errors
///
/// Any other invalid sequence is an error with its position; nothing is replaced.
///
/// ```
/// let document = llmjson_syntax::parse_bytes(b"{\"name\": \"Jos\xC3").expect("cut, not invalid");
/// assert_eq!(document.to_json().as_deref(), Some(r#"{"name":"Jos"}"#));
/// assert!(!document.is_complete());
/// assert_eq!(llmjson_syntax::parse_bytes(b"{\"a\": \"\xFF\"}").unwrap_err().offset, 7);
/// ```
pub fn parse_bytes(bytes: &[u8]) -> Result<Document<'_>, InvalidUtf8> {
    let mut parser = Parser::new();
    match core::str::from_utf8(bytes) {
        Ok(text) => Ok(parser.parse(text)),
        Err(error) if error.error_len().is_some() => Err(InvalidUtf8 {
            offset: error.valid_up_to(),
        }),
        Err(error) => {
            let valid = &bytes[..error.valid_up_to()];
            let text = core::str::from_utf8(valid).unwrap_or_default();
            let mut document = parser.parse(text);
            if document.root().is_some() {
                let cut = Span::of(text.len(), bytes.len());
                document.tape.repairs.push(Repair {
                    kind: RepairKind::CutEscape,
                    span: cut,
                });
                document.complete = false;
            }
            Ok(document)
        }
    }
}

/// Bytes that are not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidUtf8 {
    /// Offset of the first byte that cannot be part of a character.
    pub offset: usize,
}

impl fmt::Display for InvalidUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the input is not UTF-8 at byte {}", self.offset)
    }
}

impl core::error::Error for InvalidUtf8 {}

/// A parser with limits that keeps its buffers, for who reads many texts.
///
/// ```
/// use llmjson_syntax::{Limits, Parser};
///
/// let mut parser = Parser::new().with_limits(Limits::DEFAULT.with_depth(64));
/// for text in ["[1]", "[2]"] {
///     let document = parser.parse(text);
///     assert!(document.repairs().is_empty());
///     parser.recycle(document); // the next text is read into the same buffers
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parser {
    limits: Limits,
    tape: Tape,
    scratch: Scratch,
}

impl Parser {
    /// A parser with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same parser with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Reads a text.
    pub fn parse<'t>(&mut self, text: &'t str) -> Document<'t> {
        self.read(Cow::Borrowed(text))
    }

    /// Reads a text and keeps it in the document.
    pub fn parse_owned(&mut self, text: String) -> Document<'static> {
        self.read(Cow::Owned(text))
    }

    /// Takes back the buffers of a document that is no longer needed.
    pub fn recycle(&mut self, document: Document<'_>) {
        self.tape = document.tape;
    }

    fn read<'t>(&mut self, text: Cow<'t, str>) -> Document<'t> {
        let limit = self.limits.input_bytes;
        if text.len() >= u32::MAX as usize || text.len() > limit as usize {
            let limit = Some(LimitReached::InputBytes {
                size: text.len(),
                limit,
            });
            return Document {
                limit,
                ..Document::empty(text)
            };
        }
        let mut tape = core::mem::take(&mut self.tape);
        tape.clear();
        // A node takes 24 bytes and a JSON value rarely fewer than that, its key included.
        tape.nodes.reserve(text.len() / 24 + 8);
        let mut reader = Reader::new(&text, &mut tape, &self.limits, &mut self.scratch);
        let complete = reader.reply();
        let limit = reader.limit;
        let readings = core::mem::take(&mut reader.readings);
        Document {
            text,
            tape,
            complete,
            limit,
            readings,
        }
    }
}

/// Where a string that is read as a reply of its own has its text.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    /// In the document's text.
    Text(Span),
    /// In its side text.
    Side(Span),
}

/// Reads a part of a document's text, or of its side text, and appends what was found.
pub(crate) fn parse_within(
    document: &mut Document<'_>,
    source: Source,
    limits: &Limits,
) -> Option<Inner> {
    let mut tape = Tape::default();
    let mut scratch = Scratch::default();
    let (text, span) = match source {
        Source::Text(span) => (&*document.text, span),
        Source::Side(span) => (&*document.tape.side, span),
    };
    let text = text.get(span.range())?;
    let mut reader = Reader::new(text, &mut tape, limits, &mut scratch);
    let complete = reader.reply();
    if tape.root == NONE {
        return None;
    }
    let surrounded = |kind| matches!(kind, RepairKind::SurroundingText | RepairKind::CodeFence);
    let whole = !tape.repairs.iter().any(|repair| surrounded(repair.kind))
        && !tape
            .notes
            .iter()
            .any(|note| note.kind == NoteKind::OtherValue);
    let root = NodeId(graft(&mut document.tape, &tape, source));
    Some(Inner {
        root,
        complete,
        repairs: tape.repairs,
        whole,
    })
}

/// Appends the nodes of `inner`, whose text lies at `source`, to `outer`. Returns the new root.
fn graft(outer: &mut Tape, inner: &Tape, source: Source) -> u32 {
    let (offset, from_text) = match source {
        Source::Text(span) => (span.start, 0),
        Source::Side(span) => (span.start, flag::SIDE | flag::KEY_SIDE),
    };
    let base = outer.nodes.len() as u32;
    let (side, _) = outer.put_side(&inner.side);
    let place = |flags: u8, bit: u8| if flags & bit == 0 { offset } else { side };
    for node in &inner.nodes {
        let mut new = *node;
        new.key_start += place(node.flags, flag::KEY_SIDE);
        new.key_end += place(node.flags, flag::KEY_SIDE);
        new.start += place(node.flags, flag::SIDE);
        new.end += place(node.flags, flag::SIDE);
        new.flags |= from_text;
        if node.is_container() || node.tag == Tag::Reference {
            new.next += base;
        }
        outer.nodes.push(new);
    }
    outer
        .replaced
        .extend(inner.replaced.iter().map(|&(a, b)| (a + base, b + base)));
    inner.root + base
}

/// Buffers that outlive one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Keys of one object, for finding repeated ones.
    keys: Vec<(u64, u32)>,
    /// What tells the first names of one object apart, from 1 on.
    signatures: [u64; 32],
}

/// A member's name that has been read and waits for its value.
#[derive(Clone, Copy)]
struct KeySpan {
    start: u32,
    end: u32,
    /// The key flags of the node.
    flags: u8,
}

impl KeySpan {
    const NONE: Self = Self {
        start: 0,
        end: 0,
        flags: 0,
    };
}

/// The innermost open container.
#[derive(Clone, Copy)]
struct Here {
    /// Its node, or `NONE` outside of all.
    current: u32,
    /// Whether it is an object.
    object: bool,
    /// Children so far.
    count: u32,
}

impl Here {
    const OUTSIDE: Self = Self {
        current: NONE,
        object: false,
        count: 0,
    };
}

/// What a cold function made of something that is no value as JSON writes it.
enum Odd {
    /// A scalar; reading goes on behind it.
    Scalar(Node, usize),
    /// An opening bracket of another kind, with the tag of its container.
    Open(Tag, usize),
    /// No value here; go on with what comes after one.
    Nothing(Here, usize),
    /// Something was passed over; a value is still expected.
    Again(usize),
    /// The text of the value ended.
    End(Here, usize),
}

/// What a cold function made of something that is no key as JSON writes it.
enum Keyed {
    /// A key; its value comes next.
    Member(KeySpan, usize),
    /// No key here; go on with what comes after a value.
    Nothing(Here, usize),
    /// The object is a list after all; an item comes next.
    Item(Here, usize),
    /// The text of the value ended.
    End(Here, usize),
}

/// What a cold function made of something that may not follow a value.
enum Next {
    /// As if a comma had been read: on to the next child.
    Child(Here, usize),
    /// Something was passed over or put right; look again at what follows the value.
    Again(Here, usize),
    /// On to a value under this key.
    Member(Here, KeySpan, usize),
    /// The text of the value ended.
    End(Here, usize),
}

/// How reading one value ended.
#[derive(Clone, Copy)]
struct Read {
    /// Offset just past the value.
    end: usize,
    /// Whether its text ended as it should.
    complete: bool,
}

/// Reads one text into one tape.
struct Reader<'r> {
    text: &'r str,
    bytes: &'r [u8],
    tape: &'r mut Tape,
    limits: &'r Limits,
    scratch: &'r mut Scratch,
    /// The limit that ended reading.
    limit: Option<LimitReached>,
    /// Open containers.
    depth: u32,
    /// Repairs that were made after the records were full.
    unrecorded: bool,
    /// Calls around a value whose closing bracket has not been seen.
    wrappers: u32,
    /// The text was taken out of another one, which records what stands around it.
    nested: bool,
    /// All values that the text may mean, if there are several.
    readings: Readings,
    /// How far reading has come, and how many steps ago.
    furthest: usize,
    idle: u32,
    /// How often a root has been opened again.
    reopened: u32,
    /// Looking for the end of a string with unescaped quotes went to the end of the text in vain:
    /// from here on it would again.
    hopeless_from: usize,
}

impl<'r> Reader<'r> {
    fn new(
        text: &'r str,
        tape: &'r mut Tape,
        limits: &'r Limits,
        scratch: &'r mut Scratch,
    ) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            tape,
            limits,
            scratch,
            limit: None,
            depth: 0,
            unrecorded: false,
            wrappers: 0,
            nested: false,
            readings: Readings::default(),
            furthest: 0,
            idle: 0,
            reopened: 0,
            hopeless_from: usize::MAX,
        }
    }

    /// Reads the value that begins at `start`, which is at a value's first byte.
    fn value(&mut self, start: usize) -> Read {
        self.wrappers = 0;
        self.furthest = start;
        self.idle = 0;
        self.read_on(Here::OUTSIDE, KeySpan::NONE, start)
    }

    /// Whether putting things right has stopped getting on. Closing a container moves nothing, so
    /// as many idle steps as containers may be open are in order.
    #[cold]
    fn stuck(&mut self, at: usize) -> bool {
        if at > self.furthest {
            self.furthest = at;
            self.idle = 0;
        } else {
            self.idle += 1;
        }
        let stuck = self.idle > self.limits.depth.saturating_add(16);
        debug_assert!(!stuck, "no progress at byte {at}");
        stuck
    }

    /// Reads a value under `key` and whatever follows it until the outermost container is closed.
    fn read_on(&mut self, mut here: Here, mut key: KeySpan, mut at: usize) -> Read {
        let bytes = self.bytes;
        'value: loop {
            let (byte, k) = skip_space(bytes, at);
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
                b'"' if let Some(quoted) = scan::quoted(bytes, k + 1) => {
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
                _ => match self.odd_value(here, key, byte, k) {
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
                },
            }
            if let Some((tag, next)) = open {
                if let Some(parent) = self.tape.nodes.get_mut(here.current as usize) {
                    parent.count = saturate(here.count + 1);
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
                match self.key(here, at) {
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
                self.tape.nodes.push(node);
                here.count += 1;
            }
            loop {
                if here.current == NONE {
                    return Read {
                        end: at,
                        complete: true,
                    };
                }
                let (byte, k) = skip_space(bytes, at);
                at = k + 1;
                if byte == b',' {
                    if here.object {
                        match self.key(here, at) {
                            Keyed::Member(name, next) => {
                                (key, at) = (name, next);
                                continue 'value;
                            }
                            Keyed::Nothing(now, next) => {
                                (here, at) = (now, next);
                                continue;
                            }
                            Keyed::Item(now, next) => {
                                (here, key, at) = (now, KeySpan::NONE, next);
                                continue 'value;
                            }
                            Keyed::End(now, next) => return self.finish(now, next),
                        }
                    }
                    key = KeySpan::NONE;
                    continue 'value;
                }
                if byte == if here.object { b'}' } else { b']' } {
                    let closed = here.current;
                    here = self.close(here, at);
                    if here.current == NONE && self.more_follows(at) {
                        if let Some(again) = self.reopen(closed, at) {
                            (here, at) = again;
                        }
                    }
                    continue;
                }
                match self.odd_after(here, byte, k) {
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
                        match self.key(here, at) {
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

    /// Whether something stands behind the root that could belong to it.
    #[inline]
    fn more_follows(&self, end: usize) -> bool {
        matches!(skip_space(self.bytes, end).0, b',' | b'}' | b']')
    }

    /// Reads a member's name and its colon.
    #[inline(always)]
    fn key(&mut self, here: Here, at: usize) -> Keyed {
        let bytes = self.bytes;
        let (byte, k) = skip_space(bytes, at);
        if byte != b'"' {
            return self.odd_key(here, byte, k);
        }
        let Some(quoted) = scan::quoted(bytes, k + 1) else {
            return self.odd_key(here, byte, k);
        };
        let flags = if quoted.flags == 0 {
            0
        } else {
            flag::KEY_ESCAPED
        };
        let key = KeySpan {
            start: k as u32 + 1,
            end: quoted.end as u32,
            flags,
        };
        let mut colon = quoted.end + 1;
        if peek(bytes, colon) != b':' {
            let (byte, next) = skip_space(bytes, colon);
            if byte != b':' {
                return self.odd_colon(here, key, k, (byte, next));
            }
            colon = next;
        }
        if quoted.suspect {
            self.inspect(k + 1, quoted.end);
        }
        Keyed::Member(key, colon + 1)
    }

    /// Closes the innermost container just before `end` and returns to its parent.
    #[inline(always)]
    fn close(&mut self, here: Here, end: usize) -> Here {
        if here.object && here.count > 1 {
            self.find_duplicates(here.current, here.count);
        }
        let next = self.tape.nodes.len() as u32;
        let node = &mut self.tape.nodes[here.current as usize];
        let parent = node.next;
        node.next = next;
        node.end = end as u32;
        node.count = saturate(here.count);
        self.depth -= 1;
        match self.tape.nodes.get(parent as usize) {
            None => Here::OUTSIDE,
            Some(node) => {
                let object = node.tag == Tag::Object;
                let count = if node.count == u16::MAX {
                    self.count_children(parent)
                } else {
                    u32::from(node.count)
                };
                Here {
                    current: parent,
                    object,
                    count,
                }
            }
        }
    }

    /// Children of an open container whose 16-bit counter is full: only whether there are any and
    /// whether they are many matters from here on.
    #[cold]
    fn count_children(&self, _container: u32) -> u32 {
        u32::from(u16::MAX)
    }

    /// Closes whatever is open where the text of the value ended.
    #[cold]
    fn finish(&mut self, mut here: Here, end: usize) -> Read {
        let complete = here.current == NONE;
        while here.current != NONE {
            let kind = if here.object {
                RepairKind::UnclosedObject
            } else {
                RepairKind::UnclosedArray
            };
            self.repair(kind, end, end);
            self.tape.nodes[here.current as usize].flags |= flag::TRUNCATED;
            here = self.close(here, end);
        }
        Read { end, complete }
    }

    #[cold]
    fn too_deep(&mut self, here: Here, at: usize) -> Read {
        let limit = self.limits.depth;
        self.limit = Some(LimitReached::Depth {
            limit,
            span: Span::of(at, at + 1),
        });
        let mut read = self.finish(here, at);
        read.end = self.bytes.len();
        read
    }

    /// Records a liberty.
    #[cold]
    fn repair(&mut self, kind: RepairKind, start: usize, end: usize) {
        if self.tape.repairs.len() < self.limits.records as usize {
            self.tape.repairs.push(Repair {
                kind,
                span: Span::of(start, end),
            });
        } else {
            self.unrecorded = true;
        }
    }

    #[cold]
    fn note(&mut self, kind: NoteKind, start: usize, end: usize) {
        if self.tape.notes.len() < self.limits.records as usize {
            self.tape.notes.push(Note {
                kind,
                span: Span::of(start, end),
            });
        } else {
            self.unrecorded = true;
        }
    }

    /// Records what JSON does not allow inside a string. Bounded by one record of each kind.
    #[cold]
    #[inline(never)]
    fn inspect(&mut self, start: usize, end: usize) {
        let inside = &self.text[start..end];
        if inside.bytes().any(|byte| byte < b' ') {
            self.repair(RepairKind::ControlCharacter, start, end);
        }
        let mut pieces = Pieces::new(inside);
        let mut seen = [false; 3];
        let mut first_simple = None;
        while let Some((offset, piece, oddity)) = pieces.next() {
            let kind = match oddity {
                Oddity::None => {
                    let decoded = matches!(piece, escape::Piece::Char(c) if c < ' ');
                    if decoded && first_simple.is_none() {
                        first_simple = Some(offset);
                    }
                    continue;
                }
                Oddity::Invalid => RepairKind::InvalidEscape,
                Oddity::Raw => RepairKind::RawEscape,
                Oddity::Surrogate => RepairKind::LoneSurrogate,
            };
            if !core::mem::replace(&mut seen[oddity as usize - 1], true) {
                self.repair(kind, start, end);
                if pieces.is_raw()
                    && let Some(earlier) = first_simple.filter(|&earlier| earlier < offset)
                {
                    self.note(
                        NoteKind::EarlierEscape,
                        start + earlier,
                        start + earlier + 2,
                    );
                    first_simple = None;
                }
            }
        }
    }
}

fn saturate(count: u32) -> u16 {
    count.min(u32::from(u16::MAX)) as u16
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
