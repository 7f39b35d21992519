//! Timing side by side.
//!
//! The speed of one and the same binary drifts by far more than the differences that matter, so
//! hardly a figure here is a time: contenders take turns within each round, and what is reported is the
//! median over the rounds of base / own within the same round. Time is processor time: what the
//! machine does for others meanwhile is not in it, though it still shares the caches.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;

use crate::contenders::Contender;

/// How long one contender runs before the next one's turn.
const TURN: Duration = Duration::from_micros(500);

/// Seconds per call of one contender, one figure for each round.
pub(crate) struct Times(Vec<f64>);

impl Times {
    /// How many times as fast as `base` this one is.
    pub(crate) fn speed_over(&self, base: &Self) -> f64 {
        median(
            base.0
                .iter()
                .zip(&self.0)
                .map(|(base, own)| base / own)
                .collect(),
        )
    }

    /// Seconds of a call, for what has to be said in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        median(self.0.clone())
    }
}

/// Runs each pair of a contender and its text once per round, in turns.
pub(crate) fn measure(pairs: &[(&Contender, &str)], rounds: usize) -> Vec<Times> {
    let mut turns: Vec<_> = pairs
        .iter()
        .map(|&(contender, text)| {
            let mut run = (contender.start)();
            run(text);
            let start = ThreadTime::now();
            let mut calls = 0;
            while calls == 0 || start.elapsed() < TURN {
                black_box(run(black_box(text)));
                calls += 1;
            }
            (run, text, calls, Times(Vec::with_capacity(rounds)))
        })
        .collect();
    for round in 0..rounds {
        // Somebody else goes first in each round: whoever follows a slow one finds cold caches.
        let first = round % turns.len().max(1);
        turns.rotate_left(first);
        for (run, text, calls, times) in &mut turns {
            let start = ThreadTime::now();
            for _ in 0..*calls {
                black_box(run(black_box(text)));
            }
            times
                .0
                .push(start.elapsed().as_secs_f64() / f64::from(*calls));
        }
        turns.rotate_right(first);
    }
    turns.into_iter().map(|(.., times)| times).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        _ if values.is_empty() => f64::NAN,
        0 => f64::midpoint(values[middle - 1], values[middle]),
        _ => values[middle],
    }
}
