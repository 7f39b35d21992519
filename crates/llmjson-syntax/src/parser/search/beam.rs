//! The search: a small set of readings goes over the text from left to right. Strict text has one
//! reading, which costs nothing. Where a local doubt shows, a reading forks; where two come to the same
//! place, the cheaper one stays. Nothing looks back and nothing is undone.

use alloc::vec::Vec;
use core::mem;

use crate::parser::search::price;
use crate::parser::search::reading::{Event, Kind, Move, Reading, SearchContainer, Want};
use crate::parser::search::text::Text;

/// Maximum number of readings that are kept.
const WIDTH: usize = 8;

/// Bytes that several readings may go over side by side. Behind them the cheapest goes on alone: what
/// stands so far behind a doubt seldom decides it.
const WINDOW: u32 = 1 << 10;

/// Bytes behind a doubt after each of which a smaller lead is enough.
const SETTLES: u32 = 16;

/// Steps of several readings after each of which the same holds.
const STEPS_SETTLE: u32 = 4;

/// The factor of the hash of a value.
const HASH: u64 = 0x9E37_79B9_7F4A_7C15;

/// Events for which there is room from the beginning.
const ROOM: usize = 128;

/// Frames among which an equal one is looked for.
const RECENT_FRAMES: usize = 24;

/// One event, and the one before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) before: u32,
    pub(crate) event: Event,
}

/// The readings of one stretch of text.
pub(crate) struct Search<'t> {
    pub(crate) text: Text<'t>,
    pub(crate) frames: Vec<SearchContainer>,
    /// The events of all readings: each names the one before it, so that readings share their
    /// beginnings.
    pub(crate) trail: Vec<Step>,
    /// The readings that the last step led to.
    pub(crate) out: Vec<Reading>,
    pub(crate) live: Vec<Reading>,
    pub(crate) ended: Vec<Reading>,
    /// Offset at which one reading was alone last.
    alone: u32,
    /// Number of steps that several have taken since.
    steps: u32,
    /// Number of steps of work that are allowed.
    allowed: usize,
}

impl<'t> Search<'t> {
    /// Creates a search over a text that may take `allowed` steps, within the open containers `frames`.
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
            ended: Vec::new(),
            alone: 0,
            steps: 0,
            allowed,
        }
    }

    pub(crate) fn charge(&self, steps: usize) {
        self.text.charge(steps);
    }

    pub(crate) fn spent(&self) -> usize {
        self.text.work.get()
    }

    /// Returns `true` if as much has been looked at as is allowed.
    pub(crate) fn is_spent(&self) -> bool {
        self.spent() > self.allowed
    }

    /// Takes one step: of the reading that is furthest behind, so that all that could come to a place
    /// have come to it. Returns whether there is another one to take.
    pub(crate) fn advance(&mut self) -> bool {
        self.charge(4 + self.live.len() / 4);
        if self.live.len() == 1 && self.ended.is_empty() {
            return self.advance_alone();
        }
        let Some((behind, limit)) = self.next() else {
            return false;
        };
        let reading = self.live.swap_remove(behind);
        // A lead weighs more the more has been read since.
        self.steps += 1;
        let since =
            (reading.at.saturating_sub(self.alone) / SETTLES).max(self.steps / STEPS_SETTLE);
        let lead = price::GIVEN_UP.saturating_sub(since).max(price::LEAST_LEAD);
        if reading.cost > limit.saturating_add(lead) {
            self.give_up(&reading);
            return true;
        }
        self.step(reading);
        let mut out = mem::take(&mut self.out);
        for next in out.drain(..) {
            self.arrive(next);
        }
        self.out = out;
        while self.live.len() > WIDTH {
            let worst = (0..self.live.len()).max_by_key(|&i| self.live[i].cost);
            let worst = self.live.swap_remove(worst.unwrap_or(0));
            self.give_up(&worst);
        }
        true
    }

    /// Takes one step of the only reading there is: nothing is compared.
    fn advance_alone(&mut self) -> bool {
        let Some(reading) = self.live.pop() else {
            return false;
        };
        self.step(reading);
        let mut out = mem::take(&mut self.out);
        // Over a long text one step goes far: the readings part where it ends, not where it begins.
        self.steps = 0;
        self.alone = out
            .iter()
            .map(|reading| reading.at)
            .min()
            .unwrap_or(self.alone);
        match out[..] {
            [next] if next.want != Want::Done => self.live.push(next),
            _ => {
                for next in out.drain(..) {
                    self.arrive(next);
                }
            }
        }
        out.clear();
        self.out = out;
        true
    }

    /// The readings that are cheaper lead by so much over one that is given up.
    pub(crate) fn give_up(&mut self, lost: &Reading) {
        for i in 0..self.live.len() {
            let one = self.live[i];
            let lead = lost.cost.saturating_sub(one.cost);
            if lead < one.margin && one.value != lost.value {
                self.live[i].margin = lead;
            }
        }
    }

    /// Returns the index of the reading that is furthest behind, of several the cheapest, and the smallest price of
    /// all. Where several have gone on side by side for too long, the cheapest goes on alone.
    fn next(&mut self) -> Option<(usize, u32)> {
        let first = self.live.first()?;
        let (mut behind, mut cheapest) = ((first.at, first.cost, 0), (first.cost, 0));
        for (i, reading) in self.live.iter().enumerate().skip(1) {
            behind = behind.min((reading.at, reading.cost, i));
            cheapest = cheapest.min((reading.cost, i));
        }
        let ended = self.ended.iter().map(|reading| reading.cost).min();
        let limit = cheapest.0.min(ended.unwrap_or(u32::MAX));
        if self.live.len() < 2 {
            (self.alone, self.steps) = (behind.0, 0);
        } else if behind.0 > self.alone + WINDOW {
            self.live.swap(0, cheapest.1);
            for lost in self.live.split_off(1) {
                self.give_up(&lost);
            }
            return Some((0, limit));
        }
        Some((behind.2, limit))
    }

    /// A reading came to a place: perhaps another one is there.
    fn arrive(&mut self, next: Reading) {
        if next.want == Want::Done {
            let ended = self.ended_at(next);
            return self.ended.push(ended);
        }
        let place = |one: &Reading| (one.at, one.want, one.frame, one.open);
        match self.live.iter().position(|one| place(one) == place(&next)) {
            Some(i) => {
                let other = self.live[i];
                let (mut win, lose) = if next.cost < other.cost {
                    (next, other)
                } else {
                    (other, next)
                };
                if win.value != lose.value {
                    win.margin = win.margin.min(lose.cost - win.cost);
                }
                self.live[i] = win;
            }
            None => self.live.push(next),
        }
    }

    /// The cheapest of the readings that ended, of several the first of those that read furthest.
    pub(crate) fn best(&self) -> Option<Reading> {
        self.ended
            .iter()
            .min_by_key(|reading| (reading.cost, u32::MAX - reading.at))
            .copied()
    }

    /// The reading with one more event.
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

    /// Returns the reading after a move with this price. A habit costs half when it is met again: a writer makes the
    /// same mistake again.
    pub(crate) fn made(
        &mut self,
        reading: Reading,
        made: Move,
        (from, to): (usize, usize),
        cost: u32,
    ) -> Reading {
        let mut reading = self.with(reading, Event::Made(made, from as u32, to as u32));
        let bit = 1 << made as u64;
        let again = made.is_habit() && reading.made & bit != 0;
        reading.cost += if again { cost.div_ceil(2) } else { cost };
        reading.made |= bit;
        reading
    }

    /// Continues the reading at another offset.
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

    /// The frame with this content. Equal ones are the same, so that readings can meet again.
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
