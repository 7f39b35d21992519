//! No text of any kind costs more work than the law allows, whatever it is read by: a search for texts
//! that do, and those that such searches have found.

use llmjson::laws::{Way, ways};
use llmjson::syntax::laws::search::{Recipe, Search};
use llmjson_testutil::table::rows_of;

/// The rows of the tests.
const FILE: &str = include_str!("work.txt");

/// Bytes of each text. Work that grows with the square of the text is far beyond the law at this length.
const SIZE: usize = 4 << 10;

/// Number of texts that are tried for each way to read them.
const TRIES: u32 = 40;

/// The part of what is allowed that a text costs in one way to read it.
fn part_of_allowed(way: &Way, text: &str, shown: &dyn std::fmt::Debug) -> f64 {
    let cost = way.cost(text);
    cost.is_bounded(&way.name, shown);
    cost.work as f64 / cost.allowed() as f64
}

/// Checks every way to have a text read, on two threads.
fn each_way(check: impl Fn(u64, &Way) + Sync) {
    std::thread::scope(|scope| {
        for half in 0..2 {
            let check = &check;
            scope.spawn(move || {
                let mine = ways().into_iter().enumerate().skip(half).step_by(2);
                mine.for_each(|(at, way)| check(at as u64, &way));
            });
        }
    });
}

#[test]
fn texts_that_were_found_keep_the_law() {
    each_way(|_, way| {
        for [prefix, unit] in rows_of(FILE, "found") {
            let text = prefix.to_string() + &unit.repeat(SIZE / unit.len());
            part_of_allowed(way, &text, &(prefix, unit));
        }
    });
}

#[test]
fn no_text_breaks_the_law() {
    each_way(|seed, way| {
        let mut most = 0.0_f64;
        Search::new(seed).climb(TRIES, |recipe: &Recipe| {
            let part = part_of_allowed(way, &recipe.text(SIZE), recipe);
            most = most.max(part);
            part
        });
        // A search that finds nothing would keep any law.
        assert!(most > 0.1, "{}: {most}", way.name);
    });
}
