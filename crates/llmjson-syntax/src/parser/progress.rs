//! How far a text that is still coming has been read.

use crate::limits::{LimitReached, Limits};
use crate::node::{NONE, Tape};
use crate::parser::live::{Await, Live, Phase};
use crate::parser::reader::{Here, Reader, Scratch};
use crate::parser::reply::Opening;
use crate::scan::{self, skip_space};

/// Everything that reading a text piece by piece keeps between two pieces, but for the tape.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    opening: Opening,
    /// Where the value begins, once that is known.
    begin: Option<usize>,
    /// Where it ended, once its last closer has come.
    end: Option<usize>,
    live: Live,
    counters: Counters,
    scratch: Scratch,
    limit: Option<LimitReached>,
}

/// What a reader counts.
#[derive(Clone, Copy, Debug)]
struct Counters {
    depth: u32,
    wrappers: u32,
    furthest: usize,
    idle: u32,
    hopeless_from: usize,
    cut: bool,
    unrecorded: bool,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            depth: 0,
            wrappers: 0,
            furthest: 0,
            idle: 0,
            hopeless_from: usize::MAX,
            cut: false,
            unrecorded: false,
        }
    }
}

impl Progress {
    /// Goes on with the text that has come. The tape holds what can be shown.
    #[inline]
    pub(crate) fn advance(&mut self, text: &str, tape: &mut Tape, limits: &Limits) {
        let ready = match self.begin {
            Some(_) => self.live.is_ready(text, tape),
            None => match self.opening.wait {
                Await::Length(length) => text.len() >= length,
                Await::Byte(from) => skip_space(text.as_bytes(), from).1 < text.len(),
                Await::Quote { .. } | Await::Never => false,
            },
        };
        if ready {
            self.read(text, tape, limits);
        }
    }

    #[inline(never)]
    fn read(&mut self, text: &str, tape: &mut Tape, limits: &Limits) {
        let mut reader = Reader::new(text, tape, limits, &mut self.scratch);
        if self.begin.is_none() {
            let Some(at) = reader.find_opening(&mut self.opening) else {
                return;
            };
            self.begin = Some(at);
            self.live.begin(at);
            self.counters.furthest = at;
        }
        reader.depth = self.counters.depth;
        reader.wrappers = self.counters.wrappers;
        reader.furthest = self.counters.furthest;
        reader.idle = self.counters.idle;
        reader.hopeless_from = self.counters.hopeless_from;
        reader.cut = self.counters.cut;
        reader.unrecorded = self.counters.unrecorded;
        reader.live = self.live;
        if reader.live.growing {
            reader.tape.nodes.pop();
            reader.live.growing = false;
        }
        reader.live.paused = false;
        let read = reader.resume();
        self.live = reader.live;
        self.limit = reader.limit;
        self.counters = Counters {
            depth: reader.depth,
            wrappers: reader.wrappers,
            furthest: reader.furthest,
            idle: reader.idle,
            hopeless_from: reader.hopeless_from,
            cut: reader.cut,
            unrecorded: reader.unrecorded,
        };
        if !self.live.paused {
            self.end = Some(read.end);
            self.live.odd |= !read.complete;
            self.live.wait = Await::Never;
        }
        tape.root = if tape.nodes.is_empty() { NONE } else { 0 };
    }

    /// Up to here the text is not the value's.
    pub(crate) fn passed(&self) -> usize {
        self.begin.unwrap_or(self.opening.at)
    }

    /// Where the value ended.
    pub(crate) fn end(&self) -> Option<usize> {
        self.end
    }

    /// Whether the tape is what reading the whole text would give: strict JSON and nothing else.
    pub(crate) fn is_exact(&self, text: &str, tape: &Tape) -> bool {
        let Some((begin, end)) = self.begin.zip(self.end) else {
            return false;
        };
        let blank = |at| skip_space(text.as_bytes(), at).1;
        !self.live.odd
            && self.limit.is_none()
            && tape.repairs.is_empty()
            && blank(0) == begin
            && blank(end) >= text.len()
    }

    /// The one value, open containers and the root aside, that later text may still change.
    pub(crate) fn unsettled(&self, nodes: usize) -> Option<u32> {
        if self.end.is_some() {
            return None;
        }
        self.live.unsettled(nodes)
    }
}

impl Live {
    /// Begins to read the value at `at`.
    fn begin(&mut self, at: usize) {
        *self = Self {
            at,
            here: Here::OUTSIDE,
            ..Self::default()
        };
    }

    /// Whether enough text has come to go on; meanwhile an open string grows.
    fn is_ready(&mut self, text: &str, tape: &mut Tape) -> bool {
        let bytes = text.as_bytes();
        match self.wait {
            Await::Never => false,
            Await::Length(length) => text.len() >= length,
            Await::Byte(from) => {
                let (byte, next) = skip_space(bytes, from);
                self.wait = Await::Byte(next);
                if next >= bytes.len() {
                    return false;
                }
                if self.phase != Phase::Key || byte != b'"' || self.quote.0 == next + 1 {
                    return true;
                }
                // A name has begun: its quote comes first.
                self.wait = Await::Quote {
                    start: next + 1,
                    from: next + 1,
                };
                self.is_ready(text, tape)
            }
            Await::Quote { from, .. }
                if self.growing
                    && bytes.len() - from <= 32
                    && self.grown.whole == from
                    && self.grown.extend_plainly(bytes) =>
            {
                self.wait = Await::Quote {
                    start: self.grown.start,
                    from: bytes.len(),
                };
                if let Some(node) = tape.nodes.last_mut() {
                    node.end = self.grown.end as u32;
                }
                false
            }
            Await::Quote { start, from } => {
                if let Some(end) = scan::closing_quote(bytes, start, from) {
                    self.quote = (start, end);
                    let next = skip_space(bytes, end + 1).1;
                    self.wait = Await::Byte(next);
                    if next < bytes.len() {
                        return true;
                    }
                    self.grow(&text[..end], tape);
                    return false;
                }
                self.wait = Await::Quote {
                    start,
                    from: bytes.len(),
                };
                self.grow(text, tape);
                false
            }
        }
    }

    /// Lets the open string grow.
    fn grow(&mut self, text: &str, tape: &mut Tape) {
        if self.growing
            && let Some(node) = tape.nodes.last_mut()
        {
            self.grown.extend(text);
            node.end = self.grown.end as u32;
            node.flags |= self.grown.flags;
        }
    }
}
