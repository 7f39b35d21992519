//! The search: a small set of hypotheses processes the text from left to right. Strict text has one
//! hypothesis, which costs nothing. A local ambiguity forks a hypothesis; if two reach the same
//! state, the cheaper one is kept. There is no backtracking and no undoing.

use alloc::vec::Vec;
use core::cell::Cell;
use core::mem;

use crate::base::work::Stop;
use crate::parser::search::price;
use crate::parser::search::reading::{Event, Kind, Move, Reading, SearchContainer, Want};
use crate::parser::search::text::{Kept, Text};

/// Maximum number of hypotheses that are kept.
const WIDTH: usize = 8;

/// Maximum number of ended hypotheses that are kept.
const ENDED_MAX: usize = 2 * WIDTH;

/// The margin of the cheapest hypothesis over a waiting one, which is resumed only once the
/// cheapest has cost as much. Hypotheses that finally prove right rarely lag further.
const PATIENCE: u32 = 13;

/// Number of bytes that several hypotheses may read in parallel. Past them only the cheapest
/// continues, since text so far after an ambiguity rarely resolves it.
const WINDOW: u32 = 1 << 10;

/// Number of bytes after an ambiguity for each of which a smaller margin suffices.
const SETTLES: u32 = 16;

/// Steps of several hypotheses after each of which a smaller margin suffices, too.
const STEPS_SETTLE: u32 = 2;

/// The factor of the hash of a value.
const HASH: u64 = 0x9E37_79B9_7F4A_7C15;

/// Number of events reserved at the beginning.
pub(crate) const ROOM: usize = 128;

/// Number of frames that are searched for an equal one.
const RECENT_FRAMES: usize = 24;

/// An event with a link to the previous one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) before: u32,
    pub(crate) event: Event,
}

/// The hypotheses about one stretch of text.
pub(crate) struct Search<'t> {
    pub(crate) text: Text<'t>,
    pub(crate) frames: Vec<SearchContainer>,
    /// The events of all hypotheses. Each links to the previous one, so that hypotheses share their
    /// beginnings.
    pub(crate) trail: Vec<Step>,
    /// The hypotheses that resulted from the last step.
    pub(crate) out: Vec<Reading>,
    pub(crate) live: Vec<Reading>,
    /// Hypotheses that wait because another one costs much less, until it catches up.
    waiting: Vec<Reading>,
    pub(crate) ended: Vec<Reading>,
    /// The part of the text that was last searched for JSON, if it is long.
    pub(crate) looked: Cell<(usize, usize)>,
    /// `true` for a place whose token may follow a key or a value.
    pub(crate) follows: Kept<bool>,
    /// The margin of the cheapest hypothesis over a waiting one.
    pub(crate) patience: u32,
    /// The cost of the cheapest hypothesis.
    limit: u32,
    /// Offset at which a single hypothesis was left most recently.
    alone: u32,
    /// Number of steps taken since with several hypotheses.
    steps: u32,
    /// Maximum number of steps of work.
    allowed: usize,
    /// The flag that ends the search.
    pub(crate) stop: Option<Stop>,
}

impl<'t> Search<'t> {
    /// Creates a search of a text with at most `allowed` steps, within the open containers
    /// `frames`.
    pub(crate) fn new(text: Text<'t>, allowed: usize, frames: Vec<SearchContainer>) -> Self {
        let event = Event::Start;
        Self {
            text,
            frames,
            trail: {
                let mut trail = Vec::with_capacity(ROOM);
                trail.push(Step { before: 0, event });
                trail
            },
            out: Vec::with_capacity(WIDTH),
            live: Vec::with_capacity(2 * WIDTH),
            waiting: Vec::with_capacity(WIDTH),
            ended: Vec::new(),
            looked: Cell::new((0, 0)),
            follows: Kept::new(false),
            patience: PATIENCE,
            limit: 0,
            alone: 0,
            steps: 0,
            allowed,
            stop: None,
        }
    }

    pub(crate) fn charge(&self, steps: usize) {
        self.text.charge(steps);
    }

    pub(crate) fn spent(&self) -> usize {
        self.text.work.get()
    }

    /// Returns `true` if the work allowed has been done, or a flag has ended the search.
    pub(crate) fn is_spent(&self) -> bool {
        self.spent() > self.allowed || self.stop.is_some_and(Stop::is_set)
    }

    /// Advances the hypothesis that has read least by one step, so that all which can reach a place
    /// have reached it. Returns `true` if there is another step to take.
    pub(crate) fn advance(&mut self) -> bool {
        self.charge(4 + self.live.len() / 4);
        let alone = self.live.len() == 1 && self.ended.is_empty() && self.waiting.is_empty();
        let behind = if alone { 0 } else { self.furthest_behind() };
        if behind >= self.live.len() {
            return false;
        }
        let reading = self.live.swap_remove(behind);
        if !alone && self.is_given_up(&reading, 0) {
            self.give_up(&reading);
            return true;
        }
        self.steps += 1;
        self.step(reading);
        if alone {
            // A step over a long text goes far: hypotheses diverge at its end rather than its
            // beginning.
            let begins = self.out.iter().map(|reading| reading.at).min();
            (self.alone, self.steps) = (begins.unwrap_or(self.alone), 0);
            self.limit = reading.cost;
        }
        let mut out = mem::take(&mut self.out);
        for next in out.drain(..) {
            self.arrive(next);
        }
        self.out = out;
        while self.live.len() + self.waiting.len() > WIDTH {
            let from = match self.waiting.is_empty() {
                true => &mut self.live,
                false => &mut self.waiting,
            };
            let worst = (0..from.len()).max_by_key(|&i| from[i].cost);
            let worst = from.swap_remove(worst.unwrap_or(0));
            self.give_up(&worst);
        }
        true
    }

    /// Returns the margin of the cheapest hypothesis over one at `at` that is abandoned. It weighs
    /// more the longer several hypotheses have been read.
    fn lead(&self, at: u32) -> u32 {
        let since = (at.saturating_sub(self.alone) / SETTLES).max(self.steps / STEPS_SETTLE);
        price::GIVEN_UP.saturating_sub(since).max(price::LEAST_LEAD)
    }

    /// Returns `true` if a hypothesis is abandoned once it has this cost.
    pub(crate) fn is_given_up(&self, reading: &Reading, price: u32) -> bool {
        reading.cost + price > self.limit.saturating_add(self.lead(reading.at))
    }

    /// Lowers the margins of the cheaper hypotheses to their distance from an abandoned one.
    pub(crate) fn give_up(&mut self, lost: &Reading) {
        for one in self.live.iter_mut().chain(&mut self.waiting) {
            let lead = lost.cost.saturating_sub(one.cost);
            if lead < one.margin && one.value != lost.value {
                one.margin = lead;
            }
        }
    }

    /// Abandons all hypotheses except one.
    pub(crate) fn go_alone(&mut self, leader: usize) {
        self.live.swap(0, leader);
        let waiting = mem::take(&mut self.waiting);
        for lost in self.live.split_off(1).into_iter().chain(waiting) {
            self.give_up(&lost);
        }
    }

    /// Returns the index of the hypothesis that has read least, among several the cheapest. After
    /// too many parallel steps, only the cheapest continues.
    fn furthest_behind(&mut self) -> usize {
        let (mut behind, mut cheapest, mut furthest);
        loop {
            (behind, cheapest, furthest) = (0, 0, 0);
            let (mut place, mut least) = (u64::MAX, (u32::MAX, true));
            for (i, reading) in self.live.iter().enumerate() {
                if reading.place() < place {
                    (behind, place, furthest) = (i, reading.place(), reading.at);
                }
                // The cost of a string that has just ended does not include the token after it yet.
                let cost = (reading.cost, reading.open.is_none());
                if cost < least {
                    (cheapest, least) = (i, cost);
                }
            }
            let least = least.0;
            self.limit = self
                .ended
                .iter()
                .fold(least, |least, one| least.min(one.cost));
            if self.waiting.is_empty() || !self.wake(furthest) {
                break;
            }
        }
        if self.live.len() + self.waiting.len() < 2 {
            (self.alone, self.steps) = (furthest, 0);
        } else if furthest > self.alone + WINDOW {
            self.go_alone(cheapest);
            return 0;
        }
        behind
    }

    /// Resumes waiting hypotheses that no longer cost so much more, and abandons those over which
    /// the margin at `at` has become too large. Returns `true` if any was resumed.
    fn wake(&mut self, at: u32) -> bool {
        let (lead, before) = (self.lead(at), self.live.len());
        for i in (0..self.waiting.len()).rev() {
            let cost = self.waiting[i].cost;
            if cost <= self.limit.saturating_add(self.patience) {
                let woken = self.waiting.swap_remove(i);
                self.arrive(woken);
            } else if cost > self.limit.saturating_add(lead) {
                let lost = self.waiting.swap_remove(i);
                self.give_up(&lost);
            }
        }
        self.live.len() > before
    }

    /// A hypothesis reached a place at which there may be another one.
    fn arrive(&mut self, next: Reading) {
        if next.want == Want::Done {
            let ended = self.ended_at(next);
            self.ended.push(ended);
            // Each item of an array may be the last: of many ends, the most expensive are dropped.
            if self.ended.len() > ENDED_MAX {
                let dear = |i: &usize| (self.ended[*i].cost, u32::MAX - self.ended[*i].at);
                let dearest = (0..self.ended.len()).max_by_key(dear);
                self.ended.swap_remove(dearest.unwrap_or(0));
            }
            return;
        }
        let same = |one: &Reading| {
            one.at == next.at && one.is_where(&next) && self.has_as_many_items(one, &next)
        };
        if let Some(there) = self.live.iter().position(same) {
            let there = &mut self.live[there];
            let (mut win, lose) = match next.cost < there.cost {
                true => (next, *there),
                false => (*there, next),
            };
            if win.value != lose.value {
                win.margin = win.margin.min(lose.cost - win.cost);
            }
            *there = win;
        } else if next.cost > self.limit.saturating_add(self.patience) {
            self.waiting.push(next);
        } else {
            self.live.push(next);
        }
    }

    /// Returns the cheapest ended hypothesis, and among equals the first of those that read
    /// furthest.
    pub(crate) fn best(&self) -> Option<Reading> {
        self.ended
            .iter()
            .min_by_key(|reading| (reading.cost, u32::MAX - reading.at))
            .copied()
    }

    /// Returns the hypothesis with one more event.
    pub(crate) fn with(&mut self, mut reading: Reading, event: Event) -> Reading {
        let before = reading.trail;
        if let Some((kind, start, end)) = event.value() {
            let event = u64::from(kind) << 60 ^ u64::from(start) << 30 ^ u64::from(end);
            reading.value = (reading.value.rotate_left(5) ^ event).wrapping_mul(HASH);
        }
        self.trail.push(Step { before, event });
        reading.trail = self.trail.len() as u32 - 1;
        reading
    }

    /// Returns the hypothesis after a move with this cost, less if it is a repeated habit.
    pub(crate) fn made(
        &mut self,
        reading: Reading,
        made: Move,
        (from, to): (usize, usize),
        cost: u32,
    ) -> Reading {
        let mut reading = self.with(reading, Event::Made(made, from as u32, to as u32));
        // The evidence for and against an inner quote is not repeated with it.
        reading.cost += match made {
            Move::InnerQuote => cost,
            _ => reading.habitual(made, cost),
        };
        reading.made |= 1 << made as u64;
        reading
    }

    /// Continues the hypothesis at another offset.
    pub(crate) fn go(&mut self, reading: Reading, at: usize, want: Want) {
        self.out.push(Reading {
            at: at as u32,
            want,
            ..reading
        });
    }

    pub(crate) fn frame(&self, reading: &Reading) -> SearchContainer {
        self.frames[reading.frame as usize]
    }

    pub(crate) fn kind(&self, frame: u32) -> Kind {
        self.frames[frame as usize].kind
    }

    /// Returns the frame with this content. Equal ones are identical, so that hypotheses can merge.
    pub(crate) fn intern(&mut self, frame: SearchContainer) -> u32 {
        let recent = self.frames.len().saturating_sub(RECENT_FRAMES);
        match self.frames[recent..].iter().position(|one| *one == frame) {
            Some(i) => (recent + i) as u32,
            None => {
                self.frames.push(frame);
                self.frames.len() as u32 - 1
            }
        }
    }
}
