//! The work budget for finding calls.

use llmjson_syntax::{Document, Limits, Parser, Work};

/// The work budget for everything beyond the steps from one position to the next: searches for
/// ends, words around a position, texts parsed as JSON once or repeatedly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    work: Work,
    /// Number of steps per byte of a text.
    per_byte: u32,
    /// The part of the work spent on text that no marker introduces.
    prose: u64,
    /// Work that may be spent before a step is postponed until more text arrives.
    until: u64,
    /// The end of the text was reached, so that more of it may change the result.
    pub(super) reached_end: bool,
    /// The offset up to which a step read calls that it did not take: a list ends there, or its next
    /// call begins.
    pub(super) read_to: usize,
    /// `true` if more text may change the place at which the search continues, but not its results.
    pub(super) goes_on: bool,
    /// `true` if something was not examined, or less closely, because too little work was left.
    pub(super) is_short: bool,
}

impl Budget {
    /// Creates the budget for a text, of which `spent` steps were already used.
    pub(super) fn new(per_byte: u32, bytes: usize, spent: u64) -> Self {
        let mut work = Work::for_bytes(per_byte, bytes);
        work.charge(usize::try_from(spent).unwrap_or(usize::MAX));
        Self {
            work,
            per_byte,
            prose: 0,
            until: u64::MAX,
            reached_end: false,
            read_to: 0,
            goes_on: false,
            is_short: false,
        }
    }

    /// Returns the budget with the steps already spent on text without a marker.
    pub(super) const fn with_prose(self, prose: u64) -> Self {
        Self { prose, ..self }
    }

    /// Notes that the work since that point was spent on text that no marker introduces.
    pub(super) const fn charge_prose(&mut self, before: u64) {
        self.prose += self.spent().saturating_sub(before);
    }

    pub(super) const fn spent_on_prose(&self) -> u64 {
        self.prose
    }

    /// Returns `true` if text without a marker has used its half, so that the other half is left
    /// for markers.
    pub(super) fn is_prose_used_up(&mut self) -> bool {
        let allowed = self.work.left().saturating_add(self.spent());
        let is_used_up = self.prose >= allowed / 2;
        self.is_short |= is_used_up;
        is_used_up
    }

    /// Begins a step, which may spend `allowed` steps.
    pub(super) fn begin_step(&mut self, allowed: u64) {
        self.until = self.spent().saturating_add(allowed);
        self.reached_end = false;
        self.read_to = 0;
        self.goes_on = false;
        self.is_short = false;
    }

    /// Begins a quoted part of that length, whose calls are only listed. It may spend half of the
    /// steps for its length, so that quotations never use up the budget of the calls after them.
    pub(super) fn begin_quotation(&mut self, bytes: usize) {
        let own = Work::for_bytes(self.per_byte / 2, bytes).left();
        let own = own.min(self.work.left() / 2);
        self.until = self.until.min(self.spent().saturating_add(own));
    }

    /// Returns the budget after a quoted part: neither its prose nor its unlisted calls count, nor
    /// what more text may change in it.
    pub(super) const fn restored(self, before: Self) -> Self {
        Self {
            until: before.until,
            prose: before.prose,
            is_short: before.is_short,
            reached_end: before.reached_end,
            goes_on: before.goes_on,
            ..self
        }
    }

    pub(super) const fn charge(&mut self, steps: usize) {
        self.work.charge(steps);
    }

    pub(super) const fn spent(&self) -> u64 {
        self.work.spent()
    }

    pub(super) fn is_used_up(&mut self) -> bool {
        let is_used_up = self.left() == 0;
        self.is_short |= is_used_up;
        is_used_up
    }

    fn left(&self) -> usize {
        let left = self
            .work
            .left()
            .min(self.until.saturating_sub(self.spent()));
        usize::try_from(left).unwrap_or(usize::MAX)
    }

    /// Returns the place at which a search for an end that may not exist must stop. These searches
    /// may use three quarters of the budget, so that text ended by markers is also read after
    /// unclosed openers.
    pub(super) fn stop_of_search(&self, start: usize, length: usize) -> usize {
        length.min(start.saturating_add(self.left_for_searches()))
    }

    /// Returns `true` if such a search must stop here.
    pub(super) fn ends_search(&mut self) -> bool {
        let ends = self.left_for_searches() == 0;
        self.is_short |= ends;
        ends
    }

    fn left_for_searches(&self) -> usize {
        let allowed = self.work.left().saturating_add(self.spent());
        let left = (allowed / 4 * 3).saturating_sub(self.spent());
        usize::try_from(left).unwrap_or(usize::MAX).min(self.left())
    }

    /// Returns the limits for parsing a text: it may cost half of the remaining budget, so that the
    /// text after it is also parsed.
    pub(super) fn limits(&self, limits: Limits, text: &str) -> Limits {
        let empty = Work::for_bytes(1, text.len()).left();
        let affordable = u32::try_from(self.left() as u64 / 2 / empty).unwrap_or(u32::MAX);
        limits.with_work(limits.work.min(affordable))
    }

    /// Reads a text as JSON.
    pub(super) fn read<'t>(&mut self, text: &'t str) -> Document<'t> {
        let limits = Limits::DEFAULT.with_work(self.per_byte);
        let affordable = self.limits(limits, text);
        let document = Parser::expecting(affordable, None).parse(text);
        let work = document.work();
        self.is_short |= affordable != limits && work.is_used_up();
        self.charge(text.len());
        self.work
            .charge(usize::try_from(work.spent()).unwrap_or(usize::MAX));
        document
    }
}
