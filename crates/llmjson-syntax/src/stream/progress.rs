//! Progress of parsing streamed text.

use crate::base::expected_names::ExpectedNames;
use crate::base::limits::{LimitReached, Limits};
use crate::base::work::Work;
use crate::parser::look::Look;
use crate::parser::resume::pausing::end_of_word;
use crate::parser::state::counters::Counters;
use crate::parser::state::partial_string::PartialString;
use crate::parser::state::pause::{Await, Pause, Phase};
use crate::parser::state::reader::{Reader, Scratch};
use crate::reply::opening::Opening;
use crate::scan::skip_space;
use crate::stream::prefix::has_other_values;
use crate::tape::{NONE, Tape};
use core::cell::Cell;

/// The state between two pieces of a text read incrementally, except the tape.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    opening: Opening,
    /// Offset at which the value begins, once it is known.
    begin: Option<usize>,
    /// Offset at which it ended, once its last closer has arrived.
    end: Option<usize>,
    counters: Counters,
    scratch: Scratch,
    limit: Option<LimitReached>,
    /// The work of all steps in addition to reading the text.
    work: Work,
    /// The bytes of the texts before this one, if all of them share the work budget.
    shared: Option<usize>,
    /// `true` if a member replaced another one with the same key that had been shown.
    pub(crate) took_back: bool,
}

impl Progress {
    /// Continues reading with the text that has arrived. The tape holds the values that can be
    /// shown.
    #[inline]
    pub(crate) fn advance(
        &mut self,
        text: &str,
        tape: &mut Tape,
        limits: &Limits,
        names: Option<&ExpectedNames>,
    ) {
        if self.begin.is_some() {
            if self.scratch.pause.is_ready(text, tape, names) {
                self.read(text, tape, limits, names);
            }
        } else if self.opening.is_ready(text) {
            self.begin(text, tape, limits, names);
        }
    }

    /// Looks for the beginning of the value, and continues from there.
    #[cold]
    #[inline(never)]
    fn begin(
        &mut self,
        text: &str,
        tape: &mut Tape,
        limits: &Limits,
        names: Option<&ExpectedNames>,
    ) {
        let account = Cell::new(self.account(limits, text.len()));
        let look = Look::new(text, &account);
        let mut reader = Reader::new(look, tape, limits, &mut self.scratch);
        let at = reader.find_opening(&mut self.opening);
        self.work = account.get();
        let Some(at) = at else {
            let needed = self.bytes_needed(limits);
            self.opening.wait.put_off(needed);
            return;
        };
        reader.begin(at);
        self.begin = Some(at);
        self.scratch.pause = Pause {
            at,
            ..Pause::default()
        };
        self.read(text, tape, limits, names);
    }

    #[inline(never)]
    fn read(
        &mut self,
        text: &str,
        tape: &mut Tape,
        limits: &Limits,
        names: Option<&ExpectedNames>,
    ) {
        let shown = tape.nodes.len() as u32;
        let pause = &mut self.scratch.pause;
        pause.resumed = None;
        if pause.growing {
            pause.resumed = tape.nodes.pop();
            pause.growing = false;
        }
        pause.paused = false;
        pause.shown = tape.nodes.len();
        pause.doubtful = None;
        (pause.replaced, pause.notes) = (tape.replaced.len(), tape.notes.len());
        self.scratch.forgotten.clear();
        let account = Cell::new(self.account(limits, text.len()));
        let look = Look::new(text, &account).with_names(names);
        let mut reader = Reader::new(look, tape, limits, &mut self.scratch);
        reader.counters = self.counters;
        reader.value_start = self.begin.unwrap_or_default();
        // Reading may resume before the furthest offset: rereading does not count as idle work.
        (reader.counters.furthest, reader.counters.idle) = (reader.scratch.pause.at, 0);
        let read = reader.resume();
        self.counters = reader.counters;
        self.work = account.get();
        if reader.limit.is_some() {
            self.limit = reader.limit;
        }
        let pause = &mut self.scratch.pause;
        if pause.paused {
            let needed = self.bytes_needed(limits);
            self.scratch.pause.wait.put_off(needed);
        } else {
            self.end = Some(read.end);
            pause.odd |= !read.complete;
            pause.wait = Await::Never;
        }
        // Objects with repeated keys have been closed; nested objects are first.
        let (replaced, notes) = (self.scratch.pause.replaced, self.scratch.pause.notes);
        if let Some(least) = tape.replaced[replaced..].iter().min() {
            let forgotten = &self.scratch.forgotten;
            let was_shown = |pair: &(u32, u32)| pair.0 < shown && !forgotten.contains(pair);
            self.took_back |= tape.replaced[replaced..].iter().any(was_shown)
                && has_other_values(&tape.notes[notes..]);
            let from = tape.replaced[..replaced].partition_point(|one| one < least);
            tape.replaced[from..].sort_unstable();
        }
        tape.root = if tape.nodes.is_empty() { NONE } else { 0 };
    }

    /// Returns the offset up to which the text is not part of the value.
    pub(crate) fn passed(&self) -> usize {
        self.begin.unwrap_or(self.opening.at)
    }

    /// Returns the work of lookahead, in addition to the steps of reading.
    pub(crate) fn work(&self) -> Work {
        self.work
    }

    /// Continues the work budget of earlier texts, which had `before` bytes.
    pub(crate) fn share(&mut self, work: Work, before: usize) {
        (self.work, self.shared) = (work, Some(before));
    }

    /// Returns the work budget that this text shares with others, and their bytes.
    pub(crate) fn shared(&self) -> Option<(Work, usize)> {
        self.shared.map(|before| (self.work, before))
    }

    /// Returns the length of text at which the work done so far is allowed.
    fn bytes_needed(&self, limits: &Limits) -> usize {
        match self.shared {
            Some(before) => {
                let needed = self.work.bytes_of_several(limits.work);
                needed.saturating_sub(before)
            }
            None => self.work.bytes_needed(limits.work),
        }
    }

    fn account(&self, limits: &Limits, length: usize) -> Work {
        match self.shared {
            Some(before) => self.work.of_several(limits.work, before + length),
            None => self.work.grown_to(limits.work, length),
        }
    }

    /// Returns the offset at which the value ended.
    pub(crate) fn end(&self) -> Option<usize> {
        self.end
    }

    /// Returns `true` if text without quotes and escapes only makes the last string longer.
    pub(crate) fn only_grows(&self) -> bool {
        let pause = &self.scratch.pause;
        self.begin.is_some() && pause.growing && matches!(pause.wait, Await::Quote)
    }

    /// Returns `true` if the tape equals the result of reading the whole text: strict JSON and
    /// nothing else.
    pub(crate) fn is_exact(&self, text: &str, tape: &Tape) -> bool {
        let Some((begin, end)) = self.begin.zip(self.end) else {
            return false;
        };
        let blank = |at| skip_space(text.as_bytes(), at).1;
        !self.scratch.pause.odd
            && self.limit.is_none()
            && tape.repairs.is_empty()
            && blank(0) == begin
            && blank(end) >= text.len()
    }

    /// Returns the value, other than an open container or the root, that later text may still
    /// change.
    pub(crate) fn unsettled(&self, nodes: usize) -> Option<u32> {
        if self.end.is_some() {
            return None;
        }
        self.scratch.pause.unsettled(nodes)
    }
}

impl Pause {
    /// Returns `true` if the awaited text has arrived; meanwhile an open string grows. One
    /// condition may lead to the next: a key to its colon, the colon to a value, a number to its
    /// end.
    #[inline]
    fn is_ready(&mut self, text: &str, tape: &mut Tape, names: Option<&ExpectedNames>) -> bool {
        let bytes = text.as_bytes();
        loop {
            match self.wait {
                Await::Quote => {
                    self.partial.extend(text);
                    let Some(end) = self.partial.close() else {
                        if self.growing {
                            self.show(tape, bytes);
                            return false;
                        }
                        // Text held back as a key turns out to be a string.
                        let value = self.phase == Phase::Value && self.partial.start == self.at + 1;
                        return value && !self.partial.may_be_name(text, names);
                    };
                    if self.growing && end + 1 == bytes.len() {
                        self.show(tape, bytes);
                    }
                    self.wait = if self.growing {
                        Await::Byte(end + 1)
                    } else {
                        Await::Colon(end + 1)
                    };
                }
                Await::Byte(from) => {
                    let (byte, next) = skip_space(bytes, from);
                    self.wait = Await::Byte(next);
                    if next >= bytes.len() {
                        return false;
                    }
                    let named = self.phase == Phase::Key && byte == b'"';
                    if !named || self.partial.start == next + 1 {
                        return true;
                    }
                    self.partial = PartialString::new(next + 1, b'"');
                    self.wait = Await::Quote;
                }
                Await::Colon(from) => {
                    let (byte, next) = skip_space(bytes, from);
                    self.wait = Await::Colon(next);
                    if next >= bytes.len() {
                        return false;
                    }
                    if byte != b':' || self.phase != Phase::Key {
                        return true;
                    }
                    self.wait = Await::Value(next + 1);
                }
                Await::Value(from) => {
                    let (byte, next) = skip_space(bytes, from);
                    self.wait = Await::Value(next);
                    if next >= bytes.len() {
                        return false;
                    }
                    if !matches!(byte, b'-' | b'0'..=b'9' | b'a'..=b'z') {
                        return true;
                    }
                    self.wait = Await::Word(next);
                }
                Await::Word(from) => {
                    let next = end_of_word(bytes, from);
                    self.wait = Await::Word(next);
                    return next < bytes.len();
                }
                Await::Length(length) => {
                    if self.growing && self.partial.single {
                        self.partial.extend_single(text);
                        self.show(tape, bytes);
                    }
                    return bytes.len() >= length;
                }
                Await::Never => return false,
            }
        }
    }

    /// Shows as much of the open string as is certain.
    #[inline]
    fn show(&self, tape: &mut Tape, bytes: &[u8]) {
        if let Some(node) = tape.nodes.last_mut() {
            node.end = self.partial.certain_end(bytes) as u32;
            node.flags |= self.partial.flags;
        }
    }
}
