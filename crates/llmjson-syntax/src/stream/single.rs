//! Streamed text, and its value so far.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::base::expected_names::ExpectedNames;
use crate::base::limits::Limits;
use crate::base::work::Work;
use crate::document::Document;
use crate::document::parser::InvalidUtf8;
use crate::stream::events::{Event, Look, Sight};
#[cfg(feature = "laws")]
use crate::stream::prefix::continues_from;
use crate::stream::prefix::{continues, replaces};
use crate::stream::progress::Progress;
use crate::tape::{NONE, room};
use crate::view::{Key, NodeId, ValueRef};

/// Nodes reserved for a piece of usual length; the tape grows on demand for longer ones.
const NODES: usize = 16;

/// Parses streamed text. Each byte is read once, and the value is available at any time.
///
/// A value that has been shown is never retracted. Strings grow; numbers and keywords appear once
/// complete; `{` becomes an object at its first colon or closing brace; a repair waits until enough
/// text has arrived to decide it. The stream shows the first container outside of reasoning. Which
/// of several values is intended depends on the complete text: [`finish`](Self::finish) returns the
/// result of [`parse`](crate::parse) for it.
///
/// ```
/// let mut stream = llmjson_syntax::Stream::new();
/// let mut shown = Vec::new();
/// for piece in ["Sure: {\"city\": \"Par", "is\", \"days\": 1", "2, \"tags\": [", "\"a\"]}"] {
///     stream.push(piece);
///     shown.extend(stream.document().to_json());
/// }
/// assert_eq!(shown, [
///     r#"{"city":"Par"}"#,
///     r#"{"city":"Paris"}"#,
///     r#"{"city":"Paris","days":12,"tags":[]}"#,
///     r#"{"city":"Paris","days":12,"tags":["a"]}"#,
/// ]);
/// let finished = stream.finish();
/// assert!(finished.document.is_complete() && !finished.superseded);
/// ```
#[derive(Clone, Debug)]
pub struct Stream {
    pub(super) document: Document<'static>,
    pub(super) progress: Progress,
    pub(super) limits: Limits,
    pub(super) names: Option<Arc<ExpectedNames>>,
    /// The beginning of a character whose other bytes have yet to arrive.
    partial: [u8; 4],
    pub(super) partial_length: usize,
    /// Maximum number of bytes that may arrive.
    pub(super) size: usize,
    /// Maximum number of bytes that may arrive.
    pub(super) most: usize,
    /// Length in bytes that the text must reach before it is scanned again.
    pub(super) asleep_to: usize,
    pub(super) look: Look,
}

/// One node of the shown value.
#[derive(Clone, Copy)]
pub struct Raw<'d> {
    /// The value.
    pub value: ValueRef<'d>,
    /// `true` if it is an unclosed container.
    pub open: bool,
    /// `true` if no later text can change it, unless it is open.
    pub settled: bool,
    /// The index after its subtree; for an open container, the index of the next node.
    pub after: u32,
}

impl<'d> Raw<'d> {
    /// Returns the key, if the value is a member.
    #[must_use]
    pub fn key(&self) -> Key<'d> {
        Key::of(self.value.tape, self.value.text, self.value.index)
    }

    /// Returns `true` if it has arrived completely and no later text can change it.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.settled && !self.open
    }
}

impl Default for Stream {
    fn default() -> Self {
        Self::new()
    }
}

impl Stream {
    /// Creates an empty stream.
    #[must_use]
    pub fn new() -> Self {
        let mut document = Document::empty(Cow::Owned(String::new()));
        document.complete = false;
        Self {
            document,
            progress: Progress::default(),
            limits: Limits::DEFAULT,
            names: None,
            partial: [0; 4],
            partial_length: 0,
            size: 0,
            most: most_bytes(&Limits::DEFAULT),
            asleep_to: 0,
            look: Look::default(),
        }
    }

    /// Returns the same stream with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        let most = most_bytes(&limits);
        Self {
            limits,
            most,
            ..self
        }
    }

    /// Returns the same stream with these expected keys: see
    /// [`Parser::with_names`](crate::Parser::with_names).
    #[must_use]
    pub fn with_names(self, names: Arc<ExpectedNames>) -> Self {
        let names = (!names.is_empty()).then_some(names);
        Self { names, ..self }
    }

    /// Takes the next piece of the text.
    ///
    /// Bytes of an incomplete character from [`push_bytes`](Self::push_bytes) are dropped.
    pub fn push(&mut self, piece: &str) {
        self.partial_length = 0;
        self.push_more(piece);
    }

    pub(super) fn push_more(&mut self, piece: &str) {
        let size = self.size + piece.len();
        self.size = size;
        if size > self.most {
            return;
        }
        let Document { text, tape, .. } = &mut self.document;
        let text = text.to_mut();
        if text.capacity() - text.len() < piece.len() {
            text.reserve_exact(room(text.len(), 1, piece.len()));
        }
        tape.make_room(NODES + piece.len().min(NODES));
        text.push_str(piece);
        if text.len() < self.asleep_to {
            return;
        }
        let names = self.names.as_deref();
        self.progress.advance(text, tape, &self.limits, names);
    }

    /// Takes the next piece of the text as UTF-8 bytes. A piece may end inside a character.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8, with the offset of the first invalid one in the whole text. The
    /// text before it has been accepted.
    ///
    /// ```
    /// let mut stream = llmjson_syntax::Stream::new();
    /// let text = "{\"a\": \"é\"}".as_bytes();
    /// stream.push_bytes(&text[..8])?; // within the é
    /// stream.push_bytes(&text[8..])?;
    /// assert_eq!(stream.document().to_json().as_deref(), Some("{\"a\":\"é\"}"));
    /// # Ok::<(), llmjson_syntax::InvalidUtf8>(())
    /// ```
    pub fn push_bytes(&mut self, mut piece: &[u8]) -> Result<(), InvalidUtf8> {
        while self.partial_length > 0 && !piece.is_empty() {
            self.partial[self.partial_length] = piece[0];
            let length = self.partial_length + 1;
            match core::str::from_utf8(&self.partial[..length]) {
                Ok(_) => {
                    let (whole, partial) = (self.partial, length);
                    self.push(core::str::from_utf8(&whole[..partial]).unwrap_or_default());
                }
                Err(error) if error.error_len().is_some() || length == 4 => {
                    return Err(InvalidUtf8 { offset: self.size });
                }
                Err(_) => self.partial_length = length,
            }
            piece = &piece[1..];
        }
        let (whole, error) = match core::str::from_utf8(piece) {
            Ok(text) => (text, None),
            Err(error) => {
                let whole = &piece[..error.valid_up_to()];
                (core::str::from_utf8(whole).unwrap_or_default(), Some(error))
            }
        };
        if !whole.is_empty() {
            self.push(whole);
        }
        match error {
            Some(error) if error.error_len().is_some() => Err(InvalidUtf8 { offset: self.size }),
            Some(_) => {
                let rest = &piece[whole.len()..];
                self.partial[..rest.len()].copy_from_slice(rest);
                self.partial_length = rest.len();
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Returns the value so far; its [`root`](Document::root) is `None` before a container has
    /// begun. Takes constant time.
    #[inline]
    #[must_use]
    pub fn document(&self) -> &Document<'static> {
        &self.document
    }

    /// Returns `true` if the value continues the part of it shown before, its nodes from `from` on.
    #[cfg(feature = "laws")]
    pub(crate) fn continues_from(
        &self,
        from: usize,
        shown: &Document<'_>,
        growing: Option<u32>,
    ) -> bool {
        let Document { text, tape, .. } = &self.document;
        continues_from(from, (&shown.tape, &shown.text), growing, (tape, text))
    }

    /// Returns `true` if the later value continues the shown one.
    pub(crate) fn grows_into(&self, later: &Document<'_>) -> bool {
        let Document { text, tape, .. } = &self.document;
        let growing = self.progress.unsettled(tape.nodes.len());
        continues((tape, text), growing, (&later.tape, &later.text))
            && !self.progress.took_back
            && !replaces(tape, &later.tape)
    }

    /// Returns `true` if the last node may still grow.
    #[cfg(feature = "laws")]
    pub(crate) fn may_grow(&self) -> bool {
        let nodes = self.document.tape.nodes.len();
        let last = (nodes as u32).checked_sub(1);
        last.is_some() && self.progress.unsettled(nodes) == last
    }

    /// Returns the work done for this text so far, beyond the single pass that reads it. The work
    /// of [`finish`](Self::finish) is counted in its document.
    #[must_use]
    pub fn work(&self) -> Work {
        self.progress.work()
    }

    /// Returns the text so far.
    #[must_use]
    pub fn text(&self) -> &str {
        self.document.text()
    }

    /// Returns `true` if no later text can change this value. An open container is never settled,
    /// nor is the root before the end of the text.
    ///
    /// # Panics
    ///
    /// If the id is from another document and out of range in this one.
    #[must_use]
    pub fn is_settled(&self, id: NodeId) -> bool {
        let tape = &self.document.tape;
        let unsettled = self.progress.unsettled(tape.nodes.len());
        id.0 > 0 && unsettled != Some(id.0) && !tape.is_open(id.0)
    }

    /// Returns the node at an index of the tape, in reading order.
    #[must_use]
    pub fn raw(&self, index: u32) -> Option<Raw<'_>> {
        let Document { text, tape, .. } = &self.document;
        let node = tape.nodes.get(index as usize)?;
        let unsettled = self.progress.unsettled(tape.nodes.len());
        Some(Raw {
            value: ValueRef::new(tape, text, index),
            open: tape.is_open(index),
            settled: unsettled != Some(index),
            after: tape.after_node(index, node),
        })
    }

    /// Removes the text after `end`, where the value ended.
    pub(super) fn cut(&mut self, end: usize) -> String {
        let rest = self.document.text.to_mut().split_off(end);
        self.size -= rest.len();
        rest
    }

    /// Returns `true` if text without quotes and escapes only makes the last string longer.
    pub(super) fn only_grows(&self) -> bool {
        self.partial_length == 0 && self.progress.only_grows()
    }

    /// Returns `true` if the text is strict JSON, which has been read to its end.
    pub(super) fn is_exact(&self) -> bool {
        let Document { text, tape, .. } = &self.document;
        self.partial_length == 0 && self.size <= self.most && self.progress.is_exact(text, tape)
    }

    /// Takes over the incomplete character.
    pub(super) fn take_partial(&mut self, other: &mut Self) {
        self.partial = other.partial;
        self.partial_length = core::mem::take(&mut other.partial_length);
    }

    /// Returns the offset at which the value begins, or up to which the text was searched without
    /// finding it: everything before is prose, fences and tags.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.progress.passed()
    }

    /// Returns the offset at which the shown value ended, once its last closing bracket has
    /// arrived. Later text may still show that it continues.
    #[must_use]
    pub fn end(&self) -> Option<usize> {
        self.progress.end()
    }

    /// Returns the changes since the last call, in order. The cost depends only on their number and
    /// size.
    ///
    /// ```
    /// use llmjson_syntax::{Change, Stream};
    ///
    /// let mut stream = Stream::new();
    /// stream.push("{\"name\": \"Ad");
    /// let names: Vec<_> = stream.events().iter().map(|event| event.change.name()).collect();
    /// assert_eq!(names, ["opened", "opened", "appended"]);
    /// stream.push("a\", \"born\": 1815, ");
    /// let events = stream.events();
    /// assert_eq!(events[0].path, "/name");
    /// assert_eq!(events[0].change, Change::Appended("a".into()));
    /// assert_eq!(events[1].change, Change::Settled);
    /// assert_eq!(events[2].change, Change::Value("1815".into()));
    /// ```
    pub fn events(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        self.look.taken = true;
        let Document { text, tape, .. } = &self.document;
        let (before, end) = (self.progress.passed(), self.progress.end());
        self.look.pass_before(text, before, &mut events);
        if tape.root != NONE {
            let sight = Sight {
                tape,
                text,
                base: 0,
                unsettled: self.progress.unsettled(tape.nodes.len()),
                root_closed: false,
            };
            self.look.take(&sight, &mut events);
        }
        if let Some(end) = end {
            self.look.pass_behind(text, end, &mut events);
        }
        events
    }

    /// Returns the text so far and its value as a separate document.
    #[must_use]
    pub fn into_document(self) -> Document<'static> {
        self.document
    }
}

/// Offsets are 32 bits wide.
pub(super) fn most_bytes(limits: &Limits) -> usize {
    limits.input_bytes.min(u32::MAX - 1) as usize
}
