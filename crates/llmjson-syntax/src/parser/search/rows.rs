//! The rows of a value in the search: the cost of a shape that the other rows do not have.

use crate::base::work::steps_of_search;
use crate::parser::look::rows::{Rows, row};
use crate::parser::search::beam::Search;
use crate::parser::search::price;
use crate::parser::search::reading::{Event, Kind, Reading};
use crate::parser::state::reader::Reader;
use crate::scan::peek;
use crate::tape::Tag;

/// Number of nodes among which a row with another row in it is searched for.
const NODES_LOOK: usize = 1 << 8;

/// Number of events to go back for the beginning of a row.
const EVENTS_LOOK: usize = 1 << 6;

impl Search<'_> {
    /// Returns `true` if a container is a row: an array in an array.
    fn is_row(&self, frame: u32) -> bool {
        let frame = self.frames[frame as usize];
        matches!(frame.kind, Kind::Array | Kind::Call) && self.kind(frame.parent) == Kind::Array
    }

    /// Returns `true` if this container is a damaged row among others without damage.
    pub(crate) fn in_odd_row(&self, frame: u32) -> bool {
        if self.text.habits.rows.items().is_none() || !self.is_row(frame) {
            return false;
        }
        let open = self.frames[frame as usize].open as usize;
        self.text.odd_rows.get(open, 0, || {
            let row = row(self.text.bytes, open);
            let (Ok((_, end)) | Err(end)) = row;
            self.charge(steps_of_search(end - open));
            // An array with other containers in it has no shape.
            row.is_err() && !matches!(self.text.at(end), b'{' | b'[' | b'(')
        })
    }

    /// Returns the number of items read in the innermost array, or more than `most`. Returns `None`
    /// if it contains so many other values that it is not a row.
    fn items_read(&self, reading: &Reading, most: usize) -> Option<usize> {
        let frame = self.frame(reading);
        if frame.kind == Kind::Call {
            return Some(1);
        }
        let (mut at, mut depth, mut items) = (reading.trail, 0, 0);
        for _ in 0..EVENTS_LOOK {
            self.charge(1);
            let step = self.trail[at as usize];
            match step.event {
                Event::Start => return Some(items + frame.before as usize),
                Event::Close(..) => depth += 1,
                // The first item precedes this event.
                Event::List if depth == 0 => return Some(items + 1),
                Event::Object(_) | Event::Array(_) if depth == 0 => return Some(items),
                Event::Object(_) | Event::Array(_) => {
                    depth -= 1;
                    items += usize::from(depth == 0);
                }
                Event::List => depth -= 1,
                Event::Text(..) | Event::Bare(..) | Event::Null(_) => {
                    items += usize::from(depth == 0);
                }
                _ => {}
            }
            if items > most {
                return Some(items);
            }
            at = step.before;
        }
        None
    }

    /// Returns `true` if the items of two hypotheses in the same row are equal in number, so that
    /// its end costs both the same.
    pub(crate) fn has_as_many_items(&self, one: &Reading, other: &Reading) -> bool {
        let items = self.text.habits.rows.items();
        items
            .filter(|_| self.is_row(one.frame))
            .is_none_or(|items| self.items_read(one, items) == self.items_read(other, items))
    }

    /// Returns the cost of closing the innermost container: a damaged row has as many items as the
    /// others.
    pub(crate) fn price_of_row(&self, reading: &Reading) -> u32 {
        let items = self.text.habits.rows.items();
        let Some(items) = items.filter(|_| self.in_odd_row(reading.frame)) else {
            return 0;
        };
        match self.items_read(reading, items) {
            Some(read) if 0 < read && read < items => price::ROW_SHAPE,
            _ => 0,
        }
    }

    /// Returns the hypothesis that reads another item of the innermost container at `next`. A row
    /// that has all its items already may have ended before, without its closer.
    pub(crate) fn beyond_row(&mut self, reading: Reading, next: usize) -> Reading {
        let ends = self.closes(reading.frame, next) || self.text.ends(next);
        let items = self
            .text
            .habits
            .rows
            .items()
            .filter(|_| !ends && self.is_row(reading.frame));
        if items.is_none_or(|items| self.items_read(&reading, items) != Some(items)) {
            return reading;
        }
        // `[["a", "b", ["c", "d"]]`: another row begins.
        let open = self.frame(&reading).open as usize;
        if matches!(self.text.at(next), b'[' | b'(') && self.text.at(open) == self.text.at(next) {
            let closed = self.close_missing(reading);
            self.out.push(closed);
        }
        let cost = reading.cost + price::ROW_SHAPE;
        Reading { cost, ..reading }
    }
}

impl Reader<'_> {
    /// Counts the rows of the text that has arrived.
    pub(crate) fn count_rows(&mut self) -> Rows {
        if !self.look.work_is_used_up() {
            let steps = self.scratch.habits.rows.count(self.look.bytes);
            self.look.charge(steps);
        }
        self.scratch.habits.rows
    }

    /// Returns the first row that is followed by another row within it, after as many scalars as
    /// the rows have, with its place and the place of the other: its closer is missing.
    pub(crate) fn unclosed_row(&mut self, doubt: usize) -> Option<((usize, usize), usize)> {
        let closes = matches!(self.look.beyond_space(doubt).0, b'}' | b']' | b':' | 0);
        let items = self.count_rows().items().filter(|_| closes)?;
        let nodes = &self.tape.nodes;
        let from = (self.value_node + 1).max(nodes.len().saturating_sub(NODES_LOOK));
        let is_row = |at: usize| nodes[at].tag == Tag::Array && nodes[at].key_end == 0;
        (from..nodes.len().saturating_sub(items + 1)).find_map(|at| {
            self.look.charge(1);
            let inner = at + items + 1;
            let row = is_row(at) && is_row(inner);
            let after = nodes[at].next as usize;
            let within = after > inner || after <= at;
            let scalars = || nodes[at + 1..inner].iter().all(|one| !one.is_container());
            let (begin, place) = (nodes[at].start as usize, nodes[inner].start as usize);
            let same = || peek(self.look.bytes, begin) == peek(self.look.bytes, place);
            let found = row && within && place > self.scratch.columns && scalars() && same();
            found.then_some(((at, begin), place))
        })
    }
}
