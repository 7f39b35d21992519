//! Searches for snippets whose texts take more than linear time: random ones, by a clock.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use llmjson::laws::Way;
use llmjson_syntax::laws::search::{Recipe, Search};

use crate::{Measured, SHORT, TIMES_MAX, table};

/// A text that takes less time is left out: it tells nothing about growth.
const LEAST: Duration = Duration::from_micros(500);

/// Number of times that a text is read before its least time is believed.
const AGAIN: usize = 4;

/// Returns what takes more than linear time by the clock, for callgrind to count.
pub(crate) fn search(ways: &[Way], seconds: u64, seed: u64) -> Vec<Measured> {
    let start = Instant::now();
    let mut search = Search::new(seed);
    let mut seen = BTreeSet::new();
    let (mut found, mut tried) = (Vec::new(), 0);
    while start.elapsed() < Duration::from_secs(seconds) {
        let recipe = search.fresh();
        tried += 1;
        for name in table::SEARCHED {
            let way = table::way(ways, name);
            let texts = table::SIZES.map(|size| recipe.text(size));
            let characters: BTreeSet<char> = recipe.unit().chars().collect();
            // Of snippets of the same characters one is enough.
            if grows(&ways[way], &texts) && seen.insert((way, characters)) {
                found.push(measured(&recipe, way, texts));
            }
        }
    }
    eprintln!(
        "{tried} snippets were tried from {SHORT} bytes on, {} seem to grow",
        found.len()
    );
    found
}

fn measured(recipe: &Recipe, way: usize, texts: [String; 2]) -> Measured {
    Measured {
        name: format!("{recipe:?}"),
        way,
        texts,
    }
}

fn grows(way: &Way, [short, long]: &[String; 2]) -> bool {
    let (mut least, mut most) = (Duration::MAX, Duration::MAX);
    for _ in 0..AGAIN {
        least = least.min(time(way, short));
        most = most.min(time(way, long));
        if most < LEAST || most.as_secs_f64() <= TIMES_MAX * least.as_secs_f64() {
            return false;
        }
    }
    true
}

fn time(way: &Way, text: &str) -> Duration {
    let start = ThreadTime::now();
    black_box(way.cost(black_box(text)));
    start.elapsed()
}
