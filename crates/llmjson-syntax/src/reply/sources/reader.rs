//! Reads the texts of sources, and compares what they cost.

use alloc::vec::Vec;
use core::cell::{Cell, OnceCell};
use core::mem;

use super::{FIRST_PART, Judge, Layer, NO_VALUE, SOURCES, Seen, cost_of};
use crate::base::limits::Limits;
use crate::base::repair::RepairKind;
use crate::parser::look::Look;
use crate::parser::search::price;
use crate::parser::state::reader::{Reader, Scratch};
use crate::reply::sources::glance::Glance;
use crate::tape::readings::Readings;
use crate::tape::{Tag, Tape};

/// Maximum number of sources that are composed.
const DEPTH_MAX: usize = 2;

/// Maximum number of readings whose texts are read from further sources.
const KEPT_MAX: usize = 6;

/// Reads the sources of a text.
pub(super) struct SourceReader<'r> {
    pub(super) limits: &'r Limits,
    /// `true` if the rows are tried in reverse order, for a law.
    pub(super) is_reversed: bool,
    /// Asked about the value of each source.
    pub(super) judge: Option<Judge<'r>>,
    /// `true` if any source has a text, or may have one.
    pub(super) has_texts: Cell<bool>,
}

impl SourceReader<'_> {
    /// Reads the sources of a text, and the sources of the cheapest of them. Returns the readings
    /// that cost less than `below`, the cheapest first.
    pub(super) fn readings(&self, look: Look<'_>, below: u32, depth: usize) -> Vec<Seen> {
        let mut all: Vec<Seen> = Vec::new();
        if below == 0 {
            self.has_texts.set(true);
            return all;
        }
        let text = look.text;
        let mut known = [None; 256];
        let mut occurs = |byte: &u8| {
            let find = || memchr::memchr(*byte, text.as_bytes()).is_some();
            *known[usize::from(*byte)].get_or_insert_with(find)
        };
        look.charge_search(text.len());
        let glance = OnceCell::new();
        for index in 0..SOURCES.len() {
            let source = match self.is_reversed {
                true => &SOURCES[SOURCES.len() - 1 - index],
                false => &SOURCES[index],
            };
            if !source.needs.iter().all(&mut occurs) {
                continue;
            }
            if source.cost >= below || look.work_is_used_up() {
                self.has_texts.set(true);
                continue;
            }
            look.charge_search(text.len());
            if !glance.get_or_init(|| Glance::of(text)).shows(source.lines) {
                continue;
            }
            if let Some(derived) = (source.make)(text).filter(|derived| derived.text != text) {
                self.has_texts.set(true);
                look.charge(text.len());
                all.push(self.read(look, alloc::vec![(source, derived)], FIRST_PART));
                all.sort_by_cached_key(Seen::rank);
                all.truncate(KEPT_MAX);
            }
        }
        if depth < DEPTH_MAX {
            for index in 0..all.len() {
                self.compose(look, &mut all, index, depth);
            }
            all.sort_by_cached_key(Seen::rank);
        }
        all.retain(|seen| seen.least() < below || seen.is_capped);
        all
    }

    /// Replaces a reading by a reading of a further source of its text, if that costs less.
    fn compose(&self, look: Look<'_>, all: &mut [Seen], index: usize, depth: usize) {
        let best = all.iter().map(|seen| seen.cost).min().unwrap_or_default();
        let outer = &mut all[index];
        let (source, derived) = &outer.layers[0];
        let own = source.cost_of(derived);
        let inner = Look::new(&derived.text, look.work).with_names(look.names);
        let below = outer
            .cost
            .min(best + price::LEAST_MARGIN)
            .saturating_sub(own);
        let further = self.readings(inner, below, depth + 1);
        if let Some(mut seen) = further.into_iter().next() {
            seen.layers.insert(0, outer.layers.remove(0));
            seen.cost += own;
            *outer = seen;
        }
    }

    /// Reads the text of the last of these layers with a part of the work budget.
    pub(super) fn read(&self, look: Look<'_>, layers: Vec<Layer>, part: u64) -> Seen {
        let text = layers.last().map_or("", |(_, derived)| &derived.text);
        let (mut tape, mut scratch) = (Tape::default(), Scratch::default());
        let account = Cell::new(look.work.get().part(part));
        let inner = Look::new(text, &account).with_names(look.names);
        let mut reader = Reader::new(inner, &mut tape, self.limits, &mut scratch);
        let complete = reader.reply();
        let mut readings = mem::take(&mut reader.readings);
        look.charge(account.get().spent() as usize);
        if readings.all.is_empty() {
            readings.chosen = tape.root;
        }
        let mut seen = Seen {
            cost: cost_of_value(&tape, complete, &layers),
            tape,
            readings,
            complete,
            is_capped: account.get().is_used_up(),
            layers,
        };
        if seen.cost < NO_VALUE {
            let complete = complete || seen.is_part();
            seen.cost += self.verdict(look, (seen.text(), &seen.tape, &seen.readings, complete));
        }
        seen.cost += seen.sources();
        seen
    }

    /// Asks the judge about a value, and charges its work.
    pub(super) fn verdict(&self, look: Look<'_>, seen: (&str, &Tape, &Readings, bool)) -> u32 {
        let Some(judge) = self.judge else {
            return 0;
        };
        let before = look.work.get();
        let (cost, work) = (judge.ask)(seen, before);
        // Coercion has its own budget.
        look.charge(work.spent().saturating_sub(before.spent()) as usize);
        cost
    }
}

/// Returns the cost of the value that was read from the last of these layers.
fn cost_of_value(tape: &Tape, complete: bool, layers: &[Layer]) -> u32 {
    let (Some((source, derived)), Some(root)) = (layers.last(), tape.nodes.get(tape.root as usize))
    else {
        return NO_VALUE;
    };
    let is_value = match root.is_container() {
        true => root.count > 0,
        // `\"so\"`: an escaped string is the whole reply.
        false => {
            let is_text = derived.text.trim_start().starts_with('"');
            is_text && source.kind == Some(RepairKind::EscapedDocument) && root.tag == Tag::String
        }
    };
    if !is_value {
        return NO_VALUE;
    }
    // A value that is only a small part of its text may be encoded itself.
    let is_small = 2 * root.end.saturating_sub(root.start) < derived.text.len() as u32;
    // The end of a part truncates its value.
    let complete = complete || source.kind.is_none();
    cost_of(&derived.text, tape, complete) + price::SMALL_PART * u32::from(is_small)
}
