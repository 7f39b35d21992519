//! The candidates of a reply, and which of them is the document's value.

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
use crate::reply::weigh::{Term, is_substantial, terms};
use crate::tape::NONE;
use crate::tape::readings::{Reading, Records};

/// An interpretation of a reply as an array of several of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListReading {
    /// The index of the array among the candidates.
    pub reading: usize,
    /// The indices of its items among the candidates.
    pub items: Vec<usize>,
    /// `true` if the form of the reply shows that they belong together: they follow each other
    /// directly, all are in code fences or after the same tag, or each shares a key with the one
    /// before.
    pub is_evident: bool,
}

/// A candidate value of a reply, with the evidence against it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WeighedValue {
    /// The span in the text.
    pub span: Span,
    /// The sum of the costs of its terms and its repairs.
    pub price: u32,
    /// The reasons why it is less likely to be the answer.
    pub terms: Vec<Term>,
}

impl Document<'_> {
    /// Returns the candidate values with their costs without a schema, cheapest first; empty if
    /// there is nothing to choose from.
    ///
    /// ```
    /// let document = llmjson_syntax::parse("Example: {\"a\": 1}\nAnswer: {\"a\": 2}");
    /// let weighed = document.weighed_values();
    /// assert_eq!(document.to_json().as_deref(), Some(r#"{"a":2}"#));
    /// assert_eq!(weighed[1].terms[0].name, "example");
    /// assert!(weighed[0].price < weighed[1].price);
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn weighed_values(&self) -> Vec<WeighedValue> {
        let several = Some(&self.readings.all[..]).filter(|all| all.len() > 1);
        let all = several.unwrap_or_default().iter();
        all.map(|one| WeighedValue {
            span: self.place_of(one.span),
            price: one.price,
            terms: terms(one.terms).copied().collect(),
        })
        .collect()
    }

    /// Returns the number of candidates: 1 if the whole text is JSON, 0 without a value.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn reading_count(&self) -> usize {
        if self.readings.all.is_empty() {
            usize::from(self.tape.root != NONE)
        } else {
            self.readings.open
        }
    }

    /// Returns the number of candidates, including the drafts of a value truncated by the end of
    /// the reply, which come last.
    #[doc(hidden)]
    #[must_use]
    pub fn reading_count_with_drafts(&self) -> usize {
        self.reading_count() + self.readings.drafts
    }

    /// Returns `true` if the end of the reply truncated a value after the chosen one, and not the
    /// chosen one.
    #[doc(hidden)]
    #[must_use]
    pub fn is_cut_behind(&self) -> bool {
        let chosen = self.readings.chosen;
        let mut all = self.readings.all.iter();
        let end = all.find(|one| one.root == chosen && one.complete);
        let mut all = self.readings.all.iter();
        end.is_some_and(|chosen| all.any(|one| !one.complete && one.span.start >= chosen.span.end))
    }

    /// Chooses another candidate as the value: 0 is the best one without a schema, and drafts of a
    /// value truncated by the end of the reply come after all others. Its repairs replace the
    /// previous ones. Values written with an [`Editor`](crate::Editor) in the meantime stay in the
    /// document.
    ///
    /// `class` returns how certain the choice is compared to another candidate, by its index. This
    /// is recorded as [`ChosenValue`](crate::RepairKind::ChosenValue) if the other value does not
    /// overlap the chosen one. `None` means that the other value does not count and is only noted.
    ///
    /// # Panics
    ///
    /// If the index is out of range.
    #[doc(hidden)]
    pub fn choose_reading(&mut self, index: usize, class: impl Fn(usize) -> Option<Class>) {
        assert!(
            index < self.reading_count_with_drafts(),
            "there are {} readings",
            self.reading_count_with_drafts()
        );
        match &self.readings.all[..] {
            [] => {}
            // The records of an only hypothesis are in place; its value may have been overwritten.
            [only] => self.tape.root = only.root,
            _ => {
                let (mut scratch, limits) = (Scratch::default(), Limits::DEFAULT);
                let account = Cell::new(self.work);
                let source = self.readings.source.take();
                let text = source.as_ref().map_or(&*self.text, |source| &source.text);
                let look = Look::new(text, &account);
                let mut reader = Reader::new(look, &mut self.tape, &limits, &mut scratch);
                reader.readings = core::mem::take(&mut self.readings);
                self.complete = reader.apply(index, class);
                self.readings = reader.readings;
                if let Some(source) = &source {
                    source.place(&mut self.tape);
                }
                self.readings.source = source;
                self.work = account.get();
            }
        }
    }

    /// Makes another candidate the value, as [`choose_reading`](Self::choose_reading) does, but keeps
    /// the records of the previous one: the text around each candidate takes long to record.
    ///
    /// # Panics
    ///
    /// If there is no candidate of that index, or only one.
    #[doc(hidden)]
    pub fn try_reading(&mut self, index: usize) {
        let tried = &self.readings.all[index];
        (self.tape.root, self.complete) = (tried.root, tried.complete);
        self.readings.chosen = tried.root;
    }

    /// Returns `true` if trying another candidate stays within the work budget for this text.
    /// Otherwise the value, and any value chosen later, gets a
    /// [`WorkCapped`](crate::RepairKind::WorkCapped) record at that candidate.
    #[doc(hidden)]
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

    /// Returns the strict JSON objects and arrays that begin a line or a fence, in text order and
    /// without nested ones. Values in reasoning, quotations and comments are left out. Escapes in
    /// strings are not checked.
    ///
    /// ```
    /// let reply = "[Column(\"id\")]\n// was\n{\"id\": 4}\n> [1]";
    /// let spans = llmjson_syntax::parse(reply).whole_values();
    /// assert_eq!(&reply[spans[0].range()], "{\"id\": 4}");
    /// assert_eq!(spans.len(), 1);
    /// ```
    #[doc(hidden)]
    pub fn whole_values(&mut self) -> Vec<Span> {
        let account = Cell::new(self.work);
        let look = Look::new(&self.text, &account);
        let spans = look.whole_values();
        if spans.is_empty() {
            self.work = account.get();
            return spans;
        }
        let mut found = ReplySearch::default();
        found.ask(look, |zones| zones.begin());
        let mut at = 0;
        for span in spans {
            let start = span.start as usize;
            at = found.pass_marks(look, at, start);
            // A comment may extend past it.
            if at <= start {
                let none = Records::of(0..0);
                found.add(look, Reading::new(0, span, none, none));
                at = span.end as usize;
            }
        }
        // `</think>`: the whole text before it was reasoning.
        found.pass_marks(look, at, self.text.len());
        self.work = account.get();
        let open = found.candidates.iter();
        let open = open.filter(|one| !one.thought && !one.shown);
        open.map(|one| one.span).collect()
    }

    /// Records that the value was chosen over another one at this span, with this class.
    #[doc(hidden)]
    pub fn record_choice(&mut self, other: Span, class: Class) {
        let kind = RepairKind::ChosenValue;
        let repairs = &mut self.tape.repairs;
        let place = repairs.partition_point(|repair| repair.span.start <= other.start);
        let span = other;
        repairs.insert(place, Repair::of(kind, class, span));
    }

    /// Returns the price of a candidate without a schema: 0 for an only one.
    #[doc(hidden)]
    #[must_use]
    pub fn reading_price(&self, index: usize) -> u32 {
        self.readings.all.get(index).map_or(0, |one| one.price)
    }

    /// Returns `true` if a candidate is empty or holds a single bare item, as brackets in prose do.
    #[doc(hidden)]
    #[must_use]
    pub fn is_next_to_nothing(&self, index: usize) -> bool {
        let open = &self.readings.all[..self.readings.open + self.readings.drafts];
        open.get(index)
            .is_some_and(|one| !is_substantial(&self.tape, &self.text, one.root))
    }

    /// Adds a candidate that is the array of all objects in the reply, in text order. Returns
    /// `None` if there are fewer than two, if one of the values is already an array, or if the
    /// words before one say that it corrects another.
    #[doc(hidden)]
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
