//! The values that a reply may mean, and which of them is the document's.

use alloc::vec::Vec;
use core::cell::Cell;

use crate::base::limits::Limits;
use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::span::Span;
use crate::document::Document;
use crate::parser::look::Look;
use crate::parser::state::reader::{Reader, Scratch};
use crate::reply::found::ReplySearch;
use crate::reply::group::list_of_objects;
use crate::reply::weigh::{Term, announced_over, is_substantial, price, terms};
use crate::tape::NONE;
use crate::tape::readings::{Reading, Records};

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

/// A value that a reply may mean, with what speaks against it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WeighedValue {
    /// Its place in the text.
    pub span: Span,
    /// The sum of the prices of its terms.
    pub price: u32,
    /// The reasons why it is less likely the answer than others.
    pub terms: Vec<Term>,
}

impl Document<'_> {
    /// Returns the values that the reply may mean as they were weighed without a schema, the cheapest first; none where
    /// there is nothing to choose from.
    ///
    /// ```
    /// let document = llmjson_syntax::parse("Example: {\"a\": 1}\nAnswer: {\"a\": 2}");
    /// let weighed = document.weighed_values();
    /// assert_eq!(document.to_json().as_deref(), Some(r#"{"a":2}"#));
    /// assert_eq!(weighed[1].terms[0].name, "example");
    /// assert!(weighed[0].price < weighed[1].price);
    /// ```
    #[must_use]
    pub fn weighed_values(&self) -> Vec<WeighedValue> {
        let several = Some(&self.readings.all[..]).filter(|all| all.len() > 1);
        let all = several.unwrap_or_default().iter();
        all.map(|one| WeighedValue {
            span: self.place_of(one.span),
            price: price(one.terms),
            terms: terms(one.terms).copied().collect(),
        })
        .collect()
    }

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
    #[must_use]
    pub fn reading_count_with_drafts(&self) -> usize {
        self.reading_count() + self.readings.drafts
    }

    /// Returns whether a value behind the chosen one broke off: the end of the reply cut that, and not the chosen one.
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
            _ => {
                let (mut scratch, limits) = (Scratch::default(), Limits::DEFAULT);
                let account = Cell::new(self.work);
                let carried = self.readings.carried.take();
                let text = carried
                    .as_ref()
                    .map_or(&*self.text, |carried| &carried.text);
                let look = Look::new(text, &account);
                let mut reader = Reader::new(look, &mut self.tape, &limits, &mut scratch);
                reader.readings = core::mem::take(&mut self.readings);
                self.complete = reader.apply(index, class);
                self.readings = reader.readings;
                if let Some(carried) = &carried {
                    carried.place(&mut self.tape);
                }
                self.readings.carried = carried;
                self.work = account.get();
            }
        }
    }

    /// Returns `true` if another candidate can be tried without costing more than the work that is
    /// allowed for this text. If not, the value and all values that are chosen later say so by
    /// [`WorkCapped`](crate::RepairKind::WorkCapped) at that candidate.
    pub fn may_try_reading(&mut self, index: usize) -> bool {
        let used_up = self.work.is_used_up();
        if used_up && let Some(untried) = self.readings.all.get(index) {
            let from = untried.span.start;
            let capped = &mut self.readings.capped;
            let before = capped.filter(|(_, before)| *before <= from);
            *capped = before.or(Some((RepairKind::WorkCapped, from)));
        }
        !used_up
    }

    /// Returns the objects and arrays of strict JSON that begin a line or a fence, in the order of the text and none of them
    /// inside another one. Those in reasoning, quotations and comments are left out. Escapes in strings are not looked at.
    ///
    /// ```
    /// let reply = "[Column(\"id\")]\n// was\n{\"id\": 4}\n> [1]";
    /// let spans = llmjson_syntax::parse(reply).whole_values();
    /// assert_eq!(&reply[spans[0].range()], "{\"id\": 4}");
    /// assert_eq!(spans.len(), 1);
    /// ```
    pub fn whole_values(&mut self) -> Vec<Span> {
        let account = Cell::new(self.work);
        let look = Look::new(&self.text, &account);
        let mut found = ReplySearch::default();
        found.ask(look, |zones| zones.begin());
        let mut at = 0;
        for span in look.whole_values() {
            let start = span.start as usize;
            at = found.pass_marks(look, at, start);
            // A comment may go on over it.
            if at <= start {
                let none = Records::of(0..0);
                found.add(look, Reading::new(0, span, none, none));
                at = span.end as usize;
            }
        }
        // `</think>`: all of it was reasoning.
        found.pass_marks(look, at, self.text.len());
        self.work = account.get();
        let open = found.candidates.iter();
        let open = open.filter(|one| !one.thought && !one.shown);
        open.map(|one| one.span).collect()
    }

    /// Records that the value was chosen over another one at this span, with this class.
    pub fn record_choice(&mut self, other: Span, class: Class) {
        let kind = RepairKind::ChosenValue;
        let repairs = &mut self.tape.repairs;
        let place = repairs.partition_point(|repair| repair.span.start <= other.start);
        let span = other;
        repairs.insert(place, Repair::of(kind, class, span));
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
        let Self {
            text,
            tape,
            readings,
            ..
        } = self;
        let (reading, items, is_evident) = list_of_objects(tape, text, readings)?;
        Some(ListReading {
            reading,
            items,
            is_evident,
        })
    }
}
