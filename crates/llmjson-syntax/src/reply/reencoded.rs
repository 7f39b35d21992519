//! Values that were written once more as a whole are read from a text of their own and put in
//! their place, with all that was done to read them.

use alloc::vec::Vec;

use crate::base::limits::LimitReached;
use crate::base::repair_set::has_guess;
use crate::base::span::Span;
use crate::parser::look::Look;
use crate::parser::state::reader::{Reader, Scratch};
use crate::parser::state::step::ValueEnd;
use crate::parser::words::encoding::{DecodedText, Encoding, LineMarks};
use crate::reply::found::ReplySearch;
use crate::scan::skip_space;
use crate::tape::Tape;
use crate::tape::graft::{TextSource, graft};
use crate::tape::readings::Reading;

/// Number of bytes that are decoded at first; a value mostly ends within them, or within a few
/// times as many.
const FIRST_WINDOW: usize = 256;

/// A value is decoded at most so often.
const LAYERS_MAX: usize = 4;

impl Reader<'_> {
    /// Reads the value at `at` from a text of its own, if it was written once more as a whole.
    /// Returns where the search goes on.
    pub(crate) fn coded_container(&mut self, found: &mut ReplySearch, at: usize) -> Option<usize> {
        let coding = self.look.encoding_at(at)?;
        self.reencoded_at(found, at, coding)
    }

    /// Reads the value at `at` from a text of its own.
    pub(crate) fn reencoded_at(
        &mut self,
        found: &mut ReplySearch,
        at: usize,
        coding: Encoding,
    ) -> Option<usize> {
        let read = self.recoded(found, at, coding)?;
        Some(self.add_reencoded(found, at, read))
    }

    /// Takes one level of escapes off the rest of the text, once: `\"text\"`. Returns where the search goes on.
    pub(crate) fn escaped_document(&mut self, found: &mut ReplySearch, at: usize) -> usize {
        if core::mem::replace(&mut found.unescaped, true) {
            return at + 1;
        }
        self.reencoded_at(found, at, Encoding::Escapes)
            .unwrap_or(at + 1)
    }

    /// Reads the value of `direct` once more without marks before its lines, such as `>` or `12:`, if it is doubtful,
    /// and takes that reading if it needs no guess. Returns where the search goes on.
    pub(crate) fn without_marks(
        &mut self,
        found: &mut ReplySearch,
        direct: &Reading,
    ) -> Option<usize> {
        let (start, end) = (direct.span.start as usize, direct.span.end as usize);
        let direct_repairs = &self.tape.repairs[direct.repairs.range()];
        let doubtful = !direct.complete || has_guess(direct_repairs);
        // The numbers of lines can be read as names, over more than one line only with repairs.
        let number = |byte: &u8| byte.is_ascii_digit() || b":.)|".contains(byte);
        let numbered = self.look.text_before(start).as_bytes().last();
        let lines = || memchr::memchr(b'\n', &self.look.bytes[start..end]).is_some();
        if !doubtful && (direct_repairs.is_empty() || !numbered.is_some_and(number) || !lines()) {
            return None;
        }
        let marks = self.look.line_marks(start, end)?;
        if !doubtful && !matches!(marks, LineMarks::Numbers(_)) {
            return None;
        }
        let coding = Encoding::Lines(marks);
        let read = self.recoded(found, start, coding)?;
        if !read.complete || has_guess(&read.tape.repairs) {
            return None;
        }
        self.tape.take_back(direct.root as usize);
        self.tape.repairs.truncate(direct.repairs.start());
        self.tape.notes.truncate(direct.notes.start());
        Some(self.add_reencoded(found, start, read))
    }

    /// Takes the coding off the text from `at` on, as often as it was put on, and reads the value.
    fn recoded(&mut self, found: &mut ReplySearch, at: usize, coding: Encoding) -> Option<Inner> {
        let rest = &self.look.text[at..];
        let mut window = FIRST_WINDOW;
        if matches!(coding, Encoding::Lines(_)) {
            window = usize::MAX;
        }
        loop {
            if self.look.work_is_used_up() {
                return None;
            }
            let inner = self.read_reencoded(rest, coding, window)?;
            let layers = &inner.layers;
            let last = layers.last()?;
            let settled = inner.complete
                && inner.tape.repairs.is_empty()
                && skip_space(last.text.as_bytes(), inner.end).1 < last.text.len();
            if settled || layers[0].whole {
                let root = inner.tape.nodes.get(inner.tape.root as usize)?;
                // A scalar with escaped quotes is none of several values.
                let value = found.candidates.is_empty() || root.is_container();
                return value.then_some(inner);
            }
            window = if inner.tape.repairs.is_empty() {
                window * 4
            } else {
                usize::MAX
            };
        }
    }

    /// Reads the value of a text once `coding` has been taken off its first `window` bytes, and further codings
    /// off what that left: `{\"a\": 1}` is read as `{"a": 1}`.
    fn read_reencoded(&mut self, rest: &str, coding: Encoding, window: usize) -> Option<Inner> {
        let mut layers = alloc::vec![coding.decode(rest, window)];
        self.look.charge(rest.len().min(window));
        loop {
            let text = &layers.last()?.text;
            let mut tape = Tape::default();
            let mut scratch = Scratch::default();
            let account = self.look.work.clone();
            let look = Look::new(text, &account).with_names(self.look.names);
            let mut reader = Reader::new(look, &mut tape, self.limits, &mut scratch);
            reader.nested = true;
            if matches!(text.as_bytes().first(), Some(b'{' | b'['))
                && layers.len() < LAYERS_MAX
                && let Some(coding) = reader.look.encoding_at(0)
            {
                let further = coding.decode(text, usize::MAX);
                self.look.work.set(account.get());
                self.look.charge(text.len());
                layers.push(further);
                continue;
            }
            let read = if matches!(text.as_bytes().first(), Some(b'{' | b'[' | b'(')) {
                let read = reader.value(0);
                reader.tape.root = 0;
                read
            } else {
                let complete = reader.reply();
                ValueEnd {
                    end: text.len(),
                    complete,
                }
            };
            let complete = read.complete && !reader.counters.cut;
            let (limit, unrecorded) = (reader.limit, reader.counters.unrecorded);
            self.look.work.set(account.get());
            self.look.charge(read.end);
            return Some(Inner {
                tape,
                end: read.end,
                complete,
                limit,
                unrecorded,
                layers,
            });
        }
    }

    /// Puts a value that was read from a text of its own in its place, with all records.
    fn add_reencoded(&mut self, found: &mut ReplySearch, at: usize, inner: Inner) -> usize {
        let source = |offset: u32| {
            let outwards = inner.layers.iter().rev();
            at + outwards.fold(offset as usize, |offset, layer| layer.source(offset))
        };
        let span = |span: Span| (source(span.start), source(span.end));
        let end = source(inner.end as u32);
        if let Some(limit) = inner.limit {
            self.limit = Some(match limit {
                LimitReached::Depth { limit, span: at } => {
                    let (start, end) = span(at);
                    let span = Span::of(start, end);
                    LimitReached::Depth { limit, span }
                }
                limit => limit,
            });
            return end.max(at + 1);
        }
        self.count_apart(found, at);
        let (repairs, notes) = (self.tape.repairs.len(), self.tape.notes.len());
        let text = inner.layers.last().map_or("", |layer| &*layer.text);
        let (side, side_end) = self.tape.put_side(&text[..inner.end]);
        let place = TextSource::Side(Span::new(side, side_end));
        let root = graft(self.tape, &inner.tape, place);
        for layer in &inner.layers {
            self.repair(layer.kind, at, end);
        }
        for repair in &inner.tape.repairs {
            let (start, end) = span(repair.span);
            self.repair_as(repair.kind, repair.class, start, end);
        }
        for note in &inner.tape.notes {
            let (start, end) = span(note.span);
            self.note_as(note.kind, note.class, start, end);
        }
        self.counters.unrecorded |= inner.unrecorded;
        self.counters.cut = false;
        let read = ValueEnd {
            end,
            complete: inner.complete,
        };
        let candidate = Reading {
            root,
            ..self.candidate(at, read, 0, repairs, notes)
        };
        found.add(self.look, candidate);
        end.max(at + 1)
    }
}

/// A value that was read from a text of its own.
struct Inner {
    tape: Tape,
    /// Offset at which the value ends there.
    end: usize,
    complete: bool,
    limit: Option<LimitReached>,
    unrecorded: bool,
    /// The texts, from the one made of the reply to the one that was read.
    layers: Vec<DecodedText>,
}
