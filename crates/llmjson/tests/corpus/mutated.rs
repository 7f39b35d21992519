//! The laws of streams on generated texts: cases with a few characters changed.

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use llmjson::{Schema, laws};
use llmjson_testutil::Rng;

use crate::case::{self, Case};

/// Number of texts that are tried, unless `LLMJSON_MUTATED` sets another.
const TEXTS: u64 = 3_000;

/// Longer cases say no more, and take longer.
const LONGEST: usize = 400;

/// What is put in, or stands in the place of something else.
const TOKENS: [&str; 24] = [
    "{", "}", "[", "]", "\"", "'", ",", ":", "\\", "\n", " ", "null", "\"null\"", "1", "-0.5",
    "true", "[{", "}]", "{\"", "\": ", "\\\"", "é", "```", "// ",
];

/// The text with one to three changes, perhaps cut off.
fn mutated(text: &str, numbers: &mut Rng) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=numbers.below(3) {
        let (at, length) = (numbers.below(characters.len() + 1), characters.len());
        let to = (at + 1 + numbers.below(3)).min(length);
        match numbers.below(6) {
            0 => drop(characters.splice(at..to, [])),
            1 => drop(characters.splice(at..at, numbers.pick(&TOKENS).chars())),
            2 => drop(characters.splice(at..to, numbers.pick(&TOKENS).chars())),
            // A part of the text comes once more, there or elsewhere.
            3 | 4 => {
                let from = numbers.below(length + 1);
                let to = (from + 1 + numbers.below(24)).min(length);
                let again = characters[from..to].to_vec();
                let place = if numbers.below(2) == 0 { to } else { at };
                drop(characters.splice(place..place, again));
            }
            _ => {
                if numbers.below(2) == 0 {
                    characters.truncate(at);
                } else if let Some(one) = characters.get_mut(at) {
                    *one = if one.is_lowercase() {
                        one.to_ascii_uppercase()
                    } else {
                        one.to_ascii_lowercase()
                    };
                }
            }
        }
    }
    characters.into_iter().collect()
}

/// Checks the text of that number. Half of them are held against the schema of another case.
fn check(number: u64, cases: &[Case], schemas: &[&Schema]) {
    let mut numbers = Rng::new(number);
    let case = &cases[numbers.below(cases.len())];
    let other = schemas[numbers.below(schemas.len())];
    let schema = match &case.schema {
        Some(own) if numbers.below(4) > 0 => own,
        _ => other,
    };
    let text = mutated(&case.text, &mut numbers);
    let (length, seed) = (numbers.below(8), numbers.below(1 << 30) as u64);
    let held = catch_unwind(AssertUnwindSafe(|| {
        if length > 0 {
            laws::every_coerced_stream(&text, schema, || || length);
        } else {
            laws::every_coerced_stream(&text, schema, || laws::random_lengths(seed));
        }
    }));
    assert!(
        held.is_ok(),
        "{} in pieces of {length}: {text:?}",
        case.name()
    );
}

#[test]
fn laws_hold_for_mutated_texts() {
    let asked = std::env::var("LLMJSON_MUTATED").ok();
    let texts = asked.and_then(|texts| texts.parse().ok()).unwrap_or(TEXTS);
    let mut cases = case::all();
    cases.retain(|case| case.text.len() <= LONGEST);
    let schemas: Vec<_> = cases
        .iter()
        .filter_map(|case| case.schema.as_ref())
        .collect();
    let (next, failed) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let work = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= texts {
            return;
        }
        if catch_unwind(AssertUnwindSafe(|| check(number, &cases, &schemas))).is_err() {
            failed.lock().unwrap().push(number);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let failed = failed.into_inner().unwrap();
    let line = format!("{texts} mutated texts, {} failed\n", failed.len());
    std::io::stderr().write_all(line.as_bytes()).unwrap();
    assert!(failed.is_empty(), "these texts failed: {failed:?}");
}
