//! The values that a reply may mean, and which of them is the document's.

use alloc::vec::Vec;
use core::cell::Cell;

use crate::base::limits::Limits;
use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::span::Span;
use crate::document::Document;
use crate::parser::look::Look;
use crate::parser::state::reader::{Reader, Scratch};
use crate::parser::state::step::{KeySpan, scalar};
use crate::reply::group::alike_in_turn;
use crate::reply::rank::{announced_over, is_substantial};
use crate::scan::tag::tag_before;
use crate::tape::Tape;
use crate::tape::readings::{Lead, Reading, Records};
use crate::tape::{NONE, Tag};

/// A reading of a reply that lists several values of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListReading {
    /// The number of the list among the values that the reply may mean.
    pub reading: usize,
    /// The numbers of those that are its items.
    pub items: Vec<usize>,
    /// `true` if the form of the reply shows that they belong together: they follow each other
    /// directly, all stand in code fences or behind the same tag, or each has a name in common with
    /// the one before.
    pub is_evident: bool,
}

impl Document<'_> {
    /// Returns the number of candidates: 1 for JSON as a whole, 0 without a value.
    #[must_use]
    #[inline]
    pub fn reading_count(&self) -> usize {
        if self.readings.all.is_empty() {
            usize::from(self.tape.root != NONE)
        } else {
            self.readings.open
        }
    }

    /// Returns the number of candidates with the drafts of a value that the end of the reply cuts, which come last.
    #[doc(hidden)]
    #[must_use]
    pub fn reading_count_with_drafts(&self) -> usize {
        self.reading_count() + self.readings.drafts
    }

    /// Returns whether a value behind the chosen one broke off: the end of the reply cut that, and not the chosen one.
    #[doc(hidden)]
    #[must_use]
    pub fn is_cut_behind(&self) -> bool {
        let chosen = self.readings.chosen;
        let mut all = self.readings.all.iter();
        let end = all.find(|one| one.root == chosen && one.complete);
        let mut all = self.readings.all.iter();
        end.is_some_and(|chosen| all.any(|one| !one.complete && one.span.start >= chosen.span.end))
    }

    /// Sets the value to another candidate: 0 is the best one when no schema is known, and drafts of a value that the end
    /// of the reply cuts stand behind all others. Its own
    /// repairs take the place of the others'. Values that were written with an
    /// [`Editor`](crate::Editor) in the meantime stay in the document.
    ///
    /// `class` tells how sure the choice is in view of another value, by its number; that is
    /// recorded as [`ChosenValue`](crate::RepairKind::ChosenValue) where the other value does not
    /// overlap the chosen one. `None` stands for one that does not count, which is only noted.
    ///
    /// # Panics
    ///
    /// If there are not that many.
    pub fn choose_reading(&mut self, index: usize, class: impl Fn(usize) -> Option<Class>) {
        assert!(
            index < self.reading_count_with_drafts(),
            "there are {} readings",
            self.reading_count_with_drafts()
        );
        match &self.readings.all[..] {
            [] => {}
            // The records of an only reading are in place; its value may have been written over.
            [only] => self.tape.root = only.root,
            _ => apply_reading(self, index, class),
        }
    }

    /// Returns `true` if another candidate can be tried without costing more than the work that is
    /// allowed for this text. If not, the value and all values that are chosen later say so by
    /// [`WorkCapped`](crate::RepairKind::WorkCapped) at that candidate.
    #[doc(hidden)]
    pub fn may_try_reading(&mut self, index: usize) -> bool {
        let used_up = self.work.is_used_up();
        if used_up && let Some(untried) = self.readings.all.get(index) {
            let from = untried.span.start;
            let capped = &mut self.readings.capped;
            *capped = Some(capped.map_or(from, |before| before.min(from)));
        }
        !used_up
    }

    /// Records that the value was chosen over another one at this span, with this class.
    pub fn record_choice(&mut self, other: Span, class: Class) {
        let kind = RepairKind::ChosenValue;
        let repairs = &mut self.tape.repairs;
        let place = repairs.partition_point(|repair| repair.span.start <= other.start);
        let span = other;
        repairs.insert(place, Repair { kind, class, span });
    }

    /// Returns `true` if the words before another of the values that the reply may mean say that
    /// it, and not the one of that number, is the answer: a correction, or an answer behind an
    /// example.
    #[must_use]
    pub fn is_announced_later(&self, index: usize) -> bool {
        let open = &self.readings.all[..self.readings.open + self.readings.drafts];
        open.get(index).is_some_and(|one| {
            let mut others = open.iter().filter(|other| other.span != one.span);
            others.any(|other| announced_over(other, one) == Some(true))
        })
    }

    /// Returns `true` if one of the values that the reply may mean holds nothing, or a single bare
    /// item, as brackets in prose do.
    #[must_use]
    pub fn is_next_to_nothing(&self, index: usize) -> bool {
        let open = &self.readings.all[..self.readings.open + self.readings.drafts];
        open.get(index)
            .is_some_and(|one| !is_substantial(&self.tape, &self.text, one.root))
    }

    /// Adds to the values that the reply may mean the list of all objects in it, in the order of the
    /// text. `None` if there are fewer than two, if one of the values is a list already, or if the
    /// words before one of them say that it corrects another.
    pub fn read_as_list(&mut self) -> Option<ListReading> {
        read_as_list(self)
    }
}

/// Makes another reading the document's value. `class` tells how sure that is in view of each of the
/// others that count.
fn apply_reading(
    document: &mut Document<'_>,
    index: usize,
    class: impl Fn(usize) -> Option<Class>,
) {
    let mut scratch = Scratch::default();
    let limits = Limits::DEFAULT;
    let account = Cell::new(document.work);
    let look = Look::new(&document.text, &account);
    let mut reader = Reader::new(look, &mut document.tape, &limits, &mut scratch);
    reader.readings = core::mem::take(&mut document.readings);
    let complete = reader.apply(index, class);
    document.work = account.get();
    document.readings = reader.readings;
    document.complete = complete;
}

/// Adds the list of all objects of a reply to its readings. See [`Document::read_as_list`].
fn read_as_list(document: &mut Document<'_>) -> Option<ListReading> {
    let Document {
        text,
        tape,
        readings,
        ..
    } = document;
    let open = &readings.all[..readings.open];
    let found = evident_list(tape, open);
    if found.is_some() {
        return found;
    }
    let items = objects_apart(tape, open)?;
    let all: Vec<Reading> = items.iter().map(|&index| open[index].clone()).collect();
    let tag = |one: &Reading| tag_before(text, one.span.start as usize);
    let marked = all.iter().all(|one| one.fenced)
        || tag(&all[0]).is_some() && all.iter().all(|one| tag(one) == tag(&all[0]));
    let headed = all.iter().all(|one| one.headed);
    let is_evident = marked || headed || alike_in_turn(tape, text, &all);
    let (first, last) = (&all[0], &all[all.len() - 1]);
    let list = tape.nodes.len() as u32;
    let (start, end) = (first.span.start as usize, last.span.end as usize);
    let mut node = scalar(KeySpan::NONE, Tag::Array, start, end);
    node.next = list + 1 + all.len() as u32;
    tape.nodes.push(node);
    tape.set_count(list, all.len() as u32);
    let (repairs, notes) = (readings.repairs.len(), readings.notes.len());
    for one in &all {
        let mut reference = scalar(KeySpan::NONE, Tag::Reference, 0, 0);
        reference.next = one.root;
        tape.nodes.push(reference);
        readings.repairs.extend_from_within(one.repairs.range());
        readings.notes.extend_from_within(one.notes.range());
    }
    let class = if marked || headed {
        Class::Likely
    } else {
        Class::Guess
    };
    let kind = RepairKind::SeveralValues;
    let span = Span::of(start, end);
    readings.repairs.push(Repair { kind, class, span });
    let reading = Reading {
        root: list,
        span,
        complete: last.complete,
        group: 0,
        draft: false,
        list: true,
        first: false,
        lead: Lead::Plain,
        headed: false,
        series: 0,
        repairs: Records::of(repairs..readings.repairs.len()),
        notes: Records::of(notes..readings.notes.len()),
        ..first.clone()
    };
    let place = readings.open;
    readings.all.insert(place, reading);
    readings.open += 1;
    Some(ListReading {
        reading: place,
        items,
        is_evident,
    })
}

/// Returns the list that reading put around a run of values, if it holds all objects of the reply.
fn evident_list(tape: &Tape, open: &[Reading]) -> Option<ListReading> {
    let reading = open.iter().position(|one| one.list)?;
    let list = &open[reading].span;
    let is_object = |one: &Reading| tape.nodes[one.root as usize].tag == Tag::Object;
    let within =
        |one: &Reading| one.span.start >= list.start && one.span.end <= list.end && !one.list;
    let all = open.iter().filter(|one| is_object(one)).all(within);
    let items = open.iter().enumerate();
    let items = items.filter(|(_, one)| within(one) && is_object(one));
    all.then(|| ListReading {
        reading,
        items: items.map(|(index, _)| index).collect(),
        is_evident: true,
    })
}

/// Returns the objects that may be the items of a list, in the order of the text: two or more that stand apart from each
/// other, in a reply without a list and without a correction.
fn objects_apart(tape: &Tape, open: &[Reading]) -> Option<Vec<usize>> {
    let tag_of = |one: &Reading| tape.nodes[one.root as usize].tag;
    let lists = |one: &Reading| tag_of(one) == Tag::Array && !one.list;
    let corrects = |one: &Reading| one.lead == Lead::Correction;
    if open.iter().any(|one| lists(one) || corrects(one)) {
        return None;
    }
    let mut items: Vec<usize> = (0..open.len())
        .filter(|&index| {
            let one = &open[index];
            let node = &tape.nodes[one.root as usize];
            let set_aside = one.lead == Lead::Aside && one.series == 0;
            node.tag == Tag::Object && node.count > 0 && !set_aside
        })
        .collect();
    items.sort_by_key(|&index| open[index].span.start);
    let apart = |pair: &[usize]| open[pair[0]].span.end <= open[pair[1]].span.start;
    (items.len() >= 2 && items.windows(2).all(apart)).then_some(items)
}
