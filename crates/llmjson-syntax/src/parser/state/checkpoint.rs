//! A point of reading to which the reader can go back.

use crate::parser::state::reader::Reader;

/// What a reader counts and remembers besides what it writes down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counters {
    depth: u32,
    wrappers: u32,
    furthest: usize,
    idle: u32,
    pub(crate) reopened: u32,
    hopeless_from: usize,
    unclosed_from: usize,
    implied_end: usize,
    fruitless: u32,
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
            reopened: 0,
            hopeless_from: usize::MAX,
            unclosed_from: usize::MAX,
            implied_end: 0,
            fruitless: 0,
            cut: false,
            unrecorded: false,
        }
    }
}

impl Counters {
    #[inline]
    pub(crate) fn of(reader: &Reader<'_>) -> Self {
        Self {
            depth: reader.depth,
            wrappers: reader.wrappers,
            furthest: reader.furthest,
            idle: reader.idle,
            reopened: reader.reopened,
            hopeless_from: reader.hopeless_from,
            unclosed_from: reader.unclosed_from,
            implied_end: reader.implied_end,
            fruitless: reader.fruitless,
            cut: reader.cut,
            unrecorded: reader.unrecorded,
        }
    }

    #[inline]
    pub(crate) fn restore(&self, reader: &mut Reader<'_>) {
        reader.depth = self.depth;
        reader.wrappers = self.wrappers;
        reader.furthest = self.furthest;
        reader.idle = self.idle;
        reader.reopened = self.reopened;
        reader.hopeless_from = self.hopeless_from;
        reader.unclosed_from = self.unclosed_from;
        reader.implied_end = self.implied_end;
        reader.fruitless = self.fruitless;
        reader.cut = self.cut;
        reader.unrecorded = self.unrecorded;
    }
}

/// How far the tape had got at one moment, and what the reader counted then.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Checkpoint {
    pub(crate) nodes: usize,
    pub(crate) side: usize,
    pub(crate) repairs: usize,
    pub(crate) notes: usize,
    pub(crate) replaced: usize,
    pub(crate) counters: Counters,
}

impl Checkpoint {
    pub(crate) fn of(reader: &Reader<'_>) -> Self {
        let tape = &reader.tape;
        Self {
            nodes: tape.nodes.len(),
            side: tape.side.len(),
            repairs: tape.repairs.len(),
            notes: tape.notes.len(),
            replaced: tape.replaced.len(),
            counters: Counters::of(reader),
        }
    }
}
