//! Several values in one streamed text.

use alloc::borrow::ToOwned;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::base::limits::Limits;
use crate::base::work::Work;
use crate::document::parser::{InvalidUtf8, Parser};
use crate::stream::finished::Finished;
use crate::stream::single::Stream;

/// Steps charged to reread a byte after the end of a value.
const STEPS_AGAIN: usize = 2;

/// Parses streamed text that holds several values: lines of JSON, consecutive calls, values with
/// prose between them. Each value is delivered after its last closing bracket.
///
/// ```
/// let mut stream = llmjson_syntax::StreamAll::new();
/// stream.push("{\"n\": 1}\n{\"n\": ");
/// let (offset, first) = stream.pop().expect("the first value is whole");
/// assert_eq!((offset, first.document.to_json().as_deref()), (0, Some(r#"{"n":1}"#)));
/// stream.push("2} and [1, 2");
/// assert_eq!(stream.pop().map(|(offset, _)| offset), Some(8));
/// assert_eq!(stream.current().document().to_json().as_deref(), Some("[1]"));
/// let last = stream.finish().pop_back().expect("what has begun");
/// assert_eq!(last.1.document.to_json().as_deref(), Some("[1,2]"));
/// assert!(!last.1.document.is_complete());
/// ```
#[derive(Clone, Debug)]
pub struct StreamAll {
    current: Stream,
    /// Offset at which the text of the current value begins.
    offset: usize,
    limits: Limits,
    done: VecDeque<(usize, Finished)>,
    /// `true` if changes have been requested.
    looked: bool,
    /// The work of the finished values: all share one work budget.
    work: Work,
}

impl Default for StreamAll {
    fn default() -> Self {
        Self::new()
    }
}

impl StreamAll {
    /// Creates an empty stream.
    #[must_use]
    pub fn new() -> Self {
        let work = Work::default();
        let mut current = Stream::new();
        current.progress.share(work, 0);
        Self {
            current,
            offset: 0,
            limits: Limits::DEFAULT,
            done: VecDeque::new(),
            looked: false,
            work,
        }
    }

    /// Returns the same stream with other limits, which apply to each value and the text before it.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        let current = self.current.with_limits(limits);
        Self {
            current,
            limits,
            ..self
        }
    }

    /// Takes the next piece of the text.
    ///
    /// Bytes of an incomplete character from [`push_bytes`](Self::push_bytes) are dropped.
    pub fn push(&mut self, mut piece: &str) {
        while !piece.is_empty() {
            let (now, later) = piece.split_at(self.step(piece.as_bytes()));
            self.current.push(now);
            self.deliver_whole();
            piece = later;
        }
    }

    /// Takes the next piece of the text as UTF-8 bytes. A piece may end inside a character.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8, with the offset of the first invalid one in the whole text. The
    /// text before it has been accepted.
    pub fn push_bytes(&mut self, mut piece: &[u8]) -> Result<(), InvalidUtf8> {
        while !piece.is_empty() {
            let (now, later) = piece.split_at(self.step(piece));
            let before = self.offset;
            let pushed = self.current.push_bytes(now);
            self.deliver_whole();
            pushed.map_err(|error| InvalidUtf8 {
                offset: before + error.offset,
            })?;
            piece = later;
        }
        Ok(())
    }

    /// Returns the length of a piece to accept at once. The time of a repair depends on the
    /// available text, and so does the end of a damaged value. To make this independent of the
    /// pieces, the text is read one character at a time, except where a string only grows.
    fn step(&self, piece: &[u8]) -> usize {
        if self.current.only_grows()
            && let Some(quote) = memchr::memchr3(b'"', b'\'', b'\\', piece).or(Some(piece.len()))
            && quote > 0
        {
            return quote;
        }
        let rest = piece[1..].iter();
        1 + rest.take_while(|byte| **byte & 0xC0 == 0x80).count()
    }

    /// Delivers the value that is arriving, if it is complete, and continues after it.
    fn deliver_whole(&mut self) {
        while let Some(end) = self.current.end() {
            let fresh = self.fresh();
            let mut whole = core::mem::replace(&mut self.current, fresh);
            let rest = whole.cut(end);
            self.current.take_partial(&mut whole);
            self.deliver(whole);
            // The text after the value was read before the value's end was known, and is read again
            // once enough text has arrived to allow that.
            self.work.charge(STEPS_AGAIN * rest.len());
            self.current.progress.share(self.work, self.offset);
            let needed = self.work.bytes_of_several(self.limits.work);
            self.current.asleep_to = needed.saturating_sub(self.offset).max(rest.len());
            self.current.push_more(&rest);
        }
    }

    /// Delivers the values of a text, nearly always one. If the stream waited for a value that does
    /// not exist, the others that have arrived in the meantime follow it.
    fn deliver(&mut self, stream: Stream) {
        let before = (!stream.is_exact()).then(|| stream.clone());
        let finished = stream.finish();
        self.work = finished.document.work();
        let text = finished.document.text();
        let (offset, length) = (self.offset, text.len());
        self.offset += length;
        let several = finished.document.reading_count() > 1;
        let mut parser = Parser::new().with_limits(self.limits);
        let ends: Vec<usize> = if several {
            parser.shared = Some((self.work, offset));
            let all = parser.parse_all(text);
            self.work = all.work();
            all.iter().map(|one| one.span().end as usize).collect()
        } else {
            Vec::new()
        };
        let (Some(mut before), 2..) = (before, ends.len()) else {
            self.done.push_back((offset, finished));
            return;
        };
        let mut from = 0;
        for (index, end) in ends.iter().enumerate() {
            let to = if index + 1 == ends.len() {
                length
            } else {
                *end
            };
            parser.shared = Some((self.work, offset + from));
            let document = parser.parse_owned(text[from..to].to_owned());
            self.work = document.work();
            let part = before.finish_as(document);
            self.done.push_back((offset + from, part));
            before = self.fresh();
            from = to;
        }
    }

    /// Returns the stream of the next value. Callers that track the changes of one value do so for
    /// all.
    fn fresh(&self) -> Stream {
        let mut fresh = Stream::new().with_limits(self.limits);
        fresh.look.taken = self.looked;
        fresh
    }

    /// Returns the next complete value, with the offset at which its text and the text before it
    /// begin.
    pub fn pop(&mut self) -> Option<(usize, Finished)> {
        self.done.pop_front()
    }

    /// Returns the stream of the value that is currently arriving.
    #[must_use]
    pub fn current(&self) -> &Stream {
        &self.current
    }

    /// Returns the stream of the value that is currently arriving, for its
    /// [`events`](Stream::events). After the first call, every value is returned with its
    /// undelivered events.
    pub fn current_mut(&mut self) -> &mut Stream {
        self.looked = true;
        self.current.look.taken = true;
        &mut self.current
    }

    /// Ends the text. Returns the remaining values, including the received part of the last one.
    #[must_use]
    pub fn finish(self) -> VecDeque<(usize, Finished)> {
        self.finish_with_work().0
    }

    /// Ends the text as [`finish`](Self::finish) does, and also returns the work for all values,
    /// including those already taken.
    #[must_use]
    pub fn finish_with_work(mut self) -> (VecDeque<(usize, Finished)>, Work) {
        let only = self.offset == 0 && self.done.is_empty();
        let last = core::mem::take(&mut self.current);
        self.deliver(last);
        let none = |(_, last): &(usize, Finished)| last.document.root().is_none();
        if !only && self.done.back().is_some_and(none) {
            self.done.pop_back();
        }
        (self.done, self.work)
    }
}
